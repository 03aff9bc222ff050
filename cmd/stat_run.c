// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rows of a run are taken in turn, recorded and printed, and remarks on them are made. No other
 * place calls lib/report.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/pages.h"
#include "base/shared_text.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "progress.h"
#include "stat.h"

#define NS_PER_S 1e9
#define NAMED 3 /* a line names so many events, and says how many more there are */

/**
 * struct stat_rows - rows under way
 * @regrouped: which news of the session's groups was taken over
 * @gaps: how many rows had others left out before them
 * @has_whole: the last row was that of the whole run
 * @places: what is given to the taker's places(), or NULL
 * @report, @writer, @recorder: made when the first session is open, for all of them
 */
struct stat_rows {
	const struct stat_run *run;
	struct source *source;
	unsigned int regrouped, gaps;
	struct report *report, *places;
	struct writer *writer;
	struct recorder *recorder;
	bool has_whole;
};

/* --- The beginning ------------------------------------------------------ */

/* The same counts have a second grid, by places, for a taker who wants it. */
static void make_places(struct stat_rows *r, const struct report_options *opts)
{
	const struct stat_run *run = r->run;
	const struct session *session = r->source->session;
	struct report_options by = *opts;

	by.aggr = run->taker->places_by;
	by.by_process = run->taker->by_process;
	by.verdict = false;
	r->places = report__new(run->host.machine, run->plan, session, session__units(session),
				&by);
}

static void open_recorded(struct stat_rows *r, const struct report_options *opts)
{
	const struct recording *recording = r->source->recording;
	const struct stat_run *run = r->run;

	r->report = report__new(run->host.machine, run->plan, NULL,
				&recording__info(recording)->units, opts);
	for (int i = 0; i < run->plan->events.nr; i++)
		sums__set_reasons(report__sums(r->report), i, recording__refusal(recording, i),
				  recording__obstacle(recording, i));
}

static void say_no_latency(const struct event *e)
{
	say("%s: a latency (:R) is sampled, not counted; %s, and the tables have none", e->name,
	    e->pmu && pmu__samples_latencies(e->pmu) ? "--record-tpebs was not given"
						     : "this CPU does not measure it");
}

/*
 * Say why an event has no counts, if metrics need it or it is to be sampled. For all other events
 * -v tells it, below the rows of text, and here for CSV; other formats always do.
 */
static void say_refused(const struct stat_rows *r)
{
	const struct session *session = r->source->session;
	const struct stat_run *run = r->run;
	bool tells_all = run->o->verbose && format__is(run->format.format, FORMAT_PERFS) &&
			 format__is(run->format.format, FORMAT_CSV);

	for (int i = 0; i < run->plan->events.nr; i++) {
		const struct event *e = run->plan->events.at[i];
		const char *why = session__refusal(session, i);

		if (run->o->passes && !sets__has(run->sets, r->source->set, i))
			continue;
		/* These events are those of core types which -C leaves out. */
		if (!session__units(session)->comms && !session__cpus(session, i)->nr)
			continue;
		/* One line has told of all that need whole CPUs. */
		if (session__needs_whole_cpus(session, i))
			continue;
		/*
		 * A value that stands for a latency which is not measured is told of behind the
		 * rows.
		 */
		if (e->retire_latency && !e->sampled) {
			if (!stat__has_vendor_latency(e))
				say_no_latency(e);
			continue;
		}
		if (why && (tells_all || e->sampled || (e->from_metric && !e->default_group)))
			say("%s: not supported: %s", e->name, why);
	}
}

static int make_recorder(struct stat_rows *r, struct err *err)
{
	const struct stat_run *run = r->run;
	const struct recorder_options opts = {
		.path = run->o->data_name,
		.version = "tma " TMA_VERSION,
		.argv = run->o->command_line,
		.aggr = run->report.aggr,
		.cache_level = run->report.cache_level,
		.interval_ms = run->o->interval_ms,
		.scale = run->count.scale,
		.latency_mode = run->count.latency.mode,
	};

	return recorder__new(run->host.machine, r->source->session, &run->plan->events, &opts,
			     &r->recorder, err);
}

static int make_report(struct stat_rows *r, struct err *err)
{
	const struct stat_run *run = r->run;
	struct report_options opts = run->report;

	opts.interval = run->interval;
	opts.metric_only = run->format.metric_only;
	opts.wants = writer__wants(&run->format);
	if (run->taker)
		opts.wants |= run->taker->wants;
	if (r->source->recording)
		open_recorded(r, &opts);
	else
		r->report = report__new(run->host.machine, run->plan, r->source->session,
					session__units(r->source->session), &opts);
	if (run->taker && run->taker->places)
		make_places(r, &opts);
	if (run->taker)
		return 0;
	/* Who waits for it learns that it has begun. Then it stays for long. */
	if (run->format.published) {
		shared_text__put(run->format.published, "", 0);
		pages__give_back();
	}
	r->writer = writer__new(&run->format, report__grid(r->report), run->out);
	if (!writer__fits_above(r->writer))
		return err__set(err, EINVAL,
				"--append: the header of %s is not that of these rows: write to "
				"another file",
				run->o->output_name);
	return run->o->verb == STAT_RECORD ? make_recorder(r, err) : 0;
}

/* Say what a session refuses; the first one is what report, writer and recorder are made for. */
static int open_rows(struct stat_rows *r, struct err *err)
{
	const struct source *source = r->source;
	bool is_said = source->repeated || (r->run->taker && r->run->taker->is_quiet);

	/* All turns of -r are refused the same. */
	if (source->session && !is_said) {
		say_lines(session__warnings(source->session));
		say_refused(r);
	}
	r->regrouped = 0;
	if (!r->report)
		return make_report(r, err);
	report__take_refusals(r->report, source->session);
	return 0;
}

/* --- Rows --------------------------------------------------------------- */

static int write_rows(struct stat_rows *r, struct err *err)
{
	if (!r->writer)
		return 0;
	progress__make_room(fileno(r->run->out));
	return writer__rows(r->writer, err);
}

/*
 * Say of the first row that it stands for several; of the others it is said in the end. Text has a
 * note below each.
 */
static void say_gap(struct stat_rows *r)
{
	const struct grid *g = report__grid(r->report);
	bool told = r->run->taker || format__is(r->run->format.format, FORMAT_TEXT);

	if (!grid__has_gap(g) || r->run->o->quiet || as_perf() || told || r->gaps++)
		return;
	say("%" PRIu64 " row%s left out before %.9f: it is %.3f s long", g->missed,
	    g->missed > 1 ? "s were" : " was", g->since_start_ns / NS_PER_S,
	    g->elapsed_ns / NS_PER_S);
}

/* Print a row; that of one run of several is added to the others. */
static int print_row(struct stat_rows *r, const struct source_row *row, struct err *err)
{
	const struct stat_run *run = r->run;

	if (run->report.runs)
		return report__add_run(r->report, session__units(r->source->session), row->counts,
				       &row->time, err);
	report__fill(r->report, row->counts, &row->time, run->interval ? SPAN_INTERVAL : SPAN_RUN,
		     false);
	say_gap(r);
	if (run->taker && run->taker->row)
		run->taker->row(run->taker, report__grid(r->report));
	if (r->places) {
		report__fill(r->places, row->counts, &row->time, SPAN_INTERVAL, false);
		run->taker->places(run->taker, report__grid(r->places));
	}
	return write_rows(r, err);
}

/* Print the verdict behind all rows; on stderr where the format has no place for it. */
static int print_verdict(struct stat_rows *r, const struct source_row *row, struct err *err)
{
	auto_free(sb) lines = SB_INIT;
	int rc;

	report__conclude(r->report, row->counts, &row->time);
	if (r->run->taker)
		return 0;
	progress__make_room(fileno(r->run->out));
	rc = writer__verdicts(r->writer, &lines, err);
	for (char *rest = lines.buf, *line; !rc && (line = strsep(&rest, "\n"));)
		if (*line && !r->run->o->quiet)
			say("%s", text__trim(line));
	return rc;
}

/* Print the total behind the rows of intervals, and the verdict. */
static int print_whole(struct stat_rows *r, const struct source_row *row, struct err *err)
{
	int rc = 0;

	if (r->run->interval && r->run->o->summary) {
		report__fill(r->report, row->counts, &row->time, SPAN_RUN, true);
		rc = write_rows(r, err);
	}
	if (!rc && r->run->report.verdict)
		rc = print_verdict(r, row, err);
	r->has_whole = !rc;
	return rc;
}

/* Groups that the kernel never scheduled may be none any more. */
static void take_groups(struct stat_rows *r)
{
	const struct session *session = r->source->session;

	if (!session || session__regrouped(session) == r->regrouped)
		return;
	r->regrouped = session__regrouped(session);
	report__regroup(r->report, session);
	if (r->places)
		report__regroup(r->places, session);
}

/* Print what a run has counted up to now. Of several runs it is the mean of those that are over. */
static int print_so_far(struct stat_rows *r, const struct source_row *row, struct err *err)
{
	const struct stat_run *run = r->run;

	if (run->o->passes) {
		say("pass %d of %d: counts are whole after the last", r->source->set + 1,
		    run->sets->nr);
		return 0;
	}
	if (!run->report.runs)
		report__fill(r->report, row->counts, &row->time, SPAN_RUN, run->interval);
	else if (report__sums(r->report)->runs.nr)
		report__fill_mean(r->report);
	else {
		say("the first run is not over yet");
		return 0;
	}
	return write_rows(r, err);
}

static int take(struct stat_rows *r, enum source_step step, const struct source_row *row,
		struct err *err)
{
	int rc = 0;

	if (step == SOURCE_OPENED)
		return open_rows(r, err);
	take_groups(r);
	if (step == SOURCE_ROW && r->recorder)
		rc = recorder__round(r->recorder, row->since_start, !r->run->interval, err);
	if (rc || r->run->o->no_print)
		return rc;
	if (step == SOURCE_SO_FAR)
		return print_so_far(r, row, err);
	return step == SOURCE_ROW ? print_row(r, row, err) : print_whole(r, row, err);
}

/* --- What is said in the end -------------------------------------------- */

/* Tell whether an event is to be named: not a second time, when it stands in several groups. */
static bool is_told(const struct sums *sums, int index, bool sampled)
{
	const struct summed_event *at = sums->events, *e = &at[index];

	if (e->event->sampled != sampled || !e->assumed)
		return false;
	for (int i = 0; i < index; i++)
		if (at[i].assumed && !strcmp(at[i].event->name, e->event->name))
			return false;
	return true;
}

/* Return: how many names there are, of which the first ones stand in @names. */
static int collect(const struct sums *sums, bool sampled, struct sb *names, bool *measurable)
{
	int nr = 0;

	*measurable = false;
	sb__clear(names);
	for (int i = 0; i < sums->nr_events; i++) {
		const struct event *e = sums->events[i].event;

		if (!is_told(sums, i, sampled))
			continue;
		*measurable |= e->pmu && pmu__samples_latencies(e->pmu);
		if (++nr <= NAMED)
			sb__printf(names, "%s%s", names->len ? ", " : "", e->name);
	}
	if (nr > NAMED)
		sb__printf(names, " and %d more", nr - NAMED);
	return nr;
}

/* Say which of the vendor's retire latencies were printed, and how to measure them. */
static void say_assumed(const struct sums *sums, bool counted)
{
	auto_free(sb) names = SB_INIT;
	bool measurable;
	int nr = collect(sums, false, &names, &measurable);

	if (nr)
		say("%s: not measured: the vendor's latency is used for %s%s", sb__str(&names),
		    nr > 1 ? "each" : "it",
		    counted && measurable ? "; --record-tpebs measures" : "");
	if (collect(sums, true, &names, &measurable))
		say("%s: where there was no sample, the vendor's latency is used", sb__str(&names));
}

static bool is_busy(const struct summed_event *e)
{
	return e->busy;
}

static bool is_withheld(const struct summed_event *e)
{
	return e->withheld;
}

/*
 * Say why some events have no counts, where no field and no note below the rows (-v) does: they
 * stand beside others that are counted.
 */
static void say_uncounted(const struct stat_rows *r, bool (*is)(const struct summed_event *e),
			  const char *why)
{
	const struct sums *sums = report__sums(r->report);
	auto_free(sb) names = SB_INIT;
	int nr = 0;

	if (as_perf() || r->run->format.reasons ||
	    !format__is(r->run->format.format, FORMAT_PERFS))
		return;
	for (int i = 0; i < sums->nr_events; i++)
		if (is(&sums->events[i]) && ++nr <= NAMED)
			sb__printf(&names, "%s%s", nr > 1 ? ", " : "", sums->events[i].event->name);
	if (nr > NAMED)
		sb__printf(&names, " and %d more", nr - NAMED);
	if (nr)
		say("%s: not counted%s: %s", sb__str(&names),
		    r->run->interval ? " in some rows" : "", why);
}

static bool took_turns(const struct sums *sums, const struct pmu *pmu)
{
	for (int i = 0; i < sums->nr_events; i++)
		if (sums->events[i].took_turns && sums->events[i].event->pmu == pmu)
			return true;
	return false;
}

static void say_turns(const struct stat_run *run, const struct sums *sums)
{
	const struct machine *machine = run->host.machine;

	for (int i = 0; run->o->topdown && i < machine__nr_core_pmus(machine); i++)
		if (took_turns(sums, machine__core_pmu(machine, i)))
			stat_tell_turns(run, machine__core_pmu(machine, i));
}

static int count_starved(const struct sums *sums)
{
	int nr = 0;

	for (int i = 0; i < sums->nr_events; i++)
		nr += sums->events[i].starved;
	return nr;
}

static void say_starved(const struct stat_run *run, const struct sums *sums)
{
	int nr = count_starved(sums);

	if (nr)
		say("%d event%s had no turn on the counters%s: metrics that use %s have no value "
		    "(nan); count for longer, or count fewer metrics",
		    nr, nr > 1 ? "s" : "", run->interval ? " in some rows" : "",
		    nr > 1 ? "them" : "it");
}

static bool has_metric(const struct grid *g, bool perfs)
{
	const struct grid_column *c = g->columns;

	for (int i = 0; i < g->nr_columns; i++)
		if (c[i].kind == GRID_METRIC ||
		    (perfs ? c[i].in_metric_only : c[i].kind == GRID_RATIO && c[i].possible))
			return true;
	return false;
}

/* Say why nothing was printed where a format has no place for what is there. */
static void say_empty(const struct stat_rows *r)
{
	const struct format *format = r->run->format.format;
	const struct grid *g = report__grid(r->report);

	if (as_perf() || r->run->o->quiet)
		return;
	if (r->run->o->null && !format__is(format, FORMAT_TEXT) &&
	    !format__is(format, FORMAT_STATE))
		say("-n: %s has no row for the elapsed time alone, %.9f s; use text or prom",
		    format__name(format), g->elapsed_ns / NS_PER_S);
	else if (r->run->format.metric_only && !r->run->o->null &&
		 !has_metric(g, format__is(format, FORMAT_PERFS)))
		say("no metric is counted: remove --metric-only, or add -M or --topdown");
}

static void say_remarks(const struct stat_rows *r)
{
	const struct sums *sums = report__sums(r->report);
	auto_free(sb) shares = SB_INIT;

	if (r->gaps > 1)
		say("%" PRIu64 " rows were left out in total, before %u others",
		    report__grid(r->report)->missed_total, r->gaps);
	say_empty(r);
	say_assumed(sums, !r->source->recording);
	say_uncounted(r, is_busy, "pinned (D), and others hold the counters");
	say_uncounted(r, is_withheld,
		      "were counted for less of the time than --min-running requires");
	/* Machine formats have the rest in their fields. */
	if (!format__is(r->run->format.format, FORMAT_TEXT))
		return;
	say_turns(r->run, sums);
	say_starved(r->run, sums);
	/*
	 * Say on which core types tasks ran: the counts of each type are of that part of their
	 * time.
	 */
	shares__say(sums, r->run->format.metric_only, &shares);
	if (shares.len)
		say("%s", shares.buf);
}

static int end_rows(struct stat_rows *r, struct err *err)
{
	int rc = 0;

	/* A signal may come before the first session is open. */
	if (r->run->o->no_print || !r->report)
		return 0;
	/* There is no run to print when the first one failed. */
	if (r->run->report.runs && report__sums(r->report)->runs.nr) {
		report__fill_mean(r->report);
		rc = write_rows(r, err);
	}
	if (!rc && r->writer)
		rc = writer__finish(r->writer, err);
	if (!rc && !r->run->taker)
		say_remarks(r);
	if (!rc && r->run->taker && r->run->taker->take && r->has_whole) {
		r->run->taker->status = r->source->status;
		r->run->taker->starved = count_starved(report__sums(r->report));
		r->run->taker->take(r->run->taker, report__grid(r->report));
	}
	return rc;
}

struct stat_rows *stat_rows__new(const struct stat_run *run, struct source *source)
{
	struct stat_rows *r = xcalloc(1, sizeof(*r));

	r->run = run;
	r->source = source;
	return r;
}

int stat_rows__next(struct stat_rows *r, struct err *err)
{
	struct source_row row;
	int step = r->source->next(r->source, &row, err);
	int rc = step > 0 ? take(r, step, &row, err) : 0;

	return rc ? rc : step;
}

const struct grid *stat_rows__grid(const struct stat_rows *r)
{
	return r->report ? report__grid(r->report) : NULL;
}

int stat_rows__end(struct stat_rows *r, int rc, struct err *err)
{
	int finished = 0;

	if (r->source->end)
		r->source->end(r->source, rc);
	rc = rc ?: end_rows(r, err);
	/* Rows that could not be printed are recorded all the same. */
	if (r->recorder)
		finished = recorder__finish(r->recorder, rc ? NULL : err);
	recorder__free(r->recorder);
	writer__free(r->writer);
	report__free(r->places);
	report__free(r->report);
	free(r);
	return rc ?: finished;
}

int stat_run(const struct stat_run *run, struct source *source, struct err *err)
{
	struct stat_rows *rows = stat_rows__new(run, source);
	int step;

	do {
		step = stat_rows__next(rows, err);
	} while (step > 0);
	return stat_rows__end(rows, step, err);
}
