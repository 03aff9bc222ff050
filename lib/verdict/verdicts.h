/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the bottleneck of the pipeline, and how certain that is.
 *
 * The input is the sums and values of a row (aggregate/sums.h), and their errors (error.h); the
 * output is the verdicts of a grid. Each core type has a TopDown tree, which is walked from the
 * first level down (tree.h).
 */
#ifndef TMA_VERDICT_VERDICTS_H
#define TMA_VERDICT_VERDICTS_H

#include "verdict/error.h"

struct summed_metric;
struct verdicts;

/**
 * verdicts__new() - build the TopDown trees of the counted metrics
 * @sums:   must outlive them
 * @errors: must outlive them; NULL if nothing is read within rows
 */
struct verdicts *verdicts__new(struct sums *sums, const struct errors *errors);
/** verdicts__free() - release them; NULL is allowed. */
void verdicts__free(struct verdicts *v);
/** verdicts__add_row() - note the bottlenecks of an interval, by its values. Allocates nothing. */
void verdicts__add_row(struct verdicts *v);
/** verdicts__conclude() - put the verdicts of the current row into a grid, of all its places. */
void verdicts__conclude(struct verdicts *v, struct grid *g);

/**
 * verdicts__bottleneck() - name the bottleneck of a row, as far down as it is certain
 * @core: core PMU whose trees are searched, on a hybrid machine; NULL for all: the first tree with
 *        a bottleneck counts
 *
 * Return: the metric's name, which lives as long as the tables; NULL if none is certain.
 */
const char *verdicts__bottleneck(struct verdicts *v, int row, const char *core);

/**
 * struct misfit_taker - receives the misfits (misfit.h)
 * @take: called for each misfit, with @arg; @text: a sentence, which it frees
 */
struct misfit_taker {
	void (*take)(void *arg, int row, const struct summed_metric *metric, char *text);
	void *arg;
};

/** verdicts__find_misfits() - find the values of the current row that do not fit, in all places. */
void verdicts__find_misfits(struct verdicts *v, const struct misfit_taker *taker);

#endif
