/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of the simulated machine in /sys and /proc. A path that the program opens is replaced
 * by the path of the machine's file, in a directory that is written when the program first needs
 * it.
 */
#ifndef TMA_SIM_TREE_H
#define TMA_SIM_TREE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * tree__redirect() - find the machine's file for a path
 * @path: path from the program; set to @buf if the machine has the file
 * @buf:  receives the path of the machine's file
 * @size: bytes of @buf
 *
 * At the first path that belongs to the machine, the directory is written, and directories of
 * programs that have ended are removed.
 *
 * Return: true; false with errno ENOMEM if the file could not be written.
 */
bool tree__redirect(const char **path, char *buf, size_t size);

/**
 * tree__refresh() - rewrite files whose text has changed, for programs that keep them open and read
 * again.
 */
void tree__refresh(void);

/** tree__remove() - remove the directory, if this process wrote it. */
void tree__remove(void);

#endif
