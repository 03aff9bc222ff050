/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kinds of rows, and kinds of places that distinguish rows. Each kind has a line in this file;
 * options, formats and recordings use these lines. A new kind of place needs changes in two more
 * files: aggregate/rows.c finds the number of a CPU's place, and record/text_names.c the number of
 * a CPU that was read from text. Documentation/tma-json.schema.json lists the keys, too.
 */
#ifndef TMA_GRID_ROWS_H
#define TMA_GRID_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* Widths of a thread's label in text, in columns. */
#define COMM_WIDTH 16
#define PID_WIDTH 7
#define THREAD_WIDTH (COMM_WIDTH + 1 + PID_WIDTH)
/* Width of a function's name in text, in columns. */
#define SITE_WIDTH 32
#define NOT_PERFS 255 /* value of row_kind.perf: perf has no such mode */

/* clang-format off */

/*
 * Each line has the name of a place, its key in tma's own formats, and the text before its number
 * in a label. Rows are sorted by places in this order.
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
 * Each line has the name of a kind, and the members of its struct row_kind in their order. Threads
 * come last among the kinds that are read from text, since their labels can be any text; kinds of
 * sites follow.
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

/* A row represents everything (AGGR_GLOBAL), a CPU (AGGR_NONE, option -A), or another place. */
#define X(name, ...) AGGR_##name,
enum grid_aggr { ROW_KINDS(X) AGGR_NR };
#undef X

/* clang-format on */

#define IN(place) (1u << PLACE_##place)

/**
 * struct place_kind - how a kind of place is printed
 * @key: name of the kind in tma's own formats; @prefix: text before the number in a label
 */
struct place_kind {
	const char *key, *prefix;
};

/**
 * struct row_kind - properties of a kind of rows
 * @key:    heading in text, key in JSON and name in the header of CSV
 * @option: the option for these rows; @help: its help text; both NULL if there is no option
 * @width:  columns of the label in text
 * @adds_cpus: CPUs that share a place are added up, and their number follows the label
 * @perf:   PERF_STAT_CONFIG_TERM__AGGR_MODE of a recording
 * @places: bits IN(place) of the places that tell one row from another
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

/**
 * row_kind__is_site() - tell whether rows are places in the code, counted by samples; such rows
 * only have names.
 */
static inline bool row_kind__is_site(enum grid_aggr aggr)
{
	return aggr >= AGGR_FUNCTION && aggr <= AGGR_LINE;
}

/**
 * row_kind__labelled() - get the places in a label, as perf prints it: a core's label omits the
 * cluster.
 */
static inline unsigned int row_kind__labelled(enum grid_aggr aggr)
{
	return row_kinds[aggr].places & ~(aggr == AGGR_CORE ? IN(CLUSTER) : 0);
}

#endif
