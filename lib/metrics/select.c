// SPDX-License-Identifier: GPL-2.0-only
/*
 * Select metrics by the text of -M: the text's names, globs and groups match metrics of the tables.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "metrics/resolve.h"

#define LONG_TEXT_ITEMS 8

/** struct word_use - a metric whose name or groups contain a word */
struct word_use {
	int metric, next; /* number of the next use of the word, or -1 */
};

/**
 * struct index - the metrics that each word means; made only for a text with many items
 * @last: for each word in lower case, the number of its last use; NULL before the index is made
 */
struct index {
	struct strmap *last;
	VEC(struct word_use) uses;
};

/**
 * struct selection - the state of one selection
 * @selected: names of the metrics that are in the list
 */
struct selection {
	struct resolver resolver;
	struct index index;
	struct strmap *selected;
};

/* Find out whether a name is in a list with ';'. Some vendors' names contain ';'. */
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
 * Find out whether a name or glob matches a name in a list with ';'. As in perf, "all" matches
 * everything, and No_group an empty list.
 */
static bool matches(const char *list, const char *sought)
{
	char item[256];
	size_t len;

	if (!strcmp(sought, "all"))
		return true;
	if (!*list)
		return !strcasecmp(sought, "No_group");
	if (!text__is_glob(sought))
		return has_item(list, sought);
	for (; *list; list += len + !!list[len]) {
		len = strcspn(list, ";");
		if (len >= sizeof(item))
			continue;
		memcpy(item, list, len);
		item[len] = '\0';
		if (text__match(sought, item, true))
			return true;
	}
	return false;
}

static bool metric_matches(const struct metric_info *info, const char *pmu, const char *sought)
{
	if (!*info->expr || (pmu && strcmp(info->pmu, pmu)))
		return false;
	return matches(info->groups, sought) || matches(info->name, sought);
}

/*
 * Find out why the events of a metric are not grouped on this machine. Return: NULL if they are
 * grouped.
 */
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
 * struct item - one item of the text
 * @name: a metric, glob or group
 * @modifier: the text after the colon of the item, or NULL
 */
struct item {
	char *name, *modifier;
	bool no_group;
};

/*
 * Find out whether a metric is already selected. Tables may have two metrics of one name with
 * different formulas.
 */
static bool is_selected(const struct selection *s, const struct metric_list *list,
			const struct metric_info *info, const char *modifier)
{
	if (strmap__get(s->selected, info->name) < 0)
		return false;
	for (int i = 0; i < list->nr; i++) {
		const struct metric *m = list->at[i];

		if (!strcmp(m->info.name, info->name) && text__same(m->info.pmu, info->pmu) &&
		    text__same(m->info.expr, info->expr) && text__same(m->modifier, modifier))
			return true;
	}
	return false;
}

/* Read a metric of the tables. @out is set to NULL on failure. */
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

static int select__add_metric(struct selection *s, int number, const struct item *item,
			      struct metric_list *list, struct err *err)
{
	struct metric *m;
	int ret = read_metric(&s->resolver, number, &m, err);

	if (ret)
		return ret;
	m->request = xstrdup(item->name);
	m->modifier = xstrdup(item->modifier);
	if (!item->no_group && !matches(m->info.no_group, item->name)) {
		m->constrained = constraint(s->resolver.scope, &m->info);
		m->group_events = !m->constrained;
	}
	strmap__put(s->selected, m->info.name, 0);
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
	metrics__suggest(scope->tables, &s);
	suggest__print(&s, &near);
	err__set(err, ENOENT, "this CPU has no metric or metric group '%s'%s", name, sb__str(&near));
	sb__free(&near);
	return -ENOENT;
}

static void index__add(struct index *index, const char *list, int metric)
{
	int len;

	text__for_each_item(item, len, list, ";") {
		char *word = text__lower(xstrndup(item, len));
		int last = strmap__get(index->last, word);

		if (last < 0 || index->uses.at[last].metric != metric) {
			strmap__put(index->last, word, index->uses.nr);
			vec__push(&index->uses, (struct word_use){ metric, last });
		}
		free(word);
	}
}

/*
 * Metrics are added from last to first, so that the uses of a word are in ascending order of
 * metrics.
 */
static void index__init(struct index *index, const struct tables *tables)
{
	struct metric_info info;

	index->last = strmap__new();
	for (int i = tables__nr_metrics(tables) - 1; i >= 0; i--) {
		tables__metric(tables, i, &info);
		index__add(index, info.name, i);
		index__add(index, info.groups, i);
	}
}

/* Find out whether a text has so many items that an index is faster than a search for each item. */
static bool is_long(const char *text)
{
	int items = 1;

	while (items < LONG_TEXT_ITEMS && (text = strchr(text, ',')))
		text++, items++;
	return items == LONG_TEXT_ITEMS;
}

/**
 * struct candidates - the metrics that an item may mean, in ascending order
 * @index: NULL if any metric of the tables may match
 * @use:   (with @index) number of the next use, or -1
 */
struct candidates {
	const struct index *index;
	int use, next, nr;
};

static struct candidates candidates_for(const struct selection *s, const char *name)
{
	struct candidates c = { .nr = tables__nr_metrics(s->resolver.scope->tables) };
	char *word;

	if (!s->index.last || text__is_glob(name) || strchr(name, ';') || !strcmp(name, "all") ||
	    !strcasecmp(name, "No_group"))
		return c;
	word = text__lower(xstrdup(name));
	c.index = &s->index;
	c.use = strmap__get(s->index.last, word);
	free(word);
	return c;
}

/* Return: the number of the next metric; -1 if there are no more. */
static int next_candidate(struct candidates *c)
{
	int metric;

	if (!c->index)
		return c->next < c->nr ? c->next++ : -1;
	if (c->use < 0)
		return -1;
	metric = c->index->uses.at[c->use].metric;
	c->use = c->index->uses.at[c->use].next;
	return metric;
}

/* Find out whether a name is that of the user's own metric, and therefore not of a group. */
static bool is_users_own(const struct selection *s, const char *name)
{
	const struct tables *tables = s->resolver.scope->tables;
	struct candidates candidates = candidates_for(s, name);
	struct metric_info info;
	struct tables_layer layer;
	bool some = false;

	for (int i = 0; i < tables__nr_layers(tables) && !some; i++) {
		tables__layer(tables, i, &layer);
		some = layer.own;
	}
	for (int i; some && (i = next_candidate(&candidates)) >= 0;) {
		tables__metric(tables, i, &info);
		if (strcasecmp(info.name, name))
			continue;
		tables__layer(tables, info.layer, &layer);
		if (layer.own)
			return true;
	}
	return false;
}

static int add_item(struct selection *s, const struct item *item, struct metric_list *list,
		    struct err *err)
{
	struct candidates candidates = candidates_for(s, item->name);
	bool own = is_users_own(s, item->name);
	const struct metrics_scope *scope = s->resolver.scope;
	struct metric_info info;
	bool found = false;
	int ret = 0;

	for (int i; !ret && (i = next_candidate(&candidates)) >= 0;) {
		tables__metric(scope->tables, i, &info);
		if (!metric_matches(&info, scope->pmu, item->name) ||
		    (own && strcasecmp(info.name, item->name)))
			continue;
		found = true;
		if (!is_selected(s, list, &info, item->modifier))
			ret = select__add_metric(s, i, item, list, err);
	}
	return found ? ret : unknown(scope, item->name, err);
}

static int add_items(struct selection *s, char *text, bool no_group, struct metric_list *list,
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
			return err__set(err, EINVAL, "metric '%s': no modifiers after the ':'",
					item.name);
		ret = add_item(s, &item, list, err);
	}
	return ret;
}

static void selection__init(struct selection *s, const struct metrics_scope *scope)
{
	*s = (struct selection){ .selected = strmap__new() };
	resolver__init(&s->resolver, scope);
}

static void selection__exit(struct selection *s)
{
	resolver__exit(&s->resolver);
	strmap__free(s->selected);
	strmap__free(s->index.last);
	vec__free(&s->index.uses);
}

int metrics__select(const struct metrics_scope *scope, const char *text, bool no_group,
		    struct metric_list *list, struct err *err)
{
	int before = list->nr, ret;
	struct selection s;
	char *copy;

	if (!scope->tables)
		return err__set(err, ENOENT, "no metric '%s': tma has no metrics for this CPU, %s", text,
				scope->machine && *scope->machine->cpuid ? scope->machine->cpuid :
									   "whose id is unknown");
	copy = xstrdup(text);
	selection__init(&s, scope);
	for (int i = 0; i < list->nr; i++)
		strmap__put(s.selected, list->at[i]->info.name, 0);
	if (is_long(text))
		index__init(&s.index, scope->tables);
	ret = add_items(&s, copy, no_group, list, err);
	free(copy);
	selection__exit(&s);
	while (ret && list->nr > before)
		metric__free(list->at[--list->nr]);
	return ret;
}

void metrics__each(const struct metrics_scope *scope, const bool *wanted,
		   void (*visit)(void *arg, int number, const struct metric *metric), void *arg)
{
	struct resolver r;

	if (!scope->tables)
		return;
	resolver__init(&r, scope);
	for (int i = 0; i < tables__nr_metrics(scope->tables); i++) {
		struct metric *m;

		if (wanted && !wanted[i])
			continue;
		read_metric(&r, i, &m, NULL);
		visit(arg, i, m);
		metric__free(m);
	}
	resolver__exit(&r);
}
