// SPDX-License-Identifier: GPL-2.0-only
#include "serve_cgroups.h"

#include <errno.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/pages.h"
#include "base/shared_text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "count/clock.h"
#include "machine/cgroup_pick.h"
#include "report/cgroup_slots.h"
#include "writers/writer.h"

#define OPTION "--top-cgroups"
#define LOOK_NS UINT64_C(5000000000)   /* between two looks at CPU times, at least */
#define LOOK_PART 20		       /* of the time is what a look takes, at most */
#define AGAIN_NS UINT64_C(60000000000) /* until what could not be counted is tried again */
#define REMEMBERED 1000		       /* cgroups that have been counted */

/**
 * struct run_of - one of the two measurements
 * @taker: takes its rows; the first member
 * @grid:  of the last one, or NULL
 */
struct run_of {
	struct stat_taker taker;
	struct stat_measurement *measurement;
	const struct grid *grid;
};

/**
 * struct cgroup_run - both
 * @words: of the cgroups' one, with room for their names at the end
 * @names: those, as --for-each-cgroup takes them
 * @look_ns: not before is the next look at CPU times; @again_ns: nor the next try
 * @has_told: why cgroups are not counted was said; @has_told_cut: that not all are looked at
 */
struct cgroup_run {
	struct run_of whole, cgroups;
	const char **words;
	int nr_words, most;
	struct sb names;
	struct shared_text *text;
	struct cgroup_pick pick;
	struct cgroup_slots *slots;
	struct writer *writer;
	uint64_t look_ns, again_ns;
	bool has_told, has_told_cut;
};

static void take_row(struct stat_taker *taker, const struct grid *g)
{
	((struct run_of *)taker)->grid = g;
}

static void end_cgroups(struct cgroup_run *r)
{
	if (!r->cgroups.measurement)
		return;
	stat_measurement__accompany(r->whole.measurement, NULL);
	stat_measurement__end(r->cgroups.measurement);
	r->cgroups.measurement = NULL;
	r->cgroups.grid = NULL;
}

/* Said once: it is the same an hour later. */
static void tell(struct cgroup_run *r, struct err *err)
{
	if (!r->has_told)
		say("%s: cgroups are not counted for now: %s", OPTION, err->msg);
	r->has_told = true;
	r->again_ns = clock__now_ns() + AGAIN_NS;
}

/* As a pattern that means this name alone; no letter stands for the comma, and any may. */
static void put_pattern(struct sb *sb, const char *name)
{
	sb__putc(sb, '^');
	for (; *name; name++) {
		if (strchr(".[]*^$\\", *name))
			sb__putc(sb, '\\');
		sb__putc(sb, *name == ',' ? '.' : *name);
	}
	sb__putc(sb, '$');
}

/* Patterns take longer, since all cgroups are walked through for them. */
static void put_names(struct cgroup_run *r)
{
	const struct cgroup_use *use;
	bool odd = false;

	vec__for_each(use, &r->pick.uses)
		odd |= use->is_picked && strpbrk(use->name, "[]{}()|*+?^$,");
	sb__clear(&r->names);
	vec__for_each(use, &r->pick.uses) {
		if (!use->is_picked)
			continue;
		if (r->names.len)
			sb__putc(&r->names, ',');
		if (odd)
			put_pattern(&r->names, use->name);
		else
			sb__puts(&r->names, use->name);
	}
}

static void begin_cgroups(struct cgroup_run *r)
{
	struct err err = ERR_INIT;
	int rc;

	put_names(r);
	if (!r->names.len)
		return;
	r->words[r->nr_words] = sb__str(&r->names);
	rc = stat_measurement__begin(r->nr_words + 1, r->words, &r->cgroups.taker,
				     &r->cgroups.measurement, &err);
	if (!rc) {
		stat_measurement__accompany(r->whole.measurement, r->cgroups.measurement);
		r->has_told = false;
		return;
	}
	r->cgroups.measurement = NULL;
	/* One has gone meanwhile: the next look knows it. */
	if (rc != -ENOENT)
		tell(r, &err);
}

static void choose(struct cgroup_run *r)
{
	const char **names = xcalloc(r->most + 1, sizeof(*names));
	const struct cgroup_use *use;
	int nr = 0;

	vec__for_each(use, &r->pick.uses)
		if (use->is_picked)
			names[nr++] = use->name;
	writer__free(r->writer);
	cgroup_slots__choose(r->slots, names, nr);
	r->writer = stat_measurement__writer(r->whole.measurement, cgroup_slots__grid(r->slots),
					     r->text);
	free(names);
}

static void tell_cut(struct cgroup_run *r)
{
	if (r->pick.is_cut && !r->has_told_cut)
		say("%s: there are more than %d cgroups: those furthest down are not looked at",
		    OPTION, CGROUPS_LOOKED_AT);
	r->has_told_cut = r->pick.is_cut;
}

/* What has gone wrong with a measurement is tried again, with whichever cgroups there are then. */
static void look_at_all(struct cgroup_run *r)
{
	struct err err = ERR_INIT;
	int changed = cgroup_pick__look(&r->pick, stat_measurement__machine(r->whole.measurement),
					OPTION, r->most, &err);

	if (changed < 0)
		tell(r, &err);
	else
		tell_cut(r);
	if (changed < 0 || (!changed && r->cgroups.measurement))
		return;
	end_cgroups(r);
	choose(r);
	begin_cgroups(r);
	pages__give_back();
}

/* However many cgroups there are, rows have most of the time. */
static void look(struct cgroup_run *r)
{
	uint64_t now_ns = clock__now_ns(), took_ns;

	if (now_ns < r->look_ns || now_ns < r->again_ns)
		return;
	look_at_all(r);
	took_ns = clock__now_ns() - now_ns;
	r->look_ns = now_ns + (took_ns > LOOK_NS / LOOK_PART ? took_ns * LOOK_PART : LOOK_NS);
}

/* The whole is counted on, whatever becomes of its cgroups. */
static void take_cgroups(struct cgroup_run *r)
{
	struct err err = ERR_INIT;
	int rc = r->cgroups.measurement ? stat_measurement__next(r->cgroups.measurement, &err) : 1;

	if (rc > 0)
		return;
	end_cgroups(r);
	if (rc)
		tell(r, &err);
}

static int take_rows(struct cgroup_run *r, struct err *err)
{
	int rc;

	for (;;) {
		rc = stat_measurement__next(r->whole.measurement, err);
		if (rc <= 0)
			return rc;
		take_cgroups(r);
		cgroup_slots__add(r->slots, r->cgroups.grid);
		rc = writer__rows(r->writer, err);
		if (rc)
			return rc;
		look(r);
	}
}

static int begin_whole(struct cgroup_run *r, int argc, const char **argv, struct err *err)
{
	int rc = stat_measurement__begin(argc, argv, &r->whole.taker, &r->whole.measurement, err);
	const struct grid *g = rc ? NULL : stat_measurement__grid(r->whole.measurement);

	if (!g)
		return rc;
	r->slots = cgroup_slots__new(g, CGROUP_OTHER, REMEMBERED);
	choose(r);
	/* Who waits for it learns that it has begun. */
	shared_text__put(r->text, "", 0);
	look(r);
	return 0;
}

int serve_cgroups(int argc, const char **argv, int nr, const char **words, int most,
		  const struct stat_published *to)
{
	struct cgroup_run r = {
		.most = most, .words = words, .nr_words = nr, .names = SB_INIT, .text = to->text};
	struct err err = ERR_INIT;
	int rc;

	r.whole.taker = (struct stat_taker){
		.row = take_row, .serves = true, .restarts = to->restarts, .lost_ns = to->lost_ns};
	r.cgroups.taker = (struct stat_taker){
		.row = take_row, .serves = true, .is_quiet = true, .cgroups_name = OPTION};
	rc = begin_whole(&r, argc, argv, &err) ?: take_rows(&r, &err);
	if (rc)
		say_err(&err);
	end_cgroups(&r);
	writer__free(r.writer);
	cgroup_slots__free(r.slots);
	stat_measurement__end(r.whole.measurement);
	cgroup_pick__free(&r.pick);
	sb__free(&r.names);
	return rc ? STATUS_FAILED : 0;
}
