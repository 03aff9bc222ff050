// SPDX-License-Identifier: GPL-2.0-only
/*
 * Judges groups of events by the kernel's own code: whether perf_event_open() accepts them, and
 * whether they can ever be on the counters. tests/kernel/build links this with the files of
 * arch/x86/events.
 *
 *	scheduler [PARANOID]    without CAP_PERFMON, at this kernel.perf_event_paranoid
 *
 * Standard input, fields separated by spaces:
 *
 *	machine MODEL SMT WATCHDOG LABEL   the next lines belong to this machine (1 or 0 each)
 *	group LABEL                        the next lines belong to this group
 *	event PMU TYPE CONFIG CONFIG1 CONFIG2 EXCLUDE NAME
 *
 * PMU is "cpu", "cpu_core" or "cpu_atom"; EXCLUDE has a bit for the user and a bit for the kernel.
 * The table below has the CPUs of the models, as their CPUID describes them.
 *
 * Standard output, fields separated by tabs: label of the machine, label of the group, verdict,
 * reason.
 *
 *	ok        the kernel accepts and schedules the group
 *	absent    perf_event_open() refuses an event of it, and also refuses this event alone
 *	refused   perf_event_open() refuses an event of it
 *	starved   no thread can ever have the group on its counters
 *	crowded   one thread can have it on its counters, but not both threads of a core at a time
 *	nothing   an event of it counts nothing
 */
#include "perf_event.h"

#include <sys/wait.h>
#include <unistd.h>

#define INTEL(model) IFM(6, model)
#define PEBS_BASELINE (1 << 14)
#define PERF_METRICS (1 << 15)

/** struct model - a CPU: CPUID leaves 0xa and 0x23, and IA32_PERF_CAPABILITIES */
struct model {
	const char *name;
	u8 vendor, family, model, stepping, version;
	u8 general, fixed;
	u32 capabilities;
	bool own_core;	      /* threads share counters: a single thread has twice as many */
	u32 big[2], small[2]; /* hybrid: masks of each kind's general and fixed counters, of leaf
				 0x23 */
};

#define SNB(name, id)                                                   \
	{                                                               \
		name, X86_VENDOR_INTEL, 6, id, 7, 3, 4, 3, 1 << 8, true \
	}
#define HSW(name, id)                                                   \
	{                                                               \
		name, X86_VENDOR_INTEL, 6, id, 2, 3, 4, 3, 2 << 8, true \
	}
#define SKL(name, id, stepping)                                                \
	{                                                                      \
		name, X86_VENDOR_INTEL, 6, id, stepping, 4, 4, 3, 3 << 8, true \
	}
#define ICL(name, id)                                                                            \
	{                                                                                        \
		name, X86_VENDOR_INTEL, 6, id, 6, 5, 8, 4, 4 << 8 | PEBS_BASELINE | PERF_METRICS \
	}
#define ATOM(name, id, version, general, fixed)                                                   \
	{                                                                                         \
		name, X86_VENDOR_INTEL, 6, id, 3, version, general, fixed, 4 << 8 | PEBS_BASELINE \
	}
#define HYBRID(name, id, version, general, ...)                                                \
	{                                                                                      \
		name, X86_VENDOR_INTEL, 6, id, 2, version, general, 3, 4 << 8 | PEBS_BASELINE, \
			false, __VA_ARGS__                                                     \
	}
#define ZEN(name, family, id)                                \
	{                                                    \
		name, X86_VENDOR_AMD, family, id, 1, 2, 6, 0 \
	}

static const struct model models[] = {
	SNB("sandybridge", 0x2a),
	SNB("jaketown", 0x2d),
	SNB("ivybridge", 0x3a),
	SNB("ivytown", 0x3e),
	HSW("haswell", 0x3c),
	HSW("haswellx", 0x3f),
	HSW("broadwell", 0x3d),
	HSW("broadwellde", 0x56),
	HSW("broadwellx", 0x4f),
	SKL("skylake", 0x5e, 3),
	SKL("skylakex", 0x55, 4),
	SKL("cascadelakex", 0x55, 7),
	ICL("icelake", 0x7e),
	ICL("icelakex", 0x6a),
	ICL("tigerlake", 0x8c),
	ICL("rocketlake", 0xa7),
	ICL("sapphirerapids", 0x8f),
	ICL("emeraldrapids", 0xcf),
	ICL("graniterapids", 0xad),
	HYBRID("alderlake", 0x97, 5, 6, {0xff, 0xf}, {0x3f, 0x7}),
	ATOM("alderlaken", 0xbe, 5, 6, 3),
	HYBRID("meteorlake", 0xaa, 5, 8, {0xff, 0xf}, {0xff, 0x7}),
	HYBRID("lunarlake", 0xbd, 6, 8, {0x3ff, 0xf}, {0xff, 0x77}),
	HYBRID("arrowlake", 0xc6, 6, 8, {0x3ff, 0xf}, {0xff, 0x77}),
	ATOM("sierraforest", 0xaf, 5, 8, 3),
	ATOM("grandridge", 0xb6, 5, 8, 3),
	ZEN("amdzen4", 0x19, 0x11),
	ZEN("amdzen5", 0x1a, 0x02),
};

/* --- Declarations of kernel.h ----------------------------------------------------------------- */

bool kernel_is_capable = true;
int kernel_cpu, nr_kernel_cpus, kernel_smt_threads;
long kernel_percpu[NR_CPUS];
struct cpumask kernel_siblings[NR_CPUS], kernel_cpumask_of[NR_CPUS] = {{{1}}, {{2}}, {{4}}};
struct cpumask kernel_online;
struct cpu_entry_area kernel_entry_areas[NR_CPUS];
struct cpuinfo_x86 boot_cpu_data, kernel_cpu_data[NR_CPUS];
int sysctl_perf_event_paranoid = -1, sysctl_perf_event_sample_rate = 100000;
/* lbr.c is not linked: no event is this one. */
struct event_constraint vlbr_constraint = {.code = ~0ULL, .cmask = 0};
__typeof__(perf_snapshot_branch_stack_call) perf_snapshot_branch_stack_call;

static const struct model *model;
static bool smt;
static const char *pmu_names[8];
static struct pmu *pmus[8];
static int nr_pmus, nr_disabled;

void kernel_warns(const char *what, const char *where)
{
	fprintf(stderr, "scheduler: %s: the kernel warns in %s(): %s\n", model->name, where, what);
}

long kernel_nothing()
{
	return 0;
}

bool kernel_has_feature(int feature)
{
	bool intel = model->vendor == X86_VENDOR_INTEL;

	switch (feature) {
	case X86_FEATURE_ARCH_PERFMON:
	case X86_FEATURE_PDCM:
	case X86_FEATURE_DTES64:
	case X86_FEATURE_PEBS:
		return intel;
	case X86_FEATURE_HYBRID_CPU:
		return model->big[0];
	case X86_FEATURE_ARCH_PERFMON_EXT:
		return model->big[0] && model->model != 0x97;
	case X86_FEATURE_PERFCTR_CORE:
		return !intel;
	case X86_FEATURE_PERFMON_V2:
		return !intel;
	case X86_FEATURE_ZEN4:
		return !strcmp(model->name, "amdzen4");
	}
	return false;
}

static bool is_small(int cpu)
{
	return model->big[0] && cpu == 2;
}

void cpuid_count(u32 leaf, u32 sub, u32 *a, u32 *b, u32 *c, u32 *d)
{
	const u32 *masks = is_small(kernel_cpu) ? model->small : model->big;
	int general = model->general * (model->own_core && !smt ? 2 : 1);

	*a = *b = *c = *d = 0;
	if (leaf == 0xa) {
		*a = model->version | general << 8 | 48 << 16 | 8 << 24;
		*c = (1 << model->fixed) - 1;
		*d = model->fixed | 48 << 5;
	} else if (leaf == ARCH_PERFMON_EXT_LEAF && !sub) {
		*a = 1 << ARCH_PERFMON_NUM_COUNTER_LEAF | 1;
		*b = 3;
	} else if (leaf == ARCH_PERFMON_EXT_LEAF) {
		*a = masks[0];
		*b = masks[1];
	}
}

u32 cpuid_eax(u32 leaf)
{
	return 0;
}

u32 cpuid_ebx(u32 leaf)
{
	return leaf == EXT_PERFMON_DEBUG_FEATURES ? model->general : 0;
}

/* Registers keep what is written to them, since the kernel checks this. */
static u64 *find_msr(u32 msr)
{
	static struct {
		u32 number;
		u64 value;
	} known[1024];
	int i = 0;

	while (known[i].number && known[i].number != msr)
		i++;
	known[i].number = msr;
	return &known[i].value;
}

u64 kernel_rdmsr(u32 msr)
{
	if (msr == MSR_IA32_PERF_CAPABILITIES)
		return model->capabilities |
		       (model->big[0] && !is_small(kernel_cpu) ? PERF_METRICS : 0);
	return *find_msr(msr);
}

int kernel_wrmsr(u32 msr, u64 value)
{
	*find_msr(msr) = value;
	return 0;
}

u8 get_this_hybrid_cpu_type(void)
{
	return is_small(kernel_cpu) ? HYBRID_INTEL_ATOM : HYBRID_INTEL_CORE;
}

int kernel_hotplug(int (*start)(unsigned int))
{
	for (kernel_cpu = 0; kernel_cpu < nr_kernel_cpus; kernel_cpu++)
		if (start)
			start(kernel_cpu);
	kernel_cpu = 0;
	return 0;
}

int perf_pmu_register(struct pmu *pmu, const char *name, int type)
{
	pmu->type = type >= 0 ? type : 8;
	pmu_names[nr_pmus] = name;
	pmus[nr_pmus++] = pmu;
	return 0;
}

void perf_pmu_disable(struct pmu *pmu)
{
	if (!nr_disabled++)
		pmu->pmu_disable(pmu);
}

void perf_pmu_enable(struct pmu *pmu)
{
	if (!--nr_disabled)
		pmu->pmu_enable(pmu);
}

/* --- The machine ---------------------------------------------------------------------------------
 */

int run_init_hw_perf_events(void);
int run_fixup_ht_bug(void);

static void boot(void)
{
	extern char __start_percpu[], __stop_percpu[];
	size_t size = (__stop_percpu - __start_percpu + 4095) & ~4095UL;
	char *areas = aligned_alloc(4096, size * NR_CPUS);

	nr_kernel_cpus = model->big[0] ? 3 : 2;
	kernel_smt_threads = smt ? 2 : 1;
	kernel_online.bits[0] = (1 << nr_kernel_cpus) - 1;
	boot_cpu_data = (struct cpuinfo_x86){
		.x86 = model->family,
		.x86_model = model->model,
		.x86_vendor = model->vendor,
		.x86_stepping = model->stepping,
		.cpuid_level = 0x23,
	};
	for (int i = 0; i < NR_CPUS; i++) {
		kernel_cpu_data[i] = boot_cpu_data;
		kernel_siblings[i].bits[0] = smt && i < 2 ? 3 : 1 << i;
		memcpy(areas + i * size, __start_percpu, __stop_percpu - __start_percpu);
		kernel_percpu[i] = areas + i * size - __start_percpu;
	}
	run_init_hw_perf_events();
	run_fixup_ht_bug();
	if (!nr_pmus) {
		fprintf(stderr, "scheduler: %s: the kernel finds no PMU\n", model->name);
		exit(1);
	}
}

static struct pmu *find_pmu(const char *name)
{
	for (int i = 0; i < nr_pmus; i++)
		if (!strcmp(pmu_names[i], name))
			return pmus[i];
	fprintf(stderr, "scheduler: %s: the kernel has no PMU %s\n", model->name, name);
	exit(1);
}

/* Do what perf_event_alloc() and perf_init_event() do. Return: 0 or -errno. */
static int open_event(struct perf_event *e, struct pmu *pmu, struct perf_event *leader)
{
	int error;

	e->pmu = pmu;
	e->cpu = -1;
	e->group_leader = leader;
	INIT_LIST_HEAD(&e->sibling_list);
	if (e->attr.type == PERF_TYPE_HARDWARE || e->attr.type == PERF_TYPE_HW_CACHE)
		e->attr.config &= PERF_HW_EVENT_MASK;
	error = pmu->event_init(e);
	if (!error && leader != e) {
		list_add_tail(&e->sibling_list, &leader->sibling_list);
		leader->nr_siblings++;
	}
	return error;
}

/* --- Groups
 * ---------------------------------------------------------------------------------------- */

#define MAX_EVENTS 64

struct group {
	char label[128];
	struct pmu *pmu;
	char names[MAX_EVENTS][96];
	struct perf_event events[MAX_EVENTS];
	int nr, nr_open, error;
};

static int cpu_of(const struct pmu *pmu)
{
	return pmu->type == PERF_TYPE_RAW ? 0 : 2;
}

/* Do what group_sched_in() in kernel/events/core.c does. */
static bool schedule_in(struct group *g, int cpu)
{
	int nr = 0;

	kernel_cpu = cpu;
	g->pmu->start_txn(g->pmu, PERF_PMU_TXN_ADD);
	for (; nr < g->nr; nr++) {
		if (g->pmu->add(&g->events[nr], PERF_EF_START))
			break;
		g->events[nr].state = PERF_EVENT_STATE_ACTIVE;
	}
	if (nr == g->nr && !g->pmu->commit_txn(g->pmu))
		return true;
	while (nr--) {
		g->pmu->del(&g->events[nr], 0);
		g->events[nr].state = PERF_EVENT_STATE_INACTIVE;
	}
	g->pmu->cancel_txn(g->pmu);
	return false;
}

static void schedule_out(struct group *g, int cpu)
{
	kernel_cpu = cpu;
	perf_pmu_disable(g->pmu);
	for (int i = 0; i < g->nr; i++) {
		g->pmu->del(&g->events[i], 0);
		g->events[i].state = PERF_EVENT_STATE_INACTIVE;
	}
	perf_pmu_enable(g->pmu);
}

static void open_group(struct group *g)
{
	g->error = 0;
	kernel_cpu = cpu_of(g->pmu);
	for (g->nr_open = 0; !g->error && g->nr_open < g->nr; g->nr_open++)
		g->error = open_event(&g->events[g->nr_open], g->pmu, &g->events[0]);
}

/*
 * Find the first event that is on a general counter and has an unused event number. Return: -1 if
 * there is none.
 */
static int find_nothing(const struct group *g)
{
	for (int i = 0; model->vendor == X86_VENDOR_INTEL && i < g->nr; i++) {
		const struct hw_perf_event *hw = &g->events[i].hw;

		if (hw->idx < INTEL_PMC_IDX_FIXED && !(hw->config & ARCH_PERFMON_EVENTSEL_EVENT))
			return i;
	}
	return -1;
}

static void say(const char *machine, const struct group *g, const char *verdict, int event,
		int error)
{
	printf("%s\t%s\t%s\t", machine, g->label, verdict);
	if (event >= 0)
		printf("%s", g->names[event]);
	if (error)
		printf(" (%d)", error);
	for (int i = 0; event < 0 && strcmp(verdict, "ok") && i < g->nr; i++)
		printf("%s%s", i ? "," : "", g->names[i]);
	putchar('\n');
}

static void judge(const char *machine, struct group *g)
{
	static struct group other;
	int cpu = cpu_of(g->pmu), nothing;

	/* The other thread of the core has the same group, as in a system-wide run. */
	other = *g;
	open_group(g);
	if (g->error) {
		int at = g->nr_open - 1, error = g->error;

		other.nr = 1;
		other.events[0] = other.events[at];
		open_group(&other);
		say(machine, g, other.error ? "absent" : "refused", at, error);
		return;
	}
	if (!schedule_in(g, cpu)) {
		say(machine, g, "starved", -1, 0);
		return;
	}
	nothing = find_nothing(g);
	if (nothing >= 0) {
		say(machine, g, "nothing", nothing, 0);
	} else if (smt && cpu == 0) {
		bool both;

		open_group(&other);
		both = schedule_in(&other, 1);
		if (both)
			schedule_out(&other, 1);
		say(machine, g, both ? "ok" : "crowded", -1, 0);
	} else {
		say(machine, g, "ok", -1, 0);
	}
	schedule_out(g, cpu);
}

/* Do what watchdog_hardlockup_enable() does on every CPU. */
static void start_watchdog(void)
{
	static struct group holders[NR_CPUS];

	for (int i = 0; i < nr_kernel_cpus; i++) {
		struct group *g = &holders[i];

		g->pmu = is_small(i) ? pmus[1] : pmus[0];
		g->nr = 1;
		g->events[0].attr = (struct perf_event_attr){
			.type = PERF_TYPE_HARDWARE,
			.config = PERF_COUNT_HW_CPU_CYCLES,
			.sample_period = 30000000000ULL,
			.pinned = 1,
		};
		g->events[0].hw.sample_period = g->events[0].attr.sample_period;
		open_group(g);
		if (g->error || !schedule_in(g, i)) {
			fprintf(stderr, "scheduler: %s: the watchdog gets no counter (%d)\n",
				model->name, g->error);
			exit(1);
		}
	}
}

/* --- Input
 * ------------------------------------------------------------------------------------------ */

static void add_event(struct group *g, const char *line)
{
	struct perf_event *e = &g->events[g->nr];
	char pmu[32];
	unsigned int type, exclude;
	unsigned long long config, config1, config2;

	if (g->nr == MAX_EVENTS ||
	    sscanf(line, "event %31s %u %llx %llx %llx %u %95[^\n]", pmu, &type, &config, &config1,
		   &config2, &exclude, g->names[g->nr]) != 7) {
		fprintf(stderr, "scheduler: not understood: %s", line);
		exit(1);
	}
	g->pmu = find_pmu(pmu);
	memset(e, 0, sizeof(*e));
	e->attr = (struct perf_event_attr){
		.type = type,
		.config = config,
		.config1 = config1,
		.config2 = config2,
		.exclude_user = exclude & 1,
		.exclude_kernel = exclude >> 1 & 1,
	};
	g->nr++;
}

/*
 * Judge the groups of a machine in a new process, as the kernel boots only once. @lines end before
 * the next machine, or with NULL.
 */
static void run_machine(char **lines)
{
	static struct group g;
	char name[64], label[128];
	int smt_is_on, watchdog;

	if (sscanf(lines[0], "machine %63s %d %d %127[^\n]", name, &smt_is_on, &watchdog, label) !=
	    4) {
		fprintf(stderr, "scheduler: not understood: %s", lines[0]);
		exit(1);
	}
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (!strcmp(models[i].name, name))
			model = &models[i];
	if (!model) {
		printf("%s\t-\tunknown\t\n", label);
		return;
	}
	smt = smt_is_on;
	boot();
	if (watchdog)
		start_watchdog();
	for (char **line = lines + 1;; line++) {
		bool is_event = *line && !strncmp(*line, "event ", 6);

		if (!is_event && g.nr)
			judge(label, &g);
		if (!*line || !strncmp(*line, "machine ", 8))
			break;
		if (is_event) {
			add_event(&g, *line);
		} else {
			g.nr = 0;
			sscanf(*line, "group %127[^\n]", g.label);
		}
	}
}

int main(int argc, char **argv)
{
	char **lines = NULL, *line = NULL;
	size_t nr = 0, cap = 0, size = 0;
	int status;

	if (argc > 1) {
		kernel_is_capable = false;
		sysctl_perf_event_paranoid = atoi(argv[1]);
	}
	while (getline(&line, &size, stdin) > 0) {
		if (nr + 1 >= cap)
			lines = realloc(lines, (cap = cap * 2 + 1024) * sizeof(*lines));
		lines[nr++] = line;
		lines[nr] = line = NULL;
	}
	for (size_t i = 0; i < nr; i++) {
		if (strncmp(lines[i], "machine ", 8))
			continue;
		fflush(stdout);
		if (!fork()) {
			run_machine(lines + i);
			fflush(stdout);
			_exit(0);
		}
		wait(&status);
		if (status) {
			fprintf(stderr, "scheduler: status %#x at %s", status, lines[i]);
			return 1;
		}
	}
	return 0;
}
