/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A context schedules the events of one PMU on a CPU, or for a task, as the kernel does. Given a
 * time, it computes the counts up to that time. It has the limits of the kernel: a group is
 * scheduled as a whole or not at all, and groups that do not fit together are multiplexed, as the
 * times enabled and running show.
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
	SIM_EVENT_ERROR, /* a pinned event did not fit: read() returns end of file */
	SIM_EVENT_OFF,
	SIM_EVENT_INACTIVE,
	SIM_EVENT_ACTIVE,
};

/** struct sim_share - count and times of an event in one thread of its task */
struct sim_share {
	int thread;
	sim_count_t count;
	uint64_t enabled_ns, running_ns;
};

/**
 * struct sim_event - an open event
 * @fd:      file descriptor; -1 if closed while other events of the group are open
 * @spoilt:  a fault that changes the count
 * @cpu:     CPU that the event counts on; -1 for a task, on all CPUs
 * @leader:  the leader of the group, perhaps the event itself
 * @siblings: in a leader: the other members of the group
 * @need:    what the event needs of the PMU; for software events the mask of counters is 0
 * @count:   the count so far
 * @topdown: in a slots event: the registers from which the group's metric events are read
 * @folded:  in a metric event: the part of the registers that @count contains already
 * @counter: bit of the event's counter plus 1; 0 without a counter
 * @before:  value of the counter when @count was last set to 0
 * @enabled_ns, @running_ns: as the kernel reports them
 * @exec:    the event is enabled when its task executes a program (enable_on_exec)
 * @execs:   number of programs that the task had executed when the event was opened
 * @distance: time from issue to retirement, for events that happen at issue; else NULL
 * @ring:    the buffer for the event's records, which may be another event's; or NULL
 * @lost:    number of records that were lost because the buffer had no room
 * @mapped:  @ring was mapped by the event's descriptor
 * @signalled: poll() of the descriptor reports that @ring has to be read
 * @stale:   the page at the start of @ring is not up to date with the counter and the count
 * @shares:  counts of each thread, if samples report them (event__shares())
 * @truth:   true counts of each place, if they will be written
 * @laps:    how often the counter had wrapped when the page was written
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
 * struct sim_context - the events of one PMU on one CPU, or for one task
 * @pmu:    NULL for groups of software events only
 * @cpu:    -1 for a task
 * @groups: leaders of the groups: first of pinned groups, then of other groups in the order of
 *          their turns
 * @now:    time up to which all events are counted, on the clock of the CPU or task
 * @course: which column of the counting model applies at which time
 * @reserved: counters that are never free
 * @frozen: the CPU is offline: its events do not count any more
 * @execs: how many programs the task had executed at the last check
 * @nr_sampling: number of events that write records of samples or of mapped files
 * @written_threads: number of threads for which PERF_RECORD_FORK was written
 * @written_layout: number of the layout whose records were written, see sim/sideband.h
 * @has_pages: the program has mapped an event
 * @output: writes a record of an event; @period: the period of a sample
 * @where: the CPU at @now, even of a task
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

/** group__for_each() - walk through a leader and its siblings; a NULL leader has none. */
#define group__for_each(event, leader)                                                             \
	for (int i_ = -1; (leader) && i_ < (leader)->siblings.nr &&                                \
			  ((event) = i_ < 0 ? (leader) : (leader)->siblings.at[i_]);               \
	     i_++)

/** context__for_each() - walk through all events of a context. */
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
 * @event:  an event that is not in a group yet, with pmu and need set
 * @leader: leader of the group that the event joins; or NULL
 *
 * Return: 0, or -EINVAL if the group could never be scheduled.
 */
int context__fits(const struct sim_event *event, const struct sim_event *leader);
/** context__add() - add a complete event, as a leader or a member. Return: 0 or -ENOMEM. */
int context__add(struct sim_context *ctx, struct sim_event *event);
/**
 * context__remove() - remove an event; if it leads a group, each member becomes a group by itself.
 */
void context__remove(struct sim_event *event);
/** context__drop_group() - only remove a leader from the list of groups. */
void context__drop_group(struct sim_context *ctx, const struct sim_event *leader);
/** context__advance() - count up to a time, in ns; a time before the last one is ignored. */
void context__advance(struct sim_context *ctx, uint64_t to);

/** context__reschedule() - schedule again after events were enabled, disabled or moved. */
void context__reschedule(struct sim_context *ctx);
/**
 * context__task_cpu() - find the CPU on which a task runs
 * @now: time on the task's clock, in ns
 * @allowed: the CPUs that the task may run on; NULL for all
 * @until: set to the time until which the task stays on this CPU
 */
int context__task_cpu(const struct sim_machine *m, const struct cpulist *allowed, uint64_t now,
		      uint64_t *until);
/**
 * context__column() - find the column of the counting model that applies at @ctx's present time.
 */
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
 * event__writes_records() - find out whether an event writes samples, or records of files and
 * threads.
 */
static inline bool event__writes_records(const struct sim_event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	return sampling__is_on(&event->sampling) || attr->mmap || attr->comm || attr->task;
}

/**
 * event__shares() - find out whether an event's samples contain counts of the sampled thread only,
 * as for inherited events with PERF_SAMPLE_READ
 */
static inline bool event__shares(const struct sim_event *event)
{
	return event->attr.inherit && event->attr.sample_type & PERF_SAMPLE_READ;
}
/** event__is_topdown() - find out whether an event is read from the registers of sim/topdown.h. */
bool event__is_topdown(const struct sim_event *event);
/** event__counted() - get the count without the part that is only in the registers of TopDown. */
uint64_t event__counted(const struct sim_event *event);
/**
 * event__raw() - read the counter of an event, including bits above the 48 of the hardware
 *
 * An event that does not sample starts EVENT_MAX_PERIOD below 0; a slots event with metric events
 * starts at 0.
 */
uint64_t event__raw(const struct sim_event *event);
/** event__laps() - find how often the counter has overflowed and restarted. */
uint64_t event__laps(const struct sim_event *event);
/** event__reset() - set the count to 0 and leave the times unchanged (PERF_EVENT_IOC_RESET). */
void event__reset(struct sim_event *event);

#endif
