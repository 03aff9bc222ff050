/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for the formats of tma's own: csv-wide, json, prom, markdown, tree and trace. All
 * print the same cells, with what says when and where each is of.
 */
#ifndef TMA_WRITERS_OWN_H
#define TMA_WRITERS_OWN_H

#include "writers/internal.h"

/* The number goes up when something that was there is taken away or means something else. */
#define OWN_SCHEMA 1

/**
 * struct own_column - a column of the grid, in the order in which these formats have them
 * @number: the number of the column in the grid
 * @name:   its name in the format's form, which @unit, @pmu and @of have too; a name
 *          that the cgroup has already on that PMU gets " #2", " #3" ... behind it
 * @heading: "NAME [PMU] (UNIT)", not dressed; @label: the same without the unit
 * @place:  (csv-wide) the number of its heading
 */
struct own_column {
	int number, place;
	const char *name, *unit, *pmu, *of, *heading, *label;
};

/** struct own_cgroup - a cgroup: its name in the format's form, and its columns */
struct own_cgroup {
	const char *name;
	int first, nr;
};

/* These say when and where a line is of. */
enum own_key {
	KEY_TIME,
	KEY_LENGTH,
	KEY_ROW,
	KEY_PLACE, /* the first of PLACE_NR */
	KEY_COMM = KEY_PLACE + PLACE_NR,
	KEY_CPUS,
	KEY_CGROUP,
	KEY_NR,
};

/** struct own_place - where a line is of */
struct own_place {
	int row, cgroup;
};

/**
 * struct own - what the formats share
 * @columns: the columns that are printed, those of a cgroup together
 * @comms:   the name of each row's thread, in the format's form
 * @keys:    what lines of this output have, in order
 * @headings, @asides: (csv-wide) names of the columns, and of those beside them, or NULL
 * @said:    (json) what holds for all rows stands above
 * @line:    (csv-wide) which of @columns stands under each heading in the line at hand, or -1
 */
struct own {
	struct own_column *columns;
	int nr_columns;
	struct own_cgroup *cgroups;
	const char **comms;
	enum own_key keys[KEY_NR];
	int nr_keys;
	bool said;
	const char **headings, **asides;
	int nr_headings, *line;
};

/** own__begin() - make the columns, names and keys that lines of this output have. */
void own__begin(struct writer *w);
/** own__cell() - find one of own.columns in a row; own__column() - find the grid's column of it. */
const struct grid_cell *own__cell(const struct writer *w, int column, int row);
const struct grid_column *own__column(const struct writer *w, int column);
/**
 * own__next() - go to the next cgroup and row with something to print
 * @at: { -1, 0 } before the first
 *
 * Return: false behind the last.
 */
bool own__next(const struct writer *w, struct own_place *at);

/** own__for_each() - walk the columns of a line: @i is the number of each in own.columns. */
#define own__for_each(i, w, at)                                                                    \
	for (int i = (w)->own->cgroups[(at)->cgroup].first,                                        \
		 i##_end = i + (w)->own->cgroups[(at)->cgroup].nr;                                 \
	     i < i##_end; i++)

/** struct own_key_info - what a key is called; @is_text: its values are words */
struct own_key_info {
	const char *name;
	bool is_text;
};

extern const struct own_key_info own_keys[KEY_NR];

/**
 * own_key__print() - append its value; nothing when it has none
 * @cell: the number of CPUs is that of what was added up here; NULL for that of the row
 */
void own_key__print(struct writer *w, enum own_key key, const struct own_place *at,
		    const struct grid_cell *cell, struct sb *sb);

/** number__print() - append a number with at most 15 digits; nothing when it is none. */
void number__print(struct sb *sb, double number);
/** cell__print_value() - append the number of a cell; nothing when there is none. */
void cell__print_value(struct sb *sb, const struct grid_cell *cell);
/**
 * cell__error() - tell how far off a value may be; NAN where nobody knows, or there is no value.
 */
double cell__error(const struct grid_cell *cell);

#endif
