// SPDX-License-Identifier: GPL-2.0-only
/* From metrics to TopDown trees, and from a row's values and errors to those of the nodes. */
#include "report/verdicts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/expr.h"
#include "metrics/relations.h"
#include "plan/sets.h"
#include "report/error.h"

#define ALL_OF_IT 0.9995 /* of the time: what is missing is that of a switch */

static const struct {
	const char *why, *remedy;
} doubts[DOUBT_NR] = {
	[DOUBT_NONE] = { "", "" },
	[DOUBT_ERROR] = { "the threshold lies within the error",
			  "count for longer, or a command with --passes" },
	[DOUBT_FEW_TURNS] = { "events took turns and had too few of them to tell the error",
			      "count for longer, or a command with --passes" },
	[DOUBT_NO_READS] = { "events took turns and nothing was read in between to tell the error",
			     "count with --verdict, or a command with --passes" },
	[DOUBT_ROTATED] = { "with --schedule=rotate nothing is read in between to tell the error",
			    "leave turns to the kernel, or count a command with --passes" },
	[DOUBT_ELSEWHERE] = { "events took turns on cores the task was on for a part of the time",
			      "keep it on one type of core (taskset)" },
	[DOUBT_RUNS] = { "the runs of the command differ by more than the value is from the threshold",
			 "let it do the same in each" },
	[DOUBT_PASSES] = { "events are of several runs of the command, and nothing tells how they differ",
			   "let it run for longer" },
	[DOUBT_LATENCY] = { "of a retire latency nobody knows the error",
			    "compare several runs with --record-tpebs" },
};

const char *verdict__why(enum verdict_doubt doubt)
{
	return doubts[doubt].why;
}

const char *verdict__remedy(enum verdict_doubt doubt)
{
	return doubts[doubt].remedy;
}

static const struct metric_info *info_of(const struct shown_metric *m)
{
	return &m->metric->metric->info;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The tree a metric belongs to; a new one behind the others. */
static struct verdict_subject *subject_of(struct verdicts *v, const struct shown_metric *m)
{
	const struct event *at = m->metric->shown_at;
	const struct metric *metric = m->metric->metric;
	struct verdict_subject *s;

	for (s = v->at; s < v->at + v->nr; s++)
		if (s->cgroup == at->cgroup && !strcmp(s->pmu, metric->info.pmu) &&
		    same_text(s->modifier, metric->modifier))
			return s;
	*s = (struct verdict_subject){ .pmu = metric->info.pmu, .modifier = metric->modifier,
				       .cgroup = at->cgroup, .core = m->core, .event = at->index };
	v->nr++;
	return s;
}

/* The level of a metric's parts in the tables, the least there is. */
static int parts_level(const struct tables *tables, const struct metric_info *info)
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
	}
	return least;
}

static int node__build(struct report *r, struct verdict_subject *s, const struct shown_metric *m)
{
	const struct metric_info *info = info_of(m);
	const struct tables *tables = r->plan->scope ? r->plan->scope->tables : NULL;
	struct verdict_metric *metric = &s->metrics[s->tree.nr];
	struct expr *threshold = NULL;

	/* One that cannot be read has been told of when the tables were. */
	if (*info->threshold &&
	    expr__parse(info->name, info->threshold, &threshold, NULL) == -ENOMEM)
		return -ENOMEM;
	s->tree.nodes[s->tree.nr++] = (struct verdict_node){
		.name = info->name,
		.threshold = threshold,
		.parent = -1,
		.level = metrics__topdown_level(info),
		.useful = metrics__topdown_is_useful(info),
		.value = NAN,
	};
	metric->shown = m;
	metric->parts_level = parts_level(tables, info);
	metric->same = calloc(r->nr_buckets + 1, sizeof(*metric->same));
	return metric->same ? 0 : -ENOMEM;
}

static int subject__build(struct report *r, struct verdict_subject *s)
{
	int err = 0;

	s->tree.nodes = calloc(r->nr_metrics + 1, sizeof(*s->tree.nodes));
	s->metrics = calloc(r->nr_metrics + 1, sizeof(*s->metrics));
	s->intervals = calloc(r->nr_buckets + 1, sizeof(*s->intervals));
	s->short_of = calloc(r->nr_buckets + 1, sizeof(*s->short_of));
	if (!s->tree.nodes || !s->metrics || !s->intervals || !s->short_of)
		return -ENOMEM;
	for (int i = 0; i < r->nr_metrics && !err; i++)
		if (metrics__topdown_level(info_of(&r->metrics[i])) &&
		    subject_of(r->verdicts, &r->metrics[i]) == s)
			err = node__build(r, s, &r->metrics[i]);
	for (int i = 0; i < s->tree.nr && !err; i++)
		for (int p = 0; p < s->tree.nr; p++)
			if (metrics__related(info_of(s->metrics[i].shown), METRIC_PARENT,
					     info_of(s->metrics[p].shown)))
				s->tree.nodes[i].parent = p;
	return err ? err : verdict_tree__init(&s->tree);
}

static int allocate_passes(struct report *r)
{
	size_t outputs = r->nr_metrics ? program__outputs(r->plan->program) : 0;
	struct verdicts *v = r->verdicts;

	if (!r->opts.passes)
		return 0;
	v->squares = calloc(outputs * r->nr_buckets + 1, sizeof(double));
	v->outputs = calloc(outputs * r->nr_buckets + 1, sizeof(double));
	v->moved = calloc(2 * (size_t)r->nr_events * r->nr_buckets + 1, sizeof(double));
	return v->squares && v->outputs && v->moved ? 0 : -ENOMEM;
}

int verdicts__build(struct report *r)
{
	struct verdicts *v = r->verdicts = calloc(1, sizeof(*v));
	int err = 0;

	if (!v)
		return -ENOMEM;
	v->at = calloc(r->nr_metrics + 1, sizeof(*v->at));
	v->leaders = calloc(r->nr_events + 1, sizeof(*v->leaders));
	v->path = calloc(r->nr_metrics + 1, sizeof(*v->path));
	v->list = calloc(r->nr_metrics + 1, sizeof(*v->list));
	if (!v->at || !v->leaders || !v->path || !v->list)
		return -ENOMEM;
	err = allocate_passes(r);
	for (int i = 0; i < r->nr_metrics; i++)
		if (metrics__topdown_level(info_of(&r->metrics[i])))
			subject_of(v, &r->metrics[i]);
	for (int i = 0; i < v->nr && !err; i++)
		err = subject__build(r, &v->at[i]);
	return err;
}

void verdicts__free(struct report *r)
{
	struct verdicts *v = r->verdicts;

	if (!v)
		return;
	for (int i = 0; i < v->nr; i++) {
		struct verdict_subject *s = &v->at[i];

		for (int n = 0; n < s->tree.nr; n++) {
			expr__free((struct expr *)s->tree.nodes[n].threshold);
			free(s->metrics[n].same);
		}
		verdict_tree__exit(&s->tree);
		free(s->tree.nodes);
		free(s->metrics);
		free(s->intervals);
		free(s->short_of);
	}
	free(v->at);
	free(v->leaders);
	free(v->path);
	free(v->list);
	free(v->squares);
	free(v->moved);
	free(v->outputs);
	free(v);
}

/* --- A row's values --------------------------------------------------------------------------- */

static int leader_of(const struct report *r, const struct event *e)
{
	return r->errors ? r->errors->leaders[e->index] : e->leader ? e->leader->index : e->index;
}

static int add_leader(int *leaders, int nr, int leader)
{
	for (int i = 0; i < nr; i++)
		if (leaders[i] == leader)
			return nr;
	leaders[nr] = leader;
	return nr + 1;
}

/* All that was counted in a pass, and in no other, is more if the command did more in it. */
static void move_pass(struct report *r, int pass)
{
	const struct sets *sets = r->opts.passes;
	double *moved = r->verdicts->moved;

	memcpy(moved, r->in, 2 * (size_t)r->nr_events * r->nr_buckets * sizeof(*moved));
	for (int e = 0; e < r->nr_events; e++)
		for (int b = 0; b < r->nr_buckets; b++)
			if (sets__has(sets, pass, e) && sets__count(sets, e) == 1)
				moved[e * r->nr_buckets + b] *= 1 + r->time->pass_spread;
}

void verdicts__measure_passes(struct report *r)
{
	struct verdicts *v = r->verdicts;
	int cells;

	if (!r->opts.passes)
		return;
	cells = program__outputs(r->plan->program) * r->nr_buckets;
	memset(v->squares, 0, cells * sizeof(*v->squares));
	for (int pass = 0; pass < r->opts.passes->nr; pass++) {
		move_pass(r, pass);
		program__eval(r->plan->program, r->nr_buckets, v->moved, r->sources, v->outputs);
		for (int i = 0; i < cells; i++) {
			double off = v->outputs[i] - r->values[i];

			v->squares[i] += off * off;
		}
	}
}

/* For which share of the time its events were counted, and in how many groups that took turns. */
static void measure_share(struct report *r, struct verdict_metric *m, int bucket)
{
	const struct plan_metric *pm = m->shown->metric;

	m->share = NAN;
	m->groups = 0;
	for (int i = 0; pm->events && i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];
		const struct sum *s = e ? &r->sums[e->index * r->nr_buckets + bucket] : NULL;
		double share;

		if (!s || e->tool || e->retire_latency || !s->enabled)
			continue;
		share = (double)s->running / s->enabled;
		if (!(share >= m->share))
			m->share = share;
		if (share < ALL_OF_IT)
			m->groups = add_leader(r->verdicts->leaders, m->groups, leader_of(r, e));
	}
}

/* Of a task, what a core type could count: the rest of the time it was elsewhere. */
static bool is_all_counted(const struct report *r, const struct verdict_metric *m, int bucket)
{
	int type = pmu__place(r->machine, m->shown->core);

	if (isnan(m->share) || m->share >= ALL_OF_IT)
		return true;
	return r->shares && m->shown->core &&
	       share__is_all_counted(r, type, bucket, 100 * m->share);
}

/* As the threshold compares it; NAN when nobody knows. */
static double error_of(const struct report *r, struct verdict_metric *m, int bucket)
{
	int output = m->shown->metric->value;
	double error = NAN;

	m->doubt = DOUBT_NONE;
	if (m->shown->nr_latencies)
		m->doubt = DOUBT_LATENCY;
	else if (m->shown->metric->over_passes)
		error = sqrt(r->verdicts->squares[output * r->nr_buckets + bucket]);
	else if (m->whole)
		error = 0;
	else if (r->shares && m->shown->core)
		m->doubt = DOUBT_ELSEWHERE;
	else if (!r->errors || !r->errors->usable)
		m->doubt = r->opts.rotated ? DOUBT_ROTATED : DOUBT_NO_READS;
	else
		error = error__of_metric(r, m->shown, bucket) / fabs(m->shown->scale);
	if (isnan(error) && m->doubt == DOUBT_NONE)
		m->doubt = m->shown->metric->over_passes ? DOUBT_PASSES : DOUBT_FEW_TURNS;
	return error;
}

enum verdict_extent verdicts__judge(struct report *r, struct verdict_subject *s, int bucket)
{
	bool some = false, top = true;

	for (int i = 0; i < s->tree.nr; i++) {
		struct verdict_node *n = &s->tree.nodes[i];
		struct verdict_metric *m = &s->metrics[i];

		n->value = r->values[m->shown->metric->value * r->nr_buckets + bucket];
		measure_share(r, m, bucket);
		m->whole = is_all_counted(r, m, bucket);
		n->error = error_of(r, m, bucket);
		some |= isfinite(n->value);
		top &= n->parent >= 0 || isfinite(n->value);
	}
	verdict__judge(&s->tree);
	return !some ? EXTENT_NONE : top ? EXTENT_TOP : EXTENT_SOME;
}

void verdicts__add_row(struct report *r)
{
	struct verdicts *v = r->verdicts;

	for (int i = 0; v && i < v->nr * r->nr_buckets; i++) {
		struct verdict_subject *s = &v->at[i / r->nr_buckets];
		int bucket = i % r->nr_buckets, node = -1;
		enum verdict_extent extent = verdicts__judge(r, s, bucket);

		s->short_of[bucket] += extent == EXTENT_SOME;
		if (extent != EXTENT_TOP)
			continue;
		s->intervals[bucket]++;
		while ((node = verdict__next(&s->tree, node, false)) >= 0)
			s->metrics[node].same[bucket]++;
	}
}

/* --- What there is to say --------------------------------------------------------------------- */

int verdict__path(const struct report *r, const struct verdict_subject *s)
{
	int node = -1, nr = 0;

	while ((node = verdict__next(&s->tree, node, true)) >= 0)
		r->verdicts->path[nr++] = node;
	return nr;
}

static bool has(const int *nodes, int nr, int node)
{
	while (nr--)
		if (nodes[nr] == node)
			return true;
	return false;
}

/* By level, and by value in each. */
static int add_sorted(const struct verdict_tree *t, int *list, int nr, int node)
{
	const struct verdict_node *new = &t->nodes[node];
	int at = nr;

	for (; at; at--) {
		const struct verdict_node *before = &t->nodes[list[at - 1]];

		if (before->level < new->level ||
		    (before->level == new->level && before->value >= new->value))
			break;
		list[at] = list[at - 1];
	}
	list[at] = node;
	return nr + 1;
}

int verdict__others(const struct report *r, const struct verdict_subject *s, int path)
{
	const struct verdict_tree *t = &s->tree;
	int nr = 0;

	for (int i = 0; i < t->nr; i++)
		if (t->nodes[i].state == VERDICT_OVER && t->nodes[i].threshold &&
		    !has(r->verdicts->path, path, i))
			nr = add_sorted(t, r->verdicts->list, nr, i);
	return nr;
}

/* Without thresholds, what is no part of the bottleneck cannot become it. */
static bool matters(const struct report *r, const struct verdict_tree *t, int path, int node)
{
	int end = path ? r->verdicts->path[path - 1] : -1;

	return t->nodes[node].threshold || t->nodes[node].parent == end;
}

int verdict__uncertain(const struct report *r, const struct verdict_subject *s, bool over)
{
	const struct verdict_tree *t = &s->tree;
	int path = verdict__path(r, s), nr = 0;

	for (int i = 0; i < t->nr; i++) {
		const struct verdict_node *n = &t->nodes[i];

		if (n->state == VERDICT_UNCERTAIN && (n->over || (!over && !isnan(n->error))) &&
		    matters(r, t, path, i))
			nr = add_sorted(t, r->verdicts->list, nr, i);
	}
	return nr;
}

enum verdict_doubt verdict__doubt(const struct verdict_subject *s, int node)
{
	enum verdict_doubt doubt = s->metrics[node].doubt;

	/* With an exact value it is another metric's that its threshold compares. */
	if (doubt != DOUBT_NONE || s->tree.nodes[node].error <= 0)
		return doubt;
	return s->metrics[node].shown->metric->over_passes ? DOUBT_RUNS : DOUBT_ERROR;
}

void verdict__put_next(const struct verdict_subject *s, int node, bool both, struct sb *sb)
{
	const char *name = s->tree.nodes[node].name;
	int level = s->metrics[node].parts_level;

	if (level && s->modifier)
		sb__printf(sb, "tma stat -M %s_group:%s --verdict", name, s->modifier);
	else if (level)
		sb__printf(sb, "tma stat --topdown --td-level %d --verdict", level);
	if (level && both && !s->modifier)
		sb__printf(sb, " (or -M %s_group)", name);
}
