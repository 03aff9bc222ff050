// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/vec.h"
#include "sim/thread.h"

/* Each stays where it is: contexts point to the CPUs. Few threads choose, and none is forgotten. */
static VEC(struct sim_thread *) threads;

struct sim_thread *thread__find(pid_t tid)
{
	struct sim_thread **p;

	vec__for_each(p, &threads)
		if ((*p)->tid == tid)
			return *p;
	return NULL;
}

struct sim_thread *thread__get(pid_t tid)
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

uint64_t thread__ahead_ns(pid_t tid)
{
	const struct sim_thread *thread = thread__find(tid);

	return thread ? thread->ahead_ns : 0;
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
	struct sim_thread *to = from ? thread__get(child) : NULL;

	if (!to)
		return;
	to->phase = from->phase;
	to->ahead_ns = from->ahead_ns;
	/* Without memory the child may run anywhere. */
	(void)!cpulist__copy(&from->allowed, &to->allowed);
}
