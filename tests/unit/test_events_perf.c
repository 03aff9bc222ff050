// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same texts of events go to perf 6.12 (PERF=path) and to tma: both must make the same
 * perf_event_attr.
 */
#include "unit.h"
#include "fake_sysfs.h"

#include "base/err.h"
#include "events/events.h"
#include "machine/machine.h"
#include "tables/tables.h"

#define MAX_ATTRS 64

/* Members of a perf_event_attr as perf -vv prints them. Members that are 0 are not printed. */
struct shown {
	unsigned long long type, config, config1, config2, config3, user, kernel, hv, host, guest,
		idle, precise, pinned, exclusive;
};

static const struct {
	const char *label;
	size_t offset;
} labels[] = {
#define LABEL(label, field)                          \
	{                                            \
		label, offsetof(struct shown, field) \
	}
	LABEL("type", type),
	LABEL("config", config),
	LABEL("config1", config1),
	LABEL("{ bp_addr, config1 }", config1),
	LABEL("config2", config2),
	LABEL("{ bp_len, config2 }", config2),
	LABEL("config3", config3),
	LABEL("exclude_user", user),
	LABEL("exclude_kernel", kernel),
	LABEL("exclude_hv", hv),
	LABEL("exclude_host", host),
	LABEL("exclude_guest", guest),
	LABEL("exclude_idle", idle),
	LABEL("precise_ip", precise),
	LABEL("pinned", pinned),
	LABEL("exclusive", exclusive),
#undef LABEL
};

static void read_field(struct shown *attr, const char *line)
{
	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++) {
		size_t len = strlen(labels[i].label);

		if (strncmp(line, labels[i].label, len) || line[len] != ' ')
			continue;
		*(unsigned long long *)((char *)attr + labels[i].offset) = strtoull(line + len,
										    NULL, 0);
	}
}

/*
 * perf prints each open. Before a second attempt with other attributes, it prints "switching off".
 */
static int run_perf(const char *options, const char *event, struct shown *attrs)
{
	char command[4096], line[4096];
	bool again = false;
	int nr = 0;
	FILE *out;

	snprintf(command, sizeof(command), "\"$PERF\" stat -vv %s -e \"%s\" true 2>&1", options,
		 event);
	out = popen(command, "r");
	ck_assert_ptr_nonnull(out);
	while (fgets(line, sizeof(line), out)) {
		if (!strncmp(line, "switching off", 13)) {
			again = true;
		} else if (!strncmp(line, "perf_event_attr:", 16)) {
			if (!again && nr < MAX_ATTRS)
				memset(&attrs[nr++], 0, sizeof(*attrs));
			again = false;
		} else if (nr && !strncmp(line, "  ", 2)) {
			read_field(&attrs[nr - 1], line + 2);
		}
	}
	pclose(out);
	return nr;
}

static struct shown shown_of(const struct event *e)
{
	const struct perf_event_attr *a = &e->attr;

	return (struct shown){ a->type,		a->config,	  a->config1,	     a->config2,
			       a->config3,	a->exclude_user,  a->exclude_kernel, a->exclude_hv,
			       a->exclude_host, a->exclude_guest, a->exclude_idle,   a->precise_ip,
			       a->pinned,	a->exclusive };
}

static int compare_fields(const char *text, int i, const struct shown *perf,
			  const struct shown *ours)
{
	int wrong = 0;

	for (size_t f = 0; f < sizeof(labels) / sizeof(*labels); f++) {
		size_t at = labels[f].offset;
		unsigned long long theirs = *(const unsigned long long *)((const char *)perf + at);
		unsigned long long mine = *(const unsigned long long *)((const char *)ours + at);

		if (theirs == mine)
			continue;
		printf("%s, event %d: %s is %#llx in perf, %#llx here\n", text, i, labels[f].label,
		       theirs, mine);
		wrong = 1;
	}
	return wrong;
}

/*
 * Find perf's next event. On a hybrid machine, find the next event of the same PMU, since perf
 * opens cpu_atom first.
 */
static const struct shown *next_of(const struct events_scope *scope, struct shown *perf, bool *used,
				   int nr, unsigned long long type)
{
	int at = -1;

	for (int i = 0; i < nr && at < 0; i++)
		if (!used[i] && (perf[i].type == type || !machine__is_hybrid(scope->machine)))
			at = i;
	for (int i = 0; i < nr && at < 0; i++)
		if (!used[i])
			at = i;
	used[at] = true;
	return &perf[at];
}

/* Print the members that differ. Return: 0 if none does. */
static int compare(const struct events_scope *scope, const char *options, const char *text)
{
	struct event_list list = EVENT_LIST_INIT;
	struct shown perf[MAX_ATTRS], ours;
	bool used[MAX_ATTRS] = { false };
	struct err err = ERR_INIT;
	int nr, rc, counted = 0, wrong = 0;

	nr = run_perf(options, text, perf);
	rc = events__parse(scope, text, &list, &err);
	if (rc)
		printf("%s: %s\n", text, err.msg);
	for (int i = 0; i < list.nr; i++) {
		if (list.at[i]->tool || list.at[i]->retire_latency)
			continue; /* neither is opened */
		ours = shown_of(list.at[i]);
		if (counted < nr)
			wrong |= compare_fields(text, i, next_of(scope, perf, used, nr, ours.type),
						&ours);
		counted++;
	}
	if (nr != counted)
		printf("%s: perf opens %d events, we %d\n", text, nr, counted);
	event_list__free(&list);
	return rc || nr != counted || wrong;
}

static bool skipped(const char *name)
{
	const char *perf = getenv("PERF");

	if (perf && *perf)
		return false;
	printf("SKIP %s: needs PERF (the path of a perf 6.12)\n", name);
	return true;
}

static const char *const xeon_events[] = {
	"cycles",
	"cpu-cycles:u",
	"instructions:k",
	"branches:uk",
	"branch-misses:h",
	"cache-references:G",
	"cache-misses:H",
	"bus-cycles:HG",
	"ref-cycles:I",
	"idle-cycles-frontend:p",
	"stalled-cycles-backend:pp",
	"cycles:ppp",
	"cycles:D",
	"cycles:uD",
	"cycles:e",
	"cycles:P",
	"cycles:S",
	"cycles:uG",
	"cycles:kH",
	"cycles/config=5/",
	"cycles/config1=7/u",
	"task-clock",
	"cpu-clock:u",
	"faults",
	"minor-faults",
	"major-faults",
	"cs",
	"migrations",
	"alignment-faults",
	"emulation-faults",
	"dummy",
	"cgroup-switches",
	"page-faults/name=x/",
	"L1-dcache-loads",
	"L1-dcache-load-misses:u",
	"L1-icache-prefetches",
	"LLC-stores",
	"LLC-store-misses",
	"L2-loads",
	"dTLB-loads",
	"d-tlb-speculative-read-misses",
	"Data-TLB-write-refs",
	"iTLB-load-misses",
	"i-tlb",
	"Instruction-TLB-misses",
	"branch-loads",
	"bpu-load-misses",
	"btb",
	"bpc-access",
	"node",
	"node-stores",
	"node-prefetch-misses",
	"l1d",
	"l1-i-loads",
	"L1-data-misses-loads",
	"L1-instruction-Reference",
	"LLC-ops-store",
	"r1a8",
	"rff00ff00ff:u",
	"r3c/config1=0x12/",
	"read",
	"4:0x3c",
	"1:3",
	"0:1",
	"3:0x10000",
	"cpu/event=0x3c/",
	"cpu/event=0x3c,umask=0x1,edge,inv,cmask=10/u",
	"cpu/cycles/",
	"cpu/cpu-cycles/pp",
	"cpu/instructions/",
	"cpu/instructions,cmask=2/",
	"cpu/event=cpu-cycles/",
	"cpu/LLC-loads/",
	"cpu/L1-dcache-load-misses,umask=2/",
	"cpu/r1a8/",
	"cpu/r0x1a8/",
	"cpu/config=0x1234,config1=2,config2=3/",
	"cpu/config=0x1234,event=0xff/",
	"cpu/event=1,event=2/",
	"cpu/mem-loads,ldlat=51/",
	"cpu/mem-loads/P",
	"cpu/offcore_rsp=0xffffffffffffffff,event=0xb7,umask=1/",
	"cpu/in_tx,in_tx_cp=1,event=0xc0/",
	"cpu/any=1,pc=1,event=0/",
	"cpu//",
	"cpu/slots/",
	"slots",
	"mem-loads",
	"MEM-LOADS:u",
	"inst_retired.any",
	"INST_RETIRED.ANY_P:k",
	"Br_Misp_Retired.All_Branches",
	"cpu/INST_RETIRED.ANY_P/",
	"cpu/UOPS_RETIRED.MS,cmask=1,edge/",
	"UOPS_RETIRED.SLOTS",
	"uops_retired.slots/cmask=1/",
	"cpu/event=UOPS_RETIRED.MS/",
	"OCR.DEMAND_DATA_RD.DRAM",
	"FRONTEND_RETIRED.L2_MISS",
	"MEM_TRANS_RETIRED.LOAD_LATENCY_GT_4",
	"grp{cs,faults}",
	"{cs:u,faults:k}:u",
	"msr/tsc/",
	"tsc",
	"msr/tsc,name=foo/",
	"msr/event=4/",
	"msr/pperf/u",
	"mem:0x1000",
	"mem:0x1000:x",
	"mem:0x1000/8:rw",
	"mem:4096:w:u",
	"mem:0x1000/2",
	"duration_time,cycles",
	"dummy:u,cycles:u",
	"software/config=2/",
};

static const char *const xeon_system_events[] = {
	"uncore_imc/cas_count_read/",
	"imc/cas_count_read/",
	"uncore_imc_2/cas_count_read/",
	"imc_10/event=5,umask=1/",
	"uncore_*/event=1/",
	"cha/event=0x36,umask=0xc817fe01/",
	"cas_count_read",
	"power/energy-pkg/",
	"energy-pkg",
	"UNC_CHA_CLOCKTICKS",
	"unc_cha_tor_inserts.ia_miss",
	"UNC_M_CAS_COUNT.RD",
	"uncore_cha/UNC_CHA_CLOCKTICKS/",
	"uncore_cha_1/UNC_CHA_TOR_INSERTS.IA,thresh=3/",
	"uncore_imc_[02]/event=4/",
	"cha_1/edge,event=1/",
};

/*
 * All have a PMU: without one, perf first asks the kernel for the event, and this kernel lacks the
 * PMU.
 */
static const char *const alderlake_events[] = {
	"cpu_core/event=0x3c/",
	"cpu_core/instructions/u",
	"cpu_atom/instructions/k",
	"cpu_core/slots/",
	"cpu_atom/topdown-retiring/",
	"cpu_core/INST_RETIRED.ANY_P/",
	"cpu_atom/INST_RETIRED.ANY_P/",
	"cpu_core/UOPS_RETIRED.MS,cmask=1,edge/",
	"cpu_core/r3c/",
	"cpu_atom/r3c,config1=5/",
	"cpu_core/mem-loads,ldlat=11/p",
	"cpu_atom/offcore_rsp=7,event=0xb7/",
	"cpu_core/FRONTEND_RETIRED.L2_MISS/",
	"cpu_atom/TOPDOWN_RETIRING.ALL/",
	"cpu_core/name=x,event=3/,cpu_atom/event=4/",
	"cpu_*/event=1/",
	"inst_retired.any_p",
	"MEM-LOADS:u",
	"cs,cpu_atom/event=1/,faults",
};

static const char *const alderlake_system_events[] = {
	"arb/event=0x80,umask=1,threshold=1/",
	"uncore_imc_free_running/data_read/",
	"data_read",
	"uncore_imc_free_running_1/event=0xff,umask=0x20/",
	"UNC_ARB_TRK_REQUESTS.ALL",
};

static int compare_all(const struct fake_file *files, const char *cpuid, const char *const *events,
		       int nr, const char *const *system, int nr_system)
{
	struct events_scope scope = { .machine = NULL };
	struct machine *m;
	struct tables *tables;
	char *root = fake__new(files);
	int wrong = 0;

	setenv("PERF_CPUID", cpuid, 1);
	m = machine__new();
	tables = tables__find(m->cpuid);
	scope.machine = m;
	scope.tables = tables;
	for (int i = 0; i < nr; i++)
		wrong += compare(&scope, "", events[i]);
	for (int i = 0; i < nr_system; i++)
		wrong += compare(&scope, "-C 0", system[i]);
	tables__free(tables);
	machine__free(m);
	fake__free(root);
	return wrong;
}

#define NR(a) ((int)(sizeof(a) / sizeof(*(a))))

START_TEST(a_xeon_encodes_as_in_perf)
{
	if (skipped("a_xeon_encodes_as_in_perf"))
		return;
	ck_assert_int_eq(compare_all(fake_xeon, "GenuineIntel-6-8F-8", xeon_events, NR(xeon_events),
				     xeon_system_events, NR(xeon_system_events)),
			 0);
}
END_TEST

START_TEST(an_alder_lake_encodes_as_in_perf)
{
	if (skipped("an_alder_lake_encodes_as_in_perf"))
		return;
	ck_assert_int_eq(compare_all(fake_alderlake, "GenuineIntel-6-97-2", alderlake_events,
				     NR(alderlake_events), alderlake_system_events,
				     NR(alderlake_system_events)),
			 0);
}
END_TEST

TMA_TEST_MAIN(events_perf, a_xeon_encodes_as_in_perf, an_alder_lake_encodes_as_in_perf)
