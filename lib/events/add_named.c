// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of a name without a known kind: it may be the name of a PMU, or of an event that some PMUs
 * have in sysfs or in the tables.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/xalloc.h"
#include "events/internal.h"
#include "machine/machine.h"
#include "tables/tables.h"

/*
 * Finds out whether counts of two events with one name are added up: boxes of a unit count the
 * same.
 */
static bool add_named__are_alike(const struct event_parser *p, const struct event *a,
				 const struct event *b)
{
	return (p->scope->joins_pmus || pmu__same_unit(a->pmu, b->pmu)) && a->scale == b->scale &&
	       !strcmp(a->unit, b->unit);
}

static struct event *first_like(const struct event_parser *p, int from, const struct event *e)
{
	for (int i = from; p->list->at[i] != e; i++) {
		struct event *first = p->list->at[i];

		if (first->mergeable && first->first == first && add_named__are_alike(p, first, e))
			return first;
	}
	return NULL;
}

/*
 * Changes names "clockticks:u" of PMU uncore_imc_0, and "uncore/clockticks/u", to
 * "uncore_imc/clockticks/u".
 */
static void name_unit(struct event *e)
{
	const char *slash = strchr(e->name, '/'), *colon = strrchr(e->name, ':');
	struct sb name = SB_INIT;
	int len = strlen(e->name);

	if (e->config_name || (slash && e->pmu->is_core))
		return;
	sb__add(&name, e->pmu->name, pmu__base_len(e->pmu->name));
	if (slash)
		sb__puts(&name, slash);
	else
		sb__printf(&name, "/%.*s/%s", colon ? (int)(colon - e->name) : len, e->name,
			   colon ? colon + 1 : "");
	if (slash || e->bare)
		free(e->name);
	else
		e->bare = e->name;
	e->name = sb__detach(&name);
}

/*
 * Notes that boxes of one unit differ in scale or unit. Since they count the same, sysfs is wrong.
 */
static void note_unlike(const struct event *before, const struct event *e)
{
	char why[256];

	if (!before->mergeable || !pmu__same_unit(before->pmu, e->pmu))
		return;
	snprintf(why, sizeof(why), "its scale or unit of event %s differs from that of %s", e->name,
		 before->pmu->name);
	machine__note_left_out(e->pmu->machine, e->pmu, why);
}

/* Links instances of one event; their counts are added and printed under the first of them. */
static void link_instances(struct event_parser *p, int from)
{
	for (int i = from; i < p->list->nr; i++) {
		struct event *e = p->list->at[i], *first;

		first = e->mergeable ? first_like(p, from, e) : NULL;
		if (first) {
			e->first = first;
			e->merge = first->merge = true;
		} else if (i > from && e->mergeable) {
			note_unlike(p->list->at[i - 1], e);
		}
	}
}

void add__name_units(struct event_parser *p, int from)
{
	int units = 0;

	if (p->scope->joins_pmus)
		return;
	for (int i = from; i < p->list->nr; i++)
		units += p->list->at[i]->mergeable && p->list->at[i]->first == p->list->at[i];
	for (int i = from; units > 1 && i < p->list->nr; i++)
		if (p->list->at[i]->mergeable)
			name_unit(p->list->at[i]);
}

/**
 * struct tries - results of trying several PMUs, one after the other
 * @first: the first error, which is reported to the user
 * @took: the last PMU that accepted the event; @failed: the last PMU that did not
 */
struct tries {
	struct err first;
	const struct pmu *took, *failed;
};

/* Notes an instance of a unit that is left out although other instances are counted. */
static void note_instance(struct tries *tries, const struct pmu *pmu, bool took)
{
	*(took ? &tries->took : &tries->failed) = pmu;
	if (tries->took && tries->failed && pmu__same_unit(tries->took, tries->failed))
		machine__note_left_out(pmu->machine, tries->failed,
				       "it does not accept an event that the other instances "
				       "accept");
}

/* Tries a PMU; without @name, tries only the terms. Return: whether the PMU accepted the event. */
static bool try_pmu(struct event_parser *p, struct pmu *pmu, const char *name, int column,
		    struct tries *tries)
{
	struct err err = ERR_INIT, *callers = p->err;
	int rc;

	p->err = &err;
	rc = name ? add__by_name(p, pmu, name, column) : add__pmu_event(p, pmu, p->many_pmus);
	p->err = callers;
	if (rc && !tries->first.code)
		tries->first = err;
	note_instance(tries, pmu, !rc);
	return !rc;
}

/* The name that means each core PMU, in tables of events and in perf 7. */
static bool is_meant(struct pmu *pmu, const char *name)
{
	return pmu__matches(pmu, name) || (pmu->is_core && !strcmp(name, "default_core"));
}

/* Tries the PMUs with the name @name. Return: whether a PMU accepted the event. */
static bool add_pmus(struct event_parser *p, const char *name, struct tries *tries)
{
	const struct machine *m = p->scope->machine;
	struct pmu *pmu = machine__pmu(m, name);
	bool added = false;

	p->many_pmus = false;
	if (pmu && try_pmu(p, pmu, NULL, 0, tries))
		return true;
	p->many_pmus = true;
	for (int i = 0; i < m->nr_pmus; i++) {
		pmu = m->pmus[i];
		if (!add__is_filtered(p, pmu) && is_meant(pmu, name) && !pmu__load(pmu))
			added |= try_pmu(p, pmu, NULL, 0, tries);
	}
	return added;
}

/* Tries an event that the tables have only for one instance of a unit, not the first. */
static bool add_of_instance(struct event_parser *p, const char *name, int column,
			    struct tries *tries)
{
	const struct machine *m = p->scope->machine;
	bool added = false;

	for (int i = 1; p->scope->tables && i < m->nr_pmus; i++) {
		struct pmu *pmu = m->pmus[i];

		if (!add__is_filtered(p, pmu) && pmu__same_unit(m->pmus[i - 1], pmu) &&
		    tables__find_event(p->scope->tables, pmu->name, name) >= 0 && !pmu__load(pmu))
			added |= try_pmu(p, pmu, name, column, tries);
	}
	return added;
}

#define HAVING_MAX 8

/**
 * struct having - the PMUs that have an event with a name, as the tables call these PMUs
 * @nr: number of PMUs; HAVING_MAX + 1 if there are more than HAVING_MAX
 */
struct having {
	const char *pmus[HAVING_MAX];
	int nr;
};

static void find_having(const struct tables *tables, const char *name, struct having *having)
{
	having->nr = 0;
	for (int i = 0; tables && i < tables__nr_pmus(tables) && having->nr <= HAVING_MAX; i++) {
		if (tables__pmu_event(tables, i, name) < 0)
			continue;
		if (having->nr < HAVING_MAX)
			having->pmus[having->nr] = tables__pmu(tables, i);
		having->nr++;
	}
}

/* Answers to the question whether the tables have an event for a PMU. */
enum chance { CHANCE_NONE, CHANCE_SOME, CHANCE_SURE };

/*
 * Judges by the names of PMUs, without a search. A core PMU can have two names in the tables. The
 * table's name of any other PMU is the beginning of the PMU's name.
 */
static enum chance chance_of(const struct having *having, const struct pmu *pmu)
{
	enum chance chance = having->nr > HAVING_MAX ? CHANCE_SOME : CHANCE_NONE;

	for (int i = 0; i < having->nr && i < HAVING_MAX; i++) {
		if (pmu->is_core && (!strcmp(having->pmus[i], "default_core") ||
				     !strcmp(having->pmus[i], pmu->name)))
			return CHANCE_SURE;
		if (*having->pmus[i] == *pmu->name)
			chance = CHANCE_SOME;
	}
	return chance;
}

/* Tries all PMUs that may have an event named @name. Return: whether a PMU accepted it. */
static bool add_named__events(struct event_parser *p, const char *name, int column,
			      struct tries *tries)
{
	const struct machine *m = p->scope->machine;
	enum chance chance;
	struct having having;
	bool in_tables = false, added = false;

	find_having(p->scope->tables, name, &having);
	for (int i = 0; i < m->nr_pmus; i++) {
		struct pmu *pmu = m->pmus[i];

		chance = chance_of(&having, pmu);
		/*
		 * The tables have the same events for all instances of a unit: search the tables
		 * only once.
		 */
		if (chance != CHANCE_SOME)
			in_tables = chance == CHANCE_SURE;
		else if (!i || !pmu__same_unit(m->pmus[i - 1], pmu))
			in_tables = named__in_tables(p->scope, pmu, name) >= 0;
		if (!add__is_filtered(p, pmu) && (in_tables || pmu__has_event(pmu, name)) &&
		    !pmu__load(pmu))
			added |= try_pmu(p, pmu, name, column, tries);
	}
	return added || (having.nr && add_of_instance(p, name, column, tries));
}

/* Offers the metrics: a name in an expression can be a metric, too. */
static void suggest_metrics(const struct tables *tables, struct suggest *s)
{
	struct metric_info info;

	for (int i = 0; tables && i < tables__nr_metrics(tables); i++) {
		tables__metric(tables, i, &info);
		suggest__offer(s, info.name);
	}
}

#define UNUSABLE_PMU "sysfs has no usable type or CPUs for PMU %s"

/* Reports an event that the tables have, but whose PMU the machine does not have. */
static void no_pmu(struct event_parser *p, const struct event_info *info, int column)
{
	bool of_core = !strcmp(info->pmu, "default_core");
	const char *name = of_core ? "cpu" : info->pmu;

	if (machine__has_unusable_pmu(p->scope->machine, name))
		parse__error(p, column, UNUSABLE_PMU, name);
	else
		parse__error(p, column, "this machine has no PMU %s to count it on",
			     of_core ? "of the CPU" : name);
}

static int unknown_name(struct event_parser *p, const char *name, int column)
{
	const struct tables *tables = p->scope->tables;
	int found = tables ? tables__find_event(tables, NULL, name) : -1;
	struct event_info info;
	struct suggest s;
	struct sb sb = SB_INIT;
	int rc;

	/* To find near names takes thousands of comparisons: skip it if no message is needed. */
	if (!p->err)
		return found >= 0 || p->id ? -ENOENT : -EINVAL;
	if (found >= 0) {
		tables__event(tables, found, &info);
		no_pmu(p, &info, column);
		p->err->code = ENOENT;
		return -ENOENT;
	}
	if (!strcmp(name, "cpu") && machine__is_hybrid(p->scope->machine)) {
		sb__puts(&sb, "; its CPUs are of several PMUs:");
		for (int i = 0; i < machine__nr_core_pmus(p->scope->machine); i++)
			sb__printf(&sb, " %s", machine__core_pmu(p->scope->machine, i)->name);
	} else {
		suggest__init(&s, name);
		events__suggest(p->scope, &s);
		if (p->id)
			suggest_metrics(tables, &s);
		suggest__print(&s, &sb);
	}
	if (!tables && *p->scope->machine->cpuid)
		sb__printf(&sb, " (the events of CPU %s are not known)", p->scope->machine->cpuid);
	if (machine__has_unusable_pmu(p->scope->machine, name))
		rc = parse__error(p, column, UNUSABLE_PMU, name);
	else if (p->id && p->slashes)
		rc = parse__error(p, column, "this machine has no PMU %s%s", name, sb__str(&sb));
	else
		rc = parse__error(p, column, "no event%s PMU%s of this machine has that name%s",
				  p->id ? "," : " or", p->id ? " or metric" : "", sb__str(&sb));
	sb__free(&sb);
	if (!p->id)
		return rc;
	p->err->code = ENOENT;
	return -ENOENT;
}

int add__named(struct event_parser *p, const char *name, int column)
{
	struct tries tries = { .first = ERR_INIT };
	int from = p->list->nr, rc;

	if (p->slashes && gauges__has_pmu_name(name) && !p->scope->by_name)
		return add__gauges(p, name, column);
	p->pmu_named = p->slashes && add_pmus(p, name, &tries);
	if (p->pmu_named || add_named__events(p, name, column, &tries)) {
		link_instances(p, from);
		return 0;
	}
	/* A PMU's event with exactly this name is preferred to an event of the kernel. */
	if (!tries.first.code && !p->pmu_named) {
		rc = add__kernel_name(p, name, column, true);
		if (rc != 1)
			return rc;
	}
	if (p->scope->by_name)
		return add__unknown(p, name);
	rc = tries.first.code ? 1 : add__gauges(p, name, column);
	if (rc != 1)
		return rc;
	if (!tries.first.code)
		return unknown_name(p, name, column);
	if (p->err)
		*p->err = tries.first;
	return -tries.first.code;
}
