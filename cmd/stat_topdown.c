// SPDX-License-Identifier: GPL-2.0-only
/* --topdown: its levels, and what of a CPU's rules the user should know to read the numbers. */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "cmd.h"
#include "machine/machine.h"
#include "plan/counters.h"
#include "plan/load.h"
#include "stat.h"

int stat_topdown__group(const struct stat_options *o, const struct tables *tables, const char *pmu,
			const char *cpu, struct sb *group, struct err *err)
{
	const char *prefix = "";
	uint64_t level = o->td_level ? o->td_level : 1;
	int max = metrics__topdown_levels(tables, pmu, &prefix);

	if (!max)
		return 0;
	if (level == TD_LEVEL_MAX)
		level = max;
	if (level > (uint64_t)max)
		return err__set(err, EINVAL, "--td-level %d: the deepest level of %s is %d",
				(int)level, cpu, max);
	/* For a verdict, the way there too. */
	for (uint64_t i = o->report.verdict ? 1 : level; i < level; i++)
		sb__printf(group, "%s%d,", prefix, (int)i);
	sb__printf(group, "%s%d", prefix, (int)level);
	return group->err ? err__set(err, ENOMEM, "out of memory") : max;
}

/* Whether anything is counted on a core PMU: --cputype and -C may leave it out. */
static bool is_counted(const struct stat_options *o, const struct stat_scope *scope,
		       const struct pmu *pmu)
{
	const char *only = scope->events.pmu_filter;

	if (only && strcmp(only, pmu->name))
		return false;
	for (int i = 0; o->cpu_text && i < pmu->cpus.nr; i++)
		if (cpulist__has(&o->target.cpus, pmu->cpus.at[i]))
			return true;
	return !o->cpu_text || !pmu->cpus.nr;
}

static void put_count(struct sb *sb, int nr, const char *what, const char *joint)
{
	if (nr)
		sb__printf(sb, "%s%d %s%s", sb->len ? joint : "", nr, what, nr > 1 ? "s" : "");
}

/* The line on a PMU whose events take turns. */
static void say_turns(const struct pmu *pmu, const struct load *load, const char *remedy)
{
	struct sb line = SB_INIT, turns = SB_INIT;

	put_count(&turns, load->groups, "group", "");
	put_count(&turns, load->alone, load->groups ? "single event" : "event", " and ");
	sb__printf(&line, "%s: %s take turns on the counters", pmu->name, sb__str(&turns));
	if (load->groups)
		sb__puts(&line, "; measured together is what is in one group");
	else
		sb__puts(&line, ": none is measured all of the time");
	if (load->with_slots)
		sb__printf(&line, ": slots with the TopDown metric events (topdown-...) in %d of them",
			   load->with_slots);
	say("%s%s", sb__str(&line), remedy);
	sb__free(&line);
	sb__free(&turns);
}

static void note_turns(const struct stat_options *o, const struct host *host,
		       const struct stat_scope *scope, const struct event_list *list)
{
	for (int i = 0; i < machine__nr_core_pmus(host->machine); i++) {
		const struct pmu *pmu = machine__core_pmu(host->machine, i);
		const char *remedy = "";
		enum load_fit fit;
		struct load load;

		if (!is_counted(o, scope, pmu))
			continue;
		fit = load__fit(host->tables, list, pmu);
		if (fit == LOAD_NOT_KNOWN || fit == LOAD_FITS)
			continue;
		if (fit == LOAD_FITS_WITHOUT_WATCHDOG)
			remedy = " (they would fit without the NMI watchdog: sysctl kernel.nmi_watchdog=0)";
		load = load__of(list, pmu);
		say_turns(pmu, &load, remedy);
	}
}

static bool counts_cores(const struct plan *plan)
{
	for (int i = 0; i < plan->nr_metrics; i++)
		if (metrics__depends_on_cores(plan->metrics[i].metric))
			return true;
	return false;
}

/* Before Ice Lake, slots are a core's and not a thread's. */
static void note_cores(const struct stat_options *o, const struct host *host,
		       const struct stat_scope *scope)
{
	struct cpulist whole = CPULIST_INIT;
	struct sb remedy = SB_INIT;

	if (!machine__smt_on(host->machine))
		return;
	if (metrics__core_wide(&scope->metrics)) {
		if (o->by[AGGR_NONE])
			say("SMT is on, and the slots of this CPU are counted for whole cores: a row of -A "
			    "gives each thread an equal part of them; --per-core shows the cores");
		return;
	}
	sb__printf(&remedy, "%s-a counts whole cores", o->each_cgroup ? "without cgroups, " : "");
	if (o->cpu_text && !o->each_cgroup &&
	    !machine__whole_cores(host->machine, &o->target.cpus, &whole)) {
		sb__puts(&remedy, ", and so does -C ");
		cpulist__print(&whole, &remedy);
	}
	say("SMT is on, and the slots of this CPU are counted for whole cores: a thread's part of "
	    "them is an estimate, and what the core's other threads do is missing; %s",
	    sb__str(&remedy));
	cpulist__free(&whole);
	sb__free(&remedy);
}

/* The levels of each core PMU's tree: all of them with -v, else those not as deep as asked for. */
static void note_levels(const struct stat_options *o, const struct host *host,
			const struct stat_scope *scope)
{
	uint64_t level = o->td_level;

	if (level == TD_LEVEL_MAX)
		level = metrics__topdown_levels(host->tables, scope->events.pmu_filter, NULL);
	for (int i = 0; i < machine__nr_core_pmus(host->machine); i++) {
		const struct pmu *pmu = machine__core_pmu(host->machine, i);
		char name[128];
		uint64_t max;

		if (!is_counted(o, scope, pmu))
			continue;
		max = metrics__topdown_levels(host->tables,
					      pmu__table_name(pmu, name, sizeof(name)), NULL);
		if (level > max)
			say("%s: TopDown ends at level %d here, so there are no values of level %d",
			    pmu->name, (int)max, (int)level);
		else if (o->verbose)
			say("%s: TopDown has levels 1 to %d", pmu->name, (int)max);
	}
}

void stat_topdown__say_turns(const struct stat_options *o, const struct host *host,
			     const struct plan *plan, const struct report *report)
{
	for (int i = 0; o->topdown && o->report.format == REPORT_TEXT &&
	     i < machine__nr_core_pmus(host->machine); i++) {
		const struct pmu *pmu = machine__core_pmu(host->machine, i);
		struct load load = load__of(&plan->events, pmu);
		struct fit_pmu counters;

		if (counters__of_pmu(host->tables, pmu, &counters) ||
		    !report__took_turns(report, pmu))
			continue;
		say_turns(pmu, &load, "");
	}
}

void stat_topdown__say(const struct stat_options *o, const struct host *host,
		       const struct stat_scope *scope, const struct plan *plan)
{
	note_levels(o, host, scope);
	if (counts_cores(plan))
		note_cores(o, host, scope);
	/* How often the command is run has been said. */
	if (!o->passes)
		note_turns(o, host, scope, &plan->events);
}
