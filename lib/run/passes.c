// SPDX-License-Identifier: GPL-2.0-only
/* Combine the counts of several runs, each of which counts another set of groups (--passes). */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "run/internal.h"

#define NOTE_PERCENT 3	    /* passes may differ by this many % without a note */
#define ENOUGH_EVENTS 10000 /* smaller counts vary by chance */

/* The least and the greatest total of an event in these passes. */
struct extremes {
	double min, max;
	int min_at, max_at;
};

static void passes__start(struct passes *p, const struct session *session)
{
	passes__free(p);
	p->time = (struct row_time){0};
	p->totals = xcalloc((size_t)p->sets->nr * p->sets->nr_events, sizeof(*p->totals));
	counts__init(&p->sum, session);
}

static bool passes__is_counted(enum sample_status status)
{
	return status == SAMPLE_COUNTED || status == SAMPLE_SCALED;
}

/* Add the sample of a run. The sum has the worst status of the runs. */
static void passes__add_sample(struct sample *sum, const struct sample *s, bool first)
{
	enum sample_status status = s->status;

	if (!first && !(passes__is_counted(sum->status) &&
			(!passes__is_counted(status) || status > sum->status)))
		status = sum->status;
	if (first)
		memset(sum, 0, sizeof(*sum));
	sum->value += s->value;
	sum->scaled += s->scaled;
	sum->enabled += s->enabled;
	sum->running += s->running;
	sum->status = status;
}

/* Return: the number of runs so far that counted an event. */
static int runs_of(const struct passes *p, int event)
{
	int nr = 0;

	for (int pass = 0; pass < p->lengths.nr; pass++)
		nr += sets__has(p->sets, pass, event);
	return nr;
}

static void passes__add_event(struct passes *p, int pass, int event, const struct counts *counts)
{
	bool first = !runs_of(p, event);

	for (int i = event * counts->nr_units; i < (event + 1) * counts->nr_units; i++) {
		passes__add_sample(&p->sum.at[i], &counts->at[i], first);
		if (passes__is_counted(counts->at[i].status))
			p->totals[pass * p->sets->nr_events + event] += counts->at[i].scaled;
		if (counts->latencies)
			latency__merge(&p->sum.latencies[i], &counts->latencies[i]);
	}
}

int passes__add(struct passes *p, int pass, const struct session *session,
		const struct source_row *row, struct err *err)
{
	const struct counts *counts = row->counts;
	const struct row_time *time = &row->time;

	if (!pass)
		passes__start(p, session);
	if (counts->nr_units != p->sum.nr_units)
		return err__set(err, ESTALE, "the CPUs are no longer those of the first run");
	for (int event = 0; event < counts->nr_events; event++)
		if (sets__has(p->sets, pass, event))
			passes__add_event(p, pass, event, counts);
	p->time.since_start_ns += time->since_start_ns;
	p->time.elapsed_ns += time->elapsed_ns;
	p->time.off_ns += time->off_ns;
	p->time.user_ns += time->user_ns;
	p->time.system_ns += time->system_ns;
	p->time.has_cpu_time = time->has_cpu_time;
	vec__push(&p->lengths, time->elapsed_ns);
	return 0;
}

void passes__finish(struct passes *p)
{
	int runs = p->lengths.nr;

	for (int i = 0; i < p->sum.nr_events * p->sum.nr_units; i++) {
		struct sample *s = &p->sum.at[i];
		int nr = runs_of(p, i / p->sum.nr_units);

		if (nr < 2)
			continue;
		s->value /= nr;
		s->scaled /= nr;
		s->enabled /= nr;
		s->running /= nr;
	}
	if (!runs)
		return;
	p->time.since_start_ns /= runs;
	p->time.elapsed_ns /= runs;
	p->time.off_ns /= runs;
	p->time.user_ns /= runs;
	p->time.system_ns /= runs;
	p->sum.time_ns = p->time.since_start_ns;
	p->time.pass_ns = p->lengths.at;
	p->time.nr_passes = runs;
	p->time.pass_spread = NAN;
}

static bool same_event(const struct event *a, const struct event *b)
{
	return a->pmu == b->pmu && a->cgroup == b->cgroup && a->attr.type == b->attr.type &&
	       a->attr.config == b->attr.config && a->attr.config1 == b->attr.config1 &&
	       a->attr.config2 == b->attr.config2 && a->attr.exclude_user == b->attr.exclude_user &&
	       a->attr.exclude_kernel == b->attr.exclude_kernel && !a->filter && !b->filter;
}

/*
 * Whether passes are compared by an event. Times and states do not depend on what the command does.
 */
static bool is_comparable(const struct event *e)
{
	if (e->tool || e->retire_latency || e->snapshot)
		return false;
	if (e->attr.type == PERF_TYPE_SOFTWARE)
		return e->attr.config != PERF_COUNT_SW_CPU_CLOCK &&
		       e->attr.config != PERF_COUNT_SW_TASK_CLOCK;
	return e->pmu && e->pmu->is_core;
}

/* Find the first event of a pass that counts the same as event @event, or -1. */
static int find_in(const struct passes *p, int pass, const struct event_list *list, int event)
{
	for (int i = 0; i < list->nr; i++)
		if (sets__has(p->sets, pass, i) && same_event(list->at[i], list->at[event]))
			return i;
	return -1;
}

/*
 * Find the extremes of an event's totals in the passes that count it. Return: number of these
 * passes.
 */
static int totals_of(const struct passes *p, const struct event_list *list, int event,
		     struct extremes *x)
{
	int nr = 0;

	for (int pass = 0; is_comparable(list->at[event]) && pass < p->lengths.nr; pass++) {
		int found = find_in(p, pass, list, event);
		double total;

		if (found < 0)
			continue;
		total = p->totals[pass * p->sets->nr_events + found];
		if (!nr || total < x->min) {
			x->min = total;
			x->min_at = pass;
		}
		if (!nr++ || total > x->max) {
			x->max = total;
			x->max_at = pass;
		}
	}
	return nr;
}

void passes__compare(struct passes *p, const struct event_list *list, struct notes *notes)
{
	struct extremes x = {0}, worst = {0};
	const struct event *event = NULL;
	double most = 0;

	for (int e = 0; e < list->nr; e++) {
		if (totals_of(p, list, e, &x) < 2 || x.min < ENOUGH_EVENTS ||
		    (event && 100 * (x.max - x.min) / x.min <= most))
			continue;
		most = 100 * (x.max - x.min) / x.min;
		worst = x;
		event = list->at[e];
	}
	if (event)
		p->time.pass_spread = most / 100;
	if (event && most > NOTE_PERCENT)
		notes__add(notes, NOTE_UNWHOLE, NULL,
			   "%s is %.0f %% larger in pass %d than in pass %d: the command does not "
			   "repeat the same work, and metrics with events of several passes may "
			   "be wrong by as much",
			   event->name, most, worst.max_at + 1, worst.min_at + 1);
}

void passes__free(struct passes *p)
{
	counts__free(&p->sum);
	free(p->totals);
	p->totals = NULL;
	vec__free(&p->lengths);
}
