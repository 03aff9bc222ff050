// SPDX-License-Identifier: GPL-2.0-only
/* References between metrics: followed down to event ids. */
#include "metrics/resolve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/xalloc.h"
#include "metrics/expr.h"
#include "metrics/ids.h"

/* The chain of metrics being resolved, innermost first. */
struct visit {
	const char *name;
	const struct visit *from;
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
	}
	free(r->parsed);
}

/* What finding the metrics among ids needs. */
struct ids_of {
	const struct tables *tables;
	const char *pmu;
};

static int metric_number(void *arg, const char *id)
{
	const struct ids_of *of = arg;

	return tables__find_metric(of->tables, of->pmu, id);
}

static void mark_metrics(const struct resolver *r, const struct metric_info *info,
			 struct idset *ids)
{
	if (ids)
		idset__mark(ids, metric_number, &(struct ids_of){ r->scope->tables, info->pmu });
}

static int parse(struct resolver *r, const struct metric_info *info, const char *kind,
		 const char *text, struct expr **expr, struct idset **ids, struct err *err)
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
	*ids = ids__collect(r->scope, &r->literals, *expr);
	mark_metrics(r, info, *ids);
	return 0;
}

static int parse_value(struct resolver *r, int number, const struct metric_info *info,
		       struct err *err)
{
	struct parsed *p = &r->parsed[number];

	return parse(r, info, "metric", info->expr, &p->value, &p->value_ids, err);
}

static void unite_copy(struct idset **ids, const struct idset *with)
{
	struct idset *both;

	if (!with)
		return;
	/* perf unites the new ids with those it has, in this order. */
	both = idset__copy(with);
	idset__unite(&both, *ids);
	*ids = both;
}

static int cycle(const struct visit *visit, const char *name, struct err *err)
{
	struct sb path = SB_INIT;

	sb__puts(&path, name);
	for (const struct visit *v = visit; v; v = v->from) {
		sb__printf(&path, " <- %s", v->name);
		if (!strcmp(v->name, name))
			break;
	}
	err__set(err, ELOOP, "metric %s refers to itself: %s", name, sb__str(&path));
	sb__free(&path);
	return -ELOOP;
}

static int resolve_ids(struct resolver *r, struct metric *m, const struct visit *visit,
		       struct err *err);

static int too_deep(const struct metric *m, const char *name, struct err *err)
{
	return err__set(err, E2BIG, "metric %s: more than %d metrics refer to each other, up to %s",
			m->info.name, RESOLVE_MAX_DEPTH, name);
}

static int add_ref(struct resolver *r, struct metric *m, int number, const struct visit *from,
		   struct err *err)
{
	struct visit visit = { .from = from, .depth = from->depth + 1 };
	struct parsed *p = &r->parsed[number];
	struct metric_info info;
	int ret;

	tables__metric(r->scope->tables, number, &info);
	visit.name = info.name;
	for (const struct visit *v = from; v; v = v->from)
		if (!strcmp(v->name, info.name))
			return cycle(from, info.name, err);
	if (p->referred == r->resolutions)
		return 0;
	if (visit.depth > RESOLVE_MAX_DEPTH)
		return too_deep(m, info.name, err);

	p->referred = r->resolutions;
	ret = parse_value(r, number, &info, err);
	if (ret)
		return ret;
	m->refs = xreallocarray(m->refs, m->nr_refs + 1, sizeof(*m->refs));
	m->refs[m->nr_refs++] = (struct metric_ref){
		.name = info.name,
		.value = expr__get(p->value),
	};
	unite_copy(&m->id_set, p->value_ids);
	return resolve_ids(r, m, &visit, err);
}

/* Ids that name metrics of the same PMU are replaced by what those need. */
static int resolve_ids(struct resolver *r, struct metric *m, const struct visit *visit,
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
 * A metric with a threshold begins with the threshold's ids, its own name among them as a rule;
 * without the events of thresholds, with its name alone.
 */
static int first_ids(struct resolver *r, int number, struct metric *m, struct err *err)
{
	struct parsed *p = &r->parsed[number];
	int ret = parse_value(r, number, &m->info, err);

	if (ret)
		return ret;
	m->value = expr__get(p->value);
	m->id_set = idset__new();
	if (!*m->info.threshold) {
		unite_copy(&m->id_set, p->value_ids);
		return 0;
	}
	ret = parse(r, &m->info, "threshold of metric", m->info.threshold, &p->threshold,
		    &p->threshold_ids, err);
	if (ret)
		return ret;
	m->threshold = expr__get(p->threshold);
	if (!r->scope->no_threshold)
		unite_copy(&m->id_set, p->threshold_ids);
	if (!idset__has(m->id_set, m->info.name)) {
		idset__add(m->id_set, m->info.name);
		mark_metrics(r, &m->info, m->id_set);
	}
	return 0;
}

int resolver__metric(struct resolver *r, int number, struct metric *m, struct err *err)
{
	struct visit visit = { .name = *m->info.threshold ? "threshold" : m->info.name };
	int ret;

	r->resolutions++;
	ret = first_ids(r, number, m, err) ?: resolve_ids(r, m, &visit, err);
	if (ret)
		return ret;
	m->nr_ids = idset__size(m->id_set);
	m->ids = xmalloc((m->nr_ids + 1) * sizeof(*m->ids));
	idset__list(m->id_set, m->ids);
	return 0;
}

struct strmap *metric__names(const struct metric *m)
{
	struct strmap *names = strmap__new();

	for (int i = 0; i < m->nr_ids; i++)
		strmap__put(names, m->ids[i], i);
	for (int i = 0; i < m->nr_refs; i++)
		strmap__put(names, m->refs[i].name, m->nr_ids + i);
	return names;
}

int metric__find(const struct metric *m, const struct strmap *names, const char *name)
{
	int at = strmap__get(names, name);

	for (int i = 0; at < 0 && i < m->nr_refs; i++)
		if (!strcasecmp(m->refs[i].name, name))
			at = m->nr_ids + i;
	return at;
}
