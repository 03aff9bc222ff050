/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that grows, and that readers see complete at any time. Pieces of text are appended to it,
 * and it is shown with an end after them.
 *
 * Two files have the same pieces: one that readers see, and a hidden one beside it
 * (".NAME.PID.tmp") that is written. To show new pieces, the hidden file gets those that it lacks,
 * and the end, and then the kernel swaps the names of both in one step. Each piece is therefore
 * written twice, however long the file has become, and a reader who opens the file sees a complete
 * one. If the file system cannot swap names, the hidden file is renamed, and the next hidden one is
 * a copy of it.
 */
#ifndef TMA_BASE_PUBLISH_H
#define TMA_BASE_PUBLISH_H

#include <stddef.h>

struct err;
struct publish;

/**
 * publish__new() - begin a file
 * @path: its name; if it is a link, the file that it leads to. Present contents stay until the
 *        first publish__show(). NULL: the file has no name, and is written for publish__save()
 * @fd:   if @path is NULL: a stream that pieces are written to at once, with a single end after
 *        them; else -1. The caller keeps it
 *
 * Return: a file to release with publish__free(); NULL with -errno in @err, -EINVAL for other than
 * regular files.
 */
struct publish *publish__new(const char *path, int fd, struct err *err);
/** publish__add() - append a piece. Return: 0, or -errno, and readers still see a complete file. */
int publish__add(struct publish *p, const char *text, size_t len, struct err *err);
/** publish__show() - show all pieces with an end after them. Return: as publish__add(). */
int publish__show(struct publish *p, const char *end, size_t len, struct err *err);
/**
 * publish__save() - write all pieces, and an end, to another file, and rename it into place
 *
 * It does not work for a stream. Return: 0 or -errno.
 */
int publish__save(struct publish *p, const char *path, const char *end, size_t len,
		  struct err *err);
/**
 * publish__abandon() - remove the hidden file of the present file with a name, without allocating.
 */
void publish__abandon(void);
/** publish__free() - release a file, and remove its hidden file; NULL is allowed. */
void publish__free(struct publish *p);

#endif
