/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page shows runs in a browser, and loads nothing from elsewhere. The input is the rows of runs,
 * each from a writer of --format=html; the output is one file.
 *
 * The file begins with the parts that never change (styles, a content security policy). The rows
 * follow as data, chunk after chunk. The end has the parts that change with each row: pictures and
 * tables for browsers without JavaScript, and the program that draws the rest. So the file grows
 * only by new rows (see base/publish.h).
 */
#ifndef TMA_WRITERS_PAGE_H
#define TMA_WRITERS_PAGE_H

#include <stdbool.h>

struct err;
struct page;
struct sb;

/**
 * page__new() - begin a page
 * @path: the file to make, or NULL
 * @fd:   (without @path) the stream that the growing page is written to; -1: keep the page in an
 *        unnamed file, for page__save()
 *
 * Return: what page__free() releases, or NULL with @err set.
 */
struct page *page__new(const char *path, int fd, struct err *err);
/**
 * page__add_fact() - add a fact about the run, the machine or the tables, such as "CPU", "..."; the
 * most important facts come first
 */
void page__add_fact(struct page *p, const char *name, const char *text);
/**
 * page__add_note() - add a note about the run, printed above everything else; notes after the first
 * few are dropped
 */
void page__add_note(struct page *p, const char *text);
/** page__put() - add trusted HTML above all runs; see page__put_text() for other texts. */
void page__put(struct page *p, const char *html);
/**
 * page__show() - publish the page with all rows so far; a stream is completed only after all rows
 *
 * Return: 0 or -errno.
 */
int page__show(struct page *p, struct err *err);
/** page__save() - write the page so far to another file. Return: 0 or -errno. */
int page__save(struct page *p, const char *path, struct err *err);
/**
 * page__free() - free a page; NULL is allowed. The file of a page that was never shown is not made.
 */
void page__free(struct page *p);

/** page__put_text() - append a text, escaped for HTML. */
void page__put_text(struct sb *sb, const char *text);

/*
 * --- Functions for the writer of a run ---------------------------------------------------------
 */

/**
 * page__begin_run() - begin the next run
 * @put: appends the run's part of the page's end
 * @flush: adds the data that the run has not added yet
 *
 * Return: the run's number.
 */
int page__begin_run(struct page *p, void (*put)(void *run, struct sb *sb),
		    int (*flush)(void *run, struct err *err), void *run);
/**
 * page__end_run() - keep the run's part of the page's end as it is now; further calls have no
 * effect
 */
void page__end_run(struct page *p);
/** page__is_named() - return whether the page is a file, which can be shown repeatedly. */
bool page__is_named(const struct page *p);
/**
 * page__add_data() - add an element with data
 * @kind: class of the element
 * @json: text made by lib/base/json; this function escapes the characters that HTML acts on
 *
 * Return: 0 or -errno.
 */
int page__add_data(struct page *p, const char *kind, const struct sb *json, struct err *err);
/** page__put_data() - append an element with data to a text. */
void page__put_data(struct sb *sb, const char *kind, const struct sb *json);

#endif
