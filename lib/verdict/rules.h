/* SPDX-License-Identifier: GPL-2.0-only */
/* Which differences of a comparison are a failure: texts come in, and a comparison is judged. */
#ifndef TMA_VERDICT_RULES_H
#define TMA_VERDICT_RULES_H

#include <stdbool.h>

#include "verdict/comparison.h"

struct err;

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
/**
 * compare_rules__check() - check that all names are rows of a comparison
 * @why_times: why there are times alone, or ""
 *
 * Return: 0, or -ENOENT.
 */
int compare_rules__check(const struct compare_rules *rules, const struct comparison *c,
			 const char *why_times, struct err *err);
/** compare_rules__judge() - set the outcomes. Return: whether one fails for certain. */
bool compare_rules__judge(struct compare_rules *rules, const struct comparison *c);
/** compare_rules__lack_values() - whether one could not be judged, as a side has no value. */
bool compare_rules__lack_values(const struct compare_rules *rules);
void compare_rules__free(struct compare_rules *rules);

#endif
