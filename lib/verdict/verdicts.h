/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the bottleneck of the pipeline, and how certain that is.
 *
 * The input is the sums and values of a row (aggregate/sums.h), with errors (error.h); the output
 * is the verdicts of a grid. Each core type has a TopDown tree, which is walked from the first
 * level down (tree.h).
 */
#ifndef TMA_VERDICT_VERDICTS_H
#define TMA_VERDICT_VERDICTS_H

#include "verdict/error.h"

struct summed_metric;
struct verdicts;

/**
 * verdicts__new() - build the TopDown trees of the counted metrics
 * @sums:   must outlive the verdicts
 * @errors: must outlive the verdicts; NULL if nothing is read within rows
 */
struct verdicts *verdicts__new(struct sums *sums, const struct errors *errors);
/** verdicts__free() - release verdicts; NULL is allowed. */
void verdicts__free(struct verdicts *v);
/** verdicts__add_row() - count the bottlenecks of an interval. Allocates nothing. */
void verdicts__add_row(struct verdicts *v);
/** verdicts__conclude() - put the verdicts of all places of the current row into a grid. */
void verdicts__conclude(struct verdicts *v, struct grid *g);

/**
 * verdicts__bottleneck() - name the bottleneck of a row, down to the deepest node that is certain
 * @core: on a hybrid machine, the core PMU whose trees are searched; with NULL, the first tree with
 *        a bottleneck is used
 *
 * Return: the metric's name, which lives as long as the tables; NULL if no bottleneck is certain.
 */
const char *verdicts__bottleneck(struct verdicts *v, int row, const char *core);

/**
 * struct misfit_taker - receives the misfits (misfit.h)
 * @take: called for each misfit, with @arg and a sentence @text, which @take frees
 */
struct misfit_taker {
	void (*take)(void *arg, int row, const struct summed_metric *metric, char *text);
	void *arg;
};

/** verdicts__find_misfits() - find impossible values in all places of the current row. */
void verdicts__find_misfits(struct verdicts *v, const struct misfit_taker *taker);

#endif
