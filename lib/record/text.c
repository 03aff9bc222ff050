// SPDX-License-Identifier: GPL-2.0-only
/* Reads counts from the text of -x and -j: lines become rows of counts. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "record/text.h"
#include "tables/tables.h"

#define LOOK_BYTES 4096
#define LOOK_LINES_BYTES (64 << 10) /* bytes of a pipe that are searched for counts */
#define WORDS_MAX (64 << 20)	    /* bytes that are searched in a pipe that begins with other
				     * text */

void text__free(struct text *t)
{
	char **metric;

	if (!t)
		return;
	vec__free(&t->pairs);
	vec__free(&t->rows);
	vec__free(&t->places);
	strmap__free(t->event_map);
	strmap__free(t->unit_map);
	strmap__free(t->pair_map);
	strmap__free(t->metric_map);
	strmap__free(t->cgroup_map);
	vec__for_each(metric, &t->metrics)
		free(*metric);
	vec__free(&t->metrics);
	vec__free(&t->besides);
	vec__free(&t->noted);
	strmap__free(t->beside_map);
	sb__free(&t->key);
	cgroup_list__free(&t->cgroups);
	machine__free(t->nowhere);
	free(t);
}

/* Set the places of units, as places of CPUs that have the units' numbers. */
static void set_host(struct recording *r)
{
	const struct text *t = r->text;
	uint32_t nr = 0;

	for (int i = 0; i < r->units.nr; i++)
		if (r->info.aggr != AGGR_THREAD && r->units.at[i] >= (int)nr)
			nr = r->units.at[i] + 1;
	r->nr_cpus = r->nr_online = nr;
	if (!row_kinds[r->info.aggr].adds_cpus)
		return;
	r->places = xcalloc(nr, sizeof(*r->places));
	for (uint32_t i = 0; i < nr; i++)
		r->places[i] = (struct cpu){ -1, -1, -1, -1, -1 };
	for (int i = 0; i < r->units.nr; i++)
		r->places[r->units.at[i]] = t->places.at[i];
}

static void set_pmus(struct recording *r)
{
	for (int i = 0; i < r->machine->nr_pmus; i++)
		if (text__has_prefix(r->machine->pmus[i]->name, "cpu"))
			return;
	text__pmu(r, "cpu");
}

static int refuse_bytes(const struct recording *r, struct err *err)
{
	return err__set(err, EINVAL, "%s is not a recording: neither perf.data nor text of counts",
			r->in.name);
}

/*
 * A pipe may be endless. If its first lines have neither a count nor JSON, counts may still follow
 * a program's output, so a limited part is read.
 */
static int hold(struct recording *r, struct err *err)
{
	size_t len, max = INPUT_HOLD_MAX;
	const char *data;
	char *start;
	int rc = 0;

	if (!input__can_seek(&r->in)) {
		rc = input__peek(&r->in, LOOK_LINES_BYTES, &data, &len, err);
		start = rc ? NULL : xstrndup(data, len);
		if (start && len == LOOK_LINES_BYTES && text__lacks_counts(r, start))
			max = WORDS_MAX;
		free(start);
	}
	rc = rc ?: input__hold(&r->in, max, err);
	if (rc == -EFBIG && max == WORDS_MAX)
		return err__set(err, EINVAL,
				"%s is not a recording: its first lines have neither a count nor "
				"JSON, and it is too long to read on",
				r->in.name);
	return rc;
}

int text__open(struct recording *r, struct err *err)
{
	struct text *t = r->text = xcalloc(1, sizeof(*t));
	const char *data;
	size_t len;
	int rc;

	t->event_map = strmap__new();
	t->unit_map = strmap__new();
	t->pair_map = strmap__new();
	t->metric_map = strmap__new();
	t->cgroup_map = strmap__new();
	t->beside_map = strmap__new();
	t->nowhere = machine__new_recorded("", NULL);
	/* Data that is not text mostly shows in its first bytes, and may be endless. */
	rc = input__peek(&r->in, LOOK_BYTES, &data, &len, err);
	if (!rc && memchr(data, '\0', len))
		return refuse_bytes(r, err);
	rc = rc ?: hold(r, err);
	if (rc)
		return rc;
	if (memchr(r->in.memory, '\0', r->in.size))
		return refuse_bytes(r, err);
	rc = text__read_lines(r, r->in.memory, err);
	if (rc)
		return rc;
	set_host(r);
	set_pmus(r);
	r->info.per_cpu = r->info.aggr != AGGR_THREAD;
	r->info.interval = t->has_time;
	return recording__settle(r, err);
}

/* Compute the kernel's count from the printed value. */
static uint64_t raw_count(double value, double scale)
{
	double raw = rint(value / scale);

	return raw >= 0 && raw < 18446744073709549568.0 ? (uint64_t)raw : UINT64_MAX;
}

static uint64_t enabled_of(const struct text_row *row)
{
	if (row->count.percent > 0 && row->count.percent < 100)
		return row->count.running * 100.0 / row->count.percent;
	return row->count.running;
}

static void set_sample(const struct recording *r, const struct text_row *row, struct sample *s)
{
	const struct event *e = r->list->at[row->event];

	*s = (struct sample){ .status = row->count.status };
	if (row->count.status != SAMPLE_COUNTED)
		return;
	*s = sample__read(raw_count(row->count.value, e->scale), enabled_of(row),
			  row->count.running);
	if (!s->running && !e->tool)
		s->status = SAMPLE_NOT_COUNTED;
	else if (s->running < s->enabled)
		s->status = SAMPLE_SCALED;
}

/*
 * Set a latency. A value from perf, which lacks the number of samples, counts as one sample; a
 * value of 0 means no sample.
 */
static void set_latency(const struct text_row *row, struct sample *s, struct latency *l)
{
	uint64_t nr = row->count.samples ? row->count.samples : row->count.value > 0;

	*s = (struct sample){ .status = SAMPLE_NOT_COUNTED };
	if (row->count.status != SAMPLE_COUNTED || row->count.assumed)
		return;
	latency__assign(l, row->count.value, nr);
	*s = sample__read(l->nr, enabled_of(row), row->count.running);
	if (s->running < s->enabled)
		s->status = SAMPLE_SCALED;
}

/*
 * Return: the length of the run for a text without times of rows, from duration_time if it was
 * counted.
 */
static uint64_t length_of(const struct recording *r, const struct counts *counts)
{
	for (int e = 0; e < counts->nr_events; e++)
		for (int i = 0; r->list->at[e]->tool == EVENT_DURATION_TIME && i < counts->nr_units;
		     i++)
			if (counts->at[e * counts->nr_units + i].value)
				return counts->at[e * counts->nr_units + i].value;
	return 0;
}

static void set_duration(const struct recording *r, struct counts *counts, uint64_t ns)
{
	struct sample *s;

	if (r->duration < 0)
		return;
	s = &counts->at[r->duration * counts->nr_units];
	*s = sample__read(ns, ns, ns);
	if (!ns)
		s->status = SAMPLE_NOT_COUNTED;
}

/* Latencies after the events of the file come from the tables in all rows. */
static void set_vendor_latencies(const struct recording *r, struct counts *counts)
{
	for (int e = r->traits.nr; e < counts->nr_events; e++)
		for (int i = 0; r->list->at[e]->retire_latency && i < counts->nr_units; i++)
			counts->at[e * counts->nr_units + i].status = SAMPLE_NOT_COUNTED;
}

const struct cgroup_list *text__cgroups(const struct recording *r)
{
	static const struct cgroup_list none;

	return r->text ? &r->text->cgroups : &none;
}

double text__share(const struct text *t)
{
	return t->rows.nr ? (double)t->next / t->rows.nr : 1;
}

int text__next(struct recording *r, struct counts *counts, struct recorded_row *row)
{
	struct text *t = r->text;
	uint64_t time_ns;

	if (t->next >= t->rows.nr)
		return 0;
	for (int i = 0; i < counts->nr_events * counts->nr_units; i++) {
		counts->at[i] = (struct sample){ .status = SAMPLE_ABSENT };
		if (counts->latencies)
			latency__clear(&counts->latencies[i]);
	}
	time_ns = t->rows.at[t->next].count.time_ns;
	for (; t->next < t->rows.nr && t->rows.at[t->next].count.time_ns == time_ns; t->next++) {
		const struct text_row *from = &t->rows.at[t->next];

		int at = from->event * counts->nr_units + from->unit;

		if (r->list->at[from->event]->retire_latency)
			set_latency(from, &counts->at[at], &counts->latencies[at]);
		else
			set_sample(r, from, &counts->at[at]);
	}
	*row = (struct recorded_row){ .since_start_ns = time_ns,
				      .is_cut = t->rows.at[t->next - 1].is_cut };
	if (t->has_time)
		row->elapsed_ns = time_ns > r->last_ns ? time_ns - r->last_ns : 0;
	else
		row->since_start_ns = row->elapsed_ns = length_of(r, counts) ?: t->length_ns;
	r->last_ns = time_ns;
	set_duration(r, counts, row->elapsed_ns);
	set_vendor_latencies(r, counts);
	counts->time_ns = time_ns;
	return 1;
}

/* Return: the first row with a count of an event. */
static const struct text_row *first_count(const struct text *t, int event)
{
	const struct text_row *row;

	vec__for_each(row, &t->rows)
		if (row->event == event && row->count.status == SAMPLE_COUNTED)
			return row;
	return NULL;
}

double text__spread(const struct recording *r, int event)
{
	const struct text *t = r->text;
	const struct text_row *row = event >= 0 ? first_count(t, event) : NULL;
	double spread = row ? row->count.spread : event < 0 ? t->length_spread : 0;

	return spread > 0 && !t->has_time && r->units.nr <= 1 ? spread : (double)NAN;
}

bool text__ran_together(const struct recording *r, int a, int b)
{
	const struct text_row *of_a = first_count(r->text, a), *of_b = first_count(r->text, b);

	return of_a && of_b && of_a->count.time_ns == of_b->count.time_ns &&
	       of_a->unit == of_b->unit && of_a->count.running == of_b->count.running &&
	       of_a->count.percent == of_b->count.percent;
}

void text__adopt_tables(struct recording *r)
{
	struct event_info info;

	for (int i = 0; i < r->traits.nr; i++) {
		const struct event *named = r->traits.at[i].named;
		struct event *e = r->list->at[i];

		if (named && named->scale != 1 && !*named->unit && !*e->unit)
			e->scale = named->scale;
		if (!named || named->table_event < 0)
			continue;
		if (e->retire_latency && !e->vendor_latency.mean)
			e->vendor_latency = named->vendor_latency;
		tables__event(r->tables, named->table_event, &info);
		if (info.scale != 1 && !strcmp(info.unit, e->unit))
			e->scale = info.scale;
	}
}
