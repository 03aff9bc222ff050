// SPDX-License-Identifier: GPL-2.0-only
/* Labels of rows, in all formats. */
#include <string.h>

#include "writers/internal.h"

#define NEAR "near "

static void thread_label(const struct writer *w, const struct grid_row *row, struct sb *sb)
{
	const char *comm = row->comm ? row->comm : "";

	/* The long names of kernel threads would not fit into a line of many columns. */
	if (format__is(w->format, FORMAT_TEXT) && w->grid->ran.order && w->opts.metric_only)
		sb__printf(sb, "%*.*s", COMM_WIDTH, COMM_WIDTH, comm);
	else if (format__is(w->format, FORMAT_TEXT))
		dress__right(sb, comm, COMM_WIDTH);
	else
		sb__puts(sb, comm);
	sb__printf(sb, "-%d", row->at[PLACE_THREAD]);
}

/* Programs find a row by its name, so the name must be complete and constant. */
static void site_label(const struct writer *w, const struct grid_row *row, struct sb *sb)
{
	const char *name = row->comm ? row->comm : "";
	bool for_people = format__is(w->format, FORMAT_TEXT | FORMAT_LEVELS);
	int room = SITE_WIDTH - (row->near ? (int)strlen(NEAR) : 0);

	if (row->near && for_people && *name)
		sb__puts(sb, NEAR);
	/* A page breaks lines, so names are not shortened there. */
	if (for_people && !format__is(w->format, FORMAT_PAGE) && (int)strlen(name) > room)
		sb__printf(sb, "%.*s...", room - 3, name);
	else
		sb__puts(sb, name);
}

void row__label(const struct writer *w, enum grid_aggr aggr, const struct grid_row *row,
		struct sb *sb)
{
	const int *at = w->grid->aggr == aggr ? row->at : row->core;
	bool bare = aggr == AGGR_NONE && format__is(w->format, FORMAT_JSON);
	const char *dash = "";

	if (aggr == AGGR_THREAD) {
		thread_label(w, row, sb);
		return;
	}
	if (row_kind__is_site(aggr)) {
		site_label(w, row, sb);
		return;
	}
	for (int place = 0; place < PLACE_NR; place++) {
		if (!(row_kind__labelled(aggr) & 1u << place))
			continue;
		sb__printf(sb, "%s%s%d", dash, bare ? "" : place_kinds[place].prefix, at[place]);
		dash = "-";
	}
}
