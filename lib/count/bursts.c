// SPDX-License-Identifier: GPL-2.0-only
/*
 * A burst's counter leaves out children: the kernel disables it by itself after a few samples,
 * which it cannot do with inherited counters. The counter must not count in the handler of its own
 * interrupts, which would use up the short distance from one sample to the next. For this reason, a
 * counter for user space excludes the kernel, and a counter for the kernel is opened only if the
 * kernel stops counters in the handler.
 */
#include "count/bursts.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "count/sample_record.h"
#include "count/session.h"
#include "machine/cgroup.h"

#define BURST_PAGES 1
#define MOST_FAILURES 50 /* bursts fail this often in a row before they are given up: threads end,
			  * and some cannot be sampled */

void bursts__init(struct bursts *b, struct session *s)
{
	*b = (struct bursts){.session = s};
	for (int i = 0; i < BURSTS_AT_ONCE; i++)
		b->at[i].fd = -1;
}

static void burst__close(const struct bursts *b, struct burst *at)
{
	ring__unmap(&at->ring);
	if (at->fd >= 0)
		b->session->counters.kernel->close(at->fd);
	at->fd = -1;
}

static int burst__open(struct bursts *b, struct burst *at, uint64_t cycles)
{
	const struct counter_list *cs = &b->session->counters;
	const struct counter *c = &cs->at[at->event];
	struct perf_event_attr attr = *counter__attr(c);
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;
	int rc, task = at->tid, cpu = cs->units.per_cpu ? cs->units.at[at->unit].id : -1;

	attr.inherit = attr.enable_on_exec = attr.precise_ip = 0;
	attr.disabled = 1;
	attr.exclude_kernel = attr.exclude_hv = !at->kernel;
	attr.exclude_user = at->kernel;
	attr.read_format = 0;
	attr.sample_period = cycles;
	if (cs->units.per_cpu && c->event->cgroup) {
		task = c->event->cgroup->fd;
		flags |= PERF_FLAG_PID_CGROUP;
	}
	do
		at->fd = cs->kernel->open(&attr, task, cpu, -1, flags);
	while (at->fd < 0 && errno == EINTR);
	if (at->fd < 0)
		return -errno;
	rc = ring__map(&at->ring, cs->kernel, at->fd, BURST_PAGES);
	if (!rc && cs->kernel->ioctl(at->fd, PERF_EVENT_IOC_ID, &at->id))
		rc = -errno;
	if (rc)
		burst__close(b, at);
	return rc;
}

/* Choose the counter for a burst. A counter for the same thread and mode stays open. */
static struct burst *burst__take(struct bursts *b, const struct sample_record *r)
{
	struct burst *at = &b->at[++b->number % BURSTS_AT_ONCE];
	pid_t task = b->session->counters.units.per_cpu ? -1 : r->tid;

	if (at->event != r->event || at->tid != task || at->unit != r->unit ||
	    at->kernel != r->kernel)
		burst__close(b, at);
	at->event = r->event;
	at->unit = r->unit;
	at->tid = task;
	at->kernel = r->kernel;
	at->number = b->number;
	return at;
}

void bursts__begin(struct bursts *b, const struct sample_record *r, uint64_t cycles)
{
	const struct count_kernel *kernel = b->session->counters.kernel;
	struct burst *at = burst__take(b, r);
	int rc = 0;

	if (at->fd < 0)
		rc = burst__open(b, at, cycles);
	else if (kernel->ioctl(at->fd, PERF_EVENT_IOC_PERIOD, &cycles))
		rc = -errno;
	if (!rc && kernel->ioctl(at->fd, PERF_EVENT_IOC_REFRESH, (void *)(long)BURST_SAMPLES))
		rc = -errno;
	b->failures = rc && rc != -ESRCH ? b->failures + 1 : 0;
	if (rc)
		burst__close(b, at);
	if (b->failures == MOST_FAILURES)
		b->refused = -rc;
}

const struct burst *bursts__find(const struct bursts *b, uint64_t id)
{
	for (int i = 0; i < BURSTS_AT_ONCE; i++)
		if (b->at[i].fd >= 0 && b->at[i].id == id)
			return &b->at[i];
	return NULL;
}

void bursts__free(struct bursts *b)
{
	for (int i = 0; i < BURSTS_AT_ONCE; i++)
		burst__close(b, &b->at[i]);
}
