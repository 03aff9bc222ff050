// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check each element by itself: whether options can name it, whether it is a duplicate, and its
 * description, unit and groups.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "base/text.h"
#include "lint/internal.h"
#include "tables/tables.h"

/*
 * Find the first character in a metric's name that -M does not accept or that cannot be typed, or
 * NULL.
 */
static const char *wrong_in_metric(const char *name)
{
	for (const char *p = name; *p; p++)
		if (iscntrl((unsigned char)*p) || strchr(",:=@()\\\"", *p) ||
		    (isblank((unsigned char)*p) && (p == name || !p[1])))
			return p;
	return NULL;
}

/* Find the first character in an event's name that -e does not accept, or NULL. */
static const char *wrong_in_event(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_.-?*[]!", *p))
			return p;
	return NULL;
}

/**
 * struct element_kind - differences between events and metrics
 * @wrong: finds the first character that no option accepts, or NULL
 * @no_blank: the part of a name in which a blank is not allowed
 */
static const struct element_kind {
	const char *what, *field;
	enum event_text name;
	const char *(*wrong)(const char *name);
	const char *no_blank;
} events = { "event", "EventName", TEXT_NAME, wrong_in_event, "in this name" },
  metrics = { "metric", "MetricName", TEXT_METRIC, wrong_in_metric, "at an end of this name" };

static void add_wrong_name(struct model_check *c, struct lint_place at, const char *name,
		      unsigned char byte, const char *no_blank)
{
	if (isgraph(byte))
		lint__add(c->lint, at, LINT_NAME, "'%s': '%c' is not allowed in this name", name,
			  byte);
	else if (byte == ' ')
		lint__add(c->lint, at, LINT_NAME, "'%s': no blank is allowed %s", name, no_blank);
	else
		lint__add(c->lint, at, LINT_NAME,
			  "'%s': a control character or invalid byte is not allowed in this name",
			  name);
}

/* A unit is reported once for each model. */
static void check_unit(struct model_check *c, struct strmap *seen, const struct tree_entry *entry)
{
	const char *pmu = tree__text(c->tree, entry, TEXT_PMU);

	if (strmap__get(seen, pmu) < 0 && !names__is_core(pmu) && !tables__knows_pmu(pmu))
		lint__add(c->lint, check__place(c, entry, "Unit"), LINT_UNIT,
			  "no built-in table has a unit for PMU %s", pmu);
	strmap__put(seen, pmu, 1);
}

static void check_entry(struct model_check *c, struct strmap *units, const struct tree_entry *entry,
			const struct element_kind *kind)
{
	const char *name = tree__text(c->tree, entry, kind->name), *wrong = kind->wrong(name);
	struct lint_place at = check__place(c, entry, kind->field);

	if (!*tree__text(c->tree, entry, TEXT_DESC) && !*tree__text(c->tree, entry, TEXT_LONG_DESC))
		lint__add(c->lint, at, LINT_DESCRIPTION, "%s %s has no description", kind->what,
			  name);
	if (wrong)
		add_wrong_name(c, at, name, *wrong, kind->no_blank);
	else if (strchr(name, ' '))
		lint__add(c->lint, at, LINT_BLANK,
			  "'%s' has a blank in it: no expression can name it", name);
	check_unit(c, units, entry);
}

static bool is_before(const struct tree_entry *a, const struct tree_entry *b)
{
	return a->file != b->file ? a->file < b->file : a->line < b->line;
}

static void add_duplicate(struct model_check *c, const struct tree_entry *a,
		       const struct tree_entry *b)
{
	const struct tree_entry *first = is_before(a, b) ? a : b, *again = first == a ? b : a;

	lint__add(c->lint, check__place(c, again, "MetricName"), LINT_DUPLICATE,
		  "metric '%s' of PMU %s is already in %s:%d",
		  tree__text(c->tree, again, TEXT_METRIC), tree__text(c->tree, again, TEXT_PMU),
		  c->tree->files.at[first->file].path, first->line);
}

/*
 * Names are compared without case. Metrics with the same name may be for several kinds of systems,
 * which their identifiers distinguish.
 */
static void check_double(struct model_check *c, struct strmap *last, int number)
{
	const struct tree_entry *all = c->model->metrics.at, *entry = &all[number];
	char *key = xasprintf("%s\n%s\n%s", tree__text(c->tree, entry, TEXT_METRIC),
			      tree__text(c->tree, entry, TEXT_PMU),
			      tree__text(c->tree, entry, TEXT_COMPAT));
	int before = strmap__get(last, text__lower(key));

	if (before >= 0)
		add_duplicate(c, &all[before], entry);
	strmap__put(last, key, number);
	free(key);
}

/*
 * A group is reported once for each model. In a tree without any descriptions, they are missing on
 * purpose.
 */
static void check_groups_of(struct model_check *c, struct strmap *seen,
			    const struct tree_entry *entry)
{
	char *groups = xstrdup(tree__text(c->tree, entry, TEXT_GROUPS)), *rest = groups, *group;

	while (c->tree->groups.nr && (group = strsep(&rest, ";"))) {
		if (!*group || strmap__get(c->tree->group_index, group) >= 0 ||
		    strmap__get(seen, group) >= 0)
			continue;
		lint__add(c->lint, check__place(c, entry, "MetricGroup"), LINT_GROUP_DESCRIPTION,
			  "metric group %s is not described in metricgroups.json", group);
		strmap__put(seen, group, 1);
	}
	free(groups);
}

void check__entries(struct model_check *c)
{
	struct strmap *units = strmap__new(), *groups = strmap__new(), *last = strmap__new();
	const struct tree_entry *entry;

	vec__for_each (entry, &c->model->events)
		check_entry(c, units, entry, &events);
	vec__for_each (entry, &c->model->metrics) {
		check_entry(c, units, entry, &metrics);
		check_groups_of(c, groups, entry);
		check_double(c, last, entry - c->model->metrics.at);
	}
	strmap__free(units);
	strmap__free(groups);
	strmap__free(last);
}
