// SPDX-License-Identifier: GPL-2.0-only
/* Rows in print: the one place that calls lib/report, and what it tells of them in the end. */
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "machine/machine.h"
#include "stat.h"

#define NAMED 3 /* events in a line; of more, how many */

static struct report *open_recorded(const struct stat_run *run, const struct recording *recording,
				    const struct report_options *opts)
{
	const struct recording_info *info = recording__info(recording);
	const struct units units = {
		.nr = info->nr_units,
		.ids = info->units,
		.comms = info->comms,
		.weights = info->weights,
		.uncounted = info->text && info->aggr == RECORD_AGGR_GLOBAL,
	};
	struct report *r = report__new(run->host.machine, run->plan, NULL, &units, opts);

	for (int i = 0; i < run->plan->events.nr; i++)
		sums__set_reasons(report__sums(r), i, recording__refusal(recording, i),
				  recording__obstacle(recording, i));
	return r;
}

static void say_no_latency(const struct event *e)
{
	say("%s: a latency (:R) is sampled, not counted; %s, and the tables do not have it", e->name,
	    e->pmu && pmu__samples_latencies(e->pmu) ? "--record-tpebs was not given"
						     : "this CPU does not measure it");
}

/*
 * Why an event that has no counts has none: of those that metrics need or that are to be sampled.
 * Of all others -v tells it below the rows of text, and here for CSV; other formats always do.
 */
static void say_refused(const struct stat_run *run, const struct session *session, int set)
{
	bool tells_all = run->o->verbose && format__is(run->format.format, FORMAT_PERFS) &&
			 format__is(run->format.format, FORMAT_CSV);

	for (int i = 0; i < run->plan->events.nr; i++) {
		const struct event *e = run->plan->events.at[i];
		const char *why = session__refusal(session, i);

		if (run->o->passes && !sets__has(run->sets, set, i))
			continue;
		/* Metrics of other core types than those of -C. */
		if (!session__units(session)->comms && !session__cpus(session, i)->nr)
			continue;
		/* One line has told of all that need whole CPUs. */
		if (session__needs_whole_cpus(session, i))
			continue;
		/* What stands for a latency that is not measured is said behind the rows. */
		if (e->retire_latency && !e->sampled) {
			if (!stat__has_vendor_latency(e))
				say_no_latency(e);
			continue;
		}
		if (why && (tells_all || e->sampled || (e->from_metric && !e->default_group)))
			say("%s: not supported: %s", e->name, why);
	}
}

void stat_print__open(const struct stat_run *run, const struct source *source, struct print *p)
{
	struct report_options opts = run->report;

	opts.metric_only = run->format.metric_only;
	opts.wants = writer__wants(&run->format);
	/* Those of all turns of -r are the same. */
	if (source->session && !source->repeated) {
		say_lines(session__warnings(source->session));
		say_refused(run, source->session, source->set);
	}
	if (p->report) {
		report__take_refusals(p->report, source->session);
		return;
	}
	if (source->recording)
		p->report = open_recorded(run, source->recording, &opts);
	else
		p->report = report__new(run->host.machine, run->plan, source->session,
					session__units(source->session), &opts);
	p->writer = writer__new(&run->format, report__grid(p->report), run->out);
}

void stat_print__close(struct print *p)
{
	writer__free(p->writer);
	report__free(p->report);
}

int stat_print__row(const struct stat_run *run, struct print *p, const struct session *session,
		    const struct source_row *row, struct err *err)
{
	if (run->report.runs)
		return report__add_run(p->report, session__units(session), row->counts, &row->time,
				       err);
	report__fill(p->report, row->counts, &row->time, run->interval ? SPAN_INTERVAL : SPAN_RUN,
		     false);
	return writer__rows(p->writer, err);
}

int stat_print__total(struct print *p, const struct source_row *row, struct err *err)
{
	report__fill(p->report, row->counts, &row->time, SPAN_RUN, true);
	return writer__rows(p->writer, err);
}

int stat_print__verdict(const struct stat_run *run, struct print *p, const struct source_row *row,
			struct err *err)
{
	struct sb lines = SB_INIT;
	int rc;

	report__conclude(p->report, row->counts, &row->time);
	rc = writer__verdicts(p->writer, &lines, err);
	for (char *rest = lines.buf, *line; !rc && (line = strsep(&rest, "\n"));)
		if (*line && !run->o->quiet)
			say("%s", text__trim(line));
	sb__free(&lines);
	return rc;
}

/* --- What is said in the end -------------------------------------------- */

/* Whether an event is to be told: not a second time, when it stands in several groups. */
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

/* Which of the vendor's retire latencies were printed, and how to measure them. */
static void say_assumed(const struct sums *sums, bool counted)
{
	struct sb names = SB_INIT;
	bool measurable;
	int nr = collect(sums, false, &names, &measurable);

	if (nr)
		say("%s: not measured: the vendor's latency stands for %s%s", sb__str(&names),
		    nr > 1 ? "each" : "it",
		    counted && measurable ? "; --record-tpebs measures" : "");
	if (collect(sums, true, &names, &measurable))
		say("%s: where no sample came, the vendor's latency stands for it", sb__str(&names));
	sb__free(&names);
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

static void say_starved(const struct stat_run *run, const struct sums *sums)
{
	int nr = 0;

	for (int i = 0; i < sums->nr_events; i++)
		nr += sums->events[i].starved;
	if (nr)
		say("%d event%s had no turn on the counters%s: metrics made of %s have no value (nan); "
		    "count for longer, or fewer metrics at once", nr, nr > 1 ? "s" : "",
		    run->interval ? " in some rows" : "", nr > 1 ? "them" : "it");
}

int stat_print__end(const struct stat_run *run, const struct source *source, struct print *p,
		    struct err *err)
{
	const struct sums *sums = report__sums(p->report);
	struct sb shares = SB_INIT;
	int rc = 0;

	if (run->report.runs) {
		report__fill_mean(p->report);
		rc = writer__rows(p->writer, err);
	}
	if (rc)
		return rc;
	say_assumed(sums, !source->recording);
	/* Machine formats have the rest in their fields. */
	if (!format__is(run->format.format, FORMAT_TEXT))
		return 0;
	say_turns(run, sums);
	say_starved(run, sums);
	/* On which core types tasks ran: what is counted of each is of that part of their time. */
	shares__say(sums, run->format.metric_only, &shares);
	if (shares.len)
		say("%s", shares.buf);
	sb__free(&shares);
	return 0;
}
