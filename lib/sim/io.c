// SPDX-License-Identifier: GPL-2.0-only
/* Answer read() and ioctl() of a simulated event. */
#include <errno.h>
#include <string.h>

#include "sim/record.h"
#include "sim/sim.h"

struct sim sim = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread bool lent;

void sim__lend(bool on)
{
	lent = on;
}

void sim__lock(void)
{
	if (!lent)
		pthread_mutex_lock(&sim.lock);
}

bool sim__try_lock(void)
{
	return !lent && !pthread_mutex_trylock(&sim.lock);
}

void sim__unlock(void)
{
	if (!lent)
		pthread_mutex_unlock(&sim.lock);
}

/*
 * Find out whether reads return end of file because of an error. When the task has ended, its
 * events can be read again.
 */
static bool is_in_error(const struct sim_event *event)
{
	const struct sim_task *task = event->ctx->task;

	return event->state == SIM_EVENT_ERROR && !(task && task->child && task->child->ended);
}

ssize_t sim__read(struct sim_event *event, void *buf, size_t size)
{
	size_t need = record__read_words(&event->attr, 1 + event->leader->siblings.nr) *
		      sizeof(uint64_t);
	const struct fault *fault;

	sim__sync(event->ctx);
	if (is_in_error(event))
		return 0;
	if (size < need)
		return -ENOSPC;
	fault = faults__on_read(&sim.faults);
	if (fault && fault->how == FAULT_READ_ERRNO)
		return -fault->error;
	if (fault && fault->how == FAULT_READ_END)
		return 0;
	record__read(event, buf);
	return fault ? need - sizeof(uint64_t) : need;
}

static void io__enable(struct sim_event *event)
{
	/* As in the kernel, a pinned event in error is scheduled again after it is enabled. */
	if (event->state == SIM_EVENT_ERROR)
		event->state = SIM_EVENT_OFF;
	event__enable(event);
}

static int for_group(struct sim_event *event, unsigned long flags,
		     void (*act)(struct sim_event *event))
{
	struct sim_event *member;

	sim__sync(event->ctx);
	if (!(flags & PERF_IOC_FLAG_GROUP)) {
		act(event);
		return 0;
	}
	group__for_each(member, event->leader)
		act(member);
	return 0;
}

static int set_period(struct sim_event *event, const void *arg)
{
	struct perf_event_attr attr = event->attr;

	if (!attr__is_sampling(&attr))
		return -EINVAL;
	memcpy(&attr.sample_period, arg, sizeof(attr.sample_period));
	if (!attr.sample_period || attr__check_sampling(&sim.m, &attr))
		return -EINVAL;
	sim__sync(event->ctx);
	event->attr = attr;
	sampling__set_period(&event->sampling, attr.sample_period);
	return 0;
}

/* Enable an event for @samples more samples. */
static int refresh(struct sim_event *event, unsigned long samples)
{
	if (event->attr.inherit || !attr__is_sampling(&event->attr))
		return -EINVAL;
	event->sampling.limit += (int)samples;
	return for_group(event, 0, io__enable);
}

static int io__answer(struct sim_event *event, unsigned long request, unsigned long arg)
{
	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
		return for_group(event, arg, io__enable);
	case PERF_EVENT_IOC_DISABLE:
		return for_group(event, arg, event__disable);
	case PERF_EVENT_IOC_RESET:
		return for_group(event, arg, event__reset);
	case PERF_EVENT_IOC_ID:
		memcpy((void *)arg, &event->id, sizeof(event->id));
		return 0;
	case PERF_EVENT_IOC_SET_OUTPUT:
		return (int)arg == -1	   ? sim__set_output(event, NULL)
		       : sim__event(arg) ? sim__set_output(event, sim__event(arg))
					 : -EBADF;
	case PERF_EVENT_IOC_PERIOD:
		return set_period(event, (const void *)arg);
	case PERF_EVENT_IOC_REFRESH:
		return refresh(event, arg);
	case PERF_EVENT_IOC_PAUSE_OUTPUT:
		if (!event->ring || !event->ring->pages)
			return -EINVAL;
		event->ring->paused = arg;
		return 0;
	case PERF_EVENT_IOC_SET_FILTER:
	case PERF_EVENT_IOC_SET_BPF:
	case PERF_EVENT_IOC_QUERY_BPF:
		return -EINVAL;
	default:
		return -ENOTTY;
	}
}

int sim__ioctl(struct sim_event *event, unsigned long request, unsigned long arg)
{
	int rc = faults__on_ioctl(&sim.faults, request) ?: io__answer(event, request, arg);

	sim__publish(event->ctx);
	return rc;
}
