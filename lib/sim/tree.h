/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated machine has files, parts of /sys and /proc. In comes a path that the program opens;
 * out goes the path of the machine's file for it, in a directory that is written when it is first
 * needed.
 */
#ifndef TMA_SIM_TREE_H
#define TMA_SIM_TREE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * tree__redirect() - find the file that stands for a path
 * @path: as the program gives it; set to @buf when it is one of the machine's
 * @buf:  room for the other path
 * @size: bytes of @buf
 *
 * The first path that belongs to the machine has the directory written, and older ones whose
 * programs are gone removed.
 *
 * Return: true; false with an errno of ENOMEM when the file could not be written.
 */
bool tree__redirect(const char **path, char *buf, size_t size);

/** tree__refresh() - write files anew whose text changes, for who has them open and reads again. */
void tree__refresh(void);

/** tree__remove() - remove the directory, if this process wrote it. */
void tree__remove(void);

#endif
