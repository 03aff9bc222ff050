// SPDX-License-Identifier: GPL-2.0-only
/* How metrics belong together, as the names of their groups tell it. */
#include "metrics/relations.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "tables/tables.h"

#define CHILDREN_SUFFIX "_group"
#define ISSUE_MARK "_issue" /* "tma_issueBW" */
#define FIRST_LEVEL "TopdownL1"

int metrics__group_owner(const char *group, int len)
{
	int owner = len - (int)strlen(CHILDREN_SUFFIX);

	return owner > 0 && !strncmp(group + owner, CHILDREN_SUFFIX, len - owner) ? owner : 0;
}

static bool is_child(const struct metric_info *child, const struct metric_info *parent)
{
	int len, name = strlen(parent->name);

	for (const char *at = child->groups; *at; at += len + !!at[len]) {
		len = strcspn(at, ";");
		if (metrics__group_owner(at, len) == name && !strncasecmp(at, parent->name, name))
			return true;
	}
	return false;
}

/* Whether both are in a group whose name ends or is marked so. */
static bool share_group(const struct metric_info *a, const struct metric_info *b,
			bool (*wanted)(const char *group))
{
	char group[256];
	int len;

	for (const char *at = a->groups; *at; at += len + !!at[len]) {
		len = strcspn(at, ";");
		if (len >= (int)sizeof(group))
			continue;
		memcpy(group, at, len);
		group[len] = '\0';
		if (wanted(group) && text__has_item(b->groups, ";", group))
			return true;
	}
	return false;
}

static bool is_tree_group(const char *group)
{
	/* "tma_L1_group" is of a level, whatever metric it is that has it. */
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
