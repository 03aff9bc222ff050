/* SPDX-License-Identifier: GPL-2.0-only */
/* The page of --format=html is written to the place that the user's options name. */
#ifndef TMA_CMD_PAGE_H
#define TMA_CMD_PAGE_H

#include <stdbool.h>
#include <stdio.h>

struct err;
struct page;

/**
 * page__open() - begin a page
 * @name:   name of the file after -o, or NULL
 * @stream: stream that the page is written to if @name is NULL; if @name is not a regular file, it
 *          is opened and @stream is set to it
 * @option: the option that names a file, for the message
 *
 * Return: the page; NULL on failure, and @err has the reason. A terminal, which cannot show a page,
 * is refused with -EINVAL.
 */
struct page *page__open(const char *name, FILE **stream, const char *option, struct err *err);

/**
 * page__tell_made() - add to the page when it was made, and on which host
 * @what: word before the time: "Started"
 * @here: the measurement was made on this host
 */
void page__tell_made(struct page *page, const char *what, bool here);

#endif
