/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The truth by place: what each event did while a CPU or a task was at each place of its course,
 * for tests to compare with what was measured. It is written into a file when the program ends.
 */
#ifndef TMA_SIM_TRUTH_H
#define TMA_SIM_TRUTH_H

#include <stdbool.h>

#include "sim/rate.h"

struct err;
struct sim_event;

/**
 * struct sim_true - of an event at one place, in one thread
 * @place:   its number, or -1
 * @ns:      while it was enabled
 * @happened: what would have been counted, had the event been on a counter all that time
 * @counted: what was
 * @samples: taken for what happened there, wherever they are found to be
 */
struct sim_true {
	int place, thread;
	uint64_t ns, samples;
	sim_count_t happened, counted;
};

/** struct sim_truth - of one event */
struct sim_truth {
	VEC(struct sim_true) at;
};

/** truth__begin() - the truth is to be told, in this file. Return: 0, or -errno without it. */
int truth__begin(const char *path, struct err *err);
/** truth__is_wanted() - whether truth__begin() has been called. */
bool truth__is_wanted(void);
/** truth__is_own() - whether it was in this process. */
bool truth__is_own(void);
/**
 * truth__add() - an event was enabled from its context's present time on
 * @counted: it was on a counter, too
 */
void truth__add(struct sim_event *event, uint64_t to, bool counted);
/** truth__sample() - a sample of an event is taken now. */
void truth__sample(struct sim_event *event);
/** truth__take() - an event is closed: what it did is kept for the file. */
void truth__take(struct sim_event *event);
/**
 * truth__write() - write the file, in the process that has called truth__begin()
 *
 * Return: false where it cannot be written as a whole: then it is empty.
 */
bool truth__write(void);

#endif
