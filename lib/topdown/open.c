// SPDX-License-Identifier: GPL-2.0-only
/*
 * Open a thread's handle: slots and the metrics that the CPU has. Find out whether RDPMC may read
 * them.
 */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "snapshot.h"

/* Names of the metrics in sysfs, in the order of the register's fields. */
static const char *const metric_events[] = {
	[TMA_TOPDOWN_RETIRING] = "topdown-retiring",
	[TMA_TOPDOWN_BAD_SPEC] = "topdown-bad-spec",
	[TMA_TOPDOWN_FE_BOUND] = "topdown-fe-bound",
	[TMA_TOPDOWN_BE_BOUND] = "topdown-be-bound",
	[TMA_TOPDOWN_HEAVY_OPS] = "topdown-heavy-ops",
	[TMA_TOPDOWN_BR_MISPREDICT] = "topdown-br-mispredict",
	[TMA_TOPDOWN_FETCH_LAT] = "topdown-fetch-lat",
	[TMA_TOPDOWN_MEM_BOUND] = "topdown-mem-bound",
};

#define LEVEL1_METRICS (TMA_TOPDOWN_BE_BOUND + 1)
/* Number of bits of Intel's counters, unless the page contains another number. */
#define COUNTER_BITS 48
#define ALL_FLAGS                                                                                  \
	((unsigned int)(TMA_TOPDOWN_KERNEL | TMA_TOPDOWN_SYSCALL_OK | TMA_TOPDOWN_SYSCALL_ONLY |   \
			TMA_TOPDOWN_EVENTS_ONLY | TMA_TOPDOWN_ANY_CORE | TMA_TOPDOWN_KEEP_COST))
#define NEEDS_NO_RDPMC                                                                             \
	(TMA_TOPDOWN_SYSCALL_OK | TMA_TOPDOWN_SYSCALL_ONLY | TMA_TOPDOWN_EVENTS_ONLY)

static bool has_file(const struct tma_topdown *topdown, const char *pmu, const char *file)
{
	char line[256];

	return !sysfs__read(topdown->sysfs, pmu, file, line, sizeof(line));
}

/* --- Which PMU ------------------------------------------------------------------------------ */

/*
 * Find the core PMU: "cpu", on a hybrid CPU the PMU of P-cores, or with only E-cores the PMU of
 * E-cores, which has ordinary events.
 */
static void topdown_open__find_pmu(struct tma_topdown *topdown)
{
	static const char *const names[] = { "cpu", "cpu_core", "cpu_atom" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (has_file(topdown, names[i], "type")) {
			strcpy(topdown->pmu, names[i]);
			return;
		}
}

static int not_x86(struct tma_topdown_error *error)
{
	return topdown__fail(error, TMA_TOPDOWN_NOT_X86, EOPNOTSUPP,
			     "only x86 has TopDown registers, and this program is built for "
			     "another architecture: count it with tma stat --topdown");
}

static int check_pmu(const struct tma_topdown *topdown, struct tma_topdown_error *error)
{
	if (!*topdown->pmu)
		return topdown__fail(error, TMA_TOPDOWN_NO_PMU, ENODEV,
				     "this machine has no core PMU (no cpu or cpu_core in "
				     "%s/bus/event_source/devices): a virtual machine needs one "
				     "from its host",
				     topdown->sysfs);
	if (!has_file(topdown, topdown->pmu, "events/slots") ||
	    !has_file(topdown, topdown->pmu, "events/topdown-be-bound"))
		return topdown__fail(error, TMA_TOPDOWN_NO_SLOTS, EOPNOTSUPP,
				     "the cores of PMU %s lack the TopDown metrics register (no "
				     "event slots), which Intel's big cores have since Ice Lake; "
				     "few hosts give it to virtual machines",
				     topdown->pmu);
	return 0;
}

/* --- Opening the group ----------------------------------------------------------------------- */

static int topdown_open__open_event(struct tma_topdown *topdown, const char *name,
				    struct tma_topdown_error *error)
{
	struct perf_event_attr attr = {
		.exclude_kernel = !(topdown->flags & TMA_TOPDOWN_KERNEL),
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = !topdown->nr_group,
	};
	int ret = sysfs__encode(topdown->sysfs, topdown->pmu, name, &attr, error);

	if (ret)
		return ret;
	ret = counter__open(&topdown->group[topdown->nr_group], &attr,
			    topdown->nr_group ? topdown->group[0].fd : -1);
	if (ret)
		return topdown__fail_open(topdown, name, -ret, error);
	topdown->nr_group++;
	return 0;
}

/*
 * Open slots and the metrics. On a CPU without level 2, sysfs lacks the events of level 2. Without
 * events of level 1 there is no TopDown.
 */
static int open_group(struct tma_topdown *topdown, int level, struct tma_topdown_error *error)
{
	int ret = TOPDOWN_HAS_RDPMC ? check_pmu(topdown, error) : not_x86(error);

	if (ret)
		return ret;
	if (!has_file(topdown, topdown->pmu, "events/topdown-mem-bound"))
		level = 1;
	ret = topdown_open__open_event(topdown, "slots", error);
	for (int i = 0; !ret && i < (level == 2 ? TMA_TOPDOWN_METRICS : LEVEL1_METRICS); i++)
		ret = topdown_open__open_event(topdown, metric_events[i], error);
	if (ret)
		return ret;
	topdown->units.level = level;
	if (ioctl(topdown->group[0].fd, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP)) {
		ret = errno;
		return topdown__fail(error, TMA_TOPDOWN_REFUSED, ret,
				     "the TopDown events cannot be enabled: %s", strerror(ret));
	}
	return 0;
}

/* --- Whether RDPMC ---------------------------------------------------------------------------- */

/* Find out whether the thread may only run on CPUs in a list such as "0-7,16". */
static bool runs_only_on(const char *list)
{
	cpu_set_t may, in;

	CPU_ZERO(&in);
	while (*list) {
		char *end;
		long first = strtol(list, &end, 10), last = first;

		if (end == list || first < 0)
			return false;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		for (long cpu = first; cpu <= last && cpu < CPU_SETSIZE; cpu++)
			CPU_SET((size_t)cpu, &in);
		list = *end == ',' ? end + 1 : "";
	}
	if (sched_getaffinity(0, sizeof(may), &may))
		return false;
	CPU_AND(&in, &in, &may);
	return CPU_EQUAL(&in, &may);
}

/*
 * Check that the thread cannot run on E-cores. E-cores do not have the registers, and RDPMC of a
 * missing register is a fault. The thread may be moved between its check of the page and the
 * instruction.
 */
static int check_cores(const struct tma_topdown *topdown, struct tma_topdown_error *why)
{
	char cpus[1024];

	if (strncmp(topdown->pmu, "cpu_", 4) || topdown->flags & TMA_TOPDOWN_ANY_CORE)
		return 0;
	if (!sysfs__read(topdown->sysfs, topdown->pmu, "cpus", cpus, sizeof(cpus)) &&
	    runs_only_on(cpus))
		return 0;
	return topdown__fail(why, TMA_TOPDOWN_HYBRID, EXDEV,
			     "the thread may run on E-cores, where RDPMC of TopDown is a fault: "
			     "bind it to the CPUs of %s (sched_setaffinity(2), taskset) before "
			     "opening",
			     topdown->pmu);
}

/* Record why the page of an event does not allow RDPMC. */
static int no_rdpmc(const struct tma_topdown *topdown, struct tma_topdown_error *why)
{
	char setting[16];
	int ret = sysfs__read(topdown->sysfs, topdown->pmu, "rdpmc", setting, sizeof(setting));

	if (!ret && !strcmp(setting, "0"))
		return topdown__fail(why, TMA_TOPDOWN_RDPMC_OFF, EPERM,
				     "RDPMC is switched off: write 1 to "
				     "%s/bus/event_source/devices/%s/rdpmc",
				     topdown->sysfs, topdown->pmu);
	return topdown__fail(why, TMA_TOPDOWN_NO_RDPMC, EOPNOTSUPP,
			     "the kernel does not let user space use RDPMC for these events%s",
			     ret == -EACCES ? " (it may be switched off: root can read the PMU's "
					      "file rdpmc in sysfs)" : "");
}

/*
 * Find out whether RDPMC reads 0 although slots were counted. Since Linux 7.0 a CPU can hide a
 * counter from user space (RDPMC user disable): then RDPMC reads 0 although the page offers the
 * counter. The kernel does not hide a thread's own events, unless they started while the setting in
 * sysfs was different. As slots start at 0, a value of 0 proves nothing.
 */
static bool topdown_open__is_hidden(const struct tma_topdown *topdown)
{
	const struct perf_event_mmap_page *page = topdown->group[0].page;
	uint64_t counts[3 + TOPDOWN_GROUP] = {0};
	uint32_t lock, index;
	uint64_t value;

	do {
		lock = PAGE_READ(page->lock);
		PAGE_ORDER();
		index = PAGE_READ(page->index);
		value = index ? cpu__rdpmc(index - 1) : 1;
		PAGE_ORDER();
	} while (PAGE_READ(page->lock) != lock || lock & 1);
	/* read() of a group returns the number of events, two times, then the count of slots. */
	return !value && read(topdown->group[0].fd, counts, sizeof(counts)) > 0 && counts[3];
}

static int check_hidden(const struct tma_topdown *topdown, struct tma_topdown_error *why)
{
	if (!topdown->nr_group || topdown->flags & TMA_TOPDOWN_ANY_CORE ||
	    !topdown_open__is_hidden(topdown))
		return 0;
	return topdown__fail(
		why, TMA_TOPDOWN_NO_RDPMC, EOPNOTSUPP,
		"the CPU hides these counters from RDPMC (RDPMC user disable, since Linux 7.0): "
		"open again, or write 2 to %s/bus/event_source/devices/%s/rdpmc",
		topdown->sysfs, topdown->pmu);
}

static int check_rdpmc(const struct tma_topdown *topdown, struct tma_topdown_error *why)
{
	if (!TOPDOWN_HAS_RDPMC)
		return topdown__fail(why, TMA_TOPDOWN_NOT_X86, EOPNOTSUPP,
				     "RDPMC is an instruction of x86, and this program is built "
				     "for another architecture");
	if (topdown->flags & TMA_TOPDOWN_SYSCALL_ONLY)
		return topdown__fail(why, TMA_TOPDOWN_ARGUMENT, ECANCELED,
				     "the options ask for system calls");
	for (int i = 0; i < topdown->nr_group; i++) {
		if (!topdown->group[i].page)
			return topdown__fail(why, TMA_TOPDOWN_PERMISSION, EPERM,
					     "an event's page cannot be mapped: raise "
					     "/proc/sys/kernel/perf_event_mlock_kb");
		if (!topdown->group[i].page->cap_user_rdpmc)
			return no_rdpmc(topdown, why);
	}
	return check_cores(topdown, why);
}

static void use_rdpmc(struct tma_topdown *topdown)
{
	const struct perf_event_mmap_page *page = topdown->group[0].page;

	topdown->page = topdown->group[0].page;
	if (page->pmc_width && page->pmc_width < 64)
		topdown->units.wrap = 1ULL << page->pmc_width;
	if (page->cap_user_time) {
		topdown->tsc = true;
		topdown->units.time_mult = page->time_mult;
		topdown->units.time_shift = page->time_shift;
	}
	topdown__rebase(topdown);
}

static int choose_reading(struct tma_topdown *topdown, struct tma_topdown_error *error)
{
	int ret = check_rdpmc(topdown, &topdown->why_not);

	if (!ret)
		ret = check_hidden(topdown, &topdown->why_not);

	topdown->rdpmc = !ret;
	topdown->units.wrap = 1ULL << COUNTER_BITS;
	topdown->units.time_mult = 1;
	topdown->units.folded = ret;
	if (!ret && topdown->nr_group)
		use_rdpmc(topdown);
	if (!ret || topdown->flags & NEEDS_NO_RDPMC)
		return 0;
	if (error)
		*error = topdown->why_not;
	return ret;
}

/* --- The handle ------------------------------------------------------------------------------ */

/*
 * Make a page that is cleared in a child of fork(), where the events' pages are not mapped.
 * (Kernels before 4.14 do not know this advice, but do not support any CPU with the register
 * either.)
 */
static uintptr_t *new_owner(void)
{
	uintptr_t *owner = mmap(NULL, sizeof(*owner), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (owner == MAP_FAILED)
		return NULL;
	madvise(owner, (size_t)sysconf(_SC_PAGESIZE), MADV_WIPEONFORK);
	*owner = thread__self();
	return owner;
}

static struct tma_topdown *new_handle(const struct tma_topdown_options *options,
				      struct tma_topdown_error *error)
{
	struct tma_topdown *topdown = calloc(1, sizeof(*topdown));

	if (topdown) {
		topdown->owner = new_owner();
		topdown->sysfs = strdup(options->sysfs ? options->sysfs : "/sys");
	}
	if (!topdown || !topdown->owner || !topdown->sysfs) {
		topdown__fail(error, TMA_TOPDOWN_NO_MEMORY, ENOMEM, "out of memory");
		tma_topdown_close(topdown);
		return NULL;
	}
	for (int i = 0; i < TOPDOWN_GROUP; i++)
		topdown->group[i].fd = -1;
	topdown->pid = getpid();
	topdown->tid = (int32_t)syscall(SYS_gettid);
	topdown->flags = options->flags;
	topdown->sample_every = options->sample_every ? options->sample_every : 1;
	topdown->max_error = options->max_error;
	topdown->regions = options->regions;
	return topdown;
}

static int check_options(const struct tma_topdown_options *options,
			 struct tma_topdown_error *error)
{
	const unsigned int unknown = options->flags & ~ALL_FLAGS;

	if (options->size != sizeof(*options))
		return topdown__fail(error, TMA_TOPDOWN_ARGUMENT, EINVAL,
				     "options.size is %zu and not sizeof(struct "
				     "tma_topdown_options), %zu",
				     options->size, sizeof(*options));
	if (unknown)
		return topdown__fail(error, TMA_TOPDOWN_ARGUMENT, EINVAL,
				     "options.flags has 0x%x, which this version does not know",
				     unknown);
	if (options->level < 0 || options->level > 2)
		return topdown__fail(error, TMA_TOPDOWN_ARGUMENT, EINVAL,
				     "options.level is %d: use 1 or 2", options->level);
	if (!(options->max_error >= 0))
		return topdown__fail(error, TMA_TOPDOWN_ARGUMENT, EINVAL,
				     "options.max_error is negative");
	return 0;
}

TMA_PUBLIC struct tma_topdown *tma_topdown_open(const struct tma_topdown_options *options,
						struct tma_topdown_error *error)
{
	static const struct tma_topdown_options defaults = { .size = sizeof(defaults) };
	struct tma_topdown *topdown;
	int ret = 0;

	if (!options)
		options = &defaults;
	if (error)
		memset(error, 0, sizeof(*error));
	if (check_options(options, error))
		return NULL;
	topdown = new_handle(options, error);
	if (!topdown)
		return NULL;
	topdown_open__find_pmu(topdown);
	if (!(options->flags & TMA_TOPDOWN_EVENTS_ONLY))
		ret = open_group(topdown, options->level == 1 ? 1 : 2, error);
	if (!ret)
		ret = choose_reading(topdown, error);
	if (!ret)
		return topdown;
	tma_topdown_close(topdown);
	return NULL;
}

TMA_PUBLIC void tma_topdown_close(struct tma_topdown *topdown)
{
	struct tma_region *region;
	bool mapped;

	if (!topdown)
		return;
	mapped = topdown->owner && *topdown->owner;
	for (int i = 0; i < topdown->nr_events; i++)
		counter__close(&topdown->events[i], mapped);
	for (int i = topdown->nr_group - 1; i >= 0; i--)
		counter__close(&topdown->group[i], mapped);
	while ((region = topdown->list)) {
		topdown->list = region->next;
		free(region);
	}
	tma_regions_free(topdown->own_regions);
	if (topdown->owner)
		munmap(topdown->owner, sizeof(*topdown->owner));
	free(topdown->events);
	free(topdown->sysfs);
	free(topdown);
}

TMA_PUBLIC int tma_topdown_level(const struct tma_topdown *topdown)
{
	return topdown ? topdown->units.level : 0;
}

TMA_PUBLIC int tma_topdown_uses_rdpmc(const struct tma_topdown *topdown,
				      struct tma_topdown_error *why)
{
	if (!topdown)
		return 0;
	if (!topdown->rdpmc && why)
		*why = topdown->why_not;
	return topdown->rdpmc;
}

TMA_PUBLIC const char *tma_topdown_core_type(const struct tma_topdown *topdown)
{
	return topdown ? topdown->pmu : "";
}
