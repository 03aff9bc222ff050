/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Write the records that describe a command's memory, beside samples: PERF_RECORD_COMM when the
 * command executes a program, and PERF_RECORD_MMAP or PERF_RECORD_MMAP2 for files that it has
 * mapped. The memory layout is read from procfs while the command runs.
 */
#ifndef TMA_SIM_SIDEBAND_H
#define TMA_SIM_SIDEBAND_H

#include "sim/context.h"

/**
 * struct sim_mapped - a file whose bytes from @offset on a process can execute at addresses from
 * @from to before @to
 */
struct sim_mapped {
	uint64_t from, to, offset, inode;
	unsigned int major, minor;
	const char *path;
};

/** struct sim_fork - a thread of a process, and the process that made it */
struct sim_fork {
	pid_t pid, tid, parent;
};

/** struct sim_code - a range of addresses from @from to before @to */
struct sim_code {
	uint64_t from, to;
};

/**
 * struct sim_found - the result of a search for the code of a place
 * @is: whether the place was found; @code: its addresses
 */
struct sim_found {
	const char *name;
	bool is;
	struct sim_code code;
};

/**
 * struct sim_layout - the memory layout of a program that a process has executed
 * @program: number of programs that the child had executed; 0 for a process that is not a child
 * @number:  number of the layout, higher for each new layout; @first: number of the program's first
 *           layout
 * @looked_ns: real time of the last check
 * @ran_ns:  CPU time of the process when the layout was first read
 * @settled: the program's loader has had time to map libraries
 * @text:    the text of the paths, owned
 * @found:   results of searches for places in this layout
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

/** sideband__seen() - find the layout of a process that was read last, or NULL. */
struct sim_layout *sideband__seen(pid_t pid);
/**
 * sideband__of() - find the layout of a process; for a running process that is not a child, read
 * it.
 */
struct sim_layout *sideband__of(pid_t pid);
/** sideband__threads() - count the threads of a course up to now. */
int sideband__threads(const struct sim_course *course);
/**
 * sideband__task() - find the ids of a thread of a course
 * @thread: number from 1 on; threads of scripts do not exist, and get the ids that follow the first
 *          thread's
 * @pid, @tid: ids of the command; set to the ids of the thread
 */
void sideband__task(const struct sim_course *course, int thread, pid_t *pid, pid_t *tid);
/** sideband__tell() - let a context's events write the records of its layout that are missing. */
void sideband__tell(struct sim_context *ctx);
/**
 * sideband__await() - wait until the layouts are settled of all children whose samples need
 * addresses
 *
 * With a stepped clock a child may end immediately, before its layout is read.
 */
void sideband__await(void);

#endif
