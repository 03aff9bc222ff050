// SPDX-License-Identifier: GPL-2.0-only
/* Fill the nodes of a tree with the values and errors of a row, and judge them. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "events/topdown.h"
#include "plan/sets.h"
#include "verdict/trees.h"


/*
 * Factor of errors for rows of sites. There are many such rows, so a certain verdict needs
 * intervals of 98 % instead of 90 %.
 */
#define CERTAIN_OF_SITES 1.4

static int leader_of(const struct verdicts *v, const struct event *e)
{
	if (v->errors)
		return v->errors->leaders[e->index];
	return e->leader ? e->leader->index : e->index;
}

/* Increase the counts of events that only this pass counted, as if its run had done more work. */
static void move_pass(struct verdicts *v, int pass)
{
	const struct sets *sets = v->sums->opts->passes;
	const struct sums *s = v->sums;

	memcpy(v->moved, s->in, (size_t)plan__nr_columns(s->plan) * s->nr_rows * sizeof(*v->moved));
	for (int e = 0; e < s->nr_events; e++)
		for (int row = 0; row < s->nr_rows; row++)
			if (sets__has(sets, pass, e) && sets__count(sets, e) == 1)
				v->moved[e * s->nr_rows + row] *= 1 + s->time->pass_spread;
}

void verdicts__measure_passes(struct verdicts *v)
{
	const struct sums *s = v->sums;
	int cells;

	if (!v->sums->opts->passes)
		return;
	cells = sums__nr_outputs(s);
	memset(v->squares, 0, cells * sizeof(*v->squares));
	for (int pass = 0; pass < v->sums->opts->passes->nr; pass++) {
		move_pass(v, pass);
		program__eval(s->plan->program, s->nr_rows, v->moved, s->sources, v->outputs);
		for (int i = 0; i < cells; i++) {
			double off = v->outputs[i] - s->out[i];

			if (!error__is_noise(off, s->out[i]))
				v->squares[i] += off * off;
		}
	}
}

/*
 * Find the smallest share of time of a metric's events, and count the multiplexed groups of the
 * metric.
 */
static void measure_share(struct verdicts *v, struct verdict_metric *m, int row)
{
	const struct plan_metric *pm = m->summed->metric;

	m->share = NAN;
	m->groups = 0;
	for (int i = 0; pm->events && i < pm->metric->nr_ids; i++) {
		const struct event *e = pm->events[i];
		const struct sum *sum = e ? sums__at(v->sums, e->index, row) : NULL;
		double share;

		if (!sum || e->tool || e->retire_latency || !sum->enabled)
			continue;
		share = (double)sum->running / sum->enabled;
		if (!(share >= m->share))
			m->share = share;
		if (share < WHOLE_TIME)
			m->groups = array__add_once(v->leaders, m->groups, leader_of(v, e));
	}
}

/* Whether a metric was counted whenever a task was on the metric's type of core. */
static bool is_all_counted(const struct sums *s, const struct verdict_metric *m, int row)
{
	const struct pmu *core = m->summed->core;

	/* Samples never show everything, even if the events ran all the time. */
	if (s->opts->sites)
		return false;
	if (isnan(m->share) || m->share >= WHOLE_TIME)
		return true;
	return s->shares && core &&
	       share__is_all_counted(s, pmu__place(s->machine, core), row, 100 * m->share);
}

/* Whether a task spent more than 1 % of its time on another type of cores. */
static bool is_elsewhere(const struct sums *s, const struct pmu *core, int row)
{
	return s->shares && core && !share__is_nearly_all(s, pmu__place(s->machine, core), row);
}

/* Return: the error of a metric, in the unit of its threshold; NAN if unknown. */
static double judge__error_of(const struct verdicts *v, struct verdict_metric *m, int row)
{
	const struct summed_metric *summed = m->summed;
	double error = NAN;

	m->doubt = DOUBT_NONE;
	if (summed->nr_latencies)
		m->doubt = DOUBT_LATENCY;
	else if (summed->metric->over_passes)
		error = sqrt(v->squares[summed->metric->value * v->sums->nr_rows + row]);
	else if (m->whole)
		error = 0;
	else if (is_elsewhere(v->sums, summed->core, row))
		m->doubt = DOUBT_ELSEWHERE;
	else if (!v->errors || !v->errors->usable)
		m->doubt = v->sums->opts->rotated ? DOUBT_ROTATED : DOUBT_NO_READS;
	else
		error = error__of_metric(v->errors, summed, row) / fabs(summed->scale) *
			(v->sums->opts->sites ? CERTAIN_OF_SITES : 1);
	if (isnan(error) && m->doubt == DOUBT_NONE)
		m->doubt = summed->metric->over_passes ? DOUBT_PASSES : DOUBT_FEW_TURNS;
	return error;
}

/*
 * Find the steps of values that come from fields of a register. A field is rounded by half a step
 * at most. A node of the first level is one field; a node of the second level is the difference of
 * two fields. A deeper node is a share of its parent, and has this share of the parent's step.
 */
static void find_resolutions(const struct verdict_subject *s)
{
	struct verdict_node *nodes = s->tree.nodes;

	for (int level = 1; level <= s->deepest; level++)
		for (int i = 0; i < s->tree.nr; i++) {
			struct verdict_node *n = &nodes[i];
			const struct verdict_node *whole = n->parent >= 0 ? &nodes[n->parent]
									  : NULL;

			if (n->level != level || !s->metrics[i].of_fields)
				continue;
			n->resolution = (level == 1 ? 0.5 : 1) / TOPDOWN_STEPS;
			if (level > 2 && whole && n->value >= 0 && n->value < whole->value)
				n->resolution = whole->resolution * n->value / whole->value;
		}
}

/* Return: a metric's value; NAN if it only covers a part of the row, which proves nothing. */
static double judge__value_of(struct sums *s, const struct verdict_metric *m, int row)
{
	const struct plan_metric *pm = m->summed->metric;

	return sums__lacking_event(s, pm) < 0 ? s->out[pm->value * s->nr_rows + row] : NAN;
}

enum verdict_extent verdicts__judge(struct verdicts *v, struct verdict_subject *s, int row)
{
	bool some = false, top = true;

	for (int i = 0; i < s->tree.nr; i++) {
		struct verdict_node *n = &s->tree.nodes[i];
		struct verdict_metric *m = &s->metrics[i];

		n->value = judge__value_of(v->sums, m, row);
		measure_share(v, m, row);
		m->whole = is_all_counted(v->sums, m, row);
		n->error = judge__error_of(v, m, row);
		some |= isfinite(n->value);
		top &= n->parent >= 0 || isfinite(n->value);
	}
	find_resolutions(s);
	verdict_tree__judge(&s->tree);
	if (!some)
		return EXTENT_NONE;
	return top ? EXTENT_TOP : EXTENT_SOME;
}

/* Whether a node is certainly larger than all siblings that are over their thresholds. */
static bool is_largest(const struct verdict_tree *t, int node)
{
	const struct verdict_node *n = &t->nodes[node];

	for (int i = 0; i < t->nr; i++) {
		const struct verdict_node *o = &t->nodes[i];

		if (i == node || o->parent != n->parent || o->state != VERDICT_OVER ||
		    (o->useful && !n->useful))
			continue;
		if (n->value - o->value < hypot(n->error, o->error))
			return false;
	}
	return true;
}

const char *verdicts__bottleneck(struct verdicts *v, int row, const char *core)
{
	for (int i = 0; i < v->nr; i++) {
		struct verdict_subject *s = &v->at[i];
		int node = -1, last = -1;

		if (core && (!s->core || strcmp(s->core->name, core)))
			continue;
		if (verdicts__judge(v, s, row) != EXTENT_TOP)
			continue;
		while ((node = verdict_tree__next(&s->tree, node, true)) >= 0 &&
		       is_largest(&s->tree, node))
			last = node;
		if (last >= 0)
			return s->tree.nodes[last].name;
	}
	return NULL;
}

void verdicts__add_row(struct verdicts *v)
{
	for (int i = 0; v && i < v->nr * v->sums->nr_rows; i++) {
		struct verdict_subject *s = &v->at[i / v->sums->nr_rows];
		int row = i % v->sums->nr_rows, node = -1;
		enum verdict_extent extent = verdicts__judge(v, s, row);

		s->short_of[row] += extent == EXTENT_SOME;
		if (extent != EXTENT_TOP)
			continue;
		s->intervals[row]++;
		if (s->row_values)
			verdicts__add_to_phases(v, s);
		while ((node = verdict_tree__next(&s->tree, node, false)) >= 0)
			s->metrics[node].same[row]++;
	}
}
