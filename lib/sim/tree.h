/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated machine's files of /sys and /proc. A path that the program opens is replaced by the
 * path of the machine's file, in a directory that is written when it is first needed.
 */
#ifndef TMA_SIM_TREE_H
#define TMA_SIM_TREE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * tree__redirect() - find the machine's file for a path
 * @path: as the program gives it; set to @buf when the machine has the file
 * @buf:  room for the other path
 * @size: bytes of @buf
 *
 * The first path that belongs to the machine causes the directory to be written, and directories of
 * programs that have ended to be removed.
 *
 * Return: true; false with an errno of ENOMEM when the file could not be written.
 */
bool tree__redirect(const char **path, char *buf, size_t size);

/**
 * tree__refresh() - rewrite files whose text has changed, for programs that have them open and read
 * again.
 */
void tree__refresh(void);

/** tree__remove() - remove the directory, if this process wrote it. */
void tree__remove(void);

#endif
