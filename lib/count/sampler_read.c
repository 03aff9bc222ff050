// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: from the buffers to sums for each event on each CPU or thread. What a buffer holds is
 * the kernel's word, and checked all the same: a record of the wrong size must not end the run.
 */
#include <inttypes.h>

#include <internal/lib.h>
#include <perf/event.h>
#include <perf/mmap.h>

#include "count/sampler.h"

#define ENOUGH 100 /* samples without a latency, to say that there are none */

/* What sampler__set_attr() asks for, in the kernel's order. */
struct sample_record {
	struct perf_event_header header;
	uint64_t id, time_ns, period;
	union perf_sample_weight weight;
};

uint64_t sampler__rest_ns(const struct session *s)
{
	const struct sampler *p = s->sampler;
	uint64_t gone;

	if (!p)
		return UINT64_MAX;
	gone = clock__now_ns() - p->drained_ns;
	return gone < p->tick_ns ? p->tick_ns - gone : 0;
}

static const struct sample_source *find_source(const struct sampler *p, uint64_t id)
{
	int low = 0, high = p->sources.nr;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (p->sources.at[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->sources.nr && p->sources.at[low].id == id ? &p->sources.at[low] : NULL;
}

static void take_sample(const struct session *s, struct sampler *p, const void *record)
{
	const struct sample_record *sample = record;
	const struct sample_source *source = find_source(p, sample->id);

	if (!source) {
		p->unreadable++;
		return;
	}
	p->events[source->event].samples++;
	p->events[source->event].measured |= sample->weight.var3_w != 0;
	latency__add(&p->sums[source->event * s->units.nr + source->unit], sample->weight.var3_w,
		     sample->period, sample->time_ns);
}

static void take_record(const struct session *s, struct sampler *p, const union perf_event *event)
{
	size_t size = event->header.size;

	switch (event->header.type) {
	case PERF_RECORD_SAMPLE:
		if (size < sizeof(struct sample_record))
			p->unreadable++;
		else
			take_sample(s, p, event);
		break;
	case PERF_RECORD_LOST:
		if (size < sizeof(event->lost))
			p->unreadable++;
		else
			p->lost_told += event->lost.lost;
		break;
	case PERF_RECORD_LOST_SAMPLES:
		if (size < sizeof(event->lost_samples))
			p->unreadable++;
		else
			p->lost_before += event->lost_samples.lost;
		break;
	case PERF_RECORD_THROTTLE:
		p->throttled++;
		break;
	}
}

/*
 * Without perf_mmap__read_done(), which passes over what came since the last record was read: a
 * buffer that is not overwritten has nothing to be done.
 */
static void drain_buffer(const struct session *s, struct sampler *p, struct perf_mmap *map)
{
	uint64_t head = perf_mmap__read_head(map);
	const union perf_event *event;

	if (head == map->prev)
		return;
	/* More than a buffer holds: libperf would pass over it, with a line on stderr. */
	if (head - map->prev <= (uint64_t)map->mask + 1 && !perf_mmap__read_init(map)) {
		while ((int64_t)(head - map->start) > 0 && (event = perf_mmap__read_event(map)))
			take_record(s, p, event);
	}
	/* Where there is no record there is no telling where the next one begins. */
	if ((int64_t)(head - map->prev) > 0) {
		p->unreadable++;
		map->prev = head;
	}
	perf_mmap__consume(map);
}

uint64_t sampler__drain(struct session *s)
{
	struct sampler *p = s->sampler;
	uint64_t fullest = 0;

	for (int i = 0; p && i < p->cpus.nr; i++) {
		struct perf_mmap *map = &p->buffers[i];
		uint64_t before = map->prev;

		if (!map->base)
			continue;
		drain_buffer(s, p, map);
		if (map->prev - before > fullest)
			fullest = map->prev - before;
	}
	if (p)
		p->drained_ns = clock__now_ns();
	return fullest;
}

/* Twice as often when a buffer was half full, half as often when all were nearly empty. */
void sampler__tick(struct session *s)
{
	struct sampler *p = s->sampler;
	uint64_t fullest, size;

	if (sampler__rest_ns(s))
		return;
	fullest = sampler__drain(s);
	size = (uint64_t)p->pages * page_size;
	if (fullest > size / 2 && p->tick_ns > 2 * SAMPLER_SHORTEST_TICK_NS)
		p->tick_ns /= 2;
	else if (fullest < size / 8 && p->tick_ns < p->longest_tick_ns)
		p->tick_ns *= 2;
	if (p->tick_ns > p->longest_tick_ns)
		p->tick_ns = p->longest_tick_ns;
}

void sampler__clear_lost(struct session *s)
{
	if (s->sampler)
		s->sampler->lost_read = 0;
}

void sampler__add_lost(struct session *s, uint64_t lost)
{
	s->sampler->lost_read += lost;
}

static uint64_t lost(const struct sampler *p)
{
	uint64_t dropped = p->lost_told > p->lost_read ? p->lost_told : p->lost_read;

	return dropped + p->lost_before + p->unreadable;
}

static void say_fewer(struct session *s)
{
	if (s->sampler->period)
		sb__printf(&s->warnings, "take fewer with a longer --tpebs-period (now %" PRIu64 ")",
			   s->sampler->period);
	else
		sb__printf(&s->warnings, "take fewer with a lower --tpebs-frequency (now %" PRIu64 ")",
			   s->sampler->frequency);
}

static void say_lost(struct session *s)
{
	struct sampler *p = s->sampler;

	p->said_lost = true;
	sb__puts(&s->warnings, "samples of retire latencies are being lost: ");
	say_fewer(s);
	if (p->pages < SAMPLER_PAGES)
		sb__puts(&s->warnings, "; or let the buffers be larger: sysctl "
			 "kernel.perf_event_mlock_kb allowed less than is wanted");
	sb__putc(&s->warnings, '\n');
}

static void say_throttled(struct session *s)
{
	s->sampler->said_throttled = true;
	sb__puts(&s->warnings, "the kernel holds the sampling of retire latencies back, as it takes "
		 "too much time: ");
	say_fewer(s);
	sb__putc(&s->warnings, '\n');
}

/*
 * All events of a PMU: some retire with the instruction before and have nothing but 0, but cores
 * that measure none have it of every event.
 */
static struct sampled_event of_same_pmu(const struct session *s, int event)
{
	struct sampled_event all = { 0 };

	for (int i = 0; i < s->nr_counters; i++) {
		const struct sampled_event *e = &s->sampler->events[i];

		if (s->counters[i].event->pmu != s->counters[event].event->pmu)
			continue;
		all.samples += e->samples;
		all.measured |= e->measured;
		all.said_zero |= e->said_zero;
	}
	return all;
}

static void say_zero(struct session *s)
{
	bool said = false;

	for (int i = 0; i < s->nr_counters; i++) {
		const struct pmu *pmu = s->counters[i].event->pmu;
		struct sampled_event all = of_same_pmu(s, i);

		if (all.measured || all.said_zero || !all.samples ||
		    (all.samples < ENOUGH && !s->end_ns))
			continue;
		s->sampler->events[i].said_zero = true;
		sb__puts(&s->warnings, "all retire latencies sampled ");
		if (pmu && machine__is_hybrid(s->machine))
			sb__printf(&s->warnings, "on %s ", pmu->name);
		sb__puts(&s->warnings, "are 0: this CPU or kernel does not measure them; what the "
			 "tables say stands for them\n");
		said = true;
	}
	if (said && s->opts.latency.losses)
		s->opts.latency.losses->said_zero = true;
}

void latency_losses__print(const struct latency_losses *l, struct sb *sb)
{
	if (l->lost)
		sb__printf(sb, "%" PRIu64 " of %" PRIu64 " samples of retire latencies were lost\n",
			   l->lost, l->samples);
	if (l->throttled)
		sb__printf(sb, "the sampling of retire latencies was held back %" PRIu64 " times\n",
			   l->throttled);
}

static void say_end(struct session *s)
{
	const struct sampler *p = s->sampler;
	struct latency_losses own = { 0 }, *sum = s->opts.latency.losses ?: &own;

	s->sampler->said_end = true;
	sum->lost += lost(p);
	sum->samples += lost(p);
	for (int i = 0; i < s->nr_counters; i++)
		sum->samples += p->events[i].samples;
	sum->throttled += p->throttled;
	latency_losses__print(&own, &s->warnings);
}

static void say_all(struct session *s)
{
	const struct latency_losses *before = s->opts.latency.losses;
	const struct sampler *p = s->sampler;
	bool ended = s->end_ns;

	if (lost(p) && !p->said_lost && !(before && before->lost))
		say_lost(s);
	if (p->throttled && !p->said_throttled && !(before && before->throttled))
		say_throttled(s);
	if (!before || !before->said_zero)
		say_zero(s);
	if (ended && !p->said_end)
		say_end(s);
}

/* @cells of @to are its own. */
static void copy_latency(const struct latency *from, struct latency *to)
{
	latency__clear(to);
	latency__merge(to, from);
}

static void fill_event(const struct session *s, struct counts *total, int event)
{
	/* Latencies of 0 alone are none: nothing was measured. */
	bool measured = of_same_pmu(s, event).measured;

	for (int unit = 0; unit < total->nr_units; unit++) {
		int i = event * total->nr_units + unit;
		struct sample *sample = &total->at[i];

		if (measured)
			copy_latency(&s->sampler->sums[i], &total->latencies[i]);
		sample->value = total->latencies[i].nr;
		if (sample->status == SAMPLE_COUNTED || sample->status == SAMPLE_SCALED)
			sample__finish_samples(sample);
	}
}

void sampler__fill(struct session *s, struct counts *total)
{
	if (!s->sampler)
		return;
	for (int i = 0; i < total->nr_events; i++)
		if (s->counters[i].event->sampled)
			fill_event(s, total, i);
	say_all(s);
}
