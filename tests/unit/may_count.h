/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests that count with the running kernel are skipped if this kernel does not let this user count.
 */
#ifndef TMA_TESTS_MAY_COUNT_H
#define TMA_TESTS_MAY_COUNT_H

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/**
 * unit__may_not_count() - find out whether this user may not even count a task of the user's own
 * @test: name of the test, which is then reported as skipped
 */
static inline bool unit__may_not_count(const char *test)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_TASK_CLOCK,
				       .exclude_kernel = 1,
				       .exclude_hv = 1};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	else
		printf("SKIP %s: perf_event_open: %s\n", test, strerror(errno));
	return fd < 0;
}

#endif
