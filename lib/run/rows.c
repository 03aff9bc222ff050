// SPDX-License-Identifier: GPL-2.0-only
/*
 * Put the rows of a source into the grid, and record them. No other file of lib/run fills a report.
 */
#include <inttypes.h>

#include "base/err.h"
#include "run/internal.h"
#include "run/sites.h"

#define NS_PER_S 1e9

/* --- The beginning --------------------------------------------------------------------------- */

/* Make a second grid of the same counts with other rows, if wanted (request.places). */
static void run_rows__make_places(struct run *run)
{
	const struct session *session = run->source->session;
	struct report_options by = run->report;

	by.aggr = run->req->places_by;
	by.by_process = run->req->by_process;
	by.verdict = false;
	run->places = report__new(run->host->machine, run->plan, session, session__units(session),
				  &by);
}

static void run_rows__open_recorded(struct run *run)
{
	const struct recording *recording = run->source->recording;

	run->rows = report__new(run->host->machine, run->plan, NULL,
				&recording__info(recording)->units, &run->report);
	for (int i = 0; i < run->plan->events.nr; i++)
		sums__set_reasons(report__sums(run->rows), i, recording__refusal(recording, i),
				  recording__obstacle(recording, i));
	if (run->sites)
		run_sites__open(run);
}

/* Open the recorder for counts, and for samples if there are any. */
static int open_recorder(struct run *run, struct err *err)
{
	const struct recorded_sampling sampling =
		run->sites ? run_sites__sampling(run) : (struct recorded_sampling){0};
	struct recorder_options opts = *run->req->recorder;

	opts.sampling = run->sites ? &sampling : NULL;
	opts.read_running = run->sites && run_sites__reads_running(run);
	return recorder__new(run->host->machine, run->source->session, &run->plan->events, &opts,
			     &run->recorder, err);
}

static int run_rows__make(struct run *run, struct err *err)
{
	const struct session *session = run->source->session;

	if (run->source->recording) {
		run_rows__open_recorded(run);
		return 0;
	}
	run->rows = report__new(run->host->machine, run->plan, session, session__units(session),
				&run->report);
	if (run->req->places)
		run_rows__make_places(run);
	if (run->sites)
		run_sites__open(run);
	return run->req->recorder ? open_recorder(run, err) : 0;
}

/* Note what a session refuses. For the first session, also make the report and the recorder. */
static int run_rows__open(struct run *run, struct err *err)
{
	struct source *source = run->source;

	/* Note this once: the kernel refuses the same events in each run of -r. */
	if (source->session && !source->repeated) {
		notes__add_each(&run->notes, NOTE_SESSION, session__warnings(source->session));
		remark__refused(run);
	}
	run->regrouped = 0;
	if (run->rows)
		report__take_refusals(run->rows, source->session);
	else if ((run->sites && run_sites__refuse(run, err)) || run_rows__make(run, err))
		return -err->code;
	return RUN_OPENED;
}

/* --- Rows ------------------------------------------------------------------------------------ */

/*
 * Note that a row covers several intervals, but only for the first such row: the others are counted
 * at the end.
 */
static void run_rows__tell_gap(struct run *run)
{
	const struct grid *g = run__grid(run);

	if (!notes__want(&run->notes, NOTE_GAP) || !grid__has_gap(g) || run->gaps++)
		return;
	tell(run, GAP, NULL, "%" PRIu64 " row%s left out before the row at %.9f, which is %.3f s "
					"long", g->missed,
	     g->missed > 1 ? "s were" : " was", g->since_start_ns / NS_PER_S,
	     g->elapsed_ns / NS_PER_S);
}

/* Fill in the row of an interval or a run; a run of several is added to the other runs. */
static int run_rows__fill(struct run *run, const struct source_row *row, struct err *err)
{
	if (run->report.runs)
		return report__add_run(run->rows, session__units(run->source->session), row->counts,
				       &row->time, err);
	report__fill(run->rows, row->counts, &row->time,
		     run->about.interval ? SPAN_INTERVAL : SPAN_RUN, false);
	remark__lacking(run);
	if (run->places)
		report__fill(run->places, row->counts, &row->time, SPAN_INTERVAL, false);
	if (run->sites)
		run_sites__fill(run, row, run->about.interval ? SPAN_INTERVAL : SPAN_RUN);
	run_rows__tell_gap(run);
	return RUN_ROW;
}

/* Fill in the counts so far; for several runs, the mean of the completed runs. */
static int run_rows__fill_so_far(struct run *run, const struct source_row *row)
{
	if (run->req->passes) {
		tell(run, UNWHOLE, NULL, "pass %d of %d: counts are complete after the last pass",
		     run->source->set + 1, run->sets->nr);
		return RUN_NOTED;
	}
	if (!run->report.runs) {
		report__fill(run->rows, row->counts, &row->time, SPAN_RUN, run->about.interval);
	} else if (report__sums(run->rows)->runs.nr) {
		report__fill_mean(run->rows);
	} else {
		tell(run, UNWHOLE, NULL, "the first run is not over yet");
		return RUN_NOTED;
	}
	return RUN_SO_FAR;
}

/* Copy the groups of the session again if it has split groups that never ran. */
static void run_rows__take_groups(struct run *run)
{
	const struct session *session = run->source->session;

	if (!session || session__regrouped(session) == run->regrouped)
		return;
	run->regrouped = session__regrouped(session);
	report__regroup(run->rows, session);
	if (run->places)
		report__regroup(run->places, session);
}

int run_rows__take(struct run *run, int step, const struct source_row *row, struct err *err)
{
	int rc = 0;

	if (step == RUN_OPENED)
		return run_rows__open(run, err);
	if (step != RUN_ROW && step != RUN_WHOLE && step != RUN_SO_FAR)
		return step;
	run_rows__take_groups(run);
	if (step == RUN_ROW && run->recorder && run->sites)
		run_sites__record(run);
	if (step == RUN_ROW && run->recorder)
		rc = recorder__round(run->recorder, row->since_start, !run->about.interval, err);
	if (rc || run->req->no_rows)
		return rc;
	if (step == RUN_ROW)
		return run_rows__fill(run, row, err);
	return step == RUN_SO_FAR ? run_rows__fill_so_far(run, row) : step;
}

int run_rows__fill_total(struct run *run, const struct source_row *row)
{
	if (!run->about.interval || !run->req->summary)
		return RUN_END;
	report__fill(run->rows, row->counts, &row->time, SPAN_RUN, true);
	if (run->sites)
		run_sites__fill_total(run, row);
	return RUN_TOTAL;
}

int run_rows__conclude(struct run *run, const struct source_row *row)
{
	if (run->report.verdict)
		report__conclude(run->rows, row->counts, &row->time);
	return RUN_WHOLE;
}

/* --- The end --------------------------------------------------------------------------------- */

int run_rows__end(struct run *run)
{
	/* If the first run failed, there is nothing to print. */
	if (run->req->no_rows || !run->rows || !run->report.runs ||
	    !report__sums(run->rows)->runs.nr)
		return RUN_END;
	report__fill_mean(run->rows);
	remark__lacking(run);
	return RUN_ROW;
}

int run_rows__finish_recording(struct run *run, struct err *err)
{
	int rc = run->recorder ? recorder__finish(run->recorder, err) : 0;

	recorder__free(run->recorder);
	run->recorder = NULL;
	return rc;
}

void run_rows__free(struct run *run)
{
	run_sites__free(run);
	report__free(run->places);
	report__free(run->rows);
}
