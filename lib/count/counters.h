/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of a run: every event on every unit that it is counted on. Events and units come in;
 * file descriptors go out. Only counters.c gets the descriptors from libperf's evsels.
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

/* Whether a counter counts now, if sets of events are counted one after another. */
enum counter_turn {
	TURN_NOW,    /* the counter counts; without sets, all counters do */
	TURN_LATER,  /* another set has its turn: the counter is open and stays disabled */
	TURN_CLOSED, /* another set has its turn: the counter is closed until its own turn */
	TURN_NEVER,  /* another session counts the event: the counter is never opened */
};

/**
 * struct counter - an event as it is opened
 * @evsel:   libperf's evsel, which keeps the file descriptors; NULL for an event that the kernel
 *          does not count
 * @cpus:    CPUs on which the counter is opened, if CPUs are counted
 * @places:  CPUs on each of which the counter is opened for every thread. Only a counter that
 *           samples tasks has places, as a buffer belongs to a CPU
 * @located: the counter samples itself (count/locate.h)
 * @leader:  leader of the group in which the counter is opened; the counter itself if it is not in
 *           a group
 * @nr_members: (leader) number of events in the group as opened, including refused events
 * @turn:    whether the counter counts now
 * @joined:  tma put the counter into a group to read it with others; the user did not ask for the
 *           group
 * @opened:  the counter is open on at least one unit
 * @refused: errno if the kernel refused the counter everywhere; ECANCELED if the kernel refused
 *           another counter of its group; otherwise 0
 * @too_large: the kernel refused the counter's group with EINVAL: the members cannot be counted
 *           together
 * @refused_there: text on where and why the counter was refused, if it was already open on another
 *           unit; or NULL
 * @why:     (leader) text on why its group may not be counted; or NULL
 * @second_pass: the counter's group was split, and the counter is opened again after all others
 * @apart:   the counter's group was split while it was open; the counter is still read like a group
 *           if it was in a group
 * @suspect: the counter's group was split because it starved, in this run or an earlier one: what
 *           is left of the group may starve, too
 * @starved: (leader) the kernel never schedules its group; @warned_starved: a warning reported that
 *          nothing can be done
 * @reopen:  the counter was closed when its group was split, and is about to be opened again
 * @user_only: the counter counts only user space, as the user has no right to count the kernel
 * @denied:  the user has no right to count the kernel with this counter, whether or not it can
 *           count user space
 * @no_guest: the counter's PMU does not have exclude_guest and exclude_host
 * @no_precise: the counter's samples cannot be precise
 * @host_only: the counter leaves out guests, whose virtual machine has counters of its own
 * @no_lost: (sampled) the kernel cannot report how many samples it lost (before Linux 6.0)
 * @on:      (leader) tma has enabled the group
 * @off:     how long tma had the counter disabled
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
 * @nr_more_fds: how many file descriptors the run needs in addition to those of the counters
 * @switching_ns: total time spent on enabling and disabling counters
 * @kept:    for each (event, unit), the counts from before the counter was closed, because its CPU
 *           went offline or the turn of another set came; NULL if no counter was closed
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

/** counters__for_each() - walk all counters; @c points at each counter in turn. */
#define counters__for_each(c, cs) for ((c) = (cs)->at; (c) < (cs)->at + (cs)->nr; (c)++)
/** counters__for_each_member() - walk the members of a leader's group, including the leader. */
#define counters__for_each_member(c, cs, head)                                                     \
	for ((c) = (head); (c) < (cs)->at + (cs)->nr; (c)++)                                       \
		if ((c)->leader == (head))

/** counters__new() - make a counter for each event, with the groups that the events have. */
void counters__new(struct counter_list *cs, const struct event_list *events);
/**
 * counters__make_evsels() - allocate memory for the descriptors of all counters, whose places are
 * known.
 */
void counters__make_evsels(struct counter_list *cs);
/** counters__free() - close and release all counters. */
void counters__free(struct counter_list *cs);
/** counter__count_fds() - return how many file descriptors a counter needs. */
int counter__count_fds(const struct counter_list *cs, const struct counter *c);
/** counters__count_fds() - return how many file descriptors all counters need. */
int counters__count_fds(const struct counter_list *cs);
/**
 * counters__nr_alike() - return how many groups multiplex with each other, including the event's
 * group
 * @topdown: count only groups with TopDown metric events
 */
int counters__nr_alike(const struct counter_list *cs, const struct event *e, bool topdown);
/**
 * counters__rotation_ns() - return how long it takes until each group that multiplexes with the
 * event's has had a turn
 *
 * With each turn the kernel moves the first of a PMU's groups to the end of the list.
 */
uint64_t counters__rotation_ns(const struct counter_list *cs, const struct event *e);
/** counters__has_topdown() - whether the kernel counts TopDown metric events in a group. */
bool counters__has_topdown(const struct counter_list *cs, const struct counter *leader);
/** counters__close() - close a counter on all units. */
void counters__close(const struct counter_list *cs, struct counter *c);
/** counters__keep() - keep the counts of a counter on a unit; a status of SAMPLE_LOST persists. */
void counters__keep(struct counter_list *cs, const struct counter *c, int unit,
		    const struct sample *sample);
/** counters__add_kept() - add the kept counts to those of a read. */
void counters__add_kept(const struct counter_list *cs, struct counts *total);

/** counter__leave_group() - make a member of a group an event of its own. */
void counter__leave_group(struct counter *c);
/**
 * counters__take_apart() - split a group: make its members events of their own
 *
 * The former members are opened after all other counters. TopDown metric events stay with their
 * leader, as they count only in a group led by slots.
 */
void counters__take_apart(struct counter_list *cs, struct counter *leader);
/** counters__take_starved_apart() - split a group that the kernel never schedules. */
void counters__take_starved_apart(struct counter_list *cs, struct counter *leader);
/**
 * counter__may_come_apart() - whether a counter's group may be split: it is weak, or made for
 * metrics or by tma.
 */
bool counter__may_come_apart(const struct counter *leader);
/**
 * counter__can_starve() - whether a counter leads a group that is watched for starving, or comes
 * from such a group that was split
 */
bool counter__can_starve(const struct counter *c);
/** counter__nr_places() - return how many places a counter has on every unit. */
int counter__nr_places(const struct counter *c);
/**
 * counter__attr() - return the attributes that a counter was last opened with; for a counter of
 * BPF, return the attributes of its event.
 */
struct perf_event_attr *counter__attr(const struct counter *c);

/** counter__is_for() - whether a unit has the core type that the counter counts on. */
bool counter__is_for(const struct counter *c, const struct unit *unit);
/**
 * counter__place() - return a pointer to the file descriptor of a counter for a unit and a place
 *
 * Return: NULL if the counter is not opened there.
 */
int *counter__place(const struct counter_list *cs, const struct counter *c, int unit, int place);
/**
 * counter__open_fd() - return the file descriptor in a counter's first place on a unit; -1 if it is
 * not open.
 */
int counter__open_fd(const struct counter_list *cs, const struct counter *c, int unit);
/** counter__for_each_fd() - walk a counter's open descriptors on a unit; @place is an int. */
#define counter__for_each_fd(fd, place, cs, c, unit)                                               \
	for ((place) = 0; (place) < counter__nr_places(c); (place)++)                              \
		if (((fd) = counter__place((cs), (c), (unit), (place))) && *(fd) >= 0)
/**
 * counter__cpu() - return the CPU that a counter is opened on in a place of a unit, or -1 for any
 * CPU that the task runs on.
 */
int counter__cpu(const struct counter_list *cs, const struct counter *c, int unit, int place);
/** counter__request() - return the request of ioctl() that enables or disables a counter. */
#define counter__request(on) ((on) ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE)
/**
 * counter__ioctl() - make a request to a counter in all its open places on a unit. Return: 0, or
 * the last -errno.
 */
int counter__ioctl(const struct counter_list *cs, const struct counter *c, int unit,
		   unsigned long request, void *arg);

/* counts.c: the numbers of a sample. */

/**
 * sample__estimate() - set status and estimate of a sample whose counter ran for a part of the
 * time.
 */
void sample__estimate(struct sample *sample, bool scale);
/** sample__finish() - set the status and the estimate of a sample from its raw numbers. */
static inline void sample__finish(struct sample *sample, bool tool, bool scale)
{
	sample->scaled = sample->value;
	/* If tma and not the kernel measured the value (@tool), a time of 0 ns is valid. */
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
 * sample__finish_samples() - after sample__finish(), correct a sample whose value is a number of
 * samples.
 */
void sample__finish_samples(struct sample *sample);
/** sample__add() - add the raw numbers of @more to a sample. */
void sample__add(struct sample *sum, const struct sample *more);

#endif
