/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of lib/run share this. A run goes down this list:
 *
 *   settle.c   options of the lower folders, as far as the request alone decides them
 *   plan.c, replay.c   make of it, and of the host or a recording, the events and metrics
 *   live.c, replay.c   give rows of counts, as a struct source
 *   rows.c     puts them into the grid, whatever the source, and records them
 *   tell.c     makes the notes before the rows, remark.c those after them
 *   run.c      goes through all of these, a step at a time
 */
#ifndef TMA_RUN_INTERNAL_H
#define TMA_RUN_INTERNAL_H

#include <stdio.h>

#include "machine/cgroup.h"
#include "machine/machine.h"
#include "machine/root_port.h"
#include "plan/plan.h"
#include "plan/sets.h"
#include "report/report.h"
#include "run/run.h"

struct err;
struct run_sites;
struct source;
struct strmap;

/* How far a run has come. */
enum run_phase {
	RUN_PHASE_NEW,
	RUN_PHASE_ROWS,	   /* the source has more */
	RUN_PHASE_WHOLE,   /* the source has more rows, but its last step completed a run */
	RUN_PHASE_ENDED,   /* the source has no more */
	RUN_PHASE_REGIONS, /* the regions have been read */
	RUN_PHASE_OVER,
};

/**
 * struct source_row - a row of counts
 * @counts: of the row, until the next step
 * @since_start: (RUN_ROW of a session) the counts since the start
 */
struct source_row {
	const struct counts *counts, *since_start;
	struct row_time time;
};

/**
 * struct run - a run
 * @host:    of the CPU that counts, or counted
 * @events, @metrics: scopes to look names up in, for as long as the plan lives
 * @target, @count, @report: those of the request, completed
 * @topdown, @names: compute the TopDown tree, and these metrics: those of the request, unless a
 *           recording cannot provide the ones that it was made with
 * @will_count: the run counts, and is not only planned
 * @cgroups, @ports: in which the plan's events are counted
 * @newcomers: cgroups that match by now, and are not counted; @looked_ns: when they were last
 *          searched for
 * @plan:    what is counted and computed
 * @sets:    groups that are counted together, if sets are made; or NULL
 * @source:  gives rows of counts; made by the first run__next(); @row: its last one
 * @rows, @places: the rows, and those of request.places
 * @sites:   rows of code and its samples (sites.c), or NULL
 * @recorder: writes them to a file, or NULL; @regions: with request.regions
 * @regrouped: which state of the session's groups was copied
 * @gaps:    how many rows had missing rows before them
 * @head, @hint: texts that @about and @report point to
 */
struct run {
	const struct host *host;
	const struct request *req;
	struct events_scope events;
	struct metrics_scope metrics;
	struct target target;
	struct count_options count;
	struct report_options report;
	const char *names;
	bool topdown, will_count;
	struct cgroup_list cgroups;
	struct strmap *newcomers;
	uint64_t looked_ns;
	struct root_ports ports;
	struct plan *plan;
	struct sets *sets;
	struct source *source;
	struct source_row row;
	enum run_phase phase;

	struct report *rows, *places;
	struct run_sites *sites;
	struct recorder *recorder;
	unsigned int regrouped, gaps;
	struct run_regions *regions;

	char *head;
	struct sb hint;
	struct run_about about;
	struct run_outcome outcome;
	struct notes notes;
};

/**
 * run_cgroups__check() - note which of the cgroups have gone, and which others have appeared, since
 * the last call
 * @now_ns: time since the start
 */
void run_cgroups__check(struct run *run, uint64_t now_ns);
/** run_cgroups__free() - close them. */
void run_cgroups__free(struct run *run);

/*
 * --- The plan of a run -------------------------------------------------------------------------
 */

/** settle__run() - derive the options that depend on the request alone. */
void settle__run(struct run *run);
/**
 * settle__target() - choose between tasks and all CPUs, once it is known which of them events can
 * count
 *
 * Return: 0; -EDESTADDRREQ where rows are of CPUs, and tasks are counted.
 */
int settle__target(struct run *run, struct err *err);
/**
 * settle__outlasts_sigint() - whether the run continues after SIGINT until its command ends, as
 * perf's does unless it wakes up by itself
 */
bool settle__outlasts_sigint(const struct request *req);
/** settle__ends_by_itself() - whether a run ends without a command of --control, as perf's does. */
bool settle__ends_by_itself(const struct request *req);

/** run_plan__make() - find what to count and compute on this computer. Return: 0 or -errno. */
int run_plan__make(struct run *run, struct err *err);

/**
 * run_metrics__put_names() - append the metrics of -M, and those that a verdict needs with them.
 */
void run_metrics__put_names(const struct run *run, struct sb *names);
/**
 * run_metrics__put_topdown() - append the metric groups of --topdown and --td-level
 *
 * Return: 0; -EINVAL for a level too deep; -ENOENT or -ENODEV when there are no TopDown metrics.
 */
int run_metrics__put_topdown(const struct run *run, struct sb *names, struct err *err);
/**
 * run_metrics__check_verdict() - check that there is a metric of the tree for a verdict; a verdict
 * that the user did not ask for is dropped without one
 * @run: with its plan complete
 *
 * Return: 0; -EINVAL without a metric of the tree.
 */
int run_metrics__check_verdict(struct run *run, struct err *err);

/**
 * run_bpf__choose() - choose the events that BPF programs read
 * @run: its plan has all events
 *
 * Return: 0; -EINVAL with an event that they cannot read; -ENOTSUP on a simulated machine.
 */
int run_bpf__choose(struct run *run, struct err *err);
/**
 * run_iostat__add() - add the events of each PCIe root port (--iostat)
 *
 * Return: 0; the errors of root_ports__find(), root_ports__keep() and events__parse().
 */
int run_iostat__add(struct run *run, struct err *err);

/** run_sets__make() - make sets of groups that are counted together, if there are none. */
void run_sets__make(struct run *run);
/**
 * run_sets__use() - with request.passes or .rotate, count by sets, with a note; mark metrics whose
 * events are in several passes
 */
void run_sets__use(struct run *run);
/** run_sets__fds() - count the file descriptors that an event takes, for each thread of a task. */
int run_sets__fds(const struct run *run, const struct event *e);

/* --- Notes ----------------------------------------------------------------------------------- */

/* Note a sentence about an item, or NULL, if its kind is wanted: tell(run, TURNS, pmu, "..."). */
#define tell(run, kind, place, ...)                                                           \
	notes__add(&(run)->notes, NOTE_##kind, place, __VA_ARGS__)

/** tell__before() - make the notes on what will be counted. */
void tell__before(struct run *run);
/**
 * tell__knows_nothing() - whether only metrics were asked for, and the machine has no facts for any
 * of them, as tell__before() has noted
 */
bool tell__knows_nothing(const struct run *run);
/** tell__put_nothing() - append that nothing can be counted, with the first event's reason. */
void tell__put_nothing(const struct run *run, const struct session *session, struct sb *sb);
/**
 * tell__nothing_counted() - note that nothing was counted, with the first event's reason for all.
 */
void tell__nothing_counted(struct run *run, const struct session *session);
/** tell__turns() - note that the events of a PMU multiplex, unless the tables know its counters. */
void tell__turns(struct run *run, const struct pmu *pmu);
/** remark__refused() - note why events have no counts, once a session is open. */
void remark__refused(struct run *run);
/**
 * remark__lacking() - note once which parts of the machine were not counted, in the current row.
 */
void remark__lacking(struct run *run);
/** remark__after() - make the notes on what was counted. */
void remark__after(struct run *run);
/** remark__count_starved() - count the events that never had a turn on the counters. */
int remark__count_starved(const struct sums *sums);

/** run__has_vendor_latency() - whether the tables have a value for a latency. */
static inline bool run__has_vendor_latency(const struct event *e)
{
	return e->retire_latency && e->vendor_latency.mean;
}

/* --- Rows of counts -------------------------------------------------------------------------- */

/**
 * struct source - a source of rows of counts
 * @next:  Return: enum run_step, with @row filled if it is a row; or -errno. RUN_TOTAL does not
 *          occur
 * @end:   called after the last step; @failed: that step, or the handling of a row, failed. Or NULL
 * @free:  release it
 * @session: (live.c) the open one; @repeated: a session for the same events was open before
 * @recording: (replay.c) what is read
 * @set:   of @session, with request.passes
 */
struct source {
	int (*next)(struct source *s, struct source_row *row, struct err *err);
	void (*end)(struct source *s, bool failed);
	void (*free)(struct source *s);
	struct session *session;
	struct recording *recording;
	bool repeated;
	int set;
};

/** live__new() - count on this computer. @run must outlive the source. */
struct source *live__new(struct run *run);
/**
 * replay__plan() - find what to compute from a recording
 *
 * Return: 0 or -errno.
 */
int replay__plan(struct run *run, struct err *err);
/** replay__new() - read its rows. */
struct source *replay__new(struct run *run);

/**
 * source__missed_rows() - count the rows of intervals that were due between two consecutive rows
 * @last_ns, @now_ns: ends of the two, since the start
 */
static inline uint64_t source__missed_rows(uint64_t last_ns, uint64_t now_ns, uint64_t interval_ns)
{
	uint64_t last = interval_ns ? last_ns / interval_ns : 0;
	uint64_t now = interval_ns ? now_ns / interval_ns : 0;

	return now > last + 1 ? now - last - 1 : 0;
}

/**
 * source__is_cut() - whether the row of an interval is incomplete: it ended before it was due, or
 * began where counters were started or stopped
 *
 * A row after a late one is a little shorter, too: a tenth is tolerated.
 */
static inline bool source__is_cut(uint64_t last_ns, uint64_t now_ns, uint64_t interval_ns)
{
	return interval_ns && now_ns > last_ns &&
	       (now_ns / interval_ns == last_ns / interval_ns ||
		now_ns - last_ns < interval_ns / 10 * 9);
}

/**
 * run_rows__take() - put a step of the source into the grid, and into the recording
 *
 * Return: the step for the run's caller; RUN_END if there is none for it; -errno.
 */
int run_rows__take(struct run *run, int step, const struct source_row *row, struct err *err);
/** run_rows__fill_total() - fill in the row of the whole run. Return: RUN_TOTAL, or RUN_END. */
int run_rows__fill_total(struct run *run, const struct source_row *row);
/** run_rows__conclude() - make the verdicts, if they are wanted. Return: RUN_WHOLE. */
int run_rows__conclude(struct run *run, const struct source_row *row);
/** run_rows__end() - fill in the mean of several runs, if any. Return: RUN_ROW, or RUN_END. */
int run_rows__end(struct run *run);
/**
 * run_rows__finish_recording() - complete the recording, if there is one
 * @err: NULL if another failure is reported
 *
 * Return: 0 or -errno.
 */
int run_rows__finish_recording(struct run *run, struct err *err);
void run_rows__free(struct run *run);

/* --- Rows of sites, made of samples (sites.c) ------------------------------------------------ */

/** run_sites__are_wanted() - whether rows are of functions, files or lines. */
bool run_sites__are_wanted(const struct request *req);
/**
 * run_sites__check() - check that the recording that is read has samples
 *
 * Return: 0; -EINVAL with the command that would have recorded some.
 */
int run_sites__check(const struct run *run, struct err *err);
/**
 * run_sites__begin() - have every event sample itself, or take the samples of a recording
 * @run: with its plan complete
 */
void run_sites__begin(struct run *run);
/** run_sites__reads_running() - whether the sampled processes already ran before. */
bool run_sites__reads_running(const struct run *run);
/** run_sites__record() - write the state of the sampling to the recorder, before a row. */
void run_sites__record(struct run *run);
/** run_sites__open() - make the rows, once counters are open. */
void run_sites__open(struct run *run);
/** run_sites__grid() - return the grid of sites; NULL before run_sites__open(). */
const struct grid *run_sites__grid(const struct run *run);
/** run_sites__fill() - fill in the rows of an interval or a run, and begin a new one. */
void run_sites__fill(struct run *run, const struct source_row *row, enum grid_span span);
/** run_sites__skip() - drop the samples of a row. */
void run_sites__skip(struct run *run);
/** run_sites__fill_total() - fill in the rows of the whole run, after its intervals. */
void run_sites__fill_total(struct run *run, const struct source_row *row);
/**
 * run_sites__refuse() - refuse a run in which nothing is counted, before its command runs. 0 or
 * -ENOTSUP.
 */
int run_sites__refuse(struct run *run, struct err *err);
/** run_sites__tell_frequency() - note that so many samples slow what is measured. */
void run_sites__tell_frequency(struct run *run);
/** run_sites__tell() - note the limits of the samples. */
void run_sites__tell(struct run *run);
/**
 * run_sites__tell_end() - note the cost of the samples, and how their sums compare with the counts.
 */
void run_sites__tell_end(struct run *run);
/** run_sites__free() - release them. */
void run_sites__free(struct run *run);

/* --- Several runs, each of other events, combined to counts of one run (--passes) ------------ */

/**
 * struct passes - the counts of the runs so far
 * @sets: a run for each
 * @sum:  counts: added up while runs come in, then their means
 * @totals: of (pass, event), over all CPUs, to compare passes
 * @lengths: of each run, in ns
 * @time: the mean of the runs
 */
struct passes {
	const struct sets *sets;
	struct counts sum;
	double *totals;
	VEC(uint64_t) lengths;
	struct row_time time;
};

/**
 * passes__add() - add the counts of a run
 * @pass: number of the set; pass 0 begins again
 * @session: the session that counted
 *
 * Return: 0, or -ESTALE when the CPUs are no longer those of the first run.
 */
int passes__add(struct passes *p, int pass, const struct session *session,
		const struct source_row *row, struct err *err);
/** passes__finish() - turn sums into means. */
void passes__finish(struct passes *p);
/**
 * passes__compare() - find and note events that several runs counted with different results
 * @list: the events of the counts
 *
 * An event in several groups is treated as one. Times, and counts that are too small, are left out.
 * The largest difference becomes @p's pass_spread.
 */
void passes__compare(struct passes *p, const struct event_list *list, struct notes *notes);
/** passes__free() - release its memory. */
void passes__free(struct passes *p);

/* --- The command, and those around it --------------------------------------------------------- */

/**
 * command__run_hook() - run the command of --pre or --post, if there is one
 * @option: which of them; @output_fd: where its standard output goes, 0 for that of this program
 *
 * A command that fails ends the runs. So does a signal, which does not count as a failure of the
 * command that it was sent to. Return: 0 or -errno.
 */
int command__run_hook(const char *option, const char *command, int output_fd, struct err *err);
/**
 * command__open_output() - open the file of request.command_output, once
 * @fd: set, if it is 0: all runs write to the same file, one after the other
 *
 * Return: 0 or -errno.
 */
int command__open_output(const char *where, int *fd, struct err *err);
/**
 * command__status() - convert the status of a command to that of a shell
 * @argv: of the command, or NULL; @sent: the signal that was sent to end it
 * @notes: gets a note on the signal that killed it
 */
int command__status(char *const *argv, int wait_status, int sent, struct notes *notes);

/*
 * --- State of the machine and memory for the whole run ------------------------------------------
 */

/** smi__freeze() - stop counters during system management interrupts. Return: 0 or -errno. */
int smi__freeze(const struct machine *m, struct err *err);
/** smi__unfreeze() - undo it, if it was done; a failure is noted. */
void smi__unfreeze(struct run *run);

/**
 * run_regions__start() - make the memory for request.regions, and name it in TMA_REGIONS
 *
 * This comes before the command is forked. Return: 0 or -errno.
 */
int run_regions__start(struct run *run, struct err *err);
/**
 * run_regions__take() - read the totals that the program has left in the memory
 *
 * Return: RUN_REGIONS; RUN_END where there is none; -errno.
 */
int run_regions__take(struct run *run, struct err *err);
/** run_regions__tell() - note problems with the regions. */
void run_regions__tell(struct run *run);
/** run_regions__grid() - return the rows of regions, or NULL. */
const struct grid *run_regions__grid(const struct run *run);
/** run_regions__free() - release the memory. */
void run_regions__free(struct run *run);

#endif
