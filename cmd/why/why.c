// SPDX-License-Identifier: GPL-2.0-only
/*
 * "tma why" measures the first two levels of the TopDown tree, then the parts of what is the
 * bottleneck, and so on down. Each measurement is a run with a verdict, which is taken.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/num.h"
#include "base/xalloc.h"
#include "plan/sets.h"
#include "colour.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "run/run.h"
#include "streams.h"
#include "why/why.h"

#define NS_PER_S 1e9
#define WINDOW_MS 1000 /* for which a target is counted that goes on by itself */
#define LONGEST_WINDOW_MS 8000
#define SHORTEST_MS 10 /* that is counted for */
#define INTERVAL_MS 100 /* in which the first level may become another one */
#define MOST_STEPS 12
#define FIRST_LEVELS 2
#define SEARCH_SHARE 0.75 /* of the budget; the rest is for the samples */
#define READING_S 5  /* for names of what was sampled, behind the end of the budget */
#define MOST_TRIES 2 /* in windows, each twice as long, for what is not certain */

/**
 * struct why - a search under way
 * @host:   which is measured on
 * @outcome: of the latest run; @status: the exit status that it came to
 * @levels: of the tree, that the first measurement has; @runs: of the command so far
 * @most_runs: that there may be, or windows; 0 for any number
 * @window_ms: of the next measurement, of what is no command
 * @end:    when the budget ends, in seconds of the clock; 0 without one
 * @search_end: the same of the time for the way: what is left is for the samples
 * @first_groups: that the first measurement has
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
	struct sb first_groups;
	struct streams streams;
	struct output output;
	struct progress progress;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

/* --- What a measurement is asked for --------------------------------------------------------- */

/* How long a step may take that is to be over at @end, in ms; 0 for as long as the command lasts.
 */
static uint64_t length_ms(const struct why *w, double end)
{
	uint64_t ms = *w->answer.target.argv ? 0 : w->window_ms, left;

	if (!end)
		return ms;
	left = end > now() ? (end - now()) * 1000 : 0;
	left = left > SHORTEST_MS ? left : SHORTEST_MS;
	return !ms || left < ms ? left : ms;
}

/*
 * A window has intervals, which tell when the first level becomes another one, and so has the first
 * run of a command that may end by itself.
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

/* Ask for some groups; "" is the first levels. */
static void why__ask(const struct why *w, const char *groups, bool passes, struct request *req)
{
	const struct why_target *t = &w->answer.target;

	*req = (struct request)REQUEST_INIT;
	why_target__request(t, req);
	req->verdict = true;
	req->passes = passes;
	req->wants = WANT_RATIOS | WANT_METRICS;
	req->metrics = groups;
	if (!*groups) {
		req->topdown = req->metric_only = true;
		req->td_level = w->levels;
	} else {
		req->wants |= WANT_EVENTS | WANT_RATES;
	}
	ask_for_length(w, req, length_ms(w, w->search_end));
}

/* --- The command's own input and output ------------------------------------------------------ */

static void discard_later_output(void)
{
	streams__discard_output();
	say("the command runs again for each step: its later standard output is discarded "
	    "(--keep-output shows it)");
}

/* Says on the terminal which step it is, and how much of the budget is left. */
static void show_progress(struct why *w)
{
	double share = w->end ? (now() - w->begin) / (w->end - w->begin) : (double)NAN;

	if (*w->answer.target.argv)
		progress__show(&w->progress, share, "step %d, run %d of the command",
			       w->answer.steps.nr + 1, w->runs + 1);
	else
		progress__show(&w->progress, share, "step %d", w->answer.steps.nr + 1);
}

/* The first run has what the user gave; the later ones the same input again, if it can be had. */
static void begin_turn(void *arg)
{
	struct why *w = arg;

	if (!*w->answer.target.argv) {
		show_progress(w);
		return;
	}
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

/* Runs that failed or were interrupted tell nothing new, except for the first. */
static void why__take(void *arg, const struct grid *g, const struct run_outcome *outcome)
{
	struct why *w = arg;

	if (!w->answer.steps.nr && g->has_cpu_time && *w->answer.target.argv)
		w->answer.ran = (struct why_ran){g->elapsed_ns, g->user_ns, g->system_ns};
	if (!w->answer.steps.nr || (!outcome->status && !session__signal()))
		ways__take(&w->answer.ways, g);
}

/* Measure some groups. Return: the exit status. */
static int take_step(struct why *w, const char *groups, bool again)
{
	const struct run_taker taker = {
		.begins = begin_turn, .row = why__take_row, .end = why__take, .arg = w};
	struct err err = ERR_INIT;
	struct request req;
	double begin = now();
	int status, runs = w->runs;

	if (w->verbose)
		say("measuring %s", *groups ? groups : "the first levels");
	ways__begin(&w->answer.ways, (begin - w->begin) * NS_PER_S);
	why__ask(w, groups, again && *w->answer.target.argv, &req);
	status = refresh_host(&w->host, &err) ? say_err(&err)
					      : measure(&w->host, &req, &taker, &w->outcome);
	w->status = status;
	vec__push(&w->answer.steps, ((struct why_step){.groups = xstrdup(groups),
						       .seconds = now() - begin,
						       .runs = w->runs - runs,
						       .again = again}));
	return status;
}

/* --- What to measure next -------------------------------------------------------------------- */

/* Return: in how many sets the counters hold some groups; 0 where nobody knows. */
static int count_sets(struct why *w, const char *groups)
{
	struct err err = ERR_INIT;
	struct request req;
	struct run *run;
	int nr = 0;

	why__ask(w, groups, false, &req);
	if (run__plan(&w->host, &req, &run, &err))
		say_err(&err);
	else
		nr = run__sets(run)->nr;
	run__close(run);
	return nr;
}

/*
 * Children of what may be next come along where that takes no more sets of groups than without: if
 * it turns out to be next, a step is saved.
 */
static void add_branches(struct why *w, struct sb *groups)
{
	auto_free(sb) with = SB_INIT;
	int sets;

	sb__puts(&with, sb__str(groups));
	if (!ways__add_branches(&w->answer.ways, &with))
		return;
	sets = count_sets(w, sb__str(&with));
	if (!sets || sets > count_sets(w, sb__str(groups)))
		return;
	sb__clear(groups);
	sb__puts(groups, sb__str(&with));
}

/* Whether there may be so many more runs, or windows. */
static bool may_run(const struct why *w, uint64_t more)
{
	uint64_t done = *w->answer.target.argv ? w->runs : w->answer.steps.nr;

	return !w->most_runs || done + more <= w->most_runs;
}

/* Whether there may be all runs of a step; one is left for samples. */
static bool may_measure(struct why *w, const char *groups, bool again)
{
	int runs = w->most_runs && again && *w->answer.target.argv ? count_sets(w, groups) : 1;

	return may_run(w, runs + !w->no_sample);
}

static const char *ended_early(struct why *w)
{
	if (w->outcome.signal)
		return "it was interrupted";
	if (w->search_end && now() >= w->search_end)
		return "its time budget is spent";
	if (w->answer.steps.nr >= MOST_STEPS)
		return "too many steps without a result";
	return NULL;
}

/* Why a search did not go on; tma's own failures have been told. */
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

/* Return: the exit status of the measurement that failed, or 0. */
static int search(struct why *w)
{
	auto_free(sb) groups = SB_INIT;
	bool again = false;
	int status;

	signals__install();
	status = take_step(w, "", false);
	while (!status && !w->once && !why_ran__waited(&w->answer.ran) &&
	       ways__next(&w->answer.ways, &groups, &again)) {
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
	if (status)
		tell_failure(w, status);
	return status;
}

/* --- The beginning and the end --------------------------------------------------------------- */

static int read_budget(struct why *w, struct err *err)
{
	double seconds;

	if (!w->budget_text)
		return 0;
	if (!num__parse_time(w->budget_text, &seconds) || seconds * 1000 < SHORTEST_MS)
		return err__set(err, EINVAL,
				"--budget %s: expected a time of at least 10ms, such as 500ms, 30s "
				"or 2m",
				w->budget_text);
	w->end = w->begin + seconds;
	w->search_end = w->no_sample ? w->end : w->begin + seconds * SEARCH_SHARE;
	return 0;
}

static int read_runs(struct why *w, struct err *err)
{
	return !w->runs_text
		       ? 0
		       : num__parse_u64("--runs", w->runs_text, 1, UINT32_MAX, &w->most_runs, err);
}

/* Without counters or a tree there are still samples of the time. */
static int find_levels(struct why *w, struct err *err)
{
	const char *group = "";
	int rc = load_host(&w->host, err);
	int max = rc ? 0 : host__levels(&w->host, &group, &w->answer.no_counters);

	w->levels = w->once || max < FIRST_LEVELS ? max : FIRST_LEVELS;
	for (int i = 1; i <= w->levels; i++)
		sb__printf(&w->first_groups, "%s%s%d", i > 1 ? "," : "", group, i);
	w->answer.ways.first_groups = sb__str(&w->first_groups);
	return rc;
}

/*
 * The way whose end is to be found in the program: of those of a cgroup, that of the cores where
 * most time was spent.
 */
static const struct way *main_way(const struct why *w, const char *cgroup)
{
	const struct way *way, *best = NULL;

	vec__for_each (way, &w->answer.ways) {
		if (cgroup && (!way->cgroup || strcmp(way->cgroup, cgroup)))
			continue;
		if (way->path.nr && (!best || way->share > best->share))
			best = way;
	}
	return best;
}

static int sample_all(struct why *w, struct why_sampler *s, struct err *err)
{
	int rc = 0;

	if (w->end)
		s->read_until_ns = ((now() > w->end ? now() : w->end) + READING_S) * NS_PER_S;
	for (int i = 0; !rc && i < why_sampler__nr(s) && !w->outcome.signal; i++) {
		const struct way *way = main_way(w, why_sampler__cgroup(s, i));
		const struct where *where;

		if (i && !may_run(w, 1))
			break;
		begin_turn(w);
		rc = why_sampler__take(s, i, &w->answer, way ? way->sample : "",
				       length_ms(w, w->end) * 1000000, err);
		if (rc)
			break;
		where = &w->answer.samples.at[i].where;
		w->outcome.signal = where->signal;
		w->status = w->status ?: where->status;
		if (where->status && !w->answer.steps.nr) {
			w->answer.ended = "the command failed";
			say("the command failed (status %d)", where->status);
		}
	}
	return rc;
}

static int sample(struct why *w, struct err *err)
{
	struct why_sampler s = {.host = &w->host, .download = w->download};
	int rc = why_sampler__open(&s, &w->answer, err);

	if (!rc && !w->answer.no_samples)
		rc = sample_all(w, &s, err);
	why_sampler__close(&s);
	return rc;
}

/* That there is no place for the answer is found out before anything is measured. */
static int why__open_file(struct why *w, struct err *err)
{
	if (!w->output_name || !strcmp(w->output_name, "-"))
		return 0;
	return output__open(&w->output, w->output_name, false, err);
}

static int print_answer(struct why *w, struct err *err)
{
	int rc = streams__give_back(&w->streams, err) ? -err->code : 0;

	if (!rc && !w->output.path)
		rc = output__open(&w->output, NULL, false, err);
	if (rc)
		return rc;
	w->output.colour = colour__is_wanted(w->colour, w->output.path ? w->output.fd
								       : STDOUT_FILENO);
	progress__clear();
	(w->json ? why__print_json : why__print)(&w->answer, &w->output);
	return output__close(&w->output, err);
}

static void why__free_all(struct why *w)
{
	struct why_samples *samples;

	for (int i = 0; i < w->answer.steps.nr; i++)
		free(w->answer.steps.at[i].groups);
	vec__free(&w->answer.steps);
	sb__free(&w->first_groups);
	ways__free(&w->answer.ways);
	vec__for_each (samples, &w->answer.samples) {
		free(samples->cgroup);
		where__free(&samples->where);
		for (int i = 0; i < WHERE_EVENTS; i++)
			free(samples->sampled[i]);
	}
	vec__free(&w->answer.samples);
	cpulist__free(&w->answer.target.cpu_list);
	host__free(&w->host);
}

/* Say why samples could not be had. Return: the exit status, as a shell would have it. */
static int say_no_samples(const struct why *w, int rc, const struct err *err)
{
	const char *program = w->answer.target.argv[0];
	int status = say_err(err);

	if (program && rc == -ENOENT)
		return RUN_NOT_FOUND;
	/* Events may be refused likewise, but not for the sake of the file. */
	if (program && strchr(program, '/') && access(program, X_OK))
		return RUN_NOT_EXECUTABLE;
	return status;
}

/* What cannot be is said before anything is measured. */
static int why__check_target(struct why *w, struct err *err)
{
	struct why_target *t = &w->answer.target;
	struct request req = REQUEST_INIT;
	int rc = t->cpus ? cpulist__parse("-C", t->cpus, &t->cpu_list, err) : 0;

	if (!rc && t->cpus && !t->cpu_list.nr)
		rc = err__set(err, EINVAL, "-C needs a list of CPUs, such as 0-3,8");
	why_target__request(t, &req);
	if (!rc && t->cgroups && target__names_tasks(&req.target))
		rc = err__set(err, EINVAL,
			      "-G counts tasks on CPUs: it cannot be combined with -p or -t");
	return rc ?: target__check_tasks(&req.target, err);
}

/* An answer that says nothing is no success. Return: the exit status. */
static int tell_nothing(const struct why *w)
{
	bool command = *w->answer.target.argv;

	if (why__has_answer(&w->answer))
		return 0;
	if (*w->answer.no_counters && !w->answer.samples.nr)
		say("nothing was measured: %s", w->answer.no_counters);
	else if (w->outcome.starved)
		say("nothing was measured: %d events had no turn on the counters: %s",
		    w->outcome.starved,
		    command ? "let the command run for longer" : "count for longer");
	else
		say("nothing was measured: %s",
		    command ? "the command ran for too short a time" : "nothing to be counted ran");
	return STATUS_FAILED;
}

static int why__run(struct why *w, struct err *err)
{
	int status, rc = 0;

	if (read_budget(w, err) || read_runs(w, err) || colour__check(w->colour, err) ||
	    why__check_target(w, err))
		return say_usage(err);
	if (find_levels(w, err) || why__open_file(w, err))
		return say_err(err);
	if (streams__keep(&w->streams,
			  w->json && !w->output_name && *w->answer.target.argv, err))
		return say_err(err);
	status = *w->answer.no_counters ? 0 : search(w);
	if (status && !w->answer.ways.nr)
		return status;
	if (!status && !w->outcome.signal && !w->no_sample && may_run(w, 1) &&
	    !why_ran__waited(&w->answer.ran))
		rc = sample(w, err);
	if (rc < 0) {
		status = say_no_samples(w, rc, err);
		if (*w->answer.no_counters)
			return status;
		status = 0;
		*err = (struct err)ERR_INIT;
	}
	status = status ?: w->status;
	if (!status && !w->outcome.signal)
		status = tell_nothing(w);
	rc = print_answer(w, err);
	if (rc)
		say_err(err);
	if (!status && rc)
		status = STATUS_FAILED;
	return w->outcome.signal ? 128 + w->outcome.signal : status;
}

int cmd_why(int argc, const char **argv)
{
	static const char *const usage[] = {"tma why [<options>] [<command>]", NULL};
	struct why w = {
		.window_ms = WINDOW_MS,
		.streams = STREAMS_INIT};
	struct why_target *t = &w.answer.target;
	const struct option options[] = {
		OPT_GROUP("Where"),
		OPT_BOOLEAN('a', "all-cpus", &t->system_wide, "on all CPUs"),
		OPT_STRING('C', "cpu", &t->cpus, "cpu", "on these CPUs (0-3,8)"),
		OPT_STRING('p', "pid", &t->pids, "pid", "these processes"),
		OPT_STRING('t', "tid", &t->tids, "tid", "these threads"),
		OPT_STRING('G', "cgroup", &t->cgroups, "cgroup", "these cgroups"),
		OPT_STRING(0, "cputype", &t->cputype, "core|atom",
			   "on a hybrid machine, only cores of this type"),
		OPT_TABLES(),
		OPT_GROUP("How"),
		OPT_BOOLEAN(0, "once", &w.once, "measure once: the whole tree, multiplexed"),
		OPT_STRING(0, "runs", &w.runs_text, "n",
			   "run the command at most N times, or count N windows"),
		OPT_STRING(0, "budget", &w.budget_text, "time",
			   "stop after this time with what is known (500ms, 30s, 2m)"),
		OPT_BOOLEAN(0, "no-sample", &w.no_sample,
			    "do not look for the place in the program"),
		OPT_BOOLEAN(0, "debuginfod", &w.download,
			    "fetch debug information that is not installed"),
		OPT_BOOLEAN(0, "keep-output", &w.keep_output,
			    "show the standard output of all runs"),
		OPT_GROUP("How it is printed"),
		OPT_BOOLEAN('j', "json-output", &w.json, "JSON"),
		OPT_STRING('o', "output", &w.output_name, "file", "write to a file"),
		OPT_COLOUR(&w.colour),
		OPT_INCR('v', "verbose", &w.verbose, "print what is measured"),
		OPT_END()
	};
	struct err err = ERR_INIT;
	int status;

	argc = options__parse(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	t->argv = argv;
	w.begin = now();
	/* What was uncertain in runs of its own is so in others. */
	w.answer.ways.tries = argc ? 1 : MOST_TRIES;
	w.answer.ways.goes_on = !argc;
	if ((!argc || t->cgroups) && !t->cpus && !t->pids && !t->tids)
		t->system_wide = true;
	progress__begin(&w.progress);
	status = tell_odd(&w.host, why__run(&w, &err));
	why__free_all(&w);
	return status;
}
