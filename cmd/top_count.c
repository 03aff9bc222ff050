// SPDX-License-Identifier: GPL-2.0-only
/* What "tma top" counts, as words of "tma stat", and where its rows go. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "metrics/metrics.h"
#include "screen/screen.h"
#include "tables/tables.h"
#include "top.h"
#include "writers/page.h"
#include "writers/writer.h"

#define MOST_TRIES 3
#define FIRST_LEVELS 2	      /* of the whole, without a branch */
#define ALL_CGROUPS "^[^/]*$" /* those of the first level */
#define CPU_TIME "user_time,system_time"
#define WITHOUT_COUNTERS \
	CPU_TIME ",context-switches,cpu-migrations,page-faults,minor-faults,major-faults"

/* --- Words ----------------------------------------------------------------------------------- */

static void add(struct top_run *r, const char *word)
{
	vec__push(&r->words, word);
}

static void add_text(struct top_run *r, const char *option, struct sb *value)
{
	vec__push(&r->texts, sb__detach(value));
	add(r, option);
	add(r, r->texts.at[r->texts.nr - 1]);
}

/* The branch's parts, and all that it is a part of; else the first levels. */
static void put_metrics(const struct tops *t, int levels, struct sb *sb)
{
	const char *branch = top__branch(t->model), *above;

	if (levels > t->levels)
		levels = t->levels;
	if (!branch)
		for (int i = 1; i <= levels; i++)
			sb__printf(sb, "%s%s%d", i > 1 ? "," : "", t->group, i);
	for (int i = 0; branch && (above = top__each_above(t->model, i)); i++)
		sb__printf(sb, "%s%s", i ? "," : "", above);
	if (branch)
		sb__printf(sb, ",%s_group", branch);
}

static void begin_words(const struct tops *t, struct top_run *r)
{
	struct sb interval = SB_INIT;

	r->words.nr = 0;
	for (int i = 0; i < r->texts.nr; i++)
		free(r->texts.at[i]);
	r->texts.nr = 0;
	r->rows = 0;
	add(r, "stat");
	sb__printf(&interval, "%" PRIu64, t->options.interval_ms);
	add_text(r, "-I", &interval);
}

static void add_metrics(const struct tops *t, struct top_run *r, int levels)
{
	struct sb metrics = SB_INIT;

	if (!t->levels)
		return;
	put_metrics(t, levels, &metrics);
	add_text(r, "-M", &metrics);
	add(r, "--error");
}

static void words_of_whole(struct tops *t)
{
	struct top_run *r = &t->whole;

	begin_words(t, r);
	add(r, "-a");
	add(r, "-e");
	add(r, t->levels ? CPU_TIME : WITHOUT_COUNTERS);
	add_metrics(t, r, FIRST_LEVELS);
	add(r, NULL);
}

static void words_of_places(struct tops *t)
{
	struct top_run *r = &t->places;

	begin_words(t, r);
	if (t->options.rows == TOP_CGROUPS) {
		add(r, "-a");
		add(r, "--for-each-cgroup");
		add(r, t->cgroups ?: ALL_CGROUPS);
		add(r, "-e");
		add(r, "cpu-clock");
	} else {
		add(r, "-p");
		add(r, sb__str(&t->picked));
		add(r, "-e");
		add(r, "task-clock");
	}
	add_metrics(t, r, 1);
	add(r, NULL);
}

/* --- Rows ------------------------------------------------------------------------------------ */

/* What was seen goes into a page, which w writes; after a change of columns it goes on below. */
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
		top__say(t->model, err.msg, true);
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

static void take_whole(struct stat_taker *taker, const struct grid *g)
{
	struct top_run *r = (struct top_run *)taker;

	r->rows++;
	top__take_tree(r->tops->model, g);
	keep_row(r->tops, g);
	if (r->tops->options.rows == TOP_CORE_TYPES)
		top__take_rows(r->tops->model, g);
}

static void take_places(struct stat_taker *taker, const struct grid *g)
{
	struct top_run *r = (struct top_run *)taker;

	top__take_rows(r->tops->model, g);
}

static void take_cgroups(struct stat_taker *taker, const struct grid *g)
{
	struct top_run *r = (struct top_run *)taker;

	r->rows++;
	if (r->tops->options.rows == TOP_CGROUPS)
		top__take_rows(r->tops->model, g);
}

static bool wake(struct stat_taker *taker)
{
	return top__wake(((struct top_run *)taker)->tops);
}

/* --- Under way ------------------------------------------------------------------------------- */

static int begin(struct tops *t, struct top_run *r, struct err *err)
{
	r->tops = t;
	r->taker.cgroups_name = t->cgroups ? "-G" : "cgroups of the first level";
	r->taker.wants = WANT_METRICS | WANT_TREE | WANT_STATUS | WANT_REASONS | WANT_ERRORS;
	r->taker.wake = t->screen ? wake : NULL;
	r->taker.wake_fd = t->screen ? screen__fd(t->screen) : 0;
	return stat_measurement__begin(r->words.nr - 1, r->words.at, &r->taker, &r->measurement,
				       err);
}

static bool has_places(const struct tops *t)
{
	return t->options.rows == TOP_CGROUPS ||
	       (t->options.rows == TOP_PROCESSES && t->picked.len);
}

static int begin_rows(struct tops *t, struct err *err)
{
	words_of_places(t);
	t->places.taker.row = take_cgroups;
	if (t->options.rows == TOP_PROCESSES) {
		t->places.taker.places = take_places;
		t->places.taker.places_by = AGGR_THREAD;
		t->places.taker.by_process = true;
	}
	return begin(t, &t->places, err);
}

/*
 * Without rows the tree is worth looking at all the same: why there are none is said in their
 * place. A process may end between its choice and its counting: then others are chosen. What a user
 * has named and cannot be counted is a mistake, which is told at the start.
 */
static int begin_places(struct tops *t, struct err *err)
{
	struct err places_err = ERR_INIT;
	int rc = -ESRCH;

	top__say_rows(t->model, "no process can be counted");
	if (!has_places(t))
		return 0;
	for (int tries = 0; rc == -ESRCH && tries < MOST_TRIES; tries++) {
		if (tries && !t->pids)
			top_pick__busiest(&t->pick, t->most, &t->picked);
		places_err = (struct err)ERR_INIT;
		rc = begin_rows(t, &places_err);
	}
	if (!rc) {
		top__say_rows(t->model, "no process had CPU time in the last interval");
		stat_measurement__accompany(t->whole.measurement, t->places.measurement);
		return 0;
	}
	t->places.measurement = NULL;
	sb__clear(&t->picked);
	if ((t->pids || t->cgroups) && !t->begun) {
		*err = places_err;
		return rc;
	}
	top__say_rows(t->model, t->options.rows == TOP_CGROUPS && !t->cgroups && rc == -ENOENT
					? "there is no cgroup below the root"
					: places_err.msg);
	return 0;
}

int top_count__begin(struct tops *t, struct err *err)
{
	int rc;

	t->whole.taker.row = take_whole;
	if (t->options.rows == TOP_CPUS) {
		t->whole.taker.places = take_places;
		t->whole.taker.places_by = AGGR_NONE;
	}
	words_of_whole(t);
	sb__clear(&t->head);
	sb__puts(&t->head, top__branch(t->model) ? "all CPUs: parts of " : "all CPUs");
	sb__puts(&t->head, top__branch(t->model) ?: "");
	rc = begin(t, &t->whole, err);
	rc = rc ?: begin_places(t, err);
	t->begun |= !rc;
	return rc;
}

int top_count__next(struct tops *t, struct err *err)
{
	struct err places_err = ERR_INIT;
	int rc = stat_measurement__next(t->whole.measurement, err);

	/* A key that ends the one measurement is not to wait for the other. */
	if (rc <= 0 || !t->places.measurement || t->quit || t->changed)
		return rc;
	if (stat_measurement__next(t->places.measurement, &places_err) > 0)
		return rc;
	/* All of its processes have ended, or cannot be counted any more. */
	stat_measurement__accompany(t->whole.measurement, NULL);
	stat_measurement__end(t->places.measurement);
	t->places.measurement = NULL;
	sb__clear(&t->picked);
	return rc;
}

static void end_places(struct tops *t)
{
	if (!t->places.measurement)
		return;
	if (t->whole.measurement)
		stat_measurement__accompany(t->whole.measurement, NULL);
	stat_measurement__end(t->places.measurement);
	t->places.measurement = NULL;
}

bool top_count__pick(struct tops *t)
{
	struct err err = ERR_INIT;

	if (t->options.rows != TOP_PROCESSES)
		return false;
	sb__clear(&t->again);
	if (t->pids)
		sb__puts(&t->again, t->pids);
	else
		top_pick__busiest(&t->pick, t->most, &t->again);
	if (!strcmp(sb__str(&t->again), sb__str(&t->picked)))
		return false;
	end_places(t);
	sb__clear(&t->picked);
	sb__puts(&t->picked, sb__str(&t->again));
	if (t->whole.measurement)
		begin_places(t, &err);
	return true;
}

void top_count__end(struct tops *t)
{
	end_places(t);
	end_page(t);
	stat_measurement__end(t->whole.measurement);
	t->whole.measurement = NULL;
}

bool top_count__has_parts(void *tops, const char *name)
{
	const struct tops *t = tops;
	auto_free(sb) group = SB_INIT;

	if (!t->host.tables)
		return false;
	sb__printf(&group, "%s_group", name);
	for (int i = 0; i < tables__nr_groups(t->host.tables); i++)
		if (!strcasecmp(tables__group(t->host.tables, i), sb__str(&group)))
			return true;
	return false;
}
