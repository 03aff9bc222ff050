// SPDX-License-Identifier: GPL-2.0-only
/*
 * A metric in % is a share of something, which vendors name in the unit or in the description.
 */
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "grid/unit.h"
#include "metrics/metrics.h"

#define PARENT "parent"

/* The word of this list that comes first in a description names the denominator. */
static const struct {
	const char *word, *whole, *unit;
} wholes[] = {
	{"slots", "slots", SHARE_UNIT},
	{"cycles", "clocks", "% clocks"},
	{"clocks", "clocks", "% clocks"},
	{"stalled", "stalls", "% stalls"},
	{"uops", "uops", "% uops"},
	{"operations", "ops", "% ops"},
	{"ops", "ops", "% ops"},
	{"instructions", "instructions", "% instructions"},
};

/*
 * Find the first word of the list in a text. Return: its denominator; NULL if the text has no such
 * word.
 */
static const char *first_whole(const char *text)
{
	const char *first = NULL, *whole = NULL;

	for (int i = 0; i < array__nr(wholes); i++) {
		const char *at = strstr(text, wholes[i].word);

		if (!at || (first && at > first))
			continue;
		first = at;
		whole = wholes[i].whole;
	}
	return whole;
}

/*
 * Return: the denominator in a unit: "slots" for "%slots", "% slots" and "percent of slots", and ""
 * for "%".
 */
static const char *whole_of_unit(const char *unit)
{
	unit += *unit == '%' ? 1 : strlen("percent");
	unit += strspn(unit, " ");
	return text__has_prefix(unit, "of ") ? unit + 3 : unit;
}

/*
 * Find out whether a metric is a share of its parent: below level 1, Arm's formulas divide by the
 * cycles in which the parent stalled.
 */
static bool is_of_parent(const struct metric_info *info)
{
	return text__has_item(info->groups ?: "", ";", "Topdown_Frontend") ||
	       text__has_item(info->groups ?: "", ";", "Topdown_Backend");
}

const char *metrics__share_of(const struct metric_info *info)
{
	const char *of;

	if (!info->scale_unit || !info->unit || !unit__is_share(info->unit))
		return NULL;
	if (is_of_parent(info))
		return PARENT;
	of = whole_of_unit(info->unit);
	if (!*of)
		return first_whole(info->desc ?: "");
	return first_whole(of) ?: of;
}

const char *metrics__share_unit(const struct metric_info *info)
{
	const char *of = metrics__share_of(info);

	if (of && !strcmp(of, PARENT))
		return PARENT_UNIT;
	for (int i = 0; of && i < array__nr(wholes); i++)
		if (!strcmp(of, wholes[i].whole))
			return wholes[i].unit;
	return SHARE_UNIT;
}
