// SPDX-License-Identifier: GPL-2.0-only
/* One name can mean several events: one for each core PMU, each instance, or each match. */
#include <errno.h>
#include <linux/hw_breakpoint.h>
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

/* Appends @e to the list, or frees @e if @rc is an error. */
static int add__finish(struct event_parser *p, struct event *e, int rc)
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

bool add__is_filtered(const struct event_parser *p, const struct pmu *pmu)
{
	const struct events_scope *scope = p->scope;

	return (scope->pmu_filter && (pmu->is_core || !scope->filters_cores) &&
		strcmp(scope->pmu_filter, pmu->name)) ||
	       (scope->core && pmu->is_core && strcmp(scope->core, pmu->name));
}

/*
 * @pmu is NULL on a computer without a core PMU: the event is still opened, and the kernel refuses
 *            it.
 */
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
	return add__finish(p, e, rc);
}

int add__pmu_event(struct event_parser *p, struct pmu *pmu, bool mergeable)
{
	struct event *e = event__new();

	event__set_pmu(e, pmu, p->scope->machine);
	e->mergeable = mergeable && (!pmu->is_core || !machine__is_hybrid(p->scope->machine));
	return add__finish(p, e, encode__pmu(p, e));
}

int add__by_name(struct event_parser *p, struct pmu *pmu, const char *name, int column)
{
	struct term term = { (char *)name, .num = 1, .is_num = true,
			     .column = column, .value_column = column };
	int rc;

	vec__push(&p->terms, term);
	rc = add__pmu_event(p, pmu, true);
	p->terms.nr--;
	return rc;
}

/**
 * struct of_core - an event to be added for each core PMU
 * @name, @column: (cache events) name and place in the text: a PMU's own event with this name is
 *                 preferred
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
		return add__by_name(p, pmu, what->name, what->column);
	if (!pmu || !machine__is_hybrid(pmu->machine))
		return add_kernel_event(p, pmu, what->type, what->config, what->name);
	/*
	 * With several core PMUs, a raw event has its PMU's type; other events have the PMU in
	 * config.
	 */
	if (what->type == PERF_TYPE_RAW)
		return add_kernel_event(p, pmu, pmu->type, what->config, what->name);
	return add_kernel_event(p, pmu, what->type, what->config | encode__extended(pmu),
				what->name);
}

/*
 * Adds an event for the only core PMU or without one, or an event for each PMU that is not filtered
 * out.
 */
static int add_of_cores(struct event_parser *p, const struct of_core *what)
{
	const struct machine *m = p->scope->machine;
	int nr = machine__nr_core_pmus(m), rc = 0;

	if (!nr || (nr == 1 && !what->name))
		return add_of_core(p, machine__core_pmu(m, 0), what);
	for (int i = 0; i < nr && !rc; i++)
		if (!add__is_filtered(p, machine__core_pmu(m, i)))
			rc = add_of_core(p, machine__core_pmu(m, i), what);
	return rc;
}

int add__kernel_name(struct event_parser *p, const char *name, int column, bool any_case)
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
		/*
		 * There is one clock for all CPUs, so it is shown for the first CPU, as facts are.
		 */
		e->any_cpu = false;
		cpulist__add(&e->cpus, 0);
	}
	return add__finish(p, e, encode__common(p, e));
}

/*
 * Removes and returns the first term without a value, which names an event; NULL if there is none.
 */
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

/* Checks that the terms of an event that sysfs does not have only give it a name. */
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
 * Adds a value in a file. If several devices have a value with this name, each is printed with its
 * own PMU, since a sum of temperatures has no meaning.
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

/* Adds all events that a name matches, on one PMU or on any. Return: 1 if there are none. */
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
		     "no PMU %s of this machine has that event: 'tma list %.*s' shows its events",
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
	return add__finish(p, e, encode__common(p, e));
}

/* Adds "software/cpu-clock/" where the PMU is not known. Return: 1 for any other text. */
static int add_of_software(struct event_parser *p, const char *pmu)
{
	const struct term *event = vec__find(t, &p->terms, !t->str);
	uint64_t config;
	uint32_t type;

	if (!p->slashes || strcmp(pmu, "software") || !event ||
	    legacy__decode(event->key, true, &type, &config) || type != PERF_TYPE_SOFTWARE)
		return 1;
	free(take_event_term(&p->terms));
	return add_kernel_event(p, NULL, type, config, NULL);
}

int add__unknown(struct event_parser *p, const char *name)
{
	int rc = add_of_software(p, name);
	struct event *e;

	if (rc != 1)
		return rc;
	e = event__new();
	encode__by_name(p, e, name);
	return add__finish(p, e, 0);
}

static int no_tracepoint(struct event_parser *p, const char *system, const char *name, int column,
			 const struct err *why)
{
	struct sb want = SB_INIT, all = SB_INIT, near = SB_INIT;
	struct tracepoint *tp = NULL;
	struct suggest s;
	int nr = 0, rc;

	/* Offer the other tracepoints of the system, "sched:sched_switch", one after the other. */
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
		return add__unknown(p, name);
	rc = machine__tracepoints(p->scope->machine, system, name, TRACEPOINT_CHECKED, &tp, &nr,
				  &why);
	if (rc)
		return no_tracepoint(p, system, name, column, &why);
	for (int i = 0; i < nr && !rc; i++)
		rc = add_tracepoint(p, &tp[i]);
	tracepoint__free_all(tp, nr);
	return rc;
}
