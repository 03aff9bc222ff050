// SPDX-License-Identifier: GPL-2.0-only
/* An event of the text can be several: one for each core PMU, each instance, or each match. */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "events/internal.h"
#include "machine/machine.h"
#include "tables/tables.h"

/* Hands @e over to the list, or releases it when @rc says that it came to nothing. */
static int finish(struct event_parser *p, struct event *e, int rc)
{
	if (rc) {
		event__free(e);
		return rc;
	}
	if (event__is_clock(e)) {
		event__set_text(&e->unit, "msec");
		e->scale = 1e-6;
	}
	e->topdown = topdown__of_event(e);
	event__set_kind(e);
	event_list__push(p->list, e);
	return 0;
}

static bool filtered(const struct event_parser *p, const struct pmu *pmu)
{
	const struct events_scope *scope = p->scope;

	return (scope->pmu_filter && strcmp(scope->pmu_filter, pmu->name)) ||
	       (scope->core && pmu->is_core && strcmp(scope->core, pmu->name));
}

/* @pmu is NULL on a computer without core PMU: the kernel is asked all the same, and refuses. */
static int add_kernel_event(struct event_parser *p, struct pmu *pmu, uint32_t type, uint64_t config,
			    const char *name)
{
	struct event *e = event__new();
	int rc;

	event__set_pmu(e, pmu, p->scope->machine);
	e->attr.type = type;
	e->attr.config = config;
	rc = encode__common(p, e);
	if (name && !e->name)
		e->name = xstrdup(name);
	return finish(p, e, rc);
}

static int add_pmu_event(struct event_parser *p, struct pmu *pmu, bool mergeable)
{
	struct event *e = event__new();

	event__set_pmu(e, pmu, p->scope->machine);
	e->mergeable = mergeable && (!pmu->is_core || !machine__is_hybrid(p->scope->machine));
	return finish(p, e, encode__pmu(p, e));
}

/* Names an event of a PMU by a term behind the others. */
static int add_by_name(struct event_parser *p, struct pmu *pmu, const char *name, int column)
{
	struct term term = { (char *)name, .num = 1, .is_num = true,
			     .column = column, .value_column = column };
	int rc;

	vec__push(&p->terms, term);
	rc = add_pmu_event(p, pmu, true);
	p->terms.nr--;
	return rc;
}

/**
 * struct of_core - an event to be added for each core PMU
 * @name, @column: (cache events) a PMU's own event of that name is preferred
 */
struct of_core {
	uint32_t type;
	uint64_t config;
	const char *name;
	int column;
};

static int add_of_core(struct event_parser *p, struct pmu *pmu, const struct of_core *what)
{
	if (what->name && pmu && named__exists(p->scope, pmu, what->name))
		return add_by_name(p, pmu, what->name, what->column);
	if (!pmu || !machine__is_hybrid(pmu->machine))
		return add_kernel_event(p, pmu, what->type, what->config, what->name);
	/* Its type is that of the PMU, where there are several; others are told by the config. */
	if (what->type == PERF_TYPE_RAW)
		return add_kernel_event(p, pmu, pmu->type, what->config, what->name);
	return add_kernel_event(p, pmu, what->type, what->config | encode__extended(pmu),
				what->name);
}

/* Adds an event of the only core PMU or of none, or one for each that is not filtered out. */
static int add_of_cores(struct event_parser *p, const struct of_core *what)
{
	const struct machine *m = p->scope->machine;
	int nr = machine__nr_core_pmus(m), rc = 0;

	if (!nr || (nr == 1 && !what->name))
		return add_of_core(p, machine__core_pmu(m, 0), what);
	for (int i = 0; i < nr && !rc; i++)
		if (!filtered(p, machine__core_pmu(m, i)))
			rc = add_of_core(p, machine__core_pmu(m, i), what);
	return rc;
}

/* Return: 1 where the kernel has no such name. */
static int add_spelt(struct event_parser *p, const char *name, int column, bool any_case)
{
	struct of_core what = { .column = column };
	int rc = legacy__decode(name, any_case, &what.type, &what.config);

	if (rc == -ENOENT)
		return 1;
	if (rc)
		return parse__error(p, column, "this cache has no such operation");
	if (what.type == PERF_TYPE_SOFTWARE)
		return add_kernel_event(p, machine__pmu(p->scope->machine, "software"), what.type,
					what.config, NULL);
	what.name = what.type == PERF_TYPE_HW_CACHE ? name : NULL;
	return add_of_cores(p, &what);
}

int add__kernel_name(struct event_parser *p, const char *name, int column)
{
	return add_spelt(p, name, column, false);
}

int add__numeric(struct event_parser *p, uint32_t type, uint64_t config)
{
	return add_kernel_event(p, machine__pmu_by_type(p->scope->machine, type), type, config,
				NULL);
}

int add__tool(struct event_parser *p, enum event_tool tool)
{
	struct event *e = event__new();

	event__set_tool(e, tool);
	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = PERF_COUNT_SW_DUMMY;
	if (event_tool__is_once(tool)) {
		/* There is one clock: it is shown as of the first CPU, and facts likewise. */
		e->any_cpu = false;
		cpulist__add(&e->cpus, 0);
	}
	return finish(p, e, encode__common(p, e));
}

/* Takes the first term without a value, which names an event, out of the others; NULL for none. */
static char *take_event_term(struct terms *terms)
{
	struct term *term = vec__find(t, terms, !t->str);
	char *key;

	if (!term)
		return NULL;
	key = term->key;
	memmove(term, term + 1, (terms->at + --terms->nr - term) * sizeof(*term));
	return key;
}

/* What else stands beside an event of a PMU that sysfs does not have may say how it is called. */
static int check_other_terms(struct event_parser *p, const char *pmu)
{
	struct term *term;

	vec__for_each (term, &p->terms)
		if (strcmp(term->key, "name") && strcmp(term->key, "metric-id"))
			return parse__error(p, term->column,
					    "an event of PMU %s takes only name=", pmu);
	return 0;
}

int add__tool_pmu(struct event_parser *p, int column)
{
	enum event_tool tool = EVENT_TOOL_NONE;
	auto_free(sb) text = SB_INIT;
	auto_text name = NULL;
	int rc;

	if (p->terms.nr)
		column = p->terms.at[0].column;
	name = take_event_term(&p->terms);
	if (name) {
		sb__printf(&text, TOOL_PMU "/%s/", name);
		tool = events__tool(sb__str(&text));
	}
	if (!tool)
		return parse__error(p, column,
				    "PMU " TOOL_PMU " has duration_time, user_time, system_time, "
				    "num_cpus and more: 'tma list tool' shows them");
	rc = check_other_terms(p, TOOL_PMU) ?: add__tool(p, tool);
	p->pmu_named = !rc;
	return rc;
}

/*
 * Adds a value in a file. Several devices may have one of that name: then each is printed with its
 * own PMU's, as a sum of temperatures says nothing.
 */
static int add_gauge(struct event_parser *p, const struct gauge *g, const char *pmu)
{
	struct sb name = SB_INIT;
	struct event *e;
	int rc = add__tool(p, EVENT_GAUGE);

	if (rc)
		return rc;
	e = p->list->at[p->list->nr - 1];
	e->gauge = g;
	e->scale = g->scale;
	event__set_text(&e->unit, g->unit);
	if (pmu && !e->name) {
		sb__printf(&name, "%s/%s/", pmu, g->name);
		e->name = sb__detach(&name);
	}
	return 0;
}

/* Adds all that a name means, of a PMU or of any. Return: 1 for nothing. */
static int add_matching(struct event_parser *p, const char *pmu, const char *name)
{
	const struct gauges *gs = machine__gauges(p->scope->machine);
	const struct gauge *g, *other;
	int rc = 1;

	vec__for_each (g, &gs->list) {
		int nr = 0, alike = 0;

		if (!gauge__is(g, pmu, name))
			continue;
		vec__for_each (other, &gs->list) {
			bool meant = gauge__is(other, pmu, name);

			nr += meant;
			alike += meant && !strcmp(other->pmu, g->pmu);
		}
		rc = add_gauge(p, g,
			       nr == 1			   ? NULL
			       : alike > 1 && g->pmu_alias ? g->pmu_alias
							   : g->pmu);
		if (rc)
			return rc;
	}
	return rc;
}

static int no_gauge(struct event_parser *p, const char *name, int column)
{
	parse__error(p, column,
		     "no PMU %s of this machine has that event: 'tma list %.*s' shows "
		     "those there are",
		     name, (int)strcspn(name, "_0123456789*"), name);
	if (p->id && p->err)
		p->err->code = ENOENT;
	return p->id ? -ENOENT : -EINVAL;
}

int add__gauges(struct event_parser *p, const char *name, int column)
{
	bool of_pmu = p->slashes && gauges__has_pmu_name(name);
	auto_text event = NULL;
	int rc;

	if (p->scope->by_name || (!of_pmu && (p->slashes || !gauges__may_have(name))))
		return 1;
	if (of_pmu && p->terms.nr)
		column = p->terms.at[0].column;
	event = of_pmu ? take_event_term(&p->terms) : xstrdup(name);
	rc = of_pmu ? check_other_terms(p, name) : 0;
	if (rc)
		return rc;
	rc = event ? add_matching(p, of_pmu ? name : NULL, event) : 1;
	p->pmu_named = of_pmu && !rc;
	return rc == 1 && of_pmu ? no_gauge(p, name, column) : rc;
}

int add__breakpoint(struct event_parser *p, uint64_t addr, uint64_t len, uint32_t type)
{
	struct event *e = event__new();

	if (!type)
		type = HW_BREAKPOINT_RW;
	if (!len)
		len = type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	event__set_pmu(e, machine__pmu(p->scope->machine, "breakpoint"), p->scope->machine);
	e->attr.type = PERF_TYPE_BREAKPOINT;
	e->attr.bp_type = type;
	e->attr.bp_addr = addr;
	e->attr.bp_len = len;
	return finish(p, e, encode__common(p, e));
}

/* Adds an event of a recording that has a name, and no PMU that is known. */
static int add_unknown(struct event_parser *p, const char *name)
{
	struct event *e = event__new();

	encode__by_name(p, e, name);
	return finish(p, e, 0);
}

static int no_tracepoint(struct event_parser *p, const char *system, const char *name, int column,
			 const struct err *why)
{
	struct sb want = SB_INIT, all = SB_INIT, near = SB_INIT;
	struct tracepoint *tp = NULL;
	struct suggest s;
	int nr = 0, rc;

	/* The system's others are offered, "sched:sched_switch", and stand one behind the other. */
	sb__printf(&want, "%s:%s", system, name);
	suggest__init(&s, sb__str(&want));
	if (why->code == ENOENT)
		machine__tracepoints(p->scope->machine, system, "*", TRACEPOINT_NAMES, &tp, &nr,
				     NULL);
	for (int i = 0; i < nr; i++)
		sb__printf(&all, "%s:%s%c", system, tp[i].name, '\0');
	for (size_t at = 0; at < all.len; at += strlen(all.buf + at) + 1)
		suggest__offer(&s, all.buf + at);
	suggest__print(&s, &near);
	rc = parse__error(p, column, "%s%s", why->msg, sb__str(&near));
	if (p->err)
		p->err->code = why->code;
	tracepoint__free_all(tp, nr);
	sb__free(&want);
	sb__free(&all);
	sb__free(&near);
	return why->code ? -why->code : rc;
}

static int add_tracepoint(struct event_parser *p, const struct tracepoint *tp)
{
	struct pmu *pmu = machine__pmu(p->scope->machine, "tracepoint");
	struct sb name = SB_INIT;
	int rc;

	sb__printf(&name, "%s:%s", tp->system, tp->name);
	rc = add_kernel_event(p, pmu, PERF_TYPE_TRACEPOINT, tp->id, sb__str(&name));
	if (!rc)
		p->list->at[p->list->nr - 1]->tracepoint = xstrdup(sb__str(&name));
	sb__free(&name);
	return rc;
}

int add__tracepoint(struct event_parser *p, const char *system, const char *name, int column)
{
	struct err why = ERR_INIT;
	struct tracepoint *tp;
	int nr, rc;

	if (p->scope->by_name)
		return add_unknown(p, name);
	rc = machine__tracepoints(p->scope->machine, system, name, TRACEPOINT_CHECKED, &tp, &nr,
				  &why);
	if (rc)
		return no_tracepoint(p, system, name, column, &why);
	for (int i = 0; i < nr && !rc; i++)
		rc = add_tracepoint(p, &tp[i]);
	tracepoint__free_all(tp, nr);
	return rc;
}

/* Links instances of one event, whose counts are added up for print under the first of them. */
static void link_instances(struct event_parser *p, int from)
{
	struct event_list *list = p->list;
	struct event *first = NULL;

	for (int i = from; i < list->nr; i++) {
		struct event *e = list->at[i];

		if (!e->mergeable)
			continue;
		if (!first) {
			first = e;
		} else if (e->scale == first->scale && !strcmp(e->unit, first->unit)) {
			e->first = first;
			e->merge = first->merge = true;
		}
	}
}

/*
 * Tries a PMU, with the terms alone where there is no @name. Return: whether it took the event; of
 * several failures, the first is what the user is told.
 */
static bool try_pmu(struct event_parser *p, struct pmu *pmu, const char *name, int column,
		    struct err *first)
{
	struct err err = ERR_INIT, *callers = p->err;
	int rc;

	p->err = &err;
	rc = name ? add_by_name(p, pmu, name, column) : add_pmu_event(p, pmu, p->many_pmus);
	p->err = callers;
	if (rc && !first->code)
		*first = err;
	return !rc;
}

/* Tries the PMUs called @name. Return: whether one took the event. */
static bool add_pmus(struct event_parser *p, const char *name, struct err *first)
{
	const struct machine *m = p->scope->machine;
	struct pmu *pmu = machine__pmu(m, name);
	bool added = false;

	p->many_pmus = false;
	if (pmu && try_pmu(p, pmu, NULL, 0, first))
		return true;
	p->many_pmus = true;
	for (int i = 0; i < m->nr_pmus; i++) {
		pmu = m->pmus[i];
		if (!filtered(p, pmu) && pmu__matches(pmu, name) && !pmu__load(pmu))
			added |= try_pmu(p, pmu, NULL, 0, first);
	}
	return added;
}

/* Tries an event which the tables have for one instance of a unit that is not the first. */
static bool add_of_instance(struct event_parser *p, const char *name, int column, struct err *first)
{
	const struct machine *m = p->scope->machine;
	bool added = false;

	for (int i = 1; p->scope->tables && i < m->nr_pmus; i++) {
		struct pmu *pmu = m->pmus[i];

		if (!filtered(p, pmu) && pmu__same_unit(m->pmus[i - 1], pmu) &&
		    tables__find_event(p->scope->tables, pmu->name, name) >= 0 && !pmu__load(pmu))
			added |= try_pmu(p, pmu, name, column, first);
	}
	return added;
}

#define HAVING_MAX 8

/**
 * struct having - the PMUs that have an event of a name, as the tables call them
 * @nr: how many; HAVING_MAX + 1 when there are more
 */
struct having {
	const char *pmus[HAVING_MAX];
	int nr;
};

static void find_having(const struct tables *tables, const char *name, struct having *having)
{
	having->nr = 0;
	for (int i = 0; tables && i < tables__nr_pmus(tables) && having->nr <= HAVING_MAX; i++) {
		if (tables__pmu_event(tables, i, name) < 0)
			continue;
		if (having->nr < HAVING_MAX)
			having->pmus[having->nr] = tables__pmu(tables, i);
		having->nr++;
	}
}

/* How sure it is that the tables have an event for a PMU. */
enum chance { CHANCE_NONE, CHANCE_SOME, CHANCE_SURE };

/*
 * Judges by the names of PMUs alone, without a search: a core PMU can have two in the tables, and
 * what they call any other begins as its own name does.
 */
static enum chance chance_of(const struct having *having, const struct pmu *pmu)
{
	enum chance chance = having->nr > HAVING_MAX ? CHANCE_SOME : CHANCE_NONE;

	for (int i = 0; i < having->nr && i < HAVING_MAX; i++) {
		if (pmu->is_core && (!strcmp(having->pmus[i], "default_core") ||
				     !strcmp(having->pmus[i], pmu->name)))
			return CHANCE_SURE;
		if (*having->pmus[i] == *pmu->name)
			chance = CHANCE_SOME;
	}
	return chance;
}

/* Tries whichever PMUs have an event called @name. Return: whether one took it. */
static bool add_events(struct event_parser *p, const char *name, int column, struct err *first)
{
	const struct machine *m = p->scope->machine;
	enum chance chance;
	struct having having;
	bool in_tables = false, added = false;

	find_having(p->scope->tables, name, &having);
	for (int i = 0; i < m->nr_pmus; i++) {
		struct pmu *pmu = m->pmus[i];

		chance = chance_of(&having, pmu);
		/* The tables say the same of all instances, which are many. */
		if (chance != CHANCE_SOME)
			in_tables = chance == CHANCE_SURE;
		else if (!i || !pmu__same_unit(m->pmus[i - 1], pmu))
			in_tables = named__in_tables(p->scope, pmu, name) >= 0;
		if (!filtered(p, pmu) && (in_tables || pmu__has_event(pmu, name)) &&
		    !pmu__load(pmu))
			added |= try_pmu(p, pmu, name, column, first);
	}
	return added || (having.nr && add_of_instance(p, name, column, first));
}

/* Offers the metrics, which a name in an expression can be as well. */
static void suggest_metrics(const struct tables *tables, struct suggest *s)
{
	struct metric_info info;

	for (int i = 0; tables && i < tables__nr_metrics(tables); i++) {
		tables__metric(tables, i, &info);
		suggest__offer(s, info.name);
	}
}

static int unknown_name(struct event_parser *p, const char *name, int column)
{
	const struct tables *tables = p->scope->tables;
	int found = tables ? tables__find_event(tables, NULL, name) : -1;
	struct event_info info;
	struct suggest s;
	struct sb sb = SB_INIT;
	int rc;

	/* Near names take thousands of comparisons, for words that nobody reads. */
	if (!p->err)
		return found >= 0 || p->id ? -ENOENT : -EINVAL;
	if (found >= 0) {
		tables__event(tables, found, &info);
		parse__error(p, column, "this machine has no PMU %s to count it on",
			     strcmp(info.pmu, "default_core") ? info.pmu : "of the CPU");
		p->err->code = ENOENT;
		return -ENOENT;
	}
	if (!strcmp(name, "cpu") && machine__is_hybrid(p->scope->machine)) {
		sb__puts(&sb, "; its CPUs are of several PMUs:");
		for (int i = 0; i < machine__nr_core_pmus(p->scope->machine); i++)
			sb__printf(&sb, " %s", machine__core_pmu(p->scope->machine, i)->name);
	} else {
		suggest__init(&s, name);
		events__suggest(p->scope, &s);
		if (p->id)
			suggest_metrics(tables, &s);
		suggest__print(&s, &sb);
	}
	if (!tables && *p->scope->machine->cpuid)
		sb__printf(&sb, " (the events of CPU %s are not known)", p->scope->machine->cpuid);
	if (machine__has_unusable_pmu(p->scope->machine, name))
		rc = parse__error(p, column, "sysfs has no usable type or CPUs for PMU %s", name);
	else if (p->id && p->slashes)
		rc = parse__error(p, column, "this machine has no PMU %s%s", name, sb__str(&sb));
	else
		rc = parse__error(p, column, "no event%s PMU%s of this machine has that name%s",
				  p->id ? "," : " or", p->id ? " or metric" : "", sb__str(&sb));
	sb__free(&sb);
	if (!p->id)
		return rc;
	p->err->code = ENOENT;
	return -ENOENT;
}

int add__named(struct event_parser *p, const char *name, int column)
{
	struct err first = ERR_INIT;
	int from = p->list->nr, rc;

	if (p->slashes && gauges__has_pmu_name(name) && !p->scope->by_name)
		return add__gauges(p, name, column);
	p->pmu_named = p->slashes && add_pmus(p, name, &first);
	if (p->pmu_named || add_events(p, name, column, &first)) {
		link_instances(p, from);
		return 0;
	}
	/* PMUs may have an event of that name in the same case, which comes first. */
	if (!first.code && !p->pmu_named) {
		rc = add_spelt(p, name, column, true);
		if (rc != 1)
			return rc;
	}
	if (p->scope->by_name)
		return add_unknown(p, name);
	rc = first.code ? 1 : add__gauges(p, name, column);
	if (rc != 1)
		return rc;
	if (!first.code)
		return unknown_name(p, name, column);
	if (p->err)
		*p->err = first;
	return -first.code;
}
