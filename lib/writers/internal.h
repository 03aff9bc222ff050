/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of lib/writers share what is declared here. */
#ifndef TMA_WRITERS_INTERNAL_H
#define TMA_WRITERS_INTERNAL_H

#include <locale.h>

#include "base/json.h"
#include "base/sb.h"
#include "base/xalloc.h"
#include "grid/grid.h"
#include "writers/writer.h"

#define ASSUMED_MARK "~" /* stands before a number made with a latency nobody measured here */
#define NS_PER_S 1000000000

/* Text has so many columns for each of these. */
#define COUNT_WIDTH 18
#define TIME_WIDTH 16 /* of an interval, before a blank */
#define CPUS_WIDTH 4
#define CGROUP_WIDTH 16
#define FOLD_INDENT 2 /* of what is broken off a line */
#define ERROR_WIDTH 18	       /* " +- 1,234,567,890 " behind a count */
#define METRIC_ERROR_WIDTH 10 /* " +- 12.34" behind a metric */
#define METRIC_ONLY_WIDTH 20  /* least width of a column of --metric-only, where there is room */

struct own;
struct perfs;
struct metric_tree;
struct html;
struct timeline;

/**
 * struct format - how a grid is printed
 * @name:   what --format calls it
 * @traits: what it is, bits of enum format_trait
 * @wants:  what it asks of the grid; with --metric-only it asks @metric_only_wants
 * @dress:  append a text as it stands in this format
 * @begin:  make what never changes: names, layouts; NULL for nothing
 * @fit:    make a line of metrics alone fit so many columns. Return: whether it does. NULL where
 *          nothing else can be taken
 * @heads:  append what comes above the first rows, and in text above every 26th; may be NULL
 * @rows:   append the rows
 * @foot:   append what comes below them; may be NULL
 * @verdicts: append the verdicts; NULL where nothing but rows may be
 * @last:   append what stands behind all of it; may be NULL
 * @take:   (instead of @heads, @rows and @foot) take the rows; what verdicts() appends is not
 *          written either. Return: 0 or -errno
 * @finish: (instead of @last) write what take() has kept. Return: 0 or -errno
 * @release: release what is not in the writer's memory; may be NULL
 */
struct format {
	const char *name;
	unsigned int traits, wants, metric_only_wants;
	void (*dress)(const struct writer *w, const char *text, struct sb *sb);
	void (*begin)(struct writer *w);
	bool (*fit)(struct writer *w, int width);
	void (*heads)(struct writer *w);
	void (*rows)(struct writer *w);
	void (*foot)(struct writer *w);
	void (*verdicts)(struct writer *w);
	void (*last)(struct writer *w);
	int (*take)(struct writer *w, struct err *err);
	int (*finish)(struct writer *w, struct err *err);
	void (*release)(struct writer *w);
};

/**
 * struct writer - a format at work
 * @text:  what is put together for one write
 * @scratch: a buffer for a text that is padded or dressed as a whole
 * @memory: everything that begin() allocates, released with the writer
 * @perfs, @own, @tree, @timeline, @html: what the begin() of perf's formats, of tma's own, of the
 *           tree, of the trace and of pages made in @memory
 * @nr_prints: since the last heading; @has_heads: headings stand above
 * @named: the names of the grid's rows that begin() or later rows made (struct grid)
 */
struct writer {
	const struct format *format;
	struct writer_options opts;
	const struct grid *grid;
	FILE *out;
	locale_t c_locale;
	struct sb text, scratch;
	struct arena memory;
	struct perfs *perfs;
	struct own *own;
	struct metric_tree *tree;
	struct html *html;
	struct timeline *timeline;
	int nr_prints;
	unsigned int named;
	bool has_heads, to_file;
};

/* --- Names (dress.c) ------------------------------------------------------------------------- */

/** dress() - write a text as the format must have it, in the writer's memory. */
const char *dress(struct writer *w, const char *text);
/** dress_sb() - do the same with a buffer, which is empty then. */
const char *dress_sb(struct writer *w, struct sb *text);
/** dress__text() - append a text without what a terminal would act on. */
void dress__text(const struct writer *w, const char *text, struct sb *sb);
/** dress__csv() - append a field, quoted where it must be. */
void dress__csv(const struct writer *w, const char *text, struct sb *sb);
/** dress__json() - append what stands between the quotes of a string. */
void dress__json(const struct writer *w, const char *text, struct sb *sb);
/** dress__label() - append what stands between the quotes of a Prometheus label. */
void dress__label(const struct writer *w, const char *text, struct sb *sb);
/** dress__left() - append a text and blanks up to a width; dress__right() - blanks, then it. */
void dress__left(struct sb *sb, const char *text, int width);
void dress__right(struct sb *sb, const char *text, int width);

/* --- Rows ------------------------------------------------------------------------------------ */

/** row__label() - append what a row is called: "S0-D0-C1", "CPU3", "comm-12". */
void row__label(const struct writer *w, enum grid_aggr aggr, const struct grid_row *row,
		struct sb *sb);

/**
 * writer__put() - write a text straight to a stream's file, all of it, whatever it takes
 * @to_file: it is a regular file: a line that is not whole is taken back
 *
 * What is printed to stderr must not be cut into many writes. Return: 0, or a negative errno value
 * with @err set.
 */
int writer__put(FILE *out, const char *text, size_t len, bool to_file, struct err *err);

/* --- Numbers (figure.c) ---------------------------------------------------------------------- */

enum colour { COLOUR_NONE, COLOUR_GREEN, COLOUR_RED, COLOUR_MAGENTA, COLOUR_YELLOW };

/**
 * struct figure - a ratio or metric, as perf's formats print it behind a count
 * @unit:  text behind the number, in the format's form; @group: heading that it stands under
 * @empty: no number could be computed: only room is left
 * @graded: it has limits or a threshold, by which it has its colour
 */
struct figure {
	double value, error;
	enum grid_form form;
	enum colour colour;
	bool empty, assumed, graded;
	const char *unit, *group;
};

/** figure__of() - make the figure of a cell; the unit and the group are the caller's to set. */
struct figure figure__of(const struct grid_column *c, const struct grid_cell *cell);
/** figure__text() - append a number for text. Return: columns it takes on the screen. */
int figure__text(const struct writer *w, struct sb *sb, const struct figure *f);
/** figure__begin_colour(), figure__end_colour() - append what puts text in its colour and back. */
void figure__begin_colour(const struct writer *w, struct sb *sb, const struct figure *f);
void figure__end_colour(const struct writer *w, struct sb *sb, const struct figure *f);
/** figure__begin_part() - begin the colour of a part of the tree; figure__end_part() ends it. */
void figure__begin_part(const struct writer *w, struct sb *sb, enum grid_part part);
void figure__end_part(const struct writer *w, struct sb *sb, enum grid_part part);
/** figure__bare() - append its digits alone, for machines; nothing when it is no number. */
void figure__bare(struct sb *sb, const struct figure *f);
/** figure__error() - append " +- X" with the digits of a figure; nothing when it is exact. */
void figure__error(const struct writer *w, struct sb *sb, const struct figure *f);
/** seconds__print() - append a time in seconds, with nine digits behind the point. */
void seconds__print(struct sb *sb, uint64_t ns);
/**
 * figure__shown_error() - fit an error to so many digits: what is not exact is never shown as 0.
 */
double figure__shown_error(double error, int digits);
/** figure__error_bare() - append it for machines: nothing when it is not known. */
void figure__error_bare(struct sb *sb, double error);

/* --- Reasons (reasons.c) --------------------------------------------------------------------- */

#define REASONS_MAX 16

/**
 * struct reasons - reasons that have been told
 * @most: how many can be, of REASONS_MAX
 * @at:   a cell with each
 * @more: how many cells have others, for which there is no room
 */
struct reasons {
	int most;
	const struct grid_cell *at[REASONS_MAX];
	int nr, more;
};

/** cell__has_reason() - whether there is something to tell of a cell that is printed. */
bool cell__has_reason(const struct grid_cell *cell);
/** cell__same_reason() - whether two cells have the same status for the same reason. */
bool cell__same_reason(const struct grid_cell *a, const struct grid_cell *b);
/** reasons__add() - remember a cell's reason. Return: whether it is to be told now. */
bool reasons__add(struct reasons *told, const struct grid_cell *cell);
/** cell__print_reason() - append why, not dressed; nothing when there is nothing to say. */
void cell__print_reason(struct sb *sb, const struct grid_cell *cell);

/* --- Parts of formats ------------------------------------------------------------------------ */

/**
 * lines__heads(), lines__rows() - append lines of fields, as perf prints them; or one line of
 * metrics.
 */
void lines__heads(struct writer *w);
void lines__rows(struct writer *w);
/**
 * metric_only__heads(), metric_only__rows() - append one line of metrics for each row;
 * metric_only__fit() - put columns closer together where a line of text is wider than @width.
 * Return: whether it is not.
 */
bool metric_only__fit(struct writer *w, int width);
void metric_only__heads(struct writer *w);
void metric_only__rows(struct writer *w);
/** text__heads(), text__foot() - append what stands above and below the rows of text. */
void text__heads(struct writer *w);
/**
 * text__fold() - break lines where they are wider than the terminal, of text for people
 * @from: bytes of the text before them
 * @more: blanks before what is broken off, besides those that the line begins with
 */
void text__fold(struct writer *w, size_t from, int more);
/** text__run_head() - append what is measured, above the rows of a whole run. */
void text__run_head(struct writer *w);
void text__foot(struct writer *w);
/**
 * text__label_width() - count the columns of a row's label, with its number of CPUs and blanks
 * behind.
 */
int text__label_width(const struct writer *w);

/** text__verdicts(), json_perf__verdicts() - append the verdicts of all trees and rows. */
void text__verdicts(struct writer *w);
void json_perf__verdicts(struct writer *w);
/** grid_verdict__members() - append what is said of one, as members of an object. */
void grid_verdict__members(struct json *j, const struct grid_verdict *v);

#endif
