/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page shows runs in a browser, alone: nothing is loaded from anywhere. In come the rows of runs,
 * each from a writer of --format=html; out comes one file.
 *
 * The file begins with what never changes (styles, a content security policy), goes on with the
 * rows as data, one chunk of them behind the other, and ends with what changes with each row:
 * pictures and tables for browsers without JavaScript, and the program that draws the rest. So it
 * grows by what is new (see base/publish.h).
 */
#ifndef TMA_WRITERS_PAGE_H
#define TMA_WRITERS_PAGE_H

#include <stdbool.h>

struct err;
struct page;
struct sb;

/**
 * page__new() - begin a page
 * @path: the file it will be, or NULL
 * @fd:   (without @path) the stream that it is written to while it grows; -1: it is kept in a file
 *        without a name, for page__save()
 *
 * Return: what page__free() releases, or NULL with @err set.
 */
struct page *page__new(const char *path, int fd, struct err *err);
/**
 * page__tell() - have it say something of the run, the machine or the tables, most important
 * first: "CPU", "..."
 */
void page__tell(struct page *p, const char *name, const char *text);
/** page__note() - have it say a sentence on the run below all else: of many, the first ones. */
void page__note(struct page *p, const char *text);
/** page__put() - have HTML stand above all runs: it is trusted, see page__put_text(). */
void page__put(struct page *p, const char *html);
/**
 * page__show() - let it be seen with all rows up to now; of a stream, once, behind all rows
 *
 * Return: 0 or -errno.
 */
int page__show(struct page *p, struct err *err);
/** page__save() - write what there is up to now to another file as a whole. 0 or -errno. */
int page__save(struct page *p, const char *path, struct err *err);
/** page__free() - release it; NULL is allowed. A page that was never shown is no file. */
void page__free(struct page *p);

/** page__put_text() - append a text, as HTML shows it: nothing in it begins or ends anything. */
void page__put_text(struct sb *sb, const char *text);

/* --- What the writer of a run calls ----------------------------------------------------------- */

/**
 * page__begin_run() - begin the next run, whose writer lives
 * @put: appends its part of the page's end; @flush: adds the data that it has kept so far
 *
 * Return: its number.
 */
int page__begin_run(struct page *p, void (*put)(void *run, struct sb *sb),
		    int (*flush)(void *run, struct err *err), void *run);
/**
 * page__end_run() - the run's part of the page's end stays as it is now. Does nothing after the
 * first time.
 */
void page__end_run(struct page *p);
/** page__is_named() - whether it is a file that can be shown again and again. */
bool page__is_named(const struct page *p);
/**
 * page__add_data() - add an element with data
 * @kind: its class
 * @json: made by lib/base/json: what HTML would act on is escaped here
 *
 * Return: 0 or -errno.
 */
int page__add_data(struct page *p, const char *kind, const struct sb *json, struct err *err);
/** page__put_data() - append such an element to a text. */
void page__put_data(struct sb *sb, const char *kind, const struct sb *json);

#endif
