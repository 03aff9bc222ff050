/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Collect true counts by place, with which tests compare measurements: how often each event
 * happened while a CPU or a task was at each place of its course. They are written into a file when
 * the program ends.
 */
#ifndef TMA_SIM_TRUTH_H
#define TMA_SIM_TRUTH_H

#include <stdbool.h>

#include "sim/rate.h"

struct err;
struct sim_event;

/**
 * struct sim_true - true counts of an event at one place, in one thread
 * @place:   number of the place, or -1
 * @ns:      time for which the event was enabled
 * @happened: how often the event happened while it was enabled
 * @counted: how often the event happened while it was on a counter
 * @samples: number of samples of events at this place, even if they report another place
 */
struct sim_true {
	int place, thread;
	uint64_t ns, samples;
	sim_count_t happened, counted;
};

/** struct sim_truth - true counts of one event, by place and thread */
struct sim_truth {
	VEC(struct sim_true) at;
};

/**
 * truth__begin() - start collecting true counts for a file. Return: 0, or -errno if it cannot be
 * opened.
 */
int truth__begin(const char *path, struct err *err);
/** truth__is_wanted() - find out whether truth__begin() has been called. */
bool truth__is_wanted(void);
/** truth__is_own() - find out whether truth__begin() was called in this process. */
bool truth__is_own(void);
/**
 * truth__add() - add the time up to @to, during which an event was enabled
 * @counted: the event was also on a counter
 */
void truth__add(struct sim_event *event, uint64_t to, bool counted);
/** truth__sample() - count a sample of an event, taken now. */
void truth__sample(struct sim_event *event);
/** truth__take() - keep the true counts of an event that is closed. */
void truth__take(struct sim_event *event);
/**
 * truth__write() - write the file, if this process has called truth__begin()
 *
 * Return: false if it could not be written completely; then the file is empty.
 */
bool truth__write(void);

#endif
