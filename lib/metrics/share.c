// SPDX-License-Identifier: GPL-2.0-only
/*
 * A metric in % is a share of something: vendors name it in the unit, or in the description.
 */
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "grid/unit.h"
#include "metrics/metrics.h"

#define PARENT "parent"

/* The first of these words in a description names the denominator. */
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

/* Return: the denominator that the first such word of a text names; NULL without one. */
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

/* Return: "slots" of "%slots", "% slots" and "percent of slots"; "" of "%". */
static const char *whole_of_unit(const char *unit)
{
	unit += *unit == '%' ? 1 : strlen("percent");
	unit += strspn(unit, " ");
	return text__has_prefix(unit, "of ") ? unit + 3 : unit;
}

/* Below level 1 Arm's formulas divide by the cycles in which the node above stalled. */
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
