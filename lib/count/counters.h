/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of a run: every event on every unit that it is counted on. Events and units come in;
 * file descriptors, which only this file gets from libperf's evsels, go out.
 */
#ifndef TMA_COUNT_COUNTERS_H
#define TMA_COUNT_COUNTERS_H

#include <linux/perf_event.h>

#include "base/cpulist.h"
#include "count/count.h"
#include "count/off_time.h"
#include "count/kernel.h"
#include "count/unit.h"

struct perf_evsel;

/* Whether a counter counts now, if sets of events are counted one after the other. */
enum counter_turn {
	TURN_NOW,    /* it counts; always so in a run without sets */
	TURN_LATER,  /* another set has its turn: the counter is open and stays disabled */
	TURN_CLOSED, /* another set has its turn: the counter has no file descriptors meanwhile */
	TURN_NEVER,  /* another session counts it: it is never opened */
};

/**
 * struct counter - an event as it is opened
 * @evsel:   libperf's, which keeps the file descriptors; NULL for an event that the kernel does not
 *          count
 * @cpus:    where it is opened when counting per CPU
 * @places:  CPUs on each of which it is opened for every thread. Counters that sample tasks have
 *           them, as a buffer belongs to a CPU; for all others this is empty
 * @located: it samples itself (count/locate.h)
 * @leader:  the leader of its group as opened; itself when alone
 * @nr_members: (leader) how many events are in the group as opened, those refused included
 * @turn:    whether it counts now
 * @joined:  tma put it into a group to read it with others; the user did not ask for that
 * @opened:  it is open on at least one unit
 * @refused: errno if the kernel refused it everywhere, ECANCELED if it refused another of its
 *           group, or 0
 * @too_large: the kernel refused its group with EINVAL: its members cannot be counted together
 * @refused_there: where and why, as text, if it was already open on another unit; or NULL
 * @why:     (leader) why its group may not be counted, as text; or NULL
 * @second_pass: its group was split, and it is opened again after all others
 * @apart:   its group was split while it was open; it is still read like a group if it was in one
 * @suspect: its group was split because it starved, in this run or an earlier one: the rest of it
 *           may starve too
 * @starved: (leader) the kernel never schedules its group; @warned_starved: a warning reported it;
 *          nothing can be done
 * @reopen:  it was closed when its group was split, and is about to be opened again
 * @user_only: it is opened without the kernel, which may not be counted
 * @denied:  it was denied with the kernel, whether or not it could be opened without
 * @no_guest: its PMU knows no exclude_guest and exclude_host
 * @no_precise: its samples cannot be precise
 * @host_only: it counts without guests, whose virtual machine has counters of its own
 * @no_lost: (sampled) the kernel cannot report how many samples it lost (before Linux 6.0)
 * @on:      (leader) it is enabled, as far as tma controls that
 * @off:     how long it was disabled by tma
 */
struct counter {
	struct event *event;
	struct perf_evsel *evsel;
	struct cpulist cpus, places;
	struct counter *leader;
	int nr_members;
	enum counter_turn turn;
	int refused;
	char *refused_there, *why;
	bool located, joined, opened, too_large, second_pass, user_only, denied, no_guest, no_lost,
		no_precise;
	bool on, apart, suspect, starved, warned_starved, reopen, host_only;
	struct off_time off;
};

/**
 * struct counter_list - all counters of a run, in the order of its events
 * @kernel:  table of the system calls
 * @nr_more_fds: how many file descriptors are needed beside those of the counters
 * @switching_ns: total time spent on enabling and disabling counters
 * @kept:    sums of (event, unit): what counters had counted before they were closed, because their
 *           CPU went offline or the turn of another set came; NULL when none was closed
 */
struct counter_list {
	struct counter *at;
	int nr;
	struct unit_list units;
	const struct count_kernel *kernel;
	int nr_more_fds;
	uint64_t switching_ns;
	struct sample *kept;
};

/** counters__for_each() - walk all counters; @c points at each in turn. */
#define counters__for_each(c, cs) for ((c) = (cs)->at; (c) < (cs)->at + (cs)->nr; (c)++)
/** counters__for_each_member() - walk the members of a leader's group, including the leader. */
#define counters__for_each_member(c, cs, head)                                                     \
	for ((c) = (head); (c) < (cs)->at + (cs)->nr; (c)++)                                       \
		if ((c)->leader == (head))

/** counters__new() - make a counter for each event, with the groups that the events have. */
void counters__new(struct counter_list *cs, const struct event_list *events);
/** counters__make_evsels() - allocate room for the descriptors of all counters that are placed. */
void counters__make_evsels(struct counter_list *cs);
/** counters__free() - close and release all. */
void counters__free(struct counter_list *cs);
/** counter__count_fds() - return how many file descriptors one of the counters needs. */
int counter__count_fds(const struct counter_list *cs, const struct counter *c);
/** counters__count_fds() - return how many file descriptors all counters need. */
int counters__count_fds(const struct counter_list *cs);
/**
 * counters__nr_alike() - return how many groups multiplex with one that an event is in
 * @topdown: count only groups with TopDown metric events
 */
int counters__nr_alike(const struct counter_list *cs, const struct event *e, bool topdown);
/**
 * counters__rotation_ns() - return how long it takes until each of these groups has had its turn
 *
 * With each turn the kernel moves the first of a PMU's groups to the end of the list.
 */
uint64_t counters__rotation_ns(const struct counter_list *cs, const struct event *e);
/** counters__has_topdown() - whether the kernel counts TopDown metric events in a group. */
bool counters__has_topdown(const struct counter_list *cs, const struct counter *leader);
/** counters__close() - close a counter on all units. */
void counters__close(const struct counter_list *cs, struct counter *c);
/**
 * counters__keep() - keep what a counter has counted on a unit; a status of SAMPLE_LOST persists.
 */
void counters__keep(struct counter_list *cs, const struct counter *c, int unit,
		    const struct sample *sample);
/** counters__add_kept() - add the kept counts to those of a read. */
void counters__add_kept(const struct counter_list *cs, struct counts *total);

/** counter__leave_group() - make a member of a group an event of its own. */
void counter__leave_group(struct counter *c);
/**
 * counters__take_apart() - split a group: make its members events of their own
 *
 * They are opened after all others. TopDown metric events stay with their leader, as they count
 * only in a group led by slots.
 */
void counters__take_apart(struct counter_list *cs, struct counter *leader);
/** counters__take_starved_apart() - split a group that the kernel never schedules. */
void counters__take_starved_apart(struct counter_list *cs, struct counter *leader);
/**
 * counter__may_come_apart() - whether its group may be split: it is weak, or made for metrics or by
 * tma.
 */
bool counter__may_come_apart(const struct counter *leader);
/**
 * counter__can_starve() - whether it leads a group that is watched for starving, or comes from one
 * that was split
 */
bool counter__can_starve(const struct counter *c);
/** counter__nr_places() - return how many places it has on every unit. */
int counter__nr_places(const struct counter *c);
/**
 * counter__attr() - return the attributes it was last opened with; for BPF's counters, those asked
 * for.
 */
struct perf_event_attr *counter__attr(const struct counter *c);

/** counter__is_for() - whether a unit has the core type that the counter counts on. */
bool counter__is_for(const struct counter *c, const struct unit *unit);
/**
 * counter__place() - return where the file descriptor for a unit and one of the counter's places is
 * kept
 *
 * Return: NULL when it has none.
 */
int *counter__place(const struct counter_list *cs, const struct counter *c, int unit, int place);
/** counter__open_fd() - return the file descriptor in its first place; -1 where it is not open. */
int counter__open_fd(const struct counter_list *cs, const struct counter *c, int unit);
/** counter__for_each_fd() - walk the descriptors which are open on a unit; @place is an int. */
#define counter__for_each_fd(fd, place, cs, c, unit)                                               \
	for ((place) = 0; (place) < counter__nr_places(c); (place)++)                              \
		if (((fd) = counter__place((cs), (c), (unit), (place))) && *(fd) >= 0)
/** counter__cpu() - return the CPU it is opened on there, or -1 for wherever the task runs. */
int counter__cpu(const struct counter_list *cs, const struct counter *c, int unit, int place);
/** counter__request() - the request of ioctl() that enables or disables a counter. */
#define counter__request(on) ((on) ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE)
/**
 * counter__ioctl() - make a request to a counter wherever it is open on a unit. Return: 0, or the
 * last -errno.
 */
int counter__ioctl(const struct counter_list *cs, const struct counter *c, int unit,
		   unsigned long request, void *arg);

/* counts.c: the numbers of a sample. */

/** sample__estimate() - set status and estimate of a sample that ran for a part of the time. */
void sample__estimate(struct sample *sample, bool scale);
/** sample__finish() - set the status and the estimate from the raw numbers. */
static inline void sample__finish(struct sample *sample, bool tool, bool scale)
{
	sample->scaled = sample->value;
	/* tma measured it itself, and a time of 0 ns is valid. */
	if (tool) {
		sample->status = SAMPLE_COUNTED;
	} else if (!sample->running) {
		sample->status = SAMPLE_NOT_COUNTED;
		if (scale)
			sample->scaled = 0;
	} else if (sample->running >= sample->enabled) {
		sample->status = SAMPLE_COUNTED;
	} else {
		sample__estimate(sample, scale);
	}
}

/**
 * sample__finish_samples() - the same, called after it, for a value that is a number of samples.
 */
void sample__finish_samples(struct sample *sample);
/** sample__add() - add the raw numbers of @more. */
void sample__add(struct sample *sum, const struct sample *more);

#endif
