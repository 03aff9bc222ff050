// SPDX-License-Identifier: GPL-2.0-only
/* Add the samples of units up to the sums of rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "aggregate/internal.h"
#include "base/xalloc.h"

/*
 * All instances of an uncore event share a column of the program; without -A they share sums, too.
 */
static void build_events(struct sums *s)
{
	s->nr_events = s->plan->events.nr;
	s->events = arena__calloc(&s->memory, s->nr_events, sizeof(*s->events));
	for (int i = 0; i < s->nr_events; i++) {
		const struct event *e = s->plan->events.at[i];

		s->events[i].event = e;
		s->events[i].instances = 1;
		s->events[i].runs_always = event__runs_always(e);
		s->events[i].doubtful = event__needs_register(e) && machine__is_virtual(s->machine);
		s->events[i].merged = event__is_further_instance(e) &&
				      !report_options__apart(s->opts);
		s->merges |= s->events[i].merged || e->merge;
	}
	for (int i = 0; i < s->nr_events; i++)
		if (s->events[i].merged)
			s->events[s->events[i].event->first->index].instances++;
}

/* Set the core type of a metric, since the event that it is printed with may have no core type. */
static void set_core(struct summed_metric *m, const struct event *e)
{
	const struct event *shown = m->metric->shown_at;

	m->core = e->pmu;
	m->where = shown->pmu == e->pmu ? shown->index : e->index;
}

static void sums__add_metric(struct sums *s, const struct plan_metric *pm)
{
	const struct metric_info *info = &pm->metric->info;
	struct summed_metric *m = &s->metrics[s->nr_metrics++];

	m->metric = pm;
	m->scale = info->scale_unit ? info->scale : 1;
	m->where = pm->shown_at->index;
	m->latencies = arena__calloc(&s->memory, pm->metric->nr_ids, sizeof(*m->latencies));
	for (int i = 0; pm->events && i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];

		if (e && !m->core && event__is_of_core(e) && machine__is_hybrid(s->machine))
			set_core(m, e);
		if (e && e->retire_latency &&
		    program__uses(s->plan->program, pm->value, e->index) > 0)
			m->latencies[m->nr_latencies++] = e->index;
	}
}

/* Sort metrics by the events that they are printed with, and for each event in the plan's order. */
static void build_metrics(struct sums *s)
{
	const struct plan *plan = s->plan;

	s->metrics = arena__calloc(&s->memory, plan->nr_metrics, sizeof(*s->metrics));
	for (int e = 0; e < s->nr_events; e++) {
		s->events[e].metrics = &s->metrics[s->nr_metrics];
		for (int i = 0; i < plan->nr_metrics; i++) {
			if (!plan->metrics[i].shown_at || plan->metrics[i].shown_at->index != e)
				continue;
			sums__add_metric(s, &plan->metrics[i]);
			s->events[e].nr_metrics++;
		}
	}
}

/*
 * Give each instance with rows of its own the metrics of the first instance. Return: whether there
 * are such instances with metrics.
 */
static bool find_own_values(struct sums *s)
{
	bool some = false;

	for (int i = 0; i < s->nr_events; i++) {
		struct summed_event *e = &s->events[i];

		if (!event__is_further_instance(e->event) || e->merged)
			continue;
		e->metrics = s->events[e->event->first->index].metrics;
		e->nr_metrics = s->events[e->event->first->index].nr_metrics;
		e->has_own_values = e->nr_metrics > 0;
		some |= e->has_own_values;
	}
	return some;
}

size_t sums__nr_outputs(const struct sums *s)
{
	return s->nr_metrics ? (size_t)program__outputs(s->plan->program) * s->nr_rows : 0;
}

static void sums__allocate(struct sums *s)
{
	size_t cells = (size_t)s->nr_events * s->nr_rows, outputs = sums__nr_outputs(s);
	size_t columns = (size_t)plan__nr_columns(s->plan) * s->nr_rows;

	s->nr_cells = cells;
	s->at = arena__calloc(&s->memory, cells, sizeof(*s->at));
	if (s->nr_metrics)
		program__reserve(s->plan->program, s->nr_rows);
	s->in = arena__calloc(&s->memory, columns, sizeof(*s->in));
	s->sources = arena__calloc(&s->memory, columns, sizeof(*s->sources));
	s->out = arena__calloc(&s->memory, outputs, sizeof(*s->out));
	if (find_own_values(s)) {
		s->own_in = arena__calloc(&s->memory, columns, sizeof(*s->own_in));
		s->own_sources = arena__calloc(&s->memory, columns, sizeof(*s->own_sources));
		s->own_out = arena__calloc(&s->memory, outputs, sizeof(*s->own_out));
	}
	if (s->opts->runs) {
		s->runs.values = arena__calloc(&s->memory, cells, sizeof(*s->runs.values));
		s->runs.sums = arena__calloc(&s->memory, cells, sizeof(*s->runs.sums));
		s->runs.latencies = latencies__new(&s->plan->events, s->nr_rows,
						   s->opts->latency_mode);
	}
	s->latencies = latencies__new(&s->plan->events, s->nr_rows, s->opts->latency_mode);
	shares__allocate(s);
}

struct sums *sums__new(struct machine *machine, const struct plan *plan, const struct units *units,
		       const struct report_options *opts)
{
	struct sums *s = xcalloc(1, sizeof(*s));

	s->machine = machine;
	s->plan = plan;
	s->opts = opts;
	build_events(s);
	build_metrics(s);
	rows__build(s, units);
	s->packages = s->nr_metrics && s->per_cpu && !units->weights ?
			      program__packages(plan->program) :
			      (double)NAN;
	row_counts__build(s);
	sums__allocate(s);
	return s;
}

void sums__free(struct sums *s)
{
	if (!s)
		return;
	latencies__free(s->latencies, s->nr_cells);
	latencies__free(s->runs.latencies, s->nr_cells);
	lacking__free(s);
	rows__free(s);
	vec__free(&s->runs.lengths);
	arena__free(&s->memory);
	free(s);
}

void sums__set_reasons(struct sums *s, int event, const char *refusal, const char *obstacle)
{
	struct summed_event *e = &s->events[event];

	if (refusal && (!e->refusal || strcmp(e->refusal, refusal)))
		e->refusal = arena__keep(&s->memory, xstrdup(refusal));
	if (obstacle && (!e->obstacle || strcmp(e->obstacle, obstacle)))
		e->obstacle = arena__keep(&s->memory, xstrdup(obstacle));
}

enum sample_status sum__status(const struct sum *s)
{
	if (!s->present)
		return SAMPLE_ABSENT;
	if (sum__is_counted(s))
		return s->running < s->enabled ? SAMPLE_SCALED : SAMPLE_COUNTED;
	if (s->failed)
		return s->failure;
	return s->supported ? SAMPLE_NOT_COUNTED : SAMPLE_NOT_SUPPORTED;
}

double sum__percent(const struct sum *s)
{
	return s->enabled ? 100.0 * s->running / s->enabled : (double)NAN;
}

double sums__value(const struct sums *s, int event, int row)
{
	const struct sum *sum = sums__at(s, event, row);

	return sum->is_latency ? sum->latency : sum->value * s->events[event].event->scale;
}

void sum__merge(struct sum *to, const struct sum *from)
{
	to->value += from->value;
	to->enabled += from->enabled;
	to->running += from->running;
	to->present |= from->present;
	to->supported |= from->supported;
	to->was_enabled |= from->was_enabled;
	to->lacks |= from->lacks;
	to->counters += from->counters;
	to->ran += from->ran;
}

/*
 * Whether a sample makes the sum invalid. The count of a CPU or core must be complete. Sums of
 * tasks or of everything (@parts) are only invalid after a failed read: the counter of a task may
 * never have been enabled.
 */
static inline bool sample__spoils(const struct sample *sample, bool parts)
{
	if (sample->status == SAMPLE_LOST || sample->status == SAMPLE_BUSY)
		return true;
	return !parts && (!sample->enabled || !sample->running);
}

/* Whether sums are valid with parts missing: in rows of tasks, of sites and of everything. */
static bool takes_parts(const struct sums *s)
{
	return s->opts->aggr == AGGR_GLOBAL || s->opts->aggr == AGGR_THREAD || s->opts->sites;
}

/*
 * Whether the unit's package is counted already. An event that counts whole packages is taken from
 * the first CPU of the package on which it ran.
 */
static bool package__taken(struct sums *s, int event, int unit, const struct sample *sample)
{
	int package = s->package_of[unit];

	if (package < 0 || !sample->enabled || !sample->running)
		return false;
	if (s->package_taken[package] == event + 1)
		return true;
	s->package_taken[package] = event + 1;
	return false;
}

/* Keep the worst of several failures, by the order of the statuses. */
static void sum__fail(struct sum *sum, enum sample_status failure)
{
	if (!sum->failed || failure > sum->failure)
		sum->failure = failure;
	sum->failed = true;
}

static inline void sum__add(struct sum *sum, int weight, const struct sample *sample, bool parts)
{
	sum->nr += weight;
	sum->supported = true;
	sum->was_enabled |= sample->enabled > 0;
	if (sample__spoils(sample, parts))
		sum__fail(sum, sample->status == SAMPLE_COUNTED ? SAMPLE_NOT_COUNTED :
								   sample->status);
	sum->value += sample->running ? sample->scaled : 0;
	sum->counters += weight;
	sum->ran += sample->running > 0;
	sum->enabled += sample->enabled;
	sum->running += sample->running;
}

/*
 * Add a unit, inline since this is the inner loop. Return: whether the kernel opened the event on
 * it.
 */
static inline __attribute__((always_inline)) bool
unit__add(struct sums *s, int event, int unit, const struct sample *sample, bool parts)
{
	struct sum *sum = sums__at(s, event, s->row_of[unit]);

	if (sample->status == SAMPLE_ABSENT ||
	    (s->events[event].event->per_pkg && package__taken(s, event, unit, sample)))
		return false;
	sum->present = true;
	if (sample->status == SAMPLE_NOT_SUPPORTED) {
		sum->counters += s->weight_of[unit];
		return false;
	}
	sum__add(sum, s->weight_of[unit], sample, parts);
	return true;
}

/* Invalidate sums that lack a part. Note in @busy that other users held the counter. */
static inline void spoil_failed(struct sums *s, int event)
{
	struct sum *sum = sums__at(s, event, 0), *end = sum + s->nr_rows;

	for (; sum < end; sum++) {
		if (!sum->failed)
			continue;
		sum->value = sum->enabled = sum->running = 0;
		s->events[event].busy |= sum->failure == SAMPLE_BUSY;
	}
}

static void take_event(struct sums *s, const struct counts *counts, int event)
{
	const struct sample *samples = &counts->at[event * counts->nr_units];
	const bool parts = takes_parts(s);
	bool supported = false;

	for (int unit = 0; unit < counts->nr_units; unit++)
		supported |= unit__add(s, event, unit, &samples[unit], parts);
	s->events[event].supported = supported;
	spoil_failed(s, event);
	lacking__take_event(s, event, samples);
}

/* Add the count of one core type of a task. The better status is kept, unless a read failed. */
static void sample__add_part(struct sample *to, const struct sample *from)
{
	bool counted = from->status <= SAMPLE_NOT_COUNTED;

	if (counted && to->status > SAMPLE_NOT_COUNTED && to->status != SAMPLE_LOST &&
	    to->status != SAMPLE_BUSY)
		to->status = SAMPLE_NOT_COUNTED;
	if (from->status == SAMPLE_LOST || from->status == SAMPLE_BUSY ||
	    (from->status == SAMPLE_NOT_SUPPORTED && to->status == SAMPLE_ABSENT))
		to->status = from->status;
	to->value += from->value;
	to->running += from->running;
	if (from->enabled > to->enabled)
		to->enabled = from->enabled;
}

/*
 * --hybrid-merge: a task is on one core at a time, so each core type has counted a part of the
 * task's count: add the parts. perf scales each part to the whole time before it adds them.
 */
static void take_core_types(struct sums *s, const struct counts *counts, int first)
{
	const struct event *event = s->events[first].event;

	memset(sums__at(s, first, 0), 0, sizeof(*s->at) * s->nr_rows);
	for (int unit = 0; unit < counts->nr_units; unit++) {
		struct sample sample = { .status = SAMPLE_ABSENT };

		for (int i = first; i < s->nr_events; i++) {
			const struct summed_event *e = &s->events[i];

			if (i == first || (e->merged && e->event->first == event))
				sample__add_part(&sample, &counts->at[i * counts->nr_units + unit]);
		}
		sample.scaled = sample.value;
		if (sample.running < sample.enabled && sample.running && !s->opts->no_scale)
			sample.scaled = (double)sample.value * sample.enabled / sample.running;
		s->events[first].supported |=
			unit__add(s, first, unit, &sample, takes_parts(s));
	}
	spoil_failed(s, first);
}

/* The boxes of an uncore unit count together: without one of them the sum is invalid. */
static void merge_instance(struct sums *s, int event)
{
	int first = s->events[event].event->first->index;

	for (int row = 0; row < s->nr_rows; row++) {
		struct sum *to = sums__at(s, first, row);
		const struct sum *from = sums__at(s, event, row);

		sum__merge(to, from);
		/* All boxes count on the same CPUs, while each core type counts on its own. */
		if (event__is_of_core(s->events[event].event))
			to->nr += from->nr;
		if (from->failed)
			sum__fail(to, from->failure);
	}
	spoil_failed(s, first);
	s->events[first].supported |= s->events[event].supported;
}

bool sums__is_percore(const struct sums *s, int event)
{
	return s->core_of && s->events[event].event->percore;
}

/* With the term percore, -A shows counts of whole cores: each CPU gets the count of its core. */
static void add_up_cores(struct sums *s, int event)
{
	struct sum *sums = sums__at(s, event, 0);

	/*
	 * Add up in the row of a core's first CPU, then copy to the rows of the core's other
	 * threads.
	 */
	for (int i = 0; i < s->nr_rows; i++) {
		struct sum *to = &sums[s->core_of[i]];

		if (to == &sums[i])
			continue;
		sum__merge(to, &sums[i]);
		to->failed |= sums[i].failed;
	}
	for (int i = 0; i < s->nr_rows; i++)
		sums[i] = sums[s->core_of[i]];
}

/* Add the counts of boxes, or of core types, to the counts of the first of them. */
static void sums__merge(struct sums *s, const struct counts *counts)
{
	for (int e = 0; e < s->nr_events; e++) {
		const struct event *event = s->events[e].event;
		bool of_tasks = s->shares && event->merge && event__is_of_core(event);

		if (of_tasks && !s->events[e].merged)
			take_core_types(s, counts, e);
		else if (s->events[e].merged && !of_tasks)
			merge_instance(s, e);
	}
}

static bool has_no_counter(const struct sums *s, int event)
{
	const struct summed_event *e = &s->events[event];

	if (!e->supported || e->merged || !event__is_of_core(e->event))
		return false;
	for (int row = 0; row < s->nr_rows; row++) {
		const struct sum *sum = sums__at(s, event, row);

		if (sum->present && !sum__is_counted(sum))
			return true;
	}
	return false;
}

static bool some_has_no_counter(const struct sums *s)
{
	for (int e = 0; e < s->nr_events; e++)
		if (has_no_counter(s, e))
			return true;
	return false;
}

/*
 * Mark metrics' events that had a counter for a part of a row's time, or never; later rows keep the
 * mark. For tasks on a hybrid machine, shares of the time do not show multiplexing.
 */
static void find_turns(struct sums *s)
{
	for (int i = 0; i < s->nr_events; i++) {
		struct summed_event *e = &s->events[i];
		const struct sum *sum = sums__at(s, i, 0);
		int type;

		if ((e->starved && (e->took_turns || s->shares)) || !e->event->from_metric ||
		    e->event->retire_latency || e->refusal || !event__is_of_core(e->event))
			continue;
		type = s->shares ? pmu__place(s->machine, e->event->pmu) : 0;
		for (int row = 0; row < s->nr_rows; row++, sum++) {
			if (!sum->was_enabled || !sum->supported ||
			    (s->shares && share__kind(s, type, row) == SHARE_NONE))
				continue;
			e->starved |= !sum->running;
			e->took_turns |= !s->shares && sum->running < sum->enabled;
		}
	}
}

static void count_presence(struct sums *s, const struct counts *counts)
{
	for (int row = 0; row < s->nr_rows; row++)
		s->rows[row].nr_unseen = s->rows[row].nr_away = 0;
	for (int unit = 0; counts->presence && unit < counts->nr_units; unit++) {
		const struct presence *p = &counts->presence[unit];
		struct grid_row *row = &s->rows[s->row_of[unit]];

		row->nr_unseen += p->unseen;
		row->nr_away += p->away && !p->unseen;
	}
}

void sums__take(struct sums *s, const struct counts *counts, bool is_total)
{
	count_presence(s, counts);
	lacking__forget(s);
	memset(s->at, 0, sizeof(*s->at) * s->nr_events * s->nr_rows);
	memset(s->package_taken, 0, sizeof(*s->package_taken) * s->nr_units);
	for (int e = 0; e < s->nr_events; e++) {
		bool latency = s->events[e].event->retire_latency;

		if (latency)
			latencies__take(s, counts, e);
		else
			take_event(s, counts, e);
		if (sums__is_percore(s, e))
			add_up_cores(s, e);
		if (latency)
			latencies__conclude(s, e);
	}
	shares__measure(s, is_total);
	find_turns(s);
	if (s->merges)
		sums__merge(s, counts);
	lacking__conclude(s);
	if (!s->watchdog_hint && !machine__is_hybrid(s->machine))
		s->watchdog_hint = some_has_no_counter(s);
}
