// SPDX-License-Identifier: GPL-2.0-only
/* The metrics of a -M text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "metrics/expr.h"
#include "metrics/idset.h"
#include "metrics/resolve.h"

/* Whether a name, which may have a ';' in it as some vendors' have, stands in a ';' list. */
static bool has_item(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *item = list;; item++) {
		if (!strncasecmp(item, name, len) && (!item[len] || item[len] == ';'))
			return true;
		item = strchr(item, ';');
		if (!item)
			return false;
	}
}

/*
 * Whether a name or glob means one of a ';' list of names. perf's rules: "all" means everything,
 * and No_group what has no list.
 */
static bool matches(const char *list, const char *sought)
{
	char item[256];

	if (!strcmp(sought, "all"))
		return true;
	if (!*list)
		return !strcasecmp(sought, "No_group");
	if (!text__is_glob(sought))
		return has_item(list, sought);
	while (*list) {
		size_t len = strcspn(list, ";");

		if (len < sizeof(item)) {
			memcpy(item, list, len);
			item[len] = '\0';
			if (text__match(sought, item, true))
				return true;
		}
		list += len + !!list[len];
	}
	return false;
}

static bool metric_matches(const struct metric_info *info, const char *pmu, const char *sought)
{
	if (!*info->expr || (pmu && strcmp(info->pmu, pmu)))
		return false;
	return matches(info->groups, sought) || matches(info->name, sought);
}

/* Why the events of a metric are not grouped on this machine, or NULL. */
static const char *constraint(const struct metrics_scope *scope, const struct metric_info *info)
{
	struct machine *machine = scope->machine;

	switch (info->constraint) {
	case METRIC_NO_GROUP_EVENTS:
		return "they do not fit the counters together";
	case METRIC_NO_THRESHOLD_NMI:
		if (scope->no_threshold)
			return NULL;
		/* fallthrough */
	case METRIC_NO_GROUP_EVENTS_NMI:
		return machine && machine->nmi_watchdog ? "the NMI watchdog holds a counter" : NULL;
	case METRIC_NO_GROUP_EVENTS_SMT:
		return machine && machine__smt_on(machine) ? "SMT is on" : NULL;
	default:
		return NULL;
	}
}

/**
 * struct item - one part of the text
 * @name: metric, glob or group; @modifier: behind its colon, or NULL
 */
struct item {
	char *name, *modifier;
	bool no_group;
};

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Whether a metric was asked for before; tables may have two of one name with other formulas. */
static bool is_selected(const struct metric_list *list, const struct metric_info *info,
			const char *modifier)
{
	for (int i = 0; i < list->nr; i++) {
		const struct metric *m = list->at[i];

		if (!strcmp(m->info.name, info->name) && same_text(m->info.pmu, info->pmu) &&
		    same_text(m->info.expr, info->expr) && same_text(m->modifier, modifier))
			return true;
	}
	return false;
}

/* @out: NULL for one that cannot be read. */
static int read_metric(struct resolver *r, int number, struct metric **out, struct err *err)
{
	struct metric *m = xcalloc(1, sizeof(*m));
	int ret;

	tables__metric(r->scope->tables, number, &m->info);
	ret = resolver__metric(r, number, m, err);
	if (ret) {
		metric__free(m);
		m = NULL;
	}
	*out = m;
	return ret;
}

static int add_metric(struct resolver *r, int number, const struct item *item,
		      struct metric_list *list, struct err *err)
{
	struct metric *m;
	int ret = read_metric(r, number, &m, err);

	if (ret)
		return ret;
	m->request = xstrdup(item->name);
	m->modifier = xstrdup(item->modifier);
	if (!item->no_group && !matches(m->info.no_group, item->name)) {
		m->constrained = constraint(r->scope, &m->info);
		m->group_events = !m->constrained;
	}
	vec__push(list, m);
	return 0;
}

static bool exists(const struct tables *tables, const char *pmu, const char *name)
{
	struct metric_info info;

	for (int i = 0; i < tables__nr_metrics(tables); i++) {
		tables__metric(tables, i, &info);
		if (metric_matches(&info, pmu, name))
			return true;
	}
	return false;
}

static int unknown(const struct metrics_scope *scope, const char *name, struct err *err)
{
	struct sb near = SB_INIT;
	struct suggest s;

	if (scope->pmu && exists(scope->tables, NULL, name))
		return err__set(err, ENOENT, "metric or group '%s' is of another PMU than %s", name,
				scope->pmu);
	suggest__init(&s, name);
	tables__suggest(scope->tables, true, &s);
	suggest__print(&s, &near);
	err__set(err, ENOENT, "this CPU has no metric or metric group '%s'%s", name, sb__str(&near));
	sb__free(&near);
	return -ENOENT;
}

static int add_item(struct resolver *r, const struct item *item, struct metric_list *list,
		    struct err *err)
{
	const struct metrics_scope *scope = r->scope;
	int nr = tables__nr_metrics(scope->tables), ret = 0;
	struct metric_info info;
	bool found = false;

	for (int i = 0; i < nr && !ret; i++) {
		tables__metric(scope->tables, i, &info);
		if (!metric_matches(&info, scope->pmu, item->name))
			continue;
		found = true;
		if (!is_selected(list, &info, item->modifier))
			ret = add_metric(r, i, item, list, err);
	}
	return found ? ret : unknown(scope, item->name, err);
}

static int add_items(struct resolver *r, char *text, bool no_group, struct metric_list *list,
		     struct err *err)
{
	struct item item = { .no_group = no_group };
	int ret = 0;

	while (!ret && (item.name = strsep(&text, ","))) {
		item.name = text__trim(item.name);
		item.modifier = strchr(item.name, ':');
		if (item.modifier)
			*item.modifier++ = '\0';
		if (!*item.name)
			return err__set(err, EINVAL, "a list of metrics has an empty name");
		if (item.modifier && !*item.modifier)
			return err__set(err, EINVAL, "metric '%s': no modifiers behind the ':'",
					item.name);
		ret = add_item(r, &item, list, err);
	}
	return ret;
}

int metrics__select(const struct metrics_scope *scope, const char *text, bool no_group,
		    struct metric_list *list, struct err *err)
{
	int before = list->nr, ret;
	struct resolver r;
	char *copy;

	if (!scope->tables)
		return err__set(err, ENOENT, "no metric '%s': there are none for this CPU, %s", text,
				scope->machine && *scope->machine->cpuid ? scope->machine->cpuid :
									   "whose id is unknown");
	copy = xstrdup(text);
	resolver__init(&r, scope);
	ret = add_items(&r, copy, no_group, list, err);
	free(copy);
	resolver__exit(&r);
	while (ret && list->nr > before)
		metric__free(list->at[--list->nr]);
	return ret;
}

void metric__free(struct metric *m)
{
	if (!m)
		return;
	for (int i = 0; i < m->nr_refs; i++)
		expr__free(m->refs[i].value);
	free(m->refs);
	expr__free(m->value);
	expr__free(m->threshold);
	idset__free(m->id_set);
	free(m->ids);
	free(m->modifier);
	free(m->request);
	free(m);
}

void metric_list__free(struct metric_list *list)
{
	for (int i = 0; i < list->nr; i++)
		metric__free(list->at[i]);
	vec__free(list);
}

int metrics__each(const struct metrics_scope *scope, const bool *wanted,
		  int (*visit)(void *arg, int number, const struct metric *metric), void *arg)
{
	struct resolver r;
	int ret = 0;

	if (!scope->tables)
		return 0;
	resolver__init(&r, scope);
	for (int i = 0; i < tables__nr_metrics(scope->tables) && !ret; i++) {
		struct metric *m;

		if (wanted && !wanted[i])
			continue;
		read_metric(&r, i, &m, NULL);
		ret = visit(arg, i, m);
		metric__free(m);
	}
	resolver__exit(&r);
	return ret;
}
