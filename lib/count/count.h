/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one run in which events are counted.
 *
 * The input is the events of a plan with their groups, a machine, a target (CPUs, tasks, a command)
 * and options. The output is struct counts, which can be read at any time, with a sample for every
 * event on every unit (CPU or thread). There are also texts on what the kernel refused, the reason
 * why a wait ended, and the status of the command.
 *
 * A run calls session__new(), session__open() and session__start(); session__wait() and
 * session__read() for each row; then session__stop(), session__reap() and session__free().
 */
#ifndef TMA_COUNT_COUNT_H
#define TMA_COUNT_COUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cpulist.h"
#include "count/latency.h"
#include "count/slices.h"
#include "events/events.h"
#include "machine/machine.h"

struct err;
struct sb;
struct sets;

#define SPARE_FILES 64 /* the most files that a run opens in addition to its counters */

/* Whether a sample is a count, and if not, why. */
enum sample_status {
	SAMPLE_COUNTED,	      /* the counter ran all the time it was enabled */
	SAMPLE_SCALED,	      /* the counter ran a part of the time: the value is an estimate */
	SAMPLE_NOT_COUNTED,   /* the counter never ran, or was never enabled */
	SAMPLE_NOT_SUPPORTED, /* the kernel refused to open the counter, or the event cannot be
			       * counted (:R) */
	SAMPLE_BUSY,	      /* the event is pinned, and its counter was not available */
	SAMPLE_LOST,	      /* the read failed, or its times are impossible */
	SAMPLE_ABSENT,	      /* the event was not opened on this CPU or thread: sums leave the
			       * sample out */
};

/**
 * struct sample - the count of an event on a unit, in an interval or a run
 * @value:   the raw count
 * @scaled:  value * enabled / running, cut to an integer as perf does; @value if the counter ran
 *          all the time
 * @enabled, @running: time in ns that the counter was enabled, and that it ran
 */
struct sample {
	uint64_t value, scaled, enabled, running;
	enum sample_status status;
};

/** sample__has_numbers() - whether a sample has counts and times, by its status. */
static inline bool sample__has_numbers(const struct sample *s)
{
	return s->status == SAMPLE_COUNTED || s->status == SAMPLE_SCALED ||
	       s->status == SAMPLE_NOT_COUNTED;
}

/**
 * struct target - the CPUs or tasks that are counted, as options name them
 * @system_wide: -a; @cpus: the list of -C, empty without -C
 * @all_threads: (@system_wide) count every existing thread instead of the CPUs
 * @pids, @tids: the lists of -p and -t as the user wrote them, or NULL
 * @argv:    the command, or NULL
 * @output_fd: standard output of the command; 0: that of this program
 */
struct target {
	bool system_wide, all_threads;
	struct cpulist cpus;
	const char *pids, *tids;
	char *const *argv;
	int output_fd;
};

/** target__per_cpu() - whether counters are opened on CPUs (-a, -C) and not on tasks. */
bool target__per_cpu(const struct target *t);
/** target__names_tasks() - whether tasks are named (-p, -t). */
static inline bool target__names_tasks(const struct target *t)
{
	return t->pids || t->tids;
}

/**
 * target__check_tasks() - check -p and -t before their processes and threads are looked up
 *
 * Return: 0; -EINVAL or -ERANGE if they are not numbers, or cannot be combined with each other or
 * -C.
 */
int target__check_tasks(const struct target *t, struct err *err);
/** target__check_cpus() - check that the CPUs of -C are online. Return: 0 or -ENODEV. */
int target__check_cpus(const struct machine *m, const struct cpulist *wanted, struct err *err);
/** target__has_tasks() - whether counters are opened on tasks that already run. */
bool target__has_tasks(const struct target *t);

/**
 * struct latency_losses - samples of retire latencies that were lost, in all runs so far
 * @lost: how many samples were lost; @samples: how many there were in all
 * @throttled: how often the kernel throttled the sampling
 * @warned_of_zero: a warning reported that all latencies are 0
 */
struct latency_losses {
	uint64_t lost, samples, throttled;
	bool warned_of_zero;
};

/** latency_losses__print() - append a line for each kind of loss that occurred. */
void latency_losses__print(const struct latency_losses *l, struct sb *sb);

/**
 * struct latency_options - how retire latencies are sampled
 * @mode:   the value that represents all latencies of an interval
 * @frequency: samples a second of each event on each CPU; 0: tma chooses the frequency so that all
 *          samples together cost less than 1 % of a CPU
 * @period: events from one sample to the next; 0 to use @frequency
 * @losses: (one run of several) the run adds its losses here, the caller reports them, and a
 *          warning is not repeated from run to run. NULL: the session reports its own losses
 */
struct latency_options {
	enum latency_mode mode;
	uint64_t frequency, period;
	struct latency_losses *losses;
};

struct sample_records;
struct counts;

/**
 * struct locate_sink - receives the samples of events
 * @begin:  recording of mappings has begun: read the existing mappings now, if they are needed
 * @take:   receives the next records, in the order of time, and owns their texts
 * @choose: events were counted for a while: fill in the period of each event, in events; 0 leaves a
 *          period unchanged
 */
struct locate_sink {
	void (*begin)(void *arg);
	void (*take)(void *arg, struct sample_records *records);
	void (*choose)(void *arg, const struct counts *now, uint64_t *periods);
	void *arg;
};

/**
 * struct locate_options - how events sample themselves, to find the code in which they happen
 * @frequency: samples of cycles in a second, for each group on each CPU; 0: no sampling
 * @stops:     the kernel stops counters while it handles their interrupts
 * @sink:      receives the samples; must outlive the session
 */
struct locate_options {
	uint64_t frequency;
	bool stops;
	const struct locate_sink *sink;
};

/**
 * struct located_totals - what was sampled in a session so far
 * @samples, @bytes: number of samples, and of bytes of records
 * @lost: number of samples that the kernel could not keep
 * @throttled: how often the kernel held an event back
 * @rings: number of buffers; @pages: number of pages of a buffer
 * @user_only: code of the kernel is not sampled
 * @no_bursts: errno why there are no bursts (count/bursts.h), or 0
 */
struct located_totals {
	uint64_t samples, bytes, lost, throttled;
	int rings;
	size_t pages;
	bool user_only;
	int no_bursts;
};

/**
 * struct count_options
 * @no_inherit: children of the task are not counted
 * @start_disabled: count nothing until session__enable() is called
 * @delay_ns:   time from letting the command go to the start of counting and of the clock
 * @control_fd: descriptor that commands are read from (WAIT_CONTROL); 0 without one
 * @wake_fd: descriptor whose input ends a wait, too, but does not start or stop events
 * @scale:      compute estimates for counters that did not run all the time
 * @scope:      tables that the events' names were looked up in, to explain why a group is refused;
 *              or NULL. Must outlive the session
 * @facts:      the source of facts (event_tool__is_fact()); NULL if no facts are counted. Must
 *              outlive the session
 * @latency:    options for events with a retire latency that is sampled (event->sampled)
 * @locate:     how events are attributed to code
 * @slices:     whether and how often everything is read within rows
 * @read_topdown: groups of TopDown metric events that multiplex are read more often: their counts
 *              are then more exact than perf's, and differ from them
 * @watch_groups: find groups that the kernel accepts and never schedules, and split them
 * @needs_leaders: the run ends if the first event of a group that the user wrote is not supported
 * @row_ns: (@watch_groups) time between the reads that are made in any case; 0 if only the end is
 *            read
 * @taken_apart: for each event, whether it leads a group whose members are opened singly. The run
 *            adds groups that it splits, for the next of several runs. NULL: no groups are opened
 *            singly, and split ones are not recorded
 * @sets: sets of events, which are counted one at a time; NULL to count all events at the same
 *            time. Must outlive the session
 * @real_time: counters and CPU times follow the kernel's clock: the machine is not simulated
 * @newcomers: (-a) CPUs that are offline at the start are units, too, and counted once they come
 *          online. Set this only for rows that do not depend on the place of a CPU. These CPUs are
 *          not sampled, and are not counted in sets that take turns
 * @bpf_programs, @nr_bpf_programs: numbers of BPF programs: events with event->bpf are counted only
 *            while these programs run. Must outlive the session
 * @bpf_attr_map: path at which the map of shared counters is pinned; NULL for the usual path
 * @set:  the set that is counted, or with @turn_ns the set that is counted first
 * @turn_ns: length of the turns that the sets take; 0: only @set is opened and counted
 */
struct count_options {
	bool no_inherit, scale, start_disabled, newcomers, read_topdown, watch_groups, real_time;
	bool needs_leaders;
	uint64_t row_ns;
	bool *taken_apart;
	uint64_t delay_ns;
	int control_fd, wake_fd;
	const struct events_scope *scope;
	const struct metrics_scope *facts;
	struct latency_options latency;
	struct locate_options locate;
	struct slice_options slices;
	const uint32_t *bpf_programs;
	int nr_bpf_programs;
	const char *bpf_attr_map;
	const struct sets *sets;
	int set;
	uint64_t turn_ns;
};

/**
 * struct presence - whether a CPU was there
 * @moves:  how often the CPU went offline or came back since the start; an odd number while it is
 *          away
 * @away:   the CPU was offline for at least a part of the time of the counts
 * @unseen: the CPU has been offline since the start: all its samples are absent
 */
struct presence {
	unsigned int moves;
	bool away, unseen;
};

/**
 * struct count_blocks - how counts vary between independent blocks of time
 * @nr:    how many blocks
 * @moves: how much each block changes a count, at[(event * nr_units + unit) * nr + block]
 * @grains: the smallest step of a count, at[event * nr_units + unit]
 * @used:  for each unit, the number of blocks in which anything was counted
 */
struct count_blocks {
	int nr;
	const double *moves, *grains;
	const int *used;
};

/**
 * struct counts - samples of all events at one time
 * @nr_events: number of events, in the order of the plan
 * @nr_units:  number of CPUs or threads on which any event is counted, in ascending order
 * @at:        samples, at[event * nr_units + unit]; the value of a latency (:R) is its number of
 *          samples
 * @latencies: latencies of events with event->retire_latency, at the indexes of @at; NULL without
 *          such events
 * @presence:  presence of each unit; NULL if it is unknown
 * @time_ns:   time of the read since session__start(), which is also the value of duration_time
 * @off_ns:    how much of @time_ns all counters were off
 * @user_ns, @system_ns: CPU time of the workload, once it has been reaped. Otherwise these are the
 *          time of the tasks or CPUs since the start, but only if user_time or system_time is
 *          counted
 * @peak_bytes: the most memory that the workload had resident; 0 before it has been reaped, or if
 *          unknown
 * @scale:  estimates are computed (count_options.scale)
 * @slices: the session's reads within this time, valid until the next read, which the caller sets
 *          from session__slices(); NULL without slices
 */
struct counts {
	int nr_events, nr_units;
	struct sample *at;
	struct latency *latencies;
	struct presence *presence;
	bool scale;
	uint64_t time_ns, off_ns;
	uint64_t user_ns, system_ns, peak_bytes;
	const struct slices *slices;
	const struct count_blocks *blocks;
};

/**
 * struct units - the CPUs or threads that the samples of struct counts belong to
 * @nr:   number of units
 * @ids:  CPU or thread numbers, in the order of units in struct counts
 * @comms: name of each thread; @processes: process of each thread, 0 if unknown; both are NULL if
 *         the units are CPUs
 * @weights: how many CPUs each unit combines; NULL if each is one CPU
 * @uncounted: it is unknown how many CPUs a unit combines
 */
struct units {
	int nr;
	const int *ids;
	const char *const *comms;
	const int *processes, *weights;
	bool uncounted;
};

struct session;

/**
 * session__new() - look up the target and make the counters, without opening any
 * @events:  the events of the plan, in the groups of their leaders; must outlive the session
 * @target:  must outlive the session
 *
 * Return: 0; -ESRCH for a process that does not exist; -EINVAL with the options that contradict
 * each other.
 */
int session__new(struct machine *machine, struct event_list *events, const struct target *target,
		 const struct count_options *opts, struct session **out, struct err *err);
/**
 * session__free() - close everything and restore the handling of signals; NULL is allowed
 *
 * A command that was never let go is ended and reaped; a command that runs is left alone.
 */
void session__free(struct session *s);

/**
 * session__open() - open every counter
 *
 * A weak group that the kernel refuses is split and opened event by event. An event that is not
 * supported is marked (SAMPLE_NOT_SUPPORTED). If it is in a group that the user wrote, the rest of
 * the group is not counted, and a warning names the member and the reason. The limit of open files
 * is raised when needed. If the user has no right to count the kernel, only user space is counted,
 * and the event is renamed with ":u" as perf does.
 *
 * If sets take turns, the events of all sets are opened, and each set is enabled in its turn. On
 * whole CPUs, if there are not enough files for all sets, the events of a set are opened when its
 * turn comes.
 *
 * Return: 0; -EPERM, -EACCES, -ENOSYS, -EMFILE...: @err names the event, perf_event_paranoid's
 * value and the remedies in order.
 */
int session__open(struct session *s, struct err *err);

/**
 * session__warnings() - return lines for the user since the last call, or NULL
 *
 * The lines come from opening, and from reading: a CPU went offline or came back, a counter could
 * not be read, or samples were lost. The read after session__stop() adds the number of all lost
 * samples.
 */
const char *session__warnings(struct session *s);
/**
 * session__supported() - whether event @index is counted anywhere; also true if there was nothing
 * to count it on
 *
 * A retire latency (:R) is supported if it is sampled.
 */
bool session__supported(const struct session *s, int index);
/**
 * session__needs_whole_cpus() - whether event @index is not counted because its PMU counts
 * everything that runs on CPUs, while a task or a cgroup is counted
 *
 * A warning names all events for which this is true.
 */
bool session__needs_whole_cpus(const struct session *s, int index);
/**
 * session__refusal() - return why event @index is not supported, or NULL when it was not refused
 *
 * A latency that could not be sampled has a reason, even if the kernel did not refuse it.
 */
const char *session__refusal(const struct session *s, int index);
/**
 * session__obstacle() - return why event @index may never get a counter although the kernel opened
 * it; NULL if no reason is known
 */
const char *session__obstacle(const struct session *s, int index);

/**
 * session__attr() - return the attributes that event @index was opened with, or its own if the
 * kernel does not count it
 */
const struct perf_event_attr *session__attr(const struct session *s, int index);
/**
 * session__leader() - return the index of the leader of the group that event @index was opened in;
 * @index if it is not in a group
 *
 * A software event that is in a group only to be read together with other events does not count as
 * in a group.
 */
int session__leader(const struct session *s, int index);
/**
 * session__regrouped() - return how often groups changed: leaders, refusals and obstacles of events
 * may differ from before
 */
unsigned int session__regrouped(const struct session *s);
/**
 * session__cpus() - return the CPUs on which event @index is opened, if CPUs are counted: some or
 * all of the units.
 */
const struct cpulist *session__cpus(const struct session *s, int index);

/**
 * session__units() - return the CPUs or threads that are counted; these do not change during a run.
 */
const struct units *session__units(const struct session *s);

/**
 * session__enable() - enable or disable counters
 * @event: index of an event, or -1 for all events
 */
void session__enable(struct session *s, int event, bool on);
/** session__close_control() - stop listening to count_options.control_fd. */
void session__close_control(struct session *s);

/**
 * session__start() - record the time of the start, enable the counters, and let the workload go, in
 * this order: no counter runs before the clock does
 *
 * Return: 0; -ENOENT, -EACCES ... (the errno of exec) if the command could not be run.
 */
int session__start(struct session *s, struct err *err);
/**
 * session__is_too_late() - whether the run ended before the delay (count_options.delay_ns) was
 * over.
 */
bool session__is_too_late(const struct session *s);
/**
 * session__elapsed_ns() - return the measured time since the start, now or at the end of the run.
 */
uint64_t session__elapsed_ns(const struct session *s);

/* Why a wait ended. */
enum wait_result {
	WAIT_DEADLINE, /* the requested time has come */
	WAIT_EXITED,   /* the workload, or the last watched process, ended */
	WAIT_CONTROL,  /* something can be read from count_options.control_fd */
	WAIT_SIGNAL,   /* a signal that ends the run: session__signal() returns it */
	WAIT_ASKED,    /* SIGUSR1: the counts so far are asked for */
};

/**
 * session__wait() - sleep until an absolute time after the start
 * @deadline_ns: time since session__start(); UINT64_MAX to wait until the workload ends
 *
 * If the deadline is more than a second away, groups with TopDown metric events are read about
 * every second, to keep their precision. All counters are read for slices, if there are any.
 */
enum wait_result session__wait(struct session *s, uint64_t deadline_ns);
/**
 * session__accompany() - while one session waits, make also the reads within rows of another
 * session
 *
 * @other: begins after @s, and the caller waits for the two in turn; NULL: make only the reads of
 *         @s again
 */
void session__accompany(struct session *s, struct session *other);
/**
 * session__signal() - return the first signal that ends the run, or 0
 *
 * The signals that end a run are SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGALRM.
 */
int session__signal(void);
/**
 * session__leave_alone() - let @signal go to the command without ending a run; 0: all signals end a
 * run again.
 */
void session__leave_alone(int signal);

/* --- Signals of the process ------------------------------------------------------------------ */

/**
 * signals__install() - admit signals while a session waits, and at no other time
 *
 * Each session calls this for its life. A caller with several sessions, one after another, calls it
 * around all of them, so that no signal is lost between two sessions. A write to a pipe admits
 * signals while it waits for room, and gives up some time after the signal that ends the run.
 *
 * signals__restore() restores the earlier handling once it was called as often as
 * signals__install().
 */
void signals__install(void);
void signals__restore(void);
/**
 * hook__run() - run a command of the shell and wait for its end; signals are installed
 * @output_fd: the command's standard output; 0: that of this program
 * @status: the status that wait(2) gives
 *
 * The first signal during the wait is sent to the command, and a second signal kills the command;
 * session__signal() then returns a signal. Return: 0, or -errno if no process could be made.
 */
int hook__run(const char *command, int output_fd, int *status);
/**
 * signals__ignore() - ignore SIGPIPE or SIGXFSZ in tma; the command still gets the original
 * handling.
 */
void signals__ignore(int signal);

/**
 * session__read() - read every counter, one read per group and unit
 * @total: is set to the counts since the start; made by counts__init()
 *
 * Nothing is allocated, except when CPUs went offline or came back. The counts of a CPU that was
 * away cover the times in which it was online. A sample whose read fails has a status that shows
 * the failure. read.c lists the steps.
 *
 * Return: 0, or the number of reads that failed.
 */
int session__read(struct session *s, struct counts *total);
/**
 * session__slices() - return the reads within a row, up to the latest session__read()
 * @of_run: return the reads within the whole run, after or beside rows of intervals
 *
 * Return: NULL if no slices are made. Slices of the run are made only if count_options.slices asks
 * for them. All slices change with the next read.
 */
const struct slices *session__slices(const struct session *s, bool of_run);
/** session__located() - return what was sampled so far; only with count_options.locate. */
struct located_totals session__located(const struct session *s);
/** session__end_row() - begin the slices of the next row at the latest read. */
void session__end_row(struct session *s);
/**
 * session__unread() - return how many reads failed in the last session__read() without a known
 * reason.
 */
int session__unread(const struct session *s);
/** counts__init() - allocate memory for the samples of @s; counts__free() releases it. */
void counts__init(struct counts *c, const struct session *s);
void counts__free(struct counts *c);
/**
 * counts__delta() - subtract @before from @now into @out; all three have the same numbers of events
 * and units
 *
 * Statuses and estimates are computed for the interval; the time stamp is that of @now. The sample
 * of a counter that ran backwards, or whose previous read failed, is lost.
 */
void counts__delta(const struct counts *now, const struct counts *before,
		   const struct event_list *events, struct counts *out);

/**
 * session__stop() - disable all counters and stop the clock
 *
 * If only a command is counted, the clock stops at the end of the command, once its end has been
 * seen.
 */
void session__stop(struct session *s);
/**
 * session__reap() - wait for the workload's end and reap it; without a workload, do nothing
 * @signal: sent to the workload first, if not 0. A signal that comes during the wait is passed on;
 *          a signal after this one, or after @signal, kills the workload.
 * @status: set to the status that waitpid() gives
 * @total:  its user_ns and system_ns, and the samples of user_time and system_time events, become
 *          the workload's final CPU time; may be NULL
 */
void session__reap(struct session *s, int signal, int *status, struct counts *total);
/**
 * workload__abandon() - send SIGTERM to the running command, if there is one
 *
 * This is for a program that ends immediately. The function is safe in a signal handler, and does
 * nothing in a child process of tma.
 */
void workload__abandon(void);

#endif
