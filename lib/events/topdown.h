/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TopDown events: the kernel's rules for slots, and for the metric events that divide slots. Only
 * this file and topdown.c have their codes and rules; every other file calls these functions.
 *
 * From Ice Lake on, Intel's big cores have a fixed counter for slots only. A register contains how
 * many 255ths of the slots retired, were lost to the front end and so on. The kernel offers each
 * field of the register as a metric event, and its rules (arch/x86/events/intel) are:
 * 1. A PMU has these events if sysfs has its event slots. On any other PMU, such as the E-cores',
 *    an event with the same name or code is an ordinary event.
 * 2. Slots counts only on its fixed counter. A metric event takes no counter.
 * 3. A metric event counts only in a group that slots leads, and in the modes (u, k) of slots.
 * 4. A group has each metric event once, since there is one register.
 * 5. These events have only the terms event and umask. Slots can be sampled, a metric event cannot,
 *    and neither can be precise.
 * 6. A read turns the fields into counts, and the register restarts at 0. The longer ago the last
 *    read was, the more slots a step of a field means, so lib/count/between.c adds reads.
 * If the user names a metric event without slots, slots is added before it: by topdown__add_slots()
 * in lists of events, and by lib/plan and lib/lint for events that they only examine
 * (topdown__lacks_slots(), fit__slots()).
 *
 * Three parts may not include this file: lib/topdown is a library for other programs without
 * dependencies. lib/sim is the kernel's side, and its own copy of the rules tests this copy.
 * lib/json writes formulas before there are events, and knows only names. The tree of TopDown
 * metrics, whatever events these use, is in lib/metrics/topdown.c.
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

#define TOPDOWN_FIXED_COUNTER 3 /* number of the fixed counter for slots */
#define TOPDOWN_STEPS 255	/* a field of the register counts 255ths of the slots */

/* The TopDown events, in the order of their codes. */
enum topdown {
	TOPDOWN_NONE, /* an event of another kind */
	TOPDOWN_SLOTS,
	TOPDOWN_RETIRING, /* level 1 */
	TOPDOWN_BAD_SPEC,
	TOPDOWN_FE_BOUND,
	TOPDOWN_BE_BOUND,
	TOPDOWN_HEAVY_OPS, /* level 2: parts of level 1; the rest has no event */
	TOPDOWN_BR_MISPREDICT,
	TOPDOWN_FETCH_LAT,
	TOPDOWN_MEM_BOUND,
	TOPDOWN_NR,
};

/**
 * topdown__is_metric() - find out whether an event is a metric event, whose group slots must lead.
 */
static inline bool topdown__is_metric(enum topdown t)
{
	return t > TOPDOWN_SLOTS;
}

/** topdown__bit() - get the bit of an event in a set of TopDown events; 0 for TOPDOWN_NONE. */
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

/**
 * topdown__of_code() - find the event with a code (event | umask << 8) on a PMU with TopDown
 * events.
 */
enum topdown topdown__of_code(uint64_t code);
/** topdown__of_name() - find an event by its name in sysfs, in upper or lower case. */
enum topdown topdown__of_name(const char *name);
/** topdown__code() - get the code of an event on a PMU with TopDown events. */
uint64_t topdown__code(enum topdown t);
/** topdown__name() - get the name of an event in sysfs, "topdown-retiring". */
const char *topdown__name(enum topdown t);
/** topdown__terms() - get the code of an event as sysfs writes it, "event=0x00,umask=0x80". */
const char *topdown__terms(enum topdown t);
/** topdown__is_on() - find out whether a PMU has slots and metric events. */
bool topdown__is_on(struct pmu *pmu);
/**
 * topdown__of_event() - find the TopDown kind of a parsed event, by its PMU and code, not its name.
 */
enum topdown topdown__of_event(const struct event *e);
/**
 * topdown__broken_rule() - find why the kernel refuses a TopDown event in its present group, and
 * the remedy
 * @twice: an earlier event of the group is the same
 *
 * Return: a sentence; NULL if no reason is known, and for other events.
 */
const char *topdown__broken_rule(const struct event *e, bool twice);
/**
 * topdown__add_slots() - put slots before each group with metric events that lacks slots
 * @warn: warn of added slots, for events that the user wrote; events of metrics are completed
 *        silently
 *
 * A warning is also given for a metric event whose modes differ from those of slots; the event
 * counts in the modes of slots.
 */
void topdown__add_slots(const struct events_scope *scope, struct event_list *list, bool warn);
/**
 * topdown__forget_events() - remove the TopDown events from the list of a PMU that cannot count
 * them.
 */
void topdown__forget_events(struct pmu *pmu);
/**
 * topdown__assume_events() - add the TopDown events to the core PMUs of a recorded Intel computer.
 */
void topdown__assume_events(struct machine *m);

#endif
