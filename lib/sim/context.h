/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A context schedules the events of one PMU on a CPU, or of a task, as the kernel does. Given a
 * time, it computes what happened until then and adds it to the events. It has the limits that
 * users of the kernel's events meet: a group is scheduled as a whole or not at all, groups that do
 * not fit together are multiplexed, and the times enabled and running show it.
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

/*
 * The largest period of a 48-bit counter: the kernel uses half its range, so that it notices an
 * overflow.
 */
#define EVENT_COUNTER_BITS 48
#define EVENT_MAX_PERIOD ((1ULL << (EVENT_COUNTER_BITS - 1)) - 1)

enum sim_state {
	SIM_EVENT_ERROR, /* a pinned event that did not fit: read() gives end of file */
	SIM_EVENT_OFF,
	SIM_EVENT_INACTIVE,
	SIM_EVENT_ACTIVE,
};

/** struct sim_share - the count and times of an event in one thread of its task */
struct sim_share {
	int thread;
	sim_count_t count;
	uint64_t enabled_ns, running_ns;
};

/**
 * struct sim_event - an open event
 * @fd:      its file descriptor, -1 once closed while others of its group are open
 * @spoilt:  a fault that changes what it counts
 * @cpu:     CPU it counts on; -1 for the event of a task, on all CPUs
 * @leader:  the leader of its group; the event itself if it leads
 * @siblings: in a leader: the other members of the group
 * @need:    what it needs of the PMU; its mask of counters is 0 for software events
 * @count:   the count so far
 * @topdown: in a slots event: the registers from which the group's metric events are read
 * @folded:  in a metric event: the part of the registers that @count already contains
 * @counter: bit of the counter that it is on, plus 1; 0 for none
 * @before:  value of its counter when @count was last set to 0
 * @enabled_ns, @running_ns: as the kernel reports them
 * @exec:    it is enabled when its task executes a program (enable_on_exec)
 * @execs:   how many programs its task had executed when the event was opened
 * @distance: from issue to retirement, for events that happen at issue; else NULL
 * @ring:    the buffer its records go to, which may be another event's; NULL for none
 * @lost:    number of records lost because the buffer had no room
 * @mapped:  @ring was mapped by its own descriptor
 * @signalled: poll() of its descriptor reports that @ring is to be read
 * @stale:   the page at the start of @ring is not up to date with the counter and the count
 * @shares:  counts of each thread, where samples report them (event__shares())
 * @truth:   true counts of each place, when they are to be written
 * @laps:    how often its counter had wrapped when the page was written
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
 * @groups: leaders of the groups: first the pinned ones, then the others in the order of their
 *          turns
 * @now:    time up to which everything is counted, on the clock of the CPU or task
 * @course: which column of the counting model applies at which time
 * @reserved: counters that are never free
 * @frozen: the CPU has gone offline: its events do not count any more
 * @execs: how many programs the task had executed at the last check
 * @nr_sampling: number of events that write records of samples or of mapped files
 * @written_threads: for how many threads PERF_RECORD_FORK was written
 * @written_layout: number of the layout for which records were written, see sim/sideband.h
 * @has_pages: the program has mapped an event
 * @output: writes a record of an event; @period is that of a sample
 * @where: the CPU at @now, also of a task
 * @allowed: the CPUs on which a task may run; NULL for all
 * @clock_ns: the machine's clock is @clock_ns at @clock_from and @clock_span later at @clock_to
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
	int nr_events, nr_sampling, where, written_threads;
	const struct cpulist *allowed;
	void (*output)(struct sim_event *event, enum sim_output what, uint64_t period);
	uint64_t written_layout;
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

/** context__init() - make an empty context whose counting starts at @now, in ns. */
void context__init(struct sim_context *ctx, const struct sim_machine *m, struct sim_pmu *pmu,
		   int cpu, struct sim_task *task, uint64_t now);
/** context__free() - free the list of groups; the events belong to the caller. */
void context__free(struct sim_context *ctx);

/**
 * context__fits() - find out whether the kernel lets an event be opened, alone or in a group
 * @event:  not yet in a group; its pmu and need are set
 * @leader: leader of the group it is to join; NULL for none
 *
 * Return: 0, or -EINVAL when the group could never be scheduled.
 */
int context__fits(const struct sim_event *event, const struct sim_event *leader);
/** context__add() - add a complete event, as a leader or a member. Return: 0 or -ENOMEM. */
int context__add(struct sim_context *ctx, struct sim_event *event);
/**
 * context__remove() - remove an event; when it leads a group, each member becomes a group of its
 * own.
 */
void context__remove(struct sim_event *event);
/** context__drop_group() - remove a leader from the list of groups, and change nothing else. */
void context__drop_group(struct sim_context *ctx, const struct sim_event *leader);
/** context__advance() - count up to a time, in ns; times before the last one are ignored. */
void context__advance(struct sim_context *ctx, uint64_t to);

/** context__reschedule() - schedule anew after events were enabled, disabled or moved. */
void context__reschedule(struct sim_context *ctx);
/**
 * context__task_cpu() - find the CPU on which a task runs
 * @now: time on the task's clock, in ns
 * @allowed: the CPUs that it may run on; NULL for all
 * @until: set to the time until which it stays there
 */
int context__task_cpu(const struct sim_machine *m, const struct cpulist *allowed, uint64_t now,
		      uint64_t *until);
/** context__column() - find the column of the counting model that applies at the present time. */
int context__column(const struct sim_context *ctx);
/** context__clock() - read the machine's clock at the context's present time. */
uint64_t context__clock(const struct sim_context *ctx);

/**
 * event__scale() - scale a rate by the CPU's load and the modes that an event of a core PMU counts.
 */
void event__scale(const struct sim_event *event, const struct sim_machine *m,
		  struct sim_rate *rate);
/** event__enable() - start an event's counting at its context's present time. */
void event__enable(struct sim_event *event);
/** event__disable() - stop an event's counting. */
void event__disable(struct sim_event *event);
/** event__count() - read an event's count, as read() gives it. */
uint64_t event__count(struct sim_event *event);
/**
 * event__writes_records() - find out whether it writes samples, or records of files and threads.
 */
static inline bool event__writes_records(const struct sim_event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	return sampling__is_on(&event->sampling) || attr->mmap || attr->comm || attr->task;
}

/**
 * event__shares() - find out whether its samples contain counts of their own thread, as samples of
 * inherited events with PERF_SAMPLE_READ do
 */
static inline bool event__shares(const struct sim_event *event)
{
	return event->attr.inherit && event->attr.sample_type & PERF_SAMPLE_READ;
}
/** event__is_topdown() - find out whether it is read from the registers of sim/topdown.h. */
bool event__is_topdown(const struct sim_event *event);
/** event__counted() - get its count without the part that is still in the registers of TopDown. */
uint64_t event__counted(const struct sim_event *event);
/**
 * event__raw() - read the counter of an event, with the bits above its 48
 *
 * An event that does not sample starts EVENT_MAX_PERIOD below 0; a slots event with metric events
 * starts at 0.
 */
uint64_t event__raw(const struct sim_event *event);
/** event__laps() - find how often the counter has reached 0 and restarted. */
uint64_t event__laps(const struct sim_event *event);
/** event__reset() - set the count to 0 and leave the times unchanged (PERF_EVENT_IOC_RESET). */
void event__reset(struct sim_event *event);

#endif
