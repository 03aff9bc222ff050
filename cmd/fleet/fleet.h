/* SPDX-License-Identifier: GPL-2.0-only */
/* What "tma fleet" has been told by a Prometheus comes in; a table or JSON comes out. */
#ifndef TMA_CMD_FLEET_H
#define TMA_CMD_FLEET_H

#include <stdio.h>

#include "base/vec.h"
#include "fleet/forest.h"
#include "fleet/query.h"

/**
 * struct fleet_row - a row of a table
 * @name: the label's value
 * @tree: its tree in the table's forest, or NULL
 * @rank: slots a second by which rows are put in order
 * @own:  which share of its own slots that is, of the hosts that measure it; NaN if not known
 */
struct fleet_row {
	char *name;
	const struct fleet_tree *tree;
	double rank, own;
};

/** struct fleet_table - those with most slots lost, by one label */
struct fleet_table {
	char *label;
	struct fleet_forest forest;
	VEC(struct fleet_row) rows;
};

/**
 * struct fleet_report - all that is told
 * @command: "top", "tree" or "diff"
 * @url:     of the Prometheus
 * @sides:   what was asked of each side; @nr_sides: 1, or 2 for diff
 * @hosts:   how many there are on each side
 * @all:     (top) of whole hosts, slots and what retired
 * @node:    by which a table is in order, or NULL for all slots lost
 * @level:   deepest level
 * @time:    in seconds since 1970, for which Prometheus answered
 * @tables:  (top); @forest: (tree, diff) by kinds of core
 */
struct fleet_report {
	const char *command, *url, *node;
	struct fleet_question sides[FLEET_SIDES];
	int nr_sides, level;
	int hosts[FLEET_SIDES];
	double time;
	struct fleet_forest all, forest;
	VEC(struct fleet_table) tables;
	VEC(char *) queries;
	VEC(char *) warnings;
};

/**
 * fleet__print() - print for a person
 * @width: columns of the terminal, 0 where there is none
 */
void fleet__print(const struct fleet_report *r, int width, FILE *out);
/** fleet__print_json() - print for a program. */
void fleet__print_json(const struct fleet_report *r, FILE *out);

#endif
