// SPDX-License-Identifier: GPL-2.0-only
/* Parse expressions and thresholds, and look up all names in them. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strmap.h"
#include "base/suggest.h"
#include "lint/internal.h"
#include "tables/tables.h"

#define MAX_SAID 20 /* limit of reports for a formula; others come when these are fixed */

static bool is_name(const struct expr_node *node)
{
	return node->op == EXPR_ID || node->op == EXPR_SOURCE_COUNT;
}

static void read_formula(struct model_check *c, const struct checked *m, struct formula *f,
			const char *what)
{
	struct err err = ERR_INIT;
	char *name;

	if (!*f->text)
		return;
	name = xasprintf("%s %s", what, m->name);
	if (expr__parse(name, f->text, &f->expr, &err)) {
		f->expr = NULL;
		lint__add_syntax(c->lint, check__place(c, m->entry, f->field), err.msg);
	} else {
		f->refs = arena__calloc(&c->memory, f->expr->nr, sizeof(*f->refs));
	}
	free(name);
}

static void add_unknown_name(struct model_check *c, const struct checked *m, struct lint_place at,
			const char *id)
{
	struct sb near = SB_INIT;
	struct suggest s;

	suggest__init(&s, id);
	names__suggest(&c->names, m->pmu, &s);
	suggest__print(&s, &near);
	lint__add(c->lint, at, LINT_UNKNOWN_NAME,
		  "metric %s: '%s' is neither an event nor a metric%s", m->name, id,
		  sb__str(&near));
	sb__free(&near);
}

/* Report a mistake in the use of an event. Return: whether there is one. */
static bool judge_event(struct model_check *c, const struct checked *m, struct lint_place at,
			const char *id, const struct lint_name *name)
{
	struct event_info info;

	switch (name->is) {
	case NAME_UNKNOWN:
		add_unknown_name(c, m, at, id);
		return true;
	case NAME_OF_NO_MODEL:
		lint__add(c->lint, at, LINT_UNKNOWN_NAME,
			  "metric %s: '%s' is neither an event nor a metric of any model that is "
			  "built in",
			  m->name, id);
		return true;
	case NAME_OTHER_CORE:
		lint__add(c->lint, at, LINT_CORE_TYPE, "metric %s of %s: '%s' is an event of %s",
			  m->name, m->pmu, id, name->pmu);
		return true;
	case NAME_EVENT:
		names__info(&c->names, name, &info);
		if (info.deprecated)
			lint__add(c->lint, at, LINT_DEPRECATED,
				  "metric %s: event '%s' is deprecated%s%s", m->name, id,
				  *info.desc ? ": " : "", info.desc);
		return info.deprecated;
	default:
		return false;
	}
}

/*
 * "EV:zz" could be a tracepoint, but no system of tracepoints has the name of an event in the
 * tables.
 */
static bool judge_tracepoint(struct model_check *c, const struct checked *m, struct lint_place at,
			     const char *id)
{
	struct event_id event = { .modifiers = "" };
	struct lint_name name;
	char *head = xstrdup(id), *colon = strchr(head, ':');

	*colon = '\0';
	event.head = head;
	names__event(&c->names, m->pmu, &event, &name);
	if (name.is == NAME_EVENT)
		lint__add(c->lint, at, LINT_EVENT_NAME,
			  "metric %s: '%s': '%s' are not modifiers of an event", m->name, id,
			  colon + 1);
	free(head);
	return name.is == NAME_EVENT;
}

/* Check the event that a node names. Return: whether something was reported. */
static bool check_event(struct model_check *c, const struct checked *m, const struct formula *f,
			int node)
{
	struct lint_place at = check__place_in(c, m, f, node);
	const char *id = f->expr->at[node].id;
	struct err err = ERR_INIT;
	struct event_id split;
	struct lint_name name;
	bool said;

	if (event_id__split(id, &split, &err)) {
		lint__add(c->lint, at, LINT_EVENT_NAME, "metric %s: '%s': %s", m->name, id,
			  err.msg);
		return true;
	}
	names__event(&c->names, m->pmu, &split, &name);
	said = split.tracepoint ? judge_tracepoint(c, m, at, id) :
				  judge_event(c, m, at, id, &name);
	event_id__free(&split);
	return said;
}

/*
 * Report a wrong name at the first place where it occurs; @seen has the last formula with each
 * name.
 */
static void look_up_all(struct model_check *c, const struct checked *m, struct formula *f,
			struct strmap *seen, int number)
{
	int said = 0;

	for (int i = 0; f->expr && i < f->expr->nr; i++) {
		const char *id = f->expr->at[i].id;

		f->refs[i] = -1;
		if (!is_name(&f->expr->at[i]))
			continue;
		f->refs[i] = names__metric(&c->names, m->pmu, id);
		if (f->refs[i] >= 0 || said == MAX_SAID || strmap__get(seen, id) == number ||
		    (c->names.base && tables__find_metric(c->names.base, m->pmu, id) >= 0))
			continue;
		strmap__put(seen, id, number);
		said += check_event(c, m, f, i);
	}
}

void check__names(struct model_check *c)
{
	struct strmap *seen = strmap__new();

	for (int i = 0; i < c->model->metrics.nr; i++) {
		struct checked *m = &c->metrics[i];

		read_formula(c, m, &m->value, "metric");
		read_formula(c, m, &m->threshold, "threshold of metric");
		look_up_all(c, m, &m->value, seen, 2 * i);
		look_up_all(c, m, &m->threshold, seen, 2 * i + 1);
	}
	strmap__free(seen);
}
