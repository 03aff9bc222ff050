// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find counters for events as a bipartite matching: each event may use some counters, and each
 * counter takes one event. An event is added along an augmenting path: it takes a counter whose
 * event can move to another counter, and so on, up to a free counter. If there is no path, the
 * conflict is between the new event and the events on all counters that were reached: these are one
 * event more than counters.
 */
#include "plan/fit.h"

#include <stddef.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "tables/tables.h"

#define GENERAL 0xffffffffull
#define NAMES_MAX 12
#define FIT_OTHER -1 /* holder of a counter that has an event of another user */

/* Core events, as event and umask, that fixed and general counters can count. */
#define CODE_INSTRUCTIONS 0x00c0
#define CODE_CYCLES 0x003c
#define SLOTS_COUNTER (1ull << (FIT_FIXED + TOPDOWN_FIXED_COUNTER))

static const struct {
	const char *term, *name;
} registers[FIT_REGISTERS] = {
	[FIT_OFFCORE_RSP] = { "offcore_rsp", "offcore response register" },
	[FIT_FRONTEND] = { "frontend", "frontend register" },
	[FIT_LDLAT] = { "ldlat", "load latency register" },
};

struct fit_pmu fit__pmu(int general, int fixed)
{
	uint64_t low = general >= FIT_FIXED ? GENERAL : (1ull << general) - 1;
	uint64_t high = fixed >= FIT_FIXED ? GENERAL : (1ull << fixed) - 1;

	return (struct fit_pmu){
		.counters = low | high << FIT_FIXED,
		.registers = { [FIT_OFFCORE_RSP] = 2, [FIT_FRONTEND] = 1, [FIT_LDLAT] = 1 },
	};
}

/* Find the value of a term; it is 0 if the text is not a number. */
static bool find_term(const char *terms, const char *key, uint64_t *value)
{
	size_t len = strlen(key);

		/* text__item() is too slow for this: a plan looks up thousands of terms. */
	for (; *terms; terms += strcspn(terms, ","), terms += *terms == ',') {
		if (strncmp(terms, key, len) || terms[len] != '=')
			continue;
		if (!num__scan_u64(terms + len + 1, 0, value))
			*value = 0;
		return true;
	}
	return false;
}

/* Find out whether a term other than event and umask changes what is counted. */
static bool is_qualified(const char *terms, bool any)
{
	static const char *const others[] = { "cmask", "inv", "edge", "config", "any" };
	const size_t nr = sizeof(others) / sizeof(*others) - any;
	uint64_t ignored;

	for (size_t i = 0; i < nr; i++)
		if (find_term(terms, others[i], &ignored))
			return true;
	return false;
}

uint64_t fit__code(const char *terms, bool any)
{
	uint64_t event, umask = 0;

	if (!find_term(terms, "event", &event) || is_qualified(terms, any))
		return 0;
	find_term(terms, "umask", &umask);
	return event | umask << 8;
}

bool fit__has_code(const char *terms, uint64_t code)
{
	uint64_t event, umask = 0;

	/*
	 * The event comes first in the terms of a table, and differs from the events of most other
	 * entries.
	 */
	if (!find_term(terms, "event", &event) || event != (code & 0xff))
		return false;
	find_term(terms, "umask", &umask);
	return umask == code >> 8 && !is_qualified(terms, false);
}

static void apply_code(struct fit_event *e, uint64_t code)
{
	if (code == CODE_INSTRUCTIONS || code == CODE_CYCLES) {
		/*
		 * If the tables name no counter or only a fixed counter, general counters can count
		 * it, too. The code decides which fixed counter, as some tables number them from 1
		 * on.
		 */
		e->counters &= GENERAL;
		if (!e->counters)
			e->counters = GENERAL;
		e->counters |= 1ull << (FIT_FIXED + (code == CODE_CYCLES));
	}
	e->topdown = topdown__of_code(code);
	if (e->topdown == TOPDOWN_SLOTS)
		e->counters = SLOTS_COUNTER;
}

struct fit_event fit__event(const struct event_info *info)
{
	struct fit_event e = {
		.name = info->name,
		.counters = info->counter_mask,
		.alone = info->taken_alone,
	};

	for (int i = 1; !e.reg && i < FIT_REGISTERS; i++)
		if (find_term(info->terms, registers[i].term, &e.value))
			e.reg = i;
	/* A fixed counter counts the term any (both threads of the core) as general counters do. */
	if (!text__has_prefix(info->pmu, "uncore_"))
		apply_code(&e, fit__code(info->terms, true));
	return e;
}

struct fit_event fit__slots(void)
{
	return (struct fit_event){.name = topdown__name(TOPDOWN_SLOTS),
				  .counters = SLOTS_COUNTER,
				  .topdown = TOPDOWN_SLOTS};
}

bool fit__has_slots(const struct fit_pmu *pmu)
{
	return pmu->counters & SLOTS_COUNTER;
}

static uint64_t bit(int i)
{
	return 1ull << i;
}

static bool fit__refuse(struct fit_conflict *why, struct fit_conflict conflict)
{
	if (why)
		*why = conflict;
	return false;
}

uint64_t fit__choice(const struct fit_pmu *pmu, uint64_t counters)
{
	return (counters ? counters : GENERAL) & pmu->counters & ~pmu->taken;
}

static uint64_t choice_of_holder(const struct fit *fit, int counter)
{
	int holder = fit->holder[counter];

	return holder == FIT_OTHER ? fit__choice(fit->pmu, GENERAL) : fit->choices[holder - 1];
}

/*
 * Take a free counter for a holder. Fixed counters serve few events, so they are taken before
 * general ones. Return: the counter.
 */
static inline int fit__take(struct fit *fit, uint64_t free, int holder)
{
	int counter = 63 - __builtin_clzll(free);

	fit->used |= bit(counter);
	fit->holder[counter] = holder;
	return counter;
}

/*
 * Move each holder on the path from @choices to a free counter to the next counter of the path, and
 * put the new holder on the first counter.
 */
static void fit__move(struct fit *fit, const int8_t *from, uint64_t choices, int counter,
		      int holder)
{
	for (; !(choices & bit(counter)); counter = from[counter])
		fit->holder[counter] = fit->holder[from[counter]];
	fit->holder[counter] = holder;
}

/*
 * Find a counter for a holder by a breadth-first search of the counters.
 *
 * @seen: counters from which no free counter can be reached
 *
 * Return: 0 if a counter was found; otherwise @seen and the counters reached, whose events cannot
 * move to any other counter.
 */
static uint64_t augment(struct fit *fit, uint64_t choices, uint64_t seen, int holder)
{
	uint64_t todo = choices, found;
	int8_t from[FIT_COUNTERS];

	seen |= choices;
	while (todo) {
		int counter = __builtin_ctzll(todo);

		found = todo & ~fit->used;
		if (found) {
			fit__move(fit, from, choices, fit__take(fit, found, holder), holder);
			return 0;
		}
		todo &= todo - 1;
		found = choice_of_holder(fit, counter) & ~seen;
		seen |= found;
		todo |= found;
		for (; found; found &= found - 1)
			from[__builtin_ctzll(found)] = counter;
	}
	return seen;
}

void fit__init(struct fit *fit, const struct fit_pmu *pmu)
{
	/* events[] and choices[] are not cleared, as searches call this for thousands of sets. */
	memset(&fit->nr, 0, sizeof(*fit) - offsetof(struct fit, nr));
	fit->pmu = pmu;
	/*
	 * Place events of other users first. If there are more of them than counters, no counter is
	 * left.
	 */
	for (int i = 0; i < pmu->others; i++)
		augment(fit, fit__choice(pmu, GENERAL), 0, FIT_OTHER);
}

static uint64_t holders(const struct fit *fit, uint64_t counters)
{
	uint64_t events = 0;

	for (; counters; counters &= counters - 1) {
		int holder = fit->holder[__builtin_ctzll(counters)];

		if (holder > 0)
			events |= bit(holder - 1);
	}
	return events;
}

/* Find a counter for the next event. Return: whether there is one. */
static inline bool find_counter(struct fit *fit, uint64_t choices)
{
	uint64_t reached, free = choices & ~fit->used;

	fit->choices[fit->nr] = choices;
	if (free) {
		fit__take(fit, free, fit->nr + 1);
		return true;
	}
	if (!(choices & ~fit->closed))
		return false;
	reached = augment(fit, choices, fit->closed, fit->nr + 1);
	fit->closed |= reached;
	return !reached;
}

static bool fit__place(struct fit *fit, const struct fit_event *event, struct fit_conflict *why)
{
	uint64_t choices = fit__choice(fit->pmu, event->counters), reached;

	if (!choices)
		return fit__refuse(why, (struct fit_conflict){ .why = FIT_NO_COUNTER,
							  .events = bit(fit->nr),
							  .counters = event->counters });
	if (find_counter(fit, choices))
		return true;
	if (!why)
		return false;
	/* Report only closed counters that the choices of this event lead to. */
	reached = augment(fit, choices, 0, fit->nr + 1);
	return fit__refuse(why, (struct fit_conflict){ .why = FIT_COUNTERS_SHORT,
						  .events = holders(fit, reached) | bit(fit->nr),
						  .counters = reached });
}

/* Place an event that takes two counters, or an event in a set that exclusive events limit. */
static bool place_special(struct fit *fit, const struct fit_event *event, struct fit_conflict *why)
{
	struct fit before = *fit;
	struct fit_conflict conflict;
	uint64_t reached;

	if (!fit__place(fit, event, why))
		return false;
	if (event->pair) {
		/*
		 * Holders may use any general counter, so two counters can always be made adjacent.
		 */
		fit->events[fit->nr] = event;
		reached = augment(fit, fit->choices[fit->nr], 0, fit->nr + 1);
		if (!reached)
			return true;
		conflict = (struct fit_conflict){ .why = FIT_COUNTERS_SHORT,
						  .events = holders(fit, reached) | bit(fit->nr),
						  .counters = reached };
		*fit = before;
		return fit__refuse(why, conflict);
	}
	if (__builtin_popcountll(fit->used & GENERAL) <= fit->pmu->exclusive_most)
		return true;
	*fit = before;
	return fit__refuse(why, (struct fit_conflict){ .why = FIT_EXCLUSIVE_SHORT,
						  .events = bit(fit->nr + 1) - 1 });
}

static bool is_special(const struct fit *fit, const struct fit_event *event)
{
	return event->pair || (fit->pmu->exclusive_most && (fit->exclusive || event->exclusive));
}

/* Find the events of a set that are the same TopDown metric event as @event. */
static uint64_t same_topdown(const struct fit *fit, const struct fit_event *event)
{
	uint64_t same = 0;

	for (int i = 0; i < fit->nr; i++)
		if (fit->events[i]->topdown == event->topdown)
			same |= bit(i);
	return same;
}

/* Count the values that the registers of a kind must hold with the new event. */
static int values_with(const struct fit *fit, const struct fit_event *event)
{
	uint64_t values[FIT_MAX_EVENTS];
	int nr = 0;

	values[nr++] = event->value;
	for (uint64_t rest = fit->with_reg[event->reg]; rest; rest &= rest - 1) {
		uint64_t value = fit->events[__builtin_ctzll(rest)]->value;
		int i = 0;

		while (i < nr && values[i] != value)
			i++;
		if (i == nr)
			values[nr++] = value;
	}
	return nr;
}

__attribute__((noinline)) static bool
add_with_reason(struct fit *fit, const struct fit_event *event, struct fit_conflict *why)
{
	int limit = fit->pmu->registers[event->reg];

	if (fit->nr == FIT_MAX_EVENTS)
		return fit__refuse(why, (struct fit_conflict){.why = FIT_TOO_MANY});
	if (event->alone && fit->alone)
		return fit__refuse(why, (struct fit_conflict){.why = FIT_TWO_ALONE,
							 .events = fit->alone | bit(fit->nr)});
	if (event->reg && limit && values_with(fit, event) > limit)
		return fit__refuse(why, (struct fit_conflict){ .why = FIT_REGISTERS_SHORT,
							  .reg = event->reg,
							  .events = fit->with_reg[event->reg] |
								    bit(fit->nr) });
	if (topdown__is_metric(event->topdown) && fit->topdown & topdown__bit(event->topdown))
		return fit__refuse(why, (struct fit_conflict){ .why = FIT_TWO_ALONE,
							  .events = same_topdown(fit, event) |
								    bit(fit->nr) });
	if (!topdown__is_metric(event->topdown) &&
	    !(is_special(fit, event) ? place_special(fit, event, why)
				     : fit__place(fit, event, why)))
		return false;
	if (event->alone)
		fit->alone |= bit(fit->nr);
	if (event->exclusive)
		fit->exclusive |= bit(fit->nr);
	if (event->reg)
		fit->with_reg[event->reg] |= bit(fit->nr);
	if (topdown__is_metric(event->topdown))
		fit->metrics |= bit(fit->nr);
	fit->topdown |= topdown__bit(event->topdown);
	fit->events[fit->nr++] = event;
	return true;
}

/*
 * This is the fast path: most events need only a counter, and a search does not ask why they do not
 * fit.
 */
bool fit__add(struct fit *fit, const struct fit_event *event, struct fit_conflict *why)
{
	uint64_t choices = fit__choice(fit->pmu, event->counters);

	if (why || event->alone || event->reg || event->topdown || event->exclusive ||
	    is_special(fit, event))
		return add_with_reason(fit, event, why);
	if (fit->nr == FIT_MAX_EVENTS || !choices || !find_counter(fit, choices))
		return false;
	fit->events[fit->nr++] = event;
	return true;
}

void fit__truncate(struct fit *fit, int nr)
{
	uint64_t kept = bit(nr) - 1, freed = 0;

	if (nr == fit->nr)
		return;
	for (uint64_t rest = fit->used; rest; rest &= rest - 1) {
		int counter = __builtin_ctzll(rest);

		if (fit->holder[counter] <= nr)
			continue;
		fit->holder[counter] = 0;
		freed |= bit(counter);
	}
	fit->used &= ~freed;
	if (fit->closed & freed)
		fit->closed = 0;
	for (int i = 0; i < FIT_REGISTERS; i++)
		fit->with_reg[i] &= kept;
	fit->alone &= kept;
	fit->exclusive &= kept;
	fit->metrics &= kept;
	fit->nr = nr;
	if (!fit->topdown)
		return;
	fit->topdown = 0;
	for (int i = 0; i < nr; i++)
		fit->topdown |= topdown__bit(fit->events[i]->topdown);
}

bool fit__complete(const struct fit *fit, struct fit_conflict *why)
{
	if (!topdown__lacks_slots(fit->topdown))
		return true;
	return fit__refuse(why, (struct fit_conflict){.why = FIT_NO_SLOTS, .events = fit->metrics});
}

bool fit__possible(const struct fit_pmu *pmu, const struct fit_event *events, int nr,
		   struct fit_conflict *why)
{
	struct fit fit;

	fit__init(&fit, pmu);
	for (int i = 0; i < nr; i++)
		if (!fit__add(&fit, &events[i], why))
			return false;
	return fit__complete(&fit, why);
}

/* Append "a, b and c". If there are many names, append only the first ones. */
static void fit__put_names(const struct fit_event *events, int nr, uint64_t set, struct sb *sb)
{
	int total = __builtin_popcountll(set), shown = 0;
	int most = total > NAMES_MAX ? NAMES_MAX - 1 : total;

	for (int i = 0; i < nr && shown < most; i++) {
		if (!(set & bit(i)))
			continue;
		if (shown)
			sb__puts(sb, shown == total - 1 ? " and " : ", ");
		sb__puts(sb, events[i].name);
		shown++;
	}
	if (shown < total)
		sb__printf(sb, " and %d more", total - shown);
}

static void put_range(const char *kind, uint64_t mask, struct sb *sb)
{
	struct cpulist list = CPULIST_INIT;

	sb__printf(sb, "%s%s ", kind, mask & (mask - 1) ? "s" : "");
	for (; mask; mask &= mask - 1)
		cpulist__add(&list, __builtin_ctzll(mask));
	cpulist__print(&list, sb);
	cpulist__free(&list);
}

void fit__print_counters(uint64_t counters, const char *joint, struct sb *sb)
{
	if (counters & GENERAL)
		put_range("counter", counters & GENERAL, sb);
	if (counters & GENERAL && counters >> FIT_FIXED)
		sb__puts(sb, joint);
	if (counters >> FIT_FIXED)
		put_range("fixed counter", counters >> FIT_FIXED, sb);
}

static void put_short(const struct fit_pmu *pmu, uint64_t counters, struct sb *sb)
{
	sb__puts(sb, " have only ");
	fit__print_counters(counters, " and ", sb);
	if (pmu->others && counters & GENERAL)
		sb__printf(sb, ", of which others hold %d", pmu->others);
}

static void put_no_counter(const struct fit_pmu *pmu, uint64_t may_use, struct sb *sb)
{
	uint64_t counters = may_use ? may_use : GENERAL & pmu->counters;

	if (!counters) {
		sb__puts(sb, " needs a counter, and this PMU has none");
		return;
	}
	sb__puts(sb, " can use only ");
	fit__print_counters(counters, " and ", sb);
	sb__puts(sb, counters & pmu->counters ? ", held by another user" :
						", which this PMU does not have");
}

void fit__explain(const struct fit_pmu *pmu, const struct fit_event *events, int nr,
		  const struct fit_conflict *why, struct sb *sb)
{
	fit__put_names(events, nr, why->events, sb);
	switch (why->why) {
	case FIT_OK:
		break;
	case FIT_NO_COUNTER:
		put_no_counter(pmu, why->counters, sb);
		break;
	case FIT_COUNTERS_SHORT:
		put_short(pmu, why->counters, sb);
		break;
	case FIT_REGISTERS_SHORT:
		sb__printf(sb, " need different values of the %s, of which there %s %d",
			   registers[why->reg].name, pmu->registers[why->reg] == 1 ? "is" : "are",
			   pmu->registers[why->reg]);
		break;
	case FIT_TWO_ALONE:
		sb__puts(sb, " cannot be counted in one group");
		break;
	case FIT_EXCLUSIVE_SHORT:
		sb__printf(sb, " take more than %d general counters: because of one event, the rest must"
			       " stay free for the other thread of the core", pmu->exclusive_most);
		break;
	case FIT_NO_SLOTS:
		sb__puts(sb, " count only in a group that slots leads");
		break;
	case FIT_TOO_MANY:
		sb__printf(sb, "a group has at most %d events", FIT_MAX_EVENTS);
		break;
	}
}
