// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts as values: their memory, the meaning of their numbers, and the difference of two counts.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "count/session.h"

void counts__init(struct counts *c, const struct session *s)
{
	int nr;

	*c = (struct counts){
		.nr_events = s->counters.nr,
		.nr_units = s->counters.units.nr,
		.scale = s->opts.scale,
	};
	nr = c->nr_events * c->nr_units;
	c->at = xcalloc(nr, sizeof(*c->at));
	c->presence = xcalloc(c->nr_units, sizeof(*c->presence));
	for (int i = 0; i < nr; i++)
		c->at[i].status = SAMPLE_NOT_COUNTED;
	c->latencies = latencies__new(s->events, c->nr_units, s->opts.latency.mode);
}

void counts__free(struct counts *c)
{
	latencies__free(c->latencies, c->nr_events * c->nr_units);
	free(c->at);
	free(c->presence);
	*c = (struct counts){ .nr_units = 0 };
}

void sample__estimate(struct sample *sample, bool scale)
{
	double estimate;

	sample->status = SAMPLE_SCALED;
	/* The operations and their order are those of libperf's perf_counts_values__scale(). */
	if (!scale)
		return;
	estimate = (double)sample->value * sample->enabled / sample->running;
	/* A counter does not reach 2^64, but a damaged file may contain such numbers. */
	sample->scaled = estimate < 0x1p64 ? (uint64_t)estimate : UINT64_MAX;
}

void sample__finish_samples(struct sample *sample)
{
	/* The number of samples is not scaled up. Without a sample there is no latency. */
	sample->scaled = sample->value;
	if (!sample->value &&
	    (sample->status == SAMPLE_COUNTED || sample->status == SAMPLE_SCALED))
		sample->status = SAMPLE_NOT_COUNTED;
}

void sample__add(struct sample *sum, const struct sample *more)
{
	sum->value += more->value;
	sum->enabled += more->enabled;
	sum->running += more->running;
}

static const struct sample nothing = { .status = SAMPLE_NOT_COUNTED };

static struct presence presence_delta(const struct presence *now, const struct presence *before)
{
	return (struct presence){
		.moves = now->moves,
		.away = now->moves != before->moves || now->moves % 2,
		.unseen = now->unseen,
	};
}

static inline void sample_delta(const struct sample *now, const struct sample *before, bool scale,
				struct sample *out)
{
	if (!sample__has_numbers(now)) {
		*out = (struct sample){ .status = now->status };
		return;
	}
	/* The CPU has just come online for the first time. */
	if (before->status == SAMPLE_ABSENT)
		before = &nothing;
	/*
	 * After a failed read, the counts since the last successful read belong to more than this
	 * interval. A counter that ran backwards has no valid count. In both cases the sample is
	 * lost.
	 */
	if (!sample__has_numbers(before) || now->value < before->value ||
	    now->enabled < before->enabled || now->running < before->running) {
		*out = (struct sample){ .status = SAMPLE_LOST };
		return;
	}
	out->value = now->value - before->value;
	out->enabled = now->enabled - before->enabled;
	out->running = now->running - before->running;
	sample__finish(out, false, scale);
}

/*
 * The value of some events is a time that tma measured, a state, or a number of samples: correct
 * the difference of two such values.
 */
static void correct_delta(const struct sample *now, const struct event *event, bool scale,
			  struct sample *out)
{
	if (event->snapshot && sample__has_numbers(now))
		*out = *now;
	else if (event->tool && now->status == SAMPLE_COUNTED && sample__has_numbers(out))
		sample__finish(out, true, scale);
	if (event->retire_latency)
		sample__finish_samples(out);
}

void counts__delta(const struct counts *now, const struct counts *before,
		   const struct event_list *events, struct counts *out)
{
	const int nr = now->nr_events * now->nr_units;

	for (int i = 0; i < nr; i++)
		sample_delta(&now->at[i], &before->at[i], now->scale, &out->at[i]);
	for (int e = 0; e < now->nr_events; e++) {
		const struct event *event = events->at[e];

		if (!event->tool && !event->snapshot && !event->retire_latency)
			continue;
		for (int i = e * now->nr_units; i < (e + 1) * now->nr_units; i++)
			correct_delta(&now->at[i], event, now->scale, &out->at[i]);
	}
	for (int i = 0; now->latencies && i < now->nr_events * now->nr_units; i++)
		latency__delta(&now->latencies[i], &before->latencies[i], &out->latencies[i]);
	for (int i = 0; now->presence && i < now->nr_units; i++)
		out->presence[i] = presence_delta(&now->presence[i], &before->presence[i]);
	out->time_ns = now->time_ns;
	out->off_ns = now->off_ns > before->off_ns ? now->off_ns - before->off_ns : 0;
	out->user_ns = now->user_ns > before->user_ns ? now->user_ns - before->user_ns : 0;
	out->system_ns =
		now->system_ns > before->system_ns ? now->system_ns - before->system_ns : 0;
}
