// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: from the buffers to sums for each event on each CPU or thread. What a buffer holds is
 * the kernel's word, and checked all the same: a record of the wrong size must not end the run.
 */
#include <inttypes.h>
#include <stdlib.h>

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
	uint64_t gone = clock__now_ns() - p->drained_ns;

	return gone < p->tick_ns ? p->tick_ns - gone : 0;
}

static const struct sample_source *find_source(const struct sampler *p, uint64_t id)
{
	const struct sample_source key = { .id = id };

	return bsearch(&key, p->sources.at, p->sources.nr, sizeof(key), sample_source__compare);
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
	static const size_t least[] = {
		[PERF_RECORD_SAMPLE] = sizeof(struct sample_record),
		[PERF_RECORD_LOST] = sizeof(event->lost),
		[PERF_RECORD_LOST_SAMPLES] = sizeof(event->lost_samples),
	};
	uint32_t type = event->header.type;

	if (type < sizeof(least) / sizeof(*least) && event->header.size < least[type])
		p->unreadable++;
	else if (type == PERF_RECORD_SAMPLE)
		take_sample(s, p, event);
	else if (type == PERF_RECORD_LOST)
		p->lost_told += event->lost.lost;
	else if (type == PERF_RECORD_LOST_SAMPLES)
		p->lost_before += event->lost_samples.lost;
	else if (type == PERF_RECORD_THROTTLE)
		p->throttled++;
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

	for (int i = 0; i < p->cpus.nr; i++) {
		struct perf_mmap *map = &p->buffers[i];
		uint64_t before = map->prev;

		if (!map->base)
			continue;
		drain_buffer(s, p, map);
		if (map->prev - before > fullest)
			fullest = map->prev - before;
	}
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

static uint64_t lost(const struct sampler *p)
{
	uint64_t dropped = p->lost_told > p->lost_read ? p->lost_told : p->lost_read;

	return dropped + p->lost_before + p->unreadable;
}

static void say_fewer(struct session *s, const char *why, const char *or)
{
	const struct sampler *p = s->sampler;

	sb__printf(&s->warnings, "%s: take fewer with a %s (now %" PRIu64 ")%s\n", why,
		   p->period ? "longer --tpebs-period" : "lower --tpebs-frequency",
		   p->period ? p->period : p->frequency, or);
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
	for (int i = 0; i < s->nr_counters; i++) {
		const struct pmu *pmu = s->counters[i].event->pmu;
		struct sampled_event all = of_same_pmu(s, i);
		bool named = pmu && machine__is_hybrid(s->machine);

		if (all.measured || all.said_zero || !all.samples ||
		    (all.samples < ENOUGH && !s->end_ns))
			continue;
		s->sampler->events[i].said_zero = true;
		if (s->opts.latency.losses)
			s->opts.latency.losses->said_zero = true;
		sb__printf(&s->warnings,
			   "all retire latencies sampled %s%s%sare 0: this CPU or kernel does not "
			   "measure them; what the tables say stands for them\n",
			   named ? "on " : "", named ? pmu->name : "", named ? " " : "");
	}
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
	struct sampler *p = s->sampler;
	struct latency_losses own = { 0 }, *sum = s->opts.latency.losses ?: &own;

	p->said_end = true;
	sum->lost += lost(p);
	sum->samples += lost(p);
	for (int i = 0; i < s->nr_counters; i++)
		sum->samples += p->events[i].samples;
	sum->throttled += p->throttled;
	latency_losses__print(&own, &s->warnings);
}

static void say_all(struct session *s)
{
	static const struct latency_losses none;
	const struct latency_losses *before = s->opts.latency.losses ?: &none;
	struct sampler *p = s->sampler;

	if (lost(p) && !p->said_lost && !before->lost) {
		p->said_lost = true;
		say_fewer(s, "samples of retire latencies are being lost",
			  p->pages < SAMPLER_PAGES ?
				  "; or let the buffers be larger: sysctl"
				  " kernel.perf_event_mlock_kb allowed less than is wanted" :
				  "");
	}
	if (p->throttled && !p->said_throttled && !before->throttled) {
		p->said_throttled = true;
		say_fewer(s, "the kernel holds the sampling of retire latencies back, as it takes"
			  " too much time", "");
	}
	if (!before->said_zero)
		say_zero(s);
	if (s->end_ns && !p->said_end)
		say_end(s);
}

static void fill_event(const struct session *s, struct counts *total, int event)
{
	/* Latencies of 0 alone are none: nothing was measured. */
	bool measured = of_same_pmu(s, event).measured;

	for (int unit = 0; unit < total->nr_units; unit++) {
		int i = event * total->nr_units + unit;
		struct sample *sample = &total->at[i];

		if (measured)
			latency__copy(&s->sampler->sums[i], &total->latencies[i]);
		sample->value = total->latencies[i].nr;
		if (sample->status == SAMPLE_COUNTED || sample->status == SAMPLE_SCALED)
			sample__finish_samples(sample);
	}
}

void sampler__fill(struct session *s, struct counts *total)
{
	for (int i = 0; i < total->nr_events; i++)
		if (s->counters[i].event->sampled)
			fill_event(s, total, i);
	say_all(s);
}
