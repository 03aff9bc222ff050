/* SPDX-License-Identifier: GPL-2.0-only */
/* A page of --format=html is begun where a user wants it. */
#ifndef TMA_CMD_PAGE_H
#define TMA_CMD_PAGE_H

#include <stdbool.h>
#include <stdio.h>

struct err;
struct page;

/**
 * page__open() - begin a page
 * @name:   the file of -o, or NULL
 * @stream: where it goes without; set to the stream that is opened where @name is no regular file
 * @option: what gives it a file, for the message
 *
 * Return: the page; NULL with -EINVAL in @err for a terminal, which shows none, or -errno.
 */
struct page *page__open(const char *name, FILE **stream, const char *option, struct err *err);

/**
 * page__tell_made() - have it say when it was made, and where
 * @what: what was done then: "Started"
 * @here: what it shows was measured on this host
 */
void page__tell_made(struct page *page, const char *what, bool here);

#endif
