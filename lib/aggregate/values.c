// SPDX-License-Identifier: GPL-2.0-only
/* Make the columns of the plan's program from sums; its outputs are the values of metrics. */
#include <math.h>
#include <string.h>

#include "aggregate/internal.h"

#define SHORT_NS 1000000 /* in a shorter time a counter may stay at 0 */
/* Times that differ by a smaller share count as equal, since counters start one after another. */
#define ALIKE 0.02

/*
 * Return: the value of a tool event, the same for every row: seconds, or a fact about the machine,
 * which is counted in one row only; NaN if unknown.
 */
static double tool_value(const struct sums *s, int event)
{
	enum event_tool tool = s->events[event].event->tool;
	bool counted = !event_tool__is_state(tool) && tool != EVENT_DURATION_TIME;
	uint64_t value = 0;

	for (int row = 0; row < s->nr_rows; row++) {
		counted |= sum__is_counted(sums__at(s, event, row));
		value += sums__at(s, event, row)->value;
	}
	if (!counted)
		return NAN;
	return event_tool__is_state(tool) ? value : value * 1e-9;
}

/* Return: the input of metrics: a sum of counts, or a better estimate of it. */
static double count_of(const struct sums *s, int event, int row)
{
	const struct sum *sum = sums__at(s, event, row);
	double estimated = s->estimated ? s->estimated[event * s->nr_rows + row] : (double)NAN;

	if (!sum__is_counted(sum))
		return NAN;
	return isnan(estimated) || sum->lacks ? (double)sum->value : estimated;
}

/*
 * Return: the mean number of boxes of a package in a sum. Formulas divide by this number times the
 * number of packages, and so by the number of boxes that were counted. Packages may differ in their
 * boxes: in dies, or in a box that was not counted.
 */
static double boxes_of(const struct sums *s, int event, int row)
{
	const struct summed_event *e = &s->events[event];
	const struct sum *sum = sums__at(s, event, row);
	double packages = s->row_counts ? s->row_counts[ROW_PACKAGES * s->nr_rows + row] :
					  s->packages;

	if (isnan(s->packages) || !sum->ran || !packages || event__is_of_core(e->event))
		return e->instances;
	return sum->ran / packages;
}

static void fill_column(struct sums *s, int event)
{
	const struct summed_event *e = &s->events[event];
	const struct sum *sums = sums__at(s, event, 0);
	double *in = &s->in[event * s->nr_rows], *enabled = in + s->nr_events * s->nr_rows;
	double value = e->event->tool ? tool_value(s, event) : 0;
	double *sources = &s->sources[event * s->nr_rows];

	for (int row = 0; row < s->nr_rows; row++) {
		const struct sum *sum = &sums[row];

		sources[row] = boxes_of(s, event, row);
		if (e->event->tool) {
			in[row] = value;
			sources[row] = 1;
		} else if (sum->is_latency && !isnan(sum->latency)) {
			/* Use the vendor's latency even if the kernel refused the event. */
			in[row] = sum->latency;
		} else if (!e->supported) {
			in[row] = NAN;
			sources[row] = 0;
		} else {
			in[row] = count_of(s, event, row);
		}
		enabled[row] = sum->enabled * 1e-9;
	}
}

/* Scale a TSC count, of all CPUs or of a task's time, to the time that the formula means. */
static void fill_tsc(struct sums *s, int number)
{
	const struct plan_tsc *tsc = &s->plan->tscs.at[number];
	int column = (2 * s->nr_events + number) * s->nr_rows;

	for (int row = 0; row < s->nr_rows; row++) {
		double all = sums__at(s, tsc->event, row)->enabled, part = row_time__on_ns(s->time);

		if (tsc->as >= 0)
			part = sums__at(s, tsc->as, row)->enabled;
		s->in[column + row] =
			part && all ? count_of(s, tsc->event, row) * part / all : (double)NAN;
		s->sources[column + row] = 1;
	}
}

bool sums__has_same_time(const struct sums *s, int a, int b, int row)
{
	const struct sum *x = sums__at(s, a, row), *y = sums__at(s, b, row);
	double most = fmax(x->enabled, y->enabled), differ = most - fmin(x->enabled, y->enabled);

	if (s->shares || s->opts->rotated || s->opts->nr_passes || x->counters != y->counters ||
	    !sum__is_counted(x) || !sum__is_counted(y))
		return true;
	return differ <= ALIKE * most || differ <= (double)SHORT_NS * x->counters;
}

/* Withhold counts of events that ran for too small a share of the time, for all users of sums. */
static void withhold(struct sums *s)
{
	for (int i = 0; i < s->nr_events * s->nr_rows; i++) {
		struct sum *sum = &s->at[i];

		if (sum->is_latency || !sum__is_counted(sum) ||
		    sum__percent(sum) >= s->opts->min_running)
			continue;
		sum->failed = sum->withheld = true;
		sum->failure = SAMPLE_NOT_COUNTED;
		s->events[i / s->nr_rows].withheld = true;
	}
}

/* Whether a task or CPU executed instructions of the kind that the event counts. */
static bool has_executed(const struct sums *s, const struct event *e, const struct sum *sum)
{
	/* An event may never occur at a site. */
	if (sum->running < SHORT_NS || e->attr.exclude_host || s->opts->sites)
		return false;
	return !e->attr.exclude_kernel || (s->time->has_cpu_time && s->time->user_ns >= SHORT_NS);
}

static bool is_zero(const struct sums *s, int event, const struct sum *sum)
{
	return !sum->value && sum__is_counted(sum) && has_executed(s, s->events[event].event, sum);
}

static void mark_dead(struct sums *s, int event, struct sum *sum)
{
	sum->dead = sum->failed = true;
	sum->failure = SAMPLE_NOT_COUNTED;
	s->events[event].dead = true;
}

/*
 * Find counters that stay at 0, as in virtual machines: there a counter may open and run, but not
 * count.
 */
static bool find_dead(struct sums *s)
{
	bool dead = false;

	for (int i = 0; i < s->nr_events; i++) {
		struct summed_event *e = &s->events[i];

		for (int row = 0; (e->runs_always || e->doubtful) && row < s->nr_rows; row++) {
			struct sum *sum = sums__at(s, i, row);

			sum->dead = e->runs_always && is_zero(s, i, sum);
			if (sum->dead)
				mark_dead(s, i, sum);
			dead |= sum->dead;
			e->moved |= sum->value != 0;
		}
	}
	return dead;
}

/* After an event that cannot be 0 stayed at 0, distrust all other events that are 0. */
static void distrust(struct sums *s)
{
	for (int i = 0; i < s->nr_events; i++) {
		if (s->events[i].runs_always || !event__is_of_core(s->events[i].event))
			continue;
		for (int row = 0; row < s->nr_rows; row++) {
			struct sum *sum = sums__at(s, i, row);

			sum->dead = is_zero(s, i, sum);
			if (sum->dead)
				mark_dead(s, i, sum);
		}
	}
}

int sums__dead_event(const struct sums *s, const struct plan_metric *pm, int row)
{
	for (int i = 0; pm->events && i < plan_metric__nr_events(pm); i++)
		if (pm->events[i] && sums__at(s, pm->events[i]->index, row)->dead)
			return pm->events[i]->index;
	return -1;
}

void sums__evaluate(struct sums *s, const struct row_time *time)
{
	s->time = time;
	if (find_dead(s))
		distrust(s);
	if (s->opts->min_running)
		withhold(s);
	if (!s->nr_metrics)
		return;
	for (int e = 0; e < s->nr_events; e++)
		fill_column(s, e);
	for (int i = 0; i < s->plan->tscs.nr; i++)
		fill_tsc(s, i);
	program__set_rows(s->plan->program, s->row_counts);
	program__eval(s->plan->program, s->nr_rows, s->in, s->sources, s->out);
	lacking__strike(s, s->out);
}

void sums__evaluate_own(struct sums *s, int event)
{
	const struct pmu *pmu = s->events[event].event->pmu;
	size_t cells = (size_t)plan__nr_columns(s->plan) * s->nr_rows;

	memcpy(s->own_in, s->in, cells * sizeof(*s->in));
	memcpy(s->own_sources, s->sources, cells * sizeof(*s->sources));
	for (int e = 0; e < s->nr_events; e++) {
		const struct event *from = s->events[e].event;

		if (from->pmu != pmu || !event__is_further_instance(from))
			continue;
		for (int row = 0; row < s->nr_rows; row++) {
			int to = from->first->index * s->nr_rows + row;

			s->own_in[to] = s->in[e * s->nr_rows + row];
			s->own_sources[to] = 1;
		}
	}
	program__eval(s->plan->program, s->nr_rows, s->own_in, s->own_sources, s->own_out);
}
