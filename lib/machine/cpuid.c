// SPDX-License-Identifier: GPL-2.0-only
/*
 * Facts that the CPU reports about itself: the id that selects its tables, the TSC's frequency, and
 * slots.
 */
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#include <limits.h>
#include <linux/perf_event.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/internal.h"
#include "machine/models.h"

#define CPUINFO_MAX (32 << 20) /* limit of bytes; 4096 CPUs need 6 MiB */
#define CPUINFO_START 16384 /* enough bytes for the lines of the first CPU */
#define LEAF_COUNTERS 0x0a
#define LEAF_TSC 0x15
#define LEAF_COUNTERS_OF_CORE 0x23 /* counters of the kind of core that executes CPUID */
#define CPUS "%s/devices/system/cpu/cpu%d/"
#define MIDR "regs/identification/midr_el1"
#define MIDR_SIZE 32 /* "0x00000000410fd490" */
#define SLOTS_MAX 255 /* PMMIR_EL1 has 8 bits for the slots */

/* Registers that the CPUID instruction returns. */
enum { EAX, EBX, ECX, EDX, NR_REGS };

/* Read a leaf of CPUID. Return: whether the CPU has it; CPUs other than x86 have none. */
static bool read_subleaf(unsigned int leaf, unsigned int subleaf, unsigned int r[NR_REGS])
{
#if defined(__x86_64__) || defined(__i386__)
	return __get_cpuid_count(leaf, subleaf, &r[EAX], &r[EBX], &r[ECX], &r[EDX]);
#else
	(void)leaf;
	(void)subleaf;
	(void)r;
	return false;
#endif
}

static bool read_leaf(unsigned int leaf, unsigned int r[NR_REGS])
{
	return read_subleaf(leaf, 0, r);
}

/* Set @vendor to the CPU's vendor, or to "" if the CPU does not report it. */
static void read_vendor(char vendor[13])
{
	unsigned int r[NR_REGS] = { 0 };

	read_leaf(0, r);
	memcpy(vendor, &r[EBX], 4);
	memcpy(vendor + 4, &r[EDX], 4);
	memcpy(vendor + 8, &r[ECX], 4);
	vendor[12] = '\0';
}

/* Family, model and stepping are in leaf 1, combined as x86 manuals define. */
static void format_cpuid(char *buf, size_t size)
{
	unsigned int r[NR_REGS], family, model;
	char vendor[13];

	buf[0] = '\0';
	if (!read_leaf(1, r))
		return;
	read_vendor(vendor);
	family = r[EAX] >> 8 & 0xf;
	model = r[EAX] >> 4 & 0xf;
	if (family == 0xf)
		family += r[EAX] >> 20 & 0xff;
	if (family >= 6)
		model += (r[EAX] >> 16 & 0xf) << 4;
	snprintf(buf, size, "%s-%u-%X-%X", vendor, family, model, r[EAX] & 0xf);
}

/* The TSC runs EBX / EAX times as fast as the crystal (ECX). Return: Hz, 0 if not reported. */
static double tsc_of_cpuid(void)
{
	unsigned int r[NR_REGS];

	if (!read_leaf(LEAF_TSC, r) || !r[EAX])
		return 0;
	return (double)r[ECX] * r[EBX] / r[EAX];
}

static bool is_intel(void)
{
	char vendor[13];

	read_vendor(vendor);
	return strstr(vendor, "Intel");
}

/*
 * Leaf 0x23 has masks of counters for this kind of core. Leaf 0xa has numbers of counters for all
 * kinds and, from version 5 on, a mask of fixed counters.
 */
static bool counters_of_this_cpu(uint32_t *general, uint32_t *fixed)
{
	unsigned int r[NR_REGS];

	if (read_subleaf(LEAF_COUNTERS_OF_CORE, 0, r) && r[EAX] & 1 << 1 &&
	    read_subleaf(LEAF_COUNTERS_OF_CORE, 1, r) && r[EAX]) {
		*general = r[EAX];
		*fixed = r[EBX];
		return true;
	}
	if (!read_leaf(LEAF_COUNTERS, r) || !(r[EAX] >> 8 & 0xff))
		return false;
	*general = (1ULL << (r[EAX] >> 8 & 0x1f)) - 1;
	*fixed = (1ULL << (r[EDX] & 0x1f)) - 1;
	if ((r[EAX] & 0xff) >= 5)
		*fixed |= r[ECX];
	return true;
}

bool machine__core_counters(const struct machine *m, const struct pmu *pmu, uint32_t *general,
			    uint32_t *fixed)
{
	cpu_set_t before, there;
	bool known;

	if (m->recorded || m->cpuid_given || m->fake_sysfs || !is_intel())
		return false;
	if (!pmu->has_cpus)
		return counters_of_this_cpu(general, fixed);
	/* On a hybrid machine, CPUID must execute on a CPU of the PMU. */
	CPU_ZERO(&there);
	for (int i = 0; i < pmu->cpus.nr; i++)
		if (pmu->cpus.at[i] < CPU_SETSIZE)
			CPU_SET(pmu->cpus.at[i], &there);
	if (sched_getaffinity(0, sizeof(before), &before) ||
	    sched_setaffinity(0, sizeof(there), &there))
		return false;
	known = counters_of_this_cpu(general, fixed);
	sched_setaffinity(0, sizeof(before), &before);
	return known;
}

/* Read MIDR_EL1, as text, of the first CPU that has the file; offline CPUs do not have it. */
static bool read_midr(const struct machine *m, const struct cpulist *cpus, char *buf, size_t size)
{
	for (int i = 0; i < cpus->nr; i++)
		if (file__read_line(buf, size, CPUS MIDR, m->sysfs, cpus->at[i]) > 0)
			return true;
	return false;
}

/* Every CPU of an arm64 machine has this folder, even if the register cannot be read. */
static bool has_midr(const struct machine *m)
{
	return m->online.nr && file__exists(CPUS "regs", m->sysfs, m->online.at[0]);
}

const char *pmu__cpuid(struct pmu *pmu)
{
	const struct machine *m = pmu->machine;
	char buf[MIDR_SIZE];

	if (m->cpuid_given || !m->has_midr)
		return m->cpuid ? m->cpuid : "";
	if (!pmu->cpuid)
		pmu->cpuid = xstrdup(!pmu__load(pmu) && read_midr(m, &pmu->cpus, buf, sizeof(buf)) ?
					     buf :
					     "");
	return pmu->cpuid;
}

void machine__read_cpuid(struct machine *m)
{
	const char *given = getenv("PERF_CPUID");
	struct pmu *core = machine__core_pmu(m, 0);
	char buf[64] = "";

	m->cpuid_given = given;
	m->has_midr = has_midr(m);
	if (given || (m->has_midr && core))
		m->cpuid = xstrdup(given ? given : pmu__cpuid(core));
	else if (m->has_midr)
		m->cpuid = xstrdup(read_midr(m, &m->online, buf, sizeof(buf)) ? buf : "");
	else {
		format_cpuid(buf, sizeof(buf));
		m->cpuid = xstrdup(buf);
	}
}

double cpuid__tsc_hz(const char *model_name)
{
	const char *at = strstr(model_name, " @ ");
	double ghz;
	int len = at ? num__scan_double(at + 3, &ghz) : 0;

	return len && text__has_prefix(at + 3 + len, "GHz") ? ghz * 1e9 : 0;
}

/* The line reads "model name : Intel(R) Xeon(R) Gold 6154 CPU @ 3.00GHz". */
char *machine__processor(const struct machine *m)
{
	char *text = machine__read_file(CPUINFO_MAX, "%s/cpuinfo", m->procfs), *rest = text, *line;
	char *name = NULL;

	while (!name && (line = strsep(&rest, "\n")))
		if (text__has_prefix(line, "model name") && strchr(line, ':'))
			name = xstrdup(text__trim(strchr(line, ':') + 1));
	free(text);
	return name;
}

static double tsc_of_cpuinfo(const struct machine *m)
{
	char *name = machine__processor(m);
	double hz = name ? cpuid__tsc_hz(name) : 0;

	free(name);
	return hz;
}

/*
 * Return: Hz, from the kernel's own measurement, for a CPU that does not report its frequency; 0 if
 * the kernel does not report it. The page of any event has the factor and shift that convert the
 * TSC to nanoseconds.
 */
static double tsc_of_kernel(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	size_t size = sysconf(_SC_PAGESIZE);
	const struct perf_event_mmap_page *page;
	double hz = 0;

	if (fd < 0)
		return 0;
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED) {
		if (page->cap_user_time && page->time_mult)
			hz = 1e9 * ldexp(1, page->time_shift) / page->time_mult;
		munmap((void *)page, size);
	}
	close(fd);
	return hz;
}

bool machine__has_flag(const struct machine *m, const char *flag)
{
	char text[CPUINFO_START], *flags, *end;

	if (m->recorded || file__read_start(text, sizeof(text), "%s/cpuinfo", m->procfs) < 0)
		return false;
	flags = strstr(text, "\nflags");
	end = flags ? strchr(flags + 1, '\n') : NULL;
	if (!end)
		return false;
	*end = '\0';
	return text__has_item(flags, " \n", flag);
}

bool machine__is_virtual(struct machine *m)
{
	enum machine_answer *known = &m->answers.is_virtual;

	if (*known == ANSWER_OPEN)
		*known = machine__has_flag(m, "hypervisor") ? ANSWER_YES : ANSWER_NO;
	return *known == ANSWER_YES;
}

double machine__tsc_hz(const struct machine *m)
{
	double hz;

	if (m->recorded)
		return m->tsc_hz;
	/*
	 * CPUID is about this CPU, not the CPU that PERF_CPUID names. procfs may be about the
	 * latter.
	 */
	if (m->cpuid_given)
		return cpu_vendor__of(m->cpuid) == VENDOR_INTEL ? tsc_of_cpuinfo(m) : 0;
	if (!is_intel())
		return 0;
	hz = tsc_of_cpuid();
	hz = hz ? hz : tsc_of_cpuinfo(m);
	return hz ? hz : tsc_of_kernel();
}

/*
 * Return: slots per cycle from sysfs; 0 if sysfs lacks them, as in guests, where PMMIR_EL1 reads 0.
 */
static int slots_of_sysfs(const struct pmu *pmu)
{
	uint64_t slots;
	char text[32];

	if (file__read_line(text, sizeof(text), "%s/bus/event_source/devices/%s/caps/slots",
			    pmu->machine->sysfs, pmu->name) < 0 ||
	    num__parse_u64("slots", text, 0, SLOTS_MAX, &slots, NULL))
		return 0;
	return slots;
}

int pmu__slots(struct pmu *pmu)
{
	if (pmu->slots >= 0)
		return pmu->slots;
	pmu->slots = slots_of_sysfs(pmu);
	if (!pmu->slots && cpu_vendor__of(pmu__cpuid(pmu)) == VENDOR_ARM) {
		pmu->slots = cpu_model__of(pmu__cpuid(pmu))->slots;
		pmu->slots_by_id = pmu->slots;
	}
	return pmu->slots;
}

int machine__slots(const struct machine *m)
{
	struct pmu *core = machine__core_pmu(m, 0);

	if (m->recorded)
		return cpu_model__of(m->cpuid)->slots;
	return core ? pmu__slots(core) : 0;
}

bool machine__has_pmem(const struct machine *m)
{
	return file__exists("%s/firmware/acpi/tables/NFIT", m->sysfs);
}

int pmu__max_precise(struct pmu *pmu)
{
	char line[16];
	uint64_t most;

	if (pmu->machine->recorded ||
	    file__read_line(line, sizeof(line), "%s/bus/event_source/devices/%s/caps/max_precise",
			    pmu->machine->sysfs, pmu->name) <= 0 ||
	    num__parse_u64("", line, 0, INT_MAX, &most, NULL))
		return -1;
	return most;
}

bool pmu__samples_latencies(struct pmu *pmu)
{
	return pmu->is_core && cpu_model__of(pmu__cpuid(pmu))->samples_latencies &&
	       pmu__max_precise(pmu);
}

bool machine__samples_latencies(const struct machine *m)
{
	for (int i = 0; i < machine__nr_core_pmus(m); i++)
		if (pmu__samples_latencies(machine__core_pmu(m, i)))
			return true;
	return false;
}
