// SPDX-License-Identifier: GPL-2.0-only
/* Expressions and thresholds are read, and every name in them looked up. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/suggest.h"
#include "lint/internal.h"
#include "tables/tables.h"

static bool is_name(const struct expr_node *node)
{
	return node->op == EXPR_ID || node->op == EXPR_SOURCE_COUNT;
}

static int read_formula(struct model_check *c, const struct checked *m, struct formula *f,
			const char *what)
{
	struct place at = check__place(c, m->entry, f->field);
	struct sb name = SB_INIT;
	struct err err = ERR_INIT;
	int rc;

	if (!*f->text)
		return 0;
	sb__printf(&name, "%s %s", what, m->name);
	rc = name.err ? -ENOMEM : expr__parse(sb__str(&name), f->text, &f->expr, &err);
	sb__free(&name);
	if (rc) {
		f->expr = NULL;
		if (rc != -ENOMEM)
			lint__add_syntax(c->lint, &at, err.msg);
		return rc == -ENOMEM ? rc : 0;
	}
	f->refs = malloc(f->expr->nr * sizeof(*f->refs));
	f->ids = calloc(f->expr->nr, sizeof(*f->ids));
	f->found = calloc(f->expr->nr, sizeof(*f->found));
	return f->refs && f->ids && f->found ? 0 : -ENOMEM;
}

static void say_unknown(struct model_check *c, const struct checked *m, const struct place *at,
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

static void judge_event(struct model_check *c, const struct checked *m, const struct place *at,
			const char *id, const struct name *name)
{
	struct event_info info;

	switch (name->is) {
	case NAME_UNKNOWN:
		say_unknown(c, m, at, id);
		break;
	case NAME_OTHER_CORE:
		lint__add(c->lint, at, LINT_CORE_TYPE, "metric %s of %s: '%s' is an event of %s",
			  m->name, m->pmu, id, name->pmu);
		break;
	case NAME_EVENT:
		names__info(&c->names, name, &info);
		if (info.deprecated)
			lint__add(c->lint, at, LINT_DEPRECATED,
				  "metric %s: event '%s' is deprecated%s%s", m->name, id,
				  *info.desc ? ": " : "", info.desc);
		break;
	case NAME_KERNELS:
	case NAME_UNTOLD:
		break;
	}
}

static int look_up(struct model_check *c, const struct checked *m, struct formula *f, int node,
		   bool again)
{
	struct place at = check__place(c, m->entry, f->field);
	const char *id = f->expr->at[node].id;
	struct err err = ERR_INIT;
	int rc;

	f->refs[node] = names__metric(&c->names, m->pmu, id);
	if (f->refs[node] == -ENOMEM)
		return -ENOMEM;
	if (f->refs[node] >= 0 || names__base_metric(&c->names, m->pmu, id))
		return 0;
	at.text = f->text;
	at.column = f->expr->at[node].column;
	rc = event_id__split(id, &f->ids[node], &err);
	if (rc == -ENOMEM)
		return rc;
	if (rc && !again)
		lint__add(c->lint, &at, LINT_EVENT_NAME, "metric %s: '%s': %s", m->name, id,
			  err.msg);
	if (rc)
		return 0;
	names__event(&c->names, m->pmu, &f->ids[node], &f->found[node]);
	if (!again)
		judge_event(c, m, &at, id, &f->found[node]);
	return 0;
}

/* What is wrong with a name is said where it stands first. */
static bool stands_before(const struct formula *f, int node)
{
	for (int i = 0; i < node; i++)
		if (is_name(&f->expr->at[i]) && !strcmp(f->expr->at[i].id, f->expr->at[node].id))
			return true;
	return false;
}

static int look_up_all(struct model_check *c, const struct checked *m, struct formula *f)
{
	int rc = 0;

	for (int i = 0; f->expr && !rc && i < f->expr->nr; i++) {
		f->refs[i] = -1;
		if (is_name(&f->expr->at[i]))
			rc = look_up(c, m, f, i, stands_before(f, i));
	}
	return rc;
}

int check__names(struct model_check *c)
{
	int rc = 0;

	for (int i = 0; !rc && i < c->model->metrics.nr; i++) {
		struct checked *m = &c->metrics[i];

		rc = read_formula(c, m, &m->value, "metric");
		if (!rc)
			rc = read_formula(c, m, &m->threshold, "threshold of metric");
		if (!rc)
			rc = look_up_all(c, m, &m->value);
		if (!rc)
			rc = look_up_all(c, m, &m->threshold);
	}
	return rc;
}
