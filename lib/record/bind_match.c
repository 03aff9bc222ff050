// SPDX-License-Identifier: GPL-2.0-only
/* Compares the events of a recording with the ids of metrics. */
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "plan/counters.h"
#include "record/bind.h"
#include "record/text.h"

static void prepare_event(struct binding *b, int i)
{
	struct known_event *k = &b->known[i];
	struct event *e = b->r->list->at[i];

	k->event = e;
	k->named = b->r->traits.at[i].named;
	k->core = !event__is_software(e) && (!e->pmu || e->pmu->is_core);
	k->coded = b->r->info.text && k->named && e->attr.type != PERF_TYPE_HARDWARE ? k->named : e;
}

static bool takes_counter(const struct known_event *k)
{
	const struct event *e = k->event;

	if (event__is_software(e) || e->retire_latency)
		return false;
	return k->core || counters__are_shared(e->pmu);
}

static bool same_counters(const struct pmu *a, const struct pmu *b)
{
	if (a == b || !a || !b)
		return a == b;
	return !a->is_core && !b->is_core && pmu__same_unit(a, b);
}

/* Find the group and the pool of an event by the events before it; leaders precede their groups. */
static void bind_match__place(struct binding *b, int at)
{
	struct known_event *k = &b->known[at];

	k->group = k->pool = at;
	for (int i = at - 1; i >= 0; i--) {
		if (b->known[i].event == k->event->leader)
			k->group = i;
		if (takes_counter(&b->known[i]) &&
		    same_counters(b->known[i].event->pmu, k->event->pmu))
			k->pool = b->known[i].pool;
	}
	if (!takes_counter(k))
		k->pool = OFFERS_NO_POOL;
}

/* Whether an event was counted only in user space. */
static bool is_of_user(const struct known_event *k)
{
	return k->coded->attr.exclude_kernel && !k->coded->attr.exclude_user;
}

/**
 * struct text_placing - the state of finding groups and segments of a text
 * @last: for each pool, by its number, the latest event
 * @seen: names of events with their group or segment
 */
struct text_placing {
	struct strmap *seen;
	int *last;
	struct sb key;
};

/* Whether an event is already in a group or segment; if not, add it. */
static bool is_again(struct text_placing *p, const struct event *e, const char *in, int number)
{
	int nr;

	sb__clear(&p->key);
	sb__printf(&p->key, "%s%d\n%s\n%s", in, number, e->name, e->cgroup ? e->cgroup->name : "");
	nr = strmap__nr(p->seen);
	strmap__put(p->seen, sb__str(&p->key), 0);
	return strmap__nr(p->seen) == nr;
}

/*
 * Find the group and the segment of an event of a text, which does not have groups. Events in
 * adjacent rows that ran for the same time are assumed to be a group: a group is printed and runs
 * as a whole, and does not contain an event twice.
 */
static void place_of_text(struct binding *b, struct text_placing *p, int at)
{
	struct known_event *k = &b->known[at], *before;
	int last;

	k->segment = at;
	if (k->pool == OFFERS_NO_POOL)
		return;
	last = p->last[k->pool];
	p->last[k->pool] = at;
	before = last < 0 ? NULL : &b->known[last];
	if (before && !is_again(p, k->event, "s", before->segment))
		k->segment = before->segment;
	else
		is_again(p, k->event, "s", at);
	if (before && text__ran_together(b->r, last, at) &&
	    !is_again(p, k->event, "g", before->group)) {
		k->group = before->group;
		k->event->leader = before->event->leader;
	} else {
		is_again(p, k->event, "g", at);
	}
}

void binding__prepare_events(struct binding *b)
{
	struct text_placing placing = { .seen = strmap__new(), .key = SB_INIT };
	int hardware = 0;

	b->nr = b->r->list->nr;
	b->known = xcalloc(b->nr, sizeof(*b->known));
	placing.last = xcalloc(b->nr, sizeof(int));
	for (int i = 0; i < b->nr; i++)
		placing.last[i] = -1;
	b->user_only = true;
	for (int i = 0; i < b->nr; i++) {
		prepare_event(b, i);
		bind_match__place(b, i);
		if (b->r->text)
			place_of_text(b, &placing, i);
		if (!b->known[i].core)
			continue;
		hardware++;
		b->user_only &= is_of_user(&b->known[i]);
	}
	b->user_only &= hardware > 0;
	strmap__free(placing.seen);
	sb__free(&placing.key);
	free(placing.last);
}

static bool modes_fit(const struct binding *b, const struct known_event *k, const struct event *id)
{
	if (k->event->retire_latency != id->retire_latency)
		return false;
	if (event__modes(k->coded) == event__modes(id))
		return true;
	return b->user_only && k->core && !event__modes(id) && !id->retire_latency;
}

enum match binding__match(const struct binding *b, const struct known_event *k,
			  const struct event *id)
{
	const struct pmu *pmu = k->event->pmu;
	const char *cpuid = b->scope->machine->cpuid;

	if (k->event->cgroup && k->event->cgroup != b->cgroup)
		return MATCH_NONE;
	if (k->event->tool || id->tool)
		return k->event->tool == id->tool ? MATCH_NAME : MATCH_NONE;
	/* In a text, an event without a PMU may be of any PMU. */
	if (pmu && id->pmu && pmu != id->pmu)
		return MATCH_NONE;
	if (k->named && event__same_terms(k->named, id))
		return k->named->table_event == id->table_event ? MATCH_NAME : MATCH_CODE;
	return k->core && !event__is_software(id) && event__same_code(k->coded, id, cpuid) ?
		       MATCH_CODE : MATCH_NONE;
}

static enum match match(const struct binding *b, const struct known_event *k,
			const struct event_list *ids)
{
	enum match best = MATCH_NONE;

	for (int i = 0; i < ids->nr; i++) {
		enum match match = binding__match(b, k, ids->at[i]);

		if (match > best && (k->event->tool || modes_fit(b, k, ids->at[i])))
			best = match;
	}
	return best;
}

void binding__keep_core_type(const struct machine *m, const char *pmu, struct event_list *ids)
{
	int kept = 0;

	if (ids->nr < 2 || !machine__is_hybrid(m) || !text__has_prefix(pmu, HYBRID_PREFIX))
		return;
	for (int i = 0; i < ids->nr; i++) {
		struct event *e = ids->at[i];

		if (e->pmu && e->pmu->is_core && strcmp(e->pmu->name, pmu))
			event__free(e);
		else
			ids->at[kept++] = e;
	}
	ids->nr = kept;
}

void binding__find_candidates(const struct binding *b, const struct metric *m, const char *id,
			      struct id_matches *out)
{
	const struct events_scope scope = recording__scope(b->r, b->scope->tables);
	struct event_list ids = EVENT_LIST_INIT;

	events__parse_id(&scope, id, m->modifier, &ids, NULL);
	binding__keep_core_type(scope.machine, m->info.pmu, &ids);
	for (int i = 0; i < b->nr; i++) {
		enum match found = match(b, &b->known[i], &ids);

		if (!found)
			continue;
		out->best = found > out->best ? found : out->best;
		vec__push(&out->list, (struct id_match){ i, found });
	}
	event_list__free(&ids);
}
