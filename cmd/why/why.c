// SPDX-License-Identifier: GPL-2.0-only
/*
 * "tma why" measures the first two levels of the TopDown tree, then the children of the bottleneck,
 * and so on down; then it samples the program, and prints the answer.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "colour.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "run/run.h"
#include "streams.h"
#include "why/search.h"

#define WINDOW_MS 1000 /* length of a window, in ms */
#define FIRST_LEVELS 2
#define SEARCH_SHARE 0.75 /* share of the budget; the rest is for the samples */
#define READING_S 5  /* time after the budget, to read names of sampled code */
#define MOST_TRIES 2 /* windows for an uncertain node, each twice as long */

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

/* Choose the levels. Without counters or without a tree, only the time is sampled. */
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

const struct way *why__main_way(const struct why_answer *a, const char *cgroup)
{
	const struct way *way, *best = NULL;

	vec__for_each (way, &a->ways) {
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
		s->read_until_ns = (fmax(why_search__now(), w->end) + READING_S) * NS_PER_S;
	for (int i = 0; !rc && i < why_sampler__nr(s) && !w->outcome.signal; i++) {
		const struct way *way = why__main_way(&w->answer, why_sampler__cgroup(s, i));
		const struct where *where;

		if (i && !why_search__may_run(w, 1))
			break;
		why_search__begin_turn(w);
		rc = why_sampler__take(s, i, &w->answer, way ? way->sample : "",
				       why_search__length_ms(w, w->end) * 1000000, err);
		if (rc)
			break;
		where = &w->answer.samples.at[i].where;
		w->outcome.signal = where->signal;
		if (where->signal)
			w->answer.ended = "it was interrupted";
		w->status = w->status ?: where->status;
		if (!w->answer.steps.nr && where->ran.elapsed_ns)
			why_ran__take_sampled(&w->answer.ran, &where->ran, where->weights[0]);
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
	if (!rc && w->answer.steps.nr && !why_search__has_lost_tasks(w))
		why_functions(w, &s);
	why_sampler__close(&s);
	return rc;
}

/* Open the output before anything is measured: if this fails, no time is lost. */
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
	if (w->json)
		why__print_json(&w->answer, &w->output);
	else
		why__print(&w->answer, w->verbose, &w->output);
	return output__close(&w->output, err);
}

static void why__free_all(struct why *w)
{
	struct why_samples *samples;

	for (int i = 0; i < w->answer.steps.nr; i++)
		free(w->answer.steps.at[i].groups);
	vec__free(&w->answer.steps);
	sb__free(&w->first_groups);
	sb__free(&w->along);
	why_ran__free(&w->answer.ran);
	why_busiest__free(&w->answer.busiest);
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

/* Whether a program may be run, as far as its file shows. */
static bool is_runnable(const char *program)
{
	if (!strchr(program, '/'))
		return !text__is_any(program, ".", "..");
	return !file__is_dir("%s", program) && !access(program, X_OK);
}

/* Print why there are no samples. Return: the exit status that a shell would return. */
static int say_no_samples(const struct why *w, int rc, const struct err *err)
{
	const char *program = w->answer.target.argv[0];
	int status = say_err(err);

	if (program && rc == -ENOENT)
		return RUN_NOT_FOUND;
	/* Events can be refused with the same error, so check the file itself. */
	if (program && !is_runnable(program))
		return RUN_NOT_EXECUTABLE;
	return status;
}

/* Refuse a target that is impossible, before anything is measured. */
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

/* If nothing was measured, print why: this is a failure. Return: the exit status. */
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
		    command ? "the command ran for too short a time" : "nothing ran that could be "
								       "counted");
	return STATUS_FAILED;
}

/* Look for the busiest process if the whole machine is measured, but not on a simulated machine. */
static void begin_busiest(struct why *w)
{
	const struct why_target *t = &w->answer.target;

	if (t->system_wide && !t->cpus && !t->cgroups && !*t->argv && !w->host.simulated)
		why_busiest__begin(&w->answer.busiest, w->host.machine->procfs);
}

/* Print the busiest process after a measurement that failed. Return: @status. */
static int print_busiest(struct why *w, int status)
{
	struct err err = ERR_INIT;

	if (w->outcome.signal || !w->answer.busiest.is_asked)
		return status;
	why_busiest__find(&w->answer.busiest, false);
	if (print_answer(w, &err))
		say_err(&err);
	return status;
}

static int why__run(struct why *w, struct err *err)
{
	int status, rc = 0;

	if (read_budget(w, err) || read_runs(w, err) || colour__check(w->colour, err) ||
	    why__check_target(w, err))
		return say_usage(err);
	why_ran__define(host_asked());
	if (find_levels(w, err) ||
	    target__check_cpus(w->host.machine, &w->answer.target.cpu_list, err) ||
	    why__open_file(w, err))
		return say_err(err);
	if (streams__keep(&w->streams,
			  w->json && !w->output_name && *w->answer.target.argv, err))
		return say_err(err);
	begin_busiest(w);
	status = *w->answer.no_counters ? 0 : why_search(w);
	if (status && !w->answer.ways.nr)
		return print_busiest(w, status);
	if (!status && !w->outcome.signal && !w->no_sample && why_search__may_run(w, 1) &&
	    !why_ran__waited(&w->answer.ran) &&
	    !(w->answer.steps.nr && why_search__has_lost_tasks(w)))
		rc = sample(w, err);
	if (rc < 0) {
		status = say_no_samples(w, rc, err);
		if (*w->answer.no_counters)
			return print_busiest(w, status);
		status = 0;
		*err = (struct err)ERR_INIT;
	}
	status = status ?: w->status;
	if (!status && !w->outcome.signal)
		status = tell_nothing(w);
	why_busiest__find(&w->answer.busiest, w->outcome.signal);
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
		OPT_INCR('v', "verbose", &w.verbose, "print all details, and what is measured"),
		OPT_END()
	};
	struct err err = ERR_INIT;
	int status;

	argc = options__parse(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	t->argv = argv;
	w.begin = why_search__now();
	/*
	 * If a command is run again for an uncertain node, one more try is enough: further ones
	 * would have the same result.
	 */
	w.answer.ways.tries = argc ? 1 : MOST_TRIES;
	w.answer.ways.goes_on = !argc;
	w.answer.ran.has_cgroups = t->cgroups;
	if ((!argc || t->cgroups) && !t->cpus && !t->pids && !t->tids)
		t->system_wide = true;
	progress__begin(&w.progress);
	status = tell_odd(&w.host, why__run(&w, &err));
	why__free_all(&w);
	return status;
}
