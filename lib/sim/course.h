/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The course of a CPU or a task: which column of the counting model applies at which time. A course
 * goes through the machine's phases or a script of stays, keeps a thread in one phase, or follows
 * what a program announces.
 */
#ifndef TMA_SIM_COURSE_H
#define TMA_SIM_COURSE_H

#include "sim/machine.h"

struct announce;

/** struct sim_mark - a stay that begins at time @from and lasts until the next mark */
struct sim_mark {
	uint64_t from;
	struct sim_stay stay;
};

/**
 * struct sim_trail - the stays that a program has announced, in the order of their times
 * @announce: memory that is shared with the program: names, code and threads
 */
struct sim_trail {
	VEC(struct sim_mark) marks;
	const struct announce *announce;
};

/**
 * struct sim_course - which stay applies at which time (in ns on the clock of the CPU or task)
 * @round:  the stays that repeat
 * @offset: difference of position in @round and time
 * @fixed:  the stay that applies all the time; NULL for none
 * @trail:  trail that overrides @round while its stay has a column; NULL for none
 */
struct sim_course {
	const struct sim_round *round;
	uint64_t offset;
	const struct sim_stay *fixed;
	const struct sim_trail *trail;
};

/**
 * course__at() - find the stay at a time
 * @until: set to the end of the stay; UINT64_MAX if it does not end
 */
const struct sim_stay *course__at(const struct sim_course *course, uint64_t at, uint64_t *until);

/**
 * course__each() - visit each stay between two times, and a stay that occurs several times only
 * once
 * @visit: called with the total time in the stay, @ns
 */
void course__each(const struct sim_course *course, uint64_t from, uint64_t to,
		  void (*visit)(const struct sim_stay *stay, uint64_t ns, void *arg), void *arg);

/**
 * course__rounds_from() - find out whether @round applies from a time on
 * @until: set to the time until which the answer does not change
 */
bool course__rounds_from(const struct sim_course *course, uint64_t at, uint64_t *until);

#endif
