// SPDX-License-Identifier: GPL-2.0-only
/* All formats call rows of each kind what this one table says. */
#include "writers/internal.h"

#define PLACE(place) (1u << PLACE_##place)

const struct row_kind row_kinds[AGGR_NR] = {
	[AGGR_GLOBAL] = { "", 0, false, 0 },
	[AGGR_NONE] = { "cpu", 6, false, PLACE(CPU) },
	[AGGR_SOCKET] = { "socket", 6, true, PLACE(SOCKET) },
	[AGGR_DIE] = { "die", 12, true, PLACE(SOCKET) | PLACE(DIE) },
	[AGGR_CLUSTER] = { "cluster", 20, true,
			   PLACE(SOCKET) | PLACE(DIE) | PLACE(CLUSTER) },
	[AGGR_CACHE] = { "cache", 22, true,
			 PLACE(SOCKET) | PLACE(DIE) | PLACE(CACHE_LEVEL) | PLACE(CACHE) },
	[AGGR_CORE] = { "core", 18, true,
			PLACE(SOCKET) | PLACE(DIE) | PLACE(CLUSTER) | PLACE(CORE) },
	[AGGR_NODE] = { "node", 6, true, PLACE(NODE) },
	[AGGR_THREAD] = { "thread", COMM_WIDTH + 1 + PID_WIDTH, false, PLACE(THREAD) },
};

static void thread_label(const struct writer *w, const struct grid_row *row, struct sb *sb)
{
	const char *comm = row->comm ? row->comm : "";

	/* A line of many columns has no room for the long names of kernel threads. */
	if (format__is(w->format, FORMAT_TEXT) && w->grid->ran.order && w->opts.metric_only)
		sb__printf(sb, "%*.*s", COMM_WIDTH, COMM_WIDTH, comm);
	else if (format__is(w->format, FORMAT_TEXT))
		dress__right(sb, comm, COMM_WIDTH);
	else
		sb__puts(sb, comm);
	sb__printf(sb, "-%d", row->at[PLACE_THREAD]);
}

/* What stands before the number of each place in a label. */
static const char *const prefixes[PLACE_NR] = {
	[PLACE_NODE] = "N",	   [PLACE_SOCKET] = "S",      [PLACE_DIE] = "D",
	[PLACE_CLUSTER] = "CLS",   [PLACE_CACHE_LEVEL] = "L", [PLACE_CACHE] = "ID",
	[PLACE_CORE] = "C",	   [PLACE_CPU] = "CPU",
};

/* As in perf, a core's label does not name its cluster. */
static bool is_in_label(enum grid_aggr aggr, int place)
{
	return row_kinds[aggr].places & 1u << place &&
	       !(aggr == AGGR_CORE && place == PLACE_CLUSTER);
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
	for (int place = 0; place < PLACE_NR; place++) {
		if (!is_in_label(aggr, place))
			continue;
		sb__printf(sb, "%s%s%d", dash, bare ? "" : prefixes[place], at[place]);
		dash = "-";
	}
}
