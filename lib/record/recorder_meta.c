// SPDX-License-Identifier: GPL-2.0-only
/* Writes the records that precede the counts: events, threads, CPUs, and the options of the run. */
#include <string.h>

#include "base/array.h"
#include "record/cpu_map.h"
#include "record/recorder.h"

/* The size of a record has 16 bits; threads that do not fit go into the next record. */
#define THREADS_PER_RECORD                                                                         \
	((RECORD_SIZE_MAX - RECORD_ALIGN - (int)sizeof(struct perf_record_thread_map)) /           \
	 (int)sizeof(struct perf_record_thread_map_entry))

static void put_attr(struct recorder *r, int event)
{
	struct perf_event_attr attr = recorder__attr(r, event);
	size_t start = put_record(&r->out, PERF_RECORD_HEADER_ATTR);

	sb__add(&r->out, (const char *)&attr, sizeof(attr));
	put_u64(&r->out, recorder__id(event));
	record__end(&r->out, start);
}

size_t recorder__start_update(struct recorder *r, int event, uint64_t what)
{
	size_t start = put_record(&r->out, PERF_RECORD_EVENT_UPDATE);

	put_u64(&r->out, what);
	put_u64(&r->out, recorder__id(event));
	return start;
}

void recorder__put_update(struct recorder *r, int event, uint64_t what, const void *data,
			  size_t size)
{
	size_t start = recorder__start_update(r, event, what);

	sb__add(&r->out, data, size);
	record__end(&r->out, start);
}

static void put_text_update(struct recorder *r, int event, uint64_t what, const char *text)
{
	if (text)
		recorder__put_update(r, event, what, text, strlen(text) + 1);
}

static void recorder_meta__put_reasons(struct recorder *r, int event)
{
	put_text_update(r, event, UPDATE_REFUSAL, session__refusal(r->session, event));
	put_text_update(r, event, UPDATE_OBSTACLE, session__obstacle(r->session, event));
}

static void put_updates(struct recorder *r, int event)
{
	const struct event *e = r->events->at[event];
	size_t start;

	put_text_update(r, event, PERF_EVENT_UPDATE__NAME, e->name);
	put_text_update(r, event, PERF_EVENT_UPDATE__UNIT, *e->unit ? e->unit : NULL);
	recorder__put_latency_event(r, event);
	recorder_meta__put_reasons(r, event);
	if (!event)
		put_text_update(r, event, UPDATE_SIMULATED, r->machine->simulated);
	if (e->scale != 1.0)
		recorder__put_update(r, event, PERF_EVENT_UPDATE__SCALE, &e->scale,
				     sizeof(e->scale));
	if (r->per_cpu && session__cpus(r->session, event)->nr) {
		start = recorder__start_update(r, event, PERF_EVENT_UPDATE__CPUS);
		cpu_map__write(&r->out, session__cpus(r->session, event));
		record__end(&r->out, start);
	}
}

/*
 * Whether a feature is written as a record. In a file the features come last. But those that
 * metrics depend on are also written before the counts, in case the writer is killed: otherwise
 * metrics would be computed for another CPU, without SMT, or with other groups.
 */
static bool is_due(const struct recorder *r, const struct feature *f)
{
	static const enum file_feature first[] = {
		FEATURE_NRCPUS,  FEATURE_CPUDESC,      FEATURE_CPUID,
		FEATURE_CMDLINE, FEATURE_CPU_TOPOLOGY, FEATURE_GROUP_DESC,
	};
	bool due = r->pipe && f->id != FEATURE_EVENT_DESC; /* events are in records of their own */

	for (int i = 0; i < array__nr(first); i++)
		due |= f->id == first[i];
	return due && f->size;
}

/* Features that are too long for a record are left out. */
static void put_feature_records(struct recorder *r)
{
	const struct feature *f;
	size_t start;

	vec__for_each(f, &r->features) {
		if (!is_due(r, f))
			continue;
		start = put_record(&r->out, PERF_RECORD_HEADER_FEATURE);
		put_u64(&r->out, f->id);
		sb__add(&r->out, sb__str(&r->text) + f->at, f->size);
		record__end(&r->out, start);
	}
	if (!r->pipe)
		return;
	start = put_record(&r->out, PERF_RECORD_HEADER_FEATURE);
	put_u64(&r->out, FEATURE_LAST);
	record__end(&r->out, start);
}

static void put_thread(struct recorder *r, int pid, const char *comm)
{
	struct perf_record_thread_map_entry entry = { .pid = pid };

	strncpy(entry.comm, comm, sizeof(entry.comm) - 1);
	sb__add(&r->out, (const char *)&entry, sizeof(entry));
}

static void put_threads(struct recorder *r)
{
	int nr = r->per_cpu ? 1 : r->units->nr;

	for (int first = 0; first < nr; first += THREADS_PER_RECORD) {
		int here = nr - first < THREADS_PER_RECORD ? nr - first : THREADS_PER_RECORD;
		size_t start = put_record(&r->out, PERF_RECORD_THREAD_MAP);

		put_u64(&r->out, here);
		for (int i = first; i < first + here; i++)
			put_thread(r, r->per_cpu ? -1 : r->units->ids[i],
				   r->per_cpu ? "" : r->units->comms[i]);
		record__end(&r->out, start);
	}
}

static void put_cpus(struct recorder *r)
{
	size_t start = put_record(&r->out, PERF_RECORD_CPU_MAP);
	struct cpulist cpus = CPULIST_INIT;

	for (int i = 0; r->per_cpu && i < r->units->nr; i++)
		cpulist__add(&cpus, r->units->ids[i]);
	cpu_map__write(&r->out, r->per_cpu ? &cpus : NULL);
	record__end(&r->out, start);
	cpulist__free(&cpus);
}

static void put_config(struct recorder *r)
{
	const struct perf_record_stat_config_entry entries[] = {
		{ PERF_STAT_CONFIG_TERM__AGGR_MODE, row_kinds[r->opts.aggr].perf },
		{ PERF_STAT_CONFIG_TERM__INTERVAL, r->opts.interval_ms },
		{ PERF_STAT_CONFIG_TERM__SCALE, r->opts.scale },
		{ PERF_STAT_CONFIG_TERM__AGGR_LEVEL, r->opts.cache_level },
	};
	size_t start = put_record(&r->out, PERF_RECORD_STAT_CONFIG);

	put_u64(&r->out, sizeof(entries) / sizeof(*entries));
	sb__add(&r->out, (const char *)entries, sizeof(entries));
	record__end(&r->out, start);
}

void recorder__put_meta(struct recorder *r)
{
	for (int i = 0; r->pipe && i < r->events->nr; i++)
		put_attr(r, i);
	put_feature_records(r);
	for (int i = 0; i < r->events->nr; i++)
		put_updates(r, i);
	put_threads(r);
	put_cpus(r);
	put_config(r);
}

void recorder__regroup(struct recorder *r)
{
	for (int i = 0; i < r->events->nr; i++)
		recorder_meta__put_reasons(r, i);
	/* A pipe cannot be rewritten: it does not get the new features. */
	sb__clear(&r->text);
	r->features.nr = 0;
	recorder__make_features(r);
	r->regrouped = session__regrouped(r->session);
}
