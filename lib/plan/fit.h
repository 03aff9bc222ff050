/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Can a set of events be counted at the same time? By which counters each may use, not by how many.
 *
 * In come events with what they need, as counters.h tells it on this machine; out comes whether
 * counters can be found for all of them. pack.h asks that of sets of events.
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

/* Registers which qualify events, and which several events share only when they want one value. */
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
 * @counters: those it may use, numbered as event_info.counter_mask has them; 0: any general one
 * @value:    what it needs in @reg
 * @reg:      register it needs
 * @alone:    there may be one event of this kind in a group (event_info.taken_alone)
 * @exclusive: no thread of the core may use its counter beside it (fit_pmu.exclusive_most)
 * @pair:     takes two general counters that stand side by side
 * @topdown:  slots or a metric event of a PMU that has them: events/topdown.h says what these need
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
 * @taken:     those of them that another user holds, say the NMI watchdog its fixed one
 * @others:    how many events of other users take any general counter
 * @exclusive_most: a group with an event that is exclusive takes so many general counters at most,
 *             so that the other thread of the core is left as many; 0: any number
 * @registers: how many of each kind; 0 of a kind: not limited
 */
struct fit_pmu {
	uint64_t counters, taken;
	int others, exclusive_most;
	uint8_t registers[FIT_REGISTERS];
};

/* Why events do not fit. */
enum fit_why {
	FIT_OK,
	FIT_NO_COUNTER, /* none of the counters it may use is there */
	FIT_COUNTERS_SHORT,
	FIT_REGISTERS_SHORT,
	FIT_TWO_ALONE,
	FIT_EXCLUSIVE_SHORT,
	FIT_NO_SLOTS,
	FIT_TOO_MANY,
};

/**
 * struct fit_conflict - why events do not fit
 * @events:   which take part, by their place in the set: of FIT_COUNTERS_SHORT those which have
 *            only @counters to go to, one more than there are
 * @counters: for which they compete
 * @reg:      (FIT_REGISTERS_SHORT) which register
 */
struct fit_conflict {
	enum fit_why why;
	enum fit_register reg;
	uint64_t events, counters;
};

/**
 * struct fit - a set of events which can be counted together, so far
 *
 * Plain values: a copy is a way back. Nothing in it is allocated.
 *
 * @choices: which counters each event may use
 * @holder: of each counter, 1 + the place of the event it is for; 0, or -1 for another user's
 * @used:   counters with a holder
 * @closed: counters of these whose holders have no others to go to, as far as that was found
 * @alone, @exclusive, @metrics, @with_reg: which of the events stand alone, are exclusive, are
 *          TopDown metric events, or need each of the registers
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

/** fit__pmu() - a PMU of so many counters; on all of Intel's the registers are as many. */
struct fit_pmu fit__pmu(int general, int fixed);

/**
 * fit__code() - event and umask of PMU terms, as the low 16 bits of x86 configs have them
 * @any: what counts for any thread of the core is the same event
 *
 * Return: 0 where there are none, or another term makes it count something else.
 */
uint64_t fit__code(const char *terms, bool any);

/** fit__has_code() - tell whether terms have a code, as fit__code() without @any gives it. */
bool fit__has_code(const char *terms, uint64_t code);

/**
 * fit__event() - what an event needs by its entry in the tables alone
 *
 * What else holds on a machine is counters__need()'s to say.
 *
 * From the counters, the terms (offcore_rsp=, frontend=, ldlat=), the flag TakenAlone, and the
 * codes of TopDown events. An event on a fixed counter whose code a general
 * counter counts as well (instructions, cycles) may use either.
 */
struct fit_event fit__event(const struct event_info *info);

/** fit__slots() - what slots needs, wherever it has to be added: topdown__lacks_slots(). */
struct fit_event fit__slots(void);
/** fit__has_slots() - whether a PMU has the counter of slots. */
bool fit__has_slots(const struct fit_pmu *pmu);

/** fit__choice() - which of the counters that an event may use a PMU has; 0: any general one. */
uint64_t fit__choice(const struct fit_pmu *pmu, uint64_t counters);

/** fit__init() - an empty set on @pmu, which must outlive it. */
void fit__init(struct fit *fit, const struct fit_pmu *pmu);

/**
 * fit__add() - add an event, if the set can then still be counted together
 * @event: must outlive the set
 * @why:   set when it cannot; may be NULL
 *
 * The events in the set change counters among themselves as needed, as the kernel lets them. A
 * TopDown metric event may be added before slots: fit__complete() tells at the end.
 *
 * Return: whether it was added; the set is unchanged when not.
 */
bool fit__add(struct fit *fit, const struct fit_event *event, struct fit_conflict *why);

/**
 * fit__truncate() - take out the events which were added last
 * @nr: how many stay, at most fit->nr
 */
void fit__truncate(struct fit *fit, int nr);

/** fit__complete() - whether no TopDown metric event lacks the slots that must lead it. */
bool fit__complete(const struct fit *fit, struct fit_conflict *why);

/**
 * fit__possible() - whether a set of events can be counted at the same time
 * @why: set when not; may be NULL
 *
 * Takes O(events * counters) steps of a bit mask; does not allocate.
 */
bool fit__possible(const struct fit_pmu *pmu, const struct fit_event *events, int nr,
		   struct fit_conflict *why);

/**
 * fit__print_counters() - append counters, numbered as event_info.counter_mask has them
 * @joint: what stands between general and fixed ones
 *
 * "counters 0-3 and fixed counter 1"; nothing for none.
 */
void fit__print_counters(uint64_t counters, const char *joint, struct sb *sb);

/**
 * fit__explain() - append the reason in words, as part of a sentence
 * @events: the set that @why was set for, in the same order
 *
 * "a, b and c have only counters 0-1", "a and b do not share the counters with each other".
 */
void fit__explain(const struct fit_pmu *pmu, const struct fit_event *events, int nr,
		  const struct fit_conflict *why, struct sb *sb);

#endif
