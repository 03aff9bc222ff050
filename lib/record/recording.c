// SPDX-License-Identifier: GPL-2.0-only
/* Opens, describes and closes a recording, and describes the computer that counted. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "record/recording.h"

#define TYPE_OF_PERFS_OWN 0xfffffffeu /* perf's type for duration_time and the like */

struct event *recording__add_event(struct recording *r, const char *name)
{
	struct event *e = event__new();

	e->name = xstrdup(name);
	vec__push(&r->traits, (struct recorded_event){ .seen = false });
	event_list__push(&r->events, e);
	return e;
}

void recording__add_attr(struct recording *r, const char *data, size_t size)
{
	struct event *e = recording__add_event(r, "");

	/* Fields that the other kernel lacks are 0; fields that only it has are dropped. */
	memset(&e->attr, 0, sizeof(e->attr));
	memcpy(&e->attr, data, size < sizeof(e->attr) ? size : sizeof(e->attr));
}

void recording__add_ids(struct recording *r, const char *data, size_t nr)
{
	struct event_number number = { .event = r->events.nr - 1 };

	for (size_t i = 0; i < nr; i++) {
		memcpy(&number.id, data + i * sizeof(number.id), sizeof(number.id));
		vec__push(&r->ids, number);
	}
	r->ids_sorted = false;
}

/* The PMUs that have the same number on every computer. */
static const struct {
	uint32_t type;
	const char *name;
} fixed_pmus[] = {
	{ PERF_TYPE_SOFTWARE, "software" },
	{ PERF_TYPE_TRACEPOINT, "tracepoint" },
	{ PERF_TYPE_BREAKPOINT, "breakpoint" },
};

/*
 * Whether slots were counted only on a general counter, as on CPUs without TopDown metric events.
 */
static bool lacks_metric_events(const struct recording *r)
{
	bool has_plain = false;

	for (int i = 0; i < r->events.nr; i++) {
		const char *name = r->events.at[i]->name;
		const char *slots = strcasestr(name, "topdown.slots");
		size_t len = slots ? strcspn(slots, "/:") : 0;

		if (strcasestr(name, "topdown-") || len == strlen("topdown.slots") ||
		    text__is_any(name, "slots", "cpu/slots/", "cpu_core/slots/"))
			return false;
		has_plain |= len == strlen("topdown.slots_p");
	}
	return has_plain;
}

/* Give the core PMUs what sysfs has on computers with this CPU. */
static void assume_sysfs(const struct recording *r)
{
	machine__assume_formats(r->machine);
	if (!lacks_metric_events(r))
		topdown__assume_events(r->machine);
}

static void add_fixed_pmus(const struct recording *r)
{
	struct machine *m = r->machine;
	bool says_none = !m->nr_pmus;

	for (int i = 0; i < array__nr(fixed_pmus); i++)
		if (!machine__pmu(m, fixed_pmus[i].name))
			machine__add_pmu(m, fixed_pmus[i].name, fixed_pmus[i].type);
	/* If the file has no information on PMUs, raw events are those of the CPU. */
	if (says_none)
		machine__add_pmu(m, "cpu", PERF_TYPE_RAW);
	assume_sysfs(r);
}

/* Set the CPUs. If places are known, CPUs with a place are online; otherwise the first ones are. */
static void set_cpus(struct recording *r)
{
	struct machine *m = r->machine;

	for (uint32_t i = 0; i < r->nr_cpus && i <= CPULIST_MAX_CPU; i++) {
		cpulist__add(&m->present, i);
		if (r->places ? r->places[i].socket >= 0 : i < r->nr_online)
			cpulist__add(&m->online, i);
	}
	if (!m->online.nr)
		cpulist__copy(&r->cpus, &m->online);
	if (!m->present.nr)
		cpulist__copy(&m->online, &m->present);
	cpulist__copy(&m->present, &m->possible);
	if (r->places)
		machine__set_topology(m, r->places, r->nr_cpus);
	r->info.has_places = r->places;
}

static void finish_machine(struct recording *r)
{
	struct machine *m = r->machine;

	r->own_cpuid = xstrdup(m->cpuid);
	r->info.own_cpuid = r->own_cpuid;
	r->info.host = r->host;
	r->info.kernel = r->kernel;
	r->info.processor = r->cpu_desc;
	machine__set_cpuid(m, r->opts.cpuid ? r->opts.cpuid : m->cpuid, r->cpu_desc);
	r->info.cpuid = m->cpuid;
	add_fixed_pmus(r);
	set_cpus(r);
}

static struct pmu *recording__pmu_of(const struct recording *r, const struct perf_event_attr *attr)
{
	uint32_t extended = attr->config >> 32;
	struct pmu *pmu = NULL;

	if (attr->type != PERF_TYPE_HARDWARE && attr->type != PERF_TYPE_HW_CACHE)
		return machine__pmu_by_type(r->machine, attr->type);
	/* The upper bits of a hardware event are the type of its core PMU. */
	if (extended)
		pmu = machine__pmu_by_type(r->machine, extended);
	return pmu ? pmu : machine__core_pmu(r->machine, 0);
}

/*
 * Find the instances of an uncore event on the PMUs of its unit: they count as one event. Instances
 * have one name, and each PMU occurs once. (The event may have been counted in several groups.)
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
		/* This PMU already has an instance. */
		if (other->pmu == e->pmu && other->first == first)
			first = NULL;
	}
	if (!first)
		return;
	e->first = first;
	e->merge = first->merge = true;
}

/* Whether an event is a latency. A file marks all its latencies, or their names have an R. */
static bool is_latency(const struct recording *r, const struct recorded_event *trait,
		       const struct event *e)
{
	if (r->info.text || r->marks_latencies || e->retire_latency)
		return e->retire_latency;
	return trait->named && trait->named->retire_latency && !event__is_software(e);
}

/* Since Linux 6.13, perf's own events have a PMU with a number of their own. */
static void place_own_event(struct event *e)
{
	static const char *const names[] = {NULL, "duration_time", "user_time", "system_time"};
	const uint64_t config = e->attr.config;

	if (e->attr.type != TYPE_OF_PERFS_OWN)
		return;
	if (!*e->name && config < sizeof(names) / sizeof(*names) && names[config])
		event__set_text(&e->name, names[config]);
	event__set_text(&e->unit, "ns");
	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = PERF_COUNT_SW_DUMMY;
}

static void place_event(struct recording *r, int index)
{
	struct event *e = r->events.at[index];

	place_own_event(e);
	if (e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_DUMMY)
		e->tool = events__recorded_tool(e->name, e->unit);
	e->snapshot |= event_tool__is_state(e->tool);
	if (!e->tool)
		e->pmu = recording__pmu_of(r, &e->attr);
	/* Names are used as in the file; with -A, perf has already put the PMU into them. */
	e->config_name = !r->info.text;
	e->any_cpu = !r->traits.at[index].own_cpus;
	e->requires_cpu = e->pmu && e->pmu->is_uncore;
	find_instances(r, index);
	recording__name_event(r, e);
}

/* Set members that depend on the name, once the names have been parsed. */
static void mark_event(const struct recording *r, int index)
{
	const struct recorded_event *trait = &r->traits.at[index];
	struct event *e = r->events.at[index];

	e->retire_latency = is_latency(r, trait, e);
	if (e->retire_latency)
		event__set_text(&e->unit, "cycles");
	if (trait->named && e->pmu && e->pmu->is_core &&
	    (trait->named->bare || name__is_of_kernel(e)))
		e->kind = trait->named->kind;
	/* Only the name in a text shows which modes were counted: "cpu_core/cycles/u". */
	if (r->info.text && trait->named)
		event__set_modes(e, trait->named);
	event__set_kind(e);
}

/*
 * An event was counted on the requested CPUs on which it can count, or if there are none, on its
 * own CPUs.
 */
static void place_event_cpus(struct recording *r, int index, struct cpulist *all)
{
	struct event *e = r->events.at[index];
	struct cpulist both = CPULIST_INIT;
	const int *cpu;

	cpulist__and(&e->cpus, &r->cpus, &both);
	if (both.nr) {
		cpulist__free(&e->cpus);
		e->cpus = both;
		return;
	}
	cpulist__for_each(cpu, &e->cpus)
		cpulist__add(all, *cpu);
}

/* Set the units: the CPUs of all events. Threads, and the units of a text, are already set. */
static void place_units(struct recording *r)
{
	if (!r->info.per_cpu || r->info.text)
		return;
	cpulist__free(&r->units);
	cpulist__copy(&r->cpus, &r->units);
	for (int i = 0; i < r->events.nr; i++)
		if (r->traits.at[i].own_cpus)
			place_event_cpus(r, i, &r->units);
}

int recording__too_many(const struct recording *r, const char *what, struct err *err)
{
	return err__set(err, EFBIG, "%s has more %s than can be read", r->in.name, what);
}

static int check_size(const struct recording *r, struct err *err)
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

/* Copy a name without PMU and modifiers, such as op_spec for "op_spec:u". */
static void bare_name(const char *name, char *bare, size_t size)
{
	const char *slash = strchr(name, '/');

	name = slash ? slash + 1 : name;
	snprintf(bare, size, "%.*s", (int)strcspn(name, "/: "), name);
}

/*
 * If a metric uses an event by its sysfs name, and this event was counted, assume that the
 * computer's sysfs had the event with the counted encoding.
 */
static void add_counted(struct recording *r)
{
	char bare[64], terms[64];

	for (int i = 0; i < r->events.nr; i++) {
		const struct event *e = r->events.at[i];

		bare_name(e->name, bare, sizeof(bare));
		if (r->info.text || !e->pmu || !e->pmu->is_core || !tables__sysfs_uses(bare) ||
		    pmu__has_event(e->pmu, bare))
			continue;
		snprintf(terms, sizeof(terms), "config=%#" PRIx64, (uint64_t)e->attr.config);
		pmu__add_event(e->pmu, bare, terms, e->scale);
	}
}

int recording__settle(struct recording *r, struct err *err)
{
	r->marks_latencies |= r->version && text__has_prefix(r->version, "tma ");
	finish_machine(r);
	place_units(r);
	for (int i = 0; i < r->events.nr; i++)
		place_event(r, i);
	add_counted(r);
	recording__parse_names(r, NULL);
	for (int i = 0; i < r->events.nr; i++)
		mark_event(r, i);
	return check_size(r, err);
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

void recording__clear_words(struct recording *r)
{
	char **word;

	vec__for_each (word, &r->words)
		free(*word);
	r->words.nr = 0;
}

static void fill_info(struct recording *r)
{
	struct recording_info *i = &r->info;

	i->command = r->command.len ? sb__str(&r->command) : i->text ? r->in.name : "pipe";
	i->words = (const char *const *)r->words.at;
	i->nr_words = r->words.nr;
	i->units = (struct units){
		.nr = r->units.nr,
		.ids = r->units.at,
		.weights = r->weights.nr ? r->weights.at : NULL,
		.comms = i->per_cpu ? NULL : (const char *const *)r->comms.at,
		.uncounted = i->text && i->aggr == AGGR_GLOBAL,
	};
}

int recording__open(int fd, const char *name, const struct recording_options *opts,
		    struct recording **out, struct err *err)
{
	struct recording *r = xcalloc(1, sizeof(*r));
	struct stat st;
	int rc;

	r->opts = *opts;
	r->list = &r->events;
	r->scale = true;
	r->duration = -1;
	r->machine = machine__new_recorded("", NULL);
	r->info.aggr = AGGR_GLOBAL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		r->samples.origin.until_ns =
			st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec;
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
	cpulist__free(&r->units);
	vec__free(&r->weights);
	vec__free(&r->ids);
	vec__for_each(trait, &r->traits) {
		free(trait->refusal);
		free(trait->obstacle);
		event_list__free(&trait->parsed);
	}
	vec__free(&r->traits);
	event_list__free(&r->events);
	cpulist__free(&r->cpus);
	free(r->cpu_desc);
	free(r->own_cpuid);
	free(r->version);
	free(r->host);
	free(r->kernel);
	free(r->places);
	machine__free(r->machine);
	text__free(r->text);
	input__free(&r->in);
	samples__free(&r->samples);
	counts__free(&r->now);
	counts__free(&r->before);
	free(r->got);
	sb__free(&r->command);
	recording__clear_words(r);
	vec__free(&r->words);
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
	machine__load_topology(from);
	for (int i = 0; i < r->units.nr; i++)
		if (machine__cpu(from, r->units.at[i]).socket < 0)
			return err__set(err, EINVAL,
					"%s does not have the places of its CPUs, and this machine has "
					"no CPU %d", r->in.name, r->units.at[i]);
	machine__set_topology(r->machine, from->cpus, from->nr_cpus);
	r->info.has_places = true;
	return 0;
}

void recording__set_cpuid(struct recording *r, const char *cpuid)
{
	machine__set_cpuid(r->machine, cpuid, NULL);
	r->info.cpuid = r->machine->cpuid;
	assume_sysfs(r);
	add_counted(r);
}

/* Whether rows of a text can be combined by a kind of place, which their labels must name. */
static bool recording__is_in(enum grid_aggr from, enum grid_aggr to)
{
	if (from == AGGR_NONE)
		return to != AGGR_THREAD;
	return !(row_kind__labelled(to) & ~row_kind__labelled(from));
}

int recording__check_rows(const struct recording *r, enum grid_aggr aggr, struct err *err)
{
	const struct recording_info *i = &r->info;

	if (aggr == AGGR_GLOBAL)
		return 0;
	if (i->text && !recording__is_in(i->aggr, aggr))
		return err__set(err, EINVAL, "%s: its rows cannot be aggregated in this way",
				r->in.name);
	if (aggr == AGGR_THREAD && recording__samples(r) > SAMPLES_TMAS)
		return err__set(err, EINVAL,
				"%s: perf's samples are counted for all threads together",
				r->in.name);
	if (!i->per_cpu && aggr != AGGR_THREAD)
		return err__set(err, EINVAL, "%s: tasks were counted, and not CPUs", r->in.name);
	if (i->per_cpu && aggr == AGGR_THREAD)
		return err__set(err, EINVAL, "%s: CPUs were counted, and not threads", r->in.name);
	return row_kinds[aggr].adds_cpus && !i->has_places;
}

void recording__counts(const struct recording *r, struct counts *out)
{
	bool latencies = false;
	int nr;

	*out = (struct counts){
		.nr_events = r->list->nr,
		.nr_units = r->units.nr,
		.scale = r->scale,
	};
	nr = out->nr_events * out->nr_units;
	out->at = xcalloc(nr, sizeof(*out->at));
	for (int i = 0; i < nr; i++)
		out->at[i].status = SAMPLE_NOT_COUNTED;
	for (int e = 0; e < r->list->nr; e++)
		latencies |= r->list->at[e]->retire_latency;
	if (latencies)
		out->latencies = latencies__new(r->list, out->nr_units, r->info.latency_mode);
}

void recording__make_counts(struct recording *r)
{
	r->got = xcalloc((size_t)r->list->nr * r->units.nr, sizeof(*r->got));
	recording__counts(r, &r->now);
	recording__counts(r, &r->before);
}

int recording__next(struct recording *r, struct counts *counts, struct recorded_row *row,
		    struct err *err)
{
	if (r->text)
		return text__next(r, counts, row);
	if (!r->got)
		recording__make_counts(r);
	r->started = true;
	return perf_records__next(r, counts, row, err);
}

double recording__spread(const struct recording *r, int event)
{
	return r->text ? text__spread(r, event) : (double)NAN;
}

double recording__share(const struct recording *r)
{
	if (r->text)
		return text__share(r->text);
	if (!input__can_seek(&r->in) || !r->in.size)
		return NAN;
	return (double)r->in.pos / r->in.size;
}

static void recording__add_sample(const struct sample *s, struct sample *sum, bool tool)
{
	if (!sample__has_numbers(sum) && sum->status != SAMPLE_ABSENT &&
	    sum->status != SAMPLE_NOT_SUPPORTED)
		return; /* An earlier summand is missing. */
	if (!sample__has_numbers(s)) {
		/* The event was never supported or present, or it is lost from this row on. */
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
		recording__add_sample(&row->at[i], &sum->at[i],
				      r->list->at[i / row->nr_units]->tool != EVENT_TOOL_NONE);
	for (int i = 0; row->latencies && i < row->nr_events * row->nr_units; i++)
		latency__merge(&sum->latencies[i], &row->latencies[i]);
	sum->time_ns = row->time_ns;
}
