// SPDX-License-Identifier: GPL-2.0-only
/* The runs of "tma top", and where their rows go. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "count/cpu_time.h"
#include "machine/machine.h"
#include "metrics/metrics.h"
#include "plan/schedule.h"
#include "run/metric_names.h"
#include "screen/screen.h"
#include "simulated.h"
#include "tables/tables.h"
#include "top/top.h"
#include "writers/page.h"
#include "writers/writer.h"

#define MOST_TRIES 3
#define FIRST_LEVELS 2	      /* levels of the whole machine, if no branch is chosen */
#define ALL_CGROUPS "^[^/]*$" /* pattern for cgroups of the first level */
#define MOST_FREQUENCY 499 /* samples per second, for a CPU or task */
#define LEAST_FREQUENCY 99
#define MOST_SAMPLES 4000 /* samples per second, for all CPUs */
#define LEAST_MS 150 /* shortest first row of functions, in ms */
#define NS_PER_MS 1000000
#define CPU_TIME "user_time,system_time"
#define OWN_FAULTS "task-clock,page-faults,minor-faults,major-faults"
#define SWITCHES_FAULTS ",context-switches,page-faults"
#define WITHOUT_COUNTERS \
	CPU_TIME ",context-switches,cpu-migrations,page-faults,minor-faults,major-faults"

/* --- Requests -------------------------------------------------------------------------------- */

/*
 * Put the metrics: the children and all ancestors of the branch; without a branch, the first
 * levels. Functions have no deeper levels: with more groups, each would have fewer samples.
 */
static void put_metrics(const struct tops *t, const struct top_run *r, int levels, struct sb *sb)
{
	const char *branch = top__branch(t->model), *above;
	bool deeper = r == &t->whole || top__rows(t->model) != TOP_FUNCTIONS;

	if (levels > t->levels)
		levels = t->levels;
	if (!branch)
		for (int i = 1; i <= levels; i++)
			sb__printf(sb, "%s%s%d", i > 1 ? "," : "", t->group, i);
	for (int i = 0; branch && (above = top__each_above(t->model, i)); i++)
		sb__printf(sb, "%s%s", i ? "," : "", above);
	if (branch)
		sb__printf(sb, ",%s_group", branch);
	else if (deeper && levels > 1 && t->deeper.len)
		sb__printf(sb, ",%s_group", sb__str(&t->deeper));
}

static void top_count__ask(struct tops *t, struct top_run *r, const char *event, int levels)
{
	struct request *req = &r->req;

	r->event = (struct request_event){.text = event};
	r->rows = 0;
	sb__clear(&r->metrics);
	*req = (struct request)REQUEST_INIT;
	req->interval_ms = t->options.interval_ms;
	req->events = &r->event;
	req->nr_events = 1;
	req->cgroups_option = t->cgroups ? "-G" : "cgroups of the first level";
	req->wake_fd = t->screen ? screen__fd(t->screen) : 0;
	/*
	 * Threads that have just begun may lack some counts: their rows show which values are
	 * missing, so no note is needed.
	 */
	if (r == &t->places)
		req->notes &= ~NOTE(LACKING);
	req->wants = WANT_EVENTS | WANT_RATIOS | WANT_RATES | WANT_METRICS | WANT_TREE |
		     WANT_STATUS | WANT_REASONS | WANT_ERRORS;
	if (!t->levels)
		return;
	put_metrics(t, r, levels, &r->metrics);
	req->metrics = sb__str(&r->metrics);
	req->error = true;
}

/* Choose the processes again. Return: whether this is allowed: not if the user named them. */
static bool choose_again(struct tops *t)
{
	if (t->pids)
		return false;
	process_pick__choose(&t->pick, t->most, &t->picked);
	return true;
}

/*
 * Ask for the user's own processes, which are the whole and the rows in one. The kernel does not
 * count its switches of tasks for a user who may count the user part alone.
 */
static void ask_for_own(struct tops *t)
{
	struct request *req = &t->whole.req;

	if (!t->pids && !t->picked.len)
		choose_again(t);
	sb__clear(&t->mine);
	sb__puts(&t->mine, t->pids ?: sb__str(&t->picked));
	top_count__ask(t, &t->whole,
		       t->no_perf  ? CPU_TIME
		       : t->levels ? "task-clock"
				   : OWN_FAULTS,
		       FIRST_LEVELS);
	req->along = t->levels ? TOP_IPC : NULL;
	req->target.pids = sb__str(&t->mine);
	req->places = req->by_process = true;
	req->places_by = AGGR_THREAD;
	req->notes &= ~NOTE(LACKING);
}

static void ask_for_whole(struct tops *t)
{
	/* The clock frequency needs the CPU time of those CPUs whose cycles are counted. */
	static const char *const rates[] = {TOP_IPC "," TOP_GHZ, TOP_IPC};

	if (t->own) {
		ask_for_own(t);
		return;
	}
	top_count__ask(t, &t->whole, t->levels ? CPU_TIME : WITHOUT_COUNTERS, FIRST_LEVELS);
	t->whole.req.along = t->levels ? rates[simulated__machine() != NULL] : NULL;
	t->whole.req.target.system_wide = true;
	t->whole.req.places = t->options.rows == TOP_CPUS;
	t->whole.req.places_by = AGGR_NONE;
}

/*
 * Choose the samples per second of each CPU: fewer if there are many CPUs, so that the cost of
 * reading all samples stays the same.
 */
static uint64_t frequency_of(const struct tops *t, bool per_cpu)
{
	uint64_t each = per_cpu ? MOST_SAMPLES / t->options.cpus : MOST_FREQUENCY;

	return each > MOST_FREQUENCY ? MOST_FREQUENCY
	       : each < LEAST_FREQUENCY ? LEAST_FREQUENCY
					: each;
}

/*
 * Choose the length of the first row of functions: it ends with the current row of the whole
 * machine, or with the next one if the current row ends too soon for samples.
 */
static uint64_t first_ms_of(const struct tops *t)
{
	uint64_t now = clock__now_ns(), passed = (now - t->row_ns) / NS_PER_MS;
	uint64_t each = t->options.interval_ms;

	if (!t->row_ns || passed >= each)
		return 0;
	return each - passed < LEAST_MS ? 2 * each - passed : each - passed;
}

/*
 * Count functions of the chosen process, else of the processes that the user named, else of all
 * CPUs.
 */
static void ask_for_functions(struct tops *t)
{
	struct request *req = &t->places.req;
	int process = top__process(t->model);

	sb__clear(&t->process);
	if (process)
		sb__printf(&t->process, "%d", process);
	top_count__ask(t, &t->places, process || t->pids || t->own ? "task-clock" : "cpu-clock",
		       t->place_levels);
	/* A clock event next to the tree would be sampled too. */
	if (t->levels)
		req->nr_events = 0;
	req->target.pids = process		? sb__str(&t->process)
			   : t->own && !t->pids ? sb__str(&t->picked)
						: t->pids;
	req->target.system_wide = !req->target.pids;
	req->aggr = AGGR_FUNCTION;
	req->metric_only = t->levels;
	req->frequency = frequency_of(t, req->target.system_wide);
	req->kept_rows = t->options.functions_ms / t->options.interval_ms;
	req->first_ms = first_ms_of(t);
	/*
	 * The screen itself shows which functions are near, and which are named after their file.
	 */
	req->notes &= ~(NOTE(SITES_END) | NOTE(SITES_NAMES));
}

static void ask_for_places(struct tops *t)
{
	struct request *req = &t->places.req;

	if (top__rows(t->model) == TOP_FUNCTIONS) {
		ask_for_functions(t);
		return;
	}
	if (t->options.rows == TOP_CGROUPS) {
		top_count__ask(t, &t->places, t->levels ? "cpu-clock" : "cpu-clock" SWITCHES_FAULTS,
			       t->place_levels);
		req->target.system_wide = true;
		req->each_cgroup = t->cgroups ?: ALL_CGROUPS;
		return;
	}
	top_count__ask(t, &t->places, t->levels ? "task-clock" : "task-clock" SWITCHES_FAULTS,
		       t->place_levels);
	req->target.pids = sb__str(&t->picked);
	req->places = req->by_process = true;
	req->places_by = AGGR_THREAD;
}

void top_count__define(void)
{
	auto_free(sb) names = SB_INIT;

	metric_names__add(&names, host_asked(),
			  TOP_IPC "=instructions/cycles," TOP_GHZ
				  "=cycles/duration_time/1000000000",
			  NULL);
}

/* --- Rows ------------------------------------------------------------------------------------ */

/* Write a row into the page, which 'w' saves. If columns change, a new table begins. */
static void keep_row(struct tops *t, const struct grid *g)
{
	const struct writer_options opts = {.format = format__find("html"),
					    .page = t->page,
					    .head = sb__str(&t->head),
					    .metric_only = t->levels > 0,
					    .error = true};
	struct err err = ERR_INIT;

	if (!t->page)
		return;
	if (!t->writer)
		t->writer = writer__new(&opts, g, stderr);
	if (writer__rows(t->writer, &err)) {
		top__set_message(t->model, err.msg, true);
		writer__free(t->writer);
		page__free(t->page);
		t->writer = NULL;
		t->page = NULL;
	}
}

static void end_page(struct tops *t)
{
	struct err err = ERR_INIT;

	if (t->writer)
		writer__finish(t->writer, &err);
	writer__free(t->writer);
	t->writer = NULL;
}

static bool has_count(const struct grid *g, enum grid_kind kind)
{
	for (int c = 0; c < g->nr_columns; c++)
		for (int row = 0; row < g->nr_rows; row++)
			if (g->columns[c].kind == kind &&
			    grid__cell(g, c, row)->status < CELL_NOT_COUNTED)
				return true;
	return false;
}

/* Read CPU time from procfs: user_time and system_time lack the time of nice tasks. */
static void take_busy(struct tops *t, const struct grid *g)
{
	uint64_t now = cpus__read_busy(t->host.machine->procfs);

	if (t->busy_ns && now >= t->busy_ns && g->elapsed_ns)
		top__set_busy(t->model, (double)(now - t->busy_ns) / g->elapsed_ns);
	t->busy_ns = now;
}

/* Whether the rows are of the run of the whole. */
static bool has_own_rows(const struct tops *t)
{
	return t->own && top__rows(t->model) == TOP_PROCESSES;
}

static const char *words_without_rows(const struct tops *t)
{
	if (top__rows(t->model) != TOP_FUNCTIONS)
		return "no process had CPU time";
	return t->no_perf ? TOP_NO_FUNCTIONS : "functions come with their first samples";
}

static void top_count__take_whole(struct tops *t)
{
	struct top_run *r = &t->whole;
	const struct grid *g = run__grid(r->run);

	r->rows++;
	t->row_ns = clock__now_ns();
	t->counted = t->counted || has_count(g, t->levels ? GRID_METRIC : GRID_EVENT);
	top__take_tree(t->model, g);
	take_busy(t, g);
	keep_row(t, g);
	if (top__rows(t->model) == TOP_CORE_TYPES)
		top__take_rows(t->model, g);
	if (top__rows(t->model) == TOP_CPUS)
		top__take_rows(t->model, run__places(r->run));
	if (has_own_rows(t)) {
		top__set_rows_message(t->model, words_without_rows(t));
		top__take_rows(t->model, run__places(r->run));
	}
}

static void take_places(struct tops *t)
{
	struct top_run *r = &t->places;

	r->rows++;
	top__set_user_part(t->model, run__has_user_part_alone(r->run));
	top__take_rows(t->model, r->req.places ? run__places(r->run) : run__grid(r->run));
}

/* --- The runs -------------------------------------------------------------------------------- */

static bool has_places(const struct tops *t)
{
	enum top_rows rows = top__rows(t->model);

	return rows == TOP_CGROUPS || (rows == TOP_FUNCTIONS && !t->no_perf) ||
	       (rows == TOP_PROCESSES && t->picked.len && !t->own);
}

/* If the process whose functions were shown has ended, show functions of all processes. */
static bool leave_process(struct tops *t)
{
	if (top__rows(t->model) != TOP_FUNCTIONS || !top__process(t->model))
		return false;
	top__leave_process(t->model);
	return true;
}

/* Choose others in place of processes that cannot be counted. Return: whether to try them. */
static bool choose_others(struct tops *t, const struct top_run *r, int rc)
{
	if (rc != -ESRCH && rc != -EACCES && rc != -EPERM)
		return false;
	if (r == &t->places && rc == -ESRCH && leave_process(t))
		return !t->own || t->pids || choose_again(t);
	return (t->own || (r == &t->places && top__rows(t->model) == TOP_PROCESSES)) &&
	       choose_again(t);
}

/*
 * Open a run. If a process has ended since it was chosen, or can no longer be counted, choose
 * others.
 */
static int begin_or_choose(struct tops *t, struct top_run *r, void (*ask)(struct tops *),
			   struct err *err)
{
	int rc, tries = 0;

	do {
		*err = (struct err)ERR_INIT;
		ask(t);
		rc = begin_run(&t->host, &r->req, &r->run, err);
	} while (++tries < MOST_TRIES && choose_others(t, r, rc));
	return rc;
}

/* Functions of own processes: name the processes in the title. */
static void name_own(struct tops *t)
{
	auto_free(sb) name = SB_INIT;
	int nr = 1;

	if (!t->own || t->pids || top__rows(t->model) != TOP_FUNCTIONS || top__process(t->model))
		return;
	for (const char *pid = sb__str(&t->picked); (pid = strchr(pid, ',')); pid++)
		nr++;
	if ((uint64_t)nr < t->most)
		sb__puts(&name, "your own processes");
	else
		sb__printf(&name, "%d of your own processes", nr);
	top__set_functions_of(t->model, sb__str(&name));
}

/*
 * Open the run of the rows. If this fails, the tree is still shown, and the reason takes the place
 * of the rows. But if the user named processes or cgroups that cannot be counted, this is an error
 * at the start.
 */
static int begin_places(struct tops *t, struct err *err)
{
	struct err places_err = ERR_INIT;
	int rc;

	top__set_rows_message(t->model, "no process can be counted");
	if (t->pick.error) {
		err__set(&places_err, t->pick.error, "the processes cannot be listed: %s: %s",
			 t->pick.procfs, strerror(t->pick.error));
		top__set_rows_message(t->model, places_err.msg);
	}
	if (!has_places(t)) {
		if (t->own)
			top__set_rows_message(t->model, words_without_rows(t));
		return 0;
	}
	rc = begin_or_choose(t, &t->places, ask_for_places, &places_err);
	if (rc >= 0) {
		name_own(t);
		top__set_rows_message(t->model, words_without_rows(t));
		run__accompany(t->whole.run, t->places.run);
		return 0;
	}
	sb__clear(&t->picked);
	if ((t->pids || t->cgroups) && !t->begun) {
		*err = places_err;
		return rc;
	}
	top__set_rows_message(t->model,
			      t->options.rows == TOP_CGROUPS && !t->cgroups && rc == -ENOENT
				      ? "there is no cgroup below the root"
				      : places_err.msg);
	return 0;
}

/*
 * Choose how many levels are counted for a task. If groups take turns, short tasks would miss some:
 * then only the first level is counted.
 */
static int find_place_levels(const struct tops *t)
{
	struct schedule *schedule = t->levels ? run__schedule(t->whole.run) : NULL;
	int levels = FIRST_LEVELS;

	for (int i = 0; schedule && i < schedule->nr_pmus; i++)
		if (!schedule->pmus[i].all_fit)
			levels = 1;
	schedule__free(schedule);
	return levels;
}

int top_count__begin(struct tops *t, struct err *err)
{
	int rc;

	t->busy_ns = cpus__read_busy(t->host.machine->procfs);
	sb__clear(&t->head);
	sb__printf(&t->head, "%s%s", t->own ? "own processes" : "all CPUs",
		   top__branch(t->model) ? ": parts of " : "");
	sb__puts(&t->head, top__branch(t->model) ?: "");
	rc = begin_or_choose(t, &t->whole, ask_for_whole, err);
	if (rc > 0 && !t->place_levels)
		t->place_levels = find_place_levels(t);
	rc = rc < 0 ? rc : begin_places(t, err);
	t->begun |= !rc;
	return rc;
}

static void end_places(struct tops *t)
{
	if (!t->places.run)
		return;
	if (t->whole.run)
		run__accompany(t->whole.run, NULL);
	run__close(t->places.run);
	t->places.run = NULL;
}

/* Return: RUN_ROW; RUN_END at the end, or if a key ended the wait; -errno. */
static int next_of(struct tops *t, struct top_run *r, struct err *err)
{
	int step;

	do {
		step = next_row(r->run, err);
	} while (step == RUN_WOKEN && !top__wake(t));
	return step == RUN_WOKEN ? RUN_END : step;
}

int top_count__next(struct tops *t, struct err *err)
{
	struct err places_err = ERR_INIT;
	int rc = next_of(t, &t->whole, err);

	/* All own processes that were counted have ended: count others. */
	if (!rc && t->own && !t->quit && !t->changed && !t->turned && !session__signal())
		t->changed = choose_again(t);
	if (rc <= 0)
		return rc;
	top_count__take_whole(t);
	if (!t->places.run)
		return 1;
	if (next_of(t, &t->places, &places_err) > 0) {
		take_places(t);
		return 1;
	}
	/* If a key ended the wait for one run, do not wait for the other run. */
	if (t->quit || t->changed || t->turned)
		return 1;
	/* All processes have ended, or can no longer be counted. */
	end_places(t);
	sb__clear(&t->picked);
	t->turned = leave_process(t) || (t->own && !t->pids);
	if (top__rows(t->model) == TOP_FUNCTIONS && !t->turned)
		top__set_rows_message(t->model, places_err.msg[0] ? places_err.msg
							  : "the processes have ended");
	return 1;
}

void top_count__turn(struct tops *t)
{
	struct err err = ERR_INIT;

	end_places(t);
	sb__clear(&t->picked);
	if (top__rows(t->model) == TOP_PROCESSES) {
		top_count__pick(t);
		return;
	}
	if (t->own)
		choose_again(t);
	if (t->whole.run)
		begin_places(t, &err);
}

bool top_count__pick(struct tops *t)
{
	struct err err = ERR_INIT;

	if (top__rows(t->model) != TOP_PROCESSES)
		return false;
	sb__clear(&t->again);
	if (t->pids)
		sb__puts(&t->again, t->pids);
	else
		process_pick__choose(&t->pick, t->most, &t->again);
	if (!strcmp(sb__str(&t->again), sb__str(&t->picked)))
		return false;
	end_places(t);
	sb__clear(&t->picked);
	sb__puts(&t->picked, sb__str(&t->again));
	if (t->own)
		t->changed = t->whole.run && strcmp(sb__str(&t->picked), sb__str(&t->mine));
	else if (t->whole.run)
		begin_places(t, &err);
	return true;
}

void top_count__end(struct tops *t)
{
	end_places(t);
	end_page(t);
	run__close(t->whole.run);
	t->whole.run = NULL;
}

int top_count__nr_parts(void *tops, const char *name)
{
	const struct tops *t = tops;
	auto_free(sb) group = SB_INIT;
	const char *pmu = NULL;
	int nr = 0;

	sb__printf(&group, "%s_group", name);
	for (int i = 0; t->host.tables && i < tables__nr_metrics(t->host.tables); i++) {
		struct metric_info info;

		tables__metric(t->host.tables, i, &info);
		/* Each core type has a group of this name: count only the metrics of one type. */
		if (!text__has_item(info.groups, ";", sb__str(&group)) ||
		    (pmu && strcmp(pmu, info.pmu)))
			continue;
		pmu = info.pmu;
		nr++;
	}
	return nr;
}
