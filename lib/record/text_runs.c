// SPDX-License-Identifier: GPL-2.0-only
/*
 * A text may have several runs, one after another: --append writes headings between them, but
 * joined files do not have headings. A report covers only one run.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "record/text.h"

#define TABLE_HEADING "Performance counter stats for"
#define CLOCKS_DIFFER 0.1 /* share of the time by which two clocks of one run never differ */

bool text_runs__begins(struct text *t, const char *line)
{
	return (text__has_prefix(line, RECORD_STARTED_LINE) && t->nr_started++) ||
	       (strstr(line, TABLE_HEADING) && t->nr_headings++);
}

bool text_runs__begins_with(const struct text *t, const struct text_line *line)
{
	return t->rows.nr && line->has_time && line->count.time_ns < t->last_time;
}

void text_runs__take_length(struct text *t, uint64_t length_ns, double spread)
{
	if (!length_ns)
		return;
	if (!t->nr_lengths++) {
		t->length_ns = length_ns;
		t->length_spread = spread;
		t->first_below = t->rows.nr;
	}
}

/*
 * Find the first row below the length of a run, if the rows below it belong to another run. Return:
 * 0 if they do not.
 */
static int find_below(const struct text *t)
{
	bool *seen = xcalloc(t->pairs.nr, sizeof(*seen)), again = t->nr_lengths > 1;

	for (int i = 0; i < t->rows.nr; i++) {
		again |= t->nr_lengths && i >= t->first_below && seen[t->rows.at[i].pair];
		seen[t->rows.at[i].pair] = true;
	}
	free(seen);
	return again && t->first_below < t->rows.nr ? t->first_below : 0;
}

static bool is_time(const struct event *e)
{
	return event__is_clock(e) || e->tool == EVENT_DURATION_TIME || e->tool == EVENT_USER_TIME ||
	       e->tool == EVENT_SYSTEM_TIME;
}

/* Whether all rows repeat the first few rows. */
static bool has_period(const struct recording *r, int period)
{
	const struct text_row *at = r->text->rows.at;

	for (int i = period; i < r->text->rows.nr; i++)
		if (at[i - period].pair != at[i].pair)
			return false;
	return true;
}

/*
 * Whether one list of events may have been counted several times in one run, in groups that
 * multiplexed. Clocks do not multiplex, and are hardly ever counted twice.
 */
static bool took_turns(const struct recording *r)
{
	bool turns = false;
	struct text_row *row;

	vec__for_each(row, &r->text->rows) {
		if (is_time(r->events.at[row->event]))
			return false;
		turns |= row->count.status == SAMPLE_COUNTED && row->count.percent < 100;
	}
	return turns;
}

/*
 * Find the row that ends the rows of the first run, if all runs have equal rows. Return: 0 if they
 * do not.
 */
static int find_period(const struct recording *r)
{
	int nr = r->text->rows.nr;

	for (int period = 2; period <= nr / 2; period++)
		if (nr % period == 0 && has_period(r, period))
			return took_turns(r) ? 0 : period;
	return 0;
}

/* Find a clock whose value differs from its earlier value. Return: 0 if there is none. */
static int find_other_clock(const struct recording *r)
{
	const struct text_row *at = r->text->rows.at;
	double *first = xcalloc(r->text->pairs.nr, sizeof(*first));
	int found = 0;

	for (int i = 0; i < r->text->rows.nr && !found; i++) {
		double value = at[i].count.value, *before = &first[at[i].pair];

		if (at[i].count.status != SAMPLE_COUNTED || !is_time(r->events.at[at[i].event]))
			continue;
		if (*before && fabs(value - *before) > CLOCKS_DIFFER * value)
			found = i;
		*before = value;
	}
	free(first);
	return found;
}

int text_runs__find_another(const struct recording *r)
{
	int row;

	if (r->text->has_time || !r->text->rows.nr)
		return 0;
	row = find_below(r->text) ?: find_period(r) ?: find_other_clock(r);
	return row ? r->text->rows.at[row].line : 0;
}
