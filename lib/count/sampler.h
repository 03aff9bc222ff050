/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Retire latencies (:R): counters that write a sample every so many events, into a ring buffer for
 * each CPU. The counters themselves are opened, enabled and closed as all others are.
 */
#ifndef TMA_COUNT_SAMPLER_H
#define TMA_COUNT_SAMPLER_H

#include <linux/perf_event.h>

#include <internal/mmap.h>

#include "count/session.h"

#define SAMPLER_SHORTEST_TICK_NS 1000000ULL
#define SAMPLER_PAGES 64 /* 256 KB: two seconds of samples at the rate chosen by default */

/**
 * struct sample_source - whose samples have an id
 * @id: of the counter; those that are inherited give their parent's
 */
struct sample_source {
	uint64_t id;
	int event, unit;
};

/** sample_source__compare() - by id, for qsort() and bsearch(). */
int sample_source__compare(const void *va, const void *vb);

/**
 * struct sampled_event - what came of an event, on all CPUs
 * @samples: taken; @measured: one of them had a latency other than 0
 * @said_zero: that no event of its PMU had; told by the first of them
 */
struct sampled_event {
	uint64_t samples;
	bool measured, said_zero;
};

/**
 * struct sampler - all that is sampled in a session
 * @frequency: samples a second of each event on each CPU; 0 where @period is set
 * @period:  events from a sample to the next
 * @nr_per_cpu: how many events are sampled on the CPU with the most
 * @max_rate: kernel.perf_event_max_sample_rate
 * @cpus:    with a buffer each, in the same order
 * @pages:   of a buffer, without the one for the kernel's head and our tail; a power of two
 * @sources: by id
 * @sums:    since the start, of (event, unit)
 * @events:  as many as the session has
 * @lost_told: by records in the buffers; @lost_read: by the counters, when last read. Both are
 *           the same samples
 * @lost_before: by the hardware, before they came to a buffer
 * @unreadable: records which are none, or not of a counter of ours
 * @throttled: times the kernel held a counter back
 * @tick_ns: after which time the buffers are to be read again: from short to @longest_tick_ns, as
 *           they are found; @drained_ns: when they were, on the monotonic clock
 */
struct sampler {
	uint64_t frequency, period, max_rate;
	int nr_per_cpu;
	struct cpulist cpus;
	struct perf_mmap *buffers;
	int pages;
	VEC(struct sample_source) sources;
	struct latency *sums;
	struct sampled_event *events;
	uint64_t lost_told, lost_read, lost_before, unreadable, throttled;
	uint64_t tick_ns, longest_tick_ns, drained_ns;
	bool said_lost, said_throttled, said_end;
};

/* sampler.c: opening. */

/**
 * sampler__new() - choose the rate and where the buffers are to be; nothing when none is sampled
 *
 * Return: 0; -ERANGE when the rate asked for is above what the kernel allows.
 */
int sampler__new(struct session *s, struct err *err);
void sampler__free(struct session *s);
/** sampler__set_attr() - what makes a counter a sampling one. */
void sampler__set_attr(const struct session *s, const struct counter *c,
		       struct perf_event_attr *attr);
/**
 * sampler__map() - a buffer for each CPU, when all counters are open
 *
 * Smaller ones when the kernel refuses to lock so much memory.
 *
 * Return: 0; -EPERM, -ENOMEM...: @err names the limit and the remedies.
 */
int sampler__map(struct session *s, struct err *err);
/** sampler__map_unit() - the buffer of a CPU that came back, its counters being open again. */
int sampler__map_unit(struct session *s, int unit, struct err *err);
/** sampler__unmap_unit() - read what is left in the buffer of a CPU that went, and let it go. */
void sampler__unmap_unit(struct session *s, int unit);

/* sampler_read.c: records. */

/** sampler__rest_ns() - how long the buffers may still be left alone. */
uint64_t sampler__rest_ns(const struct session *s);
/**
 * sampler__drain() - add up all that is in the buffers
 *
 * Return: bytes that were in the fullest.
 */
uint64_t sampler__drain(struct session *s);
/** sampler__tick() - the same when it is due; how soon again depends on what was there. */
void sampler__tick(struct session *s);
/** sampler__fill() - the sums into the counts, and what there is to be said into the warnings. */
void sampler__fill(struct session *s, struct counts *total);

#endif
