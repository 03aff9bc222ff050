// SPDX-License-Identifier: GPL-2.0-only
/* Facts about the machine for "tma test --report": the CPU, what the kernel allows, the PMUs. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/cpulist.h"
#include "base/file.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "run/host.h"
#include "simulated.h"
#include "tables/tables.h"
#include "test/test.h"

#define WIDTH 100
#define NAMES_WIDTH 26
#define PMU_DIR "%s/bus/event_source/devices"

/* --- The machine ------------------------------------------------------------------------------ */

static void put_fact(struct sb *out, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void put_fact(struct sb *out, const char *name, const char *fmt, ...)
{
	va_list ap;

	sb__printf(out, "%-*s ", NAMES_WIDTH, name);
	va_start(ap, fmt);
	sb__vprintf(out, fmt, ap);
	va_end(ap);
	sb__putc(out, '\n');
}

static void report_facts__put_cpus(struct sb *out, const char *name, const struct cpulist *cpus)
{
	auto_free(sb) list = SB_INIT;

	cpulist__print(cpus, &list);
	put_fact(out, name, "%d (%s)", cpus->nr, sb__str(&list));
}

/* Put a line of /proc/cpuinfo for the first CPU; most such lines exist only on x86. */
static void put_of_cpuinfo(const struct machine *m, const char *name, struct sb *out)
{
	auto_text key = xasprintf("\n%s\t", name);
	char text[4096], *at, *colon;

	if (file__read_start(text, sizeof(text), "%s/cpuinfo", m->procfs) < 0)
		return;
	at = strstr(text, key);
	colon = at ? strchr(at, ':') : NULL;
	if (colon) {
		colon[strcspn(colon, "\n")] = '\0';
		put_fact(out, name, "%s", text__trim(colon + 1));
	}
}

static int count_nodes(struct machine *m)
{
	int nr = 0;

	for (int i = 0; i < m->nr_cpus; i++) {
		bool seen = m->cpus[i].node < 0;

		for (int k = 0; !seen && k < i; k++)
			seen = m->cpus[k].node == m->cpus[i].node;
		nr += !seen;
	}
	return nr;
}

static void put_core_types(const struct machine *m, struct sb *out)
{
	for (int i = 0; i < machine__nr_core_pmus(m); i++) {
		struct pmu *pmu = machine__core_pmu(m, i);

		report_facts__put_cpus(out, pmu->name, &pmu->cpus);
		if (strcmp(pmu__cpuid(pmu), m->cpuid))
			put_fact(out, "", "CPU id %s", pmu__cpuid(pmu));
	}
	if (!machine__nr_core_pmus(m))
		put_fact(out, "core PMU", "none");
}

static void put_tables(const struct host *host, struct sb *out)
{
	struct tables_layer l;

	if (!host->tables)
		put_fact(out, "tables", "none for this CPU");
	for (int i = 0; host->tables && i < tables__nr_layers(host->tables); i++) {
		tables__layer(host->tables, i, &l);
		put_fact(out, "tables", "%s%s%s (%s): %d events, %d metrics, hash %016" PRIx64 "%s",
			 l.model, *l.version ? " " : "", l.version, l.origin, l.nr_events,
			 l.nr_metrics, l.hash,
			 l.warnings ? ", parts of the files were passed over" : "");
	}
}

void report_facts__machine(const struct host *host, struct sb *out)
{
	struct machine *m = host->machine;

	if (simulated__machine())
		put_fact(out, "simulated", "%s: counts and PMUs are synthetic",
			 simulated__machine());
	put_fact(out, "CPU id", "%s%s", host__cpuid(host),
		 m->cpuid_given && !simulated__machine() ? ", of PERF_CPUID" : "");
	put_of_cpuinfo(m, "model name", out);
	put_of_cpuinfo(m, "microcode", out);
	/* x86 has a flag for virtual machines; arm64, whose CPU ids are numbers, does not. */
	put_fact(out, "hypervisor", "%s",
		 text__has_prefix(host__cpuid(host), "0x") ? "unknown"
		 : machine__is_virtual(m)		   ? "yes"
							   : "no");
	machine__load_topology(m);
	put_fact(out, "topology",
		 "sockets %d, dies %d, cores %d, threads %d, NUMA nodes %d, SMT %s",
		 machine__nr_packages(m), machine__nr_dies(m), machine__nr_cores(m), m->online.nr,
		 count_nodes(m), machine__smt_on(m) ? "on" : "off");
	report_facts__put_cpus(out, "CPUs online", &m->online);
	report_facts__put_cpus(out, "CPUs present", &m->present);
	put_core_types(m, out);
	put_tables(host, out);
}

/* --- The kernel --------------------------------------------------------------------------- */

/* The capabilities that the kernel checks before it counts. */
static const struct {
	const char *name;
	int bit;
} capabilities[] = {{"CAP_PERFMON", 38}, {"CAP_BPF", 39}, {"CAP_SYS_ADMIN", 21}};

static void put_rights(struct sb *out)
{
	auto_free(sb) has = SB_INIT;
	char status[8192];
	const char *at = NULL;
	uint64_t bits = 0;

	/* On a simulated machine, too, these rights are those on the real kernel. */
	if (file__read_start(status, sizeof(status), "/proc/self/status") > 0)
		at = strstr(status, "\nCapEff:\t");
	if (!at || num__scan_u64(at + strlen("\nCapEff:\t"), 16, &bits) <= 0) {
		put_fact(out, "rights", "%s, capabilities unknown",
			 geteuid() ? "not root" : "root");
		return;
	}
	for (int i = 0; i < array__nr(capabilities); i++)
		if (bits >> capabilities[i].bit & 1)
			sb__printf(&has, ", %s", capabilities[i].name);
	put_fact(out, "rights", "%s%s", geteuid() ? "not root" : "root", sb__str(&has));
}

void report_facts__kernel(const struct host *host, struct sb *out)
{
	static const char *const names[] = {"perf_event_paranoid", "nmi_watchdog",
					    "perf_user_access",	   "perf_event_max_sample_rate",
					    "perf_event_mlock_kb", "perf_cpu_time_max_percent",
					    "kptr_restrict",	   "unprivileged_bpf_disabled"};
	char value[64];

	put_rights(out);
	for (int i = 0; i < array__nr(names); i++)
		if (file__read_line(value, sizeof(value), "%s/sys/kernel/%s", host->machine->procfs,
				    names[i]) >= 0)
			put_fact(out, names[i], "%s", value);
	put_fact(out, "BTF", file__exists("/sys/kernel/btf/vmlinux") ? "yes" : "no");
}

/* --- PMUs --------------------------------------------------------------------------------- */

/*
 * Append a word to a line that begins with a label; if the line is full, begin another line.
 * @column: 0 before the first word
 */
static void report_facts__put_word(struct sb *out, int *column, const char *label, const char *word)
{
	if (!*column || *column + 1 + (int)strlen(word) > WIDTH) {
		sb__printf(out, "%s  %-8s", *column ? "\n" : "", *column ? "" : label);
		*column = 10;
	}
	sb__printf(out, " %s", word);
	*column += 1 + strlen(word);
}

static bool is_companion(const char *name)
{
	static const char *const ends[] = {".scale", ".unit", ".per-pkg", ".snapshot"};

	for (int i = 0; i < array__nr(ends); i++)
		if (text__has_suffix(name, ends[i]))
			return true;
	return false;
}

/* Put the names of the files in a directory of a PMU, with their contents if @values. */
static void put_files(const char *dir, const char *kind, bool values, struct sb *out)
{
	int nr = 0, column = 0;
	char **names = NULL;

	if (file__list_dir(&names, &nr, "%s/%s", dir, kind))
		return;
	for (int i = 0; i < nr; i++) {
		auto_free(sb) word = SB_INIT;
		char value[128];

		if (is_companion(names[i]))
			continue;
		sb__puts(&word, names[i]);
		if (values &&
		    file__read_line(value, sizeof(value), "%s/%s/%s", dir, kind, names[i]) >= 0)
			sb__printf(&word, "=%s", value);
		report_facts__put_word(out, &column, kind, sb__str(&word));
	}
	if (column)
		sb__putc(out, '\n');
	file__free_names(names, nr);
}

/* Put the files whose contents are usually the same for all instances of a unit. */
static void put_pmu(const char *dir, struct sb *out)
{
	static const char *const files[] = {
		"identifier", "cpus", "cpumask", "rdpmc", "perf_event_mux_interval_ms",
		"freeze_on_smi", "allow_tsx_force_abort"};
	char value[256];

	for (int i = 0; i < array__nr(files); i++)
		if (file__read_line(value, sizeof(value), "%s/%s", dir, files[i]) >= 0)
			sb__printf(out, ", %s %s", files[i], value);
	sb__putc(out, '\n');
	put_files(dir, "caps", true, out);
	put_files(dir, "format", false, out);
	put_files(dir, "events", false, out);
}

/**
 * struct alike - successive PMUs that differ only in number and type
 * @name:  name of the first PMU
 * @base:  length of @name without the number
 * @nr:    how many PMUs there are
 * @types: types of all these PMUs
 * @text:  the text that these PMUs share
 */
struct alike {
	const char *name;
	int base, nr;
	struct sb types, text;
};

static void put_alike(struct alike *a, struct sb *out)
{
	if (a->nr == 1)
		sb__printf(out, "%s: type%s%s", a->name, sb__str(&a->types), sb__str(&a->text));
	else if (a->nr)
		sb__printf(out, "%.*s_*: %d, types%s%s", a->base, a->name, a->nr,
			   sb__str(&a->types), sb__str(&a->text));
	sb__free(&a->types);
	sb__free(&a->text);
	a->nr = 0;
}

static void add_pmu(struct alike *a, const char *devices, const char *name, struct sb *out)
{
	auto_free(sb) dir = SB_INIT, text = SB_INIT;
	int base = pmu__base_len(name);
	char type[32];

	sb__printf(&dir, "%s/%s", devices, name);
	put_pmu(sb__str(&dir), &text);
	if (!a->nr || base != a->base || strncmp(name, a->name, base) || !name[base] ||
	    strcmp(sb__str(&text), sb__str(&a->text))) {
		put_alike(a, out);
		a->name = name;
		a->base = base;
		sb__puts(&a->text, sb__str(&text));
	}
	a->nr++;
	sb__printf(&a->types, " %s",
		   file__read_line(type, sizeof(type), "%s/type", sb__str(&dir)) >= 0 ? type : "?");
}

void report_facts__pmus(const struct host *host, struct sb *out)
{
	struct alike a = {.types = SB_INIT, .text = SB_INIT};
	auto_free(sb) devices = SB_INIT;
	char **names = NULL;
	int nr = 0;

	sb__printf(&devices, PMU_DIR, host->machine->sysfs);
	if (file__list_dir(&names, &nr, "%s", sb__str(&devices)))
		sb__puts(out, "sysfs has no list of PMUs\n");
	for (int i = 0; i < nr; i++)
		add_pmu(&a, sb__str(&devices), names[i], out);
	put_alike(&a, out);
	file__free_names(names, nr);
}
