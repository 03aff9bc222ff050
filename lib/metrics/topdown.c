// SPDX-License-Identifier: GPL-2.0-only
/*
 * The names of groups show how metrics belong together, and which metrics are in the TopDown tree.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "metrics/expr.h"
#include "metrics/literal.h"
#include "metrics/metrics.h"

#define METRIC_PREFIX "tma_"
#define CORE_WIDE "core_wide"
#define MAX_DEPTH 16 /* the most levels of a tree: real trees have up to 6 levels, and a cycle has
		      * no end */
#define MAX_LEVEL 99
#define CHILDREN_SUFFIX "_group"
#define ISSUE_MARK "_issue" /* "tma_issueBW" */
#define FIRST_LEVEL "TopdownL1"
#define DISPATCHING "dispatching" /* the metric that is level 1 on Neoverse N1; it is in cycles */
#define MAX_GROUP 256
#define BETWEEN 3 /* number of blanks between columns of a table */

/*
 * Prefixes of groups' names, which the level follows. A table uses the first of these prefixes that
 * it has.
 */
static const char *const level_groups[] = {
	"TopdownL",  /* Intel, Arm */
	"TopDownL",  /* HiSilicon, T-Head */
	"PipelineL", /* AMD, from Zen 4 on */
};

/* The metrics of level 1, in the order of their columns. */
static const char *const top[] = { "retiring", "backend_bound", "frontend_bound",
				   "bad_speculation" };

/* Find the deepest level in a list of groups. Return: 0 if there is none. */
static int level_of(const char *groups, const char *prefix)
{
	int deepest = 0, digits, len, at = strlen(prefix);
	uint64_t level;

	text__for_each_item(group, len, groups, ";") {
		if (!text__has_prefix(group, prefix))
			continue;
		digits = num__scan_u64(group + at, 10, &level);
		if (digits && at + digits == len && level <= MAX_LEVEL && (int)level > deepest)
			deepest = level;
	}
	return deepest;
}

int metrics__topdown_level(const struct metric_info *info)
{
	int level = 0;

	for (int i = 0; i < array__nr(level_groups) && !level; i++)
		level = level_of(info->groups, level_groups[i]);
	return level;
}

static int max_level(const struct tables *tables, const char *pmu, const char *prefix)
{
	int nr = tables ? tables__nr_metrics(tables) : 0, max = 0, level;
	struct metric_info info;

	for (int i = 0; i < nr; i++) {
		tables__metric(tables, i, &info);
		if (pmu && strcmp(info.pmu, pmu))
			continue;
		level = level_of(info.groups, prefix);
		if (level > max)
			max = level;
	}
	return max;
}

int metrics__topdown_levels(const struct tables *tables, const char *pmu, const char **group)
{
	int max = 0;

	for (int i = 0; i < array__nr(level_groups) && !max; i++) {
		max = max_level(tables, pmu, level_groups[i]);
		if (max && group)
			*group = level_groups[i];
	}
	return max;
}

/*
 * Find out whether an earlier metric has the name: metrics of several core types with one name
 * share a column.
 */
static bool topdown__is_repeated(const struct tables *tables, int number, const char *name)
{
	struct metric_info info;

	for (int i = 0; i < number; i++) {
		tables__metric(tables, i, &info);
		if (!strcmp(info.name, name))
			return true;
	}
	return false;
}

int metrics__topdown_columns(const struct tables *tables, const char *pmu, const char *group,
			     int level)
{
	struct metric_info info;
	int columns = 0;

	for (int i = 0; i < tables__nr_metrics(tables); i++) {
		tables__metric(tables, i, &info);
		if ((pmu && strcmp(info.pmu, pmu)) || level_of(info.groups, group) != level ||
		    topdown__is_repeated(tables, i, info.name))
			continue;
		columns += strlen(info.name) + strlen(metrics__share_unit(&info)) + BETWEEN;
	}
	return columns;
}

static bool has_literal(const struct expr *e, int literal)
{
	for (int i = 0; i < e->nr; i++)
		if (e->at[i].op == EXPR_LITERAL && e->at[i].literal == literal)
			return true;
	return false;
}

bool metrics__depends_on_cores(const struct metric *metric)
{
	int literal = literal__find(CORE_WIDE, strlen(CORE_WIDE));

	for (int i = 0; i < metric->nr_refs; i++)
		if (has_literal(metric->refs[i].value, literal))
			return true;
	return has_literal(metric->value, literal);
}

int metrics__group_owner(const char *group, int len)
{
	int owner = len - (int)strlen(CHILDREN_SUFFIX);

	return owner > 0 && !strncmp(group + owner, CHILDREN_SUFFIX, len - owner) ? owner : 0;
}

/* Find the metric whose children are in a group. Return: its number, or -1. */
static int owner_of(const struct tables *tables, const char *pmu, const char *group, int len)
{
	int owner = metrics__group_owner(group, len);
	char name[MAX_GROUP];

	snprintf(name, sizeof(name), "%.*s", owner, group);
	return owner ? tables__find_metric(tables, pmu, name) : -1;
}

bool metrics__topdown_parent(const struct tables *tables, const struct metric_info *info,
			     struct metric_info *parent)
{
	int len, number;

	text__for_each_item(group, len, info->groups, ";") {
		number = owner_of(tables, info->pmu, group, len);
		if (number < 0)
			continue;
		tables__metric(tables, number, parent);
		if (strcasecmp(parent->name, info->name))
			return true;
	}
	return false;
}

/* Find a metric's place in level 1. Return: for any other metric, the number of places. */
static int place_in_top(const char *name)
{
	int i;

	if (!strncasecmp(name, METRIC_PREFIX, strlen(METRIC_PREFIX)))
		name += strlen(METRIC_PREFIX);
	for (i = 0; i < array__nr(top) && strcasecmp(name, top[i]); i++)
		;
	return i;
}

bool metrics__topdown_is_useful(const struct metric_info *info)
{
	return !place_in_top(info->name) || !strcasecmp(info->name, DISPATCHING);
}

void metrics__topdown_key(const struct tables *tables, const struct metric *metric, struct sb *key)
{
	struct metric_info path[MAX_DEPTH];
	int depth = 1;

	path[0] = metric->info;
	while (depth < MAX_DEPTH &&
	       metrics__topdown_parent(tables, &path[depth - 1], &path[depth]))
		depth++;
	sb__printf(key, "%d", place_in_top(path[depth - 1].name));
	/* '!' sorts before every character of a name, so that a prefix of a name comes first. */
	while (depth--)
		sb__printf(key, "!%s", path[depth].name);
}

/* --- Relations -------------------------------------------------------------------------------- */

static bool is_child(const struct metric_info *child, const struct metric_info *parent)
{
	int len, name = strlen(parent->name);

	text__for_each_item(group, len, child->groups, ";")
		if (metrics__group_owner(group, len) == name &&
		    !strncasecmp(group, parent->name, name))
			return true;
	return false;
}

/* Find out whether both metrics are in a group whose name is wanted. */
static bool share_group(const struct metric_info *a, const struct metric_info *b,
			bool (*wanted)(const char *group))
{
	char group[MAX_GROUP];
	int len;

	text__for_each_item(at, len, a->groups, ";") {
		snprintf(group, sizeof(group), "%.*s", len, at);
		if (wanted(group) && text__has_item(b->groups, ";", group))
			return true;
	}
	return false;
}

static bool is_tree_group(const char *group)
{
	/* "tma_L1_group" is the group of a level, even if a metric has the name tma_L1. */
	return metrics__group_owner(group, strlen(group)) &&
	       !text__match("tma_L[0-9]_group", group, true);
}

static bool is_first_level(const char *group)
{
	return !strcasecmp(group, FIRST_LEVEL);
}

static bool is_issue(const char *group)
{
	return strstr(group, ISSUE_MARK) != NULL;
}

bool metrics__related(const struct metric_info *a, enum metric_relation relation,
		      const struct metric_info *b)
{
	if (strcmp(a->pmu, b->pmu) || !strcasecmp(a->name, b->name))
		return false;
	switch (relation) {
	case METRIC_PARENT:
		return is_child(a, b);
	case METRIC_CHILD:
		return is_child(b, a);
	case METRIC_SIBLING:
		return share_group(a, b, is_tree_group) || share_group(a, b, is_first_level);
	case METRIC_RELATED:
		return share_group(a, b, is_issue);
	default:
		return false;
	}
}
