// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: the buffers are read, and sums are made for each event on each CPU or thread. The
 * content of a buffer comes from the kernel, but is checked nevertheless: a record of the wrong
 * size must not end the run.
 */
#include "count/sampler.h"

#include <inttypes.h>
#include <stdlib.h>

#include <internal/lib.h>
#include <perf/event.h>
#include <perf/mmap.h>

#include "count/session.h"

#define ENOUGH 100 /* number of samples without a latency after which a warning says that there are
		    * no latencies */

/* A record with all fields that sampler__set_attr() asks for, in the kernel's order. */
struct weight_record {
	struct perf_event_header header;
	uint64_t id, time_ns, period;
	union perf_sample_weight weight;
};

static const struct sample_source *find_source(const struct sampler *p, uint64_t id)
{
	const struct sample_source key = { .id = id };

	return bsearch(&key, p->sources.at, p->sources.nr, sizeof(key), sample_source__compare);
}

static void sampler_read__take_sample(struct sampler *p, const void *record)
{
	const struct weight_record *sample = record;
	const struct sample_source *source = find_source(p, sample->id);

	if (!source) {
		p->unreadable++;
		return;
	}
	p->events[source->event].samples++;
	p->events[source->event].measured |= sample->weight.var3_w != 0;
	latency__add(&p->sums[source->event * p->counters->units.nr + source->unit],
		     sample->weight.var3_w, sample->period, sample->time_ns);
}

static void sampler_read__take_record(struct sampler *p, const union perf_event *event)
{
	static const size_t least[] = {
		[PERF_RECORD_SAMPLE] = sizeof(struct weight_record),
		[PERF_RECORD_LOST] = sizeof(event->lost),
		[PERF_RECORD_LOST_SAMPLES] = sizeof(event->lost_samples),
	};
	uint32_t type = event->header.type;

	if (type < sizeof(least) / sizeof(*least) && event->header.size < least[type])
		p->unreadable++;
	else if (type == PERF_RECORD_SAMPLE)
		sampler_read__take_sample(p, event);
	else if (type == PERF_RECORD_LOST)
		p->lost_in_records += event->lost.lost;
	else if (type == PERF_RECORD_LOST_SAMPLES)
		p->lost_before += event->lost_samples.lost;
	else if (type == PERF_RECORD_THROTTLE)
		p->throttled++;
}

/*
 * perf_mmap__read_done() is not called: it would skip what came after the last record was read, and
 * it is not necessary for a buffer that is not overwritten.
 */
static void drain_buffer(struct sampler *p, struct perf_mmap *map)
{
	uint64_t head = perf_mmap__read_head(map);
	const union perf_event *event;

	if (head == map->prev)
		return;
	/*
	 * There is more data than the buffer can hold: libperf would skip it, and print a line to
	 * standard error.
	 */
	if (head - map->prev <= (uint64_t)map->mask + 1 && !perf_mmap__read_init(map)) {
		while ((int64_t)(head - map->start) > 0 && (event = perf_mmap__read_event(map)))
			sampler_read__take_record(p, event);
	}
	/* Without a valid record, the beginning of the next record is unknown. */
	if ((int64_t)(head - map->prev) > 0) {
		p->unreadable++;
		map->prev = head;
	}
	perf_mmap__consume(map);
}

uint64_t sampler__drain(struct sampler *p)
{
	uint64_t fullest = 0;

	for (int i = 0; i < p->cpus.nr; i++) {
		struct perf_mmap *map = &p->buffers[i];
		uint64_t before = map->prev;

		if (!map->base)
			continue;
		drain_buffer(p, map);
		if (map->prev - before > fullest)
			fullest = map->prev - before;
	}
	p->drained_ns = clock__now_ns();
	return fullest;
}

void sampler__read(void *self, struct counts *total)
{
	(void)total;
	sampler__drain(self);
}

/*
 * Double the rate of ticks if a buffer was more than half full; halve it if all buffers were almost
 * empty.
 */
void sampler__tick(void *self)
{
	struct sampler *p = self;
	uint64_t fullest, size;

	if (clock__now_ns() < p->drained_ns + p->tick_ns)
		return;
	fullest = sampler__drain(p);
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
	uint64_t read = p->session->readings.lost;
	uint64_t dropped = p->lost_in_records > read ? p->lost_in_records : read;

	return dropped + p->lost_before + p->unreadable;
}

static void say_fewer(const struct sampler *p, const char *why, const char *or)
{
	sb__printf(&p->session->warnings, "%s: request fewer by a %s (now %" PRIu64 ")%s\n", why,
		   p->period ? "longer --tpebs-period" : "lower --tpebs-frequency",
		   p->period ? p->period : p->frequency, or);
}

/*
 * Sum up all events of a PMU. Some events retire together with the previous instruction, and have
 * only latencies of 0. But if a core measures no latencies, every event has only latencies of 0.
 */
static struct sampled_event of_same_pmu(const struct sampler *p, int event)
{
	const struct counter *at = p->counters->at;
	struct sampled_event all = { 0 };

	for (int i = 0; i < p->counters->nr; i++) {
		const struct sampled_event *e = &p->events[i];

		if (at[i].event->pmu != at[event].event->pmu)
			continue;
		all.samples += e->samples;
		all.measured |= e->measured;
		all.warned_of_zero |= e->warned_of_zero;
	}
	return all;
}

static void say_zero(struct sampler *p)
{
	for (int i = 0; i < p->counters->nr; i++) {
		const struct pmu *pmu = p->counters->at[i].event->pmu;
		struct sampled_event all = of_same_pmu(p, i);
		bool named = pmu && machine__is_hybrid(p->session->machine);

		if (all.measured || all.warned_of_zero || !all.samples ||
		    (all.samples < ENOUGH && !p->session->clock.end_ns))
			continue;
		p->events[i].warned_of_zero = true;
		if (p->session->opts.latency.losses)
			p->session->opts.latency.losses->warned_of_zero = true;
		sb__printf(&p->session->warnings,
			   "all retire latencies sampled %s%s%sare 0: this CPU or kernel does not "
			   "measure them; the tables' values are used\n",
			   named ? "on " : "", named ? pmu->name : "", named ? " " : "");
	}
}

void latency_losses__print(const struct latency_losses *l, struct sb *sb)
{
	if (l->lost)
		sb__printf(sb, "%" PRIu64 " of %" PRIu64 " samples of retire latencies were lost\n",
			   l->lost, l->samples);
	if (l->throttled)
		sb__printf(sb, "sampling of retire latencies was throttled %" PRIu64 " times\n",
			   l->throttled);
}

static void say_end(struct sampler *p)
{
	struct latency_losses own = { 0 }, *sum = p->session->opts.latency.losses ?: &own;

	p->said_end = true;
	sum->lost += lost(p);
	sum->samples += lost(p);
	for (int i = 0; i < p->counters->nr; i++)
		sum->samples += p->events[i].samples;
	sum->throttled += p->throttled;
	latency_losses__print(&own, &p->session->warnings);
}

static void say_all(struct sampler *p)
{
	static const struct latency_losses none;
	const struct latency_losses *before = p->session->opts.latency.losses ?: &none;

	if (lost(p) && !p->said_lost && !before->lost) {
		p->said_lost = true;
		say_fewer(p, "samples of retire latencies are being lost",
			  p->pages < SAMPLER_PAGES
				  ? "; or allow larger buffers: kernel.perf_event_mlock_kb allows "
				    "less than needed"
				  : "");
	}
	if (p->throttled && !p->said_throttled && !before->throttled) {
		p->said_throttled = true;
		say_fewer(p,
			  "the kernel throttles the sampling of retire latencies, as it takes too "
			  "much time",
			  "");
	}
	if (!before->warned_of_zero)
		say_zero(p);
	if (p->session->clock.end_ns && !p->said_end)
		say_end(p);
}

static void fill_event(const struct sampler *p, struct counts *total, int event)
{
	/* If all latencies are 0, nothing was measured. */
	bool measured = of_same_pmu(p, event).measured;

	for (int unit = 0; unit < total->nr_units; unit++) {
		int i = event * total->nr_units + unit;
		struct sample *sample = &total->at[i];

		if (measured)
			latency__copy(&p->sums[i], &total->latencies[i]);
		sample->value = total->latencies[i].nr;
		if (sample->status == SAMPLE_COUNTED || sample->status == SAMPLE_SCALED)
			sample__finish_samples(sample);
	}
}

void sampler__fill(void *self, struct counts *total)
{
	struct sampler *p = self;

	for (int i = 0; i < total->nr_events; i++)
		if (p->counters->at[i].event->sampled)
			fill_event(p, total, i);
	say_all(p);
}
