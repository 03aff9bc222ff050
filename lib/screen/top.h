/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What "tma top" shows. In come grids, one for each interval: of the whole, whose metrics are a
 * tree with a history, and of the places that are listed below it; and keys. Out comes a canvas,
 * and what a key asks of whoever counts. It touches no terminal, no file and no clock.
 */
#ifndef TMA_SCREEN_TOP_H
#define TMA_SCREEN_TOP_H

#include <stdbool.h>
#include <stdint.h>

struct canvas;
struct grid;
struct top;

/* What a row below the tree stands for. */
enum top_rows {
	TOP_PROCESSES,
	TOP_CGROUPS,
	TOP_CPUS,
	TOP_CORE_TYPES,
	TOP_FUNCTIONS,
};

/* What a key asks for that is not done by the next canvas. */
enum top_action {
	TOP_NOTHING,
	TOP_BRANCH,  /* another branch is to be counted: top__branch() */
	TOP_ROWS,    /* other rows are: top__rows(), top__process() */
	TOP_EXPLAIN, /* words on the metric that is selected: top__selected(), top__tell() */
	TOP_PAGE,
	TOP_QUIT,
};

/**
 * struct top_options - what is shown; texts must outlive the model
 * @interval_ms: length of an interval, so that the history is a minute long
 * @rows: those at the start; @of_functions: whose functions are shown before a process is chosen,
 *        in words; NULL: of all processes; @functions_ms: the samples of so long they are made of
 * @utf8: the terminal has more than ASCII
 * @machine: name of it or of its CPU, for the first line
 * @cpus:  how many there are
 * @hide_idle: processes that had no CPU time are not shown
 * @tables: no keys come, and no graph is wanted
 * @software: there is no tree: rows show what the kernel counts, switches and faults
 * @nr_parts: tells how many parts of the metric of a name can be counted; @arg: its first
 *         argument
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
 * A metric stays where it is once it has come, with its last value dimmed while it is not counted.
 */
void top__take_tree(struct top *t, const struct grid *g);
/** top__take_rows() - take the same interval of the places that are listed: others go. */
void top__take_rows(struct top *t, const struct grid *g);
/**
 * top__say() - have a line said below the first, until another is; "" for none
 * @warning: it matters more than what the line shows else
 */
void top__say(struct top *t, const char *text, bool warning);
/**
 * top__rows() - what the rows are of by now
 *
 * A grid of functions has rows of AGGR_FUNCTION, with their shares and metrics.
 */
enum top_rows top__rows(const struct top *t);
/** top__process() - (TOP_FUNCTIONS) number of the process whose functions they are; 0 for all. */
int top__process(const struct top *t);
/** top__leave_process() - show the functions of all, as the process at hand has ended; say so. */
void top__leave_process(struct top *t);
/** top__set_user_part() - say whether functions are of the user part alone. */
void top__set_user_part(struct top *t, bool alone);
/** top__say_rows() - have a line said where there are no rows: why. */
void top__say_rows(struct top *t, const char *text);
/** top__tell() - show a text of many lines above all else, until a key ends it. */
void top__tell(struct top *t, const char *title, const char *text);
/** top__set_busy() - say how much CPU time was used in the interval that was taken, in CPUs. */
void top__set_busy(struct top *t, double cpus);
/** top__set_time() - the time of day that is shown, as text. */
void top__set_time(struct top *t, const char *text);

/** top__key() - take a key, as struct screen gives them. Return: what is to be done. */
enum top_action top__key(struct top *t, int key);
/** top__selected() - name of the metric that is selected; NULL for none. */
const char *top__selected(const struct top *t);
/** top__branch() - name of the metric whose parts are to be counted; NULL for the first levels. */
const char *top__branch(const struct top *t);
/**
 * top__each_above() - name the metrics from the first level to the branch, the branch included
 * @n: 0 for the outermost
 *
 * Return: NULL behind the last.
 */
const char *top__each_above(const struct top *t, int n);
/**
 * top__deeper() - name the metric whose parts are worth counting beside the first levels
 *
 * It is where most slots are lost, has been so for some intervals, and there are free lines for its
 * parts. Return: its name; "" for none; NULL while nothing is to be changed.
 */
const char *top__deeper(struct top *t);
/** top__holds() - whether the screen stands still. */
bool top__holds(const struct top *t);

/** top__draw() - fill a canvas of any size. */
void top__draw(struct top *t, struct canvas *c);

#endif
