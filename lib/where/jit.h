/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of code that a program wrote as it ran. Just-in-time compilers write them for profilers to
 * /tmp/perf-PID.map, a line "START SIZE NAME" for each function, with numbers in hexadecimal.
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
 * struct jit_process - whose map it is
 * @root: of what it sees as files ("/proc/12/root"), or ""
 * @pid:  as it is known here
 * @uid:  whose process it was, or JIT_NOBODY where that is not known
 * @until_ns: when it was sampled, on the clock of files: a later map is another one's; 0: now
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
 * @name: is set, from malloc(), where it has one
 */
struct jit_place {
	struct jit_process process;
	uint64_t address;
	int id;
	char *name;
};

/**
 * jit__find() - name places by the maps of their processes
 * @at:       in any order: they are sorted
 * @until_ns: as of symbols__find()
 *
 * A child reads the maps. Nothing is read but a file of the process's owner, this user or root.
 */
void jit__find(struct jit_place *at, int nr, const char *procfs, struct child_reading *r);
/**
 * jit__parse() - name places by a map
 * @text: of the map, with a NUL byte after it; it is changed
 * @at:   sorted by their addresses
 *
 * Memory is used again: the last line that has an address names it.
 */
void jit__parse(char *text, size_t len, struct jit_place *at, int nr);

#endif
