/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of rows, and the places that tell one row from another: each has its line in this file,
 * from which options, formats and recordings follow. Two files have more to know of a new place:
 * aggregate/rows.c, which number a CPU has in it, and record/text_names.c, which number a CPU gets
 * that was read from text. The keys stand in Documentation/tma-json.schema.json, too.
 */
#ifndef TMA_GRID_ROWS_H
#define TMA_GRID_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* Text has so many columns for the label of a thread. */
#define COMM_WIDTH 16
#define PID_WIDTH 7
#define THREAD_WIDTH (COMM_WIDTH + 1 + PID_WIDTH)
/* And for the name of a function. */
#define SITE_WIDTH 32
#define NOT_PERFS 255 /* no mode of perf's */

/* clang-format off */

/*
 * A line is the name of a place, its key in the formats of tma's own, and what stands before its
 * number in a label. Rows are sorted by places in this order.
 */
#define GRID_PLACES(X) \
	X(NODE, "node", "N") \
	X(SOCKET, "socket", "S") \
	X(DIE, "die", "D") \
	X(CLUSTER, "cluster", "CLS") \
	X(CACHE_LEVEL, "cache_level", "L") \
	X(CACHE, "cache", "ID") \
	X(CORE, "core", "C") \
	X(CPU, "cpu", "CPU") \
	X(THREAD, "thread", NULL)

/*
 * A line is the name of a kind, and the members of its struct row_kind in their order. Threads come
 * last of those that text is read of, since their labels have any form; after them come sites.
 */
#define ROW_KINDS(X) \
	X(GLOBAL, "", NULL, NULL, 0, false, 1, 0) \
	X(NONE, "cpu", "-A", "a CPU", 6, false, 0, IN(CPU)) \
	X(SOCKET, "socket", "--per-socket", "a socket", 6, true, 2, IN(SOCKET)) \
	X(DIE, "die", "--per-die", "a die", 12, true, 3, IN(SOCKET) | IN(DIE)) \
	X(CLUSTER, "cluster", "--per-cluster", "a cluster of cores", 20, true, 4, \
	  IN(SOCKET) | IN(DIE) | IN(CLUSTER)) \
	X(CACHE, "cache", "--per-cache", "the CPUs that share a cache (default: the last level)", \
	  22, true, 5, IN(SOCKET) | IN(DIE) | IN(CACHE_LEVEL) | IN(CACHE)) \
	X(CORE, "core", "--per-core", "a core", 18, true, 6, \
	  IN(SOCKET) | IN(DIE) | IN(CLUSTER) | IN(CORE)) \
	X(NODE, "node", "--per-node", "a NUMA node", 6, true, 9, IN(NODE)) \
	X(THREAD, "thread", "--per-thread", "a thread", THREAD_WIDTH, false, 7, IN(THREAD)) \
	X(FUNCTION, "function", "--per-function", "a function, by samples of each event", \
	  SITE_WIDTH, false, NOT_PERFS, 0) \
	X(OBJECT, "object", "--per-object", "a program's file or library, by samples", \
	  SITE_WIDTH, false, NOT_PERFS, 0) \
	X(LINE, "line", "--per-line", "a line of source, by samples of precise events", \
	  SITE_WIDTH, false, NOT_PERFS, 0)

#define X(name, ...) PLACE_##name,
enum grid_place { GRID_PLACES(X) PLACE_NR };
#undef X

/* A row stands for one of these: AGGR_GLOBAL for everything, AGGR_NONE for a CPU (-A). */
#define X(name, ...) AGGR_##name,
enum grid_aggr { ROW_KINDS(X) AGGR_NR };
#undef X

/* clang-format on */

#define IN(place) (1u << PLACE_##place)

/** struct place_kind - @key: in the formats of tma's own; @prefix: before the number in a label */
struct place_kind {
	const char *key, *prefix;
};

/**
 * struct row_kind - what is known of rows that stand for one kind of thing
 * @key:    heading in text, key in JSON, and its name in the header of CSV
 * @option: asks for such rows; @help: is its help text; NULL without one
 * @width:  columns of the label in text
 * @adds_cpus: CPUs which share a place are added up, and their number stands after the label
 * @perf:   PERF_STAT_CONFIG_TERM__AGGR_MODE of a recording
 * @places: bits IN(place): what tells one row from another
 */
struct row_kind {
	const char *key, *option, *help;
	int width;
	bool adds_cpus;
	unsigned char perf;
	unsigned int places;
};

extern const struct place_kind place_kinds[PLACE_NR];
extern const struct row_kind row_kinds[AGGR_NR];

/** row_kind__is_site() - whether rows stand for code, by its samples: they have names alone. */
static inline bool row_kind__is_site(enum grid_aggr aggr)
{
	return aggr >= AGGR_FUNCTION && aggr <= AGGR_LINE;
}

/** row_kind__labelled() - tell which places are in a label: as in perf, a core's has no cluster. */
static inline unsigned int row_kind__labelled(enum grid_aggr aggr)
{
	return row_kinds[aggr].places & ~(aggr == AGGR_CORE ? IN(CLUSTER) : 0);
}

#endif
