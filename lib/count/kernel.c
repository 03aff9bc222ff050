// SPDX-License-Identifier: GPL-2.0-only
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "count/kernel.h"

/* perf_event_open() goes through syscall(), which the simulated machine replaces. */
static int linux_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		      unsigned long flags)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);
}

static int linux_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

static void *linux_mmap(int fd, size_t size)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

const struct count_kernel count_kernel__linux = {
	.open = linux_open,
	.read = read,
	.ioctl = linux_ioctl,
	.close = close,
	.mmap = linux_mmap,
};
