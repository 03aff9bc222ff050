// SPDX-License-Identifier: GPL-2.0-only
#include "count/probe.h"

#include <errno.h>
#include <stdint.h>

#include "count/kernel.h"
#include "count/session.h"
#include "machine/machine.h"

#define MOST 32 /* the most counters that a PMU has */
#define PMU_TYPE_SHIFT 32
#define CYCLES 0x3c /* the terms "any" of all PMUs */

/**
 * struct probe - a group of one event, which is opened several times; the first of @fds leads it
 */
struct probe {
	const struct count_kernel *kernel;
	int fds[MOST], nr;
};

static int probe__open_one(struct probe *p, const struct pmu *pmu, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
		.disabled = !p->nr,
		.pinned = !p->nr,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		/* A virtual machine may have the counters while its guests run (Linux 7.0). */
		.exclude_guest = 1,
	};
	int fd;

	if (pmu->has_cpus)
		attr.config |= (uint64_t)pmu->type << PMU_TYPE_SHIFT;
	fd = p->kernel->open(&attr, cpu < 0 ? 0 : -1, cpu, p->nr ? p->fds[0] : -1,
			     PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	p->fds[p->nr++] = fd;
	return 0;
}

static void close_last(struct probe *p)
{
	p->kernel->close(p->fds[--p->nr]);
}

/* Return: 1 if all events of the group have counters, 0 if not; -errno. */
static int try_counters(const struct probe *p)
{
	uint64_t count;
	ssize_t got;

	if (p->kernel->ioctl(p->fds[0], PERF_EVENT_IOC_ENABLE, NULL))
		return -errno;
	got = p->kernel->read(p->fds[0], &count, sizeof(count));
	return got < 0 ? -errno : got > 0;
}

int probe__counters(const struct count_kernel *kernel, const struct pmu *pmu, int cpu, int most,
		    int *general, int *held)
{
	struct probe p = { .kernel = kernel };
	int rc = 0;

	if (cpu < 0 && pmu->has_cpus)
		return -ENOTSUP;
	while (!rc && p.nr < most && p.nr < MOST)
		rc = probe__open_one(&p, pmu, cpu);
	/*
	 * The group had one event too many. Any other errno is unrelated to the number of counters.
	 */
	if (p.nr && rc == -EINVAL)
		rc = 0;
	*general = p.nr;
	while (!rc && p.nr) {
		int got = try_counters(&p);

		if (got > 0)
			break;
		rc = got;
		if (!rc)
			close_last(&p);
	}
	*held = *general - p.nr;
	while (p.nr)
		close_last(&p);
	return rc;
}

/* Try to open an event, without counting it. Return: 0 if the kernel accepts it, or the errno. */
static int try_event(const struct count_kernel *kernel, struct perf_event_attr *attr, int pid,
		     int cpu)
{
	int fd;

	attr->size = sizeof(*attr);
	attr->disabled = 1;
	fd = kernel->open(attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	kernel->close(fd);
	return 0;
}

/*
 * Try to open an event by its code, in user space of the calling thread, which every user may
 * count.
 */
static int try_config(const struct count_kernel *kernel, const struct pmu *pmu, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = pmu->type,
		.config = config,
		.exclude_guest = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return try_event(kernel, &attr, 0, -1);
}

bool probe__denies_any_thread(const struct count_kernel *kernel, struct pmu *pmu)
{
	const struct pmu_format *any = pmu__format(pmu, "any");
	int code = any ? try_config(kernel, pmu, CYCLES | any->bits[0]) : 0;

	return code == EACCES || code == EPERM;
}

bool probe__refuses_slots(const struct count_kernel *kernel, const struct pmu *pmu)
{
	return refusal__unsupported(try_config(kernel, pmu, topdown__code(TOPDOWN_SLOTS)));
}

bool probe__lacks(const struct count_kernel *kernel, const struct event *e)
{
	struct perf_event_attr attr = e->attr;
	bool task = !e->requires_cpu;

	if (e->tool || e->retire_latency || topdown__is_metric(e->topdown) ||
	    (!task && !e->cpus.nr))
		return false;
	attr.pinned = attr.exclusive = 0;
	/*
	 * User space is enough for this check, and every user may count it. Uncore PMUs do not have
	 * modes.
	 */
	attr.exclude_kernel = attr.exclude_hv = task;
	attr.exclude_user &= task;
	attr.exclude_guest &= task;
	attr.exclude_host &= task;
	return refusal__unsupported(
		try_event(kernel, &attr, task ? 0 : -1, task ? -1 : e->cpus.at[0]));
}
