/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find out whether a set of events can be counted at the same time. This depends on the counters
 * that each event may use, not only on the number of events.
 *
 * counters.h finds the needs of each event on this machine; the functions here find out whether
 * there are counters for all events. pack.h uses these functions for sets of events.
 */
#ifndef TMA_PLAN_FIT_H
#define TMA_PLAN_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "events/topdown.h"

struct event_info;
struct sb;

#define FIT_MAX_EVENTS 64 /* the most events in a group; no kernel accepts more */
#define FIT_FIXED 32	  /* number of the first fixed counter; lower numbers are general
			   * counters */
#define FIT_COUNTERS 64

/*
 * Registers that qualify events. Several events share a register only if they need the same value
 * in it.
 */
enum fit_register {
	FIT_NO_REGISTER,
	FIT_OFFCORE_RSP,
	FIT_FRONTEND,
	FIT_LDLAT,
	FIT_REGISTERS,
};

/**
 * struct fit_event - the needs of an event
 * @name:     name for fit__explain(); not copied
 * @counters: counters that the event may use, numbered as in event_info.counter_mask; 0: any
 *            general counter
 * @value:    the value that the event needs in @reg
 * @reg:      the register that the event needs
 * @alone:    a group may have only one event with this flag (event_info.taken_alone)
 * @exclusive: while the event is counted, the other thread of the core may not use the same counter
 *            (fit_pmu.exclusive_most)
 * @pair:     the event takes two adjacent general counters
 * @topdown:  the event is slots or a TopDown metric event; events/topdown.h has the rules
 */
struct fit_event {
	const char *name;
	uint64_t counters, value;
	enum fit_register reg;
	bool alone, exclusive, pair;
	enum topdown topdown;
};

/**
 * struct fit_pmu - the counters and registers of a PMU
 * @counters:  a bit for each counter
 * @taken:     counters that another user holds, such as the fixed counter of the NMI watchdog
 * @others:    number of other users' events on general counters; their counters are not known
 * @exclusive_most: a group with an exclusive event may use at most this many general counters, so
 *             that as many are left to the other thread of the core; 0: any number
 * @registers: number of registers of each kind; 0: any number
 */
struct fit_pmu {
	uint64_t counters, taken;
	int others, exclusive_most;
	uint8_t registers[FIT_REGISTERS];
};

/* Why events do not fit. */
enum fit_why {
	FIT_OK,
	FIT_NO_COUNTER, /* the PMU does not have any of the counters that the event may use, or none
			 * of them is free */
	FIT_COUNTERS_SHORT,
	FIT_REGISTERS_SHORT,
	FIT_TWO_ALONE,
	FIT_EXCLUSIVE_SHORT,
	FIT_NO_SLOTS,
	FIT_TOO_MANY,
};

/**
 * struct fit_conflict - why events do not fit
 * @events:   events in conflict, a bit for each index in the set. For FIT_COUNTERS_SHORT, these
 *            events can use only @counters, and there is one event too many
 * @counters: counters for which the events compete
 * @reg:      (FIT_REGISTERS_SHORT) the register
 */
struct fit_conflict {
	enum fit_why why;
	enum fit_register reg;
	uint64_t events, counters;
};

/**
 * struct fit - a set of events that can be counted together; events can be added
 *
 * A struct fit is a plain value: nothing is allocated, and a copy saves the state.
 *
 * @choices: which counters each event may use
 * @holder: for each counter, 1 + the index of the event on the counter; 0 if the counter is free,
 *          -1 for an event of another user
 * @used:   counters with a holder
 * @closed: counters whose holders are known to be unable to move to other counters than these
 * @alone, @exclusive: a bit for each event with fit_event.alone, or fit_event.exclusive
 * @metrics: a bit for each TopDown metric event
 * @with_reg: for each register, a bit for each event that needs it
 * @topdown: topdown__bit() of all events
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

/**
 * fit__pmu() - describe a PMU with these numbers of counters, and with the registers of Intel
 * cores.
 */
struct fit_pmu fit__pmu(int general, int fixed);

/**
 * fit__code() - parse event and umask from PMU terms; the result is the low 16 bits of config on
 * x86
 * @any: ignore the term any, which counts for both threads of the core
 *
 * Return: 0 if there is no event among the terms, or if another term changes what is counted.
 */
uint64_t fit__code(const char *terms, bool any);

/** fit__has_code() - find out whether fit__code() of @terms, without @any, is @code. */
bool fit__has_code(const char *terms, uint64_t code);

/**
 * fit__event() - find the needs of an event from nothing but its entry in the tables
 *
 * The sources are the counters, the terms (offcore_rsp=, frontend=, ldlat=), the flag TakenAlone,
 * and the codes of TopDown events. An event that both a fixed and a general counter can count
 * (instructions, cycles) may use either. counters__need() also applies the rules of the machine.
 */
struct fit_event fit__event(const struct event_info *info);

/** fit__slots() - return the needs of slots, for sets that topdown__lacks_slots(). */
struct fit_event fit__slots(void);
/** fit__has_slots() - find out whether a PMU has the counter of slots. */
bool fit__has_slots(const struct fit_pmu *pmu);

/**
 * fit__choice() - return the counters in @counters that a PMU has and that are free; for 0, all
 * such general counters.
 */
uint64_t fit__choice(const struct fit_pmu *pmu, uint64_t counters);

/** fit__init() - begin an empty set on @pmu, which must outlive it. */
void fit__init(struct fit *fit, const struct fit_pmu *pmu);

/**
 * fit__add() - add an event if it can be counted together with the set
 * @event: must outlive the set
 * @why:   set if the event cannot be added; may be NULL
 *
 * As in the kernel, events of the set move to other counters if needed. A TopDown metric event may
 * be added before slots; fit__complete() checks at the end that slots was added.
 *
 * Return: whether the event was added. If not, the set is unchanged.
 */
bool fit__add(struct fit *fit, const struct fit_event *event, struct fit_conflict *why);

/**
 * fit__truncate() - remove the events that were added last
 * @nr: number of events that stay, at most fit->nr
 */
void fit__truncate(struct fit *fit, int nr);

/**
 * fit__complete() - check that slots, which must lead TopDown metric events, is in a set that has
 * such events.
 */
bool fit__complete(const struct fit *fit, struct fit_conflict *why);

/**
 * fit__possible() - find out whether a set of events can be counted at the same time
 * @why: set if the events do not fit; may be NULL
 *
 * The time is O(events * counters) operations on bit masks. Nothing is allocated.
 */
bool fit__possible(const struct fit_pmu *pmu, const struct fit_event *events, int nr,
		   struct fit_conflict *why);

/**
 * fit__print_counters() - append the names of counters
 * @counters: numbered as in event_info.counter_mask; nothing is appended for 0
 * @joint:    text between general and fixed counters
 *
 * Example: "counters 0-3 and fixed counter 1".
 */
void fit__print_counters(uint64_t counters, const char *joint, struct sb *sb);

/**
 * fit__explain() - append why events do not fit, as part of a sentence
 * @events: the set of events that @why was set for, in the same order
 *
 * Examples: "a, b and c have only counters 0-1", "a and b cannot be counted in one group".
 */
void fit__explain(const struct fit_pmu *pmu, const struct fit_event *events, int nr,
		  const struct fit_conflict *why, struct sb *sb);

#endif
