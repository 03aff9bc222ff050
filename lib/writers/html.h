/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the files of --format=html share: the data of a run for a page. */
#ifndef TMA_WRITERS_HTML_H
#define TMA_WRITERS_HTML_H

#include "writers/own.h"
#include "writers/page.h"

struct json;

#define STILL_POINTS 1024 /* limit of points in all pictures together */
#define STILLS_MOST 12
#define BANDS_MOST 8
#define CODES_MOST 200
#define HTML_OVER 128 /* bit of html_row.shares: the value is over its threshold */

/**
 * struct html_code - a status with its reason
 * @words:  the reason, or ""; the last code represents all reasons for which there was no room
 * @series: number of series that had the code; @rows: number of rows of these series that had the
 *          code
 * @columns: the first columns that had the code, as indices in own.columns
 */
struct html_code {
	enum cell_status status;
	char *words;
	int series, columns[4], nr_columns;
	uint64_t rows;
};

/**
 * struct html_tally - a summary of a series so far
 * @nr:       number of rows with a value; @least, @most, @last: their values
 * @seconds:  sum of the lengths of these rows; @weighted: sum of each value times its row's length
 * @code:     code of the current row; @counted_code: the last code that html_code.series has
 *            counted
 */
struct html_tally {
	uint64_t nr;
	double weighted, seconds, least, most, last;
	unsigned char code, counted_code;
};

/**
 * struct html_still - a picture of the first level of a tree over time, for a place
 * @bands:  indices of the first level's columns in own.columns
 * @points: sums of values times lengths, [point * BANDS_MOST + band]; @lengths: lengths of points
 *          in seconds
 * @nr:     number of full points; @rows_of_point: rows in a full point; @rows: rows in the last
 *          point
 */
struct html_still {
	int row, bands[BANDS_MOST], nr_bands;
	const char *core;
	int cgroup;
	double *points, *lengths;
	int nr, most, rows_of_point, rows;
};

/**
 * struct html_row - the cells of all series in one row of time
 */
struct html_row {
	double *values;
	float *errors;
	unsigned char *shares, *codes;
};

/**
 * struct html - a run that is being put into a page
 * @nr_series: number of own.columns times number of the grid's rows; the rows of a column follow
 *             each other
 * @head:   what is measured, without the quotes that text has
 * @values, @errors, @shares: the chunk, rows that are not in the page yet, [series * @room + row]
 * @nr:     number of rows in the chunk; @times, @lengths: times and lengths of these rows in ns
 * @changes, @new_codes, @gaps: lists for the chunk, as JSON without the brackets
 * @there:  series with a value or status in the chunk; @nonzero: series with a value other than 0
 * @whole:  the total, if @has_whole; @whole_ns: length of the total
 * @stills:  (@has_stills) pictures of trees; @trees: number of trees
 * @verdict: text of the verdict; @phases: JSON of the phases; @phase_rows: lines of their table
 * @names:  hash of each row's name; 0 until the row has a name
 * @renamed: rows whose names have changed
 * @named:  value of grid.named for which @names was made
 * @shown_ns: time at which the page was last shown, since the start
 */
struct html {
	struct page *page;
	const char *head;
	int number, nr_series, room, nr;
	uint64_t rows, shown_ns, whole_ns;
	double *values, *times, *lengths;
	float *errors;
	unsigned char *shares;
	bool *there, *nonzero, has_whole, has_error, has_share, begun;
	struct sb changes, new_codes, gaps, json, bytes;
	struct html_code codes[CODES_MOST];
	int nr_codes;
	struct html_tally *tallies;
	struct html_row whole;
	struct html_still stills[STILLS_MOST];
	int nr_stills, trees;
	bool has_stills;
	struct sb verdict, phases, phase_rows;
	uint64_t first_ns, last_ns, *names;
	unsigned int named;
	bool *renamed;
};

/** html_series() - return the index of the series of a column in a row. */
static inline int html_series(const struct writer *w, int column, int row)
{
	return column * w->grid->nr_rows + row;
}

/** html__value() - return the number of a cell as --format=json prints it; NAN without one. */
double html__value(const struct grid_cell *cell);
/**
 * html__put_place() - append the row and cgroup of a series; nothing if there is only one row and
 * cgroup.
 */
void html__put_place(struct writer *w, int column, int row, struct sb *sb);

/* --- The rows as data (html_data.c) ---------------------------------------------------------- */

/**
 * html_data__flush() - add the chunk to the page, after the run's description if it is the first
 *
 * Return: 0 or -errno.
 */
int html_data__flush(struct writer *w, struct err *err);
/**
 * html_data__put_total() - append the data that changes with each row: the total, and the phases.
 */
void html_data__put_total(struct writer *w, struct json *j);

/* --- Parts that need no JavaScript (html_still.c) -------------------------------------------- */

/**
 * html_still__begin() - find the trees, given the first cells; html_still__take() - add the current
 * row, which is @seconds long
 */
void html_still__begin(struct writer *w);
void html_still__take(struct writer *w, double seconds);
/** html_still__put() - append pictures, the verdict, reasons for missing values, and tables. */
void html_still__put(struct writer *w, struct sb *sb);

/* --- Tables (html_tables.c) ------------------------------------------------------------------ */

/** html_tables__take_phases() - keep the phases of a verdict as lines of their table. */
void html_tables__take_phases(struct writer *w, const struct grid_verdict *v);
/**
 * html_tables__put_phases() - append the table of phases; html_tables__put_reasons() - append the
 * table of values that were not measured, with the reasons; html_tables__put_values() - append the
 * table of values. An empty table is omitted.
 */
void html_tables__put_phases(struct writer *w, struct sb *sb);
void html_tables__put_reasons(struct writer *w, struct sb *sb);
void html_tables__put_values(struct writer *w, struct sb *sb);
/**
 * html_tables__put_functions() - append the table of functions, files or lines, if rows are sites.
 */
void html_tables__put_functions(struct writer *w, struct sb *sb);

#endif
