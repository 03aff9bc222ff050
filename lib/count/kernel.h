/* SPDX-License-Identifier: GPL-2.0-only */
/* The system calls for counters, in a table so that a test can replace them. */
#ifndef TMA_COUNT_KERNEL_H
#define TMA_COUNT_KERNEL_H

#include <sys/types.h>
#include <linux/perf_event.h>

struct session;

/**
 * struct count_kernel - perf_event_open(2) and what is done with its file descriptors
 *
 * @mmap: map a buffer of samples to read and write; munmap(2) unmaps it
 *
 * Each function returns what its system call returns: for a failure -1 or MAP_FAILED, with errno
 * set.
 */
struct count_kernel {
	int (*open)(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		    unsigned long flags);
	ssize_t (*read)(int fd, void *buf, size_t size);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	int (*close)(int fd);
	void *(*mmap)(int fd, size_t size);
};

extern const struct count_kernel count_kernel__linux;

/**
 * session__set_kernel() - use other system calls for @s. Call this after session__new() and before
 * session__open().
 */
void session__set_kernel(struct session *s, const struct count_kernel *kernel);

#endif
