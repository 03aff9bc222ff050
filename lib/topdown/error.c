// SPDX-License-Identifier: GPL-2.0-only
/* Describe why something cannot be measured, and what to do about it. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

static const char *const reason_names[] = {
	[TMA_TOPDOWN_OK] = "ok",
	[TMA_TOPDOWN_ARGUMENT] = "argument",
	[TMA_TOPDOWN_NO_MEMORY] = "no-memory",
	[TMA_TOPDOWN_NO_PMU] = "no-pmu",
	[TMA_TOPDOWN_NO_SLOTS] = "no-slots",
	[TMA_TOPDOWN_PERMISSION] = "permission",
	[TMA_TOPDOWN_NO_SYSCALL] = "no-syscall",
	[TMA_TOPDOWN_REFUSED] = "refused",
	[TMA_TOPDOWN_RDPMC_OFF] = "rdpmc-off",
	[TMA_TOPDOWN_NO_RDPMC] = "no-rdpmc",
	[TMA_TOPDOWN_HYBRID] = "hybrid",
	[TMA_TOPDOWN_NO_EVENT] = "no-event",
	[TMA_TOPDOWN_REGIONS] = "regions",
	[TMA_TOPDOWN_NOT_X86] = "not-x86",
};

TMA_PUBLIC const char *tma_topdown_reason_name(enum tma_topdown_reason reason)
{
	size_t i = (size_t)reason;

	return i < sizeof(reason_names) / sizeof(*reason_names) ? reason_names[i] : "unknown";
}

int topdown__fail(struct tma_topdown_error *error, enum tma_topdown_reason reason, int code,
		  const char *fmt, ...)
{
	va_list ap;

	if (!error)
		return -code;
	error->reason = reason;
	error->code = code;
	va_start(ap, fmt);
	vsnprintf(error->text, sizeof(error->text), fmt, ap);
	va_end(ap);
	return -code;
}

/*
 * Read the kernel's setting perf_event_paranoid. Return: its value; 99 if the file does not exist.
 */
static int perf_event_paranoid(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int paranoid = 99;

	if (!file)
		return paranoid;
	if (fscanf(file, "%d", &paranoid) != 1)
		paranoid = 99;
	fclose(file);
	return paranoid;
}

/*
 * Record that the permission was refused. If perf_event_paranoid allows the call, a filter such as
 * seccomp or a security module has refused it.
 */
static int fail_permission(const struct tma_topdown *topdown, const char *what, int code,
			   struct tma_topdown_error *error)
{
	int most = topdown->flags & TMA_TOPDOWN_KERNEL ? 1 : 2;
	int paranoid = perf_event_paranoid();

	if (paranoid <= most || !geteuid())
		return topdown__fail(error, TMA_TOPDOWN_NO_SYSCALL, code,
				     "%s: perf_event_open() is filtered (%s), though "
				     "perf_event_paranoid is %d: allow it in the container's "
				     "seccomp profile or security module",
				     what, strerror(code), paranoid);
	return topdown__fail(error, TMA_TOPDOWN_PERMISSION, code,
			     "%s: not permitted: /proc/sys/kernel/perf_event_paranoid is %d, and "
			     "counting %s needs %d or less, or CAP_PERFMON",
			     what, paranoid, most == 1 ? "in the kernel" : "in user space", most);
}

/* Meaning of each errno of perf_event_open() for an event that sysfs lists. */
static const struct {
	int code;
	enum tma_topdown_reason reason;
	const char *text;
} refusals[] = {
	{ ENOSYS, TMA_TOPDOWN_NO_SYSCALL,
	  "there is no perf_event_open(): the kernel is built without it, or a seccomp filter "
	  "hides it" },
	{ ENOENT, TMA_TOPDOWN_NO_PMU, "the kernel does not know the event on this machine" },
	{ ENODEV, TMA_TOPDOWN_NO_PMU, "the machine has no counters for the event" },
	{ EOPNOTSUPP, TMA_TOPDOWN_NO_PMU, "the machine cannot count the event" },
	{ EINVAL, TMA_TOPDOWN_REFUSED, "the kernel does not accept the event; a PMU that cannot "
				       "exclude the kernel needs TMA_TOPDOWN_KERNEL" },
	{ EBUSY, TMA_TOPDOWN_REFUSED, "another user holds the counters exclusively" },
	{ EMFILE, TMA_TOPDOWN_REFUSED,
	  "too many open files: raise the limit (ulimit -n), or open fewer handles" },
	{ ENFILE, TMA_TOPDOWN_REFUSED, "the machine has too many open files" },
	{ ENOMEM, TMA_TOPDOWN_NO_MEMORY, "the kernel has no memory for the event" },
};

int topdown__fail_open(const struct tma_topdown *topdown, const char *what, int code,
		       struct tma_topdown_error *error)
{
	if (code == EACCES || code == EPERM)
		return fail_permission(topdown, what, code, error);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
		if (refusals[i].code == code)
			return topdown__fail(error, refusals[i].reason, code, "%s: %s (%s)", what,
					     refusals[i].text, strerror(code));
	return topdown__fail(error, TMA_TOPDOWN_REFUSED, code, "%s: %s", what, strerror(code));
}
