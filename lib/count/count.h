/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one run in which events are counted.
 *
 * The events of a plan with their groups, a machine, a target (CPUs, tasks, a command) and options
 * come in. At any time struct counts goes out, with a sample for every event on every unit (CPU or
 * thread); and words on what the kernel refused, why a wait ended, the status of the command.
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

#define SPARE_FILES 64 /* a run has as many files open, beside those of its counters, at most */

/* Whether a sample is a count, and why it is none. */
enum sample_status {
	SAMPLE_COUNTED,	      /* ran all the time it was enabled */
	SAMPLE_SCALED,	      /* ran part of the time: the value is an estimate */
	SAMPLE_NOT_COUNTED,   /* never ran, or was never enabled */
	SAMPLE_NOT_SUPPORTED, /* the kernel refused to open it, or it is no count (:R) */
	SAMPLE_BUSY,	      /* pinned, and its counter was not to be had */
	SAMPLE_LOST,	      /* the read failed, or its times cannot be */
	SAMPLE_ABSENT,	      /* not opened on this CPU or thread: it is no part of any sum */
};

/**
 * struct sample - a counter over an interval or a run
 * @value:   as counted
 * @scaled:  value * enabled / running, cut to an integer as perf does; @value if it ran all along
 * @enabled, @running: ns
 */
struct sample {
	uint64_t value, scaled, enabled, running;
	enum sample_status status;
};

/** sample__has_numbers() - whether its status comes with numbers. */
static inline bool sample__has_numbers(const struct sample *s)
{
	return s->status == SAMPLE_COUNTED || s->status == SAMPLE_SCALED ||
	       s->status == SAMPLE_NOT_COUNTED;
}

/**
 * struct target - the CPUs or tasks that are counted, which target.c looks up
 * @system_wide: -a; @cpus: -C list, empty when not given
 * @all_threads: with @system_wide: every thread there is, and not the CPUs
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
 * target__check_tasks() - check what can be known of -p and -t before they are looked up
 *
 * Return: 0; -EINVAL or -ERANGE where they are no numbers, or cannot be with one another or CPUs.
 */
int target__check_tasks(const struct target *t, struct err *err);
/** target__has_tasks() - whether counters are opened on tasks which run already. */
bool target__has_tasks(const struct target *t);

/**
 * struct latency_losses - losses of the sampling of retire latencies, in all runs so far
 * @lost, @samples: how many samples were lost, of how many
 * @throttled: how often the kernel held the sampling back
 * @said_zero: the user was told that there was nothing but 0
 */
struct latency_losses {
	uint64_t lost, samples, throttled;
	bool said_zero;
};

/** latency_losses__print() - append a line for each kind that there was. */
void latency_losses__print(const struct latency_losses *l, struct sb *sb);

/**
 * struct latency_options - how retire latencies are sampled
 * @mode:   which value stands for all latencies of an interval
 * @frequency: samples a second, of each event on each CPU; 0: chosen so that all of them together
 *          cost less than a hundredth of a CPU
 * @period: events from one sample to the next, instead; 0 for @frequency
 * @losses: for one run of several: the run's losses are added, to be told by whoever counts the
 *          runs, and nothing is told again that was told of another run. NULL: the session tells
 *          its own losses
 */
struct latency_options {
	enum latency_mode mode;
	uint64_t frequency, period;
	struct latency_losses *losses;
};

struct sample_records;
struct counts;

/**
 * struct locate_sink - gets the samples of events
 * @begin:  what is mapped is recorded from now on: who needs it reads what is mapped already
 * @take:   gets the next records, in the order of time; their texts become its own
 * @choose: events were counted for a while: fill in the period of each, in events; 0 to leave it
 */
struct locate_sink {
	void (*begin)(void *arg);
	void (*take)(void *arg, struct sample_records *records);
	void (*choose)(void *arg, const struct counts *now, uint64_t *periods);
	void *arg;
};

/**
 * struct locate_options - how events sample themselves, to tell in which code they happen
 * @frequency: samples of cycles in a second, of each group on each CPU; 0: they do not
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
 * @samples, @bytes: of how many; @lost: that the kernel could not keep; @throttled: how often it
 *          held an event back
 * @rings, @pages: buffers, and pages of each; @user_only: the kernel is not sampled
 * @no_bursts: why there are no bursts (count/bursts.h), or 0
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
 * @delay_ns:   count this long after the command was let go; the clock, too, starts then
 * @control_fd: descriptor on which commands come (WAIT_CONTROL); 0 when there is none
 * @wake_fd: likewise, but what comes starts and stops no events
 * @scale:      compute estimates for counters that did not run all the time
 * @scope:      where the events' names were looked up, to tell why a group is refused; or NULL.
 *              Must outlive the session
 * @facts:      what facts are of (event_tool__is_fact()); NULL where none is counted. Must outlive
 *              the session
 * @latency:    for events which are sampled (event->sampled)
 * @locate:     for which code events happen in
 * @slices:     whether everything is read within rows, and how often
 * @read_topdown: groups of TopDown metric events that take turns are read more often, which makes
 *              their counts more exact and others than perf's
 * @watch_groups: groups that the kernel takes and never schedules are looked for, and taken apart
 * @needs_leaders: a group of the user's whose first event is not supported ends the run
 * @row_ns: (@watch_groups) how often everything is read anyway; 0 for at the end alone
 * @taken_apart: for each event, whether it leads a group that is opened apart; groups which are
 *            taken apart during the run are added, for the next of several. NULL: none, and not
 *            wanted
 * @sets: NULL to count all events at the same time; else one set of them is counted at a time. Must
 *            outlive the session
 * @real_time: counters and CPU times go by one clock, that of the kernel: no machine is simulated
 * @newcomers: (-a) CPUs that are offline at the start are units too, and counted once they come
 *          online; for rows which need not know where a CPU is. Nothing is sampled of them, nor are
 *          they counted in turns
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
 * @away:   it was offline for a part of the time of the counts at least
 * @unseen: it has been offline since the start: all its samples are absent
 */
struct presence {
	unsigned int moves;
	bool away, unseen;
};

/**
 * struct count_blocks - how counts vary between blocks of their time, where these are independent
 * @nr:    how many blocks
 * @moves: by how much each moves a count, at[(event * nr_units + unit) * nr + block]
 * @grains: the steps that counts are made of, at[event * nr_units + unit]
 * @used:  of each unit, in how many blocks there was anything of it
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
 * @presence:  one for each unit; NULL where nothing is known of it
 * @time_ns:   when they were read, measured since session__start(); duration_time is the same stamp
 * @off_ns:    for how much of that time all counters were off
 * @user_ns, @system_ns: CPU time of the workload, known once it has been reaped; while it runs, and
 *          without a workload, only when a user_time or system_time event is counted (of the tasks,
 *          or of the CPUs, since the start)
 * @peak_bytes: the most memory that the workload had resident, likewise; 0 where it is not known
 * @scale:  estimates are computed, see struct count_options
 * @slices: the session's reads within this time, for as long as no other read is made. Whoever
 *          wants them sets them (session__slices()); NULL where there are none
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
 * @comms: name of each thread, @processes: of which process it is, 0 where that is not known; NULL
 *         when units are CPUs
 * @weights: how many CPUs each stands for; NULL for one
 * @uncounted: nobody knows how many CPUs a unit stands for
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
 * session__new() - resolve the target and make the counters; opens nothing yet
 * @events:  of the plan; groups as their leaders say. Must outlive the session
 * @target:  must outlive the session
 *
 * Return: 0; -ESRCH for a process that is not there; -EINVAL with what contradicts what.
 */
int session__new(struct machine *machine, struct event_list *events, const struct target *target,
		 const struct count_options *opts, struct session **out, struct err *err);
/**
 * session__free() - close everything and put signals back as they were; NULL is allowed
 *
 * A command which was never let go is ended and reaped; one that runs is left alone.
 */
void session__free(struct session *s);

/**
 * session__open() - open every counter
 *
 * A weak group that the kernel refuses is taken apart and opened event by event. An event that is
 * not supported is marked (SAMPLE_NOT_SUPPORTED); the rest of a group the user wrote is then not
 * counted, and a warning says which member and why. The limit of open files is raised when needed.
 * Where the kernel may not be counted, user space is, and the event is renamed with ":u" as perf
 * does.
 *
 * Where sets take turns, the events of all sets are opened, and enabled in turn. On whole CPUs,
 * where there are not files enough for that, the events of a set are opened when its turn comes.
 *
 * Return: 0; -EPERM, -EACCES, -ENOSYS, -EMFILE...: @err names the event, perf_event_paranoid's
 * value and the remedies in order.
 */
int session__open(struct session *s, struct err *err);

/**
 * session__warnings() - lines for the user since the last call, or NULL
 *
 * They come from opening, and from reading: a CPU that went offline or came back, a counter that
 * could not be read, samples that were lost. The read after session__stop() tells how many samples
 * were lost in all.
 */
const char *session__warnings(struct session *s);
/**
 * session__supported() - whether event @index is counted somewhere (or there was nowhere to)
 *
 * A retire latency (:R) is when it is sampled.
 */
bool session__supported(const struct session *s, int index);
/**
 * session__needs_whole_cpus() - whether event @index is not counted since its PMU counts all that
 * CPUs do, and a task or a cgroup was asked for
 *
 * One of the warnings names all of these.
 */
bool session__needs_whole_cpus(const struct session *s, int index);
/**
 * session__refusal() - why event @index is not supported, or NULL when nothing refused it
 *
 * There is a reason, too, for a latency that was not to be sampled and that nothing refused.
 */
const char *session__refusal(const struct session *s, int index);
/**
 * session__obstacle() - why event @index may never have a counter though the kernel opened it, or
 * NULL when nothing is known
 */
const char *session__obstacle(const struct session *s, int index);

/**
 * session__attr() - the attributes event @index was opened with; its own where the kernel counts
 * nothing
 */
const struct perf_event_attr *session__attr(const struct session *s, int index);
/**
 * session__leader() - index of the leader of the group it was opened in; @index when alone
 *
 * Software events that are in one group only so that they are read at once are alone.
 */
int session__leader(const struct session *s, int index);
/**
 * session__regrouped() - how often there was news of groups: leaders, refusals and obstacles of
 * events may be others than before
 */
unsigned int session__regrouped(const struct session *s);
/** session__cpus() - where it is opened when counting CPUs: a part of the units. */
const struct cpulist *session__cpus(const struct session *s, int index);

/** session__units() - the CPUs or threads that are counted; they stay the same. */
const struct units *session__units(const struct session *s);

/**
 * session__enable() - let counters run, or stop them
 * @event: index of one, or -1 for all
 */
void session__enable(struct session *s, int event, bool on);
/** session__close_control() - listen to count_options.control_fd no longer. */
void session__close_control(struct session *s);

/**
 * session__start() - stamp the start, enable, let the workload go (in this order: no counter can
 * run before the clock does)
 *
 * Return: 0; the errno of exec as -ENOENT, -EACCES ... when the command could not be run.
 */
int session__start(struct session *s, struct err *err);
/** session__is_too_late() - whether the run was over before count_options.delay_ns was. */
bool session__is_too_late(const struct session *s);
/** session__elapsed_ns() - measured time since the start, now or at the end of the run. */
uint64_t session__elapsed_ns(const struct session *s);

/* Why a wait ended. */
enum wait_result {
	WAIT_DEADLINE, /* the time asked for was reached */
	WAIT_EXITED,   /* the workload, or the last watched process, ended */
	WAIT_CONTROL,  /* something can be read from count_options.control_fd */
	WAIT_SIGNAL,   /* a signal that ends the run: session__signal() says which */
	WAIT_ASKED,    /* SIGUSR1: the counts so far are asked for */
};

/**
 * session__wait() - sleep until an absolute time after the start
 * @deadline_ns: since session__start(); UINT64_MAX for as long as the workload runs
 *
 * Meanwhile groups with TopDown metric events are read every second or so, for their precision's
 * sake, when the deadline is more than a second away; and all counters are read when slices are
 * wanted.
 */
enum wait_result session__wait(struct session *s, uint64_t deadline_ns);
/**
 * session__accompany() - while one session waits, do what another has due, too: reads within rows
 *
 * @other: begins after @s and waits in turn with it; NULL for none any more
 */
void session__accompany(struct session *s, struct session *other);
/**
 * session__signal() - the first signal that ends the run, or 0
 *
 * These are SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGALRM.
 */
int session__signal(void);
/** session__leave_alone() - a signal is for the command, and ends no run; 0: all of them do. */
void session__leave_alone(int signal);

/* --- Signals of the process ------------------------------------------------------------------ */

/**
 * signals__install() - let signals come in while a session waits, and at no other time
 *
 * Each session does so for its life. Whoever has several sessions, one after another, does it
 * around all of them, so that none is lost between two. What writes to a pipe lets signals in while
 * it waits for room, and gives up a while after the one that ends the run.
 *
 * signals__restore() puts everything back, when it was called as often.
 */
void signals__install(void);
void signals__restore(void);
/**
 * hook__run() - run a command of the shell and wait for its end; signals are installed
 * @output_fd: its standard output; 0: that of this program
 * @status: as wait(2) has it
 *
 * The first signal that comes meanwhile is sent to it, and one after that kills it; then
 * session__signal() has one. Return: 0, or -errno where no process could be made.
 */
int hook__run(const char *command, int output_fd, int *status);
/** signals__ignore() - ignore SIGPIPE or SIGXFSZ; the command gets it as it was. */
void signals__ignore(int signal);

/**
 * session__read() - read every counter, one read per group and unit
 * @total: counts since the start; made by counts__init()
 *
 * It allocates nothing, but when CPUs went offline or came back. The counts of such a CPU are of
 * its times online. A read that fails is a sample with a status. read.c has the list of its steps.
 *
 * Return: 0, or the number of reads that failed.
 */
int session__read(struct session *s, struct counts *total);
/**
 * session__slices() - the reads within a row, up to the latest session__read()
 * @of_run: those of the whole run, behind or beside rows of intervals
 *
 * Return: NULL when none are made; those of the run are where count_options.slices wants them. They
 * change with the next read.
 */
const struct slices *session__slices(const struct session *s, bool of_run);
/** session__located() - what was sampled so far, with count_options.locate. */
struct located_totals session__located(const struct session *s);
/** session__end_row() - the slices of the next row begin at the latest read. */
void session__end_row(struct session *s);
/** session__unread() - how many reads of the last session__read() failed for no good reason. */
int session__unread(const struct session *s);
/** counts__init() - memory for @s's samples; counts__free() it. */
void counts__init(struct counts *c, const struct session *s);
void counts__free(struct counts *c);
/**
 * counts__delta() - @now minus @before into @out, all of the same shape
 *
 * Statuses and estimates are those of the interval; the time stamp is @now's. A counter that ran
 * backwards is lost, and so is one whose read before failed.
 */
void counts__delta(const struct counts *now, const struct counts *before,
		   const struct event_list *events, struct counts *out);

/**
 * session__stop() - disable all counters; the elapsed time stands still from here on
 *
 * For a command counted alone it is the time of its end, when that has been seen.
 */
void session__stop(struct session *s);
/**
 * session__reap() - wait for the workload's end and reap it; without a workload nothing
 * @signal: sent to it first when not 0. A signal that comes while waiting is passed on, one after
 *          that (or after @signal) kills it.
 * @status: as waitpid() gives it
 * @total:  its user_ns and system_ns become the workload's final CPU time (and so do the samples of
 *          user_time and system_time events); may be NULL
 */
void session__reap(struct session *s, int signal, int *status, struct counts *total);
/**
 * workload__abandon() - send SIGTERM to the command that runs, if one does
 *
 * It is for a program that ends at once. It is safe in a handler of signals, and does nothing in a
 * child of ours.
 */
void workload__abandon(void);

#endif
