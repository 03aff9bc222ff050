/* SPDX-License-Identifier: GPL-2.0-only */
/* Place Arm's metrics below level 1 into the tree by their names. */
#ifndef TMA_JSON_ARM_TREE_H
#define TMA_JSON_ARM_TREE_H

struct sb;

/**
 * arm_tree__groups() - add the groups of a node's level and parent to the groups that its table has
 * @name:   name of the metric
 * @groups: its MetricGroup, or NULL
 * @out:    set to all groups, separated by ';'
 *
 * Arm's tables put all nodes below frontend_bound into the group Topdown_Frontend, and all nodes
 * below backend_bound into Topdown_Backend. Each value is a share of the cycles in which the node's
 * parent stalled. Source: the denominators of the formulas, and Arm's topdown methodology.
 *
 * Return: @groups for a metric that is in neither group or has no known name; else the text of
 * @out.
 */
const char *arm_tree__groups(const char *name, const char *groups, struct sb *out);

#endif
