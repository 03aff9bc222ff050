// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures functions. Once the way of the whole target is known, one more run (or window) measures
 * the nodes along this way for each function.
 */
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "plan/sets.h"
#include "simulated.h"
#include "verdict/way_functions.h"
#include "why/search.h"

#define FREQUENCY 997 /* samples of cycles per second: a prime number, so that no loop is in step */
#define MOST_SETS 4 /* sets of groups that take turns: with more, each has too few samples */
#define LEAST_MS 100 /* shortest remaining budget in which functions have enough samples */
#define ALL_PERCENT 95 /* percent of the time: a function with more has the values of the whole */

/**
 * struct why_functions - a measurement of functions
 * @w: the search
 * @host: host whose formulas use events that can be sampled
 * @cgroup: cgroup whose tasks are sampled, or NULL
 */
struct why_functions {
	struct why *w;
	const struct host *host;
	const struct why_sampler *sampler;
	const char *cgroup;
};

/*
 * Return: whether the largest function has enough of the time to be printed, but not nearly all of
 * it.
 */
static bool has_parts_of_time(const struct why_samples *s)
{
	double most = where__largest_function(&s->where, *s->sampled[1] ? 1 : 0);

	return most >= TELLING_PERCENT && most < ALL_PERCENT;
}

/* Return: whether functions can be compared with a tree of the whole target. */
static bool has_tree(const struct why *w)
{
	const struct way *way;

	/*
	 * Addresses of samples are synthetic if counts do not follow the program, and on whole
	 * CPUs.
	 */
	if (simulated__machine() &&
	    (!simulated__follows() || why_target__is_of_cpus(&w->answer.target)))
		return false;
	vec__for_each (way, &w->answer.ways)
		if (way->state != WAY_NOTHING && way->state != WAY_NONE)
			return true;
	return false;
}

static bool may_measure_functions(const struct why *w)
{
	double least = LEAST_MS / 1e3;

	return !w->outcome.signal && !w->status && why_search__may_run(w, 1) &&
	       (!w->end || why_search__now() + least <= w->end);
}

static void why_functions__ask(const struct why_functions *f, const char *groups,
			       struct request *req)
{
	*req = (struct request)REQUEST_INIT;
	req->target = f->sampler->target;
	req->cpu_text = f->w->answer.target.cpus;
	req->cputype = f->w->answer.target.cputype;
	req->each_cgroup = f->cgroup;
	req->cgroups_option = "-G";
	req->aggr = AGGR_FUNCTION;
	req->rows_given = true;
	req->frequency = FREQUENCY;
	req->metrics = groups;
	req->metric_only = req->error = true;
	req->wants = WANT_METRICS | WANT_TREE | WANT_ERRORS;
	/* Missing names were already noted with the places, and this run prints no rows. */
	req->notes = NOTE(HOST) | NOTE(REFUSED) | NOTE(UNWHOLE) | NOTE(FAILED);
	req->timeout_ms = why_search__length_ms(f->w, f->w->end);
	req->end_ns = f->w->end * NS_PER_S;
}

/* Return: how many sets the groups form, if each set must fit the counters; 0 if unknown. */
static int why_functions__count_sets(const struct why_functions *f, const char *groups)
{
	struct err err = ERR_INIT;
	struct request req;
	struct run *run;
	int nr = 0;

	why_functions__ask(f, groups, &req);
	if (!run__plan(f->host, &req, &run, &err))
		nr = run__sets(run)->nr;
	run__close(run);
	return nr;
}

/*
 * Choose the first level, and then as many nodes along the ways as the counters have room for.
 *
 * Return: whether the first level can be counted with events that can be sampled.
 */
static bool choose_groups(const struct why_functions *f, struct sb *groups)
{
	const struct ways *ways = &f->w->answer.ways;
	auto_free(sb) with = SB_INIT;
	int len = strcspn(ways->first_groups, ",");

	sb__add(groups, ways->first_groups, len);
	if (!why_functions__count_sets(f, sb__str(groups)))
		return false;
	sb__puts(&with, sb__str(groups));
	for (int depth = 1; ways__add_siblings(ways, depth, &with); depth++) {
		int sets = why_functions__count_sets(f, sb__str(&with));

		if (!sets || sets > MOST_SETS)
			break;
		sb__clear(groups);
		sb__puts(groups, sb__str(&with));
	}
	return true;
}

static void why_functions__begin(void *arg)
{
	const struct why_functions *f = arg;

	why_search__begin_turn(f->w);
}

static void why_functions__take(void *arg, const struct grid *g)
{
	const struct why_functions *f = arg;

	ways__take_functions(&f->w->answer.ways, g);
}

/* Measure functions. A failure is ignored, since the answer is complete without them. */
static void measure_functions(struct why_functions *f)
{
	const struct run_taker taker = {
		.begins = why_functions__begin, .sites = why_functions__take, .arg = f};
	struct why *w = f->w;
	auto_free(sb) groups = SB_INIT;
	struct run_outcome outcome = {0};
	struct request req;

	if (!choose_groups(f, &groups))
		return;
	if (w->verbose)
		say("measuring functions: %s", sb__str(&groups));
	why_functions__ask(f, sb__str(&groups), &req);
	measure(f->host, &req, &taker, &outcome);
	w->outcome.signal = outcome.signal;
	if (outcome.signal)
		w->answer.ended = "it was interrupted";
	if (outcome.status > 0)
		w->status = outcome.status;
}

void why_functions(struct why *w, const struct why_sampler *s)
{
	struct host_options options = *host_asked();
	struct err err = ERR_INIT;
	struct host host = {0};

	options.plain = true;
	if (!has_tree(w) || !may_measure_functions(w) || host__load(&host, &options, NULL, &err)) {
		host__free(&host);
		return;
	}
	signals__install();
	for (int run = 0; run < w->answer.samples.nr; run++) {
		struct why_functions f = {.w = w,
					  .host = &host,
					  .sampler = s,
					  .cgroup = why_sampler__cgroup(s, run)};

		if (may_measure_functions(w) && has_parts_of_time(&w->answer.samples.at[run]))
			measure_functions(&f);
	}
	signals__restore();
	host__free(&host);
}
