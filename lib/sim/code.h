/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the addresses of a place's code in the memory of a process. A place is a function, lines of
 * a source, or a mapped file.
 */
#ifndef TMA_SIM_CODE_H
#define TMA_SIM_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sideband.h"

/**
 * code__find() - find the code of a place
 * @layout: the memory layout of the process
 * @name: the name of a function, FILE:LINE or FILE:LINE-LINE (needs debug information and libdw),
 *        or the end of a file's path that contains a slash or ".so"; the pointer is kept
 *
 * Return: whether it was found.
 */
bool code__find(struct sim_layout *layout, const char *name, struct sim_code *code);

/** code_lines__load() - load libdw, once. Return: whether it is installed. */
bool code_lines__load(void);
/** code__is_line() - find out whether a name is FILE:LINE. */
bool code__is_line(const char *name);
/**
 * code_lines__find() - find the code of lines of a source in a file, by libdw
 * @fd: descriptor of the file, which stays open
 * @code: set to addresses in the file
 */
bool code_lines__find(int fd, const char *name, struct sim_code *code);

#endif
