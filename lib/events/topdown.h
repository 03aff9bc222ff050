/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TopDown events: what the kernel demands of slots and of the metric events that divide it. Codes
 * and rules stand here and in topdown.c alone; every other file asks these functions.
 *
 * From Ice Lake on, Intel's big cores count slots on a fixed counter of its own, and a register
 * tells how many 255ths of these retired, were lost to the front end and so on. The kernel offers
 * each field of the register as a metric event, and its rules (arch/x86/events/intel) are:
 * 1. A PMU has these events if sysfs has its event slots. On any other PMU, the E-cores' say, an
 *    event of the same name or code is an ordinary one.
 * 2. Slots counts on its fixed counter and nowhere else. A metric event takes no counter.
 * 3. A metric event counts only in a group that slots leads, and in the modes (u, k) of slots.
 * 4. A group has each metric event once, since there is one register.
 * 5. Events of this kind have no terms but event and umask. Slots can be sampled, a metric event
 *    cannot, nor is any of them precise.
 * 6. A read turns the fields into counts and begins at 0 again. One step of a field stands for more
 *    slots the longer the last read is ago, so lib/count/between.c reads in between.
 * Who asks for a metric event without slots gets slots added in front of it: topdown__add_slots()
 * does so for lists of events, and lib/plan and lib/lint do it for events that they only weigh
 * (topdown__lacks_slots(), fit__slots()).
 *
 * Three parts do not ask here, since they may not include this: lib/topdown is a library for other
 * programs and stands alone; lib/sim is the kernel's side, and with its own copy of the rules tests
 * this one; lib/json writes formulas before there are events, and knows names alone. The tree of
 * TopDown metrics, whatever events these are made of, is lib/metrics/topdown.c.
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
#define TOPDOWN_STEPS 255	/* a field of the register is a share of the slots in such steps */

/* Which TopDown event it is, in the order of their codes. */
enum topdown {
	TOPDOWN_NONE, /* an event of another kind */
	TOPDOWN_SLOTS,
	TOPDOWN_RETIRING, /* level 1 */
	TOPDOWN_BAD_SPEC,
	TOPDOWN_FE_BOUND,
	TOPDOWN_BE_BOUND,
	TOPDOWN_HEAVY_OPS, /* level 2, each a part of one above; the rest of that is the other part
			    */
	TOPDOWN_BR_MISPREDICT,
	TOPDOWN_FETCH_LAT,
	TOPDOWN_MEM_BOUND,
	TOPDOWN_NR,
};

/** topdown__is_metric() - whether it is a metric event, which needs slots to lead its group. */
static inline bool topdown__is_metric(enum topdown t)
{
	return t > TOPDOWN_SLOTS;
}

/** topdown__bit() - the bit of an event in a set of them; 0 for TOPDOWN_NONE. */
static inline unsigned int topdown__bit(enum topdown t)
{
	return t ? 1U << t : 0;
}

/**
 * topdown__lacks_slots() - whether slots has to be added to a group
 * @set: topdown__bit() of all of the group's events
 */
static inline bool topdown__lacks_slots(unsigned int set)
{
	return set && !(set & topdown__bit(TOPDOWN_SLOTS));
}

/** topdown__of_code() - which event has this code on a PMU that has them (event | umask << 8). */
enum topdown topdown__of_code(uint64_t code);
/** topdown__of_name() - which event sysfs gives this name, in any case of letters. */
enum topdown topdown__of_name(const char *name);
/** topdown__code() - its code on a PMU that has them. */
uint64_t topdown__code(enum topdown t);
/** topdown__name() - the name that sysfs gives it, "topdown-retiring". */
const char *topdown__name(enum topdown t);
/** topdown__terms() - its code as sysfs writes it, "event=0x00,umask=0x80". */
const char *topdown__terms(enum topdown t);
/** topdown__is_on() - whether a PMU has slots and metric events. */
bool topdown__is_on(struct pmu *pmu);
/** topdown__of_event() - what a parsed event is by its PMU and code, whatever its name. */
enum topdown topdown__of_event(const struct event *e);
/**
 * topdown__broken_rule() - why the kernel refuses a TopDown event as it is, with what to do
 * @twice: its group has the same event before it
 *
 * Return: a sentence; NULL for no known reason and for events of other kinds.
 */
const char *topdown__broken_rule(const struct event *e, bool twice);
/**
 * topdown__add_slots() - put slots in front of each group with metric events that lacks it
 * @warn: warn of that: the user wrote the events. What a metric needs besides is nobody's worry
 *
 * Another warning is of a metric event with other modes than its slots, which are the ones it
 * counts in.
 */
void topdown__add_slots(const struct events_scope *scope, struct event_list *list, bool warn);
/** topdown__forget_events() - take these events of sysfs from a PMU: it cannot count them. */
void topdown__forget_events(struct pmu *pmu);
/** topdown__assume_events() - give a recorded Intel computer's core PMUs these events of sysfs. */
void topdown__assume_events(struct machine *m);

#endif
