/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the page of --format=html is written, as the user's options ask. */
#ifndef TMA_CMD_PAGE_H
#define TMA_CMD_PAGE_H

#include <stdbool.h>
#include <stdio.h>

struct err;
struct page;

/**
 * page__open() - begin a page
 * @name:   the file of -o, or NULL
 * @stream: where the page goes without @name; set to the stream that is opened where @name is not a
 *          regular file
 * @option: the option that names a file, for the message
 *
 * Return: the page; NULL with -EINVAL in @err for a terminal, which cannot show one, or -errno.
 */
struct page *page__open(const char *name, FILE **stream, const char *option, struct err *err);

/**
 * page__tell_made() - add to the page when it was made, and on which host
 * @what: the name of that moment: "Started"
 * @here: the measurement was made on this host
 */
void page__tell_made(struct page *page, const char *what, bool here);

#endif
