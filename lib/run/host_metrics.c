// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choose the core PMUs of a user's metrics on a hybrid machine. A metric that names a PMU belongs
 * to this PMU, as do its events. Any other metric belongs to each PMU that has all its events,
 * since a metric that the user types means any PMU that can count it. (perf's tables name the PMU
 * of each metric.)
 */
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "events/events.h"
#include "json/load.h"
#include "machine/machine.h"
#include "metrics/expr.h"
#include "run/host.h"
#include "tables/tables.h"

/* The meaning of a node of an expression; numbers from 0 on mean the metric with this number. */
enum {
	NO_NAME = -1,	 /* the node is an operator or a number */
	CORE_EVENT = -2, /* the node names an event of core PMUs, which limits the metric */
	OTHER_NAME = -3, /* the node names anything else: a metric of the tables, an uncore event */
};

/**
 * struct host_needs - the core PMUs that a metric needs
 * @pmus: bit i: core PMU number i has all events of the metric; all bits are set if no core event
 *          was found
 * @core: the metric has core events
 * @fixed: the metric names its PMU itself
 * @same: number of the next metric with the same name, for another PMU, plus 1; or 0
 * @expr: parsed expression; NULL after a syntax error, which is reported when the metric is used
 * @is:   meaning of each node of @expr: NO_NAME, CORE_EVENT, OTHER_NAME, or the number of another
 *          metric
 */
struct host_needs {
	unsigned int pmus;
	bool core, fixed;
	int same;
	struct expr *expr;
	int *is;
};

/**
 * struct placing - the choice of PMUs for all metrics of the user
 * @numbers: numbers of the metrics, by their names in lower case
 * @changed: needs of a metric have changed, so that needs of others may change
 */
struct placing {
	const struct host *h;
	struct load_metric *metrics;
	struct host_needs *all;
	int nr;
	struct strmap *numbers;
	bool changed;
};

static void limit(struct host_needs *n, unsigned int pmus)
{
	if (!pmus || n->fixed)
		return;
	n->core = true;
	n->pmus &= pmus;
}

/*
 * Return: bits of the core PMUs that an event is opened on; 0 for an unknown event or other PMUs.
 */
static unsigned int pmus_of_event(const struct host *h, const char *id)
{
	struct events_scope scope = host__events_scope(h, NULL);
	auto_free(event_list) list = EVENT_LIST_INIT;
	unsigned int pmus = 0;

	if (events__parse_ids(&scope, &id, 1, NULL, false, &list, NULL))
		return 0;
	for (int i = 0; i < list.nr; i++)
		for (int p = 0; p < machine__nr_core_pmus(h->machine); p++)
			if (list.at[i]->pmu == machine__core_pmu(h->machine, p))
				pmus |= 1u << p;
	return pmus;
}

/* Return: bits of the core PMUs for which the tables have a metric of this name. */
static unsigned int pmus_of_metric(const struct host *h, const char *name)
{
	unsigned int pmus = 0;

	for (int p = 0; h->tables && p < machine__nr_core_pmus(h->machine); p++)
		if (tables__find_metric(h->tables, machine__core_pmu(h->machine, p)->name, name) >=
		    0)
			pmus |= 1u << p;
	return pmus;
}

/*
 * Return: the number of the first metric with a name. Without such a metric, @number is added as
 * the first, unless it is -1.
 */
static int host_metrics__first_of(const struct placing *p, const char *name, int number)
{
	auto_text lower = text__lower(xstrdup(name));

	return number < 0 ? strmap__get(p->numbers, lower) : strmap__add(p->numbers, lower, number);
}

/* Return: the meaning of a name, as in host_needs.is. */
static int look_up_name(const struct placing *p, int i, const char *name)
{
	int other = host_metrics__first_of(p, name, -1);
	unsigned int pmus;

	if (other >= 0)
		return other;
	pmus = pmus_of_metric(p->h, name);
	if (pmus) {
		limit(&p->all[i], pmus);
		return OTHER_NAME;
	}
	pmus = pmus_of_event(p->h, name);
	limit(&p->all[i], pmus);
	return pmus ? CORE_EVENT : OTHER_NAME;
}

/* Find the meaning of each name in an expression. */
static void host_metrics__look_up(const struct placing *p, int i)
{
	struct host_needs *n = &p->all[i];

	if (!n->expr)
		return;
	n->is = xcalloc(n->expr->nr, sizeof(*n->is));
	for (int k = 0; k < n->expr->nr; k++) {
		const struct expr_node *node = &n->expr->at[k];

		n->is[k] = node->op == EXPR_ID ? look_up_name(p, i, node->id) : NO_NAME;
	}
}

/* Return: bits of the core PMUs of all metrics with one name, as far as known. */
static unsigned int pmus_of_same(const struct placing *p, int first)
{
	unsigned int pmus = 0;

	for (int i = first; i >= 0; i = p->all[i].same - 1)
		pmus |= p->all[i].core ? p->all[i].pmus : 0;
	return pmus;
}

/* Place a metric without core events on core PMUs, since a metric with core events names it. */
static void want_on_core(struct placing *p, int first)
{
	for (int i = first; i >= 0; i = p->all[i].same - 1) {
		if (p->all[i].core || p->all[i].fixed)
			continue;
		p->all[i].core = p->changed = true;
	}
}

/* Limit a metric to the PMUs of the events and metrics in its expression. */
static void host_metrics__join(struct placing *p, int i)
{
	struct host_needs *n = &p->all[i], before = *n;
	int nr = n->expr ? n->expr->nr : 0;

	for (int k = 0; k < nr; k++)
		if (n->is[k] >= 0)
			limit(n, pmus_of_same(p, n->is[k]));
	for (int k = 0; k < nr && n->core; k++)
		if (n->is[k] >= 0)
			want_on_core(p, n->is[k]);
	p->changed |= n->core != before.core || n->pmus != before.pmus;
}

/* Return: length of @id in the text, where it may contain escapes; 0 if the text differs. */
static size_t written_len(const char *text, const char *id)
{
	const char *at = text;

	for (; *id; id++, at++) {
		at += *at == '\\';
		if (*at != *id)
			return 0;
	}
	return at - text;
}

/* Find the node of the first name at or after position @from of the text, or -1. */
static int next_id(const struct expr *e, int from)
{
	int next = -1;

	for (int i = 0; i < e->nr; i++)
		if (e->at[i].op == EXPR_ID && e->at[i].column >= from &&
		    (next < 0 || e->at[i].column < e->at[next].column))
			next = i;
	return next;
}

/*
 * Return: an expression with the PMU before each core event, as in the vendor's tables. Otherwise
 * each event would be opened on every core PMU.
 */
static char *expr_on(const struct host_needs *n, const char *expr, const char *pmu)
{
	struct sb sb = SB_INIT;
	int done = 0, node;

	while ((node = next_id(n->expr, done)) >= 0) {
		const struct expr_node *id = &n->expr->at[node];
		size_t len = written_len(expr + id->column, id->id), name;

		sb__add(&sb, expr + done, id->column - done);
		done = id->column;
		name = strcspn(expr + done, ":");
		/* Copy a name with a PMU, and the name of a metric, unchanged. */
		if (n->is[node] != CORE_EVENT || !len || strchr(id->id, '@')) {
			sb__putc(&sb, expr[done++]);
			continue;
		}
		name = name < len ? name : len;
		sb__printf(&sb, "%s@%.*s@", pmu, (int)name, expr + done);
		if (name < len)
			sb__add(&sb, expr + done + name + 1, len - name - 1);
		done += len;
	}
	sb__puts(&sb, expr + done);
	return sb__detach(&sb);
}

static void host_metrics__place(const struct placing *p, int i)
{
	struct load_metric *m = &p->metrics[i];
	const struct host_needs *n = &p->all[i];

	for (int k = 0; n->core && k < machine__nr_core_pmus(p->h->machine); k++) {
		const char *pmu = machine__core_pmu(p->h->machine, k)->name;

		if (!(n->pmus & 1u << k) || m->nr_pmus == LOAD_PMUS_MAX)
			continue;
		/*
		 * Copy an expression with a syntax error unchanged: the error is reported when it
		 * is used.
		 */
		m->exprs[m->nr_pmus] = n->expr ? expr_on(n, m->expr, pmu) : xstrdup(m->expr);
		m->pmus[m->nr_pmus++] = pmu;
	}
}

/* Link metrics with the same name, each for one PMU. */
static void host_metrics__add_number(struct placing *p, int i)
{
	int first = host_metrics__first_of(p, p->metrics[i].name, i);

	if (first == i)
		return;
	p->all[i].same = p->all[first].same;
	p->all[first].same = i + 1;
}

/* Limit a metric that names a core PMU to this PMU. A metric of any other PMU stays unchanged. */
static void fix(struct placing *p, int i)
{
	struct host_needs *n = &p->all[i];

	n->fixed = true;
	n->pmus = 0;
	for (int k = 0; k < machine__nr_core_pmus(p->h->machine); k++)
		if (!strcmp(machine__core_pmu(p->h->machine, k)->name, p->metrics[i].pmu))
			n->pmus |= 1u << k;
	n->core = n->pmus;
}

static void host_metrics__begin(struct placing *p)
{
	int nr_pmus = machine__nr_core_pmus(p->h->machine);
	unsigned int all_pmus = nr_pmus < 32 ? (1u << nr_pmus) - 1 : ~0u;

	for (int i = 0; i < p->nr; i++)
		host_metrics__add_number(p, i);
	for (int i = 0; i < p->nr; i++) {
		struct host_needs *n = &p->all[i];

		n->pmus = all_pmus;
		if (p->metrics[i].pmu)
			fix(p, i);
		if (expr__parse(p->metrics[i].name, p->metrics[i].expr, &n->expr, NULL))
			n->expr = NULL;
		host_metrics__look_up(p, i);
	}
}

int host__place_common(void *arg, struct load_metric *metrics, int nr, struct err *err)
{
	int rc = host__place_metrics(arg, metrics, nr, err);

	for (int i = 0; i < nr; i++) {
		for (int n = 0; n < metrics[i].nr_pmus; n++) {
			free(metrics[i].exprs[n]);
			metrics[i].exprs[n] = xstrdup(metrics[i].expr);
		}
	}
	return rc;
}

int host__place_metrics(void *arg, struct load_metric *metrics, int nr, struct err *err)
{
	struct placing p = {.h = arg,
			    .metrics = metrics,
			    .all = xcalloc(nr, sizeof(*p.all)),
			    .nr = nr,
			    .numbers = strmap__new()};

	(void)err; /* a syntax error is reported when the expression is used */
	host_metrics__begin(&p);
	do {
		p.changed = false;
		for (int i = 0; i < nr; i++)
			host_metrics__join(&p, i);
	} while (p.changed);
	for (int i = 0; i < nr; i++)
		host_metrics__place(&p, i);
	for (int i = 0; i < nr; i++) {
		expr__free(p.all[i].expr);
		free(p.all[i].is);
	}
	free(p.all);
	strmap__free(p.numbers);
	return 0;
}
