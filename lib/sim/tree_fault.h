/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of /sys and /proc that a fault spoils. The path of the intact file is replaced by the path
 * of a spoiled one, which the program reads instead.
 */
#ifndef TMA_SIM_TREE_FAULT_H
#define TMA_SIM_TREE_FAULT_H

#include <stdbool.h>
#include <stddef.h>

struct fault;
struct faults;

/** tree_fault__find() - find the fault of a file, or NULL; a file of a PMU has several names. */
const struct fault *tree_fault__find(const struct faults *faults, const char *path);

/**
 * tree_fault__remove() - remove the files that are to be missing from their directories
 * @root:  where the machine's files are written
 * @wrote: returns whether a file has just been written
 */
void tree_fault__remove(const struct faults *faults, const char *root,
			bool (*wrote)(const char *path));

/**
 * tree_fault__write() - write the spoiled file that is read in place of another
 * @root: where the machine's files are written; the spoiled file is written there, too
 * @path: path of the intact file; set to @buf
 *
 * Return: 0; the errno of a fault that makes open() fail, or of a failed write.
 */
int tree_fault__write(const struct fault *f, const char *root, const char **path, char *buf,
		      size_t size);

#endif
