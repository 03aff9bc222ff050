/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A search under way: a target is measured step by step, until the way is complete or the budget is
 * spent.
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
#define SHORTEST_MS 10 /* the shortest measurement */

/**
 * struct why - a search under way
 * @host:   the host that is measured
 * @outcome: of the latest run; @status: the exit status that follows from it
 * @levels: of the tree, in the first measurement; @runs: of the command so far
 * @most_runs: limit of runs, or windows; 0 for any number
 * @window_ms: length of the next measurement, where the target is not a command
 * @end:    when the budget ends, in seconds of the clock; 0 without one
 * @search_end: when the time for the way ends, likewise: what is left is for the samples
 * @first_groups: metric groups of the first measurement; @along: rates that the current one also
 *                has
 * @streams: the command's; @output: where the answer goes
 * @progress: of the whole search
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

/** why_search__now() - get the time of the monotonic clock, in seconds. */
double why_search__now(void);
/**
 * why_search__length_ms() - find how long a step may take that must be over at @end
 *
 * Return: ms; 0 for as long as the command lasts.
 */
uint64_t why_search__length_ms(const struct why *w, double end);
/** why_search__may_run() - find out whether @more runs, or windows, are allowed. */
bool why_search__may_run(const struct why *w, uint64_t more);
/** why_search__begin_turn() - prepare for a run of the command, or a window (@arg: struct why). */
void why_search__begin_turn(void *arg);
/**
 * why_functions() - measure the functions that were sampled, beside the ways
 *
 * It takes one more run, or window. Nothing is measured where the budget or the number of runs does
 * not allow it, where one function has nearly all the time, and where no node of a tree is known.
 */
void why_functions(struct why *w, const struct why_sampler *s);
/** why_search() - measure. Return: the exit status of the measurement that failed, or 0. */
int why_search(struct why *w);

#endif
