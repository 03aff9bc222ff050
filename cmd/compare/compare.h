/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma compare": in come commands, which are run in turn, or recordings; out goes how each differs
 * from the first, in time and in the nodes of the TopDown tree.
 */
#ifndef TMA_CMD_COMPARE_H
#define TMA_CMD_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/vec.h"
#include "verdict/comparison.h"

struct err;
struct sb;

#define COMPARE_MOST_SIDES 26 /* each has a letter */

/**
 * struct compare_rule - a --fail-if
 * @text:     as it was typed; @name: of the metric, or "time", "user", "sys"
 * @above:    it fails beyond the limit; else below
 * @limit:    in points, or seconds; @relative: as a share of the first side's value
 * @outcome:  BEYOND_YES when it is certain of any side, else BEYOND_UNCERTAIN when it may be of one
 * @unmeasured: a side has no value of it
 */
struct compare_rule {
	const char *text;
	char *name;
	bool above, relative;
	double limit;
	enum beyond outcome;
	bool unmeasured;
};

struct compare_rules {
	struct compare_rule *at;
	int nr, cap;
};

/**
 * compare_rules__add() - read METRIC>LIMIT or METRIC<LIMIT
 *
 * Return: 0, or -EINVAL.
 */
int compare_rules__add(struct compare_rules *rules, const char *text, struct err *err);
/** compare_rules__judge() - set the outcomes. Return: whether one fails for certain. */
bool compare_rules__judge(struct compare_rules *rules, const struct comparison *c);
/** compare_rules__lack_values() - whether one could not be judged, as a side has no value. */
bool compare_rules__lack_values(const struct compare_rules *rules);
void compare_rules__free(struct compare_rules *rules);

/**
 * struct compare_answer - what was found
 * @names, @nr: commands, or files (@recorded)
 * @runs:      that each was to have; @failed: of how many the command's status was not 0
 * @why_times: why there are times alone, or ""
 * @ended:     why there are fewer runs, or NULL
 */
struct compare_answer {
	struct comparison comparison;
	struct compare_rules rules;
	const char **names;
	int nr, runs, failed[COMPARE_MOST_SIDES];
	bool recorded;
	const char *why_times, *ended;
	double points, percent;
};

/** compare_rules__check() - all names are rows of the comparison. Return: 0, or -ENOENT. */
int compare_rules__check(const struct compare_answer *a, struct err *err);
void compare__print(const struct compare_answer *a, FILE *out);
void compare__print_markdown(const struct compare_answer *a, FILE *out);
/** compare__put_page() - append it as HTML, for what stands above the runs of a page. */
void compare__put_page(const struct compare_answer *a, struct sb *sb);
/** compare__print_json() - print it for programs, as one object on a line. */
void compare__print_json(const struct compare_answer *a, FILE *out);

#endif
