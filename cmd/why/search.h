/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A search: it measures a target step by step, until the way down to the bottleneck is complete or
 * the budget is spent.
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
 * @outcome: outcome of the latest run
 * @status: the exit status
 * @levels: number of levels of the tree in the first measurement
 * @runs:   number of runs of the command so far
 * @most_runs: most runs of a command, or measurements of another target; 0 for any number
 * @window_ms: length of the next measurement of a target that is not a command
 * @end:    when the budget ends, in seconds of the monotonic clock; 0 without a budget
 * @search_end: when the search for the way ends, on the same clock; later time is for the samples
 * @first_groups: metric groups of the first measurement
 * @along:  rates that the current measurement also has
 * @streams: standard input and output of the command
 * @output: where the answer is written
 * @progress: progress of the whole search
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
 * why_search__length_ms() - find out how long a step may take that must end at @end
 *
 * Return: ms; 0 to measure until the command ends.
 */
uint64_t why_search__length_ms(const struct why *w, double end);
/** why_search__may_run() - find out whether @more runs (or windows) are allowed. */
bool why_search__may_run(const struct why *w, uint64_t more);
/** why_search__begin_turn() - prepare for a run of the command, or a window; @arg: struct why. */
void why_search__begin_turn(void *arg);
/**
 * why_functions() - measure the sampled functions, for nodes on the ways
 *
 * This takes one more run, or window. Nothing is measured if the budget or the number of runs does
 * not allow it, if one function has nearly all the time, or if no node of a tree is known.
 */
void why_functions(struct why *w, const struct why_sampler *s);
/**
 * why_search__has_lost_tasks() - find out whether all processes or threads of the target (-p, -t)
 * have ended; then note this as the end of the search.
 */
bool why_search__has_lost_tasks(struct why *w);
/**
 * why_search() - search for the way. Return: the exit status of a measurement that failed, or 0.
 */
int why_search(struct why *w);

#endif
