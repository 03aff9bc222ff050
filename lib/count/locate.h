/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that sample themselves, to find the code in which they happen (attached if this is
 * requested). Each counter of the CPU or of the kernel's software writes a record every so many
 * events into the buffer of its CPU. Another counter writes a record for each mapping. Records go
 * out in the order of time.
 */
#ifndef TMA_COUNT_LOCATE_H
#define TMA_COUNT_LOCATE_H

#include "base/vec.h"
#include "count/bursts.h"
#include "count/count.h"
#include "count/counters.h"
#include "count/ring.h"
#include "count/sample_record.h"

/**
 * struct located - a counter that samples itself, in one of its places
 * @id:     id of the counter, which inherited counters report, too
 * @period: events from one sample to the next
 * @carry:  events that the next sample represents in addition to its period: events since the last
 *          sample that were counted before a change of the period restarted it
 * @nr:     samples since the period was changed; @recent: samples since the last check for too many
 *          samples
 */
struct located {
	uint64_t id, period, carry;
	int event, unit, fd, nr, recent;
};

/**
 * struct locator - the counters, buffers and records of a session that locates events
 * @cpus:    CPUs; @rings: their buffers, in the order of @cpus; @pages: number of pages of one
 *           buffer
 * @others:  buffers of counters that cannot write into the buffer of their CPU
 * @sources: counters that sample themselves, sorted by id; @fds: counters that record mappings
 * @held:    records that are held back because earlier records may still come
 * @tasks:   more than one thread was sampled; @task: the first thread that was sampled
 * @weights: for each (event, unit), the number of events that its samples represent
 * @carries: for each (event, unit), the events that its next sample represents in addition to its
 *           period, because the choice of a new period cut the last one short
 * @chosen:  for each event, whether its period was chosen; @periods: the chosen period of each
 *           event, or the period to start with
 * @now:     counts, from which periods are chosen; @choose_ns: time on the session's clock of the
 *          next choice, or 0
 * @tick_ns: time between reads of the buffers; @drained_ns: when the buffers were last read
 * @vary_ns: when periods are varied next
 * @bursts:  bursts of samples; @last: a sample of cycles since the last burst; its tid is 0 if
 *          there is none
 * @random:  the state of the generator that varies periods
 */
struct locator {
	struct session *session;
	struct cpulist cpus;
	struct ring *rings;
	VEC(struct ring) others;
	size_t pages;
	VEC(struct located) sources;
	VEC(int) fds;
	struct sample_records held;
	bool tasks;
	pid_t task;
	double *weights, *carries;
	bool *chosen;
	uint64_t *periods;
	struct counts now;
	uint64_t choose_ns, tick_ns, drained_ns, vary_ns, random;
	struct bursts bursts;
	struct sample_record last;
	int nr_since;
	struct located_totals totals;
	char *copy;
};

/** locator__samples() - whether a counter samples itself in a run that locates events. */
bool locator__samples(const struct session *s, const struct counter *c);
/** locator__set_attr() - change a counter's attributes so that the counter samples itself. */
void locator__set_attr(const struct locator *p, const struct counter *c,
		       struct perf_event_attr *attr);
/** locator__read() - (step of a read) pass all records up to now to the sink. */
void locator__read(void *self, struct counts *total);

#endif
