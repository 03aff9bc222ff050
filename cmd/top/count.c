// SPDX-License-Identifier: GPL-2.0-only
/* The runs of "tma top", and where their rows go. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "count/clock.h"
#include "count/cpu_time.h"
#include "machine/machine.h"
#include "plan/schedule.h"
#include "screen/screen.h"
#include "tables/tables.h"
#include "top/top.h"
#include "writers/page.h"
#include "writers/writer.h"

#define MOST_TRIES 3
#define PROCESSES_ENDED "the processes have ended"

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
		return !t->own || t->pids || top_requests__choose_again(t);
	return (t->own || (r == &t->places && top__rows(t->model) == TOP_PROCESSES)) &&
	       top_requests__choose_again(t);
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
 * Start the run of the rows now. If it started only after the next row of the whole machine, each
 * of its rows would end a row later: the wait for it would take the whole interval, in which the
 * whole machine is not read within its row, so that its errors are unknown. Return: 0 or -errno.
 */
static int start_places(struct tops *t, struct err *err)
{
	int step;

	do {
		step = next_step(t->places.run, err);
	} while (step == RUN_NOTED);
	if (step >= 0)
		return 0;
	run__close(t->places.run);
	t->places.run = NULL;
	return step;
}

static void ask_for_started_places(struct tops *t)
{
	top_requests__places(t);
	t->places.req.start_step = true;
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
	rc = begin_or_choose(t, &t->places, ask_for_started_places, &places_err);
	if (rc > 0)
		rc = start_places(t, &places_err);
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
			      : t->pids && rc == -ESRCH ? PROCESSES_ENDED
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
	rc = begin_or_choose(t, &t->whole, top_requests__whole, err);
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
		t->changed = top_requests__choose_again(t);
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
	if (t->turned)
		return 1;
	if (top__rows(t->model) == TOP_PROCESSES)
		top__drop_rows(t->model);
	top__set_rows_message(t->model, places_err.msg[0] ? places_err.msg : PROCESSES_ENDED);
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
		top_requests__choose_again(t);
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
