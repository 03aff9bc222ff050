/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A context schedules the events of a PMU on a CPU, or of a task, as the kernel does. In comes a
 * time; what happened until then is added to the events. All of it is calculation. Every mistake
 * that the kernel's users meet is here too: groups fit as a whole or not at all, more groups than
 * counters take turns, and times enabled and running say so.
 */
#ifndef TMA_SIM_CONTEXT_H
#define TMA_SIM_CONTEXT_H

#include <linux/perf_event.h>

#include "sim/counters.h"
#include "sim/fault.h"
#include "sim/rate.h"
#include "sim/sampling.h"
#include "sim/truth.h"

struct sim_ring;
struct sim_task;
struct sim_topdown;
struct sim_context;

/* Counters of 48 bits count this far at most: the kernel wants to notice when they are full. */
#define EVENT_COUNTER_BITS 48
#define EVENT_MAX_PERIOD ((1ULL << (EVENT_COUNTER_BITS - 1)) - 1)

enum sim_state {
	SIM_EVENT_ERROR, /* it is pinned and did not fit: read() gives end of file */
	SIM_EVENT_OFF,
	SIM_EVENT_INACTIVE,
	SIM_EVENT_ACTIVE,
};

/** struct sim_share - what an event has counted in one thread of its task, and for how long */
struct sim_share {
	int thread;
	sim_count_t count;
	uint64_t enabled_ns, running_ns;
};

/**
 * struct sim_event - an open event
 * @fd:      its file descriptor, -1 once closed while others of its group are open
 * @spoilt:  a fault of what it counts
 * @cpu:     CPU it counts on; -1 for a task wherever it runs
 * @leader:  of its group, itself for the leader
 * @siblings: the other members; the leader's only
 * @need:    what of the PMU it uses; counters of mask 0 for software events
 * @count:   what was counted
 * @topdown: of a slots event: the registers which its metric events are read from
 * @folded:  of a metric event: what of the registers is in @count already
 * @counter: bit of the counter that it is on, plus 1; 0 for none
 * @before:  what its counter had counted when @count was last set to 0
 * @enabled_ns, @running_ns: as the kernel reports them
 * @exec:    not enabled before its task executes a program
 * @execs:   how many its task had executed when the event was opened
 * @distance: from issue to retirement, or NULL
 * @ring:    the buffer its records go to, which may be another event's; NULL for none
 * @lost:    records for which there was no room
 * @mapped:  @ring was mapped by its own descriptor
 * @signalled: its descriptor tells poll() that @ring is to be read
 * @stale:   the page at the start of @ring tells of another counter or count
 * @shares:  by thread, where samples tell of these (event__shares())
 * @truth:   by place, where it is asked for
 * @laps:    how often its counter had been full when the page was written
 */
struct sim_event {
	int fd;
	uint64_t id;
	struct perf_event_attr attr;
	struct sim_pmu *pmu;
	struct sim_config config;
	enum fault_count spoilt;
	int cpu;
	struct sim_context *ctx;
	struct sim_event *leader;
	VEC(struct sim_event *) siblings;
	enum sim_state state;
	struct sim_need need;
	struct sim_rate rate;
	sim_count_t count, folded;
	struct sim_topdown *topdown;
	int counter;
	uint64_t before;
	uint64_t enabled_ns, running_ns;
	bool exec;
	unsigned int execs;
	struct sim_sampling sampling;
	const struct sim_distance *distance;
	struct sim_ring *ring;
	uint64_t lost;
	bool signalled, mapped, stale;
	uint64_t laps;
	VEC(struct sim_share) shares;
	struct sim_truth truth;
};

/**
 * struct sim_context - the events of one PMU on one CPU, or of one task
 * @pmu:    NULL for groups of software events only
 * @cpu:    -1 for a task
 * @groups: their leaders: pinned ones first, then the others in the order of their turn
 * @now:    time up to which everything is counted, on the clock of the CPU or task
 * @course: which column of the counting model holds when
 * @reserved: counters that are never free
 * @frozen: the CPU has gone offline: nothing counts any more
 * @execs: programs which the task had executed when this was last looked at
 * @nr_sampling: events that write records: samples, or what is mapped
 * @told_threads: how many threads were told of
 * @told:   the number of the layout that was told of, see sim/sideband.h
 * @has_pages: the program has mapped an event
 * @output: where what they write goes; @period is that of a sample
 * @where: the CPU at @now, a task's too
 * @allowed: the CPUs on which a task may run; NULL for all
 * @clock_ns: the machine's clock at @clock_from, and @clock_span of it pass until @clock_to
 */
struct sim_context {
	const struct sim_machine *m;
	struct sim_pmu *pmu;
	int cpu;
	struct sim_task *task;
	VEC(struct sim_event *) groups;
	uint64_t now, next_turn, reserved;
	struct sim_course course;
	bool rotate, changed, frozen, has_pages;
	unsigned int execs;
	int nr_events, nr_sampling, where, told_threads;
	const struct cpulist *allowed;
	void (*output)(struct sim_event *event, enum sim_output what, uint64_t period);
	uint64_t told;
	uint64_t clock_ns, clock_span, clock_from, clock_to;
};

/** group__for_each() - walk a leader and its siblings; nothing for NULL. */
#define group__for_each(event, leader)                                                             \
	for (int i_ = -1; (leader) && i_ < (leader)->siblings.nr &&                                \
			  ((event) = i_ < 0 ? (leader) : (leader)->siblings.at[i_]);               \
	     i_++)

/** context__for_each() - walk all events of a context. */
#define context__for_each(event, ctx)                                                              \
	for (int g_ = 0; g_ < (ctx)->groups.nr; g_++)                                              \
		group__for_each(event, (ctx)->groups.at[g_])

/** context__init() - begin an empty context at time @now. */
void context__init(struct sim_context *ctx, const struct sim_machine *m, struct sim_pmu *pmu,
		   int cpu, struct sim_task *task, uint64_t now);
/** context__free() - release the list of groups; the events are not the context's. */
void context__free(struct sim_context *ctx);

/**
 * context__fits() - whether the kernel lets an event be opened: alone, or as another member
 * @event:  not yet a member of anything; its pmu and need are set
 * @leader: whose group it is to join; NULL for none
 *
 * Return: 0, or -EINVAL when the group could never be scheduled.
 */
int context__fits(const struct sim_event *event, const struct sim_event *leader);
/** context__add() - let a complete event in, as a leader or a member. Return: 0 or -ENOMEM. */
int context__add(struct sim_context *ctx, struct sim_event *event);
/** context__remove() - take an event out; the members of a group without its leader stand alone. */
void context__remove(struct sim_event *event);
/** context__drop_group() - take a leader off the list of groups, and nothing else. */
void context__drop_group(struct sim_context *ctx, const struct sim_event *leader);
/** context__advance() - count up to a time. Earlier times than the last are ignored. */
void context__advance(struct sim_context *ctx, uint64_t to);

/** context__reschedule() - let what was enabled, stopped or moved just now take effect at once. */
void context__reschedule(struct sim_context *ctx);
/**
 * context__task_cpu() - find the CPU on which a task is
 * @now: time on its own clock
 * @allowed: the CPUs that it may run on; NULL for all
 * @until: until when it stays there
 */
int context__task_cpu(const struct sim_machine *m, const struct cpulist *allowed, uint64_t now,
		      uint64_t *until);
/** context__column() - the column of the counting model that holds at the present time. */
int context__column(const struct sim_context *ctx);
/** context__clock() - read the machine's clock at the context's present time. */
uint64_t context__clock(const struct sim_context *ctx);

/** event__scale() - make a rate that of the CPU and modes of a core PMU's event. */
void event__scale(const struct sim_event *event, const struct sim_machine *m,
		  struct sim_rate *rate);
/** event__enable() - let an event count from its context's present time on. */
void event__enable(struct sim_event *event);
/** event__disable() - stop it from counting. */
void event__disable(struct sim_event *event);
/** event__count() - tell what it has counted, as read() gives it. */
uint64_t event__count(struct sim_event *event);
/** event__writes_records() - whether it writes samples, or what programs map and make. */
static inline bool event__writes_records(const struct sim_event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	return sampling__is_on(&event->sampling) || attr->mmap || attr->comm || attr->task;
}

/**
 * event__shares() - whether samples tell of their own thread's counts, as those of inherited events
 * do that read counts
 */
static inline bool event__shares(const struct sim_event *event)
{
	return event->attr.inherit && event->attr.sample_type & PERF_SAMPLE_READ;
}
/** event__is_topdown() - whether it is read from registers that sim/topdown.h has. */
bool event__is_topdown(const struct sim_event *event);
/** event__counted() - tell what it has counted without looking at the registers of TopDown. */
uint64_t event__counted(const struct sim_event *event);
/**
 * event__raw() - read the counter that the event is on, beyond its 48 bits too
 *
 * An event that does not sample begins as far below 0 as it could count without an interrupt; a
 * slots event with metric events begins at 0.
 */
uint64_t event__raw(const struct sim_event *event);
/** event__laps() - count how often the counter has come up to 0 and begun anew. */
uint64_t event__laps(const struct sim_event *event);
/** event__reset() - set the count to 0, while the times go on (PERF_EVENT_IOC_RESET). */
void event__reset(struct sim_event *event);

#endif
