/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that sample themselves, to find out in which code they happen (attached where that is
 * wanted): each counter of the CPU or of the kernel's software writes a record every so many events
 * into the buffer of its CPU, and another counter writes a record for each mapping. Records go out
 * in the order of time.
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
 * @id:     of the counter; inherited ones report their parent's
 * @period: events from one sample to the next
 * @carry:  events that the next sample represents beside its period: those already counted when the
 *          period was changed, which restarts it
 * @nr:     samples since then; @recent: since the last check for too many samples
 */
struct located {
	uint64_t id, period, carry;
	int event, unit, fd, nr, recent;
};

/**
 * struct locator - all that is sampled in a session
 * @cpus:    each has a buffer, in the same order; @pages: of one buffer
 * @others:  buffers of counters that cannot write into that of their CPU
 * @sources: by id; @fds: of the counters that record mappings
 * @held:    records that are held back because earlier ones may still come
 * @tasks:   more than one thread was sampled; @task: the first one
 * @weights: of (event, unit), the events that its samples represent; @carries: what its next sample
 *           represents beside its period, as a period under way was lost when periods were chosen
 * @chosen:  of each event, whether its period was chosen; @periods: the chosen ones, before that
 *           the ones to start with
 * @now:     counts, to choose periods from; @choose_ns: when that is due, on the session's clock,
 *          or 0
 * @tick_ns: time between reads of the buffers; @drained_ns: when they were read
 * @vary_ns: when periods change again
 * @bursts:  short ones of samples; @last: a sample of cycles since the last burst, with tid 0 for
 *          none
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
/** locator__set_attr() - make a counter's attributes those of one that samples itself. */
void locator__set_attr(const struct locator *p, const struct counter *c,
		       struct perf_event_attr *attr);
/** locator__read() - (step of a read) give all records up to now to the sink. */
void locator__read(void *self, struct counts *total);

#endif
