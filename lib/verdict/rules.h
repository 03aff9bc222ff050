/* SPDX-License-Identifier: GPL-2.0-only */
/* Judge which differences of a comparison are failures, by rules that the user types. */
#ifndef TMA_VERDICT_RULES_H
#define TMA_VERDICT_RULES_H

#include <stdbool.h>

#include "verdict/comparison.h"

struct err;

/**
 * struct compare_rule - the rule of one --fail-if
 * @text:     text that the user typed; @name: name of the metric, or "time", "user", "sys"
 * @above:    a difference above the limit fails; false: below
 * @limit:    limit in points or seconds, or if @relative as a share of the first side's value
 * @outcome:  BEYOND_YES if a side certainly fails, else BEYOND_UNCERTAIN if a side may fail
 * @unmeasured: a side has no value
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
 * compare_rules__add() - parse METRIC>LIMIT or METRIC<LIMIT, and add the rule
 *
 * Return: 0, or -EINVAL.
 */
int compare_rules__add(struct compare_rules *rules, const char *text, struct err *err);
/**
 * compare_rules__check() - check that all names are rows of a comparison
 * @why_times: reason why only times were measured, or ""
 *
 * Return: 0, or -ENOENT.
 */
int compare_rules__check(const struct compare_rules *rules, const struct comparison *c,
			 const char *why_times, struct err *err);
/** compare_rules__judge() - set the outcomes. Return: whether a rule certainly fails. */
bool compare_rules__judge(struct compare_rules *rules, const struct comparison *c);
/**
 * compare_rules__lack_values() - find out whether a rule could not be judged since a value is
 * missing.
 */
bool compare_rules__lack_values(const struct compare_rules *rules);
void compare_rules__free(struct compare_rules *rules);

#endif
