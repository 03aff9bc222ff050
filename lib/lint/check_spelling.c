// SPDX-License-Identifier: GPL-2.0-only
/* What events, metrics and units are called: by names that somebody can ask for. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/strmap.h"
#include "lint/internal.h"
#include "tables/tables.h"

static const char *text_of(const struct model_check *c, const struct tree_entry *entry,
			   enum event_text text)
{
	return pool__str(&c->tree->pool, entry->event.text[text]);
}

/* The first character that ends a metric's name for -M, or cannot be typed; or NULL. */
static const char *wrong_in_metric(const char *name)
{
	for (const char *p = name; *p; p++)
		if (iscntrl((unsigned char)*p) || strchr(",:=@()\\\"", *p) ||
		    (isblank((unsigned char)*p) && (p == name || !p[1])))
			return p;
	return NULL;
}

/* The same of an event's name, for -e. */
static const char *wrong_in_event(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_.-?*[]!", *p))
			return p;
	return NULL;
}

static void say_wrong(struct model_check *c, const struct tree_entry *entry, const char *field,
		      const char *name, const char *wrong)
{
	struct place at = check__place(c, entry, field);
	unsigned char byte = *wrong;

	if (isgraph(byte))
		lint__add(c->lint, &at, LINT_NAME, "'%s': '%c' cannot stand in this name", name,
			  byte);
	else
		lint__add(c->lint, &at, LINT_NAME, "'%s': %s cannot stand %s", name,
			  byte == ' ' ? "a blank" : "a control character or other byte",
			  byte == ' ' && !strcmp(field, "MetricName") ? "at an end of this name" :
									 "in this name");
}

static void check_event(struct model_check *c, const struct tree_entry *entry)
{
	const char *name = text_of(c, entry, TEXT_NAME), *wrong = wrong_in_event(name);

	if (wrong)
		say_wrong(c, entry, "EventName", name, wrong);
}

static void check_metric(struct model_check *c, const struct tree_entry *entry)
{
	const char *name = text_of(c, entry, TEXT_METRIC), *wrong = wrong_in_metric(name);
	struct place at = check__place(c, entry, "MetricName");

	if (wrong)
		say_wrong(c, entry, at.field, name, wrong);
	else if (strchr(name, ' '))
		lint__add(c->lint, &at, LINT_BLANK,
			  "'%s' has a blank in it: no expression can name it", name);
}

/* Once for each unit of a model. */
static int check_unit(struct model_check *c, struct strmap *seen, const struct tree_entry *entry)
{
	const char *pmu = text_of(c, entry, TEXT_PMU);
	struct place at = check__place(c, entry, "Unit");

	if (strmap__get(seen, pmu) >= 0)
		return 0;
	if (!names__is_core(pmu) && !tables__knows_pmu(pmu))
		lint__add(c->lint, &at, LINT_UNIT, "no tables built in have a unit for PMU %s", pmu);
	return strmap__put(seen, pmu, 1);
}

int check__spelling(struct model_check *c)
{
	struct strmap *seen = strmap__new();
	const struct tree_entry *entry;
	int rc = seen ? 0 : -ENOMEM;

	vec__for_each (entry, &c->model->events) {
		check_event(c, entry);
		rc = rc ? rc : check_unit(c, seen, entry);
	}
	vec__for_each (entry, &c->model->metrics) {
		check_metric(c, entry);
		rc = rc ? rc : check_unit(c, seen, entry);
	}
	strmap__free(seen);
	return rc;
}
