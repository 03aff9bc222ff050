/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the files of the model of "tma top" share. */
#ifndef TMA_SCREEN_INTERNAL_H
#define TMA_SCREEN_INTERNAL_H

#include <stddef.h>

#include "base/sb.h"
#include "base/vec.h"
#include "grid/grid.h"
#include "grid/outline.h"
#include "screen/top.h"

#define CANVAS_LEAST 9 /* lines: three first, a message, two headings, two below, and keys */
#define HISTORY_S 60
#define HISTORY_MOST 600 /* greatest number of intervals: a minute of tenths of a second */

/**
 * struct top_node - a metric of the tree, or an event if there are no metrics
 * @name, @core, @unit: texts that the node owns; @core: core PMU on a hybrid machine, or ""
 * @above: number of the parent, or -1
 * @level: level in the TopDown tree, 0 outside a tree; @part: ancestor in the first level
 * @plain: name in plain English, owned; or NULL
 * @history: values of the last minute, [interval % nr_history]; NAN for intervals without a count
 * @value, @error, @share: value, error and share of the time (in %), from the last interval that
 *         counted the node
 * @threshold: as in struct grid_cell
 * @now:   the node was counted in the last interval; @has_value: @value is valid
 * @why: the reason if there is no value
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
 * @key:   number of the CPU, process or core type; @name: name of the place, owned
 * @numbered: @key is shown
 * @cpus:  CPU time in CPUs, 1 for a whole CPU; NAN if unknown
 * @lost:  the part of @cpus whose slots were lost, or belong to the current branch; NAN if unknown
 * @switches, @faults: context switches and page faults per second; NAN if unknown
 * @bottleneck: name of the bottleneck, owned by the tree's nodes, or NULL; @value, @error: value
 *              and error of the bottleneck
 * @useful: @bottleneck is useful work, since all losses are small
 * @why:   the reason why the slots are unknown; or NULL
 * @now:   the place was in the last interval
 * @share, @share_error: (functions) share of all cycles, in %
 * @parts: (functions) values of the first level, in %; NAN if unknown
 * @object: (functions) path of the file, owned, or NULL
 * @near:  (functions) samples may belong to neighbours; @unsure: no bottleneck is certain
 */
struct top_row {
	int key;
	char *name;
	bool numbered, now, useful, near, unsure;
	double cpus, lost, switches, faults, value, error, share, share_error, parts[PART_NR];
	char *bottleneck, *object;
	const char *why;
};

/* Keys by which rows are sorted. */
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

/**
 * struct top_ipc - instructions per cycle on a core type; @core: name of the type, owned; "" for
 * the only one
 */
struct top_ipc {
	char *core;
	double value;
};

/** struct top_signs - characters for trees, histories and bars, from small to large */
struct top_signs {
	const struct outline_signs *branches;
	const char *levels[8], *bar, *plus_minus, *cut;
};

/**
 * struct top - the model: all that a canvas shows
 * @outline: order and branches of @nodes; made again when a node is added
 * @lines: numbers of the nodes that are shown, from the top down
 * @interval: number of intervals so far; @nr_history: number of intervals that are kept
 * @cursor: number of the selected node; @scroll: number of lines before the first visible line
 * @branch: number of the node whose children are counted; -1: only the first levels are counted
 * @folds:  children of nodes under their thresholds are hidden
 * @held:   the display is frozen; @missed: number of intervals that came meanwhile
 * @busy:   time that CPUs were not idle, in CPUs; NAN if unknown
 * @ipc:    instructions per cycle on each core type; @cycles: cycles per ns on all CPUs; NAN if
 *         unknown
 * @has_errors, @has_shares: some value has an error; some value was not counted all the time
 * @charts: 1: show the history of the selected node, -1: hide it, 0: show it if there is room;
 *         @charting: the history is shown
 * @deepest, @nr_deepest: number of the node where most is lost; number of intervals in which this
 *         node has been the same
 * @deeper: number of the node whose children are counted besides the first levels, or -1
 * @free_lines: unused lines of the tree at the last drawing
 * @filter: text that a row must contain; @typing: the user is typing the filter
 * @scroll_rows: number of rows before the first visible row
 * @shows: the kind of the rows; @base: the kind of rows before functions were chosen
 * @process: number of the process whose functions are shown, or 0 for all; @of: name of this
 *         process
 * @user_part: only user space is sampled for functions
 * @in_rows: keys move in the rows; @row_key, @row_name: the selected row
 * @overlay_title, @overlay: a text that covers everything, or NULL; @scroll_overlay: number of its
 *         lines before the first visible one
 * @helps: the help is shown
 */
struct top {
	struct top_options opts;
	VEC(struct top_node) nodes;
	VEC(struct top_row) rows;
	struct outline outline;
	VEC(int) lines;
	uint64_t interval, missed;
	int nr_history, cursor, scroll, branch, scroll_rows, scroll_overlay, page_lines;
	bool folds, held, typing, helps, warning, has_errors, has_shares, charting;
	int charts, deepest, nr_deepest, deeper, free_lines;
	VEC(struct top_ipc) ipc;
	double busy, cycles;
	enum top_sort sort;
	enum top_rows shows, base;
	int process, row_key;
	bool in_rows, user_part;
	struct sb filter, message, rows_message, time, of, row_name;
	char *overlay_title, *overlay;
};

/** top__find() - find the number of a node by name and core type, or -1. */
int top__find(const struct top *t, const char *name, const char *core);
/** top__find_lines() - choose the lines that are shown, and their order. */
void top__find_lines(struct top *t);
/** top__is_retiring() - return whether a metric of the first level counts useful slots. */
bool top__is_retiring(const char *name);
/** top__cpu_time() - compute the CPU time in a row, in CPUs, from any event of CPU time; or NAN. */
double top__cpu_time(const struct grid *g, int row, int cgroup);
/** top__row_for() - find the row with a key and name, or add it. */
struct top_row *top__row_for(struct top *t, int key, const char *name);
/** top__set_bottleneck() - set the bottleneck of a row; NULL for none. */
void top__set_bottleneck(struct top_row *row, const char *name);
/** top__forget_rows() - remove all rows. */
void top__forget_rows(struct top *t);
/** top__free_row() - free what a row owns. */
void top__free_row(struct top_row *row);
/** top__take_functions() - take the rows of functions from a grid. */
void top__take_functions(struct top *t, const struct grid *g);
/** top__show_functions() - show functions of a process, or of all processes (0). */
void top__show_functions(struct top *t, int process, const char *name);
/** top__show_base() - show the kind of rows again that was shown before functions. */
void top__show_base(struct top *t);
/**
 * top__title_functions() - append a title for functions: their process and how they are estimated,
 * in at most @width columns.
 */
void top__title_functions(const struct top *t, int width, struct sb *sb);
/** top__sort_first() - return the default sorting key of the rows. */
enum top_sort top__sort_first(const struct top *t);
/**
 * top__selected_row() - return the index of the selected row among rows that pass the filter; or
 * -1.
 */
int top__selected_row(const struct top *t);
/** top__move_row() - move the selection by @by rows. */
void top__move_row(struct top *t, int by);
/** top__sort_rows() - sort the rows by the chosen key. */
void top__sort_rows(struct top *t);
/** top__next_sort() - sort the rows by the next available column. */
void top__next_sort(struct top *t);
/** top__sort_name() - return the name of a sorting key. */
const char *top__sort_name(enum top_sort sort);
/** top__has_match() - return whether a row contains the text of the filter. */
bool top__has_match(const struct top *t, const struct top_row *row);
/** top__put_help() - append the text on keys and columns, in lines of at most @width columns. */
void top__put_help(struct sb *sb, int width);
/** top__signs() - return the characters for trees, histories and bars. */
const struct top_signs *top__signs(const struct top *t);
/**
 * top__mean_of() - compute the mean of a node's known values in @nr intervals from @first on; or
 * NAN.
 */
double top__mean_of(const struct top *t, const struct top_node *n, uint64_t first, uint64_t nr);
/**
 * top__draw_head() - draw the head and the message on the first lines
 *
 * Return: number of these lines.
 */
int top__draw_head(const struct top *t, struct canvas *c);
/**
 * top__chart_lines() - return the number of lines for the selected node's history on a canvas of
 * @height lines.
 */
int top__chart_lines(const struct top *t, int height);
/** top__draw_chart() - draw the selected node's history on @nr lines from @first on. */
void top__draw_chart(const struct top *t, struct canvas *c, int first, int nr);
/** top__draw_overlay() - draw the text, or the help, that covers everything. */
void top__draw_overlay(struct top *t, struct canvas *c);
/** top__draw_rows() - draw the heading and the rows on @nr lines from @first on. */
void top__draw_rows(struct top *t, struct canvas *c, int first, int nr);

#endif
