/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Retire latencies (:R): counters that write a sample every so many events, into a ring buffer for
 * each CPU (attached where some are sampled). Samples come in, and sums of latencies go out. The
 * counters themselves are opened, enabled and closed as all others are.
 */
#ifndef TMA_COUNT_SAMPLER_H
#define TMA_COUNT_SAMPLER_H

#include <linux/perf_event.h>

#include <internal/mmap.h>

#include "base/vec.h"
#include "count/count.h"
#include "count/counters.h"

#define SAMPLER_SHORTEST_TICK_NS 1000000ULL
#define SAMPLER_PAGES 64 /* 256 KB: two seconds of samples at the rate chosen by default */

/**
 * struct sample_source - the counter that samples with an id come from
 * @id: of the counter; inherited ones report their parent's
 */
struct sample_source {
	uint64_t id;
	int event, unit;
};

/** sample_source__compare() - compare by id, for qsort() and bsearch(). */
int sample_source__compare(const void *va, const void *vb);

/**
 * struct sampled_event - the samples of an event, on all CPUs
 * @samples: how many were taken; @measured: one of them had a latency other than 0
 * @warned_of_zero: a warning, one for each PMU, reported that all its latencies are 0
 */
struct sampled_event {
	uint64_t samples;
	bool measured, warned_of_zero;
};

/**
 * struct sampler - all that is sampled in a session
 * @frequency: samples a second of each event on each CPU; 0 where @period is set
 * @period:  events from a sample to the next
 * @nr_per_cpu: how many events are sampled on the CPU with the most
 * @max_rate: kernel.perf_event_max_sample_rate
 * @cpus:    with a buffer each, in the same order
 * @pages:   of a buffer, without the one for the positions of writer and reader; a power of two
 * @sources: by id
 * @sums:    of (event, unit), since the start
 * @events:  as many as the session has
 * @lost_in_records: samples lost, as records in the buffers report; the counters report the same
 * samples when they are read (readings.lost)
 * @lost_before: samples lost by the hardware, before they came to a buffer
 * @unreadable: records that cannot be parsed, or of an unknown counter
 * @throttled: times the kernel held a counter back
 * @tick_ns: time between reads of the buffers: from short to @longest_tick_ns, by how full they
 *           are; @drained_ns: when they were read, on the monotonic clock
 */
struct sampler {
	struct session *session;
	const struct counter_list *counters;
	uint64_t frequency, period, max_rate;
	int nr_per_cpu;
	struct cpulist cpus;
	struct perf_mmap *buffers;
	int pages;
	VEC(struct sample_source) sources;
	struct latency *sums;
	struct sampled_event *events;
	uint64_t lost_in_records, lost_before, unreadable, throttled;
	uint64_t tick_ns, longest_tick_ns, drained_ns;
	bool said_lost, said_throttled, said_end;
};

/** sampler__set_attr() - make a counter's attributes those of one that samples. */
void sampler__set_attr(const struct sampler *p, const struct counter *c,
		       struct perf_event_attr *attr);

/* sampler_read.c: records. */

/**
 * sampler__drain() - add up all that is in the buffers
 *
 * Return: bytes that were in the fullest one.
 */
uint64_t sampler__drain(struct sampler *p);
/** sampler__tick() - drain them when due; the next time depends on how full they were. */
void sampler__tick(void *self);

/* Steps of a read. */

/** sampler__read() - add up all samples in the buffers. */
void sampler__read(void *self, struct counts *total);
/** sampler__fill() - put the sums into the counts, and messages about losses into the warnings. */
void sampler__fill(void *self, struct counts *total);

#endif
