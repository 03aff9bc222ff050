// SPDX-License-Identifier: GPL-2.0-only
/* What the program chooses for its threads, and what that is to the contexts of their events. */
#include <errno.h>

#include "sim/clock.h"
#include "sim/raw.h"
#include "sim/sim.h"
#include "sim/thread.h"

static pid_t caller(void)
{
	return RAW(SYS_gettid, 0, 0, 0, 0);
}

void sim__follow_thread(struct sim_context *ctx)
{
	const struct sim_thread *thread = thread__find(ctx->task->tid);

	ctx->phase = thread ? thread->phase : 0;
	ctx->allowed = thread__allowed(ctx->task->tid, ctx->task->tgid);
	ctx->changed = true;
}

/* Whether a thread's choice is one for this context: its own, or by the first thread for others. */
static bool concerns(const struct sim_context *ctx, pid_t tid)
{
	return ctx->task && (ctx->task->tid == tid || ctx->task->tgid == tid);
}

/* Before a thread chooses: what was before it is counted as it was. */
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
	thread = rc ? NULL : thread__get(tid);
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

	if (phase < 0 || phase > sim.m.nr_phases)
		return -EINVAL;
	thread = thread__get(caller());
	if (!thread)
		return -ENOMEM;
	sync_tasks(thread->tid);
	thread->phase = phase;
	follow(thread->tid);
	return 0;
}

int sim__run(uint64_t ns)
{
	struct sim_thread *thread = thread__get(caller());

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
