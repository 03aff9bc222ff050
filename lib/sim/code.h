/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the code of a place is in the memory of a process: names of functions, lines of sources and
 * mapped files come in, and addresses go out.
 */
#ifndef TMA_SIM_CODE_H
#define TMA_SIM_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sideband.h"

/**
 * code__find() - find the code of a place
 * @layout: of the process
 * @name: the name of a function, FILE:LINE or FILE:LINE-LINE (with debug information, by libdw),
 *        or the end of a file's path, with a slash or ".so" in it; it is kept
 *
 * Return: whether it was found.
 */
bool code__find(struct sim_layout *layout, const char *name, struct sim_code *code);

/** code_lines__load() - load libdw, once. Return: whether it is there. */
bool code_lines__load(void);
/** code__is_line() - whether a name is FILE:LINE. */
bool code__is_line(const char *name);
/**
 * code_lines__find() - find the code of lines of a source in a file, by libdw
 * @fd: of the file, which stays open
 * @code: set, as the addresses of the file
 */
bool code_lines__find(int fd, const char *name, struct sim_code *code);

#endif
