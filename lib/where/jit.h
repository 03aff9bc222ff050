/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of code that a program generated while it ran. Just-in-time compilers write them for
 * profilers to /tmp/perf-PID.map: for each function a line "START SIZE NAME", with hexadecimal
 * numbers.
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
 * @root: prefix of the files that it sees ("/proc/12/root"), or ""
 * @pid:  as seen by tma
 * @uid:  user of the process, or JIT_NOBODY if unknown
 * @until_ns: when it was sampled, on the clock of files: a later map belongs to another process; 0:
 *          now
 */
struct jit_process {
	const char *root;
	pid_t pid;
	uid_t uid;
	int64_t until_ns;
};

/**
 * struct jit_place - an address of a process
 * @id:   the caller's
 * @name: set, from malloc(), if the address has one
 */
struct jit_place {
	struct jit_process process;
	uint64_t address;
	int id;
	char *name;
};

/**
 * jit__find() - find the names of places in the maps of their processes
 * @at:       in any order: they are sorted
 * @r: limits of the reading
 *
 * A child reads the maps, and only files that belong to the process's user, this user or root.
 */
void jit__find(struct jit_place *at, int nr, const char *procfs, struct child_reading *r);
/**
 * jit__parse() - find the names of places in a map
 * @text: of the map, with a NUL byte after it; it is modified
 * @at:   sorted by their addresses
 *
 * Memory is reused: if several lines contain an address, the last one names it.
 */
void jit__parse(char *text, size_t len, struct jit_place *at, int nr);

#endif
