/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records that accompany samples and describe a command's memory: PERF_RECORD_COMM when it
 * executes a program, and PERF_RECORD_MMAP or PERF_RECORD_MMAP2 for the files it has mapped. The
 * layout is read from procfs while the command runs.
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

/** struct sim_code - a range of addresses, without @to */
struct sim_code {
	uint64_t from, to;
};

/** struct sim_found - the result of a search for a place: whether it was found (@is), and where */
struct sim_found {
	const char *name;
	bool is;
	struct sim_code code;
};

/**
 * struct sim_layout - the memory layout of a program that a process has executed
 * @program: how many programs the child had executed; 0 for processes that are not children
 * @number:  a rising number, new for each layout that differs; @first: number of the program's
 *           first layout
 * @looked_ns: real time of the last check
 * @ran_ns:  CPU time of the process when the layout was first read
 * @settled: the program's loader had time to map its libraries
 * @text:    owned: the text of the paths
 * @found:   places searched for in this layout
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
 * sideband__of() - find the same, and read it first for running processes that are not children.
 */
struct sim_layout *sideband__of(pid_t pid);
/** sideband__threads() - count the threads of a course up to now. */
int sideband__threads(const struct sim_course *course);
/**
 * sideband__task() - find the process and the number of a thread of a course
 * @thread: counted from 1; threads of scripts do not exist, and get the ids after the first
 *          thread's
 * @pid, @tid: the command's ids; set to the thread's
 */
void sideband__task(const struct sim_course *course, int thread, pid_t *pid, pid_t *tid);
/**
 * sideband__tell() - let a context's events write the records of its layout that are not yet
 * written.
 */
void sideband__tell(struct sim_context *ctx);
/**
 * sideband__await() - wait until the layout is settled of each child whose samples need addresses
 *
 * A stepped clock moves to the end of a child at once; without waiting, the child could end before
 * its layout is read.
 */
void sideband__await(void);

#endif
