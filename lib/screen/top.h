/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model of "tma top". The input is grids, one for each interval: of the whole, whose metrics
 * are a tree with a history, and of the places that are listed below it; and keys. The output is a
 * canvas, and requests of keys to the caller, who counts. It uses no terminal, file or clock.
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

/* Requests of keys that drawing the next canvas does not fulfil. */
enum top_action {
	TOP_NOTHING,
	TOP_BRANCH,  /* count another branch: top__branch() */
	TOP_ROWS,    /* count other rows: top__rows(), top__process() */
	TOP_EXPLAIN, /* explain the selected metric: top__selected(), top__show_text() */
	TOP_PAGE,
	TOP_QUIT,
};

/**
 * struct top_options - what is shown; texts must outlive the model
 * @interval_ms: length of an interval, from which that of a history of a minute follows
 * @rows: those at the start; @of_functions: whose functions are shown before a process is chosen,
 *        as text; NULL: those of all processes; @functions_ms: length of the time whose samples
 *        they are made of
 * @utf8: the terminal has more than ASCII
 * @machine: name of it or of its CPU, for the first line
 * @cpus:  number of CPUs
 * @hide_idle: hide processes that had no CPU time
 * @tables: there are no keys, and no graph is drawn
 * @software: there is no tree: rows show the kernel's counts, context switches and page faults
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

/* Metrics of these names are shown in the first lines, and not in the tree. */
#define TOP_IPC "top_ipc" /* instructions per cycle */
#define TOP_GHZ "top_ghz" /* cycles in each ns, of all CPUs */

/** top__new() - make a model without values. @opts: copied. top__free() it. */
struct top *top__new(const struct top_options *opts);
/** top__free() - release it; NULL is allowed. */
void top__free(struct top *t);

/**
 * top__take_tree() - take an interval of the whole: its only row
 *
 * Metrics keep their places once they have one; the last value is dimmed while one is not counted.
 */
void top__take_tree(struct top *t, const struct grid *g);
/** top__take_rows() - take the same interval of the places that are listed; remove others. */
void top__take_rows(struct top *t, const struct grid *g);
/**
 * top__set_message() - show a message below the first line, until another replaces it; "" for none
 * @warning: it is more important than other contents of the line
 */
void top__set_message(struct top *t, const char *text, bool warning);
/**
 * top__rows() - return the kind of the rows that are shown now
 *
 * A grid of functions has rows of AGGR_FUNCTION, with their shares and metrics.
 */
enum top_rows top__rows(const struct top *t);
/** top__process() - (TOP_FUNCTIONS) return the number of their process; 0 for all. */
int top__process(const struct top *t);
/** top__leave_process() - show functions of all processes with a message, as that one has ended. */
void top__leave_process(struct top *t);
/** top__set_user_part() - set whether functions are of the user part alone. */
void top__set_user_part(struct top *t, bool alone);
/** top__set_rows_message() - set the message that is shown instead of rows if there are none. */
void top__set_rows_message(struct top *t, const char *text);
/** top__show_text() - show a text of many lines over everything else, until a key ends it. */
void top__show_text(struct top *t, const char *title, const char *text);
/** top__set_busy() - set the CPU time that was used in the last interval, in CPUs. */
void top__set_busy(struct top *t, double cpus);
/** top__set_time() - set the time of day that is shown, as text. */
void top__set_time(struct top *t, const char *text);

/** top__key() - handle a key, as struct screen returns them. Return: what the caller must do. */
enum top_action top__key(struct top *t, int key);
/** top__selected() - return the name of the selected metric; NULL for none. */
const char *top__selected(const struct top *t);
/**
 * top__branch() - return the metric whose children are to be counted; NULL for the first levels.
 */
const char *top__branch(const struct top *t);
/**
 * top__each_above() - return the metrics from the first level down to the branch itself, in turn
 * @n: 0 for the outermost
 *
 * Return: NULL after the last.
 */
const char *top__each_above(const struct top *t, int n);
/**
 * top__deeper() - choose the metric whose children are worth counting besides the first levels
 *
 * It is where most slots are lost, has been so for some intervals, and there are free lines for its
 * children. Return: its name; "" for none; NULL if nothing is to be changed.
 */
const char *top__deeper(struct top *t);
/** top__is_held() - return whether the display is frozen. */
bool top__is_held(const struct top *t);

/** top__draw() - fill a canvas of any size. */
void top__draw(struct top *t, struct canvas *c);

#endif
