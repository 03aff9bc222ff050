// SPDX-License-Identifier: GPL-2.0-only
#include "events/topdown.h"

#include <string.h>
#include <strings.h>

#include "base/sb.h"
#include "base/vec.h"
#include "events/internal.h"
#include "machine/machine.h"
#include "machine/models.h"

#define EVENT_AND_UMASK 0xffff

/* All metric events have event code 0. */
/* clang-format off */
#define TOPDOWN(name, umask) { name, (umask) << 8, "event=0x00,umask=" #umask }
/* clang-format on */

static const struct {
	const char *name;
	unsigned int code;
	const char *terms;
} known[TOPDOWN_NR] = {
	[TOPDOWN_SLOTS] = TOPDOWN("slots", 0x04),
	[TOPDOWN_RETIRING] = TOPDOWN("topdown-retiring", 0x80),
	[TOPDOWN_BAD_SPEC] = TOPDOWN("topdown-bad-spec", 0x81),
	[TOPDOWN_FE_BOUND] = TOPDOWN("topdown-fe-bound", 0x82),
	[TOPDOWN_BE_BOUND] = TOPDOWN("topdown-be-bound", 0x83),
	[TOPDOWN_HEAVY_OPS] = TOPDOWN("topdown-heavy-ops", 0x84),
	[TOPDOWN_BR_MISPREDICT] = TOPDOWN("topdown-br-mispredict", 0x85),
	[TOPDOWN_FETCH_LAT] = TOPDOWN("topdown-fetch-lat", 0x86),
	[TOPDOWN_MEM_BOUND] = TOPDOWN("topdown-mem-bound", 0x87),
};

enum topdown topdown__of_code(uint64_t code)
{
	enum topdown t = TOPDOWN_NR - 1;

	while (t && known[t].code != code)
		t--;
	return t;
}

enum topdown topdown__of_name(const char *name)
{
	enum topdown t = TOPDOWN_NR - 1;

	while (t && strcasecmp(known[t].name, name))
		t--;
	return t;
}

uint64_t topdown__code(enum topdown t)
{
	return known[t].code;
}

const char *topdown__name(enum topdown t)
{
	return known[t].name;
}

const char *topdown__terms(enum topdown t)
{
	return known[t].terms;
}

bool topdown__is_on(struct pmu *pmu)
{
	return pmu && pmu__has_event(pmu, known[TOPDOWN_SLOTS].name);
}

enum topdown topdown__of_event(const struct event *e)
{
	enum topdown t = TOPDOWN_NONE;

	if (e->attr.type == PERF_TYPE_RAW)
		t = topdown__of_code(e->attr.config & EVENT_AND_UMASK);
	return t && topdown__is_on(e->pmu) ? t : TOPDOWN_NONE;
}

const char *topdown__broken_rule(const struct event *e, bool twice)
{
	if (!e->topdown)
		return NULL;
	if (e->attr.precise_ip)
		return "TopDown metric events cannot be sampled, so they cannot be precise: remove "
		       "the p";
	if (e->attr.config1 || e->attr.config2 || e->attr.config & UINT32_MAX & ~EVENT_AND_UMASK)
		return "Slots and TopDown metric events take only the terms event and umask: "
		       "remove the others (cmask, inv, edge ...)";
	if (twice)
		return "A group can have each TopDown event only once, since there is one register "
		       "for it: remove one, or put it into another group";
	return NULL;
}

void topdown__forget_events(struct pmu *pmu)
{
	for (enum topdown t = TOPDOWN_SLOTS; t < TOPDOWN_NR; t++)
		pmu__drop_event(pmu, known[t].name);
}

void topdown__assume_events(struct machine *m)
{
	if (cpu_vendor__of(m->cpuid) != VENDOR_INTEL)
		return;
	for (int i = 0; i < machine__nr_core_pmus(m); i++)
		for (enum topdown t = TOPDOWN_SLOTS; t < TOPDOWN_NR; t++)
			pmu__add_event(machine__core_pmu(m, i), known[t].name, known[t].terms, 1);
}

/*
 * Return: the first metric event of the group from @from to @to if the group lacks slots and all
 * its events may be moved; else NULL.
 */
static const struct event *lacks_slots(const struct event_list *list, int from, int to)
{
	const struct event *metric = NULL;
	unsigned int set = 0;

	for (int i = from; i < to; i++) {
		set |= topdown__bit(list->at[i]->topdown);
		if (list->at[i]->stays)
			return NULL;
		if (!metric && list->at[i]->topdown)
			metric = list->at[i];
	}
	return topdown__lacks_slots(set) ? metric : NULL;
}

/* Makes slots the leader of a group; slots counts in the modes of the group's metric events. */
static void take_over(struct event *slots, struct event *leader, const struct event *metric)
{
	modifiers__exclude(&slots->attr, modifiers__excluded(&metric->attr));
	slots->attr.pinned = leader->attr.pinned;
	slots->attr.exclusive = leader->attr.exclusive;
	leader->attr.pinned = leader->attr.exclusive = 0;
	/* The user wrote no group around a single event, so the group may be weak. */
	slots->weak = leader->weak || leader->nr_members == 1;
}

/* Appends modifiers for the modes in which an event counts: ":uk", or nothing for all. */
static void put_modes(const struct perf_event_attr *attr, struct sb *out)
{
	if (!attr->exclude_user && !attr->exclude_kernel && !attr->exclude_hv)
		return;
	sb__printf(out, ":%s%s%s", attr->exclude_user ? "" : "u", attr->exclude_kernel ? "" : "k",
		   attr->exclude_hv ? "" : "h");
}

static int new_slots(const struct events_scope *scope, const struct event *metric,
		     struct event_list *one)
{
	struct event_parser p = {.scope = scope, .list = one};
	struct sb text = SB_INIT, shown = SB_INIT;
	int rc;

	sb__printf(&text, "%s/%s/", metric->pmu->name, topdown__name(TOPDOWN_SLOTS));
	sb__puts(&shown, topdown__name(TOPDOWN_SLOTS));
	put_modes(&metric->attr, &shown);
	p.text = sb__str(&text);
	p.shown = sb__str(&shown);
	rc = parse__event(&p);
	sb__free(&text);
	sb__free(&shown);
	return rc;
}

static void insert(struct event_list *list, int at, int members, struct event *slots)
{
	event_list__push(list, slots);
	memmove(&list->at[at + 1], &list->at[at], (list->nr - 1 - at) * sizeof(*list->at));
	list->at[at] = slots;
	regroup__make(list, at, at + members + 1);
	for (int i = at; i <= at + members; i++)
		list->at[i]->weak = slots->weak;
	for (int i = at; i < list->nr; i++)
		list->at[i]->index = i;
}

/* Puts slots before the events from @from to @to, which contain the metric event @metric. */
static void add_slots(const struct events_scope *scope, struct event_list *list, int from, int to,
		      const struct event *metric, bool warn)
{
	struct event_list one = EVENT_LIST_INIT;
	struct event *slots;

	if (new_slots(scope, metric, &one) || one.nr != 1) {
		event_list__free(&one);
		return;
	}
	slots = one.at[0];
	vec__free(&one);
	take_over(slots, list->at[from], metric);
	insert(list, from, to - from, slots);
	if (warn)
		sb__printf(&list->warnings,
			   "%s was added as leader, which %s needs in its group\n", slots->name,
			   metric->name);
}

/* Warns of a metric event whose modes differ from those of slots; the modes of slots apply. */
static void warn_of_modes(struct event_list *list, const struct event *e)
{
	if (e->topdown && e->leader->topdown && event__modes(e) != event__modes(e->leader))
		sb__printf(&list->warnings, "%s counts in the modes of %s, which leads its group\n",
			   e->name, e->leader->name);
}

void topdown__add_slots(const struct events_scope *scope, struct event_list *list, bool warn)
{
	for (int from = 0, to; from < list->nr; from = to) {
		const struct event *leader = list->at[from], *metric;

		for (to = from + 1; to < list->nr && list->at[to]->leader == leader; to++)
			;
		metric = lacks_slots(list, from, to);
		if (metric)
			add_slots(scope, list, from, to, metric, warn);
		/* The added slots has moved the following events by one place. */
		while (to < list->nr && list->at[to]->leader == list->at[from])
			to++;
	}
	for (int i = 0; i < list->nr; i++)
		warn_of_modes(list, list->at[i]);
}

void events__join_topdown(const struct events_scope *scope, struct event_list *list)
{
	regroup(list, true);
	topdown__add_slots(scope, list, true);
}
