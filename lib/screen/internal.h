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

#define HISTORY_S 60
#define HISTORY_MOST 600 /* intervals of a tenth of a second */

/**
 * struct top_node - a metric of the tree, or an event if there are no metrics
 * @name, @core, @unit: owned; @core: core PMU on a hybrid machine, or ""
 * @above: number of its parent, -1 for none
 * @level: in the TopDown tree, 0 if it is not in one; @part: the node of the first level above it
 * @plain: its plain English name, owned, or NULL
 * @history: values of the last minute, [interval % nr]; NAN if it was not counted
 * @value, @error, @share: of the last interval in which it was counted; the share is of the time,
 *         in %
 * @threshold: as in a cell; @now: it was counted in this interval; @has_value: @value is valid
 * @why: (without a value) the reason
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
 * @key:   number of the CPU or process, or of the core type; @name: its name, owned
 * @numbered: the key is shown
 * @cpus:  CPU time in CPUs: 1 is a whole CPU; NAN if unknown
 * @lost:  the part of @cpus whose slots were lost, or belong to the current branch; NAN likewise
 * @switches, @faults: its context switches and page faults in a second; NAN likewise
 * @bottleneck: name of the metric, owned by the tree's nodes, or NULL; @value, @error: its own
 * @useful: without a bottleneck, as its slots did useful work
 * @why:   the reason why its slots are unknown; or NULL
 * @now:   it was in the last interval
 * @share, @share_error: (functions) of all cycles, in %
 * @parts: (functions) of the first level, in %; NAN if unknown
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
 * struct top_ipc - instructions per cycle on a core type; its name, "" for the only one, is owned
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
 * struct top - the model
 * @outline: of @nodes, in the order of the page; made again when one is added
 * @lines: numbers of the nodes that are shown, from the top down
 * @interval: number of intervals so far; @nr_history: how many of them are kept
 * @cursor: number of the selected node; @scroll: number of lines above the first visible one
 * @branch: number of the node whose children are counted, -1 for the first levels
 * @folds:  children of nodes under their thresholds are hidden
 * @held:   the display is frozen; @missed: intervals that came meanwhile
 * @busy:   time that CPUs were not idle, in CPUs; NAN if unknown
 * @ipc:    of each core type; @cycles: in a ns, of all CPUs; NAN likewise
 * @has_errors, @has_shares: a value has an error, or was not counted all the time
 * @charts: 1: show the history of the selection, -1: do not; 0: if there is room; @charting: it is
 *         shown
 * @deepest, @nr_deepest: number of the node where most is lost, and for how many intervals
 * @deeper: number of the node whose children are counted besides the first levels, -1 for none
 * @free_lines: unused lines of the tree when it was last drawn
 * @filter: text that names of rows must contain; @typing: it is being typed
 * @scroll_rows: number of rows above the first visible one
 * @shows: the kind of the rows; @base: the kind before functions were chosen
 * @process: number of the process whose functions are shown, or 0; @of: whose they are, as text
 * @user_part: functions are of its user part alone
 * @in_rows: keys move in the rows; @row_key, @row_name: the selected row
 * @overlay_title, @overlay: a text that covers everything, or NULL; @scroll_overlay: as
 *         @scroll_rows
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

/** top__find() - find the number of a node by name and core type, -1 if there is none. */
int top__find(const struct top *t, const char *name, const char *core);
/** top__find_lines() - choose the lines that are shown, in their order. */
void top__find_lines(struct top *t);
/** top__is_retiring() - return whether a metric of the first level counts useful slots. */
bool top__is_retiring(const char *name);
/** top__cpu_time() - compute the CPU time in a row, in CPUs, by whichever count has it; or NAN. */
double top__cpu_time(const struct grid *g, int row, int cgroup);
/** top__row_for() - find the row of a key and name, or add one. */
struct top_row *top__row_for(struct top *t, int key, const char *name);
/** top__set_bottleneck() - set the bottleneck of a row; NULL for none. */
void top__set_bottleneck(struct top_row *row, const char *name);
/** top__forget_rows() - remove all rows. */
void top__forget_rows(struct top *t);
/** top__free_row() - free what a row owns. */
void top__free_row(struct top_row *row);
/** top__take_functions() - take rows of functions. */
void top__take_functions(struct top *t, const struct grid *g);
/** top__show_functions() - show functions of a process, or of all processes (0). */
void top__show_functions(struct top *t, int process, const char *name);
/** top__show_base() - show the rows again that were there before functions. */
void top__show_base(struct top *t);
/** top__title_functions() - append whose they are and how they are made, in so many columns. */
void top__title_functions(const struct top *t, int width, struct sb *sb);
/** top__sort_first() - return the default sorting key of the rows. */
enum top_sort top__sort_first(const struct top *t);
/** top__selected_row() - return its index among rows that pass the filter; -1 for none. */
int top__selected_row(const struct top *t);
/** top__move_row() - move the selection by so many rows. */
void top__move_row(struct top *t, int by);
/** top__sort_rows() - sort the rows by the chosen key. */
void top__sort_rows(struct top *t);
/** top__next_sort() - sort them by the next available column. */
void top__next_sort(struct top *t);
/** top__sort_name() - return the name of a sorting key. */
const char *top__sort_name(enum top_sort sort);
/** top__has_match() - return whether a row's name contains the filter's text. */
bool top__has_match(const struct top *t, const struct top_row *row);
/** top__put_help() - append the text on keys and columns, for so many columns. */
void top__put_help(struct sb *sb, int width);
/** top__signs() - return the characters that it is drawn with. */
const struct top_signs *top__signs(const struct top *t);
/** top__mean_of() - compute the mean of the known ones of @nr intervals of a node; or NAN. */
double top__mean_of(const struct top *t, const struct top_node *n, uint64_t first, uint64_t nr);
/**
 * top__draw_head() - draw the head and the message, from the first line down
 *
 * Return: the number of lines that they take.
 */
int top__draw_head(const struct top *t, struct canvas *c);
/** top__chart_lines() - return the lines of the selection's history on a canvas of this height. */
int top__chart_lines(const struct top *t, int height);
/** top__draw_chart() - draw it, from line @first on. */
void top__draw_chart(const struct top *t, struct canvas *c, int first, int nr);
/** top__draw_overlay() - draw the text, or the help, that covers everything. */
void top__draw_overlay(struct top *t, struct canvas *c);
/** top__draw_rows() - draw the heading and the rows, from line @first on, on @nr lines. */
void top__draw_rows(struct top *t, struct canvas *c, int first, int nr);

#endif
