// SPDX-License-Identifier: GPL-2.0-only
/* Each step of a search is a measurement. Its verdict decides what the next step measures. */
#include "why/search.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "count/cpu_time.h"
#include "grid/grid.h"
#include "machine/machine.h"
#include "plan/sets.h"

#define LONGEST_WINDOW_MS 8000
#define INTERVAL_MS 100 /* intervals show changes of the largest node of the first level */
#define MOST_STEPS 12

double why_search__now(void)
{
	return clock__now_ns() / NS_PER_S;
}

/*
 * --- The request of a measurement --------------------------------------------------------------
 */

uint64_t why_search__length_ms(const struct why *w, double end)
{
	uint64_t ms = *w->answer.target.argv ? 0 : w->window_ms, left;

	if (!end)
		return ms;
	left = end > why_search__now() ? (end - why_search__now()) * 1000 : 0;
	left = left > SHORTEST_MS ? left : SHORTEST_MS;
	return !ms || left < ms ? left : ms;
}

/*
 * Set the length of a measurement. Intervals show when the largest node of the first level changes:
 * a window has them, and the first run of a command that may run to its end.
 */
static void ask_for_length(const struct why *w, struct request *req, uint64_t ms)
{
	uint64_t interval = ms && ms < INTERVAL_MS ? ms : INTERVAL_MS;
	bool command = req->target.argv;

	if (command)
		req->end_ns = w->search_end * NS_PER_S;
	if (command && (ms || w->answer.steps.nr)) {
		req->timeout_ms = ms;
		return;
	}
	req->interval_ms = interval;
	req->interval_count = ms / interval;
}

/*
 * Make the request for some groups; "" means the first levels. @along: rates that are also counted.
 */
static void why__ask(const struct why *w, const char *groups, const char *along, bool passes,
		     struct request *req)
{
	const struct why_target *t = &w->answer.target;

	*req = (struct request)REQUEST_INIT;
	why_target__request(t, req);
	req->verdict = req->summary = true;
	req->passes = passes;
	req->wants = WANT_RATIOS | WANT_METRICS;
	req->metrics = groups;
	req->along = *along ? along : NULL;
	if (!*groups) {
		req->topdown = req->metric_only = true;
		req->td_level = w->levels;
	} else {
		req->wants |= WANT_EVENTS | WANT_RATES;
	}
	ask_for_length(w, req, why_search__length_ms(w, w->search_end));
}

/* --- The command's own input and output ------------------------------------------------------ */

static void discard_later_output(void)
{
	streams__discard_output();
	say("the command runs again for each step: its later standard output is discarded "
	    "(--keep-output shows it)");
}

/* Show on the terminal the number of the step, and how much of the budget is left. */
static void show_progress(struct why *w)
{
	double share = w->end ? (why_search__now() - w->begin) / (w->end - w->begin) : (double)NAN;

	if (*w->answer.target.argv)
		progress__show(&w->progress, share, "step %d, run %d of the command",
			       w->answer.steps.nr + 1, w->runs + 1);
	else
		progress__show(&w->progress, share, "step %d", w->answer.steps.nr + 1);
}

/*
 * Warn if standard input is a pipe. It can be read only once, so a command that reads its work from
 * it has no work in later runs.
 */
static void warn_of_input(const struct why *w)
{
	struct stat st;

	if (w->streams.stdin_at < 0 && !fstat(STDIN_FILENO, &st) &&
	    (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		say("the command's standard input is a pipe, which only its first run reads: give "
		    "a file (< FILE), so that each run reads the same");
}

/*
 * The first run reads the user's input. Later runs read the same input from its start, if possible.
 */
void why_search__begin_turn(void *arg)
{
	struct why *w = arg;

	if (!*w->answer.target.argv) {
		show_progress(w);
		return;
	}
	if (w->runs == 1)
		warn_of_input(w);
	if (w->runs)
		streams__begin_again(&w->streams);
	if (w->runs == 1 && !w->keep_output)
		discard_later_output();
	show_progress(w);
	w->runs++;
}

/* --- Steps ----------------------------------------------------------------------------------- */

static void why__take_row(void *arg, const struct grid *g)
{
	struct why *w = arg;

	ways__take_row(&w->answer.ways, g);
}

/* Ignore a run that failed or was interrupted, unless it is the first. */
static void why__take(void *arg, const struct grid *g, const struct run_outcome *outcome)
{
	struct why *w = arg;

	if (!w->answer.steps.nr && g->has_cpu_time && why_target__is_command(&w->answer.target)) {
		w->answer.ran.elapsed_ns = g->elapsed_ns;
		w->answer.ran.user_ns = g->user_ns;
		w->answer.ran.system_ns = g->system_ns;
	} else if (!w->answer.steps.nr) {
		w->answer.ran.window_ns = g->elapsed_ns;
	}
	if (g->span != SPAN_INTERVAL)
		why_ran__take(&w->answer.ran, g);
	if (!w->answer.steps.nr || (!outcome->status && !session__signal()))
		ways__take(&w->answer.ways, g);
}

/* Return: how many sets the groups form, if each set must fit the counters; 0 if unknown. */
static int count_sets(struct why *w, const char *groups, const char *along)
{
	struct err err = ERR_INIT;
	struct request req;
	struct run *run;
	int nr = 0;

	why__ask(w, groups, along, false, &req);
	/* If this cannot be planned, the measurement will fail too, and print why. */
	if (!run__plan(&w->host, &req, &run, &err))
		nr = run__sets(run)->nr;
	run__close(run);
	return nr;
}

/* Whole CPUs are mostly idle, so rates of switches and the number of CPUs mean nothing. */
static unsigned int rates_of_tasks(const struct why *w)
{
	const struct why_target *t = &w->answer.target;

	return why_target__is_of_cpus(t) ? 0
					 : 1 << RATE_SWITCHES | 1 << RATE_FAULTS | 1 << RATE_CPUS;
}

/* If the kernel's cycles are excluded, cycles per time are not the clock frequency. */
static unsigned int rates_of_cores(const struct why *w)
{
	bool user_only = w->host.machine->paranoid > 1 && geteuid();

	return why_target__is_of_cpus(&w->answer.target) || user_only
		       ? 1 << RATE_IPC
		       : 1 << RATE_IPC | 1 << RATE_GHZ;
}

/*
 * Count some rates too, if all of them fit in @most sets of groups. Return: whether they are
 * counted.
 */
static bool add_rates(struct why *w, const char *groups, unsigned int kinds, int most)
{
	int sets;

	sb__clear(&w->along);
	why_ran__ask(kinds, &w->along);
	sets = count_sets(w, groups, sb__str(&w->along));
	if (sets && sets <= most)
		return true;
	sb__clear(&w->along);
	return false;
}

/*
 * Choose the rates for a measurement. Each rate is measured once, as soon as the counters have room
 * for it. Groups that are counted all the time must stay so; groups that take turns get at most one
 * more set. With several runs of a command (passes), cycles would be from one run, but the time
 * from all.
 */
static void choose_rates(struct why *w, const char *groups, bool passes)
{
	unsigned int of_tasks = w->answer.steps.nr ? 0 : rates_of_tasks(w);
	unsigned int of_cores = rates_of_cores(w);
	int sets, most;

	sb__clear(&w->along);
	if (passes || why_ran__knows_ipc(&w->answer.ran, &w->answer.ways))
		return;
	sets = count_sets(w, groups, "");
	most = sets > 1 ? sets + 1 : sets;
	if (!sets || add_rates(w, groups, of_tasks | of_cores, most) || !of_tasks)
		return;
	/* Formulas of the tree often have cycles, but seldom instructions. */
	if (!add_rates(w, groups, of_tasks | (of_cores & 1 << RATE_GHZ), most))
		add_rates(w, groups, of_tasks, most);
}

/* Measure some groups. Return: the exit status. */
static int take_step(struct why *w, const char *groups, bool again)
{
	const struct run_taker taker = {
		.begins = why_search__begin_turn, .row = why__take_row, .end = why__take, .arg = w};
	struct err err = ERR_INIT;
	struct request req;
	bool passes = again && *w->answer.target.argv;
	double begin = why_search__now();
	int status, runs = w->runs;

	if (w->verbose)
		say("measuring %s", *groups ? groups : "the first levels");
	ways__begin(&w->answer.ways, (begin - w->begin) * NS_PER_S);
	status = refresh_host(&w->host, &err) ? say_err(&err) : 0;
	if (!status) {
		choose_rates(w, groups, passes);
		why__ask(w, groups, sb__str(&w->along), passes, &req);
		status = measure(&w->host, &req, &taker, &w->outcome);
	}
	w->status = status;
	vec__push(&w->answer.steps, ((struct why_step){.groups = xstrdup(groups),
						       .seconds = why_search__now() - begin,
						       .runs = w->runs - runs,
						       .again = again}));
	return status;
}

/* --- The next measurement ------------------------------------------------------------------- */

/*
 * Add the children of nodes that may be next, unless this needs more sets of groups: if one of
 * these nodes is next, a step is saved.
 */
static void add_branches(struct why *w, struct sb *groups)
{
	auto_free(sb) with = SB_INIT;
	int sets;

	sb__puts(&with, sb__str(groups));
	if (!ways__add_branches(&w->answer.ways, &with))
		return;
	sets = count_sets(w, sb__str(&with), "");
	if (!sets || sets > count_sets(w, sb__str(groups), ""))
		return;
	sb__clear(groups);
	sb__puts(groups, sb__str(&with));
}

bool why_search__may_run(const struct why *w, uint64_t more)
{
	uint64_t done = *w->answer.target.argv ? w->runs : w->answer.steps.nr;

	return !w->most_runs || done + more <= w->most_runs;
}

/* Return: whether all runs of a step are allowed, and one more for the samples. */
static bool may_measure(struct why *w, const char *groups, bool again)
{
	int runs = w->most_runs && again && *w->answer.target.argv ? count_sets(w, groups, "") : 1;

	return why_search__may_run(w, runs + !w->no_sample);
}

bool why_search__has_lost_tasks(struct why *w)
{
	const struct why_target *t = &w->answer.target;
	const char *tasks = t->pids ?: t->tids, *procfs = w->host.machine->procfs;
	int len, nr = 0;

	text__for_each_item(task, len, tasks ?: "", ",")
	{
		if (!task_stat__has_ended(procfs, atoi(task)))
			return false;
		nr++;
	}
	if (!nr)
		return false;
	w->answer.ended = nr > 1 ? t->pids ? "the processes ended" : "the threads ended"
			  : t->pids ? "the process ended" : "the thread ended";
	return true;
}

static const char *ended_early(struct why *w)
{
	if (w->outcome.signal)
		return "it was interrupted";
	if (w->search_end && why_search__now() >= w->search_end)
		return "its time budget is spent";
	if (w->answer.steps.nr >= MOST_STEPS)
		return "too many steps without a result";
	return NULL;
}

/* Note why a search ended early; failures of tma itself have already been printed. */
static void tell_failure(struct why *w, int status)
{
	int step = w->answer.steps.nr;
	bool command = *w->answer.target.argv;

	if (w->outcome.signal || (step == 1 && !w->answer.ways.nr))
		return;
	w->answer.ended = command ? "the command failed" : "the measurement failed";
	say("%s in step %d (status %d): the answer is from %s", w->answer.ended, step, status,
	    step > 1 ? "those before" : "this run alone");
}

int why_search(struct why *w)
{
	auto_free(sb) groups = SB_INIT;
	bool again = false;
	int status;

	signals__install();
	status = take_step(w, "", false);
	while (!status && !w->once && !why_ran__waited(&w->answer.ran) &&
	       ways__next(&w->answer.ways, &groups, &again) && !why_search__has_lost_tasks(w)) {
		w->answer.ended = ended_early(w);
		if (w->answer.ended)
			break;
		if (again)
			add_branches(w, &groups);
		if (!may_measure(w, sb__str(&groups), again)) {
			w->answer.ended = "more runs were not allowed";
			break;
		}
		if (again && w->window_ms < LONGEST_WINDOW_MS)
			w->window_ms *= 2;
		status = take_step(w, sb__str(&groups), again);
	}
	signals__restore();
	if (w->outcome.signal)
		w->answer.ended = "it was interrupted";
	/* A process may end between the look at it and the measurement. */
	if (status && w->answer.ways.nr && why_search__has_lost_tasks(w))
		status = w->status = 0;
	if (status)
		tell_failure(w, status);
	return status;
}
