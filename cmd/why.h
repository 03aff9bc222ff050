/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma why": in comes a target; it is measured over and over, each time the parts of what was found
 * the time before; out goes the way down to what limits it.
 */
#ifndef TMA_CMD_WHY_H
#define TMA_CMD_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "verdict/way.h"
#include "where/where.h"

struct err;
struct output;
struct sb;
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

/** struct why_words - words of a command line, which are not owned */
struct why_words {
	const char **at;
	int nr, cap;
};

/** struct why_target - what is measured, in the words of the command line; NULL for what is not */
struct why_target {
	bool system_wide;
	const char *cpus, *pids, *tids, *cgroups, *cputype;
	const char **argv;
};

/** why_target__add() - append the options that say so to "tma stat". */
void why_target__add(const struct why_target *t, struct why_words *words);
/** why_target__add_command() - append the command behind "--", if there is one. */
void why_target__add_command(const struct why_target *t, struct why_words *words);
/** why_target__put() - append all of these, as a shell reads them. */
void why_target__put(const struct why_target *t, struct sb *sb);

/**
 * struct why_answer - what was found
 * @ended:  why it ended before it was at its end ("the budget of 30 s"), or NULL
 * @no_counters: why there is no way: this computer has no hardware counters; or ""
 * @where:  where in the program, by samples of @sampled: the event of the way's end, or "", and
 * time
 * @has_where: it was sampled
 */
struct why_answer {
	struct ways ways;
	VEC(struct why_step) steps;
	struct why_target target;
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

/** why__put_measure() - append the command that measures a way's end by hand; nothing without one.
 */
void why__put_measure(const struct why_answer *a, const struct way *way, struct sb *sb);
/**
 * why__put_record() - append the command that samples a way's end; nothing where no event is known
 * @way: NULL for what is measured without a way: then time is sampled
 */
void why__put_record(const struct why_answer *a, const struct way *way, struct sb *sb);

/** why__print() - print it for people. Lines of the source may be merged to functions. */
void why__print(struct why_answer *a, struct output *o);
/** why__print_json() - print it for programs, as one object on a line. */
void why__print_json(struct why_answer *a, struct output *o);

#endif
