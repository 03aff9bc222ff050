/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The course of a CPU or a task: which column of the counting model holds when. Time leads through
 * the phases, or through a script of stays; a thread may stay in a phase; and a program may tell
 * where it is.
 */
#ifndef TMA_SIM_COURSE_H
#define TMA_SIM_COURSE_H

#include "sim/machine.h"

struct announce;

/** struct sim_mark - from a time on, a stay, until the next mark */
struct sim_mark {
	uint64_t from;
	struct sim_stay stay;
};

/**
 * struct sim_trail - where a program says that it was, in the order of the times
 * @announce: what it shares: names, code and threads
 */
struct sim_trail {
	VEC(struct sim_mark) marks;
	const struct announce *announce;
};

/**
 * struct sim_course - what holds when, in ns on the clock of the CPU or task
 * @round:  where time leads
 * @offset: what is added to a time to find the place in it
 * @fixed:  the stay which lasts; NULL for none
 * @trail:  comes before @round where its stay has a column; NULL for none
 */
struct sim_course {
	const struct sim_round *round;
	uint64_t offset;
	const struct sim_stay *fixed;
	const struct sim_trail *trail;
};

/**
 * course__at() - find the stay at a time
 * @until: set: until when it lasts, UINT64_MAX at most
 */
const struct sim_stay *course__at(const struct sim_course *course, uint64_t at, uint64_t *until);

/**
 * course__each() - visit the stays between two times, the same stay of several rounds once
 * @ns: how long they were, together
 */
void course__each(const struct sim_course *course, uint64_t from, uint64_t to,
		  void (*visit)(const struct sim_stay *stay, uint64_t ns, void *arg), void *arg);

/**
 * course__rounds_from() - tell whether time leads through the round from a time on
 * @until: set: until when that does not change
 */
bool course__rounds_from(const struct sim_course *course, uint64_t at, uint64_t *until);

#endif
