// SPDX-License-Identifier: GPL-2.0-only
/* Reads the records of perf.data: the descriptions before the counts, and the counts row by row. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "record/cpu_map.h"
#include "record/recording.h"

#define COMM_BYTES 16
/*
 * Memory for records that precede the first count and are kept until then. It is enough for a
 * million mappings: a computer with 10,000 processes has about as many.
 */
#define MOST_EARLY (1 << 28)

/**
 * struct record - a record of the file
 * @body: the part of the record after its header
 * @offset: position of the record in the file
 */
struct record {
	struct perf_event_header header;
	struct span body;
	uint64_t offset;
};

static int damaged(const struct recording *r, const struct record *record, struct err *err,
		   const char *what)
{
	return input__damaged(&r->in, record->offset, err, "%s", what);
}

static int at_end(const struct recording *r, struct err *err)
{
	if (r->declared_end != UINT64_MAX && r->in.pos < r->declared_end)
		return input__damaged(&r->in, r->in.pos, err,
				      "the file ends here, %" PRIu64 " bytes before the end of its records",
				      r->declared_end - r->in.pos);
	if (!r->late.code)
		return 0;
	if (err)
		*err = r->late;
	return -r->late.code;
}

/*
 * Take the next record. Return: 1; 0 after the last record; -EINVAL for an invalid record; -errno.
 */
static int perf_records__take_record(struct recording *r, struct record *record, struct err *err)
{
	const char *data;
	int rc;

	record->offset = r->in.pos;
	rc = input__take(&r->in, sizeof(record->header), &data, err);
	if (rc <= 0)
		return rc ? rc : at_end(r, err);
	memcpy(&record->header, data, sizeof(record->header));
	if (record->header.size < sizeof(record->header))
		return input__damaged(&r->in, record->offset, err, "a record of %d bytes",
				      record->header.size);
	record->body = (struct span){ .data = "",
				      .len = record->header.size - sizeof(record->header) };
	if (!record->body.len)
		return 1;
	rc = input__take(&r->in, record->body.len, &record->body.data, err);
	if (!rc)
		rc = damaged(r, record, err, "the file ends within a record");
	return rc;
}

/* Skip the data that follows some records and does not belong to them. */
static int skip_payload(struct recording *r, struct record *record, struct err *err)
{
	uint64_t left = 0;
	const char *data;
	int rc = 1;

	if (record->header.type == PERF_RECORD_HEADER_TRACING_DATA)
		left = span__u32(&record->body);
	else if (record->header.type == PERF_RECORD_AUXTRACE)
		left = span__u64(&record->body);
	while (left && rc > 0) {
		size_t part = left < 4096 ? left : 4096;

		rc = input__take(&r->in, part, &data, err);
		left -= part;
	}
	return rc ? rc : damaged(r, record, err, "the file ends within the data after a record");
}

static int by_id(const void *a, const void *b)
{
	const struct event_number *l = a, *r = b;

	return (l->id > r->id) - (l->id < r->id) ?: l->event - r->event;
}

int recording__event_of_id(struct recording *r, uint64_t id)
{
	int low = 0, high = r->ids.nr;

	if (!r->ids_sorted && r->ids.nr)
		qsort(r->ids.at, r->ids.nr, sizeof(*r->ids.at), by_id);
	r->ids_sorted = true;
	while (low < high) {
		int middle = low + (high - low) / 2;

		if (r->ids.at[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->ids.nr && r->ids.at[low].id == id ? r->ids.at[low].event : -1;
}

static int perf_records__read_attr(struct recording *r, struct record *record, struct err *err)
{
	const struct span *s = &record->body;
	uint32_t size;

	if (s->len < PERF_ATTR_SIZE_VER0)
		return damaged(r, record, err, "an event's attributes are cut off");
	memcpy(&size, s->data + offsetof(struct perf_event_attr, size), sizeof(size));
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > s->len)
		return damaged(r, record, err, "an event's attributes are longer than their record");
	if (r->events.nr == MAX_EVENTS)
		return recording__too_many(r, "events", err);
	recording__add_attr(r, s->data, size);
	recording__add_ids(r, s->data + size, (s->len - size) / sizeof(uint64_t));
	return 0;
}

static int read_cpu_map(struct recording *r, struct record *record, struct cpulist *cpus,
			bool *any, struct err *err)
{
	const struct span *s = &record->body;

	if (!cpu_map__read(s->data + s->at, span__left(s), cpus, any, err))
		return 0;
	return damaged(r, record, err, err ? err->msg : "");
}

static int update_cpus(struct recording *r, struct record *record, int event, struct err *err)
{
	struct event *e = r->events.at[event];
	bool any;
	int rc;

	cpulist__free(&e->cpus);
	rc = read_cpu_map(r, record, &e->cpus, &any, err);
	if (rc)
		return rc;
	r->traits.at[event].own_cpus = !any && e->cpus.nr;
	r->nr_own_cpus += e->cpus.nr;
	return r->nr_own_cpus > MAX_SAMPLES ? recording__too_many(r, "CPUs of events", err) : 0;
}

/* Find where the text of an update is kept. Return: NULL if the update does not have a text. */
static char **text_of_update(struct recording *r, uint64_t what, int event)
{
	switch (what) {
	case PERF_EVENT_UPDATE__NAME:
		return &r->events.at[event]->name;
	case PERF_EVENT_UPDATE__UNIT:
		return &r->events.at[event]->unit;
	case UPDATE_REFUSAL:
		return &r->traits.at[event].refusal;
	case UPDATE_OBSTACLE:
		return &r->traits.at[event].obstacle;
	case UPDATE_SIMULATED:
		return &r->machine->simulated;
	default:
		return NULL;
	}
}

static int read_update(struct recording *r, struct record *record, struct err *err)
{
	struct span *s = &record->body;
	uint64_t what = span__u64(s), id = span__u64(s);
	int event = recording__event_of_id(r, id);
	char **text;
	double scale;

	/* perf 7 also writes updates of events that it has not opened; these have no id. */
	if (!s->bad && !id)
		return 0;
	if (s->bad || event < 0)
		return damaged(r, record, err, "a record describes an event that does not exist");
	text = text_of_update(r, what, event);
	if (text) {
		if (!memchr(s->data + s->at, '\0', span__left(s)))
			return damaged(r, record, err, "a text does not end within its record");
		event__set_text(text, s->data + s->at);
	} else if (what == PERF_EVENT_UPDATE__SCALE) {
		span__copy(s, &scale, sizeof(scale));
		if (s->bad || !(scale > 0 && scale < 1e300))
			return damaged(r, record, err, "an invalid factor");
		r->events.at[event]->scale = scale;
	} else if (what == PERF_EVENT_UPDATE__CPUS) {
		return update_cpus(r, record, event, err);
	} else if (what == UPDATE_LATENCY_EVENT && recording__read_latency_event(r, s, event)) {
		return damaged(r, record, err, "an invalid latency");
	} else if (samples__take_update(r, what, event, s)) {
		return damaged(r, record, err, "an invalid word on samples");
	}
	return 0;
}

static int read_threads(struct recording *r, struct record *record, struct err *err)
{
	struct span *s = &record->body;
	uint64_t nr = span__u64(s);

	if (nr > span__left(s) / sizeof(struct perf_record_thread_map_entry))
		return damaged(r, record, err, "more threads than the record has room for");
	while (nr--) {
		int tid = (int)span__u64(s);
		char name[COMM_BYTES + 1] = "";

		span__copy(s, name, COMM_BYTES);
		vec__push(&r->comms, xstrdup(name));
		vec__push(&r->units, tid);
	}
	return 0;
}

static int perf_records__read_cpus(struct recording *r, struct record *record, struct err *err)
{
	/* As in perf, only the first list of CPUs is used. */
	if (r->cpus.nr || r->any_cpu)
		return 0;
	return read_cpu_map(r, record, &r->cpus, &r->any_cpu, err);
}

static enum grid_aggr aggr_of_mode(uint64_t mode)
{
	for (int aggr = 0; aggr < AGGR_NR; aggr++)
		if (row_kinds[aggr].perf == mode)
			return aggr;
	return AGGR_GLOBAL;
}

static void take_interval(struct recording *r, uint64_t ms)
{
	r->info.interval = ms;
	r->info.interval_ns = ms <= UINT32_MAX ? ms * 1000000 : 0;
}

static int read_config(struct recording *r, struct record *record, struct err *err)
{
	struct span *s = &record->body;
	uint64_t nr = span__u64(s);

	if (nr > span__left(s) / sizeof(struct perf_record_stat_config_entry))
		return damaged(r, record, err, "more settings than the record has room for");
	while (nr--) {
		uint64_t tag = span__u64(s), value = span__u64(s);

		if (tag == PERF_STAT_CONFIG_TERM__AGGR_MODE)
			r->info.aggr = aggr_of_mode(value);
		else if (tag == PERF_STAT_CONFIG_TERM__INTERVAL)
			take_interval(r, value);
		else if (tag == PERF_STAT_CONFIG_TERM__SCALE)
			r->scale = value;
		else if (tag == PERF_STAT_CONFIG_TERM__AGGR_LEVEL)
			r->info.cache_level = value <= 4 ? value : 0;
	}
	return 0;
}

static int read_feature(struct recording *r, struct record *record, struct err *err)
{
	struct span *s = &record->body;
	uint64_t feature = span__u64(s);
	int rc = s->bad ? -EINVAL : features__read(r, feature, s->data + s->at, span__left(s));

	return rc ? damaged(r, record, err, "a feature of the header is damaged") : 0;
}

/* Use a record about samples, or skip a record that is not needed. */
static int perf_records__take_other(struct recording *r, struct record *record, struct err *err)
{
	const char *what = "";

	if (!samples__has_record(record->header.type))
		return skip_payload(r, record, err);
	if (samples__take_record(r, &record->header, &record->body, &what))
		return damaged(r, record, err, what);
	return 0;
}

static int read_meta(struct recording *r, struct record *record, struct err *err)
{
	switch (record->header.type) {
	case PERF_RECORD_HEADER_ATTR:
		return perf_records__read_attr(r, record, err);
	case PERF_RECORD_HEADER_FEATURE:
		/*
		 * If the end of the file has all features, these records only repeat some features.
		 */
		return r->has_features ? skip_payload(r, record, err)
				       : read_feature(r, record, err);
	case PERF_RECORD_EVENT_UPDATE:
		return read_update(r, record, err);
	case PERF_RECORD_THREAD_MAP:
		return read_threads(r, record, err);
	case PERF_RECORD_CPU_MAP:
		return perf_records__read_cpus(r, record, err);
	case PERF_RECORD_STAT_CONFIG:
		return read_config(r, record, err);
	default:
		return perf_records__take_other(r, record, err);
	}
}

/* Whether a record begins the counts; it is not taken until memory for counts has been made. */
static bool is_count(struct record *record)
{
	return record->header.type == PERF_RECORD_STAT ||
	       record->header.type == PERF_RECORD_STAT_ROUND ||
	       record->header.type == PERF_RECORD_SAMPLE;
}

/*
 * Combine the units: perf samples a task on each CPU, and the samples of all threads are one count.
 */
static void one_unit(struct recording *r)
{
	char **comm;

	r->info.per_cpu &= !r->units.nr || (r->units.nr == 1 && r->units.at[0] == -1);
	vec__for_each(comm, &r->comms)
		free(*comm);
	r->comms.nr = 0;
	cpulist__free(&r->units);
	if (r->info.per_cpu)
		return;
	vec__push(&r->comms, xstrdup(""));
	vec__push(&r->units, -1);
}

static int perf_records__settle(struct recording *r, struct err *err)
{
	if (!r->events.nr)
		return err__set(err, EINVAL, "%s has no events", r->in.name);
	r->info.per_cpu = !r->any_cpu && r->cpus.nr;
	samples__begin(r);
	if (r->samples.are_perfs)
		one_unit(r);
	return recording__settle(r, err);
}

static int too_early(const struct recording *r, struct err *err)
{
	return err__set(err, EFBIG,
			"%s has more than %d MB of records on processes and events before its "
			"first count: record fewer processes, or without samples", r->in.name,
			MOST_EARLY >> 20);
}

int perf_records__meta(struct recording *r, struct err *err)
{
	struct record record;
	uint64_t kept = 0;
	int rc;

	for (;;) {
		/*
		 * The record is peeked at first, as the first count is left for
		 * perf_records__next().
		 */
		const char *data;
		size_t len;

		rc = input__peek(&r->in, sizeof(record.header), &data, &len, err);
		if (rc)
			return rc;
		if (len == sizeof(record.header)) {
			memcpy(&record.header, data, sizeof(record.header));
			if (is_count(&record))
				break;
		}
		rc = perf_records__take_record(r, &record, err);
		if (rc <= 0)
			break;
		rc = read_meta(r, &record, err);
		if (rc < 0)
			return rc;
		kept += record.header.size + sizeof(struct sample_record);
		if (kept > MOST_EARLY)
			return too_early(r, err);
	}
	return rc < 0 ? rc : perf_records__settle(r, err);
}

int recording__unit(const struct recording *r, uint32_t cpu, uint32_t thread)
{
	if (r->info.per_cpu)
		return cpulist__index(&r->units, cpu);
	return thread < (uint32_t)r->units.nr ? (int)thread : -1;
}

static int read_stat(struct recording *r, struct record *record, struct err *err)
{
	struct perf_record_stat stat;
	int event, unit, at;

	span__copy(&record->body, (char *)&stat + sizeof(stat.header),
		   sizeof(stat) - sizeof(stat.header));
	if (record->body.bad)
		return damaged(r, record, err, "a count is cut off");
	/*
	 * perf 7 has events of its own that are times. They do not have ids, and their values are
	 * also in the records at the ends of rows.
	 */
	if (!stat.id)
		return 0;
	event = recording__event_of_id(r, stat.id);
	if (event < 0)
		return input__damaged(&r->in, record->offset, err,
				      "a count of an unknown event (id %" PRIu64 ")",
				      (uint64_t)stat.id);
	unit = recording__unit(r, stat.cpu, stat.thread);
	if (unit < 0)
		return input__damaged(
			&r->in, record->offset, err,
			"a count of an unknown CPU or thread (CPU %d, thread number %u)",
			(int)stat.cpu, stat.thread);
	at = event * r->now.nr_units + unit;
	r->traits.at[event].seen = true;
	/* This count is for perf. The latency has records of its own. */
	if (r->traits.at[event].latencies)
		return 0;
	r->got[at] = true;
	r->now.at[at] = sample__read(stat.val, stat.ena, stat.run);
	/* perf's file does not have the number of samples, or their CPUs. */
	if (r->list->at[event]->retire_latency)
		latency__assign(&r->now.latencies[at], stat.val, stat.val > 0);
	return 0;
}

/* Read an update inside a row. Only latencies are updated inside rows. */
static int read_row_update(struct recording *r, struct record *record, struct err *err)
{
	struct span *s = &record->body;
	uint64_t what = span__u64(s);
	int event = recording__event_of_id(r, span__u64(s));

	if (s->bad || event < 0)
		return 0;
	if (what == UPDATE_LATENCY && recording__read_latency(r, s, event))
		return damaged(r, record, err, "an impossible latency");
	if (samples__take_update(r, what, event, s))
		return damaged(r, record, err, "an invalid word on samples");
	return 0;
}

static int read_of_row(struct recording *r, struct record *record, struct err *err)
{
	switch (record->header.type) {
	case PERF_RECORD_STAT:
		return read_stat(r, record, err);
	case PERF_RECORD_EVENT_UPDATE:
		return read_row_update(r, record, err);
	default:
		return perf_records__take_other(r, record, err);
	}
}

/* Return: the status of a sample that has no count in this row. */
static enum sample_status missing(const struct recording *r, int event, int unit)
{
	const struct event *e = r->list->at[event];

	if (r->traits.at[event].own_cpus && r->info.per_cpu &&
	    !cpulist__has(&e->cpus, r->units.at[unit]))
		return SAMPLE_ABSENT;
	if ((event_tool__is_once(e->tool) && unit) || samples__is_mapping_event(r, event))
		return SAMPLE_ABSENT;
	return r->traits.at[event].seen ? SAMPLE_LOST : SAMPLE_NOT_SUPPORTED;
}

static void finish_row(struct recording *r, uint64_t time_ns)
{
	int nr_units = r->now.nr_units, nr = r->traits.nr;

	for (int e = 0; e < nr; e++)
		for (int unit = 0; unit < nr_units; unit++) {
			int at = e * nr_units + unit;

			if (!r->got[at]) {
				r->now.at[at] = (struct sample){ .status = missing(r, e, unit) };
				recording__keep_latency(r, at);
			}
			r->got[at] = false;
		}
	for (int e = 0; e < r->list->nr; e++) {
		if (e != r->duration && (e >= nr || r->traits.at[e].seen ||
					 r->list->at[e]->tool != EVENT_DURATION_TIME))
			continue;
		for (int unit = 0; unit < nr_units; unit++)
			r->now.at[e * nr_units + unit].status = SAMPLE_ABSENT;
		r->now.at[e * nr_units] = sample__read(time_ns, time_ns, time_ns);
	}
	r->now.time_ns = time_ns;
}

/* Make a row from the counts up to a time since the start. */
static void make_row(struct recording *r, uint64_t time_ns, struct counts *counts,
		     struct recorded_row *row)
{
	struct counts swap;

	samples__give(r, UINT64_MAX);
	finish_row(r, time_ns);
	counts__delta(&r->now, &r->before, r->list, counts);
	*row = (struct recorded_row){
		.since_start_ns = time_ns,
		.elapsed_ns = time_ns > r->last_ns ? time_ns - r->last_ns : 0,
	};
	r->last_ns = time_ns;
	swap = r->before;
	r->before = r->now;
	r->now = swap;
}

/* If the samples are perf's, make one row of all samples. Return: 1 if there is a row, or 0. */
static int perf_records__read_end(struct recording *r, struct counts *counts,
				  struct recorded_row *row)
{
	const struct samples *s = &r->samples;

	if (!s->are_perfs || r->last_ns || !s->sampling.totals.samples) {
		samples__give(r, UINT64_MAX);
		return 0;
	}
	make_row(r, s->latest_ns > s->first_ns ? s->latest_ns - s->first_ns : 1, counts, row);
	return 1;
}

static int read_round(struct recording *r, struct record *record, struct counts *counts,
		      struct recorded_row *row, struct err *err)
{
	struct span *s = &record->body;
	uint64_t time_ns;

	span__u64(s); /* whether the row is the last */
	time_ns = span__u64(s);
	if (s->bad)
		return damaged(r, record, err, "the end of a row is cut off");
	make_row(r, time_ns, counts, row);
	return 1;
}

int perf_records__next(struct recording *r, struct counts *counts, struct recorded_row *row,
		       struct err *err)
{
	struct record record;
	int rc;

	for (;;) {
		rc = perf_records__take_record(r, &record, err);
		if (rc <= 0)
			return rc ?: perf_records__read_end(r, counts, row);
		if (record.header.type == PERF_RECORD_STAT_ROUND)
			return read_round(r, &record, counts, row, err);
		rc = read_of_row(r, &record, err);
		if (rc < 0)
			return rc;
	}
}
