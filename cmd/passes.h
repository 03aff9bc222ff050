/* SPDX-License-Identifier: GPL-2.0-only */
/* Several runs of a command, each of other events, to counts as if of one run. */
#ifndef TMA_CMD_PASSES_H
#define TMA_CMD_PASSES_H

#include "base/vec.h"
#include "count/count.h"
#include "plan/plan.h"
#include "plan/sets.h"
#include "report/report.h"

struct err;
struct source_row;

/**
 * struct passes - the runs so far
 * @sets: a run for each
 * @sum:  counts: added up while runs come in, then their means
 * @totals: of (pass, event), over all CPUs: what is compared from pass to pass
 * @lengths: of each run, in ns
 * @time: as of one run: the mean of the runs
 */
struct passes {
	const struct sets *sets;
	struct counts sum;
	double *totals;
	VEC(uint64_t) lengths;
	struct row_time time;
};

/**
 * passes__add() - the counts of a run
 * @pass: of which set; pass 0 begins anew
 * @session: that counted
 *
 * Return: 0, or -ESTALE when the CPUs are not those of the first run any more.
 */
int passes__add(struct passes *p, int pass, const struct session *session,
		const struct source_row *row, struct err *err);
/** passes__finish() - sums become means. */
void passes__finish(struct passes *p);
/**
 * passes__compare() - what was counted in several runs, and not to the same amount
 * @list: the events of the counts
 * @percent: by how much the largest is above the smallest; 0 when nothing can be compared
 * @least, @most: the passes they are of
 *
 * Events that are in several groups are taken as one. Time is left out, and what is too rare.
 *
 * Return: the event with the largest difference, or -1 when nothing can be compared.
 */
int passes__compare(const struct passes *p, const struct event_list *list, double *percent,
		    int *least, int *most);
/** passes__free() - release what it owns. */
void passes__free(struct passes *p);

#endif
