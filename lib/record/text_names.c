// SPDX-License-Identifier: GPL-2.0-only
/* What lines name: labels to units, names to events and PMUs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/xalloc.h"
#include "record/text.h"

#define KEY_BYTES 1200
#define PMU_BYTES 64 /* longer names are of none */
#define FIRST_PMU_TYPE 1000 /* of those that text names: no number of theirs is known */

/* Units. */

/* The forms of labels; # is a number. */
static const struct {
	enum record_aggr aggr;
	const char *form;
} labels[] = {
	{ RECORD_AGGR_NONE, "CPU#" },	      { RECORD_AGGR_CORE, "S#-D#-C#" },
	{ RECORD_AGGR_CLUSTER, "S#-D#-CLS#" }, { RECORD_AGGR_CACHE, "S#-D#-L#-ID#" },
	{ RECORD_AGGR_DIE, "S#-D#" },	      { RECORD_AGGR_SOCKET, "S#" },
	{ RECORD_AGGR_NODE, "N#" },
};

#define NR_LABELS (sizeof(labels) / sizeof(*labels))
#define LABEL_NUMBERS 4

static bool scan_label(const char *label, const char *form, int *numbers)
{
	for (; *form; form++) {
		uint64_t number;
		int len;

		if (*form != '#') {
			if (*label++ != *form)
				return false;
			continue;
		}
		len = num__scan_u64(label, 10, &number);
		if (!len || number > CPULIST_MAX_CPU)
			return false;
		*numbers++ = number;
		label += len;
	}
	return !*label;
}

static struct cpu place_of(enum record_aggr aggr, const int *n)
{
	struct cpu at = { .socket = n[0], .die = -1, .cluster = -1, .core = -1, .node = -1 };

	switch (aggr) {
	case RECORD_AGGR_NONE:
		at.socket = -1;
		break;
	case RECORD_AGGR_NODE:
		at = (struct cpu){ .die = -1, .cluster = -1, .core = -1, .node = n[0] };
		break;
	case RECORD_AGGR_CLUSTER:
		at.cluster = n[2];
		break;
	case RECORD_AGGR_CORE:
		at.core = n[2];
		break;
	default:
		break;
	}
	if (aggr == RECORD_AGGR_DIE || aggr == RECORD_AGGR_CLUSTER || aggr == RECORD_AGGR_CORE ||
	    aggr == RECORD_AGGR_CACHE)
		at.die = n[1];
	return at;
}

/* Those of CPUs are their numbers, of caches the first CPU; the others are only told apart. */
static void add_unit(struct recording *r, enum record_aggr aggr, const int *n, int weight)
{
	struct text *t = r->text;
	int id = aggr == RECORD_AGGR_NONE  ? n[0] :
		 aggr == RECORD_AGGR_CACHE ? n[3] :
					     r->units.nr;

	if (aggr == RECORD_AGGR_CACHE) {
		struct cpu_cache cache = { .level = n[2] };

		cpulist__add(&cache.cpus, id);
		vec__push(&r->host.caches, cache);
	}
	vec__push(&t->places, place_of(aggr, n));
	vec__push(&r->units, id);
	vec__push(&r->weights, weight);
}

/* "bash-2724" */
static int add_thread(struct recording *r, const char *label)
{
	static const int nowhere[LABEL_NUMBERS] = { -1, -1, -1, -1 };
	const char *dash = strrchr(label, '-');
	uint64_t tid;

	if (!dash || num__parse_u64("thread", dash + 1, 0, INT32_MAX, &tid, NULL))
		return -EINVAL;
	vec__push(&r->comms, xstrndup(label, dash - label));
	add_unit(r, RECORD_AGGR_THREAD, nowhere, 1);
	r->units.at[r->units.nr - 1] = tid;
	return 0;
}

static int add_labelled(struct recording *r, const char *label, int weight)
{
	enum record_aggr aggr = RECORD_AGGR_GLOBAL;
	int n[LABEL_NUMBERS] = { 0 };

	if (label) {
		size_t i;

		for (i = 0; i < NR_LABELS && !scan_label(label, labels[i].form, n); i++)
			;
		aggr = i < NR_LABELS ? labels[i].aggr : RECORD_AGGR_THREAD;
	}
	if (r->units.nr && aggr != r->info.aggr)
		return -EINVAL;
	r->info.aggr = aggr;
	if (aggr == RECORD_AGGR_THREAD)
		return add_thread(r, label);
	add_unit(r, aggr, n, weight);
	return 0;
}

int text__unit(struct recording *r, const struct text_line *line)
{
	struct strmap *map = r->text->unit_map;
	int unit = strmap__add(map, line->label ? line->label : "", strmap__nr(map)), rc;

	if (unit == r->units.nr) {
		rc = add_labelled(r, line->label, line->weight);
		if (rc)
			return rc;
	}
	if (line->weight > r->weights.at[unit])
		r->weights.at[unit] = line->weight;
	return unit;
}

/* Events. */

/*
 * Which event it is, as far as it can be said of no computer in particular: the kernel's own names
 * need none to be understood. What has a unit of its own is no latency, whatever it is called.
 */
static void encode(struct recording *r, struct event *e)
{
	const struct events_scope scope = { .machine = r->text->nowhere, .by_name = true };
	struct event_list list = EVENT_LIST_INIT;
	const struct event *named;

	e->tool = events__tool(e->name);
	name__parse(&scope, e->name, &list);
	named = list.nr == 1 ? list.at[0] : NULL;
	e->retire_latency = named && named->retire_latency &&
			    (!*e->unit || !strcmp(e->unit, "cycles"));
	if (named && !named->unknown_code && !e->tool && !strpbrk(e->name, "/{,")) {
		e->attr = named->attr;
		e->scale = named->scale;
	}
	event_list__free(&list);
}

uint32_t text__pmu(struct recording *r, const char *name)
{
	static const struct pmu_name known[] = {
		{ PERF_TYPE_SOFTWARE, (char *)"software" },
		{ PERF_TYPE_TRACEPOINT, (char *)"tracepoint" },
		{ PERF_TYPE_BREAKPOINT, (char *)"breakpoint" },
		{ PERF_TYPE_RAW, (char *)"cpu" },
		{ PERF_TYPE_RAW, (char *)"cpu_core" },
	};
	struct pmu_name pmu = { .type = FIRST_PMU_TYPE + r->host.pmus.nr }, *other;

	vec__for_each(other, &r->host.pmus)
		if (!strcmp(other->name, name))
			return other->type;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].name, name))
			pmu.type = known[i].type;
	pmu.name = xstrdup(name);
	vec__push(&r->host.pmus, pmu);
	return pmu.type;
}

/* With -A the PMU stands behind a name: "cpu-clock [software]", "cpu_core/cycles/" otherwise. */
static void take_pmu(struct recording *r, struct event *e)
{
	int len = name__len(e->name), slash = strcspn(e->name, "/");
	char *pmu;

	if (e->name[len]) {
		pmu = xstrndup(e->name + len + 2, strlen(e->name + len + 2) - 1);
		text__pmu(r, pmu);
		e->name[len] = '\0';
	} else if (e->name[slash] && slash < PMU_BYTES) {
		pmu = xstrndup(e->name, slash);
		e->attr.type = text__pmu(r, pmu);
	} else {
		return;
	}
	free(pmu);
}

static int add_event(struct recording *r, struct name *name, const struct text_line *line)
{
	struct event *e;

	if (r->events.nr == MAX_EVENTS)
		return -EFBIG;
	e = recording__add_event(r, line->event);
	event__set_text(&e->unit, line->unit);
	e->attr.type = UNKNOWN_TYPE;
	take_pmu(r, e);
	encode(r, e);
	vec__push(&name->events, e->index);
	return 0;
}

int text__event(struct recording *r, const struct text_line *line, int unit)
{
	struct text *t = r->text;
	char key[KEY_BYTES];
	struct seen *seen;
	int name, pair, rc;

	if (snprintf(key, sizeof(key), "%s\n%s", line->event, line->unit) >= (int)sizeof(key))
		return -EINVAL;
	name = strmap__add(t->name_map, key, t->names.nr);
	if (name == t->names.nr)
		vec__push(&t->names, (struct name){ .events = { .nr = 0 } });
	snprintf(key, sizeof(key), "%d %d", name, unit);
	pair = strmap__add(t->pair_map, key, t->pairs.nr);
	if (pair == t->pairs.nr)
		vec__push(&t->pairs, (struct seen){ .row = -1 });
	seen = &t->pairs.at[pair];
	if (seen->row != t->last_row)
		*seen = (struct seen){ .row = t->last_row };
	if (seen->times == t->names.at[name].events.nr) {
		rc = add_event(r, &t->names.at[name], line);
		if (rc)
			return rc;
	}
	return t->names.at[name].events.at[seen->times++];
}
