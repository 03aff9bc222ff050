// SPDX-License-Identifier: GPL-2.0-only
/*
 * Make the notes before a run: the output of -v, and with TopDown rules of the CPU that users
 * should know.
 */
#include <string.h>

#include "base/auto.h"
#include "base/text.h"
#include "machine/machine.h"
#include "plan/load.h"
#include "plan/schedule.h"
#include "run/internal.h"

/* Whether events are counted on a core PMU, which --cputype and -C may leave out. */
static bool tell__is_counted(const struct run *run, const struct pmu *pmu)
{
	const struct request *req = run->req;
	const char *only = run->events.pmu_filter;

	if (only && strcmp(only, pmu->name))
		return false;
	for (int i = 0; req->cpu_text && i < pmu->cpus.nr; i++)
		if (cpulist__has(&req->target.cpus, pmu->cpus.at[i]))
			return true;
	return !req->cpu_text || !pmu->cpus.nr;
}

void tell__put_nothing(const struct run *run, const struct session *session, struct sb *sb)
{
	const struct event_list *events = &run->plan->events;
	const char *why = events->nr ? session__refusal(session, 0) : NULL;

	sb__puts(sb, "none of the events can be counted on this machine");
	if (why)
		sb__printf(sb, "\n%s: %s", events->at[0]->name, why);
}

void tell__nothing_counted(struct run *run, const struct session *session)
{
	auto_free(sb) sb = SB_INIT;

	tell__put_nothing(run, session, &sb);
	tell(run, FAILED, NULL, "%s", sb__str(&sb));
}

static void put_count(struct sb *sb, int nr, const char *what, const char *joint)
{
	if (nr)
		sb__printf(sb, "%s%d %s%s", sb->len ? joint : "", nr, what, nr > 1 ? "s" : "");
}

/* Note that the events of a PMU will be multiplexed. */
static void put_turns(struct run *run, enum note_kind kind, const struct pmu *pmu,
		      const struct load *load, const char *remedy)
{
	auto_free(sb) line = SB_INIT, turns = SB_INIT;

	put_count(&turns, load->groups, "group", "");
	put_count(&turns, load->alone, load->groups ? "single event" : "event", " and ");
	sb__printf(&line, "%s take turns on the counters", sb__str(&turns));
	if (load->groups)
		sb__puts(&line, "; only events of one group are measured together");
	else
		sb__puts(&line, ": no event is measured all the time");
	if (load->with_slots)
		sb__printf(&line,
			   ": slots with the TopDown metric events (topdown-...) in %d of them",
			   load->with_slots);
	notes__add(&run->notes, kind, pmu->name, "%s%s", sb__str(&line), remedy);
}

static void note_turns(struct run *run)
{
	const struct host *host = run->host;
	const struct event_list *list = &run->plan->events;

	for (int i = 0; i < machine__nr_core_pmus(host->machine); i++) {
		const struct pmu *pmu = machine__core_pmu(host->machine, i);
		const char *remedy = "";
		enum load_fit fit;
		struct load load;

		if (!tell__is_counted(run, pmu))
			continue;
		fit = load__fit(host->tables, list, pmu);
		if (fit == LOAD_NOT_KNOWN || fit == LOAD_FITS)
			continue;
		if (fit == LOAD_FITS_WITHOUT_WATCHDOG)
			remedy = " (they would fit without the NMI watchdog: sysctl "
				 "kernel.nmi_watchdog=0)";
		load = load__of(list, pmu);
		put_turns(run, NOTE_TURNS, pmu, &load, remedy);
	}
}

static bool counts_cores(const struct plan *plan)
{
	for (int i = 0; i < plan->nr_metrics; i++)
		if (metrics__depends_on_cores(plan->metrics[i].metric))
			return true;
	return false;
}

/* Warn if SMT is on and slots are counted for whole cores, as before Ice Lake. */
static void note_cores(struct run *run)
{
	const struct request *req = run->req;
	struct machine *machine = run->host->machine;
	auto_free(cpulist) whole = CPULIST_INIT;
	auto_free(sb) remedy = SB_INIT;

	if (!machine__smt_on(machine))
		return;
	if (metrics__core_wide(&run->metrics)) {
		if (req->aggr == AGGR_NONE)
			notes__add(
				&run->notes, NOTE_CORES, NULL,
				"SMT is on, and the slots of this CPU are counted for whole cores: "
				"with -A each thread has an equal share; --per-core shows the "
				"cores");
		return;
	}
	if (run_sites__are_wanted(req)) {
		tell(run, CORES, NULL,
		     "SMT is on, and the slots of this CPU are counted for whole cores: the slots "
		     "of a site are an estimate for its own thread");
		return;
	}
	sb__printf(&remedy, "%s-a counts whole cores", req->each_cgroup ? "without cgroups, " : "");
	if (req->cpu_text && !req->each_cgroup) {
		machine__whole_cores(machine, &req->target.cpus, &whole);
		sb__puts(&remedy, ", and so does -C ");
		cpulist__print(&whole, &remedy);
	}
	tell(run, CORES, NULL,
	     "SMT is on, and the slots of this CPU are counted for whole cores: a thread's "
	     "share is "
	     "an estimate without the core's other threads; %s",
	     sb__str(&remedy));
}

/*
 * Note the depth of the tree of each core PMU: with -v always, else if it is less deep than asked
 * for.
 */
static void note_levels(struct run *run)
{
	const struct host *host = run->host;
	uint64_t level = run->req->td_level;

	if (level == TD_LEVEL_MAX)
		level = metrics__topdown_levels(host->tables, run->events.pmu_filter, NULL);
	for (int i = 0; i < machine__nr_core_pmus(host->machine); i++) {
		const struct pmu *pmu = machine__core_pmu(host->machine, i);
		char name[128];
		uint64_t max;

		if (!tell__is_counted(run, pmu))
			continue;
		max = metrics__topdown_levels(host->tables,
					      pmu__table_name(pmu, name, sizeof(name)), NULL);
		if (level > max)
			notes__add(
				&run->notes, NOTE_LEVELS, pmu->name,
				"TopDown ends at level %d here: there are no values for level %d",
				(int)max, (int)level);
		else
			tell(run, LEVELS_ALL, pmu->name, "TopDown has levels 1 to %d", (int)max);
	}
}

/*
 * Note on which core PMUs TopDown is computed from the kernel's own events, since formulas of the
 * vendor are missing.
 */
static void note_sysfs(struct run *run)
{
	const struct host *host = run->host;
	const struct plan *plan = run->plan;
	auto_free(sb) pmus = SB_INIT, family = SB_INIT;
	struct tables_layer layer;

	for (int i = 0; i < plan->nr_metrics; i++) {
		const struct metric_info *info = &plan->metrics[i].metric->info;
		const char *pmu = host__pmu_name(host, info->pmu);

		tables__layer(host->tables, info->layer, &layer);
		if (layer.sysfs && !text__has_item(sb__str(&pmus), ",", pmu))
			sb__printf(&pmus, "%s%s", pmus.len ? "," : "", pmu);
	}
	if (!pmus.len)
		return;
	if (tables__name_cpu(host->tables)) {
		notes__add(
			&run->notes, NOTE_SYSFS, sb__str(&pmus),
			"TopDown is computed from events that the kernel names in sysfs: the "
			"tables of "
			"this CPU (%s) have no formulas for it",
			tables__model(host->tables));
		return;
	}
	host__family(host, &family);
	tell(run, SYSFS, sb__str(&pmus),
	     "TopDown is computed from events that the kernel names in sysfs: no table names this "
	     "CPU (%s)%s",
	     host__cpuid(host), sb__str(&family));
}

void tell__turns(struct run *run, const struct pmu *pmu)
{
	const struct event_list *list = &run->plan->events;
	struct load load = load__of(list, pmu);

	if (load__fit(run->host->tables, list, pmu) == LOAD_NOT_KNOWN)
		put_turns(run, NOTE_TOOK_TURNS, pmu, &load, "");
}

/* --- -v ----------------------------------------------------------------- */

static void tell__explain_group(struct notes *notes, const struct event_list *list, int first)
{
	const struct event *leader = list->at[first];
	auto_free(sb) line = SB_INIT;

	sb__printf(&line, "  %s%s: ", leader->nr_members > 1 ? "group" : "event",
		   leader->weak ? " (weak)" : "");
	for (int i = first; i < list->nr && list->at[i]->leader == leader; i++)
		sb__printf(&line, "%s%s", i == first ? "" : ", ", list->at[i]->name);
	notes__add_lines(notes, NOTE_GROUPS, sb__str(&line));
}

/*
 * Note how many groups more there are than needed, and which metrics have events in several groups.
 */
static void explain_schedule(struct notes *notes, const struct plan *plan, const struct schedule *s)
{
	const char *separator = "events in several groups, measured at different times: ";
	auto_free(sb) split = SB_INIT;

	for (int i = 0; i < s->nr_pmus; i++) {
		const struct schedule_pmu *p = &s->pmus[i];

		notes__add(notes, NOTE_GROUPS, p->pmu->name, "%d group%s; %d would suffice%s",
			   p->nr_turns, p->nr_turns == 1 ? "" : "s", p->packed,
			   p->proven ? ", the fewest possible" : "");
		if (!p->proven)
			notes__add(notes, NOTE_GROUPS, p->pmu->name, "at least %d are needed",
				   p->lower_bound);
	}
	for (int i = 0; i < plan->nr_metrics; i++) {
		if (!plan->metrics[i].split)
			continue;
		sb__printf(&split, "%s%s", separator, plan->metrics[i].name);
		separator = ", ";
	}
	if (split.len)
		notes__add(notes, NOTE_GROUPS, NULL, "%s", split.buf);
}

static void tell__explain(struct run *run)
{
	const struct plan *plan = run->plan;
	const struct event_list *list = &plan->events;
	struct schedule *schedule = schedule__new(plan, &run->events);
	struct notes *notes = &run->notes;
	auto_free(sb) about = SB_INIT;
	char *rest, *line;

	host__describe(run->host, &about);
	for (rest = about.buf; (line = strsep(&rest, "\n"));)
		notes__add(notes, NOTE_GROUPS, NULL, "%s", line);
	notes__add(notes, NOTE_GROUPS, NULL, "%d events, %d metrics in %d operations", list->nr,
		   plan->nr_metrics, plan->program ? program__nodes(plan->program) : 0);
	for (int i = 0; i < list->nr; i++)
		if (list->at[i]->leader == list->at[i])
			tell__explain_group(notes, list, i);
	explain_schedule(notes, plan, schedule);
	schedule__free(schedule);
}

bool tell__knows_nothing(const struct run *run)
{
	const struct plan *plan = run->plan;

	for (int i = 0; i < plan->nr_metrics; i++)
		if (!plan->metrics[i].metric->why_unknown)
			return false;
	return plan->nr_metrics && !run->req->nr_events;
}

/* Whether an earlier metric is unknown for the same reason. */
static bool tell__is_repeated(const struct plan *plan, int metric)
{
	for (int i = 0; i < metric; i++)
		if (plan->metrics[i].metric->why_unknown ==
		    plan->metrics[metric].metric->why_unknown)
			return true;
	return false;
}

/* Note on which core PMUs formulas use plain events instead of the TopDown metric events. */
static void note_plain(struct run *run)
{
	auto_free(sb) pmus = SB_INIT, why = SB_INIT;

	for (int i = 0; i < run->plan->nr_metrics; i++) {
		const struct metric_info *info = &run->plan->metrics[i].metric->info;
		const char *pmu = host__pmu_name(run->host, info->pmu);
		bool plain = info->plain;

		/*
		 * A metric of the tree that has no events of its own uses other metrics with
		 * events.
		 */
		if (metrics__topdown_level(info))
			plain = tables__has_plain_events(run->host->tables, info->pmu);
		if (plain && !text__has_item(sb__str(&pmus), ",", pmu))
			sb__printf(&pmus, "%s%s", pmus.len ? "," : "", pmu);
	}
	if (!pmus.len)
		return;
	host__describe_plain(run->host, &why);
	tell(run, PLAIN_EVENTS, sb__str(&pmus), "%s", sb__str(&why));
}

/* Note which facts formulas need that this machine lacks, or that come from the id of its CPU. */
static void note_literals(struct run *run)
{
	const struct machine *machine = run->host->machine;

	for (int i = 0; i < run->plan->nr_metrics; i++) {
		const char *why = run->plan->metrics[i].metric->why_unknown;

		if (why && !tell__is_repeated(run->plan, i))
			tell(run, LACKING, NULL, "%s: metrics with it have no value", why);
	}
	for (int i = 0; run->plan->nr_metrics && i < machine__nr_core_pmus(machine); i++) {
		const struct pmu *pmu = machine__core_pmu(machine, i);

		if (pmu->slots_by_id)
			tell(run, PLAIN_EVENTS, pmu->name,
			     "the kernel reports 0 slots, as in virtual machines: the %d slots of "
			     "CPUs with this id are used",
			     pmu->slots);
	}
}

void tell__before(struct run *run)
{
	struct notes *notes = &run->notes;

	if (!run->req->input && notes__want(notes, NOTE_LACKING))
		note_literals(run);
	if (!run->req->input && notes__want(notes, NOTE_PLAIN_EVENTS))
		note_plain(run);
	notes__add_lines(notes, NOTE_PLAN, sb__str(&run->plan->events.warnings));
	notes__add_lines(notes, NOTE_PLAN, sb__str(&run->plan->warnings));
	if (notes__want(notes, NOTE_SYSFS))
		note_sysfs(run);
	if (run->req->input || !run->will_count)
		return;
	if (notes__want(notes, NOTE_GROUPS))
		tell__explain(run);
	if (!run->topdown)
		return;
	if (notes__want(notes, NOTE_LEVELS))
		note_levels(run);
	if (notes__want(notes, NOTE_CORES) && counts_cores(run->plan))
		note_cores(run);
	/* With --passes, another note names the number of runs of the command. */
	if (notes__want(notes, NOTE_TURNS) && !run->req->passes)
		note_turns(run);
}
