// SPDX-License-Identifier: GPL-2.0-only
/* Read the CPU time of tasks, and keep the choices of threads, which their events follow. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/num.h"
#include "sim/clock.h"
#include "sim/raw.h"
#include "sim/sim.h"

/* --- Threads -------------------------------------------------------------------------------- */

/*
 * Each entry is allocated by itself, since contexts point to its CPUs. Entries are kept until the
 * end: few threads choose something.
 */
static VEC(struct sim_thread *) threads;

struct sim_thread *thread__find(pid_t tid)
{
	struct sim_thread **found = vec__find(p, &threads, (*p)->tid == tid);

	return found ? *found : NULL;
}

/* Find or make the entry of a thread. Return: the entry; NULL if memory runs out. */
static struct sim_thread *get_thread(pid_t tid)
{
	struct sim_thread *thread = thread__find(tid);

	if (thread)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (!thread || vec__push(&threads, thread)) {
		free(thread);
		return NULL;
	}
	thread->tid = tid;
	return thread;
}

const struct cpulist *thread__allowed(pid_t tid, pid_t tgid)
{
	const struct sim_thread *thread = thread__find(tid);

	if (!thread || !thread->allowed.nr)
		thread = thread__find(tgid);
	return thread && thread->allowed.nr ? &thread->allowed : NULL;
}

void thread__inherit(pid_t parent, pid_t child)
{
	const struct sim_thread *from = thread__find(parent);
	struct sim_thread *to = from ? get_thread(child) : NULL;

	if (!to)
		return;
	to->phase = from->phase;
	to->ahead_ns = from->ahead_ns;
	/* If memory runs out, the child may run anywhere. */
	(void)!cpulist__copy(&from->allowed, &to->allowed);
}

/* --- Tasks ---------------------------------------------------------------------------------- */

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
	pid_t tid = pid ? pid : raw_gettid();

	if (pid < 0 || RAW(SYS_kill, tid, 0, 0, 0) == -ESRCH)
		return -ESRCH;
	*task = (struct sim_task){ .tid = tid, .tgid = tgid_of(tid), .child = child__find(tid) };
	return 0;
}

bool task__may_be_traced(pid_t tid)
{
	char path[64];
	struct stat st;

	if (tid <= 0 || tgid_of(tid) == RAW(SYS_getpid, 0, 0, 0, 0))
		return true;
	/* The files of a task that is not dumpable belong to root. */
	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	return RAW(SYS_newfstatat, AT_FDCWD, path, &st, 0) ||
	       st.st_uid == (uid_t)RAW(SYS_geteuid, 0, 0, 0, 0);
}

/* Read how long a thread has run: the first number of schedstat. */
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
	const struct sim_thread *thread;
	uint64_t now;

	/* After the child was reaped, another child may have its entry. */
	if (task->child && task->child->pid == task->tid)
		return task->last_ns = child__cpu_ns(task->child);
	if (task->child)
		return task->last_ns;
	if (clock__is_stepped()) {
		thread = thread__find(task->tid);
		return clock__now() + (thread ? thread->ahead_ns : 0);
	}
	now = task->tid == raw_gettid() ? raw_clock(CLOCK_THREAD_CPUTIME_ID)
						       : schedstat(task->tid);
	if (now > task->last_ns)
		task->last_ns = now;
	return task->last_ns;
}

/* --- Choices -------------------------------------------------------------------------------- */

void sim__follow_thread(struct sim_context *ctx)
{
	const struct sim_thread *thread = thread__find(ctx->task->tid);

	ctx->course.fixed =
		thread && thread->phase ? &sim.m.phases.stays.at[thread->phase - 1] : NULL;
	ctx->allowed = thread__allowed(ctx->task->tid, ctx->task->tgid);
	ctx->changed = true;
}

/*
 * Find out whether a thread's choice affects a context. The choice of the first thread also affects
 * other threads of the process.
 */
static bool concerns(const struct sim_context *ctx, pid_t tid)
{
	return ctx->task && (ctx->task->tid == tid || ctx->task->tgid == tid);
}

/* Count up to now in the contexts that a thread's choice affects. */
static void sync_tasks(pid_t tid)
{
	struct sim_context **ctx;

	vec__for_each(ctx, &sim.contexts)
		if (concerns(*ctx, tid))
			sim__sync(*ctx);
}

static void follow(pid_t tid)
{
	struct sim_context **ctx;

	vec__for_each(ctx, &sim.contexts)
		if (concerns(*ctx, tid)) {
			sim__follow_thread(*ctx);
			sim__publish(*ctx);
		}
}

int sim__set_allowed(pid_t tid, const struct cpulist *cpus)
{
	struct cpulist allowed = CPULIST_INIT;
	struct sim_thread *thread;
	int rc = cpulist__and(cpus, &sim.m.cpus, &allowed);

	if (!rc && !allowed.nr)
		rc = -EINVAL;
	thread = rc ? NULL : get_thread(tid);
	if (!thread) {
		cpulist__free(&allowed);
		return rc ? rc : -ENOMEM;
	}
	sync_tasks(thread->tid);
	cpulist__free(&thread->allowed);
	thread->allowed = allowed;
	follow(thread->tid);
	return 0;
}

int sim__set_phase(int phase)
{
	struct sim_thread *thread;

	if (phase < 0 || phase > sim.m.phases.stays.nr)
		return -EINVAL;
	thread = get_thread(raw_gettid());
	if (!thread)
		return -ENOMEM;
	sync_tasks(thread->tid);
	thread->phase = phase;
	follow(thread->tid);
	return 0;
}

int sim__find_phase(const char *name)
{
	for (int i = 0; i < sim.m.phases.stays.nr; i++)
		if (sim.m.phase_name[i] && !strcmp(sim.m.phase_name[i], name))
			return i + 1;
	return -ENOENT;
}

int sim__run(uint64_t ns)
{
	struct sim_thread *thread = get_thread(raw_gettid());

	if (!thread)
		return -ENOMEM;
	thread->ahead_ns += ns;
	clock__run(ns);
	sync_tasks(thread->tid);
	return 0;
}

int sim__caller_cpu(void)
{
	struct sim_task task;
	uint64_t until;

	if (task__init(&task, 0))
		return sim.m.cpus.at[0];
	return context__task_cpu(&sim.m, thread__allowed(task.tid, task.tgid), task__now(&task),
				 &until);
}
