// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups are changed to a form that the kernel accepts: the hardware events of a group are on one
 * PMU, and slots precedes TopDown metric events (events/topdown.h). The order is that of perf in
 * Linux 6.12, except that the PMUs of a split group have the machine's order.
 */
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "events/internal.h"
#include "machine/machine.h"

#define WARN_EVENTS 100 /* limit of events in a warning */

/**
 * struct regrouped - an event's place in the order
 * @pmu:    number of the PMU to which the event's group belongs
 * @rank:   slots 0, TopDown metrics 1, other events 2
 * @index:  number of the event before the change
 * @leader: number of the leader, given by the user or chosen here; the first key for sorting
 * @grouped: the user put the event into a group, or a group was found for it
 * @gathered: the event's group was made here, from TopDown events outside of groups
 * @stays:  the event's group has an event that must not be moved (:X), so the group is not changed
 * @led:    the event was a leader
 * @pinned, @exclusive, @weak: values of the event's leader before the change
 */
struct regrouped {
	struct event *e;
	int pmu, rank, index, leader;
	bool grouped, gathered, stays, led, pinned, exclusive, weak;
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
	return !e->topdown ? 2 : topdown__is_metric(e->topdown);
}

/* An event without a PMU belongs to the core PMU, if sysfs has none. */
static int pmu_order(const struct event *e)
{
	return e->pmu ? e->pmu->order : 0;
}

/*
 * Finds the PMU of each event in a group. Software events may be in any group: they get the PMU of
 * the first other event, which is found only once.
 */
static void find_pmus(struct regrouped *places, int nr)
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

static int regroup__by_place(const void *va, const void *vb)
{
	const struct regrouped *a = va, *b = vb;

	if (a->leader != b->leader)
		return a->leader - b->leader;
	if (a->stays)
		return a->index - b->index;
	if (a->grouped && b->grouped && a->pmu != b->pmu)
		return a->pmu - b->pmu;
	if (a->rank != b->rank)
		return a->rank - b->rank;
	/* A latency that is sampled instead of counted cannot be a leader. */
	if (a->e->retire_latency != b->e->retire_latency)
		return a->e->retire_latency - b->e->retire_latency;
	return a->index - b->index;
}

/**
 * struct home - a group that can count TopDown events
 * @leader: number of its leader
 * @pmu:   PMU of its events
 * @modes: modes of slots, which are counted for all its events
 * @has:   topdown__bit() of its events, each of which is in it once
 * @written: the user wrote the group in braces
 */
struct home {
	int leader;
	const struct pmu *pmu;
	unsigned int modes, has;
	bool written;
};

struct homes {
	struct home *at;
	int nr, cap;
};

static struct home *new_home(struct homes *homes, const struct regrouped *pl)
{
	const struct home home = {
		.leader = pl->leader,
		.pmu = pl->e->pmu,
		.modes = event__modes(pl->e),
		.written = pl->grouped,
	};

	vec__push(homes, home);
	return &homes->at[homes->nr - 1];
}

/* Lists the groups in braces that contain TopDown events. */
static void find_homes(const struct regrouped *places, int nr, struct homes *homes)
{
	struct home *home = NULL;

	for (int i = 0; i < nr; i++) {
		const struct regrouped *pl = &places[i];

		if (!pl->grouped || !pl->e->topdown || pl->stays)
			continue;
		if (!home || home->leader != pl->leader || home->pmu != pl->e->pmu)
			home = new_home(homes, pl);
		home->has |= topdown__bit(pl->e->topdown);
		if (!pl->rank)
			home->modes = event__modes(pl->e);
	}
}

static bool takes_in(const struct home *home, const struct regrouped *pl)
{
	return home->pmu == pl->e->pmu && home->modes == event__modes(pl->e) &&
	       !(home->has & topdown__bit(pl->e->topdown));
}

/* Puts TopDown events outside of groups into a group which can count them, or makes one. */
static void find_company(struct regrouped *places, int nr)
{
	struct homes homes = { .at = NULL };

	find_homes(places, nr, &homes);
	for (int i = 0; i < nr; i++) {
		struct regrouped *pl = &places[i];
		struct home *home;
		int at = 0;

		if (pl->grouped || !pl->e->topdown || pl->stays)
			continue;
		while (at < homes.nr && !takes_in(&homes.at[at], pl))
			at++;
		home = at < homes.nr ? &homes.at[at] : new_home(&homes, pl);
		home->has |= topdown__bit(pl->e->topdown);
		pl->leader = home->leader;
		pl->gathered = !home->written;
		pl->grouped = true;
	}
	vec__free(&homes);
}

/* Copies the attributes that the user gave to a group to the event that leads it now. */
static void copy_flags(const struct regrouped *pl, struct regrouped *lead)
{
	struct perf_event_attr *attr = &lead->e->attr;

	attr->pinned |= pl->pinned;
	attr->exclusive |= pl->exclusive;
	/* A group that was made here is weak, as the user wrote no braces. */
	lead->e->weak |= pl->weak || (pl->gathered && pl != lead);
	if (pl != lead && pl->led) {
		pl->e->attr.pinned = 0;
		pl->e->attr.exclusive = 0;
	}
}

/* Sets new leaders where a group of the user ends or the PMU changes. */
static void set_leaders(struct regrouped *places, int nr)
{
	struct regrouped *lead = NULL;

	for (int i = 0; i < nr; i++) {
		struct regrouped *pl = &places[i];

		if (!lead || lead->leader != pl->leader ||
		    (lead->pmu != pl->pmu && !pl->stays))
			lead = pl;
		copy_flags(pl, lead);
		pl->e->leader = lead->e;
		pl->e->nr_members = 1;
		if (lead != pl)
			lead->e->nr_members++;
	}
	for (int i = 0; i < nr; i++)
		places[i].e->weak = places[i].e->leader->weak;
}

static void reorder(struct event_list *list, struct regrouped *places)
{
	qsort(places, list->nr, sizeof(*places), regroup__by_place);
	set_leaders(places, list->nr);
	for (int i = 0; i < list->nr; i++) {
		list->at[i] = places[i].e;
		list->at[i]->index = i;
	}
}

/* Return: the next event, from number @i on, that is not a further instance; or NULL. */
static const struct event *next_shown(const struct event_list *list, int i)
{
	while (i < list->nr && list->at[i]->first != list->at[i])
		i++;
	return i < list->nr ? list->at[i] : NULL;
}

/* Appends groups as a user would write them: all instances of a unit are one event. */
static void print_groups(const struct event_list *list, int max, struct sb *sb)
{
	for (int i = 0; i < list->nr && i < max; i++) {
		const struct event *e = list->at[i], *next = next_shown(list, i + 1);
		bool first = e->leader == e;
		bool last = !next || next->leader != e->leader;

		if (e->first == e)
			sb__printf(sb, "%s%s%s%s", first ? " " : ",", first && !last ? "{" : "",
				   e->name, last ? first ? "" : "}" : "");
	}
	if (list->nr > max)
		sb__puts(sb, " ...");
}

static void warn_regrouped(struct event_list *list)
{
	struct sb *sb = &list->warnings;

	sb__puts(
		sb,
		"events were regrouped (one PMU in each group, slots first, latencies last):");
	print_groups(list, WARN_EVENTS, sb);
	sb__putc(sb, '\n');
}

/* Marks all events of the leader's group as staying. */
static void keep_group(struct regrouped *places, int nr, int leader)
{
	for (int i = leader; i < nr && places[i].leader == leader; i++)
		places[i].stays = true;
}

static void set_places(struct event_list *list, struct regrouped *places)
{
	for (int i = 0; i < list->nr; i++)
		list->at[i]->index = i;
	for (int i = 0; i < list->nr; i++) {
		struct event *e = list->at[i];

		places[i] = (struct regrouped){
			.e = e,
			.index = i,
			.leader = e->leader->index,
			.led = e->leader == e,
			.pinned = e->leader->attr.pinned,
			.exclusive = e->leader->attr.exclusive,
			.weak = e->leader->weak,
			.grouped = e->leader != e || e->nr_members > 1,
			.rank = rank(e),
		};
	}
	for (int i = 0; i < list->nr; i++)
		if (list->at[i]->stays)
			keep_group(places, list->nr, places[i].leader);
}

void regroup(struct event_list *list, bool warn)
{
	struct regrouped *places = xcalloc(list->nr, sizeof(*places));
	struct sb before = SB_INIT, after = SB_INIT;

	if (warn)
		print_groups(list, list->nr, &before);
	set_places(list, places);
	find_pmus(places, list->nr);
	find_company(places, list->nr);
	reorder(list, places);
	if (warn)
		print_groups(list, list->nr, &after);
	if (strcmp(sb__str(&before), sb__str(&after)))
		warn_regrouped(list);
	sb__free(&before);
	sb__free(&after);
	free(places);
}
