/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The layout of a command's memory, told beside samples: PERF_RECORD_COMM when it executes a
 * program, and PERF_RECORD_MMAP or PERF_RECORD_MMAP2 of the files that it has mapped. It is read in
 * procfs, while the command is there.
 */
#ifndef TMA_SIM_SIDEBAND_H
#define TMA_SIM_SIDEBAND_H

#include "sim/context.h"

/** struct sim_mapped - a file that a process can execute from @from on, its bytes from @offset */
struct sim_mapped {
	uint64_t from, to, offset, inode;
	unsigned int major, minor;
	const char *path;
};

/** struct sim_fork - a thread of a process, and the process that has made it */
struct sim_fork {
	pid_t pid, tid, parent;
};

/** struct sim_code - addresses from @from on, up to @to */
struct sim_code {
	uint64_t from, to;
};

/** struct sim_found - a place that was looked for, and where it is, if it is anywhere */
struct sim_found {
	const char *name;
	bool is;
	struct sim_code code;
};

/**
 * struct sim_layout - of a program that a process has executed
 * @program: number of it, of a child; 0 of processes that commands have made
 * @number:  another one for each that differs, in rising order; @first: that of the program's first
 * @looked_ns: when it was looked at last, in real time
 * @ran_ns:  how long the process had run when it was seen first
 * @settled: the program's loader had time to map what it needs
 * @text:    owned, of the paths
 * @found:   places that were looked for in it
 */
struct sim_layout {
	pid_t pid;
	unsigned int program;
	uint64_t number, first, looked_ns, ran_ns;
	bool settled;
	char *text;
	VEC(struct sim_mapped) mapped;
	VEC(struct sim_found) found;
};

/** sideband__seen() - the layout of a process when it was looked at last, or NULL. */
struct sim_layout *sideband__seen(pid_t pid);
/** sideband__of() - the same; processes that are not children are looked at while they run. */
struct sim_layout *sideband__of(pid_t pid);
/** sideband__threads() - how many threads a course has by now. */
int sideband__threads(const struct sim_course *course);
/**
 * sideband__task() - find the process and the number of a thread of a course
 * @thread: counted from 1; those of scripts are made up, with the numbers after the first one's
 * @pid, @tid: of the command, and set
 */
void sideband__task(const struct sim_course *course, int thread, pid_t *pid, pid_t *tid);
/** sideband__tell() - let a context's events write what has not been told of its layout. */
void sideband__tell(struct sim_context *ctx);
/**
 * sideband__await() - wait until the layout of each child is settled whose samples are to be placed
 *
 * A stepped clock moves to the end of a child at once, which may be over before it is looked at.
 */
void sideband__await(void);

#endif
