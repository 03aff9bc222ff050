// SPDX-License-Identifier: GPL-2.0-only
/* What an element says of itself: descriptions, doubles, groups. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "lint/internal.h"

static const char *text_of(const struct model_check *c, const struct tree_entry *entry,
			   enum event_text text)
{
	return pool__str(&c->tree->pool, entry->event.text[text]);
}

static void check_event(struct model_check *c, const struct tree_entry *entry)
{
	struct place at = check__place(c, entry, "EventName");

	if (!*text_of(c, entry, TEXT_DESC) && !*text_of(c, entry, TEXT_LONG_DESC))
		lint__add(c->lint, &at, LINT_DESCRIPTION, "event %s has no description",
			  text_of(c, entry, TEXT_NAME));
}

static void check_metric(struct model_check *c, const struct tree_entry *entry)
{
	struct place at = check__place(c, entry, "MetricName");

	if (!*text_of(c, entry, TEXT_DESC) && !*text_of(c, entry, TEXT_LONG_DESC))
		lint__add(c->lint, &at, LINT_DESCRIPTION, "metric %s has no description",
			  text_of(c, entry, TEXT_METRIC));
}

static bool is_before(const struct tree_entry *a, const struct tree_entry *b)
{
	return a->file != b->file ? a->file < b->file : a->line < b->line;
}

static void say_double(struct model_check *c, const struct tree_entry *a,
		       const struct tree_entry *b)
{
	const struct tree_entry *first = is_before(a, b) ? a : b, *again = first == a ? b : a;
	struct place at = check__place(c, again, "MetricName");

	lint__add(c->lint, &at, LINT_DUPLICATE, "metric '%s' of PMU %s is already in %s:%d",
		  text_of(c, again, TEXT_METRIC), text_of(c, again, TEXT_PMU),
		  c->tree->files.at[first->file].path, first->line);
}

/*
 * Names mean the same whatever the case of their letters. Metrics of one name may be for several
 * kinds of system, told by the identifier of each.
 */
static int check_doubles(struct model_check *c)
{
	const struct tree_entry *all = c->model->metrics.at;
	struct strmap *last = strmap__new();
	struct sb key = SB_INIT;
	int rc = last ? 0 : -ENOMEM;

	for (int i = 0; !rc && i < c->model->metrics.nr; i++) {
		int before;

		sb__clear(&key);
		sb__printf(&key, "%s\n%s\n%s", text_of(c, &all[i], TEXT_METRIC),
			   text_of(c, &all[i], TEXT_PMU), text_of(c, &all[i], TEXT_COMPAT));
		if (key.err) {
			rc = -ENOMEM;
			break;
		}
		before = strmap__get(last, text__lower(key.buf));
		if (before >= 0)
			say_double(c, &all[before], &all[i]);
		rc = strmap__put(last, key.buf, i);
	}
	strmap__free(last);
	sb__free(&key);
	return rc;
}

/* Once for each group of a model; a tree without any descriptions has chosen to have none. */
static int check_groups_of(struct model_check *c, struct strmap *seen,
			   const struct tree_entry *entry)
{
	struct place at = check__place(c, entry, "MetricGroup");
	char *groups = strdup(text_of(c, entry, TEXT_GROUPS)), *rest = groups, *group;
	int rc = groups ? 0 : -ENOMEM;

	while (!rc && (group = strsep(&rest, ";"))) {
		if (!*group || strmap__get(c->tree->group_index, group) >= 0 ||
		    strmap__get(seen, group) >= 0)
			continue;
		lint__add(c->lint, &at, LINT_GROUP_DESCRIPTION,
			  "metric group %s is not described in metricgroups.json", group);
		rc = strmap__put(seen, group, 1);
	}
	free(groups);
	return rc;
}

int check__entries(struct model_check *c)
{
	struct strmap *seen = strmap__new();
	const struct tree_entry *entry;
	int rc = seen ? 0 : -ENOMEM;

	vec__for_each (entry, &c->model->events)
		check_event(c, entry);
	vec__for_each (entry, &c->model->metrics) {
		check_metric(c, entry);
		if (!rc && c->tree->groups.nr)
			rc = check_groups_of(c, seen, entry);
	}
	if (!rc)
		rc = check_doubles(c);
	strmap__free(seen);
	return rc;
}
