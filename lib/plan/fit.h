/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find out whether a set of events can be counted at the same time, from the counters that each
 * event may use, not from their number alone.
 *
 * counters.h says what each event needs on this machine; the functions here find out whether there
 * are counters for all of them. pack.h uses them for sets of events.
 */
#ifndef TMA_PLAN_FIT_H
#define TMA_PLAN_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "events/topdown.h"

struct event_info;
struct sb;

#define FIT_MAX_EVENTS 64 /* in one group; no kernel takes more */
#define FIT_FIXED 32	  /* number of the first fixed counter; those below are general */
#define FIT_COUNTERS 64

/* Registers which qualify events; several events share one only if they need the same value. */
enum fit_register {
	FIT_NO_REGISTER,
	FIT_OFFCORE_RSP,
	FIT_FRONTEND,
	FIT_LDLAT,
	FIT_REGISTERS,
};

/**
 * struct fit_event - what an event needs
 * @name:     for fit__explain(); not copied
 * @counters: counters it may use, numbered as in event_info.counter_mask; 0: any general one
 * @value:    what it needs in @reg
 * @reg:      register it needs
 * @alone:    a group may have only one event with this flag (event_info.taken_alone)
 * @exclusive: the other thread of the core may not use the same counter at the same time
 *            (fit_pmu.exclusive_most)
 * @pair:     takes two adjacent general counters
 * @topdown:  slots or a metric event of a PMU that has them; their rules are in events/topdown.h
 */
struct fit_event {
	const char *name;
	uint64_t counters, value;
	enum fit_register reg;
	bool alone, exclusive, pair;
	enum topdown topdown;
};

/**
 * struct fit_pmu - what a PMU has
 * @counters:  its counters, a bit each
 * @taken:     counters that another user holds, such as the fixed counter of the NMI watchdog
 * @others:    how many events of other users are on general counters, whichever these are
 * @exclusive_most: a group with an exclusive event may take at most this many general counters,
 *             so that as many are left to the other thread of the core; 0: any number
 * @registers: how many registers there are of each kind; 0: any number
 */
struct fit_pmu {
	uint64_t counters, taken;
	int others, exclusive_most;
	uint8_t registers[FIT_REGISTERS];
};

/* Why events do not fit. */
enum fit_why {
	FIT_OK,
	FIT_NO_COUNTER, /* the PMU has none of the counters that the event may use, or none free */
	FIT_COUNTERS_SHORT,
	FIT_REGISTERS_SHORT,
	FIT_TWO_ALONE,
	FIT_EXCLUSIVE_SHORT,
	FIT_NO_SLOTS,
	FIT_TOO_MANY,
};

/**
 * struct fit_conflict - why events do not fit
 * @events:   events that take part, a bit for each place in the set. For FIT_COUNTERS_SHORT they
 *            can use only @counters, and are one more than these
 * @counters: counters for which the events compete
 * @reg:      (FIT_REGISTERS_SHORT) the register
 */
struct fit_conflict {
	enum fit_why why;
	enum fit_register reg;
	uint64_t events, counters;
};

/**
 * struct fit - a set of events which can be counted together, so far
 *
 * A plain value: nothing is allocated, and a copy saves the state to return to.
 *
 * @choices: which counters each event may use
 * @holder: for each counter, 1 + the place of the event that is on it; 0 if free, -1 for another
 *          user's event
 * @used:   counters with a holder
 * @closed: counters whose holders cannot move to counters outside this set, as far as is known
 * @alone, @exclusive, @metrics, @with_reg: bits of the events that are fit_event.alone, exclusive,
 *          TopDown metric events, or that need each of the registers
 * @topdown: topdown__bit() of its events
 */
struct fit {
	const struct fit_pmu *pmu;
	const struct fit_event *events[FIT_MAX_EVENTS];
	uint64_t choices[FIT_MAX_EVENTS];
	int nr;
	int8_t holder[FIT_COUNTERS];
	uint64_t used, closed, alone, exclusive, metrics, with_reg[FIT_REGISTERS];
	unsigned int topdown;
};

/** fit__pmu() - describe a PMU with these numbers of counters and the registers of Intel cores. */
struct fit_pmu fit__pmu(int general, int fixed);

/**
 * fit__code() - parse event and umask from PMU terms, as the low 16 bits of x86 configs have them
 * @any: ignore the term any, which counts for both threads of the core
 *
 * Return: 0 if the terms have no event, or another term changes what is counted.
 */
uint64_t fit__code(const char *terms, bool any);

/** fit__has_code() - find out whether fit__code() of @terms, without @any, is @code. */
bool fit__has_code(const char *terms, uint64_t code);

/**
 * fit__event() - find what an event needs, by its entry in the tables alone
 *
 * It is found from the counters, the terms (offcore_rsp=, frontend=, ldlat=), the flag TakenAlone,
 * and the codes of TopDown events. An event on a fixed counter whose code a general counter counts
 * as well (instructions, cycles) may use either. counters__need() adds the rules of the machine.
 */
struct fit_event fit__event(const struct event_info *info);

/** fit__slots() - describe what slots needs, for sets that topdown__lacks_slots(). */
struct fit_event fit__slots(void);
/** fit__has_slots() - find out whether a PMU has the counter of slots. */
bool fit__has_slots(const struct fit_pmu *pmu);

/** fit__choice() - choose the free counters of a PMU among @counters; 0: any general one. */
uint64_t fit__choice(const struct fit_pmu *pmu, uint64_t counters);

/** fit__init() - begin an empty set on @pmu, which must outlive it. */
void fit__init(struct fit *fit, const struct fit_pmu *pmu);

/**
 * fit__add() - add an event if the set can still be counted together with it
 * @event: must outlive the set
 * @why:   set when it cannot; may be NULL
 *
 * Events in the set move to other counters as needed, as they do in the kernel. A TopDown metric
 * event may be added before slots: fit__complete() checks that at the end.
 *
 * Return: whether it was added; the set is unchanged when not.
 */
bool fit__add(struct fit *fit, const struct fit_event *event, struct fit_conflict *why);

/**
 * fit__truncate() - take out the events which were added last
 * @nr: how many events stay, at most fit->nr
 */
void fit__truncate(struct fit *fit, int nr);

/** fit__complete() - check that TopDown metric events in a set have slots, which must lead them. */
bool fit__complete(const struct fit *fit, struct fit_conflict *why);

/**
 * fit__possible() - find out whether a set of events can be counted at the same time
 * @why: set when not; may be NULL
 *
 * Takes O(events * counters) steps of a bit mask; does not allocate.
 */
bool fit__possible(const struct fit_pmu *pmu, const struct fit_event *events, int nr,
		   struct fit_conflict *why);

/**
 * fit__print_counters() - append the names of counters
 * @counters: numbered as in event_info.counter_mask; nothing is appended for 0
 * @joint:    text between general and fixed counters
 *
 * "counters 0-3 and fixed counter 1".
 */
void fit__print_counters(uint64_t counters, const char *joint, struct sb *sb);

/**
 * fit__explain() - append why events do not fit, as part of a sentence
 * @events: the set that @why was set for, in the same order
 *
 * "a, b and c have only counters 0-1", "a and b do not share the counters with each other".
 */
void fit__explain(const struct fit_pmu *pmu, const struct fit_event *events, int nr,
		  const struct fit_conflict *why, struct sb *sb);

#endif
