/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A writer prints a grid.
 *
 * The input is a grid (grid/grid.h) with the cells of the current row of time; the output is
 * headings, rows and their footer in the chosen format, written to a stream. A format is one file
 * and one line in the table of writer.c.
 */
#ifndef TMA_WRITERS_WRITER_H
#define TMA_WRITERS_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct err;
struct format;
struct grid;
struct page;
struct sb;
struct shared_text;
struct writer;

#define TABLE_MOST 200 /* columns of a table that people can read in a file */

/* Traits of formats, by which they are chosen and checked. */
enum format_trait {
	FORMAT_TEXT = 1 << 0,	/* it is for people: in their locale, with colours and notes */
	FORMAT_CSV = 1 << 1,	/* it has a separator, and may have a header */
	FORMAT_HEADER = 1 << 2, /* the header is printed unless it is switched off */
	FORMAT_JSON = 1 << 3,
	FORMAT_PERFS = 1 << 4,	 /* perf has the format too */
	FORMAT_STATE = 1 << 5,	 /* it has only the current state: each row replaces a file */
	FORMAT_VERDICT = 1 << 6, /* it can contain verdicts */
	FORMAT_REGIONS = 1 << 7, /* it can contain rows of regions */
	FORMAT_LEVELS = 1 << 8,	 /* it shows the levels of the TopDown tree below each other */
	FORMAT_WHOLE = 1 << 9,	 /* the whole output is one document */
	FORMAT_PAGE = 1 << 10,	 /* the output is a page (writers/page.h) with all rows */
};

/**
 * format__find() - find the format with a name, or NULL; format__at() - return the format with a
 * number, NULL after the last
 */
const struct format *format__find(const char *name);
const struct format *format__at(int number);
/** format__name() - return a format's name, as --format has it. */
const char *format__name(const struct format *f);
/** format__is() - return whether a format has one of the traits. */
bool format__is(const struct format *f, unsigned int traits);

/**
 * struct writer_options - how to print; texts must outlive the writer
 * @narrow:    format that replaces @format if a line is wider than the terminal, or than TABLE_MOST
 *             in a file or pipe; NULL for none
 * @separator: text between the fields of CSV; NULL for ","
 * @path:      (FORMAT_STATE) file that each row replaces; NULL: write to the stream
 * @published: (FORMAT_STATE) text that each row replaces; NULL for none
 * @above:     (CSV) the line, with its end, that the file has already in place of a header: no
 *             header is printed; NULL for none
 * @cpuid:     identifier of the CPU, printed in a line of its own (json) or as a family (prom);
 *             NULL or "" for none
 * @version:   (prom) the program's version; NULL: do not print version, CPU and tables
 * @cpu:       (prom) name of the CPU; @tables: (prom) name of the tables, with the hash of their
 *             contents
 * @head:      what is measured, for the heading of text: "'system wide'", "'true'"
 * @raw_head:  print newlines and tabs of @head as they are, as perf does
 * @header:    (CSV) print a line of column names first, once; @full_header: (csv-wide) print names
 *             with units
 * @precise:   (csv-wide) print all digits of values
 * @metric_only: print one line of metrics for each row
 * @big_num:   print thousands separators in text, as the locale has them
 * @colours:   number of the terminal's colours, for values over or under their thresholds and for
 *             parts of the tree; 0: print no colours
 * @clear:     clear the terminal before each interval's rows
 * @error:     print the errors of values
 * @reasons:   print why a value is missing or not exact; text prints the reasons below the rows
 * @run_table: list the length of each of several runs
 * @ratios:    (prom) print nodes of TopDown trees as ratios as well
 * @compat7:   use the words of perf 7 in perf's formats, and its additions to JSON
 * @unfold:    (tree) show children of nodes under their thresholds, too
 * @page:      (FORMAT_PAGE) the page for the rows; nothing is written to the stream
 * @recorded:  (FORMAT_PAGE) rows come as fast as they are read, so the page is shown only at the
 *             end
 * @summary_mark: begin rows of CSV that are not intervals with the field "summary"
 */
struct writer_options {
	const struct format *format, *narrow;
	int colours;
	const char *separator, *path, *above, *cpuid, *head, *version, *cpu, *tables;
	struct page *page;
	struct shared_text *published;
	bool header, full_header, precise, metric_only, big_num, clear, error, reasons,
		run_table, summary_mark, ratios, compat7, unfold, recorded, raw_head;
};

/** writer__wants() - return what a grid must contain for the writer, bits of enum grid_want. */
unsigned int writer__wants(const struct writer_options *opts);
/**
 * writer__new() - make a writer of a grid
 * @g:    the grid, with its columns; must outlive the writer
 * @opts: options, which are copied
 * @out:  stream to write to, which the caller closes
 *
 * Return: what writer__free() releases.
 */
struct writer *writer__new(const struct writer_options *opts, const struct grid *g, FILE *out);
/**
 * writer__fits_above() - return whether the existing line (writer_options.above) equals the
 * writer's header.
 */
bool writer__fits_above(struct writer *w);
/** writer__free() - release a writer; NULL is allowed. */
void writer__free(struct writer *w);
/**
 * writer__rows() - print headings when they are due, the current rows, and the foot
 *
 * The output of a call is put together in memory. A file gets it with one write, a pipe in whole
 * lines. Allocates nothing after the first call.
 *
 * Return: 0, or -errno if it could not be written completely.
 */
int writer__rows(struct writer *w, struct err *err);
/**
 * writer__verdicts() - print the grid's verdicts, after all rows
 * @lines: receives the lines if the format cannot contain them
 *
 * Return: as writer__rows().
 */
int writer__verdicts(struct writer *w, struct sb *lines, struct err *err);
/**
 * writer__finish() - print the end of the format after all rows and verdicts, or pass the remaining
 * data to the page
 *
 * Return: as writer__rows().
 */
int writer__finish(struct writer *w, struct err *err);
/**
 * writer__regions() - print a grid of regions of a program, in a format that has rows for them
 *
 * Return: 0, or -errno if writing to the stream failed.
 */
int writer__regions(const struct writer_options *opts, const struct grid *g, FILE *out,
		    struct err *err);

#endif
