/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A path comes in where something is to be written; out comes the one file that it names, without a
 * way that another user has laid there. Whoever writes to a file which a user named opens it by
 * this.
 *
 * Links are followed one by one. A link is not followed which another user has made: by root, whose
 * it leads to somewhere that user may not write, nowhere; by others, in a directory where everybody
 * may make files and only their owners remove them ("sticky", as /tmp). Links of root are followed,
 * and those of procfs that belong to this user. In such a directory no file is written that another
 * user has put there or given a second name. The kernel has the same rules for links, fifos and
 * regular files in /proc/sys/fs/protected_*, which can be off, and says no more than EACCES.
 */
#ifndef TMA_BASE_PLACE_H
#define TMA_BASE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

struct err;

/**
 * struct place - where a file is, or will be
 * @dir:    its directory, a descriptor
 * @name:   its name there, which is no link but where @magic
 * @magic:  it is a link of procfs, to what has no other path: the kernel follows it
 * @exists: there is one, and @st is of it
 * @in:     of the directory
 */
struct place {
	int dir;
	char name[NAME_MAX + 1];
	bool magic, exists;
	struct stat st, in;
};

/**
 * place__find() - walk a path to the file that it names
 *
 * Return: 0; -errno of the walk; -EACCES for what another user may have laid. place__close() closes
 * the directory, whatever was returned.
 */
int place__find(struct place *p, const char *path, struct err *err);
/** place__close() - close the directory. */
void place__close(struct place *p);

/**
 * place__open() - open a file to write to
 * @flags: O_WRONLY or O_RDWR; O_APPEND to add to what is there, which else is cut to nothing
 * @mode:  of a file that is made
 *
 * Return: a descriptor, closed at exec; -errno, with "cannot open PATH for writing: ...".
 */
int place__open(const char *path, int flags, mode_t mode, struct err *err);
/**
 * place__open_fifo() - open a fifo to read and write it, which never blocks
 *
 * Return: a descriptor; -EINVAL for what is no fifo; -errno.
 */
int place__open_fifo(const char *path, struct err *err);

#endif
