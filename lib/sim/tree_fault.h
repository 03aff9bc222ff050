/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of /sys and /proc that a fault spoils: in comes the path of the file as it should be, out
 * goes that of another one which is read in its place.
 */
#ifndef TMA_SIM_TREE_FAULT_H
#define TMA_SIM_TREE_FAULT_H

#include <stdbool.h>
#include <stddef.h>

struct fault;
struct faults;

/** tree_fault__of() - find the fault of a file, by any of the names that a PMU's has, or NULL. */
const struct fault *tree_fault__of(const struct faults *faults, const char *path);

/**
 * tree_fault__remove() - take the files that are to be missing out of their directories
 * @root:  where the machine's files are written
 * @wrote: tells which have just been written
 */
void tree_fault__remove(const struct faults *faults, const char *root,
			bool (*wrote)(const char *path));

/**
 * tree_fault__write() - write the file that is read in place of another
 * @root: where the machine's files are written; the new one goes there, too
 * @path: the other one; set to @buf
 *
 * Return: 0; the errno of the fault that it cannot be opened, or of what could not be written.
 */
int tree_fault__write(const struct fault *f, const char *root, const char **path, char *buf,
		      size_t size);

#endif
