// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "sim/clock.h"
#include "sim/raw.h"
#include "sim/task.h"
#include "sim/thread.h"

static pid_t tgid_of(pid_t tid)
{
	char path[64], text[256];
	uint64_t tgid = tid;
	const char *at;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	raw_read_file(path, text, sizeof(text));
	at = strstr(text, "Tgid:\t");
	if (at)
		num__scan_u64(at + strlen("Tgid:\t"), 0, &tgid);
	return tgid;
}

int task__init(struct sim_task *task, pid_t pid)
{
	pid_t tid = pid ? pid : (pid_t)RAW(SYS_gettid, 0, 0, 0, 0);

	if (pid < 0 || RAW(SYS_kill, tid, 0, 0, 0) == -ESRCH)
		return -ESRCH;
	*task = (struct sim_task){ .tid = tid, .tgid = tgid_of(tid), .child = child__find(tid) };
	return 0;
}

/* The first number of schedstat is the time the thread has run. */
static uint64_t schedstat(pid_t tid)
{
	char path[64], text[64];
	uint64_t ns = 0;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", tid);
	raw_read_file(path, text, sizeof(text));
	return num__scan_u64(text, 0, &ns) ? ns : 0;
}

uint64_t task__now(struct sim_task *task)
{
	uint64_t now;

	/* The entry of a child that has been reaped may be another's by now. */
	if (task->child && task->child->pid == task->tid)
		return task->last_ns = child__cpu_ns(task->child);
	if (task->child)
		return task->last_ns;
	if (clock__is_stepped())
		return clock__now() + thread__ahead_ns(task->tid);
	now = task->tid == RAW(SYS_gettid, 0, 0, 0, 0) ? raw_clock(CLOCK_THREAD_CPUTIME_ID)
						       : schedstat(task->tid);
	if (now > task->last_ns)
		task->last_ns = now;
	return task->last_ns;
}
