// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "json/compact.h"
#include "unit.h"

/* The offsets of these strings, which follow one another. */
static const char strings[] = "\0unused\0a\0About\0About. More\0About\0"
			      "100%of slots\0cpu";
enum { NAME = 8, DESC = 10, LONG_DESC = 16, SAME_DESC = 28, SCALE = 34, UNIT = 37, PMU = 47 };

static const struct table_event events[] = {
	{ .name = NAME, .desc = DESC, .long_desc = LONG_DESC, .flags = TABLE_EVENT_PER_PKG },
	{ .name = NAME, .desc = DESC, .long_desc = SAME_DESC },
	{ .name = NAME, .long_desc = LONG_DESC },
	{ .name = NAME, .desc = NAME, .long_desc = LONG_DESC },
};
static const struct table_metric metrics[] = {
	{ .name = NAME, .expr = PMU, .desc = DESC, .long_desc = LONG_DESC },
};
static const struct table_scale scales[] = { { 0, 0, 1 }, { SCALE, UNIT, 100 } };
static const uint32_t words[] = { PMU };
static const struct table_data tables = {
	.strings = strings,
	.nr_strings = sizeof(strings),
	.events = events,
	.nr_events = 4,
	.metrics = metrics,
	.nr_metrics = 1,
	.scales = scales,
	.nr_scales = 2,
	.words = words,
	.nr_words = 1,
};

START_TEST(longer_descriptions_are_stored_without_their_beginning)
{
	struct compact c;
	const struct table_event *e;
	const char *s;

	compact__tables(&c, &tables);
	s = c.data.strings;
	e = c.data.events;
	ck_assert_uint_eq(c.data.nr_events, 4);
	ck_assert_str_eq(s + e[0].name, "a");
	ck_assert_str_eq(s + e[0].desc, "About");
	ck_assert_str_eq(s + e[0].long_desc, ". More");
	ck_assert_uint_eq(e[0].flags, TABLE_EVENT_PER_PKG | TABLE_EVENT_GOES_ON);
	/*
	 * These long descriptions do not continue the short one: they are equal to it, or are
	 * stored whole.
	 */
	ck_assert_str_eq(s + e[1].long_desc, "About");
	ck_assert_str_eq(s + e[2].long_desc, "About. More");
	ck_assert_str_eq(s + e[3].long_desc, "About. More");
	ck_assert_uint_eq(e[1].flags | e[2].flags | e[3].flags, 0);
	ck_assert_str_eq(s + c.data.metrics[0].expr, "cpu");
	ck_assert_str_eq(s + c.data.metrics[0].long_desc, ". More");
	ck_assert_uint_eq(c.data.metrics[0].flags, TABLE_METRIC_GOES_ON);
	compact__free(&c);
}
END_TEST

START_TEST(units_stay_parts_of_scales_and_unused_strings_go)
{
	struct compact c;

	compact__tables(&c, &tables);
	ck_assert_str_eq(c.data.strings + c.data.scales[1].text, "100%of slots");
	ck_assert_str_eq(c.data.strings + c.data.scales[1].unit, "%of slots");
	ck_assert_uint_eq(c.data.scales[0].unit, 0);
	ck_assert_str_eq(c.data.strings + c.data.words[0], "cpu");
	for (uint32_t i = 0; i < c.data.nr_strings; i++)
		ck_assert_str_ne(c.data.strings + i, "unused");
	compact__free(&c);
}
END_TEST

TMA_TEST_MAIN(json_compact, longer_descriptions_are_stored_without_their_beginning,
	      units_stay_parts_of_scales_and_unused_strings_go)
