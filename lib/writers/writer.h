/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A writer prints a grid.
 *
 * In comes a grid (grid/grid.h) whose cells are those of the time at hand; out come headings, rows
 * and what stands below, as bytes in the format that was chosen, on the stream that is given. A
 * format is one file and one line in the table of writer.c.
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

/* These traits say what a format is to whoever chooses one. */
enum format_trait {
	FORMAT_TEXT = 1 << 0,	/* for people: in their locale, with colours and notes */
	FORMAT_CSV = 1 << 1,	/* it has a separator, and can have a header */
	FORMAT_HEADER = 1 << 2, /* the header is there unless it is not wanted */
	FORMAT_JSON = 1 << 3,
	FORMAT_PERFS = 1 << 4,	 /* perf prints it too */
	FORMAT_STATE = 1 << 5,	 /* it says what holds now: each row replaces a file */
	FORMAT_VERDICT = 1 << 6, /* it has a place for verdicts */
	FORMAT_REGIONS = 1 << 7, /* it has rows for regions */
	FORMAT_LEVELS = 1 << 8,	 /* it shows a level of the TopDown tree below those above */
	FORMAT_WHOLE = 1 << 9,	 /* it is one text, from its first byte to the last */
	FORMAT_PAGE = 1 << 10,	 /* it is a page (writers/page.h) of all rows */
};

/**
 * format__find() - find the format of that name, or NULL; format__at() - the one of that number,
 * NULL behind the last.
 */
const struct format *format__find(const char *name);
const struct format *format__at(int number);
/** format__name() - tell its name, as --format has it. */
const char *format__name(const struct format *f);
/** format__is() - tell whether it has one of the traits. */
bool format__is(const struct format *f, unsigned int traits);

/**
 * struct writer_options - how it is printed; texts must outlive the writer
 * @narrow:    the format to take where a line of @format is wider than the terminal, or than
 *             TABLE_MOST in a file or pipe; NULL for none
 * @separator: what stands between the fields of CSV; NULL for ","
 * @path:      file that each row replaces (FORMAT_STATE); NULL to use the stream
 * @published: text that each row replaces (FORMAT_STATE); NULL for none
 * @above:     (CSV) the line, with its end, that @header's stands in already: no second one comes;
 *             NULL for none
 * @cpuid:     of the computer, for a line of its own (json) or a family (prom); NULL or "" for none
 * @version, @cpu, @tables: (prom) the program's, the CPU, and which tables there are with the hash
 *             of all that is in them; without @version none of them is told
 * @head:      what is measured, for the heading of text: "'system wide'", "'true'"
 * @header:    (CSV) a line of column names comes first, once; @full_header: (csv-wide) with units
 * @precise:   (csv-wide) values have all their digits
 * @metric_only: one line of metrics for each row
 * @big_num:   thousands separators in text, as the locale has them
 * @colours:   how many the terminal has, for what is over and under its threshold and for parts of
 *             the tree; 0: none are wanted
 * @clear:     clear the terminal before each interval's rows
 * @error:     print how far off values may be
 * @reasons:   say why a value is no number, or no exact one; text does so below the rows
 * @run_table: list the length of each of several runs
 * @ratios:    (prom) nodes of TopDown trees are told of as ratios as well
 * @compat7:   perf's formats have the words of perf 7, and JSON what it adds
 * @unfold:    (tree) show parts of what is under its threshold, too
 * @page:      (FORMAT_PAGE) which rows go into, and nowhere else; @recorded: they come as fast as
 *             they are read, so that the page is shown in the end alone
 * @summary_mark: rows of CSV which are no interval's begin with the field "summary"
 */
struct writer_options {
	const struct format *format, *narrow;
	int colours;
	const char *separator, *path, *above, *cpuid, *head, *version, *cpu, *tables;
	struct page *page;
	struct shared_text *published;
	bool header, full_header, precise, metric_only, big_num, clear, error, reasons,
		run_table, summary_mark, ratios, compat7, unfold, recorded;
};

/** writer__wants() - tell what a grid must have for it, of enum grid_want. */
unsigned int writer__wants(const struct writer_options *opts);
/**
 * writer__new() - make a writer of a grid
 * @g:    its columns stand; must outlive the writer
 * @opts: copied
 * @out:  stays the caller's
 *
 * writer__free() it.
 */
struct writer *writer__new(const struct writer_options *opts, const struct grid *g, FILE *out);
/** writer__fits_above() - whether the line that stands above, if there is one, is its header. */
bool writer__fits_above(struct writer *w);
/** writer__free() - release it; NULL is allowed. */
void writer__free(struct writer *w);
/**
 * writer__rows() - print headings when they are due, the rows of the time at hand, and the foot
 *
 * Everything of one call is put together in memory and written to a file with one write, to a pipe
 * in whole lines. Allocates nothing after the first call.
 *
 * Return: 0, or -errno when it could not be written whole.
 */
int writer__rows(struct writer *w, struct err *err);
/**
 * writer__verdicts() - print the grid's verdicts, behind all rows
 * @lines: lines are appended for a format which has no place for them; else they are printed
 *
 * Return: as writer__rows().
 */
int writer__verdicts(struct writer *w, struct sb *lines, struct err *err);
/**
 * writer__finish() - print what stands behind all rows and verdicts, where the format has an end,
 * or let a page have what it has not yet
 *
 * Return: as writer__rows().
 */
int writer__finish(struct writer *w, struct err *err);
/**
 * writer__regions() - print a grid of regions of a program, in a format that has rows for them
 *
 * Return: 0, or -errno when the stream did not take it.
 */
int writer__regions(const struct writer_options *opts, const struct grid *g, FILE *out,
		    struct err *err);

#endif
