// SPDX-License-Identifier: GPL-2.0-only
#include "run/run.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "plan/schedule.h"
#include "run/input.h"
#include "run/internal.h"

/* --- Opening --------------------------------------------------------------------------------- */

static int run__make(struct run *run, struct err *err)
{
	int rc;

	settle__run(run);
	run->about.interval = run->req->interval_ms;
	rc = run->req->input ? replay__plan(run, err) : run_plan__make(run, err);
	if (rc)
		return rc;
	run->report.interval = run->about.interval;
	run->about.verdict = run->report.verdict;
	run->about.metric_only = run->report.metric_only;
	run->about.cpuid = run->req->input && run->req->input->cpuid_borrowed
				   ? ""
				   : run->host->machine->cpuid;
	tell__before(run);
	/* From now on the run receives signals. */
	if (run->will_count)
		run->source = run->req->input ? replay__new(run) : live__new(run);
	return 0;
}

static int run__new(const struct host *host, const struct request *req, bool will_count,
		    struct run **out, struct err *err)
{
	struct run *run = *out = xcalloc(1, sizeof(*run));

	*run = (struct run){.host = host, .req = req, .will_count = will_count};
	return run__make(run, err);
}

int run__open(const struct host *host, const struct request *req, struct run **out, struct err *err)
{
	return run__new(host, req, true, out, err);
}

int run__plan(const struct host *host, const struct request *req, struct run **out, struct err *err)
{
	return run__new(host, req, false, out, err);
}

/* --- Steps ----------------------------------------------------------------------------------- */

static int run__begin(struct run *run, struct err *err)
{
	const struct request *req = run->req;
	int rc = req->smi_cost ? smi__freeze(run->host->machine, err) : 0;

	if (!rc && req->regions)
		rc = run_regions__start(run, err);
	run->phase = rc ? RUN_PHASE_OVER : RUN_PHASE_ROWS;
	return rc;
}

/* End a source, which has no more rows. */
static void run__end_source(struct run *run, bool failed)
{
	if (run->source && run->source->end)
		run->source->end(run->source, failed);
	if (run->rows)
		run->outcome.starved = remark__count_starved(report__sums(run->rows));
	run->phase = RUN_PHASE_ENDED;
}

/* End a run, and keep what was recorded even after a failure. Return: @rc, or -errno. */
static int run__end(struct run *run, int rc, struct err *err)
{
	int finished = run_rows__finish_recording(run, rc ? NULL : err);

	smi__unfreeze(run);
	run->phase = RUN_PHASE_OVER;
	return rc ?: finished;
}

static int run__fail(struct run *run, int rc, struct err *err)
{
	/* Scripts recognise an offline CPU by perf's wording. */
	if (rc == -ENODEV && run->req->perf && run->req->cpu_text && err)
		err__append(err, "\nNo supported events found.");
	if (run->phase < RUN_PHASE_ENDED)
		run__end_source(run, true);
	return run__end(run, rc, err);
}

static int run__take_row(struct run *run, struct err *err)
{
	int step;

	do {
		step = run->source->next(run->source, &run->row, err);
		if (step == RUN_END) {
			run__end_source(run, false);
			return run_rows__end(run);
		}
		if (step > 0)
			step = run_rows__take(run, step, &run->row, err);
	} while (step == RUN_END);
	if (step != RUN_WHOLE)
		return step;
	run->phase = RUN_PHASE_WHOLE;
	return run_rows__fill_total(run, &run->row);
}

static int run__take_end(struct run *run, struct err *err)
{
	int rc;

	if (!run->req->no_rows && run->rows)
		remark__after(run);
	rc = run__end(run, 0, err);
	if (rc || !run->regions)
		return rc;
	rc = run_regions__take(run, err);
	if (rc >= 0)
		run->phase = RUN_PHASE_REGIONS;
	return rc;
}

/* Make a step. Return: enum run_step; RUN_END if the next phase has to make the step; -errno. */
static int run__step(struct run *run, struct err *err)
{
	switch (run->phase) {
	case RUN_PHASE_NEW:
		return run__begin(run, err);
	case RUN_PHASE_ROWS:
		return run__take_row(run, err);
	case RUN_PHASE_WHOLE:
		run->phase = RUN_PHASE_ROWS;
		return run_rows__conclude(run, &run->row);
	case RUN_PHASE_ENDED:
		return run__take_end(run, err);
	case RUN_PHASE_REGIONS:
		run_regions__tell(run);
		run->phase = RUN_PHASE_OVER;
		break;
	case RUN_PHASE_OVER:
		break;
	}
	return RUN_END;
}

int run__next(struct run *run, struct err *err)
{
	int step;

	notes__clear(&run->notes);
	do {
		step = run__step(run, err);
	} while (step == RUN_END && run->phase != RUN_PHASE_OVER);
	return step < 0 ? run__fail(run, step, err) : step;
}

void run__break(struct run *run)
{
	notes__clear(&run->notes);
	run__fail(run, -ECANCELED, NULL);
}

void run__accompany(struct run *run, struct run *other)
{
	struct source *source = run->source;

	/* One of the two runs may have begun after a signal. */
	if (source && source->session)
		session__accompany(source->session, other ? other->source->session : NULL);
}

void run__close(struct run *run)
{
	if (!run)
		return;
	/* A command that still runs is terminated. */
	if (run->phase > RUN_PHASE_NEW && run->phase < RUN_PHASE_OVER)
		run__fail(run, 0, NULL);
	run_rows__free(run);
	run_regions__free(run);
	sets__free(run->sets);
	plan__free(run->plan);
	run_cgroups__free(run);
	root_ports__free(&run->ports);
	if (run->source)
		run->source->free(run->source);
	free(run->head);
	sb__free(&run->hint);
	notes__free(&run->notes);
	free(run);
}

/* --- Results --------------------------------------------------------------------------------- */

const struct grid *run__grid(const struct run *run)
{
	const struct grid *regions = run_regions__grid(run);

	if (regions || !run->rows)
		return regions;
	return run->sites ? run_sites__grid(run) : report__grid(run->rows);
}

const struct grid *run__whole(const struct run *run)
{
	return run->rows ? report__grid(run->rows) : NULL;
}

const struct grid *run__places(const struct run *run)
{
	return run->places ? report__grid(run->places) : NULL;
}

struct notes *run__notes(struct run *run)
{
	return &run->notes;
}

const struct run_about *run__about(const struct run *run)
{
	return &run->about;
}

const struct run_outcome *run__outcome(const struct run *run)
{
	return &run->outcome;
}

const struct plan *run__planned(const struct run *run)
{
	return run->plan;
}

struct schedule *run__schedule(const struct run *run)
{
	return schedule__new(run->plan, &run->events);
}

const struct sets *run__sets(struct run *run)
{
	run_sets__make(run);
	return run->sets;
}

int run__event_fds(const struct run *run, int event)
{
	return run_sets__fds(run, run->plan->events.at[event]);
}

static int run__set_fds(const struct run *run, int set)
{
	int nr = 0;

	for (int i = 0; i < run->plan->events.nr; i++)
		if (set < 0 || sets__has(run->sets, set, i))
			nr += run_sets__fds(run, run->plan->events.at[i]);
	return nr;
}

int run__most_fds(const struct run *run)
{
	int most = 0;

	for (int set = 0; run->sets && set < run->sets->nr; set++)
		most = run__set_fds(run, set) > most ? run__set_fds(run, set) : most;
	return most;
}

int run__fds(const struct run *run)
{
	return run->req->passes ? run__most_fds(run) : run__set_fds(run, -1);
}

bool run__per_cpu(const struct run *run)
{
	return target__per_cpu(&run->target);
}
