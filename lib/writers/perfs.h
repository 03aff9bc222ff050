/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations for perf's formats: text, CSV and JSON. */
#ifndef TMA_WRITERS_PERFS_H
#define TMA_WRITERS_PERFS_H

#include "writers/internal.h"

/* Forms in which perf's formats write their lines. */
enum line_form { IN_TEXT, IN_CSV, IN_JSON, LINE_NR_FORMS };

/* Kinds of lines that an event can have. */
enum line_kind {
	LINE_EVENT,	 /* the event's count, and its first metric */
	LINE_METRIC,	 /* another metric of the event */
	LINE_GROUP,	 /* heading of a default metric group */
	LINE_GROUP_MORE, /* metrics of the default group from another event */
	LINE_PREFIX,	 /* (--metric-only) time, label, and in formats for programs the cgroup */
	LINE_NR,
};

#define LINE_MAX_FIELDS 24 /* at least the number of fields in fields.c */

/** struct layout - the fields of a kind of line, by number, in order */
struct layout {
	unsigned char at[LINE_MAX_FIELDS];
	int nr;
};

/**
 * struct column_names - the names of a column, in the format's form
 * @figure: text after the number of a ratio or metric: "%  tma_retiring"
 * @unit_width: width of the unit, in columns
 */
struct column_names {
	const char *name, *unit, *cgroup, *figure, *group;
	int unit_width;
};

/**
 * struct table_column - a column of --metric-only
 * @number: number of the column in the first block; the other blocks have the column in the same
 *          place
 * @name:   heading of the column; @width: width of the column in text
 * @slot:   number of the heading; if each core type has a row, columns of the same name share the
 *          heading of the first one
 */
struct table_column {
	int number, width, slot;
	const char *name;
};

/**
 * struct table - --metric-only: one line of metrics for each row
 * @columns: the columns in the order in which they are printed
 * @headings: for each slot, the number of the column that gives it its name and width
 * @row_per_core: each core type of a hybrid machine has a row of its own; the rows share headings
 * @core_width: (@row_per_core) width of the column with the core type's name
 * @assumes: a column may be computed from an assumed latency
 */
struct table {
	struct table_column *columns;
	int nr;
	int *headings, nr_headings;
	bool row_per_core, assumes;
	int core_width;
};

/**
 * struct perfs - what is constant while one of perf's formats is printed
 * @names:  the names of each column
 * @labels: the label of each row; @core_labels: the label of each row's core
 * @rates:  "/sec", "K/sec" ...
 * @cgroups: the names of the grid's blocks
 * @layouts: the fields of each kind of line, for a grid with this @span and @is_total
 * @unit_width: width of the column of units in text, given the counted events
 * @group:  heading of the default metrics that were printed last
 * @figures: room for the ratios and metrics of the current line
 * @table:  the columns of --metric-only
 */
struct perfs {
	enum line_form form;
	struct column_names *names;
	const char **labels, **core_labels, **cgroups, *rates[4];
	struct layout layouts[LINE_NR];
	bool laid_out, is_total;
	enum grid_span span;
	int unit_width;
	const char *group;
	struct figure *figures;
	struct table table;
};

/**
 * struct line - the contents of a line
 * @column, @cell: the event's column and cell; NULL in LINE_PREFIX
 * @names:  the names of @column
 * @cgroup: the event's cgroup in the format's form
 * @nr:     number of CPUs or threads that were counted
 * @of_core: the line is about the row's whole core
 * @figures, @nr_figures: the event's ratios and metrics; @figure: the current one, or NULL
 */
struct line {
	const struct grid_row *row;
	int number, nr;
	const struct grid_column *column;
	const struct grid_cell *cell;
	const struct column_names *names;
	const char *cgroup;
	bool of_core;
	const struct figure *figures, *figure;
	int nr_figures;
};

/** perfs__begin() - make the names of all columns and rows. */
void perfs__begin(struct writer *w);
/** perfs__name_rows() - make only the names of rows. */
void perfs__name_rows(struct writer *w);
/** table__begin() - choose and name the columns of --metric-only. */
void table__begin(struct writer *w);
/*
 * fields.c has the table of fields. To add a column to CSV or JSON, add a line to this table, and
 * add the field to layouts[] in fields.c and, for --header, to headed[].
 */

/** perfs__lay_out() - choose the fields of each kind of line for the current row of time. */
void perfs__lay_out(struct writer *w);
/** lines__measure() - make the column of units in text as wide as the units of counted events. */
void lines__measure(struct writer *w);
/** perfs__line() - append a line, without line end, in the format's form. */
void perfs__line(struct writer *w, const struct line *line, enum line_kind kind);
/** text__line() - append a line of text, without line end. */
void text__line(struct writer *w, const struct line *line, enum line_kind kind);
/** text__tail() - append the spread of runs, and the share of the time if it is less than 100 %. */
void text__tail(struct writer *w, const struct line *line);
/** fields__members() - append the fields to an object of JSON. */
void fields__members(struct writer *w, const struct line *line, enum line_kind kind,
		     struct json *j);
/** fields__heads() - append the names of a line's fields, with separators between them. */
void fields__heads(struct writer *w, enum line_kind kind);

/** line__label() - return the row's label, in the format's form. */
const char *line__label(const struct writer *w, const struct line *line);
/** line__print_value() - append the count with @digits digits, or words if it has no value. */
void line__print_value(struct writer *w, const struct line *line, int digits);
/** line__spread() - return how much several runs differ, in %; 0 if unknown. */
double line__spread(const struct line *line);
/** line__has_figure() - return whether the count is followed by a ratio or metric with a value. */
bool line__has_figure(const struct line *line);

#endif
