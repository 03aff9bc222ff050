/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that grows, and that readers see complete at any time. Pieces of text are appended to the
 * file, and it is shown with an end after the pieces.
 *
 * Two files have the same pieces: the file that readers see, and a hidden file beside it
 * (".NAME.PID.tmp"), which is written. To show new pieces, the hidden file gets the pieces that it
 * lacks and the end; then the kernel swaps the names of both files in one step. So each piece is
 * written twice, however long the file has become, and a reader who opens the file sees it
 * complete. If the file system cannot swap names, the hidden file is renamed, and the next hidden
 * file is a copy of it.
 */
#ifndef TMA_BASE_PUBLISH_H
#define TMA_BASE_PUBLISH_H

#include <stddef.h>

struct err;
struct publish;

/**
 * publish__new() - begin a file
 * @path: name of the file; if it is a link, the file that it leads to. The old contents stay until
 *        the first publish__show(). NULL: the file has no name, and is written for publish__save()
 * @fd:   (without @path) a stream, which the caller keeps; pieces are written to it immediately,
 *        and a single end follows them. -1 for none
 *
 * Return: a file to release with publish__free(); NULL with -errno in @err, which is -EINVAL if the
 * file is not regular.
 */
struct publish *publish__new(const char *path, int fd, struct err *err);
/** publish__add() - append a piece. Return: 0; or -errno, and readers still see a complete file. */
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
 * publish__abandon() - remove the hidden file of the current file with a name; allocates nothing.
 */
void publish__abandon(void);
/** publish__free() - release a file, and remove its hidden file; NULL is allowed. */
void publish__free(struct publish *p);

#endif
