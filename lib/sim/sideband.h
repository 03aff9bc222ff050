/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The layout of a command's memory, told beside samples: PERF_RECORD_COMM when it executes a
 * program, and PERF_RECORD_MMAP or PERF_RECORD_MMAP2 of the files that it has mapped. It is read in
 * procfs, while the command is there.
 */
#ifndef TMA_SIM_SIDEBAND_H
#define TMA_SIM_SIDEBAND_H

#include "sim/context.h"

struct sim_child;

/** struct sim_mapped - a file that a process can execute from @from on, its bytes from @offset */
struct sim_mapped {
	uint64_t from, to, offset, inode;
	unsigned int major, minor;
	const char *path;
};

/**
 * struct sim_layout - of one program that a child has executed
 * @number:  another one for each that differs, in rising order; @first: that of the program's first
 * @text:    owned, of the paths
 * @mapped:  those told of in a record once are not told of again
 */
struct sim_layout {
	const struct sim_child *child;
	pid_t pid;
	unsigned int execs;
	uint64_t number, first;
	char *text;
	VEC(struct sim_mapped) mapped;
};

/**
 * sideband__look() - look what stands where in a child's memory
 *
 * Return: that, or what was seen last; NULL before it has executed anything, or where it ended
 * sooner than it was looked at.
 */
const struct sim_layout *sideband__look(const struct sim_child *child);
/** sideband__seen() - what stood where in a child's memory when it was looked at last, or NULL. */
const struct sim_layout *sideband__seen(const struct sim_child *child);
/**
 * sideband__tid() - the number of a thread of a process
 * @thread: counted from 1; those of scripts are made up, with the numbers after the first one's
 */
pid_t sideband__tid(const struct sim_course *course, pid_t pid, int thread);
/** sideband__tell() - let a context's events write what has not been told of its layout. */
void sideband__tell(struct sim_context *ctx);
/**
 * sideband__await() - wait until the layout of each child is known whose samples are to be placed
 *
 * A stepped clock moves to the end of a child at once, which may be over before it is looked at.
 */
void sideband__await(void);

#endif
