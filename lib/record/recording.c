// SPDX-License-Identifier: GPL-2.0-only
/* A recording from its opening to its end; the computer it was made on. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "events/names.h"
#include "record/recording.h"

int recording__no_memory(struct err *err)
{
	return err__set(err, ENOMEM, "out of memory for the recording");
}

int recording__set_text(char **text, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	free(*text);
	*text = copy;
	return 0;
}

struct event *recording__add_event(struct recording *r, const char *name)
{
	struct event *e = event__new();

	if (!e)
		return NULL;
	e->name = strdup(name);
	vec__push(&r->traits, (struct recorded_event){ .seen = false });
	event_list__push(&r->events, e);
	return e;
}

/* PMUs that are there under the same number on every computer. */
static const struct {
	uint32_t type;
	const char *name;
} fixed_pmus[] = {
	{ PERF_TYPE_SOFTWARE, "software" },
	{ PERF_TYPE_TRACEPOINT, "tracepoint" },
	{ PERF_TYPE_BREAKPOINT, "breakpoint" },
};

static int add_pmus(struct recording *r)
{
	const struct recorded_host *h = &r->host;
	const struct pmu_name *pmu;

	vec__for_each(pmu, &h->pmus)
		if (!machine__add_pmu(r->machine, pmu->name, pmu->type))
			return -ENOMEM;
	for (size_t i = 0; i < sizeof(fixed_pmus) / sizeof(*fixed_pmus); i++)
		if (!machine__pmu(r->machine, fixed_pmus[i].name) &&
		    !machine__add_pmu(r->machine, fixed_pmus[i].name, fixed_pmus[i].type))
			return -ENOMEM;
	/* Without a word about PMUs, the raw events are those of the CPU. */
	if (!h->pmus.nr && !machine__add_pmu(r->machine, "cpu", PERF_TYPE_RAW))
		return -ENOMEM;
	return 0;
}

static int set_core_cpus(struct recording *r)
{
	struct pmu_cpus *core;
	struct pmu *pmu;

	vec__for_each(core, &r->host.core_pmus) {
		pmu = machine__pmu(r->machine, core->name);
		if (!pmu || pmu->has_cpus)
			continue;
		if (cpulist__copy(&core->cpus, &pmu->cpus))
			return -ENOMEM;
		pmu->has_cpus = true;
	}
	return 0;
}

/* Online are the CPUs that stand somewhere; where that is not said, so many as there were. */
static int set_cpus(struct recording *r)
{
	const struct recorded_host *h = &r->host;
	struct machine *m = r->machine;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < h->nr_cpus && i <= CPULIST_MAX_CPU; i++) {
		rc = cpulist__add(&m->present, i);
		if (!rc && (h->cpus ? h->cpus[i].socket >= 0 : i < h->nr_online))
			rc = cpulist__add(&m->online, i);
	}
	if (!rc && !m->online.nr)
		rc = cpulist__copy(&r->cpus, &m->online);
	if (!rc && !m->present.nr)
		rc = cpulist__copy(&m->online, &m->present);
	return rc ? rc : cpulist__copy(&m->present, &m->possible);
}

static int set_places(struct recording *r)
{
	struct recorded_host *h = &r->host;
	struct cpu_cache *cache;
	int rc = 0;

	if (h->cpus)
		rc = machine__set_topology(r->machine, h->cpus, h->nr_cpus);
	r->info.has_places = h->cpus;
	vec__for_each(cache, &h->caches)
		if (!rc)
			rc = machine__add_cache(r->machine, cache->level, &cache->cpus);
	return rc;
}

int recording__make_machine(struct recording *r, struct err *err)
{
	const char *cpuid = r->opts.cpuid ? r->opts.cpuid : r->host.cpuid ? r->host.cpuid : "";

	if (machine__new_recorded(cpuid, r->host.cpu_desc, &r->machine) || add_pmus(r) ||
	    set_cpus(r) || set_core_cpus(r) || set_places(r))
		return recording__no_memory(err);
	r->info.cpuid = r->machine->cpuid;
	return 0;
}

static struct pmu *pmu_of(const struct recording *r, const struct perf_event_attr *attr)
{
	uint32_t extended = attr->config >> 32;
	struct pmu *pmu = NULL;

	if (attr->type != PERF_TYPE_HARDWARE && attr->type != PERF_TYPE_HW_CACHE)
		return machine__pmu_by_type(r->machine, attr->type);
	/* Of which core type a hardware event is stands above its number. */
	if (extended)
		pmu = machine__pmu_by_type(r->machine, extended);
	return pmu ? pmu : machine__core_pmu(r->machine, 0);
}

/* The name of a kernel event, for a file whose end with the names is missing. */
struct naming {
	struct event *event;
	bool done, failed;
};

static int name_it(void *arg, const struct event_name *name)
{
	struct naming *n = arg;

	if (name->type != n->event->attr.type || name->config != (uint32_t)n->event->attr.config)
		return 0;
	n->failed = recording__set_text(&n->event->name, name->name);
	n->done = true;
	return 1;
}

static int name_event(struct recording *r, struct event *e)
{
	struct naming naming = { .event = e };
	const struct event_names walk = {
		.kinds = 1 << NAME_KIND_HARDWARE | 1 << NAME_KIND_SOFTWARE |
			 1 << NAME_KIND_CACHE,
		.visit = name_it,
		.arg = &naming,
	};
	const struct events_scope scope = { .machine = r->machine };
	char text[48];

	if (*e->name)
		return 0;
	events__each(&scope, &walk);
	if (naming.done)
		return naming.failed ? -ENOMEM : 0;
	snprintf(text, sizeof(text), "%u:%#" PRIx64, e->attr.type, (uint64_t)e->attr.config);
	return recording__set_text(&e->name, text);
}

/*
 * An uncore event on each instance of its unit is one event: those of a set have the same name, and
 * each PMU is there once. (The event may have been counted in several groups.)
 */
static void find_instances(struct recording *r, int index)
{
	struct event *e = r->events.at[index], *first = NULL;

	if (!e->pmu || !e->pmu->is_uncore)
		return;
	for (int i = 0; i < index; i++) {
		struct event *other = r->events.at[i];

		if (!other->pmu || !other->pmu->is_uncore || strcmp(other->name, e->name) ||
		    strcmp(other->unit, e->unit))
			continue;
		if (other->pmu != e->pmu && pmu__same_unit(other->pmu, e->pmu) && !first)
			first = other->first;
		/* The set has this PMU already. */
		if (other->pmu == e->pmu && other->first == first)
			first = NULL;
	}
	if (!first)
		return;
	e->first = first;
	e->merge = first->merge = true;
}

static int mark_latency(struct event *e)
{
	int rc = name__is_latency(e->name);

	if (rc < 0)
		return rc;
	e->retire_latency |= rc;
	return e->retire_latency ? recording__set_text(&e->unit, "cycles") : 0;
}

static int place_event(struct recording *r, int index)
{
	struct event *e = r->events.at[index];
	int rc = mark_latency(e);

	if (rc)
		return rc;
	if (e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_DUMMY)
		e->tool = events__tool(e->name);
	if (!e->tool)
		e->pmu = pmu_of(r, &e->attr);
	/* Names are those of the file; with -A, perf has put the PMU into them already. */
	e->config_name = !r->info.text;
	e->any_cpu = !r->traits.at[index].own_cpus;
	e->requires_cpu = e->pmu && e->pmu->is_uncore;
	find_instances(r, index);
	return name_event(r, e);
}

/*
 * The CPUs an event was counted on: of those that were asked for, the ones it can count on. An
 * event that can count on none of them was counted on its own.
 */
static int place_event_cpus(struct recording *r, int index, struct cpulist *all)
{
	struct event *e = r->events.at[index];
	struct cpulist both = CPULIST_INIT;
	int rc = cpulist__and(&e->cpus, &r->cpus, &both);
	const int *cpu;

	if (!rc && both.nr) {
		cpulist__free(&e->cpus);
		e->cpus = both;
		return 0;
	}
	cpulist__free(&both);
	cpulist__for_each(cpu, &e->cpus)
		if (!rc && !cpulist__has(all, *cpu))
			rc = cpulist__add(all, *cpu);
	return rc;
}

/* Units are the CPUs of all events; of tasks, the threads. Text has named them already. */
static int place_units(struct recording *r)
{
	struct cpulist all = CPULIST_INIT;
	const int *cpu;
	int rc;

	if (!r->info.per_cpu || r->info.text)
		return 0;
	rc = cpulist__copy(&r->cpus, &all);
	for (int i = 0; !rc && i < r->events.nr; i++)
		if (r->traits.at[i].own_cpus)
			rc = place_event_cpus(r, i, &all);
	r->units.nr = 0;
	cpulist__for_each(cpu, &all)
		if (!rc)
			rc = vec__push(&r->units, *cpu);
	cpulist__free(&all);
	return rc;
}

int recording__place_events(struct recording *r, struct err *err)
{
	int rc = place_units(r);

	for (int i = 0; !rc && i < r->events.nr; i++)
		rc = place_event(r, i);
	return rc ? recording__no_memory(err) : 0;
}

int recording__too_many(const struct recording *r, const char *what, struct err *err)
{
	return err__set(err, EFBIG, "%s has more %s than can be read", r->in.name, what);
}

int recording__check_size(const struct recording *r, struct err *err)
{
	bool cells = latency_mode__needs_cells(r->info.latency_mode);
	int with_cells = 0;

	for (int i = 0; i < r->events.nr; i++)
		with_cells += cells && r->events.at[i]->sampled;
	if (r->units.nr && (r->events.nr > MAX_SAMPLES / r->units.nr ||
			    with_cells > MAX_CELLS / r->units.nr))
		return recording__too_many(r, "events on CPUs or threads", err);
	return 0;
}

static int open_any(struct recording *r, int fd, const char *name, struct err *err)
{
	const char *data;
	size_t len;
	int rc = input__init(&r->in, fd, name, err);

	if (!rc)
		rc = input__peek(&r->in, FILE_MAGIC_BYTES, &data, &len, err);
	if (rc)
		return rc;
	if (!len)
		return err__set(err, EINVAL, "%s is empty", name);
	if (perf_file__is(data, len))
		return perf_file__open(r, err);
	r->info.text = true;
	return text__open(r, err);
}

static void fill_info(struct recording *r)
{
	struct recording_info *i = &r->info;

	i->command = r->command.len ? sb__str(&r->command) : i->text ? r->in.name : "pipe";
	i->nr_units = r->units.nr;
	i->units = r->units.at;
	i->weights = r->weights.nr ? r->weights.at : NULL;
	i->comms = i->per_cpu ? NULL : (const char *const *)r->comms.at;
}

int recording__open(int fd, const char *name, const struct recording_options *opts,
		    struct recording **out, struct err *err)
{
	struct recording *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return recording__no_memory(err);
	r->opts = *opts;
	r->list = &r->events;
	r->scale = true;
	r->duration = -1;
	r->info.aggr = RECORD_AGGR_GLOBAL;
	rc = open_any(r, fd, name, err);
	if (rc) {
		recording__free(r);
		return rc;
	}
	fill_info(r);
	*out = r;
	return 0;
}

void recording__free(struct recording *r)
{
	struct recorded_event *trait;
	char **comm;

	if (!r)
		return;
	vec__for_each(comm, &r->comms)
		free(*comm);
	vec__free(&r->comms);
	vec__free(&r->units);
	vec__free(&r->weights);
	vec__free(&r->ids);
	vec__for_each(trait, &r->traits) {
		free(trait->refusal);
		free(trait->obstacle);
	}
	vec__free(&r->traits);
	event_list__free(&r->events);
	cpulist__free(&r->cpus);
	recorded_host__free(&r->host);
	machine__free(r->machine);
	text__free(r->text);
	input__free(&r->in);
	counts__free(&r->now);
	counts__free(&r->before);
	free(r->got);
	sb__free(&r->command);
	free(r);
}

const struct recording_info *recording__info(const struct recording *r)
{
	return &r->info;
}

const char *recording__refusal(const struct recording *r, int event)
{
	return event < r->traits.nr ? r->traits.at[event].refusal : NULL;
}

const char *recording__obstacle(const struct recording *r, int event)
{
	return event < r->traits.nr ? r->traits.at[event].obstacle : NULL;
}

struct machine *recording__machine(struct recording *r)
{
	return r->machine;
}

struct event_list *recording__events(struct recording *r)
{
	return &r->events;
}

int recording__borrow_places(struct recording *r, struct machine *from, struct err *err)
{
	int rc = machine__topology(from, err);

	if (rc)
		return rc;
	for (int i = 0; i < r->units.nr; i++)
		if (machine__cpu(from, r->units.at[i]).socket < 0)
			return err__set(err, EINVAL,
					"%s does not say where its CPUs stand, and this machine has "
					"no CPU %d", r->in.name, r->units.at[i]);
	if (machine__set_topology(r->machine, from->cpus, from->nr_cpus))
		return recording__no_memory(err);
	r->info.has_places = true;
	return 0;
}

int recording__set_cpuid(struct recording *r, const char *cpuid, struct err *err)
{
	if (recording__set_text(&r->machine->cpuid, cpuid))
		return recording__no_memory(err);
	r->info.cpuid = r->machine->cpuid;
	return 0;
}

/* What rows of text can be put together to: places they are in. */
static bool is_in(enum record_aggr from, enum record_aggr to)
{
	if (from == to || to == RECORD_AGGR_GLOBAL)
		return true;
	if (from == RECORD_AGGR_NONE)
		return to != RECORD_AGGR_THREAD;
	if (to == RECORD_AGGR_DIE || to == RECORD_AGGR_SOCKET)
		return from == RECORD_AGGR_CORE || from == RECORD_AGGR_CLUSTER ||
		       from == RECORD_AGGR_CACHE ||
		       (from == RECORD_AGGR_DIE && to == RECORD_AGGR_SOCKET);
	return false;
}

int recording__can_tell(const struct recording *r, enum record_aggr aggr, struct err *err)
{
	const struct recording_info *i = &r->info;

	if (aggr == RECORD_AGGR_GLOBAL)
		return 0;
	if (i->text && !is_in(i->aggr, aggr))
		return err__set(err, EINVAL,
				"%s: its rows do not say what such rows would be made of", r->in.name);
	if (!i->per_cpu && aggr != RECORD_AGGR_THREAD)
		return err__set(err, EINVAL, "%s: tasks were counted, and not CPUs", r->in.name);
	if (i->per_cpu && aggr == RECORD_AGGR_THREAD)
		return err__set(err, EINVAL, "%s: CPUs were counted, and not threads", r->in.name);
	return aggr != RECORD_AGGR_NONE && aggr != RECORD_AGGR_THREAD && !i->has_places;
}

static int make_latencies(const struct recording *r, struct counts *out)
{
	bool wanted = false;

	for (int e = 0; e < r->list->nr; e++)
		wanted |= r->list->at[e]->retire_latency;
	if (!wanted)
		return 0;
	out->latencies = latencies__new(r->list, out->nr_units, r->info.latency_mode);
	return out->latencies ? 0 : -ENOMEM;
}

int recording__counts(const struct recording *r, struct counts *out)
{
	int nr;

	*out = (struct counts){
		.nr_events = r->list->nr,
		.nr_units = r->units.nr,
		.scale = r->scale,
	};
	nr = out->nr_events * out->nr_units;
	out->at = calloc(nr ? nr : 1, sizeof(*out->at));
	if (!out->at)
		return -ENOMEM;
	for (int i = 0; i < nr; i++)
		out->at[i].status = SAMPLE_NOT_COUNTED;
	return make_latencies(r, out);
}

int recording__next(struct recording *r, struct counts *counts, struct recorded_row *row,
		    struct err *err)
{
	int nr = r->list->nr * r->units.nr;

	if (r->text)
		return text__next(r, counts, row, err);
	if (!r->got) {
		r->got = calloc(nr ? nr : 1, sizeof(*r->got));
		if (!r->got || recording__counts(r, &r->now) || recording__counts(r, &r->before))
			return recording__no_memory(err);
	}
	return perf_records__next(r, counts, row, err);
}

static void add_sample(const struct sample *s, struct sample *sum, bool tool)
{
	if (!sample__has_numbers(sum) && sum->status != SAMPLE_ABSENT &&
	    sum->status != SAMPLE_NOT_SUPPORTED)
		return; /* A part is missing already. */
	if (!sample__has_numbers(s)) {
		/* Not supported, or not there, all the time; or lost from here on. */
		if (!sum->enabled || s->status == SAMPLE_LOST || s->status == SAMPLE_BUSY)
			sum->status = s->status;
		return;
	}
	sum->value += s->value;
	sum->scaled += s->scaled;
	sum->enabled += s->enabled;
	sum->running += s->running;
	if (tool || (sum->running && sum->running >= sum->enabled))
		sum->status = SAMPLE_COUNTED;
	else
		sum->status = sum->running ? SAMPLE_SCALED : SAMPLE_NOT_COUNTED;
}

void recording__sum(const struct recording *r, const struct counts *row, struct counts *sum)
{
	for (int i = 0; i < row->nr_events * row->nr_units; i++)
		add_sample(&row->at[i], &sum->at[i],
			   r->list->at[i / row->nr_units]->tool != EVENT_TOOL_NONE);
	for (int i = 0; row->latencies && i < row->nr_events * row->nr_units; i++)
		latency__merge(&sum->latencies[i], &row->latencies[i]);
	sum->time_ns = row->time_ns;
}
