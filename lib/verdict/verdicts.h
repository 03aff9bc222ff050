/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which part of the pipeline is the bottleneck, and how sure that is.
 *
 * In come the sums and values of a row (aggregate/sums.h), and how far off they are (error.h); out
 * of it come the verdicts of a grid. Each kind of core has a TopDown tree, which is walked from the
 * first level down (tree.h).
 */
#ifndef TMA_VERDICT_VERDICTS_H
#define TMA_VERDICT_VERDICTS_H

#include "verdict/error.h"

struct summed_metric;
struct verdicts;

/**
 * verdicts__new() - build the TopDown trees of the metrics that are counted
 * @sums:   must outlive them
 * @errors: must, too; NULL where nothing is read within rows
 */
struct verdicts *verdicts__new(struct sums *sums, const struct errors *errors);
/** verdicts__free() - release them; NULL is allowed. */
void verdicts__free(struct verdicts *v);
/** verdicts__add_row() - note the bottlenecks of an interval, at its values. Allocates nothing. */
void verdicts__add_row(struct verdicts *v);
/** verdicts__conclude() - put the verdicts of the row at hand into a grid, of all its places. */
void verdicts__conclude(struct verdicts *v, struct grid *g);

/**
 * verdicts__bottleneck() - name the bottleneck of a row, as far down as it is certain
 * @core: core PMU whose trees are looked at, on a hybrid machine; NULL for all, of which the first
 *        that has one counts
 *
 * Return: the metric's name, which lives as long as the tables; NULL where none is certain.
 */
const char *verdicts__bottleneck(struct verdicts *v, int row, const char *core);

/**
 * struct misfit_taker - who is told what does not fit (misfit.h)
 * @take: called for each with @arg; @text: a sentence, which it releases
 */
struct misfit_taker {
	void (*take)(void *arg, int row, const struct summed_metric *metric, char *text);
	void *arg;
};

/** verdicts__find_misfits() - find what values of the row at hand do not fit, in all its places. */
void verdicts__find_misfits(struct verdicts *v, const struct misfit_taker *taker);

#endif
