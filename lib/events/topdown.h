/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TopDown events: what the kernel requires of slots and of the metric events that divide it. Only
 * this file and topdown.c have their codes and rules; every other file calls these functions.
 *
 * From Ice Lake on, Intel's big cores count slots on a fixed counter of its own, and a register
 * says how many 255ths of these retired, were lost to the front end and so on. The kernel offers
 * each field of the register as a metric event, and its rules (arch/x86/events/intel) are:
 * 1. A PMU has these events if sysfs has its event slots. On any other PMU, such as the E-cores',
 *    an event of the same name or code is an ordinary one.
 * 2. Slots counts on its fixed counter and on no other. A metric event takes no counter.
 * 3. A metric event counts only in a group that slots leads, and in the modes (u, k) of slots.
 * 4. A group has each metric event once, since there is one register.
 * 5. Events of this kind have no terms but event and umask. Slots can be sampled, a metric event
 *    cannot, and neither can be precise.
 * 6. A read turns the fields into counts and restarts at 0. The longer ago the last read is, the
 *    more slots is one step of a field, so lib/count/between.c reads in between.
 * If a metric event is asked for without slots, slots is added in front of it: topdown__add_slots()
 * does so for lists of events; lib/plan and lib/lint do it for events that they only look at
 * (topdown__lacks_slots(), fit__slots()).
 *
 * Three parts do not use this file, since they may not include it: lib/topdown is a library for
 * other programs without dependencies; lib/sim is the kernel's side, and its own copy of the rules
 * tests this one; lib/json writes formulas before there are events, and knows only names. The tree
 * of TopDown metrics, whatever events these use, is in lib/metrics/topdown.c.
 */
#ifndef TMA_EVENTS_TOPDOWN_H
#define TMA_EVENTS_TOPDOWN_H

#include <stdbool.h>
#include <stdint.h>

struct event;
struct event_list;
struct events_scope;
struct machine;
struct pmu;

#define TOPDOWN_FIXED_COUNTER 3 /* number of the fixed counter that slots is on */
#define TOPDOWN_STEPS 255	/* a field of the register counts 255ths of the slots */

/* The TopDown events, in the order of their codes. */
enum topdown {
	TOPDOWN_NONE, /* an event of another kind */
	TOPDOWN_SLOTS,
	TOPDOWN_RETIRING, /* level 1 */
	TOPDOWN_BAD_SPEC,
	TOPDOWN_FE_BOUND,
	TOPDOWN_BE_BOUND,
	TOPDOWN_HEAVY_OPS, /* level 2, each a part of one above; the rest of that has no event
			    */
	TOPDOWN_BR_MISPREDICT,
	TOPDOWN_FETCH_LAT,
	TOPDOWN_MEM_BOUND,
	TOPDOWN_NR,
};

/** topdown__is_metric() - find out whether it is a metric event, whose group slots must lead. */
static inline bool topdown__is_metric(enum topdown t)
{
	return t > TOPDOWN_SLOTS;
}

/** topdown__bit() - get the bit of an event in a set of them; 0 for TOPDOWN_NONE. */
static inline unsigned int topdown__bit(enum topdown t)
{
	return t ? 1U << t : 0;
}

/**
 * topdown__lacks_slots() - find out whether slots must be added to a group
 * @set: topdown__bit() of all of the group's events
 */
static inline bool topdown__lacks_slots(unsigned int set)
{
	return set && !(set & topdown__bit(TOPDOWN_SLOTS));
}

/** topdown__of_code() - find the event with a code (event | umask << 8) on a PMU that has them. */
enum topdown topdown__of_code(uint64_t code);
/** topdown__of_name() - find the event by its name in sysfs, in upper or lower case. */
enum topdown topdown__of_name(const char *name);
/** topdown__code() - get its code on a PMU that has these events. */
uint64_t topdown__code(enum topdown t);
/** topdown__name() - get its name in sysfs, "topdown-retiring". */
const char *topdown__name(enum topdown t);
/** topdown__terms() - get its code as sysfs writes it, "event=0x00,umask=0x80". */
const char *topdown__terms(enum topdown t);
/** topdown__is_on() - find out whether a PMU has slots and metric events. */
bool topdown__is_on(struct pmu *pmu);
/** topdown__of_event() - find which one a parsed event is, by its PMU and code, not its name. */
enum topdown topdown__of_event(const struct event *e);
/**
 * topdown__broken_rule() - find why the kernel refuses a TopDown event as it is, and what to do
 * @twice: its group has the same event before it
 *
 * Return: a sentence; NULL if no reason is known, and for other events.
 */
const char *topdown__broken_rule(const struct event *e, bool twice);
/**
 * topdown__add_slots() - put slots in front of each group with metric events that lacks it
 * @warn: warn of it, as the user wrote the events; events of metrics are completed silently
 *
 * It also warns of a metric event whose modes differ from those of its slots: it counts in the
 * latter.
 */
void topdown__add_slots(const struct events_scope *scope, struct event_list *list, bool warn);
/** topdown__forget_events() - remove these events from a PMU's list: it cannot count them. */
void topdown__forget_events(struct pmu *pmu);
/** topdown__assume_events() - add these events to the core PMUs of a recorded Intel computer. */
void topdown__assume_events(struct machine *m);

#endif
