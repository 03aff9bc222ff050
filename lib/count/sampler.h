/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Retire latencies (:R): counters that write a sample every so many events, into a ring buffer for
 * each CPU (attached if any latency is sampled). Samples come in, and sums of latencies go out. The
 * counters themselves are opened, enabled and closed like all other counters.
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
 * @id: id of the counter, which inherited counters report, too
 */
struct sample_source {
	uint64_t id;
	int event, unit;
};

/** sample_source__compare() - compare two sources by id, for qsort() and bsearch(). */
int sample_source__compare(const void *va, const void *vb);

/**
 * struct sampled_event - the samples of an event on all CPUs
 * @samples: number of samples; @measured: a sample had a latency other than 0
 * @warned_of_zero: a warning reported that all latencies of the event's PMU are 0
 */
struct sampled_event {
	uint64_t samples;
	bool measured, warned_of_zero;
};

/**
 * struct sampler - the counters, buffers and sums of a session that samples latencies
 * @frequency: samples a second of each event on each CPU; 0 if @period is set
 * @period:  events from one sample to the next
 * @nr_per_cpu: largest number of events that are sampled on one CPU
 * @max_rate: kernel.perf_event_max_sample_rate
 * @cpus:    CPUs; @rings: their buffers, in the order of @cpus
 * @pages:   number of pages of a buffer, a power of two, without the page for the positions of
 * writer and reader
 * @sources: counters that sample, sorted by id
 * @sums:    for each (event, unit), the sums since the start
 * @events:  samples of each event of the session
 * @lost_in_records: number of lost samples, as records in the buffers report; the counters report
 * the same losses when they are read (readings.lost)
 * @lost_before: number of samples that the hardware lost, before they came to a buffer
 * @unreadable: number of records that cannot be parsed, or are of an unknown counter
 * @throttled: how often the kernel held a counter back
 * @tick_ns: time between reads of the buffers: the fuller they are, the shorter; @longest_tick_ns:
 *           its upper limit
 * @drained_ns: when the buffers were last read, on the monotonic clock
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

/** sampler__set_attr() - change a counter's attributes so that the counter samples. */
void sampler__set_attr(const struct sampler *p, const struct counter *c,
		       struct perf_event_attr *attr);

/* sampler_read.c: records. */

/**
 * sampler__drain() - add up all samples in the buffers
 *
 * Return: number of bytes that were in the fullest buffer.
 */
uint64_t sampler__drain(struct sampler *p);
/**
 * sampler__tick() - drain the buffers if this is due; the next time depends on how full they were.
 */
void sampler__tick(void *self);

/* Steps of a read. */

/** sampler__read() - add up all samples in the buffers. */
void sampler__read(void *self, struct counts *total);
/**
 * sampler__fill() - write the sums into the counts, and messages about losses into the warnings.
 */
void sampler__fill(void *self, struct counts *total);

#endif
