// SPDX-License-Identifier: GPL-2.0-only
/* Answer perf_event_open() and calls on its descriptors. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/interpose.h"
#include "sim/raw.h"
#include "sim/sim.h"

ssize_t __read_chk(int fd, void *buf, size_t size, size_t room);

static long open_real(const struct sim_call *call)
{
	struct sim_call refused = *call;
	long fd = raw_syscall(SYS_perf_event_open, (long)call->attr, call->pid, call->cpu,
			      call->group_fd, (long)call->flags, 0);

	if (fd >= 0)
		sim__opened_real(call, fd);
	/*
	 * Permissions follow perf_event_paranoid of the simulated computer, not of the real kernel.
	 */
	if ((fd != -EACCES && fd != -EPERM) || call->attr->type != PERF_TYPE_SOFTWARE)
		return fd;
	/*
	 * Only the real kernel knows the address of a task's code. The refusal makes the program
	 * ask for less.
	 */
	if (call->pid >= 0 && call->attr->sample_type & PERF_SAMPLE_IP)
		return fd;
	refused.refused = true;
	return sim__open(&refused);
}

static long interpose_perf__open_event(const struct sim_call *call)
{
	long fd;

	SIM_HOLD();
	fd = sim__open(call);
	if (fd == SIM_PASS)
		fd = open_real(call);
	if (child__any_running())
		interpose__hold_sigchld();
	return interpose__result(fd);
}

INTERPOSE long syscall(long number, ...)
{
	long arg[6];
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		arg[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open && sim.on && arg[0]) {
		struct sim_call call = {
			.attr = (struct perf_event_attr *)arg[0],
			.pid = arg[1],
			.cpu = arg[2],
			.group_fd = arg[3],
			.flags = arg[4],
		};

		return interpose_perf__open_event(&call);
	}
	return interpose__result(raw_syscall(number, arg[0], arg[1], arg[2], arg[3], arg[4],
					     arg[5]));
}

static bool has_events(void)
{
	return sim.on && __atomic_load_n(&sim.nr_open, __ATOMIC_RELAXED);
}

/* Find the event of a descriptor, or NULL. With an event, the lock is held on return. */
static struct sim_event *lock_event(int fd)
{
	struct sim_event *event;

	if (fd < 0 || !has_events())
		return NULL;
	sim__lock();
	event = sim__event(fd);
	if (!event)
		sim__unlock();
	return event;
}

/*
 * Answer read() of a simulated event. Return: whether @fd is such an event; then *@ret is the
 * result.
 */
static bool interpose_perf__read_event(int fd, void *buf, size_t size, ssize_t *ret)
{
	struct sim_event *event = lock_event(fd);

	if (!event)
		return false;
	sim__pump();
	*ret = sim__read(event, buf, size);
	sim__unlock();
	return true;
}

INTERPOSE ssize_t read(int fd, void *buf, size_t size)
{
	ssize_t ret;

	if (interpose_perf__read_event(fd, buf, size, &ret))
		return interpose__result(ret);
	return NEXT(read)(fd, buf, size);
}

INTERPOSE ssize_t __read_chk(int fd, void *buf, size_t size, size_t room)
{
	ssize_t ret;

	if (size <= room && interpose_perf__read_event(fd, buf, size, &ret))
		return interpose__result(ret);
	return NEXT(__read_chk)(fd, buf, size, room);
}

INTERPOSE int ioctl(int fd, unsigned long request, ...)
{
	struct sim_event *event = lock_event(fd);
	unsigned long arg;
	long ret;
	va_list ap;

	va_start(ap, request);
	arg = va_arg(ap, unsigned long);
	va_end(ap);
	if (!event)
		return NEXT(ioctl)(fd, request, arg);
	ret = sim__ioctl(event, request, arg);
	sim__pump();
	sim__unlock();
	return interpose__result(ret);
}

/*
 * Answer mmap() of a simulated event. Return: whether @fd is such an event; then *@ret is the
 * result.
 */
static bool map_event(int fd, const struct sim_mmap *call, long *ret)
{
	struct sim_event *event = lock_event(fd);

	if (!event)
		return false;
	*ret = sim__mmap(event, call);
	if (event->mapped && event->pmu && event->pmu->rdpmc)
		interpose__catch_rdpmc();
	sim__unlock();
	return true;
}

INTERPOSE void *mmap(void *at, size_t length, int prot, int flags, int fd, off_t offset)
{
	struct sim_mmap call = { at, length, prot, flags, offset };
	long ret;

	/* A sanitizer calls mmap() before dlsym() can find the next mmap(). */
	if (!map_event(fd, &call, &ret))
		ret = raw_syscall(SYS_mmap, (long)at, length, prot, flags, fd, offset);
	return (void *)interpose__result(ret);
}

INTERPOSE void *mmap64(void *at, size_t length, int prot, int flags, int fd, off64_t offset)
{
	return mmap(at, length, prot, flags, fd, offset);
}

INTERPOSE int munmap(void *at, size_t length)
{
	if (sim.on && __atomic_load_n(&sim.rings.nr, __ATOMIC_RELAXED)) {
		SIM_HOLD();
		sim__munmap(at);
	}
	return interpose__result(RAW(SYS_munmap, at, length, 0, 0));
}

static void close_event(int fd)
{
	if (!sim.on || (!has_events() && !sim.reals.nr))
		return;
	SIM_HOLD();
	sim__close(fd);
}

INTERPOSE int close(int fd)
{
	close_event(fd);
	return NEXT(close)(fd);
}

/*
 * Signal handlers restore standard error by dup2(), perhaps while the lock is held. The lock is not
 * needed, since no event has this descriptor.
 */
INTERPOSE int dup2(int from, int to)
{
	if (from != to && to != STDERR_FILENO)
		close_event(to);
	return NEXT(dup2)(from, to);
}

INTERPOSE int dup3(int from, int to, int flags)
{
	if (from != to)
		close_event(to);
	return NEXT(dup3)(from, to, flags);
}

INTERPOSE int close_range(unsigned int first, unsigned int last, int flags)
{
	unsigned int nr = flags ? 0 : sim.events.nr;

	for (unsigned int fd = first; fd <= last && fd < nr; fd++)
		close_event(fd);
	return interpose__result(RAW(SYS_close_range, first, last, flags, 0));
}

INTERPOSE void closefrom(int first)
{
	close_range(first < 0 ? 0 : first, ~0U, 0);
}
