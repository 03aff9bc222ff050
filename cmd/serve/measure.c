// SPDX-License-Identifier: GPL-2.0-only
#include "serve/measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/pages.h"
#include "base/shared_text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "count/clock.h"
#include "machine/cgroup_pick.h"
#include "machine/machine.h"
#include "report/cgroup_slots.h"
#include "run/run.h"
#include "writers/writer.h"

#define FIRST_MS 1000		       /* length of the first row, which a scrape may wait for */
#define LOOK_NS UINT64_C(5000000000)   /* shortest time between looks at CPU times */
#define LOOK_PART 20		       /* looks may take at most 1/20 of the time */
#define AGAIN_NS UINT64_C(60000000000) /* after a failure, pause for this time */
/*
 * The measurement ends after at least BLIND_ROWS successive rows without any count that took at
 * least BLIND_NS.
 */
#define BLIND_ROWS 3
#define BLIND_NS UINT64_C(3000000000)
#define REMEMBERED 1000		       /* number of cgroups whose past counts are kept */

/**
 * struct measuring_run - one of the two runs
 * @run:  NULL while it is not open
 * @grid: the latest row, or NULL
 */
struct measuring_run {
	struct request req;
	struct run *run;
	const struct grid *grid;
};

/**
 * struct measuring_both - both runs
 * @host:   host of the run of the whole computer
 * @later:  host of the run of cgroups, once other CPUs are online than in @host
 * @format: how rows are written
 * @tables: text that @format points to
 * @names:  names of the cgroups that are counted
 * @look_ns: earliest time of the next look at CPU times
 * @again_ns: earliest time of the next attempt to count cgroups
 * @blind_rows, @blind_ns: number and length of the successive rows without any count
 * @has_told: a message said why cgroups are not counted
 * @has_told_cut: a message said that some cgroups are ignored
 * @has_told_none: a message said that none of the named cgroups exists
 */
struct measuring_both {
	const struct serve_wish *wish;
	struct shared_text *text;
	struct host host, later;
	struct measuring_run whole, cgroups;
	struct writer_options format;
	struct sb tables;
	const char **names;
	struct cgroup_pick pick;
	struct cgroup_slots *slots;
	struct writer *writer;
	uint64_t look_ns, again_ns, blind_ns;
	int blind_rows;
	bool has_told, has_told_cut, has_told_none;
};

/*
 * --- Requests of both --------------------------------------------------------------------------
 */

static void serve_measure__ask(const struct serve_wish *wish, struct request *req)
{
	*req = (struct request)REQUEST_INIT;
	req->target.system_wide = true;
	req->interval_ms = wish->interval_ms;
	req->first_ms = wish->interval_ms > FIRST_MS ? FIRST_MS : 0;
	req->topdown = wish->topdown;
	req->td_level = wish->td_level;
	req->levels_above = req->metric_only = true;
	req->cputype = wish->cputype;
}

static void ask_for_whole(struct measuring_both *m, const struct serve_published *to)
{
	struct request *req = &m->whole.req;

	serve_measure__ask(m->wish, req);
	req->metrics = m->wish->metrics;
	req->error = m->wish->error;
	req->wants = writer__wants(&m->format);
	req->restarts = to->restarts;
	req->lost_ns = to->lost_ns;
	req->notes |= NOTE(PLAN) | NOTE(SYSFS) | NOTE(LEVELS) | NOTE(CORES) | NOTE(TURNS) |
		      NOTE(GAP) | NOTE(LATENCIES);
}

static const char *option_of(const struct measuring_both *m)
{
	return m->wish->cgroup_names ? "--cgroups" : "--top-cgroups";
}

static void ask_for_cgroups(struct measuring_both *m)
{
	struct request *req = &m->cgroups.req;

	serve_measure__ask(m->wish, req);
	req->cgroups = m->names;
	req->cgroups_option = option_of(m);
	req->wants = m->whole.req.wants;
	/* The run of the whole prints the notes on events and CPUs. */
	req->notes &= ~(NOTE(SESSION) | NOTE(REFUSED) | NOTE(LACKING));
}

/* --- Cgroups --------------------------------------------------------------------------------- */

static void end_cgroups(struct measuring_both *m)
{
	struct measuring_run *c = &m->cgroups;

	if (!c->run)
		return;
	run__accompany(m->whole.run, NULL);
	run__close(c->run);
	c->run = NULL;
	c->grid = NULL;
}

/* Print why cgroups are not counted, once: the reason is the same an hour later. */
static void serve_measure__tell(struct measuring_both *m, struct err *err)
{
	if (!m->has_told)
		say("%s: cgroups are not counted for now: %s", option_of(m), err->msg);
	m->has_told = true;
	m->again_ns = clock__now_ns() + AGAIN_NS;
}

/* Choose the host for cgroups. The run of the whole keeps the host that it began with. */
static int choose_host(struct measuring_both *m, struct err *err)
{
	if (m->later.machine)
		return refresh_host(&m->later, err);
	return machine__has_changed(m->host.machine) ? load_host(&m->later, err) : 0;
}

static void begin_cgroups(struct measuring_both *m)
{
	struct measuring_run *c = &m->cgroups;
	struct err err = ERR_INIT;
	int rc;

	if (!c->req.nr_cgroups) {
		if (m->wish->cgroup_names && !m->has_told_none)
			say("%s: none of these cgroups exists", option_of(m));
		m->has_told_none = true;
		return;
	}
	m->has_told_none = false;
	rc = choose_host(m, &err);
	rc = rc ?: begin_run(m->later.machine ? &m->later : &m->host, &c->req, &c->run, &err);
	if (rc > 0) {
		run__accompany(m->whole.run, c->run);
		m->has_told = false;
		if (m->wish->cgroup_names)
			say("%s: %d of %d cgroups exist, and are counted with %d file descriptors",
			    option_of(m), c->req.nr_cgroups, m->wish->cgroups, run__fds(c->run));
	}
	/* If a cgroup has just been removed, the next look will find this. */
	if (rc < 0 && rc != -ENOENT)
		serve_measure__tell(m, &err);
}

static void choose(struct measuring_both *m)
{
	const struct cgroup_use *use;
	int nr = 0;

	vec__for_each (use, &m->pick.uses)
		if (use->is_picked)
			m->names[nr++] = use->name;
	m->cgroups.req.nr_cgroups = nr;
	writer__free(m->writer);
	cgroup_slots__choose(m->slots, m->names, nr);
	m->writer = writer__new(&m->format, cgroup_slots__grid(m->slots), stderr);
}

static void tell_cut(struct measuring_both *m)
{
	if (m->pick.is_cut && !m->has_told_cut)
		say("%s: there are more than %d cgroups: the deepest ones are ignored",
		    option_of(m), CGROUPS_LOOKED_AT);
	m->has_told_cut = m->pick.is_cut;
}

/*
 * Look at the CPU times of all cgroups. If counting has failed, try again with the cgroups that
 * exist now.
 */
static void look_at_all(struct measuring_both *m)
{
	struct err err = ERR_INIT;
	const struct serve_wish *wish = m->wish;
	const struct machine *machine = m->host.machine;
	int changed = wish->cgroup_names
			      ? cgroup_pick__choose_named(&m->pick, machine, option_of(m),
						  wish->cgroup_names, wish->cgroups, &err)
			      : cgroup_pick__choose(&m->pick, machine, option_of(m), wish->cgroups,
						  &err);

	if (changed < 0)
		serve_measure__tell(m, &err);
	else
		tell_cut(m);
	if (changed < 0 || (!changed && m->cgroups.run))
		return;
	end_cgroups(m);
	choose(m);
	begin_cgroups(m);
	pages__give_back();
}

/*
 * Look at cgroups when it is time. If looks take long, they are less frequent, so that most of the
 * time is left for rows.
 */
static void serve_measure__look(struct measuring_both *m)
{
	uint64_t now_ns = clock__now_ns(), took_ns;

	if (now_ns < m->look_ns || now_ns < m->again_ns)
		return;
	look_at_all(m);
	took_ns = clock__now_ns() - now_ns;
	m->look_ns = now_ns + (took_ns > LOOK_NS / LOOK_PART ? took_ns * LOOK_PART : LOOK_NS);
}

/* Get the next row of the cgroups. If this fails, only the whole is counted. */
static void take_cgroups(struct measuring_both *m)
{
	struct measuring_run *c = &m->cgroups;
	struct err err = ERR_INIT;
	int step = c->run ? next_row(c->run, &err) : RUN_ROW;

	if (step > 0) {
		c->grid = c->run ? run__grid(c->run) : NULL;
		return;
	}
	end_cgroups(m);
	if (step)
		serve_measure__tell(m, &err);
}

/* --- Rows ------------------------------------------------------------------------------------ */

/*
 * Handle a row without any count: it is not served, and after several such rows the measurement
 * ends.
 */
static int take_blind(struct measuring_both *m, struct err *err)
{
	const struct grid *g = run__grid(m->whole.run);
	const struct event_list *events = &run__planned(m->whole.run)->events;

	m->blind_ns += g->elapsed_ns;
	if (++m->blind_rows < BLIND_ROWS || m->blind_ns < BLIND_NS)
		return 0;
	for (int c = 0; c < g->nr_columns; c++) {
		const char *words = cell__words(grid__cell(g, c, 0));
		int event = g->columns[c].event;

		if (words && event >= 0)
			return err__set(err, EIO, "nothing was counted in %d rows: %s, of %s: %s",
					m->blind_rows, g->columns[c].name, events->at[event]->name,
					words);
	}
	return err__set(err, EIO, "nothing was counted in %d rows", m->blind_rows);
}

static int serve_measure__take_row(struct measuring_both *m, struct err *err)
{
	int rc;

	if (!grid__knows_any(run__grid(m->whole.run)))
		return take_blind(m, err);
	m->blind_rows = 0;
	m->blind_ns = 0;
	if (m->slots) {
		take_cgroups(m);
		cgroup_slots__add(m->slots, m->cgroups.grid);
	}
	rc = writer__rows(m->writer, err);
	if (!rc && m->slots)
		serve_measure__look(m);
	return rc;
}

static int take_rows(struct measuring_both *m, struct err *err)
{
	int rc;

	do {
		rc = next_row(m->whole.run, err);
		if (rc > 0)
			rc = serve_measure__take_row(m, err) ?: RUN_ROW;
	} while (rc > 0);
	return rc;
}

static void name_all(struct measuring_both *m)
{
	host__name_tables(&m->host, &m->tables);
	m->format.version = TMA_VERSION;
	m->format.cpu = m->host.machine->cpuid;
	m->format.tables = sb__str(&m->tables);
}

static int begin_whole(struct measuring_both *m, const struct serve_published *to, struct err *err)
{
	int rc;

	ask_for_whole(m, to);
	rc = begin_run(&m->host, &m->whole.req, &m->whole.run, err);
	if (rc <= 0)
		return rc;
	name_all(m);
	if (m->wish->cgroups) {
		ask_for_cgroups(m);
		m->slots = cgroup_slots__new(run__grid(m->whole.run), CGROUP_OTHER, REMEMBERED);
		choose(m);
	} else {
		m->writer = writer__new(&m->format, run__grid(m->whole.run), stderr);
	}
	/*
	 * This text tells the server that the counters are open. Since the process will now run for
	 * long, it gives memory back.
	 */
	shared_text__put(m->text, "", 0);
	pages__give_back();
	if (m->slots)
		serve_measure__look(m);
	return 1;
}

void serve_measure__read_online(char *text, size_t size)
{
	if (file__read_line(text, size, "/sys/devices/system/cpu/online") < 0)
		*text = '\0';
}

int serve_measure(const struct serve_wish *wish, const struct serve_published *to)
{
	struct measuring_both m = {
		.wish = wish,
		.text = to->text,
		.format = {.format = format__find("prom"),
			   .published = to->text,
			   .metric_only = true,
			   .error = wish->error,
			   .ratios = wish->ratios},
		.tables = SB_INIT,
		.names = xcalloc(wish->cgroups + 1, sizeof(*m.names)),
	};
	struct err err = ERR_INIT;
	int rc = load_host(&m.host, &err), status, signal = 0;

	if (!rc) {
		rc = begin_whole(&m, to, &err);
		rc = rc > 0 ? take_rows(&m, &err) : rc;
	}
	end_cgroups(&m);
	writer__free(m.writer);
	if (m.whole.run) {
		signal = run__outcome(m.whole.run)->signal;
		status = end_run(m.whole.run, &m.whole.req, rc, &err);
	} else {
		status = rc ? say_err(&err) : 0;
	}
	cgroup_slots__free(m.slots);
	cgroup_pick__free(&m.pick);
	free(m.names);
	sb__free(&m.tables);
	status = tell_odd(&m.host, status);
	host__free(&m.later);
	host__free(&m.host);
	if (signal)
		die_by(signal);
	return status;
}
