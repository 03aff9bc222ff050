// SPDX-License-Identifier: GPL-2.0-only
/* Combine the intervals of a run into its phases, and judge each. */
#include "base/xalloc.h"
#include "verdict/trees.h"

/* Return: the node of a value in a row of phases: nodes of the first level come first. */
static int node_at(const struct verdict_subject *s, int place)
{
	for (int top = 1;; top = 0)
		for (int i = 0; i < s->tree.nr; i++)
			if ((s->tree.nodes[i].level == 1) == top && !place--)
				return i;
}

void verdicts__add_to_phases(struct verdicts *v, struct verdict_subject *s)
{
	const struct row_time *time = v->sums->time;
	uint64_t end = time->since_start_ns;

	for (int i = 0; i < s->tree.nr; i++) {
		int node = node_at(s, i);

		s->row_values[i] = s->tree.nodes[node].value *
				   verdict_metric__scale(&s->metrics[node]);
	}
	phases__add(&s->phases, end > time->elapsed_ns ? end - time->elapsed_ns : 0, end,
		    s->row_values);
}

/* Put the means of a phase into the tree, without errors, and judge it. */
static void judge_phase(struct verdict_subject *s, int from, int to)
{
	for (int i = 0; i < s->tree.nr; i++) {
		int node = node_at(s, i);

		s->tree.nodes[node].value = phases__mean(&s->phases, i, from, to) /
					    verdict_metric__scale(&s->metrics[node]);
		s->tree.nodes[node].error = 0;
	}
	verdict_tree__judge(&s->tree);
}

static void tell_phase(const struct verdict_subject *s, struct grid_phase *to)
{
	to->path.at = xcalloc(s->tree.nr, sizeof(*to->path.at));
	to->values = xcalloc(s->tree.nr, sizeof(*to->values));
	for (int n = -1; (n = verdict_tree__next(&s->tree, n, false)) >= 0;) {
		to->values[to->path.nr] = s->tree.nodes[n].value *
					  verdict_metric__scale(&s->metrics[n]);
		to->path.at[to->path.nr++] = n;
	}
}

void verdicts__tell_phases(struct verdict_subject *s, struct grid_verdict *to)
{
	int starts[PHASES_MOST + 1], nr = s->row_values ? phases__find(&s->phases, starts) : 0;

	if (nr < 2)
		return;
	starts[nr] = s->phases.nr;
	to->phases = xcalloc(nr, sizeof(*to->phases));
	to->nr_phases = nr;
	for (int i = 0; i < nr; i++) {
		struct grid_phase *phase = &to->phases[i];

		phase->start_ns = s->phases.points[starts[i]].start_ns;
		phase->end_ns = s->phases.points[starts[i + 1] - 1].end_ns;
		for (int at = starts[i]; at < starts[i + 1]; at++)
			phase->intervals += s->phases.points[at].rows;
		judge_phase(s, starts[i], starts[i + 1]);
		tell_phase(s, phase);
	}
}
