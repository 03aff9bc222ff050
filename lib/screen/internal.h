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
 * @level: in the TopDown tree, 0 for what is in none; @part: of the first level that it is below
 * @plain: what it is called in plain English, owned, or NULL
 * @history: of the last minute, [interval % nr]; NAN where it was not counted
 * @value, @error, @share: of the last interval in which it was; the share of the time, in percent
 * @threshold: as of a cell; @now: it was counted in this interval; @has_value: @value is one
 * @why: (without a value) what became of it
 */
struct top_node {
	char *name, *core, *unit, *plain;
	int above, level;
	enum grid_part part;
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
 * @switches, @faults: of it, in each second; NAN likewise
 * @bottleneck: name of the metric, owned by the tree's nodes, or NULL; @value, @error: its own
 * @useful: it is none: the slots did useful work
 * @why:   nothing is known of its slots, for this reason; or NULL
 * @now:   it was in the last interval
 * @share, @share_error: (functions) of all cycles, in percent
 * @parts: (functions) of the first level, in percent; NAN where they are not known
 * @object: (functions) path of the file, owned, or NULL
 * @near:  (functions) samples may be of what happened elsewhere; @unsure: no bottleneck is certain
 */
struct top_row {
	int key;
	char *name;
	bool numbered, now, useful, near, unsure;
	double cpus, lost, switches, faults, value, error, share, share_error, parts[PART_NR];
	char *bottleneck, *object;
	const char *why;
};

/* Rows are sorted by one of these. */
enum top_sort {
	SORT_LOST,
	SORT_CPUS,
	SORT_VALUE,
	SORT_SWITCHES,
	SORT_FAULTS,
	SORT_SHARE,
	SORT_NAME,
	SORT_NR,
};

/** struct top_ipc - instructions per cycle on a core type, "" where there is one; owned */
struct top_ipc {
	char *core;
	double value;
};

/** struct top_signs - what trees, histories and bars are drawn with, from small to large */
struct top_signs {
	const struct outline_signs *branches;
	const char *levels[8], *bar, *plus_minus, *cut;
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
 * @ipc:    of each core type; @cycles: in each ns, of all CPUs; NAN likewise
 * @has_errors, @has_shares: a value has an error, or was not counted all the time
 * @charts: the history of the selection is shown, 1, or not, -1; 0: where there is room; @charting:
 *         it is
 * @deepest, @nr_deepest: number of the node where most is lost, and for how many intervals
 * @deeper: number of the node whose parts are counted beside the first levels, -1 for none
 * @free_lines: of the tree, when it was drawn last
 * @filter: rows have this in their names; @typing: it is being typed
 * @scroll_rows: of the rows, above the first one shown
 * @shows: what the rows are of; @base: before functions were asked for
 * @process: number of that whose functions are shown, or 0; @of: whose they are, in words
 * @user_part: functions are of it alone
 * @in_rows: keys move in the rows; @row_key, @row_name: the one that is selected
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
	bool folds, held, typing, helps, warning, has_errors, has_shares, charting;
	int charts, deepest, nr_deepest, deeper, free_lines;
	VEC(struct top_ipc) ipc;
	double busy, cycles;
	enum top_sort sort;
	enum top_rows shows, base;
	int process, row_key;
	bool in_rows, user_part;
	struct sb filter, message, rows_message, time, of, row_name;
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
/** top__row_for() - the row of a key and name, a new one if there is none. */
struct top_row *top__row_for(struct top *t, int key, const char *name);
/** top__set_bottleneck() - have a row say so, or nothing (NULL). */
void top__set_bottleneck(struct top_row *row, const char *name);
/** top__forget_rows() - drop all. */
void top__forget_rows(struct top *t);
/** top__free_row() - release what a row owns. */
void top__free_row(struct top_row *row);
/** top__take_functions() - take rows of functions. */
void top__take_functions(struct top *t, const struct grid *g);
/** top__show_functions() - show those of a process, or of all (0) that were asked for. */
void top__show_functions(struct top *t, int process, const char *name);
/** top__show_base() - show the rows again that were there before functions. */
void top__show_base(struct top *t);
/** top__title_functions() - append what they are and how they are made, in so many columns. */
void top__title_functions(const struct top *t, int width, struct sb *sb);
/** top__sort_first() - what rows are sorted by before a key says otherwise. */
enum top_sort top__sort_first(const struct top *t);
/** top__selected_row() - its number among those that pass the filter; -1 for none. */
int top__selected_row(const struct top *t);
/** top__move_row() - select another row, so many further on. */
void top__move_row(struct top *t, int by);
/** top__sort_rows() - put the rows in the order that was chosen. */
void top__sort_rows(struct top *t);
/** top__next_sort() - sort them by the next column that there is. */
void top__next_sort(struct top *t);
/** top__sort_name() - what they are sorted by, in a word. */
const char *top__sort_name(enum top_sort sort);
/** top__passes() - whether a row's name has what is filtered for. */
bool top__passes(const struct top *t, const struct top_row *row);
/** top__put_help() - append the text on keys and columns, for so many columns. */
void top__put_help(struct sb *sb, int width);
/** top__signs() - what it is drawn with. */
const struct top_signs *top__signs(const struct top *t);
/** top__mean_of() - the mean of what is known of @nr intervals of a node; NAN where nothing is. */
double top__mean_of(const struct top *t, const struct top_node *n, uint64_t first, uint64_t nr);
/**
 * top__draw_head() - draw what is measured and the message, from the first line down
 *
 * Return: the lines that they take.
 */
int top__draw_head(const struct top *t, struct canvas *c);
/** top__chart_lines() - how many lines the history of the selection takes on so high a canvas. */
int top__chart_lines(const struct top *t, int height);
/** top__draw_chart() - draw it, from a line on. */
void top__draw_chart(const struct top *t, struct canvas *c, int first, int nr);
/** top__draw_told() - draw the text, or the help, that stands above all else. */
void top__draw_told(struct top *t, struct canvas *c);
/** top__draw_rows() - draw the heading and the rows, from a line on, on so many lines. */
void top__draw_rows(struct top *t, struct canvas *c, int first, int nr);

#endif
