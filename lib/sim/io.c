// SPDX-License-Identifier: GPL-2.0-only
/* read(), ioctl() and mmap() of a simulated event. */
#include <errno.h>
#include <string.h>

#include "sim/sim.h"

struct sim sim = { .lock = PTHREAD_MUTEX_INITIALIZER };

void sim__lock(void)
{
	pthread_mutex_lock(&sim.lock);
}

void sim__unlock(void)
{
	pthread_mutex_unlock(&sim.lock);
}

static size_t read_size(const struct sim_event *event)
{
	uint64_t format = event->attr.read_format;
	size_t entry = 1, nr = 1, head = 0;

	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		head++;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		head++;
	if (format & PERF_FORMAT_ID)
		entry++;
	if (format & PERF_FORMAT_LOST)
		entry++;
	if (format & PERF_FORMAT_GROUP) {
		nr += event->leader->siblings.nr;
		head++;
	}
	return (head + entry * nr) * sizeof(uint64_t);
}

static uint64_t *put_times(const struct sim_event *event, uint64_t format, uint64_t *at)
{
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		*at++ = event->enabled_ns;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		*at++ = event->running_ns;
	return at;
}

static uint64_t *put_id(const struct sim_event *event, uint64_t format, uint64_t *at)
{
	if (format & PERF_FORMAT_ID)
		*at++ = event->id;
	if (format & PERF_FORMAT_LOST)
		*at++ = 0;
	return at;
}

static void fill(struct sim_event *event, uint64_t *at)
{
	uint64_t format = event->attr.read_format;
	struct sim_event *leader = event->leader, **p;

	if (!(format & PERF_FORMAT_GROUP)) {
		*at++ = event__count(event);
		put_id(event, format, put_times(event, format, at));
		return;
	}
	*at++ = 1 + leader->siblings.nr;
	at = put_times(leader, format, at);
	*at++ = event__count(leader);
	at = put_id(leader, format, at);
	vec__for_each(p, &leader->siblings) {
		*at++ = event__count(*p);
		at = put_id(*p, format, at);
	}
}

ssize_t sim__read(struct sim_event *event, void *buf, size_t size)
{
	size_t need = read_size(event);
	int error = EIO;

	sim__sync(event->ctx);
	if (event->state == SIM_EVENT_ERROR)
		return 0;
	if (size < need)
		return -ENOSPC;
	switch (faults__on_read(&sim.faults, &error)) {
	case FAULT_READ_ERRNO:
		return -error;
	case FAULT_READ_END:
		return 0;
	case FAULT_READ_SHORT:
		fill(event, buf);
		return need - sizeof(uint64_t);
	case FAULT_READ_NONE:
		break;
	}
	fill(event, buf);
	return need;
}

static void enable(struct sim_event *event)
{
	/* The kernel lets a pinned event that did not fit try again. */
	if (event->state == SIM_EVENT_ERROR)
		event->state = SIM_EVENT_OFF;
	event__enable(event);
}

static int for_group(struct sim_event *event, unsigned long flags,
		     void (*act)(struct sim_event *event))
{
	struct sim_event *leader = event->leader, **p;

	sim__sync(event->ctx);
	if (!(flags & PERF_IOC_FLAG_GROUP)) {
		act(event);
		return 0;
	}
	act(leader);
	vec__for_each(p, &leader->siblings)
		act(*p);
	return 0;
}

int sim__ioctl(struct sim_event *event, unsigned long request, unsigned long arg)
{
	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
		return for_group(event, arg, enable);
	case PERF_EVENT_IOC_DISABLE:
		return for_group(event, arg, event__disable);
	case PERF_EVENT_IOC_RESET:
		return for_group(event, arg, event__reset);
	case PERF_EVENT_IOC_ID:
		memcpy((void *)arg, &event->id, sizeof(event->id));
		return 0;
	case PERF_EVENT_IOC_SET_OUTPUT:
		return (int)arg == -1 || sim__event(arg) ? 0 : -EBADF;
	case PERF_EVENT_IOC_PERIOD:
		return attr__is_sampling(&event->attr) ? 0 : -EINVAL;
	case PERF_EVENT_IOC_REFRESH:
	case PERF_EVENT_IOC_SET_FILTER:
	case PERF_EVENT_IOC_SET_BPF:
	case PERF_EVENT_IOC_PAUSE_OUTPUT:
	case PERF_EVENT_IOC_QUERY_BPF:
		return -EINVAL;
	default:
		return -ENOTTY;
	}
}

void sim__mmap_fill(struct sim_event *event, void *page)
{
	struct perf_event_mmap_page *header = page;

	sim__sync(event->ctx);
	memset(header, 0, sizeof(*header));
	/* index 0 sends every reader to read(); there are no samples. */
	header->offset = event__count(event);
	header->time_enabled = event->enabled_ns;
	header->time_running = event->running_ns;
	header->size = offsetof(struct perf_event_mmap_page, __reserved);
	header->data_offset = 4096;
}
