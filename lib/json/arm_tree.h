/* SPDX-License-Identifier: GPL-2.0-only */
/* Place Arm's metrics below level 1 into the tree by their names. */
#ifndef TMA_JSON_ARM_TREE_H
#define TMA_JSON_ARM_TREE_H

struct sb;

/**
 * arm_tree__groups() - add the groups for a node's level and parent to those of its table
 * @name:   the metric's name
 * @groups: its MetricGroup, or NULL
 * @out:    set to all of its groups, separated by ';'
 *
 * Arm's tables put all nodes below frontend_bound into the group Topdown_Frontend, and those below
 * backend_bound into Topdown_Backend. Each value is a share of the cycles in which its parent
 * stalled. Source: the denominators of their formulas, and Arm's topdown methodology.
 *
 * Return: @groups for a metric that is in neither of these groups or has no known name; else the
 * text of @out.
 */
const char *arm_tree__groups(const char *name, const char *groups, struct sb *out);

#endif
