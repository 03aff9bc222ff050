// SPDX-License-Identifier: GPL-2.0-only
/* Notes on the opened events, and on the counts at the end. */
#include <inttypes.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "run/internal.h"

#define NAMED 3 /* greatest number of events named in a line */

static void tell_no_latency(struct run *run, const struct event *e)
{
	tell(run, REFUSED, e->name,
	     "a latency (:R) is sampled, not counted; %s, and the tables have no value",
	     e->pmu && pmu__samples_latencies(e->pmu) ? "--record-tpebs was not given"
						      : "this CPU does not measure it");
}

/*
 * Whether other boxes of an event's unit are counted. Then a note on the sum reports the missing
 * box.
 */
static bool is_box_of_others(const struct session *session, const struct event_list *events,
			     int index)
{
	const struct event *e = events->at[index];

	for (int i = 0; e->first && i < events->nr; i++)
		if (events->at[i]->first == e->first && session__supported(session, i))
			return true;
	return false;
}

/*
 * Note why events have no counts. If metrics need them, or if they are sampled, nothing else
 * explains it.
 */
void remark__refused(struct run *run)
{
	const struct session *session = run->source->session;

	for (int i = 0; i < run->plan->events.nr; i++) {
		const struct event *e = run->plan->events.at[i];
		bool needed = e->sampled || (e->from_metric && !e->default_group);
		const char *why = session__refusal(session, i);

		if (run->req->passes && !sets__has(run->sets, run->source->set, i))
			continue;
		/* Skip events of core types that -C leaves out. */
		if (!session__units(session)->comms && !session__cpus(session, i)->nr)
			continue;
		/* One line has reported all events that need whole CPUs. */
		if (session__needs_whole_cpus(session, i))
			continue;
		/*
		 * A latency that is not measured is reported at the end if the tables have a value.
		 */
		if (e->retire_latency && !e->sampled) {
			if (!run__has_vendor_latency(e))
				tell_no_latency(run, e);
			continue;
		}
		if (why && !is_box_of_others(session, &run->plan->events, i))
			notes__add(&run->notes, needed ? NOTE_REFUSED : NOTE_REFUSED_ALL, e->name,
				   "not supported: %s", why);
	}
}

/* Whether a note names an event. If the event is in several groups, only the first time. */
static bool needs_naming(const struct sums *sums, int index, bool sampled)
{
	const struct summed_event *at = sums->events, *e = &at[index];

	if (e->event->sampled != sampled || !e->assumed)
		return false;
	for (int i = 0; i < index; i++)
		if (at[i].assumed && !strcmp(at[i].event->name, e->event->name))
			return false;
	return true;
}

/*
 * Append the first few names of events with assumed latencies to @names. Return: number of such
 * events.
 */
static int remark__collect(const struct sums *sums, bool sampled, struct sb *names,
			   bool *measurable)
{
	int nr = 0;

	*measurable = false;
	sb__clear(names);
	for (int i = 0; i < sums->nr_events; i++) {
		const struct event *e = sums->events[i].event;

		if (!needs_naming(sums, i, sampled))
			continue;
		*measurable |= e->pmu && pmu__samples_latencies(e->pmu);
		if (++nr <= NAMED)
			sb__printf(names, "%s%s", names->len ? ", " : "", e->name);
	}
	if (nr > NAMED)
		sb__printf(names, " and %d more", nr - NAMED);
	return nr;
}

/* Note for which events the vendor's retire latency was used, and how to measure it. */
static void tell_assumed(struct run *run, const struct sums *sums)
{
	auto_free(sb) names = SB_INIT;
	bool measurable;
	int nr = remark__collect(sums, false, &names, &measurable);

	if (nr)
		tell(run, LATENCIES, sb__str(&names),
		     "not measured: the vendor's latency is used%s%s",
		     !run->req->input && measurable ? "; --record-tpebs measures " : "",
		     run->req->input || !measurable ? "" : nr > 1 ? "them" : "it");
	if (remark__collect(sums, true, &names, &measurable))
		tell(run, LATENCIES, sb__str(&names),
		     "without a sample, the vendor's latency is used");
}

/* Whether an event lacks the same part as @like, and no note has reported this. */
static bool is_lacking(const struct summed_event *e, const struct summed_event *like)
{
	return e->lacking.key && !e->lacking.reported && e->lacking.key == like->lacking.key;
}

void remark__lacking(struct run *run)
{
	struct sums *sums = report__sums(run->rows);

	for (int first = 0; sums->lacks && first < sums->nr_events; first++) {
		struct summed_event *e = &sums->events[first];
		auto_free(sb) names = SB_INIT;
		int nr = 0;

		for (int i = first; is_lacking(e, e) && i < sums->nr_events; i++) {
			struct summed_event *other = &sums->events[i];

			if (!is_lacking(other, e))
				continue;
			other->lacking.reported = i != first;
			/* The event may be in several groups. */
			if (nr && text__has_item(sb__str(&names), ", ", other->event->name))
				continue;
			if (++nr <= NAMED)
				sb__printf(&names, "%s%s", nr > 1 ? ", " : "", other->event->name);
		}
		if (nr > NAMED)
			sb__printf(&names, " and %d more", nr - NAMED);
		if (nr)
			tell(run, LACKING, sb__str(&names), "not counted in full%s: %s",
			     run->about.interval ? " in some rows" : "", e->lacking.words);
		e->lacking.reported |= nr;
	}
}

static bool is_dead(const struct summed_event *e)
{
	return e->dead;
}

static bool is_busy(const struct summed_event *e)
{
	return e->busy;
}

static bool is_withheld(const struct summed_event *e)
{
	return e->withheld;
}

static int put_names(const struct sums *sums, bool (*is)(const struct summed_event *e),
		     struct sb *names)
{
	int nr = 0;

	for (int i = 0; i < sums->nr_events; i++) {
		const char *name = sums->events[i].event->name;

		/* The event may be in several groups. */
		if (!is(&sums->events[i]) || (nr && text__has_item(sb__str(names), ", ", name)))
			continue;
		if (++nr <= NAMED)
			sb__printf(names, "%s%s", nr > 1 ? ", " : "", name);
	}
	if (nr > NAMED)
		sb__printf(names, " and %d more", nr - NAMED);
	return nr;
}

/* Note events without counts, while other events have counts. */
static void tell_uncounted(struct run *run, const struct sums *sums,
			   bool (*is)(const struct summed_event *e), const char *why)
{
	auto_free(sb) names = SB_INIT;

	if (put_names(sums, is, &names))
		tell(run, UNCOUNTED, sb__str(&names), "not counted%s: %s",
		     run->about.interval ? " in some rows" : "", why);
}

static bool is_doubtful(const struct summed_event *e)
{
	return e->doubtful && e->supported && !e->moved && !e->dead;
}

static void tell_doubtful(struct run *run, const struct sums *sums)
{
	auto_free(sb) names = SB_INIT;

	if (put_names(sums, is_doubtful, &names))
		tell(run, LACKING, sb__str(&names),
		     "0: the host may not give this virtual machine the registers that such "
		     "events need");
}

static void tell_dead(struct run *run, const struct sums *sums)
{
	auto_free(sb) names = SB_INIT;

	if (put_names(sums, is_dead, &names))
		tell(run, LACKING, sb__str(&names),
		     "0 while the CPU executed instructions: the counters of this %smachine do "
		     "not count",
		     machine__is_virtual(run->host->machine) ? "virtual " : "");
}

static bool remark__took_turns(const struct sums *sums, const struct pmu *pmu)
{
	for (int i = 0; i < sums->nr_events; i++)
		if (sums->events[i].took_turns && sums->events[i].event->pmu == pmu)
			return true;
	return false;
}

static void tell_took_turns(struct run *run, const struct sums *sums)
{
	const struct machine *machine = run->host->machine;

	for (int i = 0; run->topdown && i < machine__nr_core_pmus(machine); i++)
		if (remark__took_turns(sums, machine__core_pmu(machine, i)))
			tell__turns(run, machine__core_pmu(machine, i));
}

int remark__count_starved(const struct sums *sums)
{
	int nr = 0;

	for (int i = 0; i < sums->nr_events; i++)
		nr += sums->events[i].starved;
	return nr;
}

static void tell_starved(struct run *run)
{
	int nr = run->outcome.starved;

	if (nr)
		tell(run, STARVED, NULL,
		     "%d event%s had no turn on the counters%s: metrics that use %s have no "
		     "value (nan); count for longer, or count fewer metrics",
		     nr, nr > 1 ? "s" : "", run->about.interval ? " in some rows" : "",
		     nr > 1 ? "them" : "it");
}

/*
 * Without hardware counters, recommend what helps: most events of a run without -e are not
 * supported.
 */
static void tell_no_pmu(struct run *run)
{
	struct machine *m = run->host->machine;

	if (run->req->nr_events || *run->names || run->topdown || run->req->null ||
	    run->req->input || machine__nr_core_pmus(m))
		return;
	tell(run, NO_PMU, NULL,
	     "this %smachine has no hardware counters: 'tma why' names the line that takes the "
	     "time, and 'tma --machine sapphirerapids' before a command simulates them",
	     machine__is_virtual(m) ? "virtual " : "");
}

void remark__after(struct run *run)
{
	const struct sums *sums = report__sums(run->rows);
	auto_free(sb) shares = SB_INIT;

	if (run->gaps > 1)
		tell(run, GAP, NULL, "%" PRIu64 " rows were left out in total, before %u other "
						"rows",
		     run__grid(run)->missed_total, run->gaps);
	tell_dead(run, sums);
	tell_doubtful(run, sums);
	tell_assumed(run, sums);
	tell_uncounted(run, sums, is_busy, "pinned (D), and others hold the counters");
	tell_uncounted(run, sums, is_withheld,
		       "were counted for less of the time than --min-running requires");
	if (notes__want(&run->notes, NOTE_TOOK_TURNS))
		tell_took_turns(run, sums);
	tell_starved(run);
	if (run->sites)
		run_sites__tell_end(run);
	tell_no_pmu(run);
	/* Note on which core types tasks ran: counts of a type cover the time on this type. */
	shares__describe(sums, run->report.metric_only, &shares);
	if (shares.len)
		tell(run, SHARES, NULL, "%s", shares.buf);
}
