/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma why": in comes a target; it is measured over and over, each time the parts of what was found
 * the time before; out goes the way down to what limits it.
 */
#ifndef TMA_CMD_WHY_H
#define TMA_CMD_WHY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/vec.h"
#include "verdict/way.h"
#include "where/where.h"

struct err;
struct target;

/**
 * struct why_step - a measurement
 * @groups: what was measured; @seconds: how long it took; @runs: of the command
 * @again:  for what was not certain the time before
 */
struct why_step {
	char *groups;
	double seconds;
	int runs;
	bool again;
};

/**
 * struct why_answer - what was found
 * @target: words of the command line that say what was measured, quoted for a shell
 * @ended:  why it ended before it was at its end ("the budget of 30 s"), or NULL
 * @no_counters: why there is no way: this computer has no hardware counters; or ""
 * @where:  where in the program, by samples of @sampled: the event of the way's end, or "", and
 * time
 * @has_where: it was sampled
 */
struct why_answer {
	struct ways ways;
	VEC(struct why_step) steps;
	char *target;
	const char *ended, *no_counters;
	struct where where;
	char *sampled[WHERE_EVENTS];
	bool has_where;
};

/**
 * why__sample() - find out where in the program it is, by another run or window
 * @target:  as of "tma stat"
 * @sample:  names of the events that show it, behind blanks or commas; of these the first that can
 *           be sampled is, beside the time
 * @limit_ns: 0 for as long as the command runs
 * @download: debug information may come over the network
 *
 * Return: 0; -errno when the command cannot be started, or nothing be sampled.
 */
int why__sample(struct why_answer *a, const struct target *target, const char *sample,
		uint64_t limit_ns, bool download, struct err *err);

/** why__print() - print it for people. Lines of the source may be merged to functions. */
void why__print(struct why_answer *a, FILE *out);
/** why__print_json() - print it for programs, as one object on a line. */
void why__print_json(struct why_answer *a, FILE *out);

#endif
