// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tree of files in sysfs and procfs. "@d cpu/type" begins a file: the letter means a folder, see
 * folders[], and the lines up to the next '@' are its text. For any tree, the computer's PMUs,
 * events, CPUs and tasks can be looked up.
 */
#include <ctype.h>
#include <ftw.h>
#include <math.h>

#include "base/text.h"
#include "count/cpu_time.h"
#include "count/unit.h"
#include "events/events.h"
#include "fuzz.h"
#include "machine/machine.h"
#include "root.h"
#include "topdown/internal.h"

#define FILES_MAX 64
#define PMUS_MAX 8
#define CPUS_MAX 64 /* many: each reads a dozen files, even if they do not exist */

static const struct {
	char letter;
	const char *path;
} folders[] = {
	{'d', "sys/bus/event_source/devices"},
	{'c', "sys/devices/system/cpu"},
	{'n', "sys/devices/system/node"},
	{'t', "sys/kernel/tracing/events"},
	{'p', "proc"},
	{'h', "sys/class/hwmon"},
};

/* Each process has its own tree: see replay.c. */
static const char *root;
static pid_t owner;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	unsetenv("PERF_CPUID");
	return 0;
}

/* --- The tree ---------------------------------------------------------------------------------
 */

static void begin_tree(void)
{
	char path[4096];

	if (owner != getpid()) {
		owner = getpid();
		root = fuzz__root();
	}
	snprintf(path, sizeof(path), "%s/sys", root);
	nftw(path, fuzz__remove, 16, FTW_DEPTH | FTW_PHYS);
	setenv("SYSFS_PATH", path, 1);
	snprintf(path, sizeof(path), "%s/proc", root);
	nftw(path, fuzz__remove, 16, FTW_DEPTH | FTW_PHYS);
	setenv("PROCFS_PATH", path, 1);
}

static const char *folder_of(const char *line)
{
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (line[0] == '@' && line[1] == folders[i].letter && line[2] == ' ')
			return folders[i].path;
	return NULL;
}

/* A path cannot leave the folder. An impossible name is skipped. */
static FILE *make_file(const char *folder, char *name)
{
	char path[4096];
	char *at;

	while ((at = strstr(name, "..")))
		*at = '_';
	if (snprintf(path, sizeof(path), "%s/%s/%s", root, folder, name) >= (int)sizeof(path))
		return NULL;
	for (at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0755);
		*at = '/';
	}
	return fopen(path, "w");
}

static void make_tree(char *text)
{
	FILE *out = NULL;
	int nr = 0;
	char *line;

	begin_tree();
	while ((line = strsep(&text, "\n"))) {
		const char *folder = folder_of(line);

		if (out && !folder)
			fprintf(out, "%s\n", line);
		if (!folder)
			continue;
		if (out)
			fclose(out);
		out = nr++ < FILES_MAX ? make_file(folder, line + 3) : NULL;
	}
	if (out)
		fclose(out);
}

/* --- The results -------------------------------------------------------------------------------
 */

static void check_ascending(const struct cpulist *list)
{
	for (int i = 0; i < list->nr; i++)
		fuzz_check(list->at[i] >= (i ? list->at[i - 1] + 1 : 0), "%d", list->at[i]);
}

/* The program, and the library that other programs use, must read the same events. */
static void check_terms(struct pmu *pmu, const char *terms)
{
	struct events_scope scope = {.machine = (struct machine *)pmu->machine};
	struct event_list list = EVENT_LIST_INIT;
	struct tma_topdown_error error;
	struct perf_event_attr attr = {.type = 0};
	struct err err = ERR_INIT;
	char text[512];
	int rc;

	if (snprintf(text, sizeof(text), "%s/%s/", pmu->name, terms) >= (int)sizeof(text))
		return;
	rc = events__parse(&scope, text, &list, &err);
	if (rc)
		fuzz__check_error(rc, &err);
	for (int i = 0; i < list.nr; i++) {
		fuzz_check(*list.at[i]->name && isfinite(list.at[i]->scale), "%s", text);
		check_ascending(&list.at[i]->cpus);
	}
	event_list__free(&list);
	rc = sysfs__encode(pmu->machine->sysfs, pmu->name, terms, &attr, &error);
	fuzz_check(rc <= 0 && (!rc || memchr(error.text, 0, sizeof(error.text))), "%d", rc);
}

static void check_pmu(struct pmu *pmu)
{
	char name[256];
	int rc = pmu__load(pmu);

	if (rc) {
		fuzz_check(rc < 0 && pmu->error == rc, "%d", rc);
		return;
	}
	check_ascending(&pmu->cpus);
	fuzz_check(machine__pmu(pmu->machine, pmu->name) == pmu, "%s", pmu->name);
	fuzz_check(pmu__cpuid(pmu), "%s", pmu->name);
	pmu__alias(pmu);
	pmu__identifier(pmu);
	pmu__is_software(pmu);
	pmu__samples_latencies(pmu);
	fuzz_check(pmu__base_len(pmu->name) <= (int)strlen(pmu->name), "%s", pmu->name);
	fuzz_check(pmu__table_name(pmu, name, sizeof(name)), "%s", pmu->name);
	fuzz_check(pmu__matches(pmu, pmu->name) || pmu->name[strcspn(pmu->name, "*?[\\")], "%s",
		   pmu->name);
	pmu__is_table_unit(pmu, "default_core");
	pmu__is_table_unit(pmu, "hisi_sccl,ddrc");
	fuzz_check(!pmu__format(pmu, "") || !*pmu->formats[0].name);
	for (int i = 0; i < pmu->nr_formats && i < PMUS_MAX; i++) {
		snprintf(name, sizeof(name), "%s=1", pmu->formats[i].name);
		fuzz_check(pmu__format(pmu, pmu->formats[i].name) == &pmu->formats[i]);
		check_terms(pmu, name);
	}
	for (int i = 0; !pmu__event_names(pmu) && i < pmu->nr_events && i < PMUS_MAX; i++) {
		const struct pmu_event *e = pmu__event(pmu, pmu->events[i].name);

		fuzz_check(pmu__has_event(pmu, pmu->events[i].name));
		fuzz_check(!e || (e->terms && e->unit && isfinite(e->scale) && e->scale != 0));
		check_terms(pmu, pmu->events[i].name);
	}
}

static void check_cpus(struct machine *m)
{
	struct cpulist whole = CPULIST_INIT;
	int id;

	check_ascending(&m->online);
	check_ascending(&m->possible);
	check_ascending(&m->present);
	if (m->online.nr > CPUS_MAX)
		return;
	machine__load_topology(m);
	fuzz_check(machine__nr_packages(m) <= m->online.nr);
	fuzz_check(machine__nr_dies(m) <= m->online.nr);
	fuzz_check(machine__nr_cores(m) <= m->online.nr);
	machine__smt_on(m);
	machine__covers_cores(m, &m->online);
	machine__whole_cores(m, &m->online, &whole);
	check_ascending(&whole);
	fuzz_check(cpulist__subset(&m->online, &whole));
	cpulist__free(&whole);
	for (int i = 0; i < m->online.nr; i++) {
		struct cpu at = machine__cpu(m, m->online.at[i]);

		fuzz_check(cpu__shared(&at, &at) == SHARED_CORE);
		machine__core_pmu_on(m, m->online.at[i]);
		for (int level = 0; level <= 4; level++)
			fuzz_check(machine__cache_id(m, m->online.at[i], level, &id) >= -1);
	}
}

static void check_machine(struct machine *m)
{
	fuzz_check(m->cpuid && machine__nr_core_pmus(m) <= m->nr_pmus);
	for (int i = 0; i < m->nr_pmus && i < PMUS_MAX; i++)
		check_pmu(m->pmus[i]);
	check_cpus(m);
	machine__samples_latencies(m);
	machine__lacks_smt(m);
	machine__is_virtual(m);
	machine__has_pmem(m);
	fuzz_check(machine__slots(m) >= 0);
	fuzz_check(isfinite(machine__tsc_hz(m)) && machine__tsc_hz(m) >= 0);
}

/* The files of GPUs are links, which a tree of texts cannot have. */
static void check_gauges(struct machine *m)
{
	const struct gauge *g;
	uint64_t value;

	vec__for_each (g, &machine__gauges(m)->list) {
		struct sb text = SB_INIT;

		fuzz_check(*g->name && *g->pmu && g->scale > 0, "%s", g->name);
		fuzz_check(gauge__is(g, NULL, g->name) && gauges__may_have(g->name), "%s", g->name);
		gauge__describe(m, g, &text);
		fuzz_check(gauge__read(m, g, -1, &value) <= 0);
		sb__free(&text);
	}
}

static void check_tracepoints(struct machine *m)
{
	struct tracepoint *at;
	struct err err = ERR_INIT;
	int nr, rc;

	for (int detail = TRACEPOINT_NAMES; detail <= TRACEPOINT_CHECKED; detail++) {
		rc = machine__tracepoints(m, "*", "*", detail, &at, &nr, &err);
		if (rc)
			fuzz__check_error(rc, &err);
		else
			tracepoint__free_all(at, nr);
		err = (struct err)ERR_INIT;
	}
	rc = machine__check_filter(m, "sched:sched_switch", "prev_pid > 1 && next_comm ~ \"a*\"",
				   &err);
	if (rc)
		fuzz__check_error(rc, &err);
}

static void check_target(const struct machine *m, const struct target *t)
{
	struct unit_list units = {.nr = 0};
	struct watch watch = {.nr = 0};
	struct err err = ERR_INIT;
	int rc = target__find_threads(t, m->procfs, &units, &watch, &err);

	if (rc)
		fuzz__check_error(rc, &err);
	for (int i = 0; i < units.nr; i++) {
		fuzz_check(units.at[i].id > (i ? units.at[i - 1].id : 0));
		fuzz_check(memchr(units.at[i].comm, '\0', sizeof(units.at[i].comm)));
	}
	vec__free(&units);
	vec__free(&watch);
}

static void check_tasks(const struct machine *m)
{
	const struct target targets[] = {{.all_threads = true}, {.pids = "1,2,1"}, {.tids = "2"}};
	struct task_stat stat;

	for (int id = 1; id <= 2; id++) {
		for (int whole = 0; whole < 2; whole++)
			fuzz_check(task_stat__read(m->procfs, id, whole, &stat) <= 0);
		task_stat__has_ended(m->procfs, id);
	}
	for (int i = 0; i < 3; i++)
		check_target(m, &targets[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz__text(data, size);
	struct machine *m;

	make_tree(text);
	m = machine__new();
	check_machine(m);
	check_gauges(m);
	check_tracepoints(m);
	check_tasks(m);
	machine__free(m);
	free(text);
	return 0;
}
