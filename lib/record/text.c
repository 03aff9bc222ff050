// SPDX-License-Identifier: GPL-2.0-only
/* Counts are read from the text of -x and -j: lines to rows, names to events, labels to units. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "record/text.h"
#include "tables/tables.h"

#define TABLE_HEADING "Performance counter stats for"
#define LOOK_BYTES 4096
#define LOOK_LINES 200 /* are looked at for the separator */

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
	vec__for_each(metric, &t->metrics)
		free(*metric);
	vec__free(&t->metrics);
	sb__free(&t->key);
	free(t->cgroup);
	machine__free(t->nowhere);
	free(t);
}

/* Lines. */

static void start_row(struct text *t, const struct text_line *line)
{
	if (!t->rows.nr || line->count.time_ns != t->last_time)
		t->last_row++;
	t->last_time = line->count.time_ns;
	t->has_time |= line->has_time;
}

/* Digits behind the point of a unit whose factor is not known are kept too. */
static void keep_digits(struct event *e, const struct text_line *line)
{
	if (line->digits && e->scale == 1.0 && !e->tool && line->digits < 10)
		e->scale = pow(10, -line->digits);
}

/* A latency that was assumed was the vendor's, and is so again. */
static void keep_latency(struct event *e, const struct text_line *line)
{
	if (line->count.assumed && line->count.value > 0)
		e->vendor_latency.mean = line->count.value;
	else if (line->count.status == SAMPLE_COUNTED)
		e->sampled = true;
}

/* A reason that is not that of all rows of the event is not told of any. */
static void keep_reason(struct recorded_event *trait, const struct text_line *line)
{
	if (line->count.status == SAMPLE_COUNTED || !line->reason || trait->reasons_differ)
		return;
	if (!trait->refusal) {
		trait->refusal = xstrdup(line->reason);
	} else if (strcmp(trait->refusal, line->reason)) {
		trait->reasons_differ = true;
		free(trait->refusal);
		trait->refusal = NULL;
	}
}

static void keep_cgroup(struct text *t, const struct text_line *line)
{
	if (!line->cgroup)
		return;
	if (!t->cgroup)
		t->cgroup = xstrdup(line->cgroup);
	t->cgroups |= strcmp(t->cgroup, line->cgroup) != 0;
}

const char *text__cgroup(const struct recording *r)
{
	return r->text && r->text->cgroups ? r->text->cgroup : NULL;
}

static int add_line(struct recording *r, const struct text_line *line)
{
	struct text *t = r->text;
	struct text_row row = { .count = line->count };

	if (t->rows.nr && line->has_time != t->has_time)
		return 0; /* This is a summary behind the rows. */
	start_row(t, line);
	keep_cgroup(t, line);
	row.unit = text__unit(r, line);
	if (row.unit < 0)
		return row.unit;
	row.event = text__event(r, line, row.unit);
	if (row.event < 0)
		return row.event;
	if (r->events.at[row.event]->retire_latency)
		keep_latency(r->events.at[row.event], line);
	else
		keep_digits(r->events.at[row.event], line);
	r->traits.at[row.event].other_cgroup |= line->cgroup && strcmp(t->cgroup, line->cgroup);
	keep_reason(&r->traits.at[row.event], line);
	vec__push(&t->rows, row);
	return 0;
}

/* The share of the time of the last row, where that stands on a line of its own. */
static void take_share(struct text *t, double percent)
{
	struct text_count *count = &t->rows.at[t->rows.nr - 1].count;

	if (count->percent < 100 || count->status != SAMPLE_COUNTED)
		return;
	count->percent = percent;
	count->running = count->running / 100.0 * percent;
}

static void keep_cpuid(struct recording *r, const char *cpuid)
{
	char *copy = xstrdup(cpuid);

	if (!*r->machine->cpuid)
		event__set_text(&r->machine->cpuid, text__trim(copy));
	free(copy);
}

static void keep_odd(struct recording *r, int number)
{
	if (!r->info.nr_odd++)
		r->info.odd_line = number;
}

/* Reads a line; what is no count is passed over, and noted. Return: as add_line(). */
static int read_line(struct recording *r, char *text, const char *separator, int number)
{
	bool blank = !text[strspn(text, " \t")];
	struct text_line line = { .known = false };
	void *object = NULL;
	double percent;
	bool count = false;
	int rc = 0;

	if (*text == '#')
		return 0;
	if (*text != '{' && r->text->is_table)
		text_metrics__table(r->text, text);
	else if (*text != '{' && *separator)
		text_metrics__csv(r->text, text, separator);
	if (*text == '{')
		count = text_json__line(text, &object, &line);
	else if (r->text->is_table && r->text->rows.nr && text_table__share(text, &percent))
		take_share(r->text, percent);
	else if (r->text->is_table)
		count = text_table__line(text, &line);
	else
		count = *separator && text_csv__line(text, separator, &line);
	if (count)
		rc = add_line(r, &line);
	else if (object && line.cpuid)
		keep_cpuid(r, line.cpuid);
	/* What a table for people has above, below and between its rows is not told apart. */
	if (!count && !blank && !line.known && !r->text->is_table && (*separator || *text == '{'))
		keep_odd(r, number);
	if (object && line.metric)
		text_metrics__json(r->text, line.metric);
	text_json__free(object);
	return rc;
}

/* Whether one of the first lines is a count with this separator; NULL: in a table for people. */
static bool separates(const char *text, const char *separator)
{
	struct text_line line;
	bool found = false;

	for (int i = 0; i < LOOK_LINES && *text && !found; i++) {
		size_t len = strcspn(text, "\n");
		char *copy = xstrndup(text, len);

		found = *copy != '#' && *copy != '{' &&
			(separator ? text_csv__line(copy, separator, &line)
				   : text_table__line(copy, &line));
		free(copy);
		text += len + !!text[len];
	}
	return found;
}

static const char *find_separator(struct recording *r, const char *text)
{
	/* A table has blanks between its columns, and times of the clock above it. */
	static const char *const usual[] = {",", ";", "\t", "|", NULL, ":", " "};

	if (r->opts.separator && separates(text, r->opts.separator))
		return r->opts.separator;
	for (int i = 0; i < array__nr(usual); i++) {
		if (!separates(text, usual[i]))
			continue;
		r->text->is_table = !usual[i];
		return usual[i] ? usual[i] : "";
	}
	return "";
}

/* What lines that are no rows say of the run and its computer. */
static void read_remark(struct recording *r, const char *line)
{
	struct text *t = r->text;

	if (text__has_prefix(line, RECORD_CPUID_LINE))
		keep_cpuid(r, line + strlen(RECORD_CPUID_LINE));
	if (!t->scope)
		t->scope = text_table__scope(line);
	if (!t->length_ns)
		t->length_ns = text_table__length_ns(line);
}

/* Runs that were added to one file with --append have one of these above each. */
static bool begins_another(struct recording *r, const char *line)
{
	struct text *t = r->text;

	return (text__has_prefix(line, RECORD_STARTED_LINE) && t->nr_started++) ||
	       (strstr(line, TABLE_HEADING) && t->nr_headings++);
}

static int explain(const struct recording *r, int rc, int number, struct err *err)
{
	if (rc == -EFBIG)
		return recording__too_many(r, "events", err);
	if (rc == -EEXIST)
		return err__set(err, EINVAL,
				"%s: line %d: another run begins there: a report covers one run; "
				"split the file (csplit %s %d)",
				r->in.name, number, r->in.name, number);
	return err__set(err, EINVAL,
			"%s: line %d: its row aggregates differently from those before it",
			r->in.name, number);
}

/* A table has shares of the time alone, which are of the length that stands below it. */
static void set_run_times(struct text *t)
{
	struct text_row *row;

	if (!t->is_table || !t->length_ns || t->has_time)
		return;
	vec__for_each(row, &t->rows)
		if (row->count.status == SAMPLE_COUNTED)
			row->count.running = t->length_ns / 100.0 * row->count.percent;
}

/* How many fields a line of CSV has, or rather separators. */
static int count_fields(const char *line, const char *separator)
{
	int nr = 0;

	for (; (line = strstr(line, separator)); line += strlen(separator))
		nr++;
	return nr;
}

static bool is_json(const char *line)
{
	struct text_line out;
	void *object = NULL;
	bool whole;

	text_json__line(line, &object, &out);
	whole = object;
	text_json__free(object);
	return whole;
}

/*
 * Whether the last line, which has no end, is a part of one: an object that is not closed, a row
 * with fewer fields than any before it, a footer.
 */
static bool is_part(const struct text *t, const char *line, const char *separator)
{
	if (*line == '{')
		return !is_json(line);
	if (!*line || *line == '#')
		return false;
	if (t->is_table)
		return t->rows.nr && !t->length_ns && strstr(line, " seconds");
	return *separator && t->fields && count_fields(line, separator) < t->fields;
}

/*
 * Says how the text ends, of which the last line was read. @before: how many rows there were before
 * it; @open: it has no end.
 */
static enum recording_end end_of(const struct text *t, const char *line, int before, bool open)
{
	bool footer = t->length_ns || t->has_time;

	/* Nothing follows the share of the time. */
	if (t->is_table && open && !footer && !text__has_suffix(line, ")")) {
		if (t->rows.nr > before)
			return END_ROW_TAKEN;
		if (strspn(line, " \t") && isdigit((unsigned char)line[strspn(line, " \t")]))
			return END_ROW_LEFT_OUT;
	}
	return t->is_table && t->scope && !footer ? END_BEFORE_LENGTH : END_WHOLE;
}

/* Reads a line which is not the last. Return: as read_line(). */
static int read_whole(struct recording *r, char *line, const char *separator, int number)
{
	struct text *t = r->text;
	int fields = *separator ? count_fields(line, separator) : 0, before = t->rows.nr;
	int rc = read_line(r, line, separator, number);

	if (t->rows.nr > before && (!t->fields || fields < t->fields))
		t->fields = fields;
	return rc;
}

/* Reads what stands behind the last newline. Return: as read_line(). */
static int read_last(struct recording *r, char *line, const char *separator, int number)
{
	char *copy;
	int before = r->text->rows.nr, rc;

	if (is_part(r->text, line, separator)) {
		r->info.end = END_ROW_LEFT_OUT;
		return 0;
	}
	copy = xstrdup(line);
	rc = read_line(r, line, separator, number);
	r->info.end = end_of(r->text, copy, before, *copy);
	free(copy);
	return rc;
}

static int read_lines(struct recording *r, char *text, struct err *err)
{
	const char *separator = find_separator(r, text);
	bool metrics = false;
	char *line;
	int rc;

	for (int number = 1; (line = strsep(&text, "\n")); number++) {
		size_t len = strlen(line);

		if (len && line[len - 1] == '\r')
			line[len - 1] = '\0';
		if (text_csv__is_wide(line))
			return err__set(err, EINVAL,
					"%s, line %d: csv-wide cannot be read, as its values are "
					"rounded; use output of 'tma stat record', -x or -j",
					r->in.name, number);
		metrics |= text_csv__is_metrics(line);
		read_remark(r, line);
		rc = begins_another(r, line) ? -EEXIST
		     : text		     ? read_whole(r, line, separator, number)
					     : read_last(r, line, separator, number);
		if (rc)
			return explain(r, rc, number, err);
	}
	set_run_times(r->text);
	if (r->text->rows.nr)
		return 0;
	return err__set(err, EINVAL,
			metrics ? "%s has metrics alone (--metric-only): counts are needed"
				: "%s is not a recording: neither perf.data nor a table, nor "
				  "output of -x or -j",
			r->in.name);
}

/* The recording. */

/* The places of units are kept as those of "CPUs" of their numbers. */
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
	t->nowhere = machine__new_recorded("", NULL);
	/* What is no text shows that mostly in its first bytes, and may have no end. */
	rc = input__peek(&r->in, LOOK_BYTES, &data, &len, err);
	if (!rc && memchr(data, '\0', len))
		return refuse_bytes(r, err);
	rc = rc ?: input__hold(&r->in, err);
	if (rc)
		return rc;
	if (memchr(r->in.memory, '\0', r->in.size))
		return refuse_bytes(r, err);
	rc = read_lines(r, r->in.memory, err);
	if (rc)
		return rc;
	set_host(r);
	set_pmus(r);
	r->info.per_cpu = r->info.aggr != AGGR_THREAD;
	r->info.interval = t->has_time;
	return recording__settle(r, err);
}

/* Computes the count as the kernel gave it, from what was printed of it. */
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
 * A value from perf, which does not say of how many samples it is, is taken for one sample; 0 is
 * none.
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

/* duration_time, if it is among them, tells how long a run without rows was. */
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

/* Latencies that stand behind the events of the file are the tables', wherever they are wanted. */
static void set_vendor_latencies(const struct recording *r, struct counts *counts)
{
	for (int e = r->traits.nr; e < counts->nr_events; e++)
		for (int i = 0; r->list->at[e]->retire_latency && i < counts->nr_units; i++)
			counts->at[e * counts->nr_units + i].status = SAMPLE_NOT_COUNTED;
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
	*row = (struct recorded_row){ .since_start_ns = time_ns };
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

/* The first row that has a count of an event. */
static const struct text_row *first_count(const struct text *t, int event)
{
	const struct text_row *row;

	vec__for_each(row, &t->rows)
		if (row->event == event && row->count.status == SAMPLE_COUNTED)
			return row;
	return NULL;
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

		if (!named || named->table_event < 0)
			continue;
		if (e->retire_latency && !e->vendor_latency.mean)
			e->vendor_latency = named->vendor_latency;
		tables__event(r->tables, named->table_event, &info);
		if (info.scale != 1 && !strcmp(info.unit, e->unit))
			e->scale = info.scale;
	}
}
