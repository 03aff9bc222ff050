/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of the model of "tma top" share what is declared here. */
#ifndef TMA_SCREEN_INTERNAL_H
#define TMA_SCREEN_INTERNAL_H

#include <stddef.h>

#include "base/sb.h"
#include "base/vec.h"
#include "grid/grid.h"
#include "grid/outline.h"
#include "screen/top.h"

#define HISTORY_S 60
#define HISTORY_MOST 600 /* intervals of a tenth of a second */

/**
 * struct top_node - a metric of the tree, or an event where there are no metrics
 * @name, @core, @unit: owned; @core: core PMU on a hybrid machine, or ""
 * @above: number of the node that it is a part of, -1 for none
 * @level: in the TopDown tree, 0 for what is in none
 * @history: of the last minute, [interval % nr]; NAN where it was not counted
 * @value, @error, @share: of the last interval in which it was; the share of the time, in percent
 * @threshold: as of a cell; @now: it was counted in this interval; @has_value: @value is one
 * @why: (without a value) what became of it
 */
struct top_node {
	char *name, *core, *unit;
	int above, level;
	float *history;
	double value, error, share;
	signed char threshold;
	bool now, has_value;
	const char *why;
};

/**
 * struct top_row - a place
 * @key:   number of the CPU or process, or that of the core type; @name: its name, owned
 * @numbered: the key is shown
 * @cpus:  CPU time as a part of the time: 1 is a whole CPU; NAN where it is not known
 * @lost:  of these, the part whose slots were lost, or had by the branch at hand; NAN likewise
 * @bottleneck: name of the metric, owned by the tree's nodes, or NULL; @value, @error: its own
 * @useful: it is none: the slots did useful work
 * @why:   nothing is known of its slots, for this reason; or NULL
 * @now:   it was in the last interval
 */
struct top_row {
	int key;
	char *name;
	bool numbered, now, useful;
	double cpus, lost, value, error;
	char *bottleneck;
	const char *why;
};

/* Rows are sorted by one of these. */
enum top_sort {
	SORT_LOST,
	SORT_CPUS,
	SORT_VALUE,
	SORT_NAME,
	SORT_NR,
};

/**
 * struct top - the model
 * @outline: of @nodes, as the page has them; arranged anew when one comes
 * @lines: numbers of the nodes that are shown, from the top down
 * @interval: how many there were; @nr_history: how many are kept
 * @cursor: number of the node that is selected; @scroll: of the lines above the first one shown
 * @branch: number of the node whose parts are counted, -1 for the first levels
 * @folds:  what is under its threshold hides its parts
 * @held:   nothing new is shown; @missed: intervals that came meanwhile
 * @busy:   CPUs' time that was not idle, in CPUs; NAN where it is not known
 * @filter: rows have this in their names; @typing: it is being typed
 * @scroll_rows: of the rows, above the first one shown
 * @told_title, @told: text above all else, or NULL; @scroll_told: as of the rows
 * @helps: the help is
 */
struct top {
	struct top_options opts;
	VEC(struct top_node) nodes;
	VEC(struct top_row) rows;
	struct outline outline;
	VEC(int) lines;
	uint64_t interval, missed;
	int nr_history, cursor, scroll, branch, scroll_rows, scroll_told, page_lines;
	bool folds, held, typing, helps, warning;
	double busy;
	enum top_sort sort;
	struct sb filter, message, rows_message, time;
	char *told_title, *told;
};

/** top__find() - number of the node of a name and core type, -1 for none. */
int top__find(const struct top *t, const char *name, const char *core);
/** top__find_lines() - choose the lines that are shown, in their order. */
void top__find_lines(struct top *t);
/** top__is_retiring() - whether a metric of the first level counts slots that did useful work. */
bool top__is_retiring(const char *name);
/** top__cpu_time() - CPU time in a row, in CPUs, by whatever was counted of it; NAN for none. */
double top__cpu_time(const struct grid *g, int row, int cgroup);
/** top__sort_rows() - put the rows in the order that was chosen. */
void top__sort_rows(struct top *t);
/** top__sort_name() - what they are sorted by, in a word. */
const char *top__sort_name(enum top_sort sort);
/** top__passes() - whether a row's name has what is filtered for. */
bool top__passes(const struct top *t, const struct top_row *row);
/** top__help() - the text on keys and columns. */
const char *top__help(void);
/** top__draw_told() - draw the text, or the help, that stands above all else. */
void top__draw_told(struct top *t, struct canvas *c);
/** top__draw_rows() - draw the heading and the rows, from a line on, on so many lines. */
void top__draw_rows(struct top *t, struct canvas *c, int first, int nr);

#endif
