/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of Arm's metrics below level 1 of its tree tell where they stand in it. */
#ifndef TMA_JSON_ARM_TREE_H
#define TMA_JSON_ARM_TREE_H

struct sb;

/**
 * arm_tree__groups() - add the groups of a node's level and of its parent to those of its table
 * @name:   of a metric
 * @groups: its MetricGroup, or NULL
 * @out:    set to all of its groups, with ';' between them
 *
 * Arm's tables put all nodes below frontend_bound into the group Topdown_Frontend, and those below
 * backend_bound into Topdown_Backend. Each is a share of the node above it: of the cycles in which
 * that one stalled. Source: the denominators of their formulas, and Arm's topdown methodology.
 *
 * Return: @groups for a metric that is in neither of these groups, or has another name; else the
 * text of @out.
 */
const char *arm_tree__groups(const char *name, const char *groups, struct sb *out);

#endif
