/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The name of a TopDown metric comes in; what it means to someone who does not know the name, and
 * what to try against it, goes out.
 */
#ifndef TMA_METRICS_WORDS_H
#define TMA_METRICS_WORDS_H

#include <stdbool.h>

#define WORDS_MAX 88 /* columns that a sentence has at most */

/**
 * struct metric_words - what is said of a node of a TopDown tree
 * @names: metrics that it is said of, with ';' between them: vendors name the same differently
 * @plain: a name in plain English, without an article or a capital: "branch mispredictions"
 * @means: a sentence that says what happened
 * @remedy: a sentence that says what to try first
 */
struct metric_words {
	const char *names, *plain, *means, *remedy;
};

/** metric_words__nr() - count the rows of the table. */
int metric_words__nr(void);
/** metric_words__at() - give row number @i. */
const struct metric_words *metric_words__at(int i);
/** metric_words__find() - find what is said of a metric, whatever case its name is in; or NULL. */
const struct metric_words *metric_words__find(const char *name);

#endif
