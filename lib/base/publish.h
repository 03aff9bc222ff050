/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that grows and is always seen whole: in come pieces of text, each added behind those
 * before, and now and then an end for them; out comes a file in which the end stands behind all
 * pieces.
 *
 * Two files have the same pieces: one that is seen, and one beside it (".NAME.PID.tmp") that is
 * written. To show what is new, the hidden one is given the pieces that it lacks, and the end, and
 * the two swap their names in one step of the kernel. So each piece is written twice, however long
 * the file has become, and whoever opens the file sees a whole one. Where a file system cannot swap
 * names, the hidden one is renamed, and the next is a copy of it.
 */
#ifndef TMA_BASE_PUBLISH_H
#define TMA_BASE_PUBLISH_H

#include <stddef.h>

struct err;
struct publish;

/**
 * publish__new() - begin a file
 * @path: what it will be called; of a link, what it leads to. What is there already stays until the
 *        first publish__show(). NULL: the file has no name, and is there for publish__save()
 * @fd:   (without @path) a stream that pieces are written to at once, and one end behind them; else
 *        -1. It stays the caller's
 *
 * Return: what publish__free() releases; NULL with -errno in @err, -EINVAL for what is no regular
 * file.
 */
struct publish *publish__new(const char *path, int fd, struct err *err);
/** publish__add() - add a piece. Return: 0 or -errno; what is seen is still whole then. */
int publish__add(struct publish *p, const char *text, size_t len, struct err *err);
/** publish__show() - let all pieces be seen, with an end behind them. Return: as publish__add(). */
int publish__show(struct publish *p, const char *end, size_t len, struct err *err);
/**
 * publish__save() - write all pieces, and an end, to another file as a whole, by renaming
 *
 * Not of a stream. Return: 0 or -errno.
 */
int publish__save(struct publish *p, const char *path, const char *end, size_t len,
		  struct err *err);
/** publish__abandon() - remove the hidden file of what has a name; it allocates nothing. */
void publish__abandon(void);
/** publish__free() - release it, and remove the hidden file; NULL is allowed. */
void publish__free(struct publish *p);

#endif
