// SPDX-License-Identifier: GPL-2.0-only
#include "count/bpf_events.h"

#include <errno.h>

#include "count/bpf_library.h"
#include "count/session.h"

#if BPF_IS_BUILT

#define MAX_TRANSIENT 100 /* EINTR and EAGAIN may come this often in a row before they count as a
			   * failure */

static int open_once(const struct session *s, const struct counter *c, int cpu, bool guests_too)
{
	struct perf_event_attr attr = c->event->attr;
	int fd, tries = 0;

	attr.size = sizeof(attr);
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (guests_too)
		attr.exclude_guest = attr.exclude_host = 0;
	do
		fd = s->counters.kernel->open(&attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	while (fd < 0 && (errno == EINTR || errno == EAGAIN) && ++tries < MAX_TRANSIENT);
	return fd < 0 ? -errno : fd;
}

/* PMUs that cannot distinguish guests refuse these two bits. */
static int open_on(const struct session *s, const struct counter *c, int cpu)
{
	const struct perf_event_attr *attr = &c->event->attr;
	int fd = open_once(s, c, cpu, false);

	return fd == -EINVAL && (attr->exclude_guest || attr->exclude_host) ?
		       open_once(s, c, cpu, true) :
		       fd;
}

static int bpf_events__put_cpu(const struct session *s, const struct counter *c, int cpu, int map,
			       int key)
{
	const char *filter = c->event->filter;
	int fd = open_on(s, c, cpu), rc = 0;

	if (fd < 0)
		return -fd;
	if (filter && s->counters.kernel->ioctl(fd, PERF_EVENT_IOC_SET_FILTER, (void *)filter))
		rc = errno;
	if (!rc)
		rc = -lib_bpf_map_update_elem(map, &key, &fd, BPF_ANY);
	s->counters.kernel->close(fd);
	return rc;
}

int bpf_events__put(const struct session *s, const struct counter *c, int map, int first)
{
	const struct cpulist *online = &s->machine->online;
	const struct event *e = c->event;
	const int *cpu;
	int rc = 0;

	cpulist__for_each(cpu, online)
		if (!rc && (e->any_cpu || cpulist__has(&e->cpus, *cpu)))
			rc = bpf_events__put_cpu(s, c, *cpu, map, first + *cpu);
	return rc;
}

#endif
