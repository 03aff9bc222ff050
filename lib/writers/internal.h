/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the files of lib/writers share. */
#ifndef TMA_WRITERS_INTERNAL_H
#define TMA_WRITERS_INTERNAL_H

#include <locale.h>

#include "base/json.h"
#include "base/sb.h"
#include "base/xalloc.h"
#include "grid/grid.h"
#include "writers/writer.h"

#define ASSUMED_MARK "~" /* mark of a value that depends on a latency not measured here */
#define NS_PER_S 1000000000

/* Widths of fields in text, in columns. */
#define COUNT_WIDTH 18
#define TIME_WIDTH 16 /* width of an interval's time, before a blank */
#define CPUS_WIDTH 4
#define CGROUP_WIDTH 16
#define FOLD_INDENT 2 /* indent of the continuation of a folded line */
#define ERROR_WIDTH 18	       /* width of an error after a count: " +- 1,234,567,890 " */
#define METRIC_ERROR_WIDTH 10 /* width of an error after a metric: " +- 12.34" */
#define METRIC_ONLY_WIDTH 20  /* least width of a column of --metric-only */

struct own;
struct perfs;
struct metric_tree;
struct html;
struct timeline;

/**
 * struct format - how a grid is printed
 * @name:   the format's name in --format
 * @traits: bits of enum format_trait
 * @wants:  what the grid must contain; @metric_only_wants: what it must contain for --metric-only
 * @dress:  append a text, escaped as this format needs it
 * @begin:  make what never changes: names, layouts; may be NULL
 * @fit:    make a line of --metric-only fit into @width columns. Return: whether it fits. NULL if
 *          no narrower format can be used
 * @heads:  append the headings, before the first rows, and in text after every 25 prints; may be
 *          NULL
 * @rows:   append the rows
 * @foot:   append what follows the rows; may be NULL
 * @verdicts: append the verdicts; NULL if the format can only have rows
 * @last:   append the end of the output; may be NULL
 * @take:   (instead of @heads, @rows and @foot) take the rows; the text of @verdicts is not written
 *          either. Return: 0 or -errno
 * @finish: (instead of @last) write what @take has kept. Return: 0 or -errno
 * @release: free memory that is not in the writer's arena; may be NULL
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
 * struct writer - an output in a format
 * @text:  text for the next write
 * @scratch: a buffer for a text that is padded or escaped in one step
 * @memory: everything that begin() allocates, freed with the writer
 * @perfs:  what begin() makes in @memory for perf's formats; likewise @own for tma's own formats,
 *          @tree for the tree, @timeline for the trace and @html for pages
 * @nr_prints: number of prints since the last heading; @has_heads: headings were printed
 * @named: value of grid.named when the names of rows were made
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

/** dress() - escape a text as the format needs it, in the writer's memory. */
const char *dress(struct writer *w, const char *text);
/** dress_sb() - escape the text of a buffer as dress() does, and empty the buffer. */
const char *dress_sb(struct writer *w, struct sb *text);
/** dress__text() - append a text without characters that a terminal acts on. */
void dress__text(const struct writer *w, const char *text, struct sb *sb);
/** dress__csv() - append a field, quoted if necessary. */
void dress__csv(const struct writer *w, const char *text, struct sb *sb);
/** dress__json() - append the inside of a quoted string. */
void dress__json(const struct writer *w, const char *text, struct sb *sb);
/** dress__label() - append the inside of a quoted Prometheus label. */
void dress__label(const struct writer *w, const char *text, struct sb *sb);
/**
 * dress__left() - append a text, then blanks up to a width; dress__right() - append the blanks
 * first.
 */
void dress__left(struct sb *sb, const char *text, int width);
void dress__right(struct sb *sb, const char *text, int width);

/* --- Rows ------------------------------------------------------------------------------------ */

/** row__label() - append the label of a row: "S0-D0-C1", "CPU3", "comm-12". */
void row__label(const struct writer *w, enum grid_aggr aggr, const struct grid_row *row,
		struct sb *sb);

/**
 * writer__put() - write a whole text directly to a stream's file, with as many writes as it takes
 * @to_file: the stream is a regular file: an incomplete line is removed from it if a write fails
 *
 * Output to standard error must not be split into many writes. Return: 0, or a negative errno value
 * with @err set.
 */
int writer__put(FILE *out, const char *text, size_t len, bool to_file, struct err *err);

/* --- Numbers (figure.c) ---------------------------------------------------------------------- */

enum colour { COLOUR_NONE, COLOUR_GREEN, COLOUR_RED, COLOUR_MAGENTA, COLOUR_YELLOW };

/**
 * struct figure - a ratio or metric, as perf's formats print it after a count
 * @unit:  text after the number, in the format's form; @group: heading of the metrics it belongs to
 * @empty: the figure has no value, and is left blank
 * @graded: the figure has limits or a threshold, which determine its colour
 */
struct figure {
	double value, error;
	enum grid_form form;
	enum colour colour;
	bool empty, assumed, graded;
	const char *unit, *group;
};

/** figure__make() - make the figure of a cell; the caller sets the unit and the group. */
struct figure figure__make(const struct grid_column *c, const struct grid_cell *cell);
/** figure__text() - append a number in text. Return: number of columns it has. */
int figure__text(const struct writer *w, struct sb *sb, const struct figure *f);
/**
 * figure__begin_colour() - append the sequence that begins a colour; figure__end_colour() - end it.
 */
void figure__begin_colour(const struct writer *w, struct sb *sb, const struct figure *f);
void figure__end_colour(const struct writer *w, struct sb *sb, const struct figure *f);
/** figure__begin_part() - begin the colour of a part of the tree; figure__end_part() - end it. */
void figure__begin_part(const struct writer *w, struct sb *sb, enum grid_part part);
void figure__end_part(const struct writer *w, struct sb *sb, enum grid_part part);
/** figure__bare() - append only the digits of a figure, for machines; nothing without a value. */
void figure__bare(struct sb *sb, const struct figure *f);
/**
 * figure__error() - append an error, " +- X", with as many digits as the figure; nothing if exact.
 */
void figure__error(const struct writer *w, struct sb *sb, const struct figure *f);
/** seconds__print() - append a time in seconds, with nine digits after the point. */
void seconds__print(struct sb *sb, uint64_t ns);
/**
 * figure__shown_error() - round an error up to @digits digits, so that it is never printed as 0.
 */
double figure__shown_error(double error, int digits);
/** figure__error_bare() - append an error for machines; nothing if it is unknown. */
void figure__error_bare(struct sb *sb, double error);

/* --- Reasons (reasons.c) --------------------------------------------------------------------- */

#define REASONS_MAX 16

/**
 * struct reasons - the reasons that were printed already
 * @most: limit of the number of reasons, at most REASONS_MAX
 * @at:   for each reason, a cell that has it
 * @more: number of cells with other reasons, for which there was no room
 */
struct reasons {
	int most;
	const struct grid_cell *at[REASONS_MAX];
	int nr, more;
};

/** cell__has_reason() - return whether a printed cell has a reason to print. */
bool cell__has_reason(const struct grid_cell *cell);
/** cell__has_same_reason() - return whether two cells have the same status for the same reason. */
bool cell__has_same_reason(const struct grid_cell *a, const struct grid_cell *b);
/** reasons__add() - add a cell's reason. Return: whether the reason is new and must be printed. */
bool reasons__add(struct reasons *printed, const struct grid_cell *cell);
/** cell__print_reason() - append a cell's reason, not escaped; nothing if it has none. */
void cell__print_reason(struct sb *sb, const struct grid_cell *cell);

/* --- Parts of formats ------------------------------------------------------------------------ */

/**
 * lines__heads() - append headings; lines__rows() - append lines as perf prints them, of fields or
 * metrics.
 */
void lines__heads(struct writer *w);
void lines__rows(struct writer *w);
/**
 * metric_only__heads() - append the headings of --metric-only; metric_only__rows() - append one
 * line of metrics for each row; metric_only__fit() - reduce the widths of columns if a line of text
 * is wider than @width. Return: whether it fits.
 */
bool metric_only__fit(struct writer *w, int width);
void metric_only__heads(struct writer *w);
void metric_only__rows(struct writer *w);
/** text__heads(), text__foot() - append the lines above and below the rows of text. */
void text__heads(struct writer *w);
/**
 * text__fold() - fold lines that are wider than the terminal, in text for people
 * @from: offset of the first line to fold in the text
 * @more: number of blanks before a continuation, in addition to those before its first line
 */
void text__fold(struct writer *w, size_t from, int more);
/** text__run_head() - append what is measured, above the rows of a whole run. */
void text__run_head(struct writer *w);
void text__foot(struct writer *w);
/**
 * text__label_width() - return the width of a row's label, including its number of CPUs and blanks.
 */
int text__label_width(const struct writer *w);

/** text__verdicts(), json_perf__verdicts() - append the verdicts of all trees and rows. */
void text__verdicts(struct writer *w);
void json_perf__verdicts(struct writer *w);
/** grid_verdict__members() - append a verdict as members of an object. */
void grid_verdict__members(struct json *j, const struct grid_verdict *v);

#endif
