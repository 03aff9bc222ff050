// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choose the events, ratios and metrics that have columns, and describe the columns, once at the
 * beginning.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "grid/unit.h"
#include "machine/cgroup.h"
#include "metrics/metrics.h"
#include "metrics/words.h"
#include "report/internal.h"

#define DEPTH_MAX 16   /* more levels than any tree has; ends a walk through tables with cycles */
#define NAME_SIZE 1024 /* in bytes; a longer name is printed without its PMU */

static const struct event *event_of(const struct report *r, int event)
{
	return r->sums->events[event].event;
}

/* Whether names contain the PMU: perf 7 omits it if all events count on the same core PMU. */
static bool has_pmu_names(const struct report *r)
{
	const struct pmu *first = r->sums->nr_events ? event_of(r, 0)->pmu : NULL;

	for (int i = 0; i < r->sums->nr_events; i++) {
		const struct event *e = event_of(r, i);

		if (e->pmu != first || e->tool || (e->pmu && !e->pmu->is_core))
			return true;
	}
	return false;
}

/* With -A names contain the PMU, but not in a run without -e, as in perf 6.12. */
static const char *columns__label_of(struct report *r, const struct event *e)
{
	bool by7 = r->opts.perf7, told = by7 ? has_pmu_names(r) : !r->opts.default_events;
	char name[NAME_SIZE];
	struct sb sb = SB_INIT;

	if (r->opts.aggr != AGGR_NONE || !told ||
	    (by7 ? event__name_of_perf7 : event__unique_name)(e, name, sizeof(name)) >=
		    (int)sizeof(name))
		return e->name;
	sb__puts(&sb, name);
	return grid__keep(&r->grid, &sb);
}

static bool is_apart(const struct report *r, const struct event *e)
{
	return e->merge && report_options__apart(&r->opts);
}

/* With --hybrid-merge, append "cpu_core+cpu_atom" as the name of the PMU. */
static void print_core_types(const struct sums *s, int first, struct sb *sb)
{
	sb__puts(sb, s->events[first].event->pmu->name);
	for (int i = first + 1; i < s->nr_events; i++)
		if (s->events[i].merged && s->events[i].event->first == s->events[first].event)
			sb__printf(sb, "+%s", s->events[i].event->pmu->name);
}

/*
 * Return: the name of a PMU whose files cannot be read, derived from the type of its events:
 * without the name, databases would take the numbers for another series.
 */
static const char *unread_pmu(const struct machine *m, const struct event *e)
{
	static const char *const names[] = {
		[PERF_TYPE_HARDWARE] = "cpu",
		[PERF_TYPE_SOFTWARE] = "software",
		[PERF_TYPE_TRACEPOINT] = "tracepoint",
		[PERF_TYPE_HW_CACHE] = "cpu",
	};
	const char *name = e->attr.type <= PERF_TYPE_HW_CACHE ? names[e->attr.type] : NULL;

	return name && machine__has_unusable_pmu(m, name) ? name : "";
}

/* Return: the PMU of a column. Instances that are counted together have a common name. */
static const char *pmu_name_of(struct report *r, const struct origin *from, enum grid_kind kind)
{
	const struct event *e = event_of(r, from->event);
	bool apart = is_apart(r, e);
	const struct pmu *pmu = apart ? e->pmu : from->pmu;
	struct sb sb = SB_INIT;

	if (!pmu)
		return kind == GRID_EVENT ? unread_pmu(r->sums->machine, e) : "";
	if (kind != GRID_EVENT && !apart &&
	    !(pmu->is_core && machine__is_hybrid(r->sums->machine)))
		return "";
	if (e->merge && pmu->is_core && kind != GRID_METRIC)
		print_core_types(r->sums, from->event, &sb);
	else if (e->merge && !apart)
		sb__add(&sb, pmu->name, pmu__base_len(pmu->name));
	else
		return pmu->name;
	return grid__keep(&r->grid, &sb);
}

/* Return: the name of the cgroup or of the root port that an event is counted in. */
static const char *block_of(const struct event *e)
{
	return e->cgroup ? e->cgroup->name : e->port;
}

static int cgroup_number(struct grid *g, const char *name)
{
	int i = 0;

	while (i < g->cgroups.nr && strcmp(g->cgroups.at[i], name))
		i++;
	if (i == g->cgroups.nr)
		vec__push(&g->cgroups, name);
	return i;
}

struct grid_column *columns__add(struct report *r, enum grid_kind kind, struct origin from)
{
	const struct event *e = event_of(r, from.event);
	const struct machine *machine = r->sums->machine;
	const struct pmu *pmu = from.metric && from.metric->core ? from.metric->core : e->pmu;
	struct grid_column *c = grid__add(&r->grid, kind);

	from.pmu = pmu;
	vec__push(&r->sources, from);
	c->event = from.event;
	c->pmu = pmu_name_of(r, &from, kind);
	c->cgroup = block_of(e);
	c->cgroup_number = cgroup_number(&r->grid, c->cgroup ? c->cgroup : "");
	c->core = pmu__place(machine, pmu);
	if (machine__is_hybrid(machine) && pmu && pmu->is_core)
		c->core_name = pmu->name;
	c->group = c->of = "";
	c->apart = is_apart(r, e);
	c->of_cores = sums__is_percore(r->sums, from.event) && !r->opts.percore_threads;
	c->in_default = e->default_group;
	c->with_count = e->with_count;
	c->is_cycles = e->kind == EVENT_KIND_CYCLES || event__counts_cycles(e);
	c->is_latency = e->retire_latency;
	c->is_state = e->snapshot || e->retire_latency;
	return c;
}

static bool columns__is_wanted(const struct report *r, enum grid_kind kind)
{
	return r->opts.wants & 1u << kind;
}

static const char *columns__unit_of(const struct report *r, const struct event *e)
{
	bool is_own = e->tool && e->tool != EVENT_GAUGE;

	return e->unit && !(r->opts.perf7 && is_own) ? e->unit : "";
}

static void columns__add_event(struct report *r, int event)
{
	const struct event *e = event_of(r, event);
	struct grid_column *c;

	if (!columns__is_wanted(r, GRID_EVENT))
		return;
	c = columns__add(r, GRID_EVENT, (struct origin){.event = event, .where = event});
	c->name = e->name;
	c->label = columns__label_of(r, e);
	c->unit = columns__unit_of(r, e);
	c->scale = e->scale;
	c->of_metrics = e->from_metric;
	c->fraction = e->retire_latency || floor(e->scale) != e->scale;
	c->form = c->fraction ? FORM_PLAIN : FORM_COUNT;
}

static void add_ratio(struct report *r, int event, const struct ratio_use *use)
{
	bool rate = use->ratio == RATIO_RATE || use->ratio == RATIO_SAMPLES;
	enum grid_kind kind = rate ? GRID_RATE : GRID_RATIO;
	struct grid_column *c;

	if (!columns__is_wanted(r, kind))
		return;
	c = columns__add(r, kind, (struct origin){.event = event, .where = event, .ratio = *use});
	c->of = event_of(r, event)->name;
	ratio__describe(use, c);
}

/* Return: the group's heading, which is "TopdownL1 (cpu_core)" on a hybrid machine. */
static const char *group_of(struct report *r, const struct summed_metric *m)
{
	const struct metric_info *info = &m->metric->metric->info;
	const struct pmu *pmu = m->core ? m->core : m->metric->shown_at->pmu;
	const char *group = m->metric->is_default && info->default_group ? info->default_group : "";
	struct sb sb = SB_INIT;

	if (!machine__is_hybrid(r->sums->machine) || !pmu)
		return group;
	sb__printf(&sb, "%s (%s)", group, pmu->name);
	return grid__keep(&r->grid, &sb);
}

/*
 * Return: the noun that a node is a share of, from its description or from the descriptions of its
 * ancestors.
 */
static const char *columns__share_of(const struct report *r, const struct metric_info *info)
{
	const struct metrics_scope *scope = r->sums->plan->scope;
	const char *of = metrics__share_of(info);
	struct metric_info at = *info, parent;

	if (of || !unit__is_share(info->unit ?: "") || !scope || !scope->tables ||
	    !metrics__topdown_level(info))
		return of;
	for (int up = 0; up < DEPTH_MAX && !of &&
			 metrics__topdown_parent(scope->tables, &at, &parent); up++) {
		of = metrics__share_of(&parent);
		at = parent;
	}
	return of ?: "slots";
}

static void columns__add_metric(struct report *r, int event, const struct summed_metric *m)
{
	const struct metric_info *info = &m->metric->metric->info;
	struct grid_column *c;

	if (!columns__is_wanted(r, GRID_METRIC))
		return;
	/* Metrics of an instance with its own values follow the event of the instance. */
	c = columns__add(r, GRID_METRIC,
			 (struct origin){.event = event, .where = m->where, .metric = m});
	c->name = c->label = m->metric->name;
	c->unit = info->scale_unit && info->unit ? info->unit : "";
	c->share_of = columns__share_of(r, info);
	c->group = group_of(r, m);
	c->form = info->scale_unit ? FORM_SCALED : FORM_PLAIN;
	c->rank = r->opts.topdown || r->opts.wants & WANT_TREE ? m->metric->rank : 0;
	c->may_assume = m->nr_latencies || metric__is_approximate(m->metric->metric);
}

static void columns__add_columns(struct report *r, int event)
{
	const struct summed_event *e = &r->sums->events[event];
	struct ratio_use ratios[MAX_RATIOS];
	int nr;

	if (e->merged)
		return;
	columns__add_event(r, event);
	nr = ratios__list(r, event, ratios);
	for (int i = 0; i < nr; i++)
		add_ratio(r, event, &ratios[i]);
	for (int i = 0; i < e->nr_metrics; i++)
		columns__add_metric(r, event, &e->metrics[i]);
}

/*
 * Add one column to a tree, after the columns of its cgroup: the number of all slots, which the
 * nodes are shares of.
 */
static void add_whole(struct report *r, int first, int node)
{
	const struct origin from = r->sources.at[node];
	const struct plan_metric *pm = from.metric ? from.metric->metric : NULL;
	bool own = r->sums->events[from.event].has_own_values;
	struct grid_column *c;
	int whole = first;

	if (!pm || pm->whole < 0 || own)
		return;
	while (whole < r->grid.nr_columns &&
	       (r->grid.columns[whole].kind != GRID_WHOLE ||
		r->sources.at[whole].metric->metric->whole != pm->whole))
		whole++;
	if (whole == r->grid.nr_columns) {
		c = columns__add(r, GRID_WHOLE, from);
		c->name = c->label = "total";
		c->unit = "";
		c->rank = -1;
	}
	for (int i = 0; i < 2; i++) {
		c = &r->grid.columns[i ? whole : node];
		c->whole = whole;
		c->tree_pmu = r->sources.at[whole].pmu ? r->sources.at[whole].pmu->name : NULL;
		c->in_cycles = pm->in_cycles;
	}
}

static void add_wholes(struct report *r, int first)
{
	int end = r->grid.nr_columns;

	for (int i = first; i < end && columns__is_wanted(r, GRID_WHOLE) && r->sums->plan->wholes;
	     i++)
		if (r->grid.columns[i].kind == GRID_METRIC)
			add_whole(r, first, i);
}

static void add_blocks(struct report *r)
{
	struct grid *g = &r->grid;
	int events = r->sums->nr_events;

	g->nr_blocks = r->sums->plan->nr_cgroups ? r->sums->plan->nr_cgroups : 1;
	g->blocks = arena__calloc(&g->memory, g->nr_blocks, sizeof(*g->blocks));
	for (int b = 0; b < g->nr_blocks; b++) {
		int first = b * (events / g->nr_blocks), end = first + events / g->nr_blocks;

		g->blocks[b].first = g->nr_columns;
		for (int e = first; e < end; e++) {
			if (e == first)
				g->blocks[b].cgroup = block_of(event_of(r, e));
			if (e == first && r->opts.sites)
				sites__add_columns(r, e);
			columns__add_columns(r, e);
		}
		add_wholes(r, g->blocks[b].first);
		g->blocks[b].nr = g->nr_columns - g->blocks[b].first;
	}
}

/* --- Which metric is a part of which ---------------------------------------------------------- */

/*
 * Find the column of a metric by name, in the cgroup and on the core type of column @like, or -1.
 */
static int columns__find_column(const struct report *r, int like, const char *name)
{
	const struct grid_column *c = &r->grid.columns[like];
	const struct metric *m = r->sources.at[like].metric->metric->metric;

	for (int i = 0; i < r->grid.nr_columns; i++) {
		const struct grid_column *other = &r->grid.columns[i];
		const struct summed_metric *from = r->sources.at[i].metric;

		if (from && i != like && other->core == c->core &&
		    other->cgroup_number == c->cgroup_number &&
		    text__same(from->metric->metric->modifier, m->modifier) &&
		    !strcasecmp(from->metric->metric->info.name, name))
			return i;
	}
	return -1;
}

/*
 * Whether @column is @above or an ancestor of it. In tables of a user, two metrics may be children
 * of each other.
 */
static bool is_above(const struct report *r, int above, int column)
{
	while (above >= 0 && above != column)
		above = r->grid.columns[above].parent;
	return above == column;
}

/*
 * Return: a metric's name in plain English. A modifier, as in "tma_retiring:u", does not change it.
 */
static const char *columns__plain_of(const struct grid_column *c)
{
	char name[NAME_SIZE];
	const struct metric_words *words;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(c->name, ":"), c->name);
	words = metric_words__find(name);
	return words ? words->plain : NULL;
}

/* Walk up the tree to the first level, even if the first level is not counted. */
static void find_place(struct report *r, int number)
{
	const struct metrics_scope *scope = r->sums->plan->scope;
	struct grid_column *c = &r->grid.columns[number];
	struct metric_info info = r->sources.at[number].metric->metric->metric->info, parent;

	c->level = metrics__topdown_level(&info);
	if (!c->level)
		return;
	c->plain = columns__plain_of(c);
	for (int up = 0; up < DEPTH_MAX && scope->tables &&
			 metrics__topdown_parent(scope->tables, &info, &parent);
	     up++) {
		int column = columns__find_column(r, number, parent.name);

		if (c->parent < 0 && !is_above(r, column, number))
			c->parent = column;
		info = parent;
	}
	c->part = grid_part__of(info.name);
}

static void find_places(struct report *r)
{
	bool wanted = r->opts.wants & (WANT_TREE | WANT_SLOTS);

	for (int i = 0; wanted && r->sums->plan->scope && i < r->grid.nr_columns; i++)
		if (r->grid.columns[i].kind == GRID_METRIC && r->sources.at[i].metric)
			find_place(r, i);
}

void columns__build(struct report *r)
{
	const struct sums *s = r->sums;
	struct grid *g = &r->grid;

	g->has_events = s->nr_events;
	g->cores_by_column = s->machine->by_name;
	for (int e = 0; e < s->nr_events; e++) {
		r->kinds |= 1u << event_of(r, e)->kind;
		g->has_cgroups |= block_of(event_of(r, e)) != NULL;
		g->has_ports |= event_of(r, e)->port != NULL;
		g->has_latencies |= event_of(r, e)->retire_latency;
	}
	if (machine__is_hybrid(s->machine))
		for (int i = 0; i < machine__nr_core_pmus(s->machine); i++)
			vec__push(&g->cores, machine__core_pmu(s->machine, i)->name);
	add_blocks(r);
	find_places(r);
	for (int i = 0; i < s->plan->nr_metrics; i++)
		if (s->plan->metrics[i].over_passes)
			vec__push(&g->notes.over_passes, s->plan->metrics[i].name);
}
