/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for the formats of tma's own: csv-wide, json, prom, markdown, tree and trace. All
 * print the same cells, with what says when and where each is of.
 */
#ifndef TMA_WRITERS_OWN_H
#define TMA_WRITERS_OWN_H

#include <math.h>
#include <string.h>

#include "writers/internal.h"

struct cell_field;

/* The number goes up when something that was there is taken away or means something else. */
#define OWN_SCHEMA 1

/**
 * struct own_column - a column of the grid, in the order in which these formats have them
 * @number: the number of the column in the grid
 * @name:   its name in the format's form, which @unit, @pmu and @of have too; a name
 *          that the cgroup has already on that PMU gets " #2", " #3" ... behind it
 * @share_of: what a share is of, in the format's form; NULL where that is not known
 * @heading: "NAME [PMU] (UNIT)", not dressed; @label: the same without the unit
 * @place:  (csv-wide) the number of its heading
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

/* These say when and where a line is of. */
enum own_key {
	KEY_TIME,
	KEY_LENGTH,
	KEY_ROW,
	KEY_PLACE, /* the first of PLACE_NR */
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

/** struct own_place - where a line is of */
struct own_place {
	int row, cgroup;
};

/**
 * struct own - what the formats share
 * @columns: the columns that are printed, those of a cgroup together
 * @comms:   the name of each row's thread or site, in the format's form; @objects: the same of the
 *           site's object; @bottlenecks: of what limits it
 * @keys:    what lines of this output have, in order
 * @headings: (csv-wide) the first column with each; @asides: what stands beside it, or NULL
 * @wide:    (csv-wide) bits of the columns that it has
 * @said:    (json) what holds for all rows stands above
 * @line:    (csv-wide) which of @columns stands under each heading in the line at hand, or -1
 */
struct own {
	struct own_column *columns;
	int nr_columns;
	struct own_cgroup *cgroups;
	const char **comms, **objects, **bottlenecks;
	enum own_key keys[KEY_NR];
	int nr_keys;
	bool said;
	const struct own_column **headings;
	const struct cell_field **asides;
	unsigned int wide;
	int nr_headings, *line;
};

/** own__begin() - make the columns, names and keys that lines of this output have. */
void own__begin(struct writer *w);
/** own__name_rows() - make the names of rows alone. */
void own__name_rows(struct writer *w);
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

/* --- What is printed of a cell (cell_fields.c) ------------------------------------------------ */

/**
 * enum own_type - kinds of what a field says
 * VALUE_ABSENT: the cell has no such field
 * VALUE_REAL: a number, not finite where nobody knows it; VALUE_FLAG: a whole one, 0 or 1
 * VALUE_DRESSED: a text in the format's form; what follows VALUE_TEXT is a text, too
 */
enum own_type { VALUE_ABSENT, VALUE_REAL, VALUE_WHOLE, VALUE_FLAG, VALUE_TEXT, VALUE_DRESSED };

/** struct own_value - what a field of a cell says */
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
 * A field is read from a text of struct own_column, an uint64_t of struct grid_cell or a double of
 * struct cell_more; or cell_field__find() finds it.
 */
enum cell_source {
	FROM_NAMES, FROM_CELL, FROM_MORE, FROM_PARTS, FROM_SLOTS = FROM_PARTS, FROM_CYCLES,
	FROM_VALUE, FROM_ERROR, FROM_SPREAD, FROM_SAMPLES, FROM_TOTAL, FROM_STATE, FROM_THRESHOLD,
	FROM_ESTIMATE, FROM_MISFIT, FROM_STATUS, FROM_REASON
};

/* Csv-wide has columns for some fields: always, or where there are errors, several runs ... */
enum wide_column {
	WIDE_ALWAYS = 1, WIDE_ERRORS = 2, WIDE_RUNS = 4, WIDE_CPUS = 8, WIDE_ESTIMATES = 16
};

/*
 * A family of prom is about nodes of TopDown trees and all slots of these, about events, or about
 * metrics and built-in ratios: nodes are among these where they are asked for.
 */
enum prom_kind { PROM_NODES, PROM_EVENTS, PROM_METRICS, PROM_NR };

/**
 * struct cell_field - what the formats print of a cell
 * @key:     in json and in the heading of csv-wide; NULL where only prom has it
 * @of:      bits of enum grid_kind: the columns of which json and prom have it
 * @type:    of the member that it is read from, which is at @offset of its part
 * @in_unit: it has the unit of its column; @is_percent: prom has it as a ratio
 * @wide:    when csv-wide has a column for the least number of a line, or the word of the worst
 *           cell; or, if there is an @aside, one beside each column, whose heading ends with it
 * @track:   trace has a counter for it, whose name ends with this
 * @families: prom's names for it and their help texts
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

/** struct own_cell - a cell, with its column; @parts: what fields are read from */
struct own_cell {
	const struct grid_column *column;
	const struct grid_cell *cell;
	const void *parts[FROM_PARTS];
	int row;
};

/** own_cell__at() - find the cell of one of own.columns in a row. */
static inline struct own_cell own_cell__at(const struct writer *w, int column, int row)
{
	const struct own_column *names = &w->own->columns[column];
	const struct grid_cell *cell = grid__cell(w->grid, names->number, row);

	return (struct own_cell){&w->grid->columns[names->number], cell,
				 {names, cell, cell->more}, row};
}

/** cell_field__is_of() - tell whether a column has a field. */
static inline bool cell_field__is_of(const struct cell_field *f, const struct grid_column *c)
{
	return f->of & 1u << c->kind;
}

/** cell_field__find() - do what cell_field__value() does for fields that are not such a member. */
struct own_value cell_field__find(struct writer *w, const struct cell_field *f,
				  const struct own_cell *at);

/** cell_field__value() - tell what a field of a cell says; a text may be in writer.scratch. */
static inline struct own_value cell_field__value(struct writer *w, const struct cell_field *f,
						 const struct own_cell *at)
{
	struct own_value v = {.type = f->type};

	if (f->type == VALUE_ABSENT)
		return cell_field__find(w, f, at);
	memcpy(&v.whole, (const char *)at->parts[f->from] + f->offset, sizeof(v.whole));
	/* Not every column has every name. */
	return f->type == VALUE_DRESSED && !v.text ? OWN_ABSENT : v;
}

/** own_cell__value() - find the value itself. */
static inline struct own_value own_cell__value(const struct grid_cell *cell)
{
	return cell->is_count ? OWN_WHOLE(cell->count) : OWN_REAL(cell->value);
}

/** own_value__is_number() - tell whether there is a number. */
static inline bool own_value__is_number(const struct own_value *v)
{
	return v->type == VALUE_REAL ? isfinite(v->real)
				     : v->type == VALUE_WHOLE || v->type == VALUE_FLAG;
}

/** own_value__json() - put it as a member of an object, unless it is absent. */
void own_value__json(const struct own_value *v, struct json *j, const char *key);

/** number__print() - append a number with at most 15 digits; nothing when it is none. */
void number__print(struct sb *sb, double number);
/**
 * cell__error() - tell how far off a value may be; NAN where nobody knows, or there is no value.
 */
double cell__error(const struct grid_cell *cell);

#endif
