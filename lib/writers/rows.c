// SPDX-License-Identifier: GPL-2.0-only
/* All formats call rows of each kind what this one table says. */
#include "writers/internal.h"

#define PLACE(place) (1u << PLACE_##place)

const struct row_kind row_kinds[AGGR_NR] = {
	[AGGR_GLOBAL] = { "", "", 0, false, 0 },
	[AGGR_NONE] = { "cpu", "cpu", 6, false, PLACE(CPU) },
	[AGGR_SOCKET] = { "socket", "socket", 6, true, PLACE(SOCKET) },
	[AGGR_DIE] = { "die", "die", 12, true, PLACE(SOCKET) | PLACE(DIE) },
	[AGGR_CLUSTER] = { "cluster", "cluster", 20, true,
			   PLACE(SOCKET) | PLACE(DIE) | PLACE(CLUSTER) },
	[AGGR_CACHE] = { "cache", "cache", 22, true,
			 PLACE(SOCKET) | PLACE(DIE) | PLACE(CACHE_LEVEL) | PLACE(CACHE) },
	[AGGR_CORE] = { "core", "core", 18, true,
			PLACE(SOCKET) | PLACE(DIE) | PLACE(CLUSTER) | PLACE(CORE) },
	[AGGR_NODE] = { "node", "node", 6, true, PLACE(NODE) },
	[AGGR_THREAD] = { "thread", "comm-pid", COMM_WIDTH + 1 + PID_WIDTH, false, PLACE(THREAD) },
};

static void thread_label(const struct writer *w, const struct grid_row *row, struct sb *sb)
{
	const char *comm = row->comm ? row->comm : "";

	if (format__is(w->format, FORMAT_TEXT))
		dress__right(sb, comm, COMM_WIDTH);
	else
		sb__puts(sb, comm);
	sb__printf(sb, "-%d", row->at[PLACE_THREAD]);
}

void row__label(const struct writer *w, enum grid_aggr aggr, const struct grid_row *row,
		struct sb *sb)
{
	const int *at = w->grid->aggr == aggr ? row->at : row->core;

	switch (aggr) {
	case AGGR_GLOBAL:
		break;
	case AGGR_NONE:
		sb__printf(sb, format__is(w->format, FORMAT_JSON) ? "%d" : "CPU%d", at[PLACE_CPU]);
		break;
	case AGGR_SOCKET:
		sb__printf(sb, "S%d", at[PLACE_SOCKET]);
		break;
	case AGGR_DIE:
		sb__printf(sb, "S%d-D%d", at[PLACE_SOCKET], at[PLACE_DIE]);
		break;
	case AGGR_CLUSTER:
		sb__printf(sb, "S%d-D%d-CLS%d", at[PLACE_SOCKET], at[PLACE_DIE],
			   at[PLACE_CLUSTER]);
		break;
	case AGGR_CACHE:
		sb__printf(sb, "S%d-D%d-L%d-ID%d", at[PLACE_SOCKET], at[PLACE_DIE],
			   at[PLACE_CACHE_LEVEL], at[PLACE_CACHE]);
		break;
	case AGGR_CORE:
		sb__printf(sb, "S%d-D%d-C%d", at[PLACE_SOCKET], at[PLACE_DIE], at[PLACE_CORE]);
		break;
	case AGGR_THREAD:
		thread_label(w, row, sb);
		break;
	default:
		sb__printf(sb, "N%d", at[PLACE_NODE]);
		break;
	}
}
