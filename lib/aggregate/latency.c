// SPDX-License-Identifier: GPL-2.0-only
/* Find the retire latencies (:R) of rows: from samples, or the vendor's if there are no samples. */
#include <math.h>

#include "aggregate/internal.h"

enum vendor_value { VENDOR_MEAN, VENDOR_MIN, VENDOR_MAX };

static struct latency *latency_at(const struct sums *s, int event, int row)
{
	return &s->latencies[event * s->nr_rows + row];
}

static void latency__take_sample(struct sums *s, int event, int unit, const struct sample *sample)
{
	struct sum *sum = sums__at(s, event, s->row_of[unit]);

	sum->present = true;
	sum->supported |= !s->events[event].event->sampled ||
			  sample->status != SAMPLE_NOT_SUPPORTED;
	s->events[event].supported |= sum->supported;
	/* A unit without samples does not invalidate the samples of other units. */
	sum->nr += s->weight_of[unit];
	sum->was_enabled |= sample->enabled > 0;
	sum->enabled += sample->enabled;
	sum->running += sample->running;
}

void latencies__take(struct sums *s, const struct counts *counts, int event)
{
	for (int row = 0; row < s->nr_rows; row++)
		latency__clear(latency_at(s, event, row));
	/* An event that is not sampled is "not counted", not "not supported". */
	s->events[event].supported = !s->events[event].event->sampled;
	for (int unit = 0; unit < counts->nr_units; unit++) {
		int from = event * counts->nr_units + unit;

		if (counts->at[from].status == SAMPLE_ABSENT)
			continue;
		latency__take_sample(s, event, unit, &counts->at[from]);
		if (counts->latencies)
			latency__merge(latency_at(s, event, s->row_of[unit]),
				       &counts->latencies[from]);
	}
	for (int row = 0; sums__is_percore(s, event) && row < s->nr_rows; row++)
		if (s->core_of[row] != row)
			latency__merge(latency_at(s, event, s->core_of[row]),
				       latency_at(s, event, row));
}

/* Return: the vendor's value for the mode; the mean if the vendor has none for it. */
static enum vendor_value vendor_value(const struct sums *s, const struct event *e)
{
	if (s->opts->latency_mode == LATENCY_MIN && e->vendor_latency.min > 0)
		return VENDOR_MIN;
	if (s->opts->latency_mode == LATENCY_MAX && e->vendor_latency.max > 0)
		return VENDOR_MAX;
	return VENDOR_MEAN;
}

static double vendor_cycles(const struct sums *s, const struct event *e)
{
	const double values[] = { e->vendor_latency.mean, e->vendor_latency.min,
				  e->vendor_latency.max };
	double cycles = values[vendor_value(s, e)];

	return cycles > 0 ? cycles : (double)NAN;
}

enum grid_reason latency__reason(const struct sums *s, int event)
{
	const struct summed_event *e = &s->events[event];
	enum grid_reason why = REASON_VENDOR_UNMEASURED;

	if (e->event->sampled)
		why = e->refusal ? REASON_VENDOR_REFUSED : REASON_VENDOR_NO_SAMPLE;
	return why + vendor_value(s, e->event);
}

void latencies__conclude(struct sums *s, int event)
{
	struct summed_event *e = &s->events[event];

	for (int row = 0; row < s->nr_rows; row++) {
		int core = sums__is_percore(s, event) ? s->core_of[row] : row;
		const struct latency *l = latency_at(s, event, core);
		struct sum *sum = sums__at(s, event, row);

		sum->is_latency = true;
		sum->value = l->nr;
		sum->latency = sum->present ? latency__value(l, s->opts->latency_mode)
					    : (double)NAN;
		sum->assumed = false;
		if (!sum->present || !isnan(sum->latency))
			continue;
		sum->latency = vendor_cycles(s, e->event);
		sum->assumed = !isnan(sum->latency);
		e->assumed |= sum->assumed;
	}
}

int latency__of_metric(const struct sums *s, const struct summed_metric *m, int row)
{
	for (int i = 0; i < m->nr_latencies; i++)
		if (sums__at(s, m->latencies[i], row)->assumed)
			return m->latencies[i];
	return -1;
}

void latencies__add_run(struct sums *s)
{
	for (int i = 0; s->latencies && i < s->nr_events * s->nr_rows; i++)
		latency__merge(&s->runs.latencies[i], &s->latencies[i]);
}

void latencies__take_runs(struct sums *s)
{
	for (int i = 0; s->latencies && i < s->nr_events * s->nr_rows; i++)
		latency__copy(&s->runs.latencies[i], &s->latencies[i]);
	for (int e = 0; s->latencies && e < s->nr_events; e++) {
		if (!s->events[e].event->retire_latency)
			continue;
		s->events[e].assumed = false;
		latencies__conclude(s, e);
	}
}
