// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table for people has shares of the time but no run times. The run times are computed from other
 * times in the table.
 */
#include "record/text.h"

static uint64_t share_of(double ns, const struct text_row *row)
{
	return ns / 100.0 * row->count.percent;
}

/* Treat the shares as shares of the time of the row, or of the length below the table. */
static void set_of_rows(struct text *t)
{
	uint64_t before = 0, length = t->length_ns, time = 0;
	struct text_row *row;

	vec__for_each(row, &t->rows) {
		if (t->has_time && row->count.time_ns != time) {
			before = time;
			time = row->count.time_ns;
			length = time > before ? time - before : 0;
		}
		if (length && row->count.status == SAMPLE_COUNTED)
			row->count.running = share_of(length, row);
	}
}

/* Return: ns of a clock in the row and place of @row; 0 if there is none. */
static double clock_beside(const struct recording *r, const struct text_row *row)
{
	const struct text_row *first = r->text->rows.at, *end = first + r->text->rows.nr;
	const struct text_row *at = row;

	while (at > first && at[-1].count.time_ns == row->count.time_ns)
		at--;
	for (; at < end && at->count.time_ns == row->count.time_ns; at++) {
		const struct event *e = r->events.at[at->event];

		if (event__is_clock(e) && at->unit == row->unit &&
		    e->cgroup == r->events.at[row->event]->cgroup &&
		    at->count.status == SAMPLE_COUNTED)
			return at->count.value / e->scale;
	}
	return 0;
}

/* The TSC counts on all CPUs, or while a task runs. Only a clock shows how long this was. */
static void set_of_tsc(struct recording *r)
{
	struct text_row *row;

	vec__for_each(row, &r->text->rows) {
		double ns = text__is_tsc(r->events.at[row->event]) ? clock_beside(r, row) : 0;

		if (ns > 0 && row->count.status == SAMPLE_COUNTED)
			row->count.running = share_of(ns, row);
	}
}

void text_times__set(struct recording *r)
{
	if (!r->text->is_table)
		return;
	set_of_rows(r->text);
	set_of_tsc(r);
}
