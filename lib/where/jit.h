/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of code that a program generated while it ran. Just-in-time compilers write these names for
 * profilers to a map, /tmp/perf-PID.map. It has a line "START SIZE NAME" for each function, with
 * hexadecimal numbers.
 */
#ifndef TMA_WHERE_JIT_H
#define TMA_WHERE_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct child_reading;
#define JIT_NOBODY ((uid_t)-1)

/**
 * struct jit_process - a process that may have written a map
 * @root: prefix of the files that the process sees ("/proc/12/root"), or ""
 * @pid:  number of the process, as seen by tma
 * @uid:  user of the process, or JIT_NOBODY if unknown
 * @until_ns: end of the sampling, on the clock of files: a map that was written later belongs to
 *          another process; 0: now
 */
struct jit_process {
	const char *root;
	pid_t pid;
	uid_t uid;
	int64_t until_ns;
};

/**
 * struct jit_place - an address of a process
 * @id:   a number for the caller
 * @name: set to the name of the address, from malloc(), if there is one
 */
struct jit_place {
	struct jit_process process;
	uint64_t address;
	int id;
	char *name;
};

/**
 * jit__find() - find the names of places in the maps of their processes
 * @at:       the places, in any order; they are sorted
 * @r: limits of the reading
 *
 * A child reads the maps. It reads only files that belong to the user of the process, to this user
 * or to root.
 */
void jit__find(struct jit_place *at, int nr, const char *procfs, struct child_reading *r);
/**
 * jit__parse() - find the names of places in a map
 * @text: text of the map, with a NUL byte after it; modified
 * @at:   the places, sorted by address
 *
 * As programs reuse memory, several lines may contain an address; the name in the last line is
 * used.
 */
void jit__parse(char *text, size_t len, struct jit_place *at, int nr);

#endif
