// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel wants of groups: all hardware events of a group on one PMU, and TopDown metric
 * events in one group behind slots. The rules are those of Linux 6.12's tools, but that the PMUs
 * of a split group come in the machine's order.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "events/internal.h"
#include "machine/machine.h"

#define WARN_EVENTS 100 /* more are not shown */

/**
 * struct place - where an event stands in the order
 * @at:     what it is sorted by first: the number of its leader, or its own
 * @pmu:    number of the PMU its group belongs to
 * @rank:   slots 0, TopDown metrics 1, others 2
 * @grouped: the user put it into a group
 * @leader: number of the leader the user gave it
 */
struct place {
	struct event *e;
	int at, pmu, rank, index, leader;
	bool grouped;
};

void regroup__make(struct event_list *list, int from, int to)
{
	for (int i = from; i < to; i++) {
		list->at[i]->leader = list->at[from];
		list->at[i]->nr_members = 1;
	}
	if (to > from)
		list->at[from]->nr_members = to - from;
}

static int rank(const struct event *e)
{
	if (!e->topdown)
		return 2;
	return topdown__is_slots(e) ? 0 : 1;
}

/* Events without a PMU are the core's, when it has none in sysfs. */
static int pmu_order(const struct event *e)
{
	return e->pmu ? e->pmu->order : 0;
}

/*
 * Software events may be in any group: they follow the first of its events that is none. For each
 * group that is looked for once.
 */
static void find_pmus(struct place *places, int nr)
{
	for (int from = 0, to; from < nr; from = to) {
		int pmu = -1;

		for (to = from; to < nr && places[to].leader == places[from].leader; to++)
			if (pmu < 0 && !event__is_software(places[to].e))
				pmu = pmu_order(places[to].e);
		if (pmu < 0)
			pmu = pmu_order(places[from].e);
		for (int i = from; i < to; i++)
			places[i].pmu = event__is_software(places[i].e) ? pmu :
									  pmu_order(places[i].e);
	}
}

static int by_place(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;

	if (a->at != b->at)
		return a->at - b->at;
	if (a->grouped && b->grouped && a->pmu != b->pmu)
		return a->pmu - b->pmu;
	if (a->rank != b->rank)
		return a->rank - b->rank;
	/* A latency that is sampled, not counted, cannot lead. */
	if (a->e->retire_latency != b->e->retire_latency)
		return a->e->retire_latency - b->e->retire_latency;
	return a->index - b->index;
}

/* The first group of the user's that slots is in, on the PMU of @pl; -1 when there is none. */
static int group_with_slots(const struct place *places, int nr, const struct place *pl)
{
	for (int i = 0; i < nr; i++)
		if (places[i].grouped && places[i].rank == 0 && places[i].e->pmu == pl->e->pmu)
			return places[i].leader;
	return -1;
}

/* A TopDown event that stands alone joins a group which can count it. */
static void adopt(struct place *places, int nr)
{
	const struct pmu *pmu = NULL;
	int leader = -1;

	for (int i = 0; i < nr; i++) {
		struct place *pl = &places[i];

		if (pl->grouped || pl->rank != 1)
			continue;
		if (pl->e->pmu != pmu) {
			pmu = pl->e->pmu;
			leader = group_with_slots(places, nr, pl);
		}
		if (leader < 0)
			continue;
		pl->leader = leader;
		pl->grouped = true;
	}
}

/* Return: whether the order changed. */
static bool sort(struct place *places, int nr)
{
	int forced = -1;
	bool changed = false;

	for (int i = 0; i < nr && forced < 0; i++)
		if (places[i].e->topdown && !places[i].grouped)
			forced = i;
	for (int i = 0; i < nr; i++) {
		if (places[i].grouped)
			places[i].at = places[i].leader;
		else
			places[i].at = places[i].e->topdown && forced >= 0 ? forced : i;
	}
	qsort(places, nr, sizeof(*places), by_place);
	for (int i = 0; i < nr; i++)
		changed |= places[i].index != i;
	return changed;
}

/* New leaders: where the user's group, or its PMU, ends. Return: how many there are. */
static int set_leaders(struct place *places, int nr, bool any_forced)
{
	struct place *lead = NULL;
	int leaders = 0;

	for (int i = 0; i < nr; i++) {
		struct place *pl = &places[i];
		bool forced = any_forced && pl->e->topdown;
		bool together = lead && (lead->leader == pl->leader ||
					 (forced && any_forced && lead->e->topdown));

		if (!lead || !together || lead->pmu != pl->pmu)
			lead = pl;
		pl->e->leader = lead->e;
		pl->e->nr_members = 1;
		if (lead == pl)
			leaders++;
		else
			lead->e->nr_members++;
	}
	return leaders;
}

/*
 * An ungrouped TopDown event before a group of others becomes part of that group, and its leader:
 * then slots is moved to the front once more.
 */
static void lead_with_slots(struct place *places, int nr)
{
	for (int from = 0, to, at; from < nr; from = to) {
		struct event *leader = places[from].e;

		for (to = from + 1; to < nr && places[to].e->leader == leader; to++)
			;
		for (at = from; at < to && places[at].rank; at++)
			;
		if (!places[from].e->topdown || at == from || at == to)
			continue;
		for (struct place slots = places[at]; at >= from; at--)
			places[at] = at > from ? places[at - 1] : slots;
		for (int i = from; i < to; i++) {
			places[i].e->leader = places[from].e;
			places[i].e->nr_members = 1;
		}
		places[from].e->nr_members = to - from;
	}
}

/* What became of the groups, as the user could have written it. */
static void warn_regrouped(struct event_list *list)
{
	struct sb *sb = &list->warnings;

	sb__puts(sb, "events were grouped anew (a group is of one PMU, slots leads it):");
	for (int i = 0; i < list->nr && i < WARN_EVENTS; i++) {
		const struct event *e = list->at[i];
		bool first = e->leader == e;
		bool last = i + 1 == list->nr || list->at[i + 1]->leader == list->at[i + 1];

		sb__printf(sb, "%s%s%s%s", first ? " " : ",", first && !last ? "{" : "", e->name,
			   last ? first ? "" : "}" : "");
	}
	if (list->nr > WARN_EVENTS)
		sb__puts(sb, " ...");
	sb__putc(sb, '\n');
}

int regroup(struct event_list *list, bool warn)
{
	struct place *places = calloc(list->nr ? list->nr : 1, sizeof(*places));
	int before = 0, leaders;
	bool changed, any_forced = false;

	if (!places)
		return -ENOMEM;
	for (int i = 0; i < list->nr; i++)
		list->at[i]->index = i;
	for (int i = 0; i < list->nr; i++) {
		struct event *e = list->at[i];
		struct place *pl = &places[i];

		*pl = (struct place){ .e = e, .index = i, .leader = e->leader->index };
		pl->grouped = e->leader != e || e->nr_members > 1;
		pl->rank = rank(e);
		before += e->leader == e;
	}
	find_pmus(places, list->nr);
	adopt(places, list->nr);
	for (int i = 0; i < list->nr; i++)
		any_forced |= places[i].e->topdown && !places[i].grouped;
	changed = sort(places, list->nr);
	leaders = set_leaders(places, list->nr, any_forced);
	lead_with_slots(places, list->nr);
	for (int i = 0; i < list->nr; i++) {
		list->at[i] = places[i].e;
		list->at[i]->index = i;
	}
	free(places);
	if (warn && (changed || leaders != before))
		warn_regrouped(list);
	return list->warnings.err ? -ENOMEM : 0;
}
