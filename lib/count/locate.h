/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that sample themselves, to tell in which code they happen (attached where that is wanted):
 * each counter of the CPU or of the kernel's software writes a record every so many events into the
 * buffer of its CPU, and another counter writes what is mapped. Records go out in the order of
 * time.
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
 * @id:     of the counter; those that are inherited give their parent's
 * @period: events from one sample to the next
 * @carry:  events that the next sample stands for, beside its period: those under way when the
 *          period was changed, which begins it anew
 * @nr:     samples since then; @recent: since it was looked whether they are too many
 */
struct located {
	uint64_t id, period, carry;
	int event, unit, fd, nr, recent;
};

/**
 * struct locator - all samples of a session
 * @cpus:    with a buffer each, in the same order; @pages: of one
 * @others:  buffers of counters that cannot write into that of their CPU
 * @sources: by id; @fds: of the counters that tell what is mapped
 * @held:    records that others may come before
 * @tasks:   more than one thread was sampled; @task: the first one
 * @weights: of (event, unit), what its samples stand for; @carries: what its next one stands for
 *           beside, as a period under way was lost when periods were chosen
 * @chosen:  of each event, whether its period was chosen; @periods: those, or before that, what all
 *           events begin with
 * @now:     counts, for the choice; @choose_ns: when it is due, on the session's clock, or 0
 * @tick_ns: after which time the buffers are read again; @drained_ns: when that was
 * @vary_ns: when periods change again
 * @bursts:  short ones beside; @last: a sample of cycles since the last one, its tid 0 for none
 * @random:  the state of the numbers that vary periods
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
/** locator__set_attr() - make a sampling one of a counter's attributes. */
void locator__set_attr(const struct locator *p, const struct counter *c,
		       struct perf_event_attr *attr);
/** locator__read() - a step of a read: give all records up to now to the sink. */
void locator__read(void *self, struct counts *total);

#endif
