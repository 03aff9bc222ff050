/* SPDX-License-Identifier: GPL-2.0-only */
/* How metrics belong together, as the names of their groups tell it. */
#ifndef TMA_METRICS_RELATIONS_H
#define TMA_METRICS_RELATIONS_H

#include <stdbool.h>

struct metric_info;

enum metric_relation {
	METRIC_PARENT,	/* the other, of which it is in the group <name>_group */
	METRIC_CHILD,	/* the other way round */
	METRIC_SIBLING, /* a child of the same parent; without one, of the first level as it is */
	METRIC_RELATED, /* the same issue: a group with "_issue" in its name */
	METRIC_NR_RELATIONS,
};

/**
 * metrics__group_owner() - whose children a group has
 * @group, @len: name of the group, in a list of them as a rule
 *
 * Return: how many bytes of @group are the name of a metric: those before "_group"; 0 when it is
 * none of these groups. As everywhere, the case of a metric's name does not matter.
 */
int metrics__group_owner(const char *group, int len);
/**
 * metrics__related() - whether a metric stands in a relation to another
 * @a, @b: two metrics of one model
 *
 * Metrics of different PMUs never do, nor one to itself.
 */
bool metrics__related(const struct metric_info *a, enum metric_relation relation,
		      const struct metric_info *b);

#endif
