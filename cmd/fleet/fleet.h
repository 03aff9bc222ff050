/* SPDX-License-Identifier: GPL-2.0-only */
/* "tma fleet" reads the answers of a Prometheus, and prints a table or JSON. */
#ifndef TMA_CMD_FLEET_H
#define TMA_CMD_FLEET_H

#include <stdio.h>

#include "base/vec.h"
#include "fleet/forest.h"
#include "fleet/query.h"

/**
 * struct fleet_row - a row of a table
 * @name: value of the table's label
 * @tree: tree of this value in the table's forest, or NULL
 * @rank: slots per second; rows are sorted by this number
 * @own:  @rank as a share of the slots in this row, on the hosts that measure the node; NaN if
 *        unknown
 */
struct fleet_row {
	char *name;
	const struct fleet_tree *tree;
	double rank, own;
};

/** struct fleet_table - the rows of one label that have lost most slots */
struct fleet_table {
	char *label;
	struct fleet_forest forest;
	VEC(struct fleet_row) rows;
};

/**
 * struct fleet_report - everything that is printed
 * @command: "top", "tree" or "diff"
 * @url:     URL of the Prometheus
 * @sides:   the question of each side
 * @nr_sides: 2 for "diff", else 1
 * @hosts:   number of hosts on each side
 * @all:     ("top") slots and retiring slots of whole hosts
 * @node:    the node that tables are sorted by; NULL to sort by all lost slots
 * @level:   deepest level
 * @time:    the time that the answers are for, in seconds since 1970
 * @tables:  ("top") the tables, one for each label
 * @forest:  ("tree", "diff") the trees, one for each kind of core
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
