/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Spoil files of /sys and /proc by faults: the path of the intact file is replaced by the path of a
 * spoiled file, which the program reads instead.
 */
#ifndef TMA_SIM_TREE_FAULT_H
#define TMA_SIM_TREE_FAULT_H

#include <stdbool.h>
#include <stddef.h>

struct fault;
struct faults;

/**
 * tree_fault__find() - find the fault of a file, or NULL. A file of a PMU may have several names.
 */
const struct fault *tree_fault__find(const struct faults *faults, const char *path);

/**
 * tree_fault__remove() - remove the files that a fault makes missing
 * @root:  directory with the machine's files
 * @wrote: returns whether a file has just been written
 */
void tree_fault__remove(const struct faults *faults, const char *root,
			bool (*wrote)(const char *path));

/**
 * tree_fault__write() - write the spoiled file that is read in place of the intact file
 * @root: directory with the machine's files and the spoiled file
 * @path: path of the intact file; set to @buf
 *
 * Return: 0; the errno of a fault that makes open() fail, or of a failed write.
 */
int tree_fault__write(const struct fault *f, const char *root, const char **path, char *buf,
		      size_t size);

#endif
