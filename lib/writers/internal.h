/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of lib/writers share. */
#ifndef TMA_WRITERS_INTERNAL_H
#define TMA_WRITERS_INTERNAL_H

#include <locale.h>

#include "base/json.h"
#include "base/sb.h"
#include "grid/grid.h"
#include "writers/writer.h"

#define ASSUMED_MARK "~" /* in text, before a number made with a latency nobody measured here */
#define NS_PER_S 1000000000

/* Columns of text. */
#define COUNT_WIDTH 18
#define CPUS_WIDTH 4
#define COMM_WIDTH 16
#define PID_WIDTH 7
#define CGROUP_WIDTH 16
#define ERROR_WIDTH 18	       /* " +- 1,234,567,890 " behind a count */
#define METRIC_ERROR_WIDTH 10 /* " +- 12.34" behind a metric */
#define METRIC_ONLY_WIDTH 20  /* least width of a column of --metric-only */

/**
 * struct format - how a grid is printed
 * @name:   of --format
 * @traits: of enum format_trait
 * @wants:  of the grid; with --metric-only, @metric_only_wants
 * @dress:  append a text as it stands in this format
 * @begin:  make what never changes: names, layouts; NULL for nothing
 * @heads:  append what comes above the first rows, and in text above every 26th; may be NULL
 * @rows:   append the rows
 * @foot:   append what comes below them; may be NULL
 * @verdicts: append the verdicts; NULL where nothing but rows may be
 * @end:    release what @begin made
 */
struct format {
	const char *name;
	unsigned int traits, wants, metric_only_wants;
	void (*dress)(const struct writer *w, const char *text, struct sb *sb);
	void (*begin)(struct writer *w);
	void (*heads)(struct writer *w);
	void (*rows)(struct writer *w);
	void (*foot)(struct writer *w);
	void (*verdicts)(struct writer *w);
	void (*end)(struct writer *w);
};

/**
 * struct writer - a format at work
 * @text:  what is put together for one write
 * @state: what the format's begin() made
 * @nr_prints: since the last heading; @has_heads: the header's line stands above
 */
struct writer {
	const struct format *format;
	struct writer_options opts;
	const struct grid *grid;
	FILE *out;
	locale_t c_locale;
	struct sb text;
	void *state;
	int nr_prints;
	bool has_heads;
};

/* --- Names (dress.c) ------------------------------------------------------------------------- */

/** dress() - a text as the format must have it: a new string. */
char *dress(const struct writer *w, const char *text);
/** dress_sb() - the same of a buffer, which is empty then. */
char *dress_sb(const struct writer *w, struct sb *text);
/** dress__text() - without what a terminal would act on. */
void dress__text(const struct writer *w, const char *text, struct sb *sb);
/** dress__csv() - quoted where it must be. */
void dress__csv(const struct writer *w, const char *text, struct sb *sb);
/** dress__json() - what stands between the quotes of a string. */
void dress__json(const struct writer *w, const char *text, struct sb *sb);
/** dress__label() - what stands between the quotes of a Prometheus label. */
void dress__label(const struct writer *w, const char *text, struct sb *sb);
/** dress__width() - columns a text takes on the screen. */
int dress__width(const char *text);
/** dress__left() - append a text and blanks up to a width; dress__right() - blanks, then it. */
void dress__left(struct sb *sb, const char *text, int width);
void dress__right(struct sb *sb, const char *text, int width);

/* --- Rows ------------------------------------------------------------------------------------ */

/**
 * struct row_kind - how a kind of row is headed and labelled
 * @key:    of JSON, and in the header of CSV
 * @head:   heading of text; @width: of the label there
 * @counts_units: the number of units stands behind the label
 * @places: bits of enum grid_place: what tells one row from another
 */
struct row_kind {
	const char *key, *head;
	int width;
	bool counts_units;
	unsigned int places;
};

extern const struct row_kind row_kinds[AGGR_NR];

/** row__label() - append what a row is called: "S0-D0-C1", "CPU3", "comm-12". */
void row__label(const struct writer *w, enum grid_aggr aggr, const struct grid_row *row,
		struct sb *sb);

/* --- Numbers (figure.c) ---------------------------------------------------------------------- */

enum colour { COLOUR_NONE, COLOUR_GREEN, COLOUR_RED, COLOUR_MAGENTA, COLOUR_YELLOW };

/**
 * struct figure - a ratio or metric, as perf's formats print it behind a count
 * @unit:  what is printed behind the number, in the format's form; @group: heading it stands under
 * @empty: no number could be computed: only room is left
 */
struct figure {
	double value, error;
	enum grid_form form;
	enum colour colour;
	bool empty, assumed;
	const char *unit, *group;
};

/** figure__of() - of a cell; the unit and the group are the caller's to set. */
struct figure figure__of(const struct grid_column *c, const struct grid_cell *cell);
/** figure__text() - append a number for text. Return: columns it takes on the screen. */
int figure__text(const struct writer *w, struct sb *sb, const struct figure *f);
/** figure__bare() - append its digits alone, for machines; nothing when it is no number. */
void figure__bare(struct sb *sb, const struct figure *f);
/** figure__error() - append " +- X" with the digits of a figure; nothing when it is exact. */
void figure__error(const struct writer *w, struct sb *sb, const struct figure *f);
/** figure__shown_error() - with so many digits: what is not exact is never shown as 0. */
double figure__shown_error(double error, int digits);
/** figure__error_bare() - append it for machines: nothing when it is not known. */
void figure__error_bare(struct sb *sb, double error);

/* --- Parts of formats ------------------------------------------------------------------------ */

/** lines__heads(), lines__rows() - lines of fields, as perf prints them; or one line of metrics. */
void lines__heads(struct writer *w);
void lines__rows(struct writer *w);
/** metric_only__heads(), metric_only__rows() - one line of metrics for each row. */
void metric_only__heads(struct writer *w);
void metric_only__rows(struct writer *w);
/** text__heads(), text__foot() - what stands above and below the rows of text. */
void text__heads(struct writer *w);
void text__foot(struct writer *w);
/** text__label_width() - columns of a row's label, with its number of CPUs and blanks behind. */
int text__label_width(const struct writer *w);

/** text__verdicts(), json_perf__verdicts() - append the verdicts of all trees and rows. */
void text__verdicts(struct writer *w);
void json_perf__verdicts(struct writer *w);
/** grid_verdict__members() - write a verdict as members of an object. */
void grid_verdict__members(struct json *j, const struct grid_verdict *v);

#endif
