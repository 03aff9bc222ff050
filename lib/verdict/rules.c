// SPDX-License-Identifier: GPL-2.0-only
#include "verdict/rules.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/vec.h"
#include "base/xalloc.h"

static bool is_time(const char *name)
{
	return !strcmp(name, "time") || !strcmp(name, "user") || !strcmp(name, "sys");
}

static int compare_rules__wrong(const char *text, struct err *err)
{
	return err__set(err, EINVAL,
			"--fail-if '%s': expected METRIC>LIMIT or METRIC<LIMIT, where LIMIT is a "
			"number of points, a share of the first side's value (%%), or for time, "
			"user and sys a time: 'tma_memory_bound>+2', 'time>+5%%', 'time>+10ms'",
			text);
}

/* Parse the unit after the number. Return: whether the unit is valid. */
static bool take_unit(struct compare_rule *rule, const char *unit)
{
	double scale = 1;

	rule->relative = !strcmp(unit, "%");
	if (rule->relative)
		scale = 0.01;
	else if (is_time(rule->name) && !strcmp(unit, "ms"))
		scale = 1e-3;
	else if (*unit && !(is_time(rule->name) && !strcmp(unit, "s")))
		return false;
	rule->limit *= scale;
	return true;
}

int compare_rules__add(struct compare_rules *rules, const char *text, struct err *err)
{
	const char *sign = text + strcspn(text, "<>"), *number = sign + !!*sign;
	struct compare_rule rule = {.text = text, .above = *sign == '>'};
	bool negative = *number == '-';
	int len;

	number += *number == '-' || *number == '+';
	len = num__scan_double(number, &rule.limit);
	if (!isfinite(rule.limit))
		len = 0;
	if (sign == text || !*sign || !len)
		return compare_rules__wrong(text, err);
	rule.name = xstrndup(text, sign - text);
	if (!take_unit(&rule, number + len)) {
		free(rule.name);
		return compare_rules__wrong(text, err);
	}
	rule.limit = negative ? -rule.limit : rule.limit;
	vec__push(rules, rule);
	return 0;
}

/* Whether a row of this name has values of all sides. */
static bool is_measured(const struct comparison *c, const char *name)
{
	const struct compared *row;

	for (int at = -1; (row = comparison__find(c, name, at)); at = row - c->at) {
		int side = 1;

		while (side < c->nr_sides && !isnan(row->with[side].by))
			side++;
		if (side == c->nr_sides)
			return true;
	}
	return false;
}

int compare_rules__check(const struct compare_rules *rules, const struct comparison *c,
			 const char *why_times, struct err *err)
{
	const struct compare_rule *rule;

	vec__for_each (rule, rules) {
		auto_free(sb) near = SB_INIT;
		struct suggest s;

		if (comparison__find(c, rule->name, -1))
			continue;
		if (*why_times)
			return err__set(err, ENOENT, "--fail-if '%s': '%s' is not compared: %s",
					rule->text, rule->name, why_times);
		suggest__init(&s, rule->name);
		for (int i = 0; i < c->nr; i++)
			suggest__offer(&s, c->at[i].name);
		suggest__print(&s, &near);
		return err__set(
			err, ENOENT,
			"--fail-if '%s': '%s' is not compared%s; a deeper node needs --td-level",
			rule->text, rule->name, sb__str(&near));
	}
	return 0;
}

static int nr_tests(const struct compare_rules *rules, const struct comparison *c)
{
	const struct compare_rule *rule;
	const struct compared *row;
	int nr = 0;

	vec__for_each (rule, rules)
		for (int at = -1; (row = comparison__find(c, rule->name, at)); at = row - c->at)
			nr += c->nr_sides - 1;
	return nr;
}

bool compare_rules__judge(struct compare_rules *rules, const struct comparison *c)
{
	int tests = nr_tests(rules, c);
	struct compare_rule *rule;
	const struct compared *row;
	bool fails = false;

	vec__for_each (rule, rules) {
		rule->outcome = BEYOND_NO;
		rule->unmeasured = !is_measured(c, rule->name);
		for (int at = -1; (row = comparison__find(c, rule->name, at)); at = row - c->at)
			for (int side = 1; side < c->nr_sides; side++) {
				enum beyond one = difference__beyond(
					&row->series[0], &row->series[side], rule->above,
					rule->limit, rule->relative, tests);

				rule->outcome = one > rule->outcome ? one : rule->outcome;
			}
		fails |= rule->outcome == BEYOND_YES;
	}
	return fails;
}

bool compare_rules__lack_values(const struct compare_rules *rules)
{
	return vec__find(rule, rules, rule->unmeasured) != NULL;
}

void compare_rules__free(struct compare_rules *rules)
{
	struct compare_rule *rule;

	vec__for_each (rule, rules)
		free(rule->name);
	vec__free(rules);
}
