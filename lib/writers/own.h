/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for tma's own formats: csv-wide, json, prom, markdown, tree and trace. All print the
 * same cells, each with its time and place.
 */
#ifndef TMA_WRITERS_OWN_H
#define TMA_WRITERS_OWN_H

#include <math.h>
#include <string.h>

#include "writers/internal.h"

struct cell_field;

/* version of the formats: it increases when something is removed or changes its meaning */
#define OWN_SCHEMA 1

/**
 * struct own_column - a column of the grid, in the order of tma's own formats
 * @number: number of the column in the grid
 * @name:   name in the format's form, with " #2", " #3" ... if earlier columns have the same name,
 *          cgroup and PMU
 * @unit, @pmu, @of: texts of the column in the format's form
 * @share_of: whole that values are shares of, in the format's form; NULL if unknown
 * @heading: "NAME [PMU] (UNIT)", not escaped; @label: the heading without the unit
 * @place:  (csv-wide) number of the heading
 */
struct own_column {
	int number, place;
	const char *name, *unit, *share_of, *pmu, *of, *heading, *label;
};

/** struct own_cgroup - a cgroup: its name in the format's form, and its columns */
struct own_cgroup {
	const char *name;
	int first, nr;
};

/* Keys of a line's time and place. */
enum own_key {
	KEY_TIME,
	KEY_LENGTH,
	KEY_ROW,
	KEY_PLACE, /* the first of PLACE_NR keys for places */
	KEY_COMM = KEY_PLACE + PLACE_NR,
	KEY_FUNCTION,
	KEY_LINE,
	KEY_OBJECT,
	KEY_NEAR,
	KEY_BOTTLENECK,
	KEY_CPUS,
	KEY_CGROUP,
	KEY_NR,
};

/** struct own_place - the place of a line */
struct own_place {
	int row, cgroup;
};

/**
 * struct own - the state that these formats share
 * @columns: the printed columns; columns of a cgroup follow each other
 * @comms:   name of each row's thread or site, in the format's form
 * @objects: (sites) name of each row's object; @bottlenecks: (sites) name of each row's bottleneck
 * @keys:    the keys of lines of this output, in order
 * @headings: (csv-wide) the first column with each heading
 * @asides:  (csv-wide) the field beside each heading, or NULL
 * @wide:    (csv-wide) bits of the fields that the output has
 * @printed_run: (json) the line with facts that hold for all rows was printed
 * @line:    (csv-wide) which of @columns is under each heading in the current line, or -1
 */
struct own {
	struct own_column *columns;
	int nr_columns;
	struct own_cgroup *cgroups;
	const char **comms, **objects, **bottlenecks;
	enum own_key keys[KEY_NR];
	int nr_keys;
	bool printed_run;
	const struct own_column **headings;
	const struct cell_field **asides;
	unsigned int wide;
	int nr_headings, *line;
};

/** own__begin() - make the columns, names and keys of the lines of this output. */
void own__begin(struct writer *w);
/** own__name_rows() - make only the names of rows. */
void own__name_rows(struct writer *w);
/**
 * own__cell() - return one of own.columns in a row; own__column() - return its column in the grid.
 */
const struct grid_cell *own__cell(const struct writer *w, int column, int row);
const struct grid_column *own__column(const struct writer *w, int column);
/**
 * own__next() - go to the next cgroup and row that has something to print
 * @at: the current place; { -1, 0 } before the first
 *
 * Return: false after the last place.
 */
bool own__next(const struct writer *w, struct own_place *at);

/** own__for_each() - walk the columns of a line; @i is the index of each column in own.columns. */
#define own__for_each(i, w, at)                                                                    \
	for (int i = (w)->own->cgroups[(at)->cgroup].first,                                        \
		 i##_end = i + (w)->own->cgroups[(at)->cgroup].nr;                                 \
	     i < i##_end; i++)

/** struct own_key_info - the name of a key; @is_text: the values of the key are texts */
struct own_key_info {
	const char *name;
	bool is_text;
};

extern const struct own_key_info own_keys[KEY_NR];

/**
 * own_key__print() - append the value of a key; nothing without a value
 * @cell: cell whose number of CPUs is printed; NULL: print the number of the row's CPUs
 */
void own_key__print(struct writer *w, enum own_key key, const struct own_place *at,
		    const struct grid_cell *cell, struct sb *sb);

/*
 * --- Fields of a cell (cell_fields.c) ----------------------------------------------------------
 */

/**
 * enum own_type - types of a field's value
 * VALUE_ABSENT: the cell has no such field
 * VALUE_REAL: a number, not finite if unknown; VALUE_FLAG: an integer, 0 or 1
 * VALUE_DRESSED: a text in the format's form; the types from VALUE_TEXT on are texts
 */
enum own_type { VALUE_ABSENT, VALUE_REAL, VALUE_WHOLE, VALUE_FLAG, VALUE_TEXT, VALUE_DRESSED };

/** struct own_value - the value of a field of a cell */
struct own_value {
	enum own_type type;
	union {
		double real;
		uint64_t whole;
		const char *text;
	};
};

#define OWN_ABSENT ((struct own_value){.type = VALUE_ABSENT})
#define OWN_REAL(number) ((struct own_value){VALUE_REAL, {.real = (number)}})
#define OWN_WHOLE(number) ((struct own_value){VALUE_WHOLE, {.whole = (number)}})
#define OWN_TEXT(words) ((struct own_value){VALUE_TEXT, {.text = (words)}})
#define OWN_DRESSED(words) ((struct own_value){VALUE_DRESSED, {.text = (words)}})

/*
 * The place of a field: a text of struct own_column, an integer of struct grid_cell or a double of
 * struct cell_more. Otherwise cell_field__find() finds the field.
 */
enum cell_source {
	FROM_NAMES, FROM_CELL, FROM_MORE, FROM_PARTS, FROM_SLOTS = FROM_PARTS, FROM_CYCLES,
	FROM_VALUE, FROM_ERROR, FROM_SPREAD, FROM_SAMPLES, FROM_TOTAL, FROM_STATE, FROM_THRESHOLD,
	FROM_ESTIMATE, FROM_MISFIT, FROM_STATUS, FROM_REASON
};

/*
 * Conditions on which csv-wide has a column for a field: always, if values have errors, if there
 * are several runs ...
 */
enum wide_column {
	WIDE_ALWAYS = 1, WIDE_ERRORS = 2, WIDE_RUNS = 4, WIDE_CPUS = 8, WIDE_ESTIMATES = 16
};

/*
 * Families of prom: slots of TopDown trees, events, and metrics with built-in ratios. On request
 * the last family includes the nodes of the trees.
 */
enum prom_kind { PROM_NODES, PROM_EVENTS, PROM_METRICS, PROM_NR };

/**
 * struct cell_field - a field of a cell that the formats print
 * @key:     key in json, and heading in csv-wide; NULL if only prom has the field
 * @of:      bits of enum grid_kind: kinds of columns for which json and prom have the field
 * @from:    struct that the field is read from, at @offset; @type: type of the field in this struct
 * @in_unit: the field has the unit of its column; @is_percent: prom prints the field as a ratio
 * @wide:    condition on which csv-wide has a column for the field: one for each line, with the
 *           least number or the word of the worst cell; with @aside one next to each column
 * @aside:   (csv-wide) end of the heading of a column next to another; else NULL
 * @track:   suffix of the name of the counter that trace has for the field
 * @families: prom's names and help texts for the field
 */
struct cell_field {
	const char *key;
	unsigned int of;
	enum cell_source from;
	enum own_type type;
	size_t offset;
	bool in_unit, is_percent;
	enum wide_column wide;
	const char *aside, *track;
	struct {
		const char *name, *help;
	} families[PROM_NR];
};

extern const struct cell_field cell_fields[], *const cell_fields_end;
#define cell_fields__for_each(f)                                                                   \
	for (const struct cell_field *f = cell_fields; (f) < cell_fields_end; (f)++)
#define cell_fields__for_each_backward(f)                                                          \
	for (const struct cell_field *f = cell_fields_end; (f)-- > cell_fields;)

/**
 * struct own_cell - a cell, with its column; @parts: structures that the cell's fields are read
 * from
 */
struct own_cell {
	const struct grid_column *column;
	const struct grid_cell *cell;
	const void *parts[FROM_PARTS];
	int row;
};

/** own_cell__at() - return the cell of one of own.columns in a row. */
static inline struct own_cell own_cell__at(const struct writer *w, int column, int row)
{
	const struct own_column *names = &w->own->columns[column];
	const struct grid_cell *cell = grid__cell(w->grid, names->number, row);

	return (struct own_cell){&w->grid->columns[names->number], cell,
				 {names, cell, cell->more}, row};
}

/** cell_field__is_of() - return whether a column has a field. */
static inline bool cell_field__is_of(const struct cell_field *f, const struct grid_column *c)
{
	return f->of & 1u << c->kind;
}

/** cell_field__find() - return the value of a field that is not a member of a structure. */
struct own_value cell_field__find(struct writer *w, const struct cell_field *f,
				  const struct own_cell *at);

/** cell_field__value() - return the value of a field; its text may be in writer.scratch. */
static inline struct own_value cell_field__value(struct writer *w, const struct cell_field *f,
						 const struct own_cell *at)
{
	struct own_value v = {.type = f->type};

	if (f->type == VALUE_ABSENT)
		return cell_field__find(w, f, at);
	memcpy(&v.whole, (const char *)at->parts[f->from] + f->offset, sizeof(v.whole));
	/* A column may lack the name that the field has. */
	return f->type == VALUE_DRESSED && !v.text ? OWN_ABSENT : v;
}

/** own_cell__value() - return the value of the cell itself. */
static inline struct own_value own_cell__value(const struct grid_cell *cell)
{
	return cell->is_count ? OWN_WHOLE(cell->count) : OWN_REAL(cell->value);
}

/** own_value__is_number() - return whether a value is a finite number. */
static inline bool own_value__is_number(const struct own_value *v)
{
	return v->type == VALUE_REAL ? isfinite(v->real)
				     : v->type == VALUE_WHOLE || v->type == VALUE_FLAG;
}

/** own_value__json() - append a value as a member of an object, unless it is absent. */
void own_value__json(const struct own_value *v, struct json *j, const char *key);

/** number__print() - append a number with at most 15 digits; nothing if it is not finite. */
void number__print(struct sb *sb, double number);
/**
 * cell__error() - return the error of a value; NAN if the error is unknown, or there is no value.
 */
double cell__error(const struct grid_cell *cell);

#endif
