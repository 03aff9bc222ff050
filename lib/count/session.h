/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of this stage share. */
#ifndef TMA_COUNT_SESSION_H
#define TMA_COUNT_SESSION_H

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/sb.h"
#include "base/vec.h"
#include "count/count.h"
#include "count/kernel.h"

struct perf_evsel;
struct sampler;

/**
 * struct counter - an event as it is opened
 * @evsel:   libperf's, which keeps the file descriptors; NULL for what the kernel does not count
 * @cpus:    where it is opened when counting per CPU
 * @places:  CPUs on each of which it is opened for every thread: of a latency that is sampled on
 *           tasks, as a buffer belongs to a CPU; empty for all others
 * @leader:  index of the leader of its group as opened; its own when alone
 * @nr_members: of a leader: events in the group as opened, those refused included
 * @joined:  into a group by session__join(), and not by whoever wants the events
 * @opened:  on at least one unit
 * @refused: errno with which the kernel refused it everywhere, ECANCELED when it refused another
 *            of its group, or 0
 * @too_large: it did so with EINVAL: they do not go together
 * @why: of the leader: what is in the way of its group, in words; or NULL
 * @second_pass: of a group taken apart: opened again after all others
 * @user_only: tried without the kernel, as it may not be counted
 * @denied: it was denied with the kernel, whatever came of it without
 * @no_guest: its PMU knows no exclude_guest and exclude_host
 * @no_lost: (sampled) the kernel does not tell how many samples it lost (before Linux 6.0)
 * @on: of a leader: it runs, as far as nobody but us has a say in it
 */
struct counter {
	struct event *event;
	struct perf_evsel *evsel;
	struct cpulist cpus, places;
	int leader, nr_members;
	int refused;
	char *why;
	bool joined, opened, too_large, second_pass, user_only, denied, no_guest, no_lost, on;
};

/* CPU time in user and kernel space, in ns. */
struct cpu_time {
	uint64_t user_ns, system_ns;
};

/**
 * struct unit - a CPU or a thread
 * @id:   CPU number, or thread id
 * @comm: name of the thread, "" for a CPU
 * @gone: it went away before its counters could be opened
 * @away: a CPU that is offline; what its counters had is in session.kept
 * @unseen: and has been since the start
 * @late: offline at the start of a hybrid machine: only once it comes is its type of core known
 * @core: (late) its core PMU, then
 * @moves: as of struct presence
 * @enabled, @enabled_of: the time enabled when last read, of which of its counters
 * @frozen: that did not go on
 * @time, @time_start: its CPU time when last read, and at the start
 */
struct unit {
	int id;
	char comm[32];
	bool gone, away, unseen, frozen, late;
	const struct pmu *core;
	unsigned int moves;
	uint64_t enabled;
	const struct counter *enabled_of;
	struct cpu_time time, time_start;
};

/* A value that a read gives: which event it is for. The order is the kernel's, mostly. */
struct member {
	uint64_t id;
	int event;
};

/**
 * struct reading - one read(2): a group, or an event alone, on one unit
 * @first, @nr: its members in session.members
 * @group: the answer has the form of PERF_FORMAT_GROUP
 * @sampled: of a latency that is sampled: one read(2) in each of its places
 * @pinned: end of file means that the counter was not to be had
 * @topdown: there are TopDown metric events among them
 */
struct reading {
	int fd, unit, first, nr;
	bool group, pinned, sampled, topdown;
};

/*
 * The words with which what read(2) gives begins. The first is the value, or for a group the number
 * of its members, whose values follow.
 */
enum { READ_FIRST, READ_ENABLED, READ_RUNNING, READ_WORDS };

/* A process or thread that is watched for its end. */
struct watched {
	pid_t pid;
	bool gone;
};

/**
 * struct workload - the command
 * @pid: 0 when there is none
 * @fd: written to let it run; then the errno of a failed exec comes from it
 * @ended_ns: when its end was seen, on the monotonic clock
 */
struct workload {
	pid_t pid;
	int fd;
	bool started, reaped;
	int status;
	struct cpu_time time;
	uint64_t ended_ns;
};

/**
 * struct between - reads between those that are asked for
 * @on:     counters run, and so do these reads
 * @nr_topdown_groups: with TopDown metric events on one PMU
 * @topdown_ns: when all of these were last read, since the start
 * @nr_topdown: how often for their precision's sake alone
 * @counts: of the latest read for the sake of turns
 * @interval, @run: the slices made of these; without reads where they are not wanted
 */
struct between {
	bool on;
	int nr_topdown_groups;
	uint64_t topdown_ns, nr_topdown;
	struct counts counts;
	struct slices interval, run;
	uint64_t *rotation_ns;
};

/**
 * struct turn_clock - a counter of nothing, which tells for how long a unit was enabled
 * @fd: -1 where there is none
 * @ns: that time, all turns together; @away_ns: as far as it is of clocks which went with their CPU
 */
struct turn_clock {
	int fd;
	uint64_t ns, away_ns;
};

/**
 * struct rotation - sets of events which take turns
 * @set: whose turn it is; of sets that do not take turns, the one that is counted
 * @nr:  how many sets
 * @by_opening: what is not in it is closed, and what it had is in session.kept
 * @next_ns: when the next one's turn comes, since the start; UINT64_MAX: not while it lasts
 * @turn_ns: length of a turn: longer than asked for where changing takes long
 * @lengthened: a warning says so
 * @clocks: of each unit
 * @scratch: what was read at the end of a turn
 */
struct rotation {
	int set, nr;
	bool by_opening, lengthened;
	uint64_t next_ns, turn_ns;
	struct turn_clock *clocks;
	struct counts scratch;
};

/* Handlers and mask as they were before, to be put back. */
struct signals {
	bool installed;
	sigset_t old_mask, wait_mask;
	struct sigaction old[4];
};

/**
 * struct session
 * @per_cpu:  units are CPUs, not threads; @told_units: the same as others are told of them
 * @readings, @members: the plan of a read, made when everything is open
 * @buf: for one read, large enough for the largest group
 * @status: of (event, unit) when no read tells otherwise, at[event * nr_units + unit]
 * @fds, @watched: pidfds for poll and whose they are; a negative fd where there is none. Behind
 *         them in @fds stands the descriptor on which commands come
 * @unpolled: how many of @watched are alive without a pidfd
 * @start_ns, @end_ns: on the monotonic clock; @end_ns 0 while running
 * @cpu_time_wanted: user_time or system_time is counted
 * @stat_buf: for the CPU lines of /proc/stat
 * @online: sysfs's list of CPUs online, as last seen; @online_fd: its file, open from the first
 *         look on, 0 before; @newcomers: those which came during the run
 * @frozen: some unit is; @checked_ns: when that was last looked at, since the start
 * @switching_ns: how long it took to enable and disable counters, all times together
 * @kept: of (event, unit): what it had counted when its CPU went offline; NULL when none did
 * @looked_ns: when it was last looked which CPUs are online, since the start
 * @unread: how many reads failed for no good reason in the last session__read(); @told_unread: a
 *         warning says so
 * @sampler: of latencies; NULL when none is sampled
 * @warnings_told: how much of @warnings session__warnings() has given
 */
struct session {
	struct machine *machine;
	struct event_list *events;
	const struct target *target;
	struct count_options opts;
	const struct count_kernel *kernel;

	bool per_cpu, raised_limit;
	VEC(struct unit) units;
	struct units told_units;
	struct counter *counters;
	int nr_counters;

	VEC(struct reading) readings;
	VEC(struct member) members;
	struct between between;
	uint64_t *buf;
	size_t buf_size;
	enum sample_status *status;

	VEC(struct watched) watched;
	struct pollfd *fds;
	int unpolled;
	struct workload workload;
	struct signals signals;

	uint64_t start_ns, end_ns;
	bool enable_on_exec;

	bool cpu_time_wanted;
	char *stat_buf;
	size_t stat_size;

	struct sb online;
	int online_fd;
	struct cpulist newcomers;
	bool frozen, told_unread;
	uint64_t checked_ns, looked_ns, switching_ns;
	struct sample *kept;
	int unread;
	struct sampler *sampler;
	struct rotation rotation;

	struct sb warnings;
	size_t warnings_told;
};

/** session__unit_kind() - what units are, in a message. */
static inline const char *session__unit_kind(const struct session *s)
{
	return s->per_cpu ? "CPU" : "thread";
}

/* session.c */

/** session__find_unit() - the place of a CPU or thread; looked for at @hint first. -1: none. */
int session__find_unit(const struct session *s, int id, int hint);
/** counter__leave_group() - a member becomes an event of its own. */
void counter__leave_group(struct session *s, struct counter *c);
/** counter__may_come_apart() - whether its group is weak, or nobody's wish (metrics', or ours). */
bool counter__may_come_apart(const struct counter *leader);

/* target.c: who is counted, on which CPUs. */

/** session__find_threads() - the threads of -p and -t into @s->units and @s->watched. */
int session__find_threads(struct session *s, struct err *err);
/** session__place() - CPUs and groups of the counters, and @s->units when counting per CPU. */
int session__place(struct session *s, struct err *err);

/* counters.c: the one place which knows libperf. */

/** counters__new() - an evsel for each event the kernel counts. */
void counters__new(struct session *s);
void counters__free(struct session *s);
/** counter__fd() - where the file descriptor of (counter, unit) is kept; NULL when it has none. */
int *counter__fd(const struct session *s, const struct counter *c, int unit);
/** counter__open_fd() - what is kept there; -1 where it is not open. */
int counter__open_fd(const struct session *s, const struct counter *c, int unit);
/** counter__request() - of an ioctl() that lets a counter run, or stops it. */
#define counter__request(on) ((on) ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE)
/** counter__ioctl() - on a unit, wherever it is open. Return: 0, or the last -errno. */
int counter__ioctl(const struct session *s, const struct counter *c, int unit,
		   unsigned long request, void *arg);
/** counter__is_for() - whether a unit is of the type of core that the counter counts on. */
bool counter__is_for(const struct session *s, const struct counter *c, int unit);
/** counter__place() - the same in one of several places; counter__fd() is in the first. */
int *counter__place(const struct session *s, const struct counter *c, int unit, int place);
/** counter__nr_places() - how many there are on every unit. */
int counter__nr_places(const struct counter *c);
/** counter__for_each_fd() - where those which are open on a unit are kept; @place is an int. */
#define counter__for_each_fd(fd, place, s, c, unit)                                                \
	for ((place) = 0; (place) < counter__nr_places(c); (place)++)                              \
		if (((fd) = counter__place((s), (c), (unit), (place))) && *(fd) >= 0)
/** counter__cpu() - the CPU it is opened on there, or -1 for wherever the task runs. */
int counter__cpu(const struct session *s, const struct counter *c, int unit, int place);
/** counter__attr() - the attributes as they were last opened with. */
struct perf_event_attr *counter__attr(const struct counter *c);
/** counter__close() - close it on all units. */
void counter__close(struct session *s, struct counter *c);
/** counters__count_fds() - how many file descriptors all counters need. */
int counters__count_fds(const struct session *s);

/* refusal.c: what a refused counter means, in words. */

/** refusal__unsupported() - whether an errno says that there is no such counter. */
bool refusal__unsupported(int code);
/** refusal__explain() - the message for an event that could not be opened. Return: -@code. */
int refusal__explain(const struct session *s, const struct counter *c, int unit, int code,
		     struct err *err);
/** refusal__find_conflict() - (too_large) @leader's why. */
void refusal__find_conflict(struct session *s, int leader);
/** refusal__find_obstacles() - all is open: what the kernel took but cannot schedule. */
void refusal__find_obstacles(struct session *s);
/** refusal__warn_of_whole_cpus() - the events for which session__needs_whole_cpus(). */
void refusal__warn_of_whole_cpus(struct session *s);

/* open.c */

/** open__attr() - the attributes of a counter that leads itself, as far as all have them. */
void open__attr(const struct session *s, struct perf_event_attr *attr);
/** session__open_unit() - open all counters on one unit anew. Return: 0 or -errno. */
int session__open_unit(struct session *s, int unit, struct err *err);
/** unit__is_offline() - whether a unit is a CPU which is offline by now. */
bool unit__is_offline(const struct session *s, int unit);

/* rotate.c: sets of events, one at a time. */

/** rotation__init() - with sets, before the counters are made: what groups they leave. */
void rotation__init(struct session *s);
void rotation__free(struct session *s);
/** rotation__is_in() - whether an event is in a set. */
bool rotation__is_in(const struct session *s, int set, int event);

/** rotation__is_used() - whether sets take turns. */
static inline bool rotation__is_used(const struct session *s)
{
	return s->opts.turn_ns && s->rotation.nr > 1;
}

/** rotation__is_on() - whether it is an event's turn: always, when there are no sets. */
static inline bool rotation__is_on(const struct session *s, int event)
{
	return !s->opts.sets || rotation__is_in(s, s->rotation.set, event);
}

/** rotation__is_closed() - whether it is not, and the event has no file descriptors meanwhile. */
static inline bool rotation__is_closed(const struct session *s, int event)
{
	return (s->rotation.by_opening || !rotation__is_used(s)) && !rotation__is_on(s, event);
}

/** rotation__open() - the clocks, behind all counters. Return: 0 or -errno. */
int rotation__open(struct session *s, struct err *err);
/** rotation__enable() - all clocks go on, or stop. */
void rotation__enable(struct session *s, bool on);
/** rotation__start() - the first turn begins. */
void rotation__start(struct session *s);
/** rotation__turn() - the next set's turn, when it is time. @now_ns: since the start. */
void rotation__turn(struct session *s, uint64_t now_ns);
/** rotation__leave() - the clock of a unit goes with its CPU; rotation__come_back() - a new one. */
void rotation__leave(struct session *s, int unit);
void rotation__come_back(struct session *s, int unit);
/** rotation__clock() - for how long a unit's clock was enabled; false where sets take no turns. */
bool rotation__clock(struct session *s, int unit, uint64_t *ns);
/** rotation__finish() - after a read: what was counted in turns stands for all of the time. */
void rotation__finish(struct session *s, struct counts *total);

/* hotplug.c */

/** kept__new() - room for session.kept. */
void kept__new(struct session *s);

/** hotplug__look() - what CPUs that went or came change. Return: whether sysfs says some did. */
bool hotplug__look(struct session *s);
/**
 * hotplug__look_again() - before a read: the same, unless the last look was a moment ago
 *
 * What happened since then shows in what is read: counters stand still, and groups fall apart.
 */
void hotplug__look_again(struct session *s, uint64_t now_ns);
/**
 * hotplug__judge() - after a read: which CPUs were there
 *
 * Counters that stand still tell that their CPU has been away, and the last read, which of them
 * went and came back without being seen.
 */
void hotplug__judge(struct session *s, struct counts *total);
/**
 * hotplug__probe() - between reads: the same, by one counter of each CPU
 * @now_ns: since the start
 */
void hotplug__probe(struct session *s, uint64_t now_ns);
/**
 * hotplug__fell_apart() - a group has fewer members than were opened: its CPU has been away
 *
 * Return: whether it will be opened anew; not when that has been of no use.
 */
bool hotplug__fell_apart(struct session *s, int unit);
/** hotplug__add_kept() - add what was counted before CPUs went away. */
void hotplug__add_kept(struct session *s, struct counts *total);
void hotplug__free(struct session *s);

/* read.c */

/**
 * reading__member() - read one event on one unit, be it of a group that has fallen apart
 *
 * Return: 0 with the raw numbers in @sample, or -1.
 */
int reading__member(struct session *s, int event, int unit, struct sample *sample);

/** readings__read() - all that is open, without what had been counted before. Return: failures. */
int readings__read(struct session *s, struct counts *total);
/** readings__new() - plan the reads, anew as well; everything is open. */
void readings__new(struct session *s);
void readings__free(struct session *s);

/* counts.c */

/** sample__finish() - the status and the estimate which belong to the raw numbers. */
void sample__finish(struct sample *sample, bool tool, bool scale);
/** sample__finish_samples() - the same, after it, where the value is a number of samples. */
void sample__finish_samples(struct sample *sample);
/** sample__add() - add the raw numbers of @more. */
void sample__add(struct sample *sum, const struct sample *more);

/* between.c: reads between those that are asked for. */

/** between__new() - memory for what they give. */
void between__new(struct session *s);
void between__free(struct session *s);
/** between__find_topdown() - which readings have TopDown metric events. */
void between__find_topdown(struct session *s);
/**
 * between__read() - read what is due
 * @deadline_ns: when everything is read anyway
 *
 * Return: when more is due, since the start; @deadline_ns at the latest.
 */
uint64_t between__read(struct session *s, uint64_t now_ns, uint64_t deadline_ns);
/** between__was_read() - after everything was read. */
void between__was_read(struct session *s, struct counts *total);

/* cpu_time.c: /proc/PID/stat without allocating; user_time and system_time. */

/**
 * struct task_stat - a process or thread
 * @state:  'R', 'S', 'Z' ...
 * @user, @system: its CPU time, in ticks; children_*: of the children it has waited for
 * @threads: of its process
 */
struct task_stat {
	char state;
	uint64_t user, system, children_user, children_system, threads;
};

/**
 * task_stat__read() - read one
 * @procfs: where procfs is mounted
 * @whole:  times of the whole process, else of the thread @id alone
 *
 * Return: 0, -errno, or -EBADMSG when it does not look as it should.
 */
int task_stat__read(const char *procfs, pid_t id, bool whole, struct task_stat *out);

/**
 * task_stat__has_ended() - whether a process or thread is no more, or waits to be reaped
 *
 * The first thread of a process may have ended before the others: that is not its end.
 */
bool task_stat__has_ended(const char *procfs, pid_t id);

/** cpu_time__is() - whether an event is one of these. */
bool cpu_time__is(const struct event *e);
/** cpu_time__init() - make ready for reading the times when an event wants them. */
void cpu_time__init(struct session *s);
/** cpu_time__start() - remember the times now as those of the start. */
void cpu_time__start(struct session *s);
/** cpu_time__read() - the times now into the samples of user_time and system_time. */
void cpu_time__read(struct session *s, struct counts *total);

/* workload.c */

/** workload__fork() - a child that waits to be let go. */
int workload__fork(struct session *s, struct err *err);
/** workload__release() - let it run; returns the -errno of its exec. */
int workload__release(struct session *s, struct err *err);
/** workload__poll() - reap it when it has ended. Return: whether it has. */
bool workload__poll(struct session *s);
/** workload__discard() - end and reap a child that was never let go. */
void workload__discard(struct session *s);

/* signals.c */

/** signals__install() - from here on signals come in during a wait only. */
void signals__install(struct session *s);
void signals__restore(const struct session *s);
/** signals__reset_child() - what a child puts back before it runs the command. */
void signals__reset_child(const struct session *s);
/** signals__take() - the first of them, then one that came after the last one taken; or 0. */
int signals__take(void);

/* clock.c */

/** clock__now_ns() - the monotonic clock. */
uint64_t clock__now_ns(void);
/** watched__open() - pidfds of the watched processes. */
void watched__open(struct session *s);
void watched__free(struct session *s);

#endif
