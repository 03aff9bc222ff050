// SPDX-License-Identifier: GPL-2.0-only
/* Build TopDown trees of the counted metrics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "metrics/expr.h"
#include "metrics/metrics.h"
#include "verdict/trees.h"

/* With a smaller change of the first level, in points, there is no new phase. */
#define LEAST_POINTS_OF_PERCENT 2

static const struct metric_info *info_of(const struct summed_metric *m)
{
	return &m->metric->metric->info;
}

/* Find the tree that a metric belongs to, or add it. */
static struct verdict_subject *subject_of(struct verdicts *v, const struct summed_metric *m)
{
	const struct event *at = m->metric->shown_at;
	const struct metric *metric = m->metric->metric;
	struct verdict_subject *s;

	for (s = v->at; s < v->at + v->nr; s++)
		if (s->cgroup == at->cgroup && !strcmp(s->pmu, metric->info.pmu) &&
		    text__same(s->modifier, metric->modifier))
			return s;
	*s = (struct verdict_subject){ .pmu = metric->info.pmu, .modifier = metric->modifier,
				       .cgroup = at->cgroup, .core = m->core };
	v->nr++;
	return s;
}

/* Find the children of a metric in the tables. */
static void find_parts(const struct tables *tables, const struct metric_info *info,
		       struct verdict_metric *of)
{
	int nr = tables ? tables__nr_metrics(tables) : 0, least = 0;
	struct metric_info other;

	for (int i = 0; i < nr; i++) {
		int level;

		tables__metric(tables, i, &other);
		if (!metrics__related(info, METRIC_CHILD, &other))
			continue;
		level = metrics__topdown_level(&other);
		if (level && (!least || level < least))
			least = level;
		of->nr_parts += level == metrics__topdown_level(info) + 1;
	}
	of->parts_level = least;
}

/* Whether a metric is computed from fields of a register (events/topdown.h). */
static bool is_of_fields(const struct plan_metric *pm)
{
	for (int i = 0; pm->events && i < pm->metric->nr_ids; i++)
		if (pm->events[i] && topdown__is_metric(pm->events[i]->topdown))
			return true;
	return false;
}

static void verdicts__add_node(struct verdicts *v, struct verdict_subject *s,
			       const struct summed_metric *m)
{
	const struct metric_info *info = info_of(m);
	const struct metrics_scope *scope = v->sums->plan->scope;
	struct verdict_metric *metric = &s->metrics[s->tree.nr];
	struct expr *threshold = NULL;

	/* A threshold with a syntax error was reported when the tables were loaded. */
	if (*info->threshold)
		expr__parse(info->name, info->threshold, &threshold, NULL);
	s->tree.nodes[s->tree.nr++] = (struct verdict_node){
		.name = info->name,
		.threshold = threshold,
		.parent = -1,
		.level = metrics__topdown_level(info),
		.useful = metrics__topdown_is_useful(info),
		.value = NAN,
	};
	metric->summed = m;
	metric->of_fields = is_of_fields(m->metric);
	if (s->deepest < metrics__topdown_level(info))
		s->deepest = metrics__topdown_level(info);
	find_parts(scope ? scope->tables : NULL, info, metric);
	metric->same = arena__calloc(&v->memory, v->sums->nr_rows, sizeof(*metric->same));
}

static void init_phases(struct verdicts *v, struct verdict_subject *s)
{
	int top = 0;

	for (int i = 0; i < s->tree.nr; i++)
		top += s->tree.nodes[i].level == 1;
	phases__init(&s->phases, s->tree.nr, top, LEAST_POINTS_OF_PERCENT, &v->memory);
	s->row_values = arena__calloc(&v->memory, s->tree.nr, sizeof(*s->row_values));
}

static void build_subject(struct verdicts *v, struct verdict_subject *s)
{
	const struct sums *sums = v->sums;

	s->tree.nodes = arena__calloc(&v->memory, sums->nr_metrics, sizeof(*s->tree.nodes));
	s->metrics = arena__calloc(&v->memory, sums->nr_metrics, sizeof(*s->metrics));
	s->intervals = arena__calloc(&v->memory, sums->nr_rows, sizeof(*s->intervals));
	s->short_of = arena__calloc(&v->memory, sums->nr_rows, sizeof(*s->short_of));
	for (int i = 0; i < sums->nr_metrics; i++)
		if (metrics__topdown_level(info_of(&sums->metrics[i])) &&
		    subject_of(v, &sums->metrics[i]) == s)
			verdicts__add_node(v, s, &sums->metrics[i]);
	for (int i = 0; i < s->tree.nr; i++)
		for (int p = 0; p < s->tree.nr; p++)
			if (metrics__related(info_of(s->metrics[i].summed), METRIC_PARENT,
					     info_of(s->metrics[p].summed)))
				s->tree.nodes[i].parent = p;
	verdict_tree__init(&s->tree, &v->memory);
	if (sums->nr_rows == 1)
		init_phases(v, s);
}

static void allocate_passes(struct verdicts *v)
{
	const struct sums *s = v->sums;
	size_t outputs = sums__nr_outputs(s);

	if (!v->sums->opts->passes)
		return;
	v->squares = arena__calloc(&v->memory, outputs, sizeof(double));
	v->outputs = arena__calloc(&v->memory, outputs, sizeof(double));
	v->moved = arena__calloc(&v->memory, (size_t)plan__nr_columns(s->plan) * s->nr_rows,
				 sizeof(double));
}

struct verdicts *verdicts__new(struct sums *sums, const struct errors *errors)
{
	struct verdicts *v = xcalloc(1, sizeof(*v));

	v->sums = sums;
	v->errors = errors;
	v->at = arena__calloc(&v->memory, sums->nr_metrics, sizeof(*v->at));
	v->leaders = arena__calloc(&v->memory, sums->nr_events, sizeof(*v->leaders));
	allocate_passes(v);
	for (int i = 0; i < sums->nr_metrics; i++)
		if (metrics__topdown_level(info_of(&sums->metrics[i])))
			subject_of(v, &sums->metrics[i]);
	for (int i = 0; i < v->nr; i++)
		build_subject(v, &v->at[i]);
	return v;
}

void verdicts__free(struct verdicts *v)
{
	if (!v)
		return;
	for (int i = 0; i < v->nr; i++)
		for (int n = 0; n < v->at[i].tree.nr; n++)
			expr__free((struct expr *)v->at[i].tree.nodes[n].threshold);
	arena__free(&v->memory);
	free(v);
}
