// SPDX-License-Identifier: GPL-2.0-only
/*
 * Load a host: the computer that a subcommand works on, with the tables of its CPU and the user's
 * additions to the tables.
 */
#include "run/host.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "count/kernel.h"
#include "count/probe.h"
#include "events/events.h"
#include "events/topdown.h"
#include "json/load.h"
#include "machine/machine.h"
#include "machine/models.h"
#include "metrics/metrics.h"
#include "plan/counters.h"
#include "run/note.h"
#include "tables/tables.h"

#define FAMILY_MAX 64

/*
 * Load a directory of tables, once for each kind of core if kinds have separate tables. @from: what
 * named the directory
 */
static int load_tables(struct host *h, const char *from, const char *path, struct err *err)
{
	struct load_options opts = {.path = path, .cpuid = h->machine->cpuid};
	struct machine *m = h->machine;
	int rc = 0;

	if (!m->has_midr || m->cpuid_given || !machine__is_hybrid(m))
		rc = tables__load(&h->tables, &opts, NULL, err);
	else
		for (int i = 0; !rc && i < machine__nr_core_pmus(m); i++) {
			opts.cpuid = pmu__cpuid(machine__core_pmu(m, i));
			rc = tables__load(&h->tables, &opts, machine__core_pmu(m, i)->name, err);
		}
	if (rc)
		err__prefix(err, "%s: ", from);
	else
		tables__add_loaded_system(&h->tables, m);
	return rc;
}

/* Load the metrics that need no tables. All additions of the user take precedence over them. */
static int load_common(struct host *h, const struct host_options *o, struct err *err)
{
	bool hybrid = machine__is_hybrid(h->machine);

	if (!o->common)
		return 0;
	return tables__load_common(&h->tables, hybrid ? host__place_common : NULL, h, err);
}

/* Load the directories of TMA_TABLES, then the directories of the command line. */
static int load_all_tables(struct host *h, const struct host_options *o, struct err *err)
{
	auto_text copy = o->env_tables ? xstrdup(o->env_tables) : NULL;
	char *rest = copy, *path;
	int rc = 0;

	while (!rc && (path = strsep(&rest, ":")))
		if (*path)
			rc = load_tables(h, "TMA_TABLES", path, err);
	for (int i = 0; !rc && i < o->tables.nr; i++)
		rc = load_tables(h, "--tables", o->tables.at[i], err);
	return rc;
}

/*
 * Note what was left out of the layer that was loaded last. Only the first few warnings were kept.
 */
static void tell_notes(const struct host *h, struct notes *notes)
{
	struct tables_layer l;

	if (!notes)
		return;
	tables__layer(h->tables, tables__nr_layers(h->tables) - 1, &l);
	notes__add_lines(notes, NOTE_HOST, l.notes);
	if (l.warnings > LOAD_NOTES_MAX)
		notes__add(notes, NOTE_HOST, l.origin, "%d more notes",
			   l.warnings - LOAD_NOTES_MAX);
}

/* Load the user's own metrics, which take precedence over all tables. */
static int load_metrics(struct host *h, const struct host_options *o, struct notes *notes,
			struct err *err)
{
	struct load_options opts = {.cpuid = h->machine->cpuid, .own = true};
	int rc = 0;

	if (machine__is_hybrid(h->machine)) {
		opts.place = host__place_metrics;
		opts.arg = h;
	}
	for (int i = 0; !rc && i < o->metrics_files.nr; i++) {
		opts.path = o->metrics_files.at[i];
		rc = tables__load(&h->tables, &opts, NULL, err);
		if (!rc)
			tell_notes(h, notes);
	}
	if (!rc && o->definitions.nr) {
		opts.path = "-M";
		opts.definitions = o->definitions.at;
		opts.nr_definitions = o->definitions.nr;
		rc = tables__load(&h->tables, &opts, NULL, err);
	}
	return rc;
}

/*
 * Make the machine appear to lack TopDown metric events, which cannot be sampled, since they never
 * overflow.
 */
static void forget_slots(struct machine *m)
{
	for (int i = 0; i < machine__nr_core_pmus(m); i++)
		if (topdown__is_on(machine__core_pmu(m, i)))
			topdown__forget_events(machine__core_pmu(m, i));
}

/*
 * Find out whether slots can be counted: in a virtual machine, the kernel may refuse what sysfs
 * shows.
 */
static void find_slots(struct machine *m)
{
	if (m->recorded || cpu_vendor__of(m->cpuid) != VENDOR_INTEL || !machine__is_virtual(m))
		return;
	for (int i = 0; i < machine__nr_core_pmus(m); i++) {
		struct pmu *pmu = machine__core_pmu(m, i);

		if (topdown__is_on(pmu) && probe__refuses_slots(&count_kernel__linux, pmu))
			topdown__forget_events(pmu);
	}
}

int host__load_for(struct host *h, struct machine *machine, const struct host_options *opts,
		   struct notes *notes, struct err *err)
{
	int rc;

	*h = (struct host){.machine = machine,
			   .tables = tables__of_machine(machine),
			   .simulated = opts->simulated,
			   .is_made_up = opts->is_made_up,
			   .perf = opts->perf,
			   .plain = opts->plain};
	if (opts->simulated && !machine->simulated && !machine->recorded)
		machine->simulated = xstrdup(opts->simulated);
	if (opts->perf)
		machine__order_by_name(machine);
	rc = load_common(h, opts, err) ?: load_all_tables(h, opts, err)
	     ?: load_metrics(h, opts, notes, err);
	find_slots(machine);
	if (opts->plain)
		forget_slots(machine);
	/* With PERF_CPUID the tables belong to another CPU, and stay unchanged. */
	if (!machine->cpuid_given || machine->recorded || machine->simulated)
		tables__use_plain_events(h->tables, machine, opts->plain);
	if (rc) {
		tables__free(h->tables);
		h->tables = NULL;
	}
	return rc;
}

int host__load(struct host *h, const struct host_options *opts, struct notes *notes,
	       struct err *err)
{
	int rc = host__load_for(h, machine__new(), opts, notes, err);

	if (rc)
		host__free(h);
	return rc;
}

bool host__describe_odd_facts(const struct host *h, struct sb *what, bool *failed)
{
	const struct odd_facts *odd = h->machine ? h->machine->odd : NULL;

	if (!odd || !*odd->what)
		return false;
	sb__printf(what, "%s; facts from %s are missing", odd->what,
		   odd->others ? "this and other files" : "this file");
	*failed = odd->failed;
	return true;
}

void host__free(struct host *h)
{
	tables__free(h->tables);
	machine__free(h->machine);
	*h = (struct host){.machine = NULL};
}

const char *host__cpuid(const struct host *h)
{
	return *h->machine->cpuid ? h->machine->cpuid : "unknown";
}

void host__suggest(const struct host *h, const struct events_scope *events, const char *name,
		   struct sb *out)
{
	struct suggest s;

	suggest__init(&s, name);
	if (h->tables)
		metrics__suggest(h->tables, &s);
	events__suggest(events, &s);
	suggest__print(&s, out);
}

/* Describe what was left out of a layer. Only the first few warnings were kept. */
static void describe_notes(const struct tables_layer *l, struct sb *sb)
{
	sb__printf(sb, ", %d left out or not understood%s", l->warnings, *l->notes ? ":" : "");
	for (const char *line = l->notes; *line; line += strcspn(line, "\n") + 1)
		sb__printf(sb, "\n  %.*s", (int)strcspn(line, "\n"), line);
	if (l->warnings > LOAD_NOTES_MAX)
		sb__printf(sb, "\n  and %d more", l->warnings - LOAD_NOTES_MAX);
}

void host__describe(const struct host *h, struct sb *sb)
{
	struct tables_layer l;

	sb__printf(sb, "CPU %s", host__cpuid(h));
	if (!h->tables)
		sb__puts(sb, ", without tables");
	for (int i = 0; h->tables && i < tables__nr_layers(h->tables); i++) {
		tables__layer(h->tables, i, &l);
		sb__printf(sb, "\ntables %s%s%s (%s): %d events, %d metrics, hash %016" PRIx64,
			   l.model, *l.version ? " " : "", l.version, l.origin, l.nr_events,
			   l.nr_metrics, l.hash);
		if (l.warnings)
			describe_notes(&l, sb);
	}
}

void host__name_tables(const struct host *h, struct sb *sb)
{
	struct tables_layer l;

	for (int i = 0; h->tables && i < tables__nr_layers(h->tables); i++) {
		tables__layer(h->tables, i, &l);
		sb__printf(sb, "%s%s %016" PRIx64, i ? " + " : "", l.model, l.hash);
	}
}

struct events_scope host__events_scope(const struct host *h, const char *pmu)
{
	return (struct events_scope){
		.machine = h->machine,
		.tables = h->tables,
		.pmu_filter = pmu,
	};
}

static bool host__has_event(void *scope, const char *id)
{
	return events__exists(scope, id);
}

struct metrics_scope host__metrics_scope(const struct host *h, struct events_scope *events)
{
	return (struct metrics_scope){
		.machine = h->machine,
		.tables = h->tables,
		.pmu = events->pmu_filter,
		.has_event = host__has_event,
		.arg = events,
	};
}

bool host__try_counters(const struct events_scope *scope, struct pmu *pmu, int cpu, int *most)
{
	int general, held;

	/* Forget numbers that an earlier run has found, for CPUs or for a task. */
	pmu->general = pmu->held = 0;
	*most = __builtin_popcountll(counters__on(scope, pmu).counters & UINT32_MAX);
	/* A trial, if one is possible, finds at most the counters that are known. */
	if (!*most || probe__counters(&count_kernel__linux, pmu, cpu, *most, &general, &held))
		return false;
	pmu->general = general;
	pmu->held = held;
	return true;
}

const char *host__unknown_topdown(const struct host *h)
{
	struct events_scope events = host__events_scope(h, NULL);
	struct metrics_scope scope = host__metrics_scope(h, &events);
	auto_free(metric_list) list = METRIC_LIST_INIT;
	const char *prefix = "", *why = NULL;
	char group[32];

	if (!h->tables || !metrics__topdown_levels(h->tables, NULL, &prefix))
		return NULL;
	snprintf(group, sizeof(group), "%s1", prefix);
	if (metrics__select(&scope, group, false, &list, NULL))
		return NULL;
	for (int i = 0; i < list.nr; i++) {
		why = list.at[i]->why_unknown;
		if (!why)
			return NULL;
	}
	return why;
}

bool host__describe_plain(const struct host *h, struct sb *out)
{
	if (!h->tables || !tables__has_plain_events(h->tables, NULL))
		return false;
	if (h->plain)
		sb__puts(out, "TopDown metric events cannot be sampled: formulas use plain events "
			      "instead");
	else
		sb__printf(out, "%s has no TopDown metric events: formulas use plain events "
				"instead",
			   machine__is_virtual(h->machine) ? "this virtual machine" :
							     "the kernel");
	return true;
}

void host__family(const struct host *h, struct sb *sb)
{
	char family[FAMILY_MAX];
	int nr = tables__family(h->machine->cpuid, family, sizeof(family));

	if (nr)
		sb__printf(sb,
			   "; there are tables of %d other models of its family (%s), whose "
			   "formulas may be wrong for it and are not used",
			   nr, family);
}

const char *host__pmu_name(const struct host *h, const char *table)
{
	const struct pmu *core = machine__core_pmu(h->machine, 0);

	if (strcmp(table, "default_core"))
		return table;
	return core ? core->name : "cpu";
}

bool is_core_type(const struct pmu *pmu, const char *type)
{
	return pmu->is_core &&
	       (!strcmp(pmu->name, type) ||
		(text__has_prefix(pmu->name, "cpu_") && !strcmp(pmu->name + strlen("cpu_"), type)));
}

int host__find_core_type(const struct host *h, const char *type, const char **pmu, struct err *err)
{
	auto_free(sb) known = SB_INIT;

	*pmu = NULL;
	for (int i = 0; i < machine__nr_core_pmus(h->machine) && !*pmu; i++) {
		const struct pmu *core = machine__core_pmu(h->machine, i);

		if (is_core_type(core, type))
			*pmu = core->name;
		sb__printf(&known, "%s%s", i ? ", " : "", core->name);
	}
	if (*pmu)
		return 0;
	if (!known.len)
		return err__set(err, ENOENT, "--cputype %s: this machine has no core PMU", type);
	return err__set(err, ENOENT, "--cputype: no core PMU '%s' on this machine; use %s", type,
			sb__str(&known));
}

int host__no_pmu(const char *what, const char *example, struct err *err)
{
	return err__set(
		err, ENODEV,
		"%s needs the CPU's performance counters, and this machine has none available:\n"
		"  sysfs shows no core PMU (bus/event_source/devices/cpu or cpu_core). In a "
		"virtual machine,\n"
		"  ask for a virtual PMU; in a container, for the host's /sys.\n"
		"  To see what it does here, run it on a simulated machine:\n"
		"      tma --machine %s",
		what, example);
}

int host__levels(const struct host *h, const char **group, const char **why)
{
	int levels = 0;

	*why = "";
	if (!machine__nr_core_pmus(h->machine))
		*why = "this computer has no hardware counters";
	else if (h->tables)
		levels = metrics__topdown_levels(h->tables, NULL, group);
	if (!levels && !**why)
		*why = "the tables have no TopDown metrics for this CPU";
	return levels;
}
