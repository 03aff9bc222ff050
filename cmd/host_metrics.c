// SPDX-License-Identifier: GPL-2.0-only
/*
 * On a hybrid machine, of which core PMUs a user's metric is that names none: of those which have
 * all its events. perf's tables say it of each metric; who types one means whichever can count it.
 * The events of a metric which names its PMU are that PMU's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/sb.h"
#include "cmd.h"
#include "events/events.h"
#include "json/load.h"
#include "machine/machine.h"
#include "metrics/expr.h"
#include "tables/tables.h"

/**
 * struct needs - what a metric needs of core PMUs
 * @pmus: bit i: core PMU number i has all events; all set while none is known to be of the core
 * @core: whether an event is of the core at all
 * @fixed: the metric names its PMU itself
 * @expr: NULL when it cannot be read, which is said when it is used
 */
struct needs {
	unsigned int pmus;
	bool core, fixed;
	struct expr *expr;
};

static unsigned int all_pmus(const struct machine *m)
{
	int nr = machine__nr_core_pmus(m);

	return nr < 32 ? (1u << nr) - 1 : ~0u;
}

static void limit(struct needs *n, unsigned int pmus)
{
	if (!pmus)
		return;
	n->core = true;
	n->pmus &= pmus;
}

/* The core PMUs an event is opened on; 0 for one of another PMU, and for none at all. */
static unsigned int pmus_of_event(const struct host *h, const char *id)
{
	struct events_scope scope = host__events_scope(h, NULL);
	struct event_list list = EVENT_LIST_INIT;
	unsigned int pmus = 0;

	if (events__parse_ids(&scope, &id, 1, NULL, false, &list, NULL))
		return 0;
	for (int i = 0; i < list.nr; i++)
		for (int p = 0; p < machine__nr_core_pmus(h->machine); p++)
			if (list.at[i]->pmu == machine__core_pmu(h->machine, p))
				pmus |= 1u << p;
	event_list__free(&list);
	return pmus;
}

/* The core PMUs that have a metric of the tables. */
static unsigned int pmus_of_metric(const struct host *h, const char *name)
{
	unsigned int pmus = 0;

	for (int p = 0; h->tables && p < machine__nr_core_pmus(h->machine); p++)
		if (tables__find_metric(h->tables, machine__core_pmu(h->machine, p)->name,
					name) >= 0)
			pmus |= 1u << p;
	return pmus;
}

static int find_other(const struct load_metric *metrics, int nr, const char *name)
{
	for (int i = 0; i < nr; i++)
		if (!strcasecmp(metrics[i].name, name))
			return i;
	return -1;
}

/* What the names in an expression are, the user's other metrics aside. */
static void look_up(const struct host *h, const struct load_metric *metrics, int nr,
		    struct needs *n)
{
	for (int i = 0; n->expr && i < n->expr->nr; i++) {
		const struct expr_node *node = &n->expr->at[i];
		unsigned int pmus;

		if (node->op != EXPR_ID || find_other(metrics, nr, node->id) >= 0)
			continue;
		pmus = pmus_of_metric(h, node->id);
		limit(n, pmus ? pmus : pmus_of_event(h, node->id));
	}
}

/* A metric is of no PMU which one it is made of is not of. Return: whether something changed. */
static bool join(const struct load_metric *metrics, int nr, struct needs *all, struct needs *n)
{
	bool changed = false;

	for (int i = 0; n->expr && i < n->expr->nr; i++) {
		const struct expr_node *node = &n->expr->at[i];
		struct needs before = *n;
		unsigned int pmus = 0;

		/* Those of one name are for a PMU each. */
		for (int j = 0; node->op == EXPR_ID && j < nr; j++) {
			struct needs *other = &all[j];

			if (other == n || strcasecmp(metrics[j].name, node->id))
				continue;
			pmus |= other->core ? other->pmus : 0;
			/* One of other PMUs' events alone is then wanted wherever this one is. */
			if (!other->fixed) {
				changed |= n->core && !other->core;
				other->core |= n->core;
			}
		}
		if (!n->fixed)
			limit(n, pmus);
		changed |= before.core != n->core || before.pmus != n->pmus;
	}
	return changed;
}

/* How long a name is in the text, where it may have escapes; 0 when it stands there otherwise. */
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

/* The name in an expression that stands first at or behind a place of its text, or NULL. */
static const struct expr_node *next_id(const struct expr *e, int from)
{
	const struct expr_node *next = NULL;

	for (int i = 0; i < e->nr; i++)
		if (e->at[i].op == EXPR_ID && e->at[i].column >= from &&
		    (!next || e->at[i].column < next->column))
			next = &e->at[i];
	return next;
}

/*
 * The expression with the PMU in front of the core's events, as the vendor writes it: without it,
 * an event would be opened on every core PMU for each of these metrics.
 */
static char *expr_on(const struct host *h, const struct load_metric *metrics, int nr,
		     const struct needs *n, const char *expr, const char *pmu)
{
	const struct expr_node *id;
	struct sb sb = SB_INIT;
	int done = 0;

	while ((id = next_id(n->expr, done))) {
		size_t len = written_len(expr + id->column, id->id), name;

		sb__add(&sb, expr + done, id->column - done);
		done = id->column;
		name = strcspn(expr + done, ":");
		/* One with a PMU and a metric's stay as they are. */
		if (!len || strchr(id->id, '@') ||
		    find_other(metrics, nr, id->id) >= 0 || pmus_of_metric(h, id->id) ||
		    !pmus_of_event(h, id->id)) {
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

static int place(const struct host *h, struct load_metric *metrics, int nr, int i,
		 const struct needs *n)
{
	struct load_metric *m = &metrics[i];

	for (int p = 0; n->core && p < machine__nr_core_pmus(h->machine); p++) {
		const char *pmu = machine__core_pmu(h->machine, p)->name;

		if (!(n->pmus & 1u << p) || m->nr_pmus == LOAD_PMUS_MAX)
			continue;
		m->exprs[m->nr_pmus] = expr_on(h, metrics, nr, n, m->expr, pmu);
		m->pmus[m->nr_pmus] = pmu;
		if (!m->exprs[m->nr_pmus++])
			return -ENOMEM;
	}
	return 0;
}

/* The metric of a core PMU counts on it alone; one of another PMU is left as it is. */
static void fix(const struct host *h, const char *pmu, struct needs *n)
{
	n->fixed = true;
	n->pmus = 0;
	for (int p = 0; p < machine__nr_core_pmus(h->machine); p++)
		if (!strcmp(machine__core_pmu(h->machine, p)->name, pmu))
			n->pmus |= 1u << p;
	n->core = n->pmus;
}

int host__place_metrics(void *arg, struct load_metric *metrics, int nr, struct err *err)
{
	const struct host *h = arg;
	struct needs *all = calloc(nr, sizeof(*all));
	bool changed = true;
	int rc = 0;

	(void)err; /* what cannot be read is said when it is used */
	if (!all)
		return -ENOMEM;
	for (int i = 0; i < nr; i++) {
		all[i].pmus = all_pmus(h->machine);
		if (metrics[i].pmu)
			fix(h, metrics[i].pmu, &all[i]);
		if (expr__parse(metrics[i].name, metrics[i].expr, &all[i].expr, NULL))
			all[i].expr = NULL;
		if (!all[i].fixed)
			look_up(h, metrics, nr, &all[i]);
	}
	while (changed) {
		changed = false;
		for (int i = 0; i < nr; i++)
			changed |= join(metrics, nr, all, &all[i]);
	}
	for (int i = 0; i < nr; i++) {
		if (!rc)
			rc = place(h, metrics, nr, i, &all[i]);
		expr__free(all[i].expr);
	}
	free(all);
	return rc;
}
