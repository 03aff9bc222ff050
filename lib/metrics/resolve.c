// SPDX-License-Identifier: GPL-2.0-only
/* Follow the references between metrics, from the texts of metrics to the ids of events. */
#include "metrics/resolve.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "events/events.h"
#include "metrics/expr.h"
#include "metrics/ids.h"

/**
 * struct parsed - the texts of a metric, read once for all metrics that refer to it
 * @value_ids, @threshold_ids: ids that value and threshold need, or NULL. An id that names a metric
 *             of the same PMU is marked with the metric's number.
 * @without:   events that @value is computed without
 * @referred:  number of the last resolution that met the metric
 */
struct parsed {
	struct expr *value, *threshold;
	struct idset *value_ids, *threshold_ids;
	struct metric_without without;
	int referred;
};

/**
 * struct visited_metric - a link in the chain of metrics that are being resolved, from the
 * innermost outwards
 */
struct visited_metric {
	const char *name;
	const struct visited_metric *from;
	int depth;
};

void resolver__init(struct resolver *r, const struct metrics_scope *scope)
{
	*r = (struct resolver){ .scope = scope };
	r->parsed = xcalloc(tables__nr_metrics(scope->tables) + 1, sizeof(*r->parsed));
}

void resolver__exit(struct resolver *r)
{
	for (int i = 0; i < tables__nr_metrics(r->scope->tables); i++) {
		expr__free(r->parsed[i].value);
		expr__free(r->parsed[i].threshold);
		idset__free(r->parsed[i].value_ids);
		idset__free(r->parsed[i].threshold_ids);
		free(r->parsed[i].without.corrections);
		free(r->parsed[i].without.any_thread);
	}
	free(r->parsed);
}

static int metric_number(void *arg, const char *id)
{
	const struct resolver *r = arg;

	return tables__find_metric(r->scope->tables, r->pmu, id);
}

/* Add names from a list with commas to another list, which has each name once. */
static void add_names(char **list, const char *names)
{
	int len;

	text__for_each_item(item, len, names ?: "", ", ") {
		char *name = xstrndup(item, len);
		struct sb sb = SB_INIT;

		if (!*list || !text__has_item(*list, ", ", name)) {
			sb__printf(&sb, "%s%s%s", *list ?: "", *list ? ", " : "", name);
			free(*list);
			*list = sb__detach(&sb);
		}
		free(name);
	}
}

/*
 * Most recordings lack the events that correct the shares of TopDown metric events: replace missing
 * ones by 0.
 */
static void do_without_corrections(const struct metrics_scope *scope, struct expr *expr,
				   char **corrections)
{
	bool shares = false;

	for (int i = 0; i < expr->nr; i++)
		shares |= expr->at[i].op == EXPR_ID && events__is_topdown_share(expr->at[i].id);
	for (int i = 0; shares && i < expr->nr; i++) {
		struct expr_node *node = &expr->at[i];
		const char *name = node->op == EXPR_ID ? events__topdown_correction(node->id)
						       : NULL;

		if (!name || !scope->lacks_event(scope->arg, node->id))
			continue;
		add_names(corrections, name);
		node->op = EXPR_NUMBER;
		node->number = 0;
	}
}

/* Return: the id X of "X / 2"; NULL for anything else. */
static const char *half_of_id(const struct expr *expr, const struct expr_node *node)
{
	const struct expr_node *a = &expr->at[node->at[0]], *b = &expr->at[node->at[1]];

	if (node->op != EXPR_DIV || a->op != EXPR_ID || b->op != EXPR_NUMBER || b->number != 2)
		return NULL;
	return a->id;
}

/*
 * Replace missing events of all threads. With SMT, formulas estimate what one thread waits as half
 * of what both threads wait: "X_ANY / 2".
 */
static void do_without_any_thread(const struct metrics_scope *scope, struct expr *expr,
				  char **any_thread)
{
	int smt = literal__find("smt_on", strlen("smt_on"));

	for (int i = 0; i < expr->nr; i++) {
		const struct expr_node *node = &expr->at[i];
		struct expr_node *cond = &expr->at[node->at[1]];
		const struct expr_node *one = &expr->at[node->at[2]];
		const char *any;

		if (node->op != EXPR_IF || cond->op != EXPR_LITERAL || cond->literal != smt ||
		    one->op != EXPR_ID)
			continue;
		any = half_of_id(expr, &expr->at[node->at[0]]);
		if (!any || !text__has_prefix(any, one->id) ||
		    strcmp(any + strlen(one->id), "_ANY") || !scope->lacks_event(scope->arg, any) ||
		    scope->lacks_event(scope->arg, one->id))
			continue;
		add_names(any_thread, any);
		cond->op = EXPR_NUMBER;
		cond->number = 0;
	}
}

/* Change "max(x, 0)" to "x + 0". */
static void lift_floor(struct expr *e)
{
	struct expr_node *root = &e->at[e->nr - 1];

	for (int i = 0; i < 2 && root->op == EXPR_MAX; i++) {
		const struct expr_node *n = &e->at[root->at[i]];

		if (n->op == EXPR_NUMBER && n->number == 0)
			root->op = EXPR_ADD;
	}
}

static int resolve__parse(struct resolver *r, const struct metric_info *info, const char *kind,
			  const char *text, struct expr **expr, struct idset **ids,
			  struct metric_without *without, struct err *err)
{
	struct sb what = SB_INIT;
	int ret;

	if (*expr)
		return 0;
	sb__printf(&what, "%s %s", kind, info->name);
	ret = expr__parse(sb__str(&what), text, expr, err);
	sb__free(&what);
	if (ret)
		return ret;
	if (r->scope->no_floor)
		lift_floor(*expr);
	if (r->scope->lacks_event) {
		do_without_corrections(r->scope, *expr, &without->corrections);
		do_without_any_thread(r->scope, *expr, &without->any_thread);
	}
	*ids = ids__collect(r->scope, &r->literals, *expr);
	if (*ids)
		idset__mark(*ids, metric_number, r);
	return 0;
}

static int resolve__parse_value(struct resolver *r, int number, const struct metric_info *info,
				struct err *err)
{
	struct parsed *p = &r->parsed[number];

	return resolve__parse(r, info, "metric", info->expr, &p->value, &p->value_ids, &p->without,
			      err);
}

static void unite_copy(struct idset **ids, const struct idset *with)
{
	struct idset *both;

	if (!with)
		return;
	/* perf adds its ids to the new ones, in this order. */
	both = idset__copy(with);
	idset__unite(&both, *ids);
	*ids = both;
}

static int cycle(const struct visited_metric *visit, const char *name, struct err *err)
{
	struct sb path = SB_INIT;

	sb__puts(&path, name);
	for (const struct visited_metric *v = visit; v; v = v->from) {
		sb__printf(&path, " <- %s", v->name);
		if (!strcmp(v->name, name))
			break;
	}
	err__set(err, ELOOP, "metric %s refers to itself: %s", name, sb__str(&path));
	sb__free(&path);
	return -ELOOP;
}

static int resolve_ids(struct resolver *r, struct metric *m, const struct visited_metric *visit,
		       struct err *err);

static int add_ref(struct resolver *r, struct metric *m, int number,
		   const struct visited_metric *from, struct err *err)
{
	struct visited_metric visit = {.from = from, .depth = from->depth + 1};
	struct parsed *p = &r->parsed[number];
	struct metric_info info;
	int ret;

	tables__metric(r->scope->tables, number, &info);
	visit.name = info.name;
	for (const struct visited_metric *v = from; v; v = v->from)
		if (!strcmp(v->name, info.name))
			return cycle(from, info.name, err);
	if (p->referred == r->resolutions)
		return 0;
	if (visit.depth > RESOLVE_MAX_DEPTH)
		return err__set(err, E2BIG,
				"metric %s: more than %d metrics refer to each other, up to %s",
				m->info.name, RESOLVE_MAX_DEPTH, info.name);

	p->referred = r->resolutions;
	ret = resolve__parse_value(r, number, &info, err);
	if (ret)
		return ret;
	m->refs = xreallocarray(m->refs, m->nr_refs + 1, sizeof(*m->refs));
	m->refs[m->nr_refs++] = (struct metric_ref){
		.name = info.name,
		.value = expr__get(p->value),
		.number = number,
	};
	unite_copy(&m->id_set, p->value_ids);
	return resolve_ids(r, m, &visit, err);
}

/* Replace each id that names a metric of the same PMU by the ids that this metric needs. */
static int resolve_ids(struct resolver *r, struct metric *m, const struct visited_metric *visit,
		       struct err *err)
{
	int room = idset__size(m->id_set) + 1, nr, ret = 0;
	const char **ids = xmalloc(room * sizeof(*ids));
	int *pending = xmalloc(room * sizeof(*pending));

	nr = idset__marked(m->id_set, ids, pending);
	for (int i = 0; i < nr; i++)
		idset__del(m->id_set, ids[i]);
	for (int i = 0; i < nr && !ret; i++)
		ret = add_ref(r, m, pending[i], visit, err);
	free(ids);
	free(pending);
	return ret;
}

/*
 * Set the first ids of a metric. With a threshold, these are the ids of the threshold, which
 * usually include the metric's own name. If the events of thresholds are left out, only the
 * metric's name is set.
 */
static int first_ids(struct resolver *r, int number, struct metric *m, struct err *err)
{
	struct parsed *p = &r->parsed[number];
	struct metric_without unused = {0};
	int ret = resolve__parse_value(r, number, &m->info, err);

	if (ret)
		return ret;
	m->value = expr__get(p->value);
	m->id_set = idset__new();
	if (!*m->info.threshold) {
		unite_copy(&m->id_set, p->value_ids);
		return 0;
	}
	ret = resolve__parse(r, &m->info, "threshold of metric", m->info.threshold, &p->threshold,
			     &p->threshold_ids, &unused, err);
	free(unused.corrections);
	free(unused.any_thread);
	if (ret)
		return ret;
	m->threshold = expr__get(p->threshold);
	if (!r->scope->no_threshold)
		unite_copy(&m->id_set, p->threshold_ids);
	if (!idset__has(m->id_set, m->info.name)) {
		idset__add(m->id_set, m->info.name);
		idset__mark(m->id_set, metric_number, r);
	}
	return 0;
}

static void add_without(struct metric *m, const struct metric_without *without)
{
	add_names(&m->without.corrections, without->corrections);
	add_names(&m->without.any_thread, without->any_thread);
}

/*
 * In expression number @i of the metric, find missing events that the value can do without, and an
 * unknown literal. References are followed.
 */
static void resolve__look_at(struct resolver *r, struct metric *m, int i, bool *seen)
{
	const struct expr *expr = metric__expr(m, i);
	const int *names = metric__names(m, i);

	seen[i] = true;
	for (int n = 0; n < expr->nr; n++) {
		const struct expr_node *node = &expr->at[n];
		int ref = names[n] - m->nr_ids;

		if (node->op == EXPR_LITERAL &&
		    isnan(literal__of_pmu(&r->literals, r->scope, node->literal, m->info.pmu))) {
			m->unknown = literal__written(node->literal);
			if (r->scope->machine && !r->scope->machine->recorded)
				m->why_unknown = literal__unknown(node->literal);
		}
		if (node->op != EXPR_ID || ref < 0 || seen[ref])
			continue;
		add_without(m, &r->parsed[m->refs[ref].number].without);
		resolve__look_at(r, m, ref, seen);
	}
}

static void look_at_value(struct resolver *r, int number, struct metric *m)
{
	bool *seen = xcalloc(metric__nr_exprs(m), sizeof(*seen));

	add_without(m, &r->parsed[number].without);
	resolve__look_at(r, m, m->nr_refs, seen);
	free(seen);
}

int resolver__metric(struct resolver *r, int number, struct metric *m, struct err *err)
{
	struct visited_metric visit = {.name = *m->info.threshold ? "threshold" : m->info.name};
	int ret;

	r->resolutions++;
	r->pmu = m->info.pmu;
	ret = first_ids(r, number, m, err) ?: resolve_ids(r, m, &visit, err);
	if (ret)
		return ret;
	m->nr_ids = idset__size(m->id_set);
	m->ids = xmalloc((m->nr_ids + 1) * sizeof(*m->ids));
	idset__list(m->id_set, m->ids);
	look_at_value(r, number, m);
	return 0;
}
