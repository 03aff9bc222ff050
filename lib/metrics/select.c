// SPDX-License-Identifier: GPL-2.0-only
/* A -M text is read to metrics, and the references between them are followed to event ids. */
#include <errno.h>
#include <math.h>
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
#include "events/events.h"
#include "machine/machine.h"
#include "metrics/expr.h"
#include "metrics/ids.h"
#include "metrics/metrics.h"

/**
 * struct parsed - a metric's texts, read once for all metrics that refer to it
 * @value_ids, @threshold_ids: the ids that each needs, or NULL. Those that name a metric of the
 *             same PMU are marked with its number.
 * @without:   the events that @value does without
 * @referred:  the number of the last resolution that met it
 */
struct parsed {
	struct expr *value, *threshold;
	struct idset *value_ids, *threshold_ids;
	struct metric_without without;
	int referred;
};

#define LONG_TEXT_ITEMS 8

/** struct word_use - a metric that has a word among its name and its groups */
struct word_use {
	int metric, next; /* the next use of the word, or -1 */
};

/**
 * struct index - which metrics each word means, made when a text has several items
 * @last: the number of the last use of each word, in lower case; NULL before it is made
 */
struct index {
	struct strmap *last;
	VEC(struct word_use) uses;
};

/**
 * struct resolver - the state of one selection
 * @parsed: one for each metric of the table
 * @resolutions: how many metrics were resolved so far, the present one included
 * @pmu:    the PMU of the present one, and of all it may refer to
 * @selected: the names of the metrics that are in the list
 */
struct resolver {
	const struct metrics_scope *scope;
	struct literals literals;
	struct parsed *parsed;
	int resolutions;
	const char *pmu;
	struct index index;
	struct strmap *selected;
};

/** struct visited_metric - the chain of metrics being resolved, from the innermost outwards */
struct visited_metric {
	const char *name;
	const struct visited_metric *from;
	int depth;
};

static void resolver__init(struct resolver *r, const struct metrics_scope *scope)
{
	*r = (struct resolver){ .scope = scope, .selected = strmap__new() };
	r->parsed = xcalloc(tables__nr_metrics(scope->tables) + 1, sizeof(*r->parsed));
}

static void resolver__exit(struct resolver *r)
{
	for (int i = 0; i < tables__nr_metrics(r->scope->tables); i++) {
		expr__free(r->parsed[i].value);
		expr__free(r->parsed[i].threshold);
		idset__free(r->parsed[i].value_ids);
		idset__free(r->parsed[i].threshold_ids);
		free(r->parsed[i].without.corrections);
		free(r->parsed[i].without.any_thread);
	}
	free(r->parsed);
	strmap__free(r->selected);
	strmap__free(r->index.last);
	vec__free(&r->index.uses);
}

static int metric_number(void *arg, const char *id)
{
	const struct resolver *r = arg;

	return tables__find_metric(r->scope->tables, r->pmu, id);
}

/* Adds names, with commas between them, or none, to such a list, in which each stands once. */
static void add_names(char **list, const char *names)
{
	int len;

	text__for_each_item(item, len, names ?: "", ", ") {
		char *name = xstrndup(item, len);
		struct sb sb = SB_INIT;

		if (!*list || !text__has_item(*list, ", ", name)) {
			sb__printf(&sb, "%s%s%s", *list ?: "", *list ? ", " : "", name);
			free(*list);
			*list = sb__detach(&sb);
		}
		free(name);
	}
}

/* Formulas correct the shares of TopDown metric events by counts that most recordings lack. */
static void do_without_corrections(const struct metrics_scope *scope, struct expr *expr,
				   char **corrections)
{
	bool shares = false;

	for (int i = 0; i < expr->nr; i++)
		shares |= expr->at[i].op == EXPR_ID && events__is_topdown_share(expr->at[i].id);
	for (int i = 0; shares && i < expr->nr; i++) {
		struct expr_node *node = &expr->at[i];
		const char *name = node->op == EXPR_ID ? events__topdown_correction(node->id)
						       : NULL;

		if (!name || !scope->lacks_event(scope->arg, node->id))
			continue;
		add_names(corrections, name);
		node->op = EXPR_NUMBER;
		node->number = 0;
	}
}

/* The id of the first operand of "X / 2"; NULL for anything else. */
static const char *half_of_id(const struct expr *expr, const struct expr_node *node)
{
	const struct expr_node *a = &expr->at[node->at[0]], *b = &expr->at[node->at[1]];

	if (node->op != EXPR_DIV || a->op != EXPR_ID || b->op != EXPR_NUMBER || b->number != 2)
		return NULL;
	return a->id;
}

/* With SMT, formulas estimate what a thread waits for by half of what both do: "X_ANY / 2". */
static void do_without_any_thread(const struct metrics_scope *scope, struct expr *expr,
				  char **any_thread)
{
	int smt = literal__find("smt_on", strlen("smt_on"));

	for (int i = 0; i < expr->nr; i++) {
		const struct expr_node *node = &expr->at[i];
		struct expr_node *cond = &expr->at[node->at[1]];
		const struct expr_node *one = &expr->at[node->at[2]];
		const char *any;

		if (node->op != EXPR_IF || cond->op != EXPR_LITERAL || cond->literal != smt ||
		    one->op != EXPR_ID)
			continue;
		any = half_of_id(expr, &expr->at[node->at[0]]);
		if (!any || !text__has_prefix(any, one->id) ||
		    strcmp(any + strlen(one->id), "_ANY") || !scope->lacks_event(scope->arg, any) ||
		    scope->lacks_event(scope->arg, one->id))
			continue;
		add_names(any_thread, any);
		cond->op = EXPR_NUMBER;
		cond->number = 0;
	}
}

static int parse(struct resolver *r, const struct metric_info *info, const char *kind,
		 const char *text, struct expr **expr, struct idset **ids,
		 struct metric_without *without, struct err *err)
{
	struct sb what = SB_INIT;
	int ret;

	if (*expr)
		return 0;
	sb__printf(&what, "%s %s", kind, info->name);
	ret = expr__parse(sb__str(&what), text, expr, err);
	sb__free(&what);
	if (ret)
		return ret;
	if (r->scope->lacks_event) {
		do_without_corrections(r->scope, *expr, &without->corrections);
		do_without_any_thread(r->scope, *expr, &without->any_thread);
	}
	*ids = ids__collect(r->scope, &r->literals, *expr);
	if (*ids)
		idset__mark(*ids, metric_number, r);
	return 0;
}

static int parse_value(struct resolver *r, int number, const struct metric_info *info,
		       struct err *err)
{
	struct parsed *p = &r->parsed[number];

	return parse(r, info, "metric", info->expr, &p->value, &p->value_ids, &p->without, err);
}

static void unite_copy(struct idset **ids, const struct idset *with)
{
	struct idset *both;

	if (!with)
		return;
	/* perf unites the new ids with those it has, in this order. */
	both = idset__copy(with);
	idset__unite(&both, *ids);
	*ids = both;
}

static int cycle(const struct visited_metric *visit, const char *name, struct err *err)
{
	struct sb path = SB_INIT;

	sb__puts(&path, name);
	for (const struct visited_metric *v = visit; v; v = v->from) {
		sb__printf(&path, " <- %s", v->name);
		if (!strcmp(v->name, name))
			break;
	}
	err__set(err, ELOOP, "metric %s refers to itself: %s", name, sb__str(&path));
	sb__free(&path);
	return -ELOOP;
}

static int resolve_ids(struct resolver *r, struct metric *m, const struct visited_metric *visit,
		       struct err *err);

static int add_ref(struct resolver *r, struct metric *m, int number,
		   const struct visited_metric *from, struct err *err)
{
	struct visited_metric visit = {.from = from, .depth = from->depth + 1};
	struct parsed *p = &r->parsed[number];
	struct metric_info info;
	int ret;

	tables__metric(r->scope->tables, number, &info);
	visit.name = info.name;
	for (const struct visited_metric *v = from; v; v = v->from)
		if (!strcmp(v->name, info.name))
			return cycle(from, info.name, err);
	if (p->referred == r->resolutions)
		return 0;
	if (visit.depth > RESOLVE_MAX_DEPTH)
		return err__set(err, E2BIG,
				"metric %s: more than %d metrics refer to each other, up to %s",
				m->info.name, RESOLVE_MAX_DEPTH, info.name);

	p->referred = r->resolutions;
	ret = parse_value(r, number, &info, err);
	if (ret)
		return ret;
	m->refs = xreallocarray(m->refs, m->nr_refs + 1, sizeof(*m->refs));
	m->refs[m->nr_refs++] = (struct metric_ref){
		.name = info.name,
		.value = expr__get(p->value),
		.number = number,
	};
	unite_copy(&m->id_set, p->value_ids);
	return resolve_ids(r, m, &visit, err);
}

/* Replace ids that name metrics of the same PMU by the ids that those need. */
static int resolve_ids(struct resolver *r, struct metric *m, const struct visited_metric *visit,
		       struct err *err)
{
	int room = idset__size(m->id_set) + 1, nr, ret = 0;
	const char **ids = xmalloc(room * sizeof(*ids));
	int *pending = xmalloc(room * sizeof(*pending));

	nr = idset__marked(m->id_set, ids, pending);
	for (int i = 0; i < nr; i++)
		idset__del(m->id_set, ids[i]);
	for (int i = 0; i < nr && !ret; i++)
		ret = add_ref(r, m, pending[i], visit, err);
	free(ids);
	free(pending);
	return ret;
}

/*
 * A metric with a threshold begins with the ids of the threshold, among which is its own name as a
 * rule. Where the events of thresholds are left out, it begins with its name alone.
 */
static int first_ids(struct resolver *r, int number, struct metric *m, struct err *err)
{
	struct parsed *p = &r->parsed[number];
	struct metric_without unused = {0};
	int ret = parse_value(r, number, &m->info, err);

	if (ret)
		return ret;
	m->value = expr__get(p->value);
	m->id_set = idset__new();
	if (!*m->info.threshold) {
		unite_copy(&m->id_set, p->value_ids);
		return 0;
	}
	ret = parse(r, &m->info, "threshold of metric", m->info.threshold, &p->threshold,
		    &p->threshold_ids, &unused, err);
	free(unused.corrections);
	free(unused.any_thread);
	if (ret)
		return ret;
	m->threshold = expr__get(p->threshold);
	if (!r->scope->no_threshold)
		unite_copy(&m->id_set, p->threshold_ids);
	if (!idset__has(m->id_set, m->info.name)) {
		idset__add(m->id_set, m->info.name);
		idset__mark(m->id_set, metric_number, r);
	}
	return 0;
}

static void add_without(struct metric *m, const struct metric_without *without)
{
	add_names(&m->without.corrections, without->corrections);
	add_names(&m->without.any_thread, without->any_thread);
}

/*
 * What the value, and the metrics that it refers to, do without, and a literal that is not known:
 * those of expression number @i of the metric.
 */
static void look_at(struct resolver *r, struct metric *m, int i, bool *seen)
{
	const struct expr *expr = metric__expr(m, i);
	const int *names = metric__names(m, i);

	seen[i] = true;
	for (int n = 0; n < expr->nr; n++) {
		const struct expr_node *node = &expr->at[n];
		int ref = names[n] - m->nr_ids;

		if (node->op == EXPR_LITERAL &&
		    isnan(literal__of_pmu(&r->literals, r->scope, node->literal, m->info.pmu)))
			m->unknown = literal__written(node->literal);
		if (node->op != EXPR_ID || ref < 0 || seen[ref])
			continue;
		add_without(m, &r->parsed[m->refs[ref].number].without);
		look_at(r, m, ref, seen);
	}
}

static void look_at_value(struct resolver *r, int number, struct metric *m)
{
	bool *seen = xcalloc(metric__nr_exprs(m), sizeof(*seen));

	add_without(m, &r->parsed[number].without);
	look_at(r, m, m->nr_refs, seen);
	free(seen);
}

/*
 * Read a metric, whose info is set, and everything it refers to. Its expressions, references and
 * ids are filled in. metric__free() it on failure too.
 */
static int resolver__metric(struct resolver *r, int number, struct metric *m, struct err *err)
{
	struct visited_metric visit = {.name = *m->info.threshold ? "threshold" : m->info.name};
	int ret;

	r->resolutions++;
	r->pmu = m->info.pmu;
	ret = first_ids(r, number, m, err) ?: resolve_ids(r, m, &visit, err);
	if (ret)
		return ret;
	m->nr_ids = idset__size(m->id_set);
	m->ids = xmalloc((m->nr_ids + 1) * sizeof(*m->ids));
	idset__list(m->id_set, m->ids);
	if (r->scope->lacks_event)
		look_at_value(r, number, m);
	return 0;
}

/* --- The text --------------------------------------------------------------------------------- */

/* Whether a name stands in a ';' list. Names of some vendors have a ';' in them. */
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
 * Whether a name or glob means one of a ';' list of names. As in perf, "all" means everything, and
 * No_group means what has no list.
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

/* Tell why the events of a metric are not grouped on this machine. Return: NULL if they are. */
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
 * @name: a metric, glob or group
 * @modifier: the text behind its colon, or NULL
 */
struct item {
	char *name, *modifier;
	bool no_group;
};

/* Whether a metric was asked for before; tables may have two of one name with other formulas. */
static bool is_selected(const struct resolver *r, const struct metric_list *list,
			const struct metric_info *info, const char *modifier)
{
	if (strmap__get(r->selected, info->name) < 0)
		return false;
	for (int i = 0; i < list->nr; i++) {
		const struct metric *m = list->at[i];

		if (!strcmp(m->info.name, info->name) && text__same(m->info.pmu, info->pmu) &&
		    text__same(m->info.expr, info->expr) && text__same(m->modifier, modifier))
			return true;
	}
	return false;
}

/* Read a metric of the table. @out is NULL on failure. */
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
	strmap__put(r->selected, m->info.name, 0);
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

/* The last metric comes first, so that a word's uses lead from the first metric to the last. */
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

/* Tells whether a text has so many items that knowing the words costs less than a walk for each. */
static bool is_long(const char *text)
{
	int items = 1;

	while (items < LONG_TEXT_ITEMS && (text = strchr(text, ',')))
		text++, items++;
	return items == LONG_TEXT_ITEMS;
}

/**
 * struct candidates - the metrics that an item may mean, by ascending number
 * @index: NULL: any metric of the table
 * @use:   (@index) of the next one, or -1
 */
struct candidates {
	const struct index *index;
	int use, next, nr;
};

static struct candidates candidates_for(const struct resolver *r, const char *name)
{
	struct candidates c = { .nr = tables__nr_metrics(r->scope->tables) };
	char *word;

	if (!r->index.last || text__is_glob(name) || strchr(name, ';') || !strcmp(name, "all") ||
	    !strcasecmp(name, "No_group"))
		return c;
	word = text__lower(xstrdup(name));
	c.index = &r->index;
	c.use = strmap__get(r->index.last, word);
	free(word);
	return c;
}

/* Return: the number of a metric; -1 when there are no more. */
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

static int add_item(struct resolver *r, const struct item *item, struct metric_list *list,
		    struct err *err)
{
	struct candidates candidates = candidates_for(r, item->name);
	const struct metrics_scope *scope = r->scope;
	struct metric_info info;
	bool found = false;
	int ret = 0;

	for (int i; !ret && (i = next_candidate(&candidates)) >= 0;) {
		tables__metric(scope->tables, i, &info);
		if (!metric_matches(&info, scope->pmu, item->name))
			continue;
		found = true;
		if (!is_selected(r, list, &info, item->modifier))
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
	for (int i = 0; i < list->nr; i++)
		strmap__put(r.selected, list->at[i]->info.name, 0);
	if (is_long(text))
		index__init(&r.index, scope->tables);
	ret = add_items(&r, copy, no_group, list, err);
	free(copy);
	resolver__exit(&r);
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
