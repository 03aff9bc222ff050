/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A search under way: a target is measured step by step, until the way is at its end or the budget
 * is spent.
 */
#ifndef TMA_CMD_WHY_SEARCH_H
#define TMA_CMD_WHY_SEARCH_H

#include "base/sb.h"
#include "output.h"
#include "progress.h"
#include "run/run.h"
#include "streams.h"
#include "why/why.h"

#define NS_PER_S 1e9
#define SHORTEST_MS 10 /* that is counted for */

/**
 * struct why - a search under way
 * @host:   which is measured on
 * @outcome: of the latest run; @status: the exit status that it came to
 * @levels: of the tree, that the first measurement has; @runs: of the command so far
 * @most_runs: that there may be, or windows; 0 for any number
 * @window_ms: of the next measurement, where there is not a command
 * @end:    when the budget ends, in seconds of the clock; 0 without one
 * @search_end: the same of the time for the way: what is left is for the samples
 * @first_groups: that the first measurement has; @along: rates that the one at hand has
 * @streams: the command's; @output: where the answer goes
 * @progress: of all of it
 */
struct why {
	struct host host;
	struct run_outcome outcome;
	struct why_answer answer;
	bool once, json, keep_output, no_sample, download;
	const char *output_name, *budget_text, *runs_text, *colour;
	int verbose, levels, runs, status;
	uint64_t window_ms, most_runs;
	double begin, end, search_end;
	struct sb first_groups, along;
	struct streams streams;
	struct output output;
	struct progress progress;
};

/** why_search__now() - the time of the monotonic clock, in seconds. */
double why_search__now(void);
/**
 * why_search__length_ms() - how long a step may take that is to be over at @end
 *
 * Return: ms; 0 for as long as the command lasts.
 */
uint64_t why_search__length_ms(const struct why *w, double end);
/** why_search__may_run() - whether there may be so many more runs, or windows. */
bool why_search__may_run(const struct why *w, uint64_t more);
/** why_search__begin_turn() - a run of the command, or a window (@arg: struct why) begins. */
void why_search__begin_turn(void *arg);
/**
 * why_functions() - measure the functions of what was sampled beside the ways
 *
 * It takes a run more, or a window. Nothing is measured where the budget or the number of runs does
 * not allow it, where one function has nearly all the time, and where no node of a tree is known.
 */
void why_functions(struct why *w, const struct why_sampler *s);
/** why_search() - measure. Return: the exit status of the measurement that failed, or 0. */
int why_search(struct why *w);

#endif
