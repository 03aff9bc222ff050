/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model of "tma top". The input is keys, and two grids for each interval: the whole, whose
 * metrics are a tree with a history, and the places that are listed below the tree. The output is a
 * canvas, and requests to the caller, who counts. The model uses no terminal, file or clock.
 */
#ifndef TMA_SCREEN_TOP_H
#define TMA_SCREEN_TOP_H

#include <stdbool.h>
#include <stdint.h>

struct canvas;
struct grid;
struct top;

/* Kinds of rows below the tree. */
enum top_rows {
	TOP_PROCESSES,
	TOP_CGROUPS,
	TOP_CPUS,
	TOP_CORE_TYPES,
	TOP_FUNCTIONS,
};

/* Requests that a key makes to the caller. */
enum top_action {
	TOP_NOTHING,
	TOP_BRANCH,  /* count another branch, see top__branch() */
	TOP_ROWS,    /* count other rows, see top__rows() and top__process() */
	TOP_EXPLAIN, /* explain the selected metric, see top__selected() and top__show_text() */
	TOP_PAGE,
	TOP_QUIT,
};

/**
 * struct top_options - facts and choices for the model; texts must outlive the model
 * @interval_ms: length of an interval; a history has the intervals of a minute
 * @rows: kind of the rows at the start
 * @of_functions: text that names the owner of the functions before the user chooses a process; NULL
 *        for all processes
 * @functions_ms: length of the time whose samples functions are estimated from
 * @utf8: the terminal shows UTF-8
 * @machine: name of the machine or of its CPU, for the first line
 * @cpus:  number of CPUs
 * @hide_idle: hide processes that had no CPU time
 * @tables: canvases are printed as tables, without keys and graphs
 * @software: there is no tree, and rows show counts of the kernel: context switches and page faults
 * @nr_parts: returns how many children of a metric can be counted; @arg: its first argument
 */
struct top_options {
	uint64_t interval_ms, functions_ms;
	enum top_rows rows;
	bool utf8, hide_idle, tables, software;
	const char *machine, *of_functions;
	int cpus;
	int (*nr_parts)(void *arg, const char *name);
	void *arg;
};

/* Metrics with these names are shown in the first lines instead of the tree. */
#define TOP_IPC "top_ipc" /* instructions per cycle */
#define TOP_GHZ "top_ghz" /* cycles per ns on all CPUs */

/** top__new() - make a model without values; top__free() releases it. @opts: copied */
struct top *top__new(const struct top_options *opts);
/** top__free() - release a model; NULL is allowed. */
void top__free(struct top *t);

/**
 * top__take_tree() - take an interval of the whole, which is the only row of @g
 *
 * A metric keeps its line. While it is not counted, its last value is dimmed.
 */
void top__take_tree(struct top *t, const struct grid *g);
/**
 * top__take_rows() - take the same interval of the listed places; places that are not in @g are
 * removed.
 */
void top__take_rows(struct top *t, const struct grid *g);
/** top__drop_rows() - remove all rows, unless the display is frozen: no place is counted now. */
void top__drop_rows(struct top *t);
/**
 * top__set_message() - show a message below the first line, until another message replaces it; ""
 * for none
 * @warning: the message is more important than other contents of the line
 */
void top__set_message(struct top *t, const char *text, bool warning);
/**
 * top__rows() - return the kind of rows that are shown now
 *
 * A grid of functions has rows of AGGR_FUNCTION, with their shares and metrics.
 */
enum top_rows top__rows(const struct top *t);
/**
 * top__process() - (TOP_FUNCTIONS) return the number of the process whose functions are shown; 0
 * for all.
 */
int top__process(const struct top *t);
/**
 * top__leave_process() - show functions of all processes, with a message that the chosen process
 * has ended.
 */
void top__leave_process(struct top *t);
/**
 * top__set_functions_of() - name the owner of the functions that are shown, in place of
 * @of_functions; the text is copied
 */
void top__set_functions_of(struct top *t, const char *text);
/** top__set_user_part() - set whether only user space is sampled for functions. */
void top__set_user_part(struct top *t, bool alone);
/** top__set_rows_message() - set the message that is shown if there are no rows. */
void top__set_rows_message(struct top *t, const char *text);
/** top__show_text() - show a text of many lines over everything else, until a key ends it. */
void top__show_text(struct top *t, const char *title, const char *text);
/** top__set_busy() - set the CPU time that was used in the last interval, in CPUs. */
void top__set_busy(struct top *t, double cpus);
/** top__set_time() - set the text of the time of day. */
void top__set_time(struct top *t, const char *text);

/** top__key() - handle a key of screen__key(). Return: what the caller must do. */
enum top_action top__key(struct top *t, int key);
/** top__selected() - return the name of the selected metric, or NULL. */
const char *top__selected(const struct top *t);
/**
 * top__branch() - return the metric whose children have to be counted; NULL for the first levels.
 */
const char *top__branch(const struct top *t);
/**
 * top__each_above() - return one of the metrics from the first level down to the branch itself
 * @n: number of the metric, 0 for the first level
 *
 * Return: its name; NULL after the last one.
 */
const char *top__each_above(const struct top *t, int n);
/**
 * top__deeper() - choose the metric whose children are worth counting besides the first levels
 *
 * It is the metric where most slots have been lost for some intervals, if there are free lines for
 * its children. Return: its name; "" for none; NULL if nothing has to change.
 */
const char *top__deeper(struct top *t);
/** top__is_held() - return whether the display is frozen. */
bool top__is_held(const struct top *t);

/** top__draw() - fill a canvas of any size. */
void top__draw(struct top *t, struct canvas *c);

#endif
