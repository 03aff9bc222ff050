/* SPDX-License-Identifier: GPL-2.0-only */
/* A page of --format=html is begun where a user wants it. */
#ifndef TMA_CMD_PAGE_H
#define TMA_CMD_PAGE_H

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

#endif
