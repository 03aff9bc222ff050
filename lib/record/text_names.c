// SPDX-License-Identifier: GPL-2.0-only
/* Finds the objects that lines name: units by their labels, events and PMUs by their names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "record/text.h"

#define NAME_BYTES 1200 /* the most bytes of an event's name with its unit */
#define PMU_BYTES 64 /* the most bytes of a PMU's name */
#define FIRST_PMU_TYPE 1000 /* the first number for PMUs that have only a name in the text, whose
			     * real numbers are unknown */

/* Units. */

/*
 * Parse the numbers of a label: the places that its kind of row has; the remaining places are -1.
 */
static bool scan_label(const char *text, enum grid_aggr aggr, int at[PLACE_NR])
{
	const char *dash = "";

	for (int place = 0; place < PLACE_NR; place++) {
		const char *prefix = place_kinds[place].prefix;
		uint64_t number;
		int len;

		at[place] = -1;
		if (!(row_kind__labelled(aggr) & 1u << place))
			continue;
		if (!text__has_prefix(text, dash))
			return false;
		/* Before Linux 5.3, the label of a core had no die. */
		if (place == PLACE_DIE && aggr == AGGR_CORE && text[1] == 'C') {
			at[place] = 0;
			continue;
		}
		text += strlen(dash);
		len = text__has_prefix(text, prefix)
			      ? num__scan_u64(text + strlen(prefix), 10, &number)
			      : 0;
		if (!len || number > CPULIST_MAX_CPU)
			return false;
		at[place] = number;
		text += strlen(prefix) + len;
		dash = "-";
	}
	return !*text;
}

/* The label of a thread has its name and number: "bash-2724". */
static int scan_thread(struct recording *r, const char *text, int *id)
{
	const char *dash = strrchr(text, '-');
	uint64_t tid;

	if (!dash || num__parse_u64("thread", dash + 1, 0, INT32_MAX, &tid, NULL))
		return -EINVAL;
	vec__push(&r->comms, xstrndup(text, dash - text));
	*id = tid;
	return 0;
}

static enum grid_aggr find_label(const char *text, int at[PLACE_NR])
{
	enum grid_aggr aggr = AGGR_GLOBAL;

	if (text)
		for (aggr++; aggr < AGGR_THREAD && !scan_label(text, aggr, at);)
			aggr++;
	return aggr;
}

bool text__is_label(const char *word)
{
	const char *dash = strrchr(word, '-');
	int at[PLACE_NR];

	return find_label(word, at) != AGGR_THREAD ||
	       (dash && dash[1] && !dash[1 + strspn(dash + 1, "0123456789")]);
}

static int add_unit(struct recording *r, const char *text, int weight)
{
	int at[PLACE_NR], id = r->units.nr;
	enum grid_aggr aggr = find_label(text, at);
	/* A label of a node does not have a socket: any existing socket is used. */
	struct cpu place = {0, -1, -1, -1, -1};

	if (r->units.nr && aggr != r->info.aggr)
		return -EINVAL;
	r->info.aggr = aggr;
	if (aggr == AGGR_THREAD && scan_thread(r, text, &id))
		return -EINVAL;
	if (aggr == AGGR_NONE)
		id = at[PLACE_CPU];
	if (aggr == AGGR_CACHE) {
		struct cpulist cpus = CPULIST_INIT;

		/* The label of a cache has the number of the cache's first CPU. */
		id = at[PLACE_CACHE];
		cpulist__add(&cpus, id);
		machine__add_cache(r->machine, at[PLACE_CACHE_LEVEL], &cpus);
	}
	if (row_kinds[aggr].adds_cpus)
		place = (struct cpu){
			.socket = aggr == AGGR_NODE ? 0 : at[PLACE_SOCKET],
			.die = at[PLACE_DIE],
			.cluster = at[PLACE_CLUSTER],
			.core = at[PLACE_CORE],
			.node = at[PLACE_NODE],
		};
	vec__push(&r->text->places, place);
	vec__push(&r->units, id);
	/* A unit has at least one CPU, whatever its line shows. */
	vec__push(&r->weights, weight > 0 ? weight : 1);
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

/* The printed units of clocks, including those of retyped events. */
static const struct clock_unit {
	const char *unit;
	double ns;
} clock_units[] = {
	{ "ns", 1 },   { "usec", 1e3 }, { "us", 1e3 }, { "msec", 1e6 },
	{ "ms", 1e6 }, { "sec", 1e9 },	{ "s", 1e9 },
};

/*
 * Return: ns of a clock's value; 0 if the unit is unknown. Versions before Linux 4.18 printed ms
 * without a unit, with digits after the point; versions from 6.15 to 6.18 printed whole ns.
 */
static double clock_ns(const struct text_line *line)
{
	const char *unit = *line->unit ? line->unit : line->digits ? "msec" : "ns";
	const struct clock_unit *known = array__find(clock_units, unit, unit);

	return known ? known->ns : 0;
}

void text__convert_clock(const struct event *e, const struct text_line *line,
			 struct text_count *count)
{
	if (event__is_clock(e) && count->status == SAMPLE_COUNTED)
		count->value *= clock_ns(line) * e->scale;
}

/*
 * Find the event of a name as far as possible without knowing the computer: the kernel's own names
 * do not need it. An event with a unit of its own is not a latency, whatever its name is.
 */
static void encode(struct recording *r, struct event *e, const struct text_line *line)
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
	if (named && !named->unknown_code && !e->tool && !strpbrk(e->name, "/{,") &&
	    (!event__is_clock(named) || clock_ns(line))) {
		e->attr = named->attr;
		e->scale = named->scale;
		event__set_text(&e->unit, event__is_clock(named) ? named->unit : e->unit);
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
 * Find the PMU in a name. With -A the PMU follows the name, as in "cpu-clock [software]"; otherwise
 * it precedes the name, as in "cpu_core/cycles/".
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

/* Rows name cgroups, which may not exist on this computer. */
static const struct cgroup *find_cgroup(struct text *t, const char *name)
{
	struct cgroup_list *list = &t->cgroups;
	struct cgroup *cgroup;
	int at = name ? strmap__add(t->cgroup_map, name, list->nr) : -1;

	if (at < 0)
		return NULL;
	if (at == list->nr) {
		cgroup = xcalloc(1, sizeof(*cgroup));
		*cgroup = (struct cgroup){ .name = xstrdup(name), .fd = -1 };
		vec__push(list, cgroup);
	}
	return list->at[at];
}

bool text__is_tsc(const struct event *e)
{
	const char *name = e->name + (text__has_prefix(e->name, "msr/") ? strlen("msr/") : 0);

	/* "msr/tsc,cpu=cpu_core/" counts on the CPUs of one core type. */
	return strcspn(name, "/,") == strlen("tsc") && !strncasecmp(name, "tsc", strlen("tsc"));
}

/*
 * Mark the TSC: its code 0 identifies it among the events of its PMU. As all events of a text begin
 * with code 0, other events of this PMU get code 1.
 */
static void set_tsc_code(struct recording *r, struct event *e)
{
	bool of_msr = text__has_prefix(e->name, "msr/"), tsc = text__is_tsc(e);

	if (tsc || of_msr)
		e->attr.type = text__pmu(r, "msr");
	e->attr.config = of_msr && !tsc;
}

static int text_names__add_event(struct recording *r, const struct text_line *line)
{
	struct event *e;

	if (r->events.nr == MAX_EVENTS)
		return -EFBIG;
	e = recording__add_event(r, line->event);
	event__set_text(&e->unit, line->unit);
	e->cgroup = find_cgroup(r->text, line->cgroup);
	e->attr.type = UNKNOWN_TYPE;
	take_pmu(r, e);
	set_tsc_code(r, e);
	encode(r, e, line);
	return 0;
}

/*
 * Find the number that a map has for the event of a line with its unit and cgroup, and for @number.
 * A new entry gets @next.
 */
static int text_names__look_up(struct text *t, struct strmap *map, const struct text_line *line,
			       int number, int next)
{
	sb__clear(&t->key);
	sb__printf(&t->key, "%s\n%s\n%s\n%d", line->event, line->unit,
		   line->cgroup ? line->cgroup : "", number);
	return strmap__add(map, sb__str(&t->key), next);
}

/* Return: how often the name with its unit has occurred in the current row, for one label. */
static int times_before(struct text *t, const struct text_line *line, int unit, int *pair)
{
	struct seen *seen;

	*pair = text_names__look_up(t, t->pair_map, line, unit, t->pairs.nr);
	if (*pair == t->pairs.nr)
		vec__push(&t->pairs, (struct seen){ .row = -1 });
	seen = &t->pairs.at[*pair];
	if (seen->row != t->last_row)
		*seen = (struct seen){ .row = t->last_row };
	return seen->times++;
}

int text__event(struct recording *r, const struct text_line *line, int unit, int *pair)
{
	struct text *t = r->text;
	int event, rc;

	if (strlen(line->event) + strlen(line->unit) >= NAME_BYTES - 1)
		return -EINVAL;
	event = text_names__look_up(t, t->event_map, line, times_before(t, line, unit, pair),
				    r->events.nr);
	rc = event == r->events.nr ? text_names__add_event(r, line) : 0;
	return rc ? rc : event;
}
