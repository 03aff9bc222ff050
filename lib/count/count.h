/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one run in which events are counted.
 *
 * The events of a plan with their groups, a machine, a target (CPUs, tasks, a command) and options
 * come in. At any time struct counts goes out, with a sample for every event on every unit (CPU or
 * thread), as do texts on what the kernel refused, why a wait ended, and the status of the command.
 *
 * A run calls session__new(), open, start, for each row wait and read, then stop, reap and free.
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

#define SPARE_FILES 64 /* most files that a run has open beside those of its counters */

/* Whether a sample is a count, and otherwise why not. */
enum sample_status {
	SAMPLE_COUNTED,	      /* ran all the time it was enabled */
	SAMPLE_SCALED,	      /* ran a part of the time: the value is an estimate */
	SAMPLE_NOT_COUNTED,   /* never ran, or was never enabled */
	SAMPLE_NOT_SUPPORTED, /* the kernel refused to open it, or it cannot be counted (:R) */
	SAMPLE_BUSY,	      /* pinned, and its counter was not available */
	SAMPLE_LOST,	      /* the read failed, or its times are impossible */
	SAMPLE_ABSENT,	      /* not opened on this CPU or thread: sums leave it out */
};

/**
 * struct sample - a counter over an interval or a run
 * @value:   the raw count
 * @scaled:  value * enabled / running, cut to an integer as perf does; @value if it ran all the
 *          time
 * @enabled, @running: ns
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
 * struct target - the CPUs or tasks that are counted, which target.c looks up
 * @system_wide: -a; @cpus: -C list, empty when not given
 * @all_threads: (@system_wide) count every existing thread instead of the CPUs
 * @pids, @tids: -p and -t lists as given, or NULL
 * @argv:    the command, or NULL
 * @output_fd: its standard output; 0: that of this program
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
 * target__check_tasks() - check what can be checked of -p and -t before they are looked up
 *
 * Return: 0; -EINVAL or -ERANGE if they are not numbers, or exclude each other or -C.
 */
int target__check_tasks(const struct target *t, struct err *err);
/** target__has_tasks() - whether counters are opened on tasks that already run. */
bool target__has_tasks(const struct target *t);

/**
 * struct latency_losses - losses of the sampling of retire latencies, in all runs so far
 * @lost, @samples: how many samples were lost, of how many
 * @throttled: how often the kernel held the sampling back
 * @warned_of_zero: a warning was given that all latencies are 0
 */
struct latency_losses {
	uint64_t lost, samples, throttled;
	bool warned_of_zero;
};

/** latency_losses__print() - append a line for each kind of loss that there was. */
void latency_losses__print(const struct latency_losses *l, struct sb *sb);

/**
 * struct latency_options - how retire latencies are sampled
 * @mode:   the value that represents all latencies of an interval
 * @frequency: samples a second, of each event on each CPU; 0: chosen so that all of them together
 *          cost less than 1 % of a CPU
 * @period: events from one sample to the next; 0 to use @frequency
 * @losses: (one run of several) the losses of the run are added, and the caller reports them; no
 *          warning is repeated from run to run. NULL: the session reports its own losses
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
 * @begin:  mappings are recorded from now on: read now what is already mapped, if that is needed
 * @take:   receives the next records, in the order of time, and owns their texts
 * @choose: events were counted for a while: fill in the period of each, in events; 0 to leave it
 *          unchanged
 */
struct locate_sink {
	void (*begin)(void *arg);
	void (*take)(void *arg, struct sample_records *records);
	void (*choose)(void *arg, const struct counts *now, uint64_t *periods);
	void *arg;
};

/**
 * struct locate_options - how events sample themselves, to find out in which code they happen
 * @frequency: samples of cycles in a second, of each group on each CPU; 0: no sampling
 * @stops:     the kernel stops counters in the handler of their interrupts
 * @sink:      must outlive the session
 */
struct locate_options {
	uint64_t frequency;
	bool stops;
	const struct locate_sink *sink;
};

/**
 * struct located_totals - what was sampled in a session so far
 * @samples, @bytes: how many; @lost: samples that the kernel could not keep; @throttled: how often
 *          it held an event back
 * @rings, @pages: number of buffers, and pages of each; @user_only: the kernel is not sampled
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
 * @delay_ns:   begin to count, and start the clock, this long after the command was let go
 * @control_fd: descriptor that commands are read from (WAIT_CONTROL); 0 without one
 * @wake_fd: likewise, but its input does not start or stop events
 * @scale:      compute estimates for counters that did not run all the time
 * @scope:      where the events' names were looked up, to explain why a group is refused; or NULL.
 *              Must outlive the session
 * @facts:      the source of facts (event_tool__is_fact()); NULL if none is counted. Must outlive
 *              the session
 * @latency:    for events which are sampled (event->sampled)
 * @locate:     how events are attributed to code
 * @slices:     whether everything is read within rows, and how often
 * @read_topdown: groups of TopDown metric events that multiplex are read more often, which makes
 *              their counts more exact than perf's, and different
 * @watch_groups: groups that the kernel accepts and never schedules are searched for, and split
 * @needs_leaders: the run ends if the first event of a group that the user wrote is not supported
 * @row_ns: (@watch_groups) how often everything is read in any case; 0 for only at the end
 * @taken_apart: for each event, whether it leads a group whose members are opened singly; groups
 *            that are split during the run are added, for the next of several runs. NULL: none, and
 *            not wanted
 * @sets: NULL to count all events at the same time; otherwise one set of them is counted at a time.
 *            Must outlive the session
 * @real_time: counters and CPU times follow the kernel's clock: the machine is not simulated
 * @newcomers: (-a) CPUs that are offline at the start are units too, and counted once they come
 *          online; only for rows that do not depend on the place of a CPU. They are not sampled,
 *          and are not counted in sets that take turns
 * @bpf_programs, @nr_bpf_programs: numbers of BPF programs: events (event->bpf) are counted while
 *            these run, and at no other time. Must outlive the session
 * @bpf_attr_map: where the map of shared counters is pinned; NULL for the usual place
 * @set:  the set that is counted, or with @turn_ns the first
 * @turn_ns: the sets take turns of this length; 0: @set alone is opened and counted
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
 * @moves:  how often it went offline or came back since the start: odd while it is away
 * @away:   it was offline for at least a part of the time of the counts
 * @unseen: it has been offline since the start: all its samples are absent
 */
struct presence {
	unsigned int moves;
	bool away, unseen;
};

/**
 * struct count_blocks - how counts vary between independent blocks of their time
 * @nr:    how many blocks
 * @moves: how much each block changes a count, at[(event * nr_units + unit) * nr + block]
 * @grains: the smallest step of a count, at[event * nr_units + unit]
 * @used:  of each unit, the number of blocks in which it counted anything
 */
struct count_blocks {
	int nr;
	const double *moves, *grains;
	const int *used;
};

/**
 * struct counts - samples of all events at one time
 * @nr_events: in the order of the plan
 * @nr_units:  CPUs, or threads: the union over all events, in ascending order
 * @at:        at[event * nr_units + unit]; the value of a latency (:R) is the number of its samples
 * @latencies: the latencies (event->retire_latency) in the same places; NULL when there are none
 * @presence:  one for each unit; NULL where it is unknown
 * @time_ns:   when they were read, measured since session__start(); duration_time is the same stamp
 * @off_ns:    how much of that time all counters were off
 * @user_ns, @system_ns: CPU time of the workload, known once it has been reaped. While it runs, and
 *          without a workload, they are set only if a user_time or system_time event is counted (of
 *          the tasks or the CPUs, since the start)
 * @peak_bytes: the most memory that the workload had resident, likewise; 0 where it is unknown
 * @scale:  estimates are computed, see struct count_options
 * @slices: the session's reads within this time, valid until the next read. The caller sets them
 *          from session__slices(); NULL where there are none
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
 * @nr:   how many
 * @ids:  CPU or thread numbers, as counts has them
 * @comms: name of each thread, @processes: the process of each, 0 where it is unknown; NULL when
 *         units are CPUs
 * @weights: how many CPUs each unit combines; NULL for one
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
 * session__new() - resolve the target and make the counters, without opening any
 * @events:  of the plan, in the groups of their leaders. Must outlive the session
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
 * A command which was never let go is ended and reaped; one that runs is left alone.
 */
void session__free(struct session *s);

/**
 * session__open() - open every counter
 *
 * A weak group that the kernel refuses is split and opened event by event. An event that is not
 * supported is marked (SAMPLE_NOT_SUPPORTED); the rest of a group that the user wrote is then not
 * counted, and a warning names the member and the reason. The limit of open files is raised when
 * needed. If the kernel may not be counted, only user space is, and the event is renamed with ":u"
 * as perf does.
 *
 * Where sets take turns, the events of all sets are opened, and enabled in turn. On whole CPUs, if
 * there are not enough files for that, the events of a set are opened when its turn comes.
 *
 * Return: 0; -EPERM, -EACCES, -ENOSYS, -EMFILE...: @err names the event, perf_event_paranoid's
 * value and the remedies in order.
 */
int session__open(struct session *s, struct err *err);

/**
 * session__warnings() - return lines for the user since the last call, or NULL
 *
 * They come from opening, and from reading: a CPU that went offline or came back, a counter that
 * could not be read, samples that were lost. The read after session__stop() adds how many samples
 * were lost in all.
 */
const char *session__warnings(struct session *s);
/**
 * session__supported() - whether event @index is counted anywhere (or there was nothing to count)
 *
 * A retire latency (:R) is supported when it is sampled.
 */
bool session__supported(const struct session *s, int index);
/**
 * session__needs_whole_cpus() - whether event @index is not counted because its PMU counts
 * everything that runs on CPUs, while a task or a cgroup is counted
 *
 * One of the warnings names all of these.
 */
bool session__needs_whole_cpus(const struct session *s, int index);
/**
 * session__refusal() - return why event @index is not supported, or NULL when it was not refused
 *
 * A latency that could not be sampled has a reason, too, even if nothing refused it.
 */
const char *session__refusal(const struct session *s, int index);
/**
 * session__obstacle() - return why event @index may never have a counter although the kernel opened
 * it, or NULL without a known reason
 */
const char *session__obstacle(const struct session *s, int index);

/**
 * session__attr() - return the attributes event @index was opened with; its own if the kernel does
 * not count it
 */
const struct perf_event_attr *session__attr(const struct session *s, int index);
/**
 * session__leader() - return the index of the leader of the group it was opened in; @index when
 * alone
 *
 * A software event that is in a group only to be read together with it counts as alone.
 */
int session__leader(const struct session *s, int index);
/**
 * session__regrouped() - return how often groups changed: leaders, refusals and obstacles of events
 * may differ from before
 */
unsigned int session__regrouped(const struct session *s);
/**
 * session__cpus() - return the CPUs where it is opened when counting CPUs: some or all of the
 * units.
 */
const struct cpulist *session__cpus(const struct session *s, int index);

/** session__units() - return the CPUs or threads that are counted; they stay the same. */
const struct units *session__units(const struct session *s);

/**
 * session__enable() - enable or disable counters
 * @event: index of one, or -1 for all
 */
void session__enable(struct session *s, int event, bool on);
/** session__close_control() - stop listening to count_options.control_fd. */
void session__close_control(struct session *s);

/**
 * session__start() - stamp the start, enable counters, let the workload go (in this order, so that
 * no counter runs before the clock does)
 *
 * Return: 0; the errno of exec as -ENOENT, -EACCES ... when the command could not be run.
 */
int session__start(struct session *s, struct err *err);
/** session__is_too_late() - whether the run ended before count_options.delay_ns was over. */
bool session__is_too_late(const struct session *s);
/**
 * session__elapsed_ns() - return the measured time since the start, now or at the end of the run.
 */
uint64_t session__elapsed_ns(const struct session *s);

/* Why a wait ended. */
enum wait_result {
	WAIT_DEADLINE, /* the time asked for was reached */
	WAIT_EXITED,   /* the workload, or the last watched process, ended */
	WAIT_CONTROL,  /* something can be read from count_options.control_fd */
	WAIT_SIGNAL,   /* a signal that ends the run: session__signal() returns it */
	WAIT_ASKED,    /* SIGUSR1: the counts so far are asked for */
};

/**
 * session__wait() - sleep until an absolute time after the start
 * @deadline_ns: since session__start(); UINT64_MAX for as long as the workload runs
 *
 * While it waits, groups with TopDown metric events are read about every second, to keep their
 * precision, if the deadline is more than a second away; and all counters are read when slices are
 * wanted.
 */
enum wait_result session__wait(struct session *s, uint64_t deadline_ns);
/**
 * session__accompany() - while one session waits, also make the reads within rows that another has
 * due
 *
 * @other: begins after @s, and the caller waits for the two in turn; NULL to end this
 */
void session__accompany(struct session *s, struct session *other);
/**
 * session__signal() - return the first signal that ends the run, or 0
 *
 * These are SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGALRM.
 */
int session__signal(void);
/**
 * session__leave_alone() - let a signal go to the command without ending a run; 0: all signals end
 * it.
 */
void session__leave_alone(int signal);

/* --- Signals of the process ------------------------------------------------------------------ */

/**
 * signals__install() - admit signals while a session waits, and at no other time
 *
 * Each session does so for its life. A caller with several sessions, one after another, does it
 * around all of them, so that no signal is lost between two. Writing to a pipe admits signals while
 * it waits for room, and gives up some time after the signal that ends the run.
 *
 * signals__restore() undoes it once it was called as often.
 */
void signals__install(void);
void signals__restore(void);
/**
 * hook__run() - run a command of the shell and wait for its end; signals are installed
 * @output_fd: its standard output; 0: that of this program
 * @status: as wait(2) has it
 *
 * The first signal meanwhile is sent to the command, and a second one kills it; session__signal()
 * then returns one. Return: 0, or -errno if no process could be made.
 */
int hook__run(const char *command, int output_fd, int *status);
/** signals__ignore() - ignore SIGPIPE or SIGXFSZ; the command still gets the original handling. */
void signals__ignore(int signal);

/**
 * session__read() - read every counter, one read per group and unit
 * @total: counts since the start; made by counts__init()
 *
 * It allocates nothing, except when CPUs went offline or came back. The counts of a CPU that was
 * away cover its times online. A read that fails is a sample with a status. read.c lists the steps.
 *
 * Return: 0, or the number of reads that failed.
 */
int session__read(struct session *s, struct counts *total);
/**
 * session__slices() - return the reads within a row, up to the latest session__read()
 * @of_run: those of the whole run, after or beside rows of intervals
 *
 * Return: NULL when none are made; slices of the run need count_options.slices to ask for them.
 * They change with the next read.
 */
const struct slices *session__slices(const struct session *s, bool of_run);
/** session__located() - return what was sampled so far, with count_options.locate. */
struct located_totals session__located(const struct session *s);
/** session__end_row() - begin the slices of the next row at the latest read. */
void session__end_row(struct session *s);
/**
 * session__unread() - return how many reads of the last session__read() failed without a known
 * reason.
 */
int session__unread(const struct session *s);
/** counts__init() - allocate memory for @s's samples; counts__free() releases it. */
void counts__init(struct counts *c, const struct session *s);
void counts__free(struct counts *c);
/**
 * counts__delta() - subtract @before from @now into @out; all have the same shape
 *
 * Statuses and estimates are those of the interval; the time stamp is @now's. A counter that ran
 * backwards is lost, and so is one whose read before failed.
 */
void counts__delta(const struct counts *now, const struct counts *before,
		   const struct event_list *events, struct counts *out);

/**
 * session__stop() - disable all counters and stop the clock
 *
 * If only a command is counted, the elapsed time is that of its end, once that has been seen.
 */
void session__stop(struct session *s);
/**
 * session__reap() - wait for the workload's end and reap it; does nothing without a workload
 * @signal: sent to it first when not 0. A signal that comes while waiting is passed on, one after
 *          that (or after @signal) kills it.
 * @status: as waitpid() gives it
 * @total:  its user_ns and system_ns become the workload's final CPU time (and so do the samples of
 *          user_time and system_time events); may be NULL
 */
void session__reap(struct session *s, int signal, int *status, struct counts *total);
/**
 * workload__abandon() - send SIGTERM to the running command, if there is one
 *
 * This is for a program that ends at once. It is safe in a signal handler, and does nothing in a
 * child process of tma.
 */
void workload__abandon(void);

#endif
