// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find metrics that refer to themselves, or to a chain of too many metrics. The search has its own
 * stack, so that its depth is not limited.
 */
#include "lint/internal.h"
#include "metrics/metrics.h"

#define NAMES_MAX 12

/* A metric on the path, and the node of its expression to follow next. */
struct step {
	int metric, next;
};

struct path {
	VEC(struct step) steps;
};

static void push(struct model_check *c, struct path *path, int metric)
{
	c->metrics[metric].visit = VISIT_ON_PATH;
	vec__push(&path->steps, (struct step){ metric, 0 });
}

/*
 * Mark a cycle, and print the names of its metrics, "a -> b -> a"; of a long cycle, only the first
 * names. Return: whether a metric of the cycle was not in a cycle found before.
 */
static bool mark_cycle(struct model_check *c, const struct step *first, const struct step *end,
		       struct sb *names)
{
	bool is_new = false;

	for (const struct step *s = first; s < end; s++) {
		struct checked *m = &c->metrics[s->metric];

		is_new |= !m->cyclic;
		m->cyclic = true;
		if (s - first < NAMES_MAX)
			sb__printf(names, "%s -> ", m->name);
		else if (s - first == NAMES_MAX)
			sb__printf(names, "(%d more) -> ", (int)(end - s));
	}
	sb__puts(names, c->metrics[first->metric].name);
	return is_new;
}

/* Report a cycle: the last metric of the path refers to an earlier metric of the path. */
static void found_cycle(struct model_check *c, const struct path *path, int back_to)
{
	const struct step *first = path->steps.at, *end = first + path->steps.nr;
	const struct checked *m = &c->metrics[back_to];
	struct sb names = SB_INIT;

	while (first->metric != back_to)
		first++;
	if (mark_cycle(c, first, end, &names))
		lint__add(c->lint, check__place_in(c, m, &m->value, first->next - 1), LINT_CYCLE,
			  "metric %s refers to itself: %s", m->name, sb__str(&names));
	sb__free(&names);
}

/* Follow the references of one metric until all metrics that it needs are done. */
static void visit(struct model_check *c, struct path *path, int metric)
{
	push(c, path, metric);
	while (path->steps.nr) {
		struct step *top = &path->steps.at[path->steps.nr - 1];
		struct checked *m = &c->metrics[top->metric];
		int ref;

		if (!m->value.expr || top->next == m->value.expr->nr) {
			m->visit = VISIT_DONE;
			vec__push(&c->order, top->metric);
			path->steps.nr--;
			continue;
		}
		ref = m->value.refs[top->next++];
		if (ref < 0)
			continue;
		if (c->metrics[ref].visit == VISIT_NEW)
			push(c, path, ref);
		else if (c->metrics[ref].visit == VISIT_ON_PATH)
			found_cycle(c, path, ref);
	}
}

/*
 * Report a chain that is too long at the metrics where it exceeds the limit, not at all metrics
 * above. In this order, metrics follow the metrics that they refer to.
 */
static void check_depths(struct model_check *c)
{
	for (int i = 0; i < c->order.nr; i++) {
		struct checked *m = &c->metrics[c->order.at[i]];

		for (int k = 0; m->value.expr && k < m->value.expr->nr; k++) {
			int ref = m->value.refs[k], depth;

			depth = ref < 0 || m->cyclic ? 0 : c->metrics[ref].depth + 1;
			m->depth = depth > m->depth ? depth : m->depth;
		}
		if (m->depth + !!m->threshold.expr <= RESOLVE_MAX_DEPTH)
			continue;
		lint__add(c->lint, check__place(c, m->entry, m->value.field), LINT_DEPTH,
			  "metric %s: its longest chain of references has more than %d metrics",
			  m->name, RESOLVE_MAX_DEPTH);
		m->depth = 0;
	}
}

void check__cycles(struct model_check *c)
{
	struct path path = { .steps = { .at = NULL } };

	for (int i = 0; i < c->model->metrics.nr; i++)
		if (c->metrics[i].visit == VISIT_NEW)
			visit(c, &path, i);
	vec__free(&path.steps);
	check_depths(c);
}
