// SPDX-License-Identifier: GPL-2.0-only
/* This file finds what lines name: units by labels, events and PMUs by names. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "base/xalloc.h"
#include "record/text.h"

#define NAME_BYTES 1200 /* may be in the names of an event and its unit */
#define PMU_BYTES 64 /* may be in the name of a PMU */
#define FIRST_PMU_TYPE 1000 /* is the first of those that text names, whose numbers are not known */

/* Units. */

/**
 * struct label - what a label says
 * @at: a place; what is not said is -1
 * @id: the number of a CPU or thread, or of a cache's first CPU; -1: units are only told apart
 * @level: of a cache
 */
struct label {
	struct cpu at;
	int id, level;
};

#define LABEL_NUMBERS 4
#define AT(field) offsetof(struct label, field)

/* Labels have these forms, in which # is a number and stands for one of @fields. */
static const struct label_form {
	enum grid_aggr aggr;
	const char *form;
	size_t fields[LABEL_NUMBERS];
} forms[] = {
	{AGGR_NONE, "CPU#", {AT(id)}},
	{AGGR_CORE, "S#-D#-C#", {AT(at.socket), AT(at.die), AT(at.core)}},
	{AGGR_CORE, "S#-C#", {AT(at.socket), AT(at.core)}}, /* before Linux 5.3 */
	{AGGR_CLUSTER, "S#-D#-CLS#", {AT(at.socket), AT(at.die), AT(at.cluster)}},
	{AGGR_CACHE, "S#-D#-L#-ID#", {AT(at.socket), AT(at.die), AT(level), AT(id)}},
	{AGGR_DIE, "S#-D#", {AT(at.socket), AT(at.die)}},
	{AGGR_SOCKET, "S#", {AT(at.socket)}},
	{AGGR_NODE, "N#", {AT(at.node)}},
};

static bool scan_label(const char *text, const struct label_form *form, struct label *out)
{
	const size_t *field = form->fields;

	/* A node is of no socket in particular; its socket is one that is there. */
	*out = (struct label){ { 0, -1, -1, -1, -1 }, .id = -1 };
	for (const char *at = form->form; *at; at++) {
		uint64_t number;
		int len;

		if (*at != '#') {
			if (*text++ != *at)
				return false;
			continue;
		}
		len = num__scan_u64(text, 10, &number);
		if (!len || number > CPULIST_MAX_CPU)
			return false;
		*(int *)((char *)out + *field++) = number;
		text += len;
	}
	return !*text;
}

/* A thread's label has its name and number: "bash-2724". */
static int scan_thread(struct recording *r, const char *text, struct label *out)
{
	const char *dash = strrchr(text, '-');
	uint64_t tid;

	if (!dash || num__parse_u64("thread", dash + 1, 0, INT32_MAX, &tid, NULL))
		return -EINVAL;
	vec__push(&r->comms, xstrndup(text, dash - text));
	out->id = tid;
	return 0;
}

static enum grid_aggr find_label(const char *text, struct label *out)
{
	*out = (struct label){ .id = -1 };
	if (!text)
		return AGGR_GLOBAL;
	for (int i = 0; i < array__nr(forms); i++) {
		if (!scan_label(text, &forms[i], out))
			continue;
		if (forms[i].aggr == AGGR_CORE && out->at.die < 0)
			out->at.die = 0;
		return forms[i].aggr;
	}
	return AGGR_THREAD;
}

bool text__is_label(const char *word)
{
	const char *dash = strrchr(word, '-');
	struct label label;

	return find_label(word, &label) != AGGR_THREAD ||
	       (dash && dash[1] && !dash[1 + strspn(dash + 1, "0123456789")]);
}

static int add_unit(struct recording *r, const char *text, int weight)
{
	struct label label;
	enum grid_aggr aggr = find_label(text, &label);

	if (r->units.nr && aggr != r->info.aggr)
		return -EINVAL;
	r->info.aggr = aggr;
	if (aggr == AGGR_THREAD && scan_thread(r, text, &label))
		return -EINVAL;
	if (aggr == AGGR_CACHE) {
		struct cpulist cpus = CPULIST_INIT;

		cpulist__add(&cpus, label.id);
		machine__add_cache(r->machine, label.level, &cpus);
	}
	if (label.id < 0)
		label.id = r->units.nr;
	vec__push(&r->text->places, label.at);
	vec__push(&r->units, label.id);
	vec__push(&r->weights, weight);
	return 0;
}

int text__unit(struct recording *r, const struct text_line *line)
{
	struct strmap *map = r->text->unit_map;
	int unit = strmap__add(map, line->label ? line->label : "", strmap__nr(map)), rc;

	if (unit == r->units.nr) {
		rc = add_unit(r, line->label, line->weight);
		if (rc)
			return rc;
	}
	if (line->weight > r->weights.at[unit])
		r->weights.at[unit] = line->weight;
	return unit;
}

/* Events. */

/*
 * Finds which event it is, as far as it can be said of no computer in particular: the kernel's own
 * names need none to be understood. An event with a unit of its own is no latency, whatever it is
 * called.
 */
static void encode(struct recording *r, struct event *e)
{
	const struct events_scope scope = { .machine = r->text->nowhere, .by_name = true };
	struct event_list list = EVENT_LIST_INIT;
	const struct event *named;

	e->tool = events__recorded_tool(e->name, e->unit);
	e->snapshot |= event_tool__is_state(e->tool);
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
	static const struct {
		const char *name;
		uint32_t type;
	} known[] = {
		{ "software", PERF_TYPE_SOFTWARE },	{ "tracepoint", PERF_TYPE_TRACEPOINT },
		{ "breakpoint", PERF_TYPE_BREAKPOINT }, { "cpu", PERF_TYPE_RAW },
		{ "cpu_core", PERF_TYPE_RAW },
	}, *found;
	struct pmu *pmu = machine__pmu(r->machine, name);
	uint32_t type;

	if (pmu)
		return pmu->type;
	found = array__find(known, name, name);
	type = found ? found->type : FIRST_PMU_TYPE + (uint32_t)r->machine->nr_pmus;
	pmu = machine__add_pmu(r->machine, name, type);
	return pmu->type;
}

/*
 * With -A the PMU stands behind a name, as in "cpu-clock [software]"; otherwise it stands before
 * it, as in "cpu_core/cycles/".
 */
static void take_pmu(struct recording *r, struct event *e)
{
	int len = name__len(e->name), slash = strcspn(e->name, "/");
	char *pmu;

	if (e->name[len]) {
		pmu = xstrndup(e->name + len + 2, strlen(e->name + len + 2) - 1);
		text__pmu(r, pmu);
		e->name[len] = '\0';
	} else if (slash < PMU_BYTES && e->name[slash]) {
		pmu = xstrndup(e->name, slash);
		e->attr.type = text__pmu(r, pmu);
	} else {
		return;
	}
	free(pmu);
}

static int add_event(struct recording *r, const struct text_line *line)
{
	struct event *e;

	if (r->events.nr == MAX_EVENTS)
		return -EFBIG;
	e = recording__add_event(r, line->event);
	event__set_text(&e->unit, line->unit);
	e->attr.type = UNKNOWN_TYPE;
	take_pmu(r, e);
	encode(r, e);
	return 0;
}

/*
 * Finds the number that a map has for the line's event, unit and @number; @next when they are new.
 */
static int look_up(struct text *t, struct strmap *map, const struct text_line *line, int number,
		   int next)
{
	sb__clear(&t->key);
	sb__printf(&t->key, "%s\n%s\n%d", line->event, line->unit, number);
	return strmap__add(map, sb__str(&t->key), next);
}

/* Counts how often they have stood before in the row under way, for one of its units. */
static int times_before(struct text *t, const struct text_line *line, int unit)
{
	int pair = look_up(t, t->pair_map, line, unit, t->pairs.nr);
	struct seen *seen;

	if (pair == t->pairs.nr)
		vec__push(&t->pairs, (struct seen){ .row = -1 });
	seen = &t->pairs.at[pair];
	if (seen->row != t->last_row)
		*seen = (struct seen){ .row = t->last_row };
	return seen->times++;
}

int text__event(struct recording *r, const struct text_line *line, int unit)
{
	struct text *t = r->text;
	int event, rc;

	if (strlen(line->event) + strlen(line->unit) >= NAME_BYTES - 1)
		return -EINVAL;
	event = look_up(t, t->event_map, line, times_before(t, line, unit), r->events.nr);
	rc = event == r->events.nr ? add_event(r, line) : 0;
	return rc ? rc : event;
}
