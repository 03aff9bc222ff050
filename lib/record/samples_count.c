// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf's recordings have counts only in their samples. A sample may have the counts so far of all
 * events in its group, as with "perf record -e '{slots,...}:S'". The difference from the previous
 * sample is then attributed to the place of the sample. Any other sample represents its period.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "record/recording.h"
#include "record/samples_read.h"

#define FIRST_READS 256
#define CHUNKS 4096 /* number of threads whose consecutive samples are followed; further threads
		     * replace others */

static struct sample_read *find_read(const struct samples *s, uint64_t id, uint32_t tid)
{
	size_t at = ((id + 1) * 0x9e3779b97f4a7c15ULL ^ tid * 0xbf58476d1ce4e5b9ULL) >> 20;

	for (;; at++) {
		struct sample_read *read = &s->reads[at & (s->nr_slots - 1)];

		if (!read->used || (read->id == id && read->tid == tid))
			return read;
	}
}

static void grow_reads(struct samples *s)
{
	struct sample_read *old = s->reads;
	int nr = s->nr_slots;

	s->nr_slots = nr ? nr * 2 : FIRST_READS;
	s->reads = xcalloc(s->nr_slots, sizeof(*s->reads));
	for (int i = 0; i < nr; i++)
		if (old[i].used)
			*find_read(s, old[i].id, old[i].tid) = old[i];
	free(old);
}

/* Find the value of a counter at its latest sample; it is 0 before the first sample. */
static struct sample_read *read_of(struct samples *s, uint64_t id, uint32_t tid)
{
	struct sample_read *read;

	if (s->nr_reads * 2 >= s->nr_slots)
		grow_reads(s);
	read = find_read(s, id, tid);
	if (!read->used) {
		s->nr_reads++;
		*read = (struct sample_read){.id = id, .tid = tid, .used = true};
	}
	return read;
}

/* Set @last to @now. Return: the increase. */
static uint64_t advance(uint64_t *last, uint64_t now)
{
	uint64_t grown = now > *last ? now - *last : 0;

	*last = now;
	return grown;
}

/* Add events to the counts of the whole run, and attribute them to the place of the sample. */
static void count_at(struct recording *r, const struct sample_record *at, int event,
		     const struct sample_read *grown)
{
	struct sample_record record = *at;
	int cell = event * r->now.nr_units + at->unit;
	struct sample *sum = &r->now.at[cell];
	double scale = 1;

	if (!r->got[cell])
		*sum = sample__read(0, 0, 0);
	r->got[cell] = true;
	r->traits.at[event].seen = true;
	sum->value += grown->value;
	sum->scaled += grown->value;
	sum->enabled += grown->enabled;
	sum->running += grown->running;
	if (grown->running && grown->running < grown->enabled)
		scale = (double)grown->enabled / grown->running;
	record.event = event;
	record.period = fmin(grown->value * scale, UINT64_MAX / 2);
	samples__hold(r, &record);
}

/**
 * struct group_read - the counts in a sample of the events of a group
 * @nr: number of events; @format: read_format of the sampled event
 */
struct group_read {
	uint64_t nr, enabled, running, format;
};

static struct group_read begin_read(struct span *s, uint64_t format)
{
	struct group_read g = {.nr = span__u64(s), .format = format};

	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		g.enabled = span__u64(s);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		g.running = span__u64(s);
	return g;
}

/* Set @last to @now. Return: the time since the previous sample; 1 for the first sample. */
static uint64_t advance_time(uint64_t *last, uint64_t now)
{
	bool first = !*last;
	uint64_t grown = advance(last, now);

	return first || !grown ? 1 : grown;
}

static int count_group(struct recording *r, const struct sample_record *at, struct span *s,
		       struct group_read *g)
{
	bool by_thread = r->list->at[at->event]->attr.inherit;
	bool has_times = g->format & PERF_FORMAT_TOTAL_TIME_ENABLED &&
			 g->format & PERF_FORMAT_TOTAL_TIME_RUNNING;
	size_t size = sizeof(uint64_t) * (2 + !!(g->format & PERF_FORMAT_LOST));

	if (s->bad || g->nr > span__left(s) / size || !(g->format & PERF_FORMAT_ID))
		return -EINVAL;
	for (uint64_t i = 0; i < g->nr; i++) {
		uint64_t value = span__u64(s), id = span__u64(s);
		int event = recording__event_of_id(r, id);
		struct sample_read *last = read_of(&r->samples, id, by_thread ? at->tid : 0);
		struct sample_read grown = {.id = id};

		if (g->format & PERF_FORMAT_LOST)
			span__u64(s);
		if (event < 0)
			return -EINVAL;
		grown.value = advance(&last->value, value);
		if (has_times) {
			grown.enabled = advance(&last->enabled, g->enabled);
			grown.running = advance(&last->running, g->running);
		} else {
			grown.enabled = grown.running = advance_time(&last->enabled, at->time_ns);
		}
		count_at(r, at, event, &grown);
	}
	return 0;
}

/* A sample without a group represents its period. */
static void count_period(struct recording *r, const struct sample_record *at, uint64_t id)
{
	const struct perf_event_attr *attr = &r->list->at[at->event]->attr;
	struct sample_read *last = read_of(&r->samples, id, 0), grown = {.id = id};

	grown.value = at->period;
	if (!(attr->sample_type & PERF_SAMPLE_PERIOD) && !attr->freq)
		grown.value = attr->sample_period;
	grown.enabled = grown.running = advance_time(&last->enabled, at->time_ns);
	count_at(r, at, at->event, &grown);
}

int samples__count(struct recording *r, const struct sample_record *at, uint64_t id,
		   struct span *read, const char **what)
{
	const struct perf_event_attr *attr = &r->list->at[at->event]->attr;
	struct group_read g;

	r->samples.sampling.totals.samples++;
	if (!r->got)
		recording__make_counts(r);
	if (!(attr->sample_type & PERF_SAMPLE_READ) || !(attr->read_format & PERF_FORMAT_GROUP)) {
		count_period(r, at, id);
		return 0;
	}
	g = begin_read(read, attr->read_format);
	*what = "the counts of a sample's group are cut off, or of an unknown event";
	return count_group(r, at, read, &g);
}

/* --- Samples in a row ------------------------------------------------------------------------ */

/*
 * Counts between two samples belong to the place of the second sample only if the program was there
 * all the time. Consecutive samples of a thread show whether the program stays in one place, so
 * they are treated as a burst (count/bursts.h).
 */
void samples__add_burst(struct samples *s, const struct sample_record *record,
			struct sample_records *out)
{
	struct sample_chunk *c;
	struct sample_record *last;

	if (record->kind != RECORD_SAMPLED || !record->tid)
		return;
	if (!s->chunks)
		s->chunks = xcalloc(CHUNKS, sizeof(*s->chunks));
	c = &s->chunks[record->tid & (CHUNKS - 1)];
	if (c->tid != record->tid)
		*c = (struct sample_chunk){.tid = record->tid};
	last = c->nr ? &c->at[c->nr - 1] : NULL;
	/* There is one sample for all events of a group. */
	if (last && last->time_ns == record->time_ns)
		return;
	c->at[c->nr++] = *record;
	if (c->nr < BURST_SAMPLES)
		return;
	s->nr_bursts++;
	for (int i = 0; i < c->nr; i++) {
		c->at[i].burst = s->nr_bursts;
		c->at[i].path = NULL;
		vec__push(out, c->at[i]);
	}
	c->nr = 0;
}
