/* SPDX-License-Identifier: GPL-2.0-only */
/* The answers of a Prometheus to "tma fleet" come in; a table or JSON goes out. */
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
 * @rank: slots per second, by which rows are sorted
 * @own:  @rank as a share of the row's own slots, on the hosts that measure it; NaN if not known
 */
struct fleet_row {
	char *name;
	const struct fleet_tree *tree;
	double rank, own;
};

/** struct fleet_table - the rows with most slots lost, by one label */
struct fleet_table {
	char *label;
	struct fleet_forest forest;
	VEC(struct fleet_row) rows;
};

/**
 * struct fleet_report - all that is printed
 * @command: "top", "tree" or "diff"
 * @url:     of the Prometheus
 * @sides:   the question of each side; @nr_sides: 1, or 2 for diff
 * @hosts:   number of hosts on each side
 * @all:     (top) slots and retiring slots of whole hosts
 * @node:    the node that tables are sorted by, or NULL for all slots lost
 * @level:   deepest level
 * @time:    the time that the answers are for, in seconds since 1970
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
 * fleet__print() - print for people
 * @width: columns of the terminal, 0 without one
 */
void fleet__print(const struct fleet_report *r, int width, FILE *out);
/** fleet__print_json() - print for programs. */
void fleet__print_json(const struct fleet_report *r, FILE *out);

#endif
