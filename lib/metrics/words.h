/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the meaning of a TopDown metric, for people who do not know its name, and what to try
 * against it.
 */
#ifndef TMA_METRICS_WORDS_H
#define TMA_METRICS_WORDS_H

#include <stdbool.h>

#define WORDS_MAX 88 /* the most columns of a sentence */

/**
 * struct metric_words - the description of a node of a TopDown tree
 * @names: metrics that have this description, with ';' between them: vendors use different names
 * @plain: a name in plain English, without an article or a capital letter, such as "branch
 *         mispredictions"
 * @means: a sentence that says what happened
 * @remedy: a sentence that says what to try first
 */
struct metric_words {
	const char *names, *plain, *means, *remedy;
};

/** metric_words__nr() - count the rows of the table. */
int metric_words__nr(void);
/** metric_words__at() - get row number @i. */
const struct metric_words *metric_words__at(int i);
/**
 * metric_words__find() - find the description of a metric by its name in any case. Return: NULL if
 * there is none.
 */
const struct metric_words *metric_words__find(const char *name);

#endif
