/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find and open the file that a path names for writing, without following a link that another user
 * may have set as a trap. Files that users name for output are opened by these functions.
 *
 * Links are followed one by one. A link is followed, also in procfs, if it belongs to this user, to
 * root or, in a container, to the host. Root does not follow links of other users, which may lead
 * to files that the link's owner cannot write. In directories where everybody may create files and
 * only owners may remove them ("sticky", as /tmp), other users only follow links of the directory's
 * owner. Files in these directories are refused if another user has created them, or may have given
 * them a second name. The kernel has the same rules for links, fifos and regular files in
 * /proc/sys/fs/protected_*, but they can be off, and report only EACCES.
 */
#ifndef TMA_BASE_PLACE_H
#define TMA_BASE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

struct err;

/**
 * struct place - where a file is, or will be
 * @dir:    descriptor of its directory
 * @name:   its name in the directory; not a link unless @magic
 * @magic:  the name is a link of procfs to something without a path; the kernel follows it
 * @exists: the file exists, and @st describes it
 * @in:     describes the directory
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
 * Return: 0; -errno of the walk; -EACCES for a link or file that another user may have put there.
 * Call place__close() after success and after failure.
 */
int place__find(struct place *p, const char *path, struct err *err);
/** place__close() - close the directory. */
void place__close(struct place *p);

/**
 * place__open() - open a file for writing
 * @flags: O_WRONLY or O_RDWR; without O_APPEND the file's contents are removed
 * @mode:  permissions of a new file
 *
 * Return: a descriptor that is closed at exec; -errno, with "cannot open PATH for writing: ...".
 */
int place__open(const char *path, int flags, mode_t mode, struct err *err);
/**
 * place__open_fifo() - open a fifo for reading and writing, which never blocks
 *
 * Return: a descriptor; -EINVAL for files that are not fifos; -errno.
 */
int place__open_fifo(const char *path, struct err *err);

#endif
