/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the files of lib/run share. A run goes through these files:
 *
 *   settle.c   derives options of the lower folders from the request
 *   plan.c, replay.c   choose events and metrics, for this computer or from a recording
 *   live.c, replay.c   make rows of counts (struct source)
 *   rows.c     puts the rows of either source into the grid, and records them
 *   tell.c     makes the notes before the rows
 *   remark.c   makes the notes after the rows
 *   run.c      calls these files, one step at a time
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
	RUN_PHASE_ROWS,	   /* the source has more rows */
	RUN_PHASE_WHOLE,   /* the last step completed a run, and the source has more rows */
	RUN_PHASE_ENDED,   /* the source has no more rows */
	RUN_PHASE_REGIONS, /* the regions have been read */
	RUN_PHASE_OVER,
};

/**
 * struct source_row - a row of counts
 * @counts: counts of the row, valid until the next step
 * @since_start: (RUN_ROW of a session) the counts since the start
 */
struct source_row {
	const struct counts *counts, *since_start;
	struct row_time time;
};

/**
 * struct run - a measurement, or the reading of a recording
 * @host:    the computer that is or was measured
 * @events, @metrics: scopes to look names up in, for as long as the plan lives
 * @target, @count, @report: options of the request, completed
 * @topdown, @names: whether to compute the TopDown tree; names of metrics. Both are as in the
 *           request, unless a recording cannot provide the metrics that it was made with
 * @will_count: the run counts; else it is only planned
 * @cgroups, @ports: cgroups and root ports in which events are counted
 * @newcomers: cgroups that began to match after the start, and are not counted; @looked_ns: time of
 *          the last search for newcomers
 * @plan:    what is counted and computed
 * @sets:    sets of groups that are counted together, or NULL
 * @source:  source of rows, made by the first run__next(); @row: the last row of @source
 * @rows, @places: the grid of rows, and the grid of request.places
 * @sites:   rows of code and their samples (sites.c), or NULL
 * @recorder: writes the rows to a file, or NULL; @regions: regions that the program measures, or
 *           NULL
 * @regrouped: number of times that the session had regrouped events when its groups were copied
 * @gaps:    number of rows before which rows were missing
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
 * run_cgroups__check() - note which cgroups have been removed since the last call, and which new
 * cgroups match
 * @now_ns: time since the start
 */
void run_cgroups__check(struct run *run, uint64_t now_ns);
/** run_cgroups__free() - close the cgroups. */
void run_cgroups__free(struct run *run);

/*
 * --- The plan of a run -------------------------------------------------------------------------
 */

/** settle__run() - derive the options that only depend on the request. */
void settle__run(struct run *run);
/**
 * settle__target() - choose whether tasks or all CPUs are counted; the events must be known
 *
 * Return: 0; -EDESTADDRREQ if rows are CPUs, but tasks are counted.
 */
int settle__target(struct run *run, struct err *err);
/**
 * settle__outlasts_sigint() - whether the run continues after SIGINT until its command ends. It
 * does if called as perf, unless intervals, a timeout or --control wake it up
 */
bool settle__outlasts_sigint(const struct request *req);
/** settle__ends_by_itself() - whether a run ends without a command of --control, as in perf. */
bool settle__ends_by_itself(const struct request *req);

/** run_plan__make() - choose what to count and compute on this computer. Return: 0 or -errno. */
int run_plan__make(struct run *run, struct err *err);

/**
 * run_metrics__put_names() - append the metrics of -M, and the metrics that a verdict needs with
 * them.
 */
void run_metrics__put_names(const struct run *run, struct sb *names);
/**
 * run_metrics__put_topdown() - append the metric groups of --topdown and --td-level
 *
 * Return: 0; -EINVAL for a level that is too deep; -ENOENT or -ENODEV without TopDown metrics.
 */
int run_metrics__put_topdown(const struct run *run, struct sb *names, struct err *err);
/**
 * run_metrics__check_verdict() - check that a metric of the tree is counted for a verdict. Without
 * such a metric, drop a verdict that the user did not ask for
 * @run: has a complete plan
 *
 * Return: 0; -EINVAL without a metric of the tree.
 */
int run_metrics__check_verdict(struct run *run, struct err *err);

/**
 * run_bpf__choose() - choose the events that BPF programs read
 * @run: has a plan with all events
 *
 * Return: 0; -EINVAL if BPF programs cannot read an event; -ENOTSUP on a simulated machine.
 */
int run_bpf__choose(struct run *run, struct err *err);
/**
 * run_iostat__add() - add the events of each PCIe root port (--iostat)
 *
 * Return: 0 or an error of root_ports__find(), root_ports__keep() or events__parse().
 */
int run_iostat__add(struct run *run, struct err *err);

/** run_sets__make() - make sets of groups that are counted together, unless there are sets. */
void run_sets__make(struct run *run);
/**
 * run_sets__use() - count by sets for request.passes or .rotate, with a note. Mark metrics whose
 * events are in several passes
 */
void run_sets__use(struct run *run);
/** run_sets__fds() - count the file descriptors that an event needs for each thread of a task. */
int run_sets__fds(const struct run *run, const struct event *e);

/* --- Notes ----------------------------------------------------------------------------------- */

/*
 * Note a sentence about an item (or NULL), if notes of the kind are wanted: tell(run, TURNS, pmu,
 * "...").
 */
#define tell(run, kind, place, ...)                                                           \
	notes__add(&(run)->notes, NOTE_##kind, place, __VA_ARGS__)

/** tell__before() - make the notes on what will be counted. */
void tell__before(struct run *run);
/**
 * tell__knows_nothing() - whether only metrics are wanted, and facts for all of them are missing,
 * as tell__before() has noted
 */
bool tell__knows_nothing(const struct run *run);
/** tell__put_nothing() - append that nothing can be counted, with the reason of the first event. */
void tell__put_nothing(const struct run *run, const struct session *session, struct sb *sb);
/** tell__nothing_counted() - note that nothing was counted, with the reason of the first event. */
void tell__nothing_counted(struct run *run, const struct session *session);
/**
 * tell__turns() - note that the events of a PMU were multiplexed, unless the tables have the number
 * of its counters.
 */
void tell__turns(struct run *run, const struct pmu *pmu);
/** remark__refused() - note why the kernel refused events; the session must be open. */
void remark__refused(struct run *run);
/**
 * remark__lacking() - note which parts of the machine were not counted in the current row. Each
 * part is noted once.
 */
void remark__lacking(struct run *run);
/** remark__after() - make the notes on what was counted. */
void remark__after(struct run *run);
/** remark__count_starved() - count the events that never had a counter. */
int remark__count_starved(const struct sums *sums);

/** run__has_vendor_latency() - whether the tables have a value for a latency. */
static inline bool run__has_vendor_latency(const struct event *e)
{
	return e->retire_latency && e->vendor_latency.mean;
}

/* --- Rows of counts -------------------------------------------------------------------------- */

/**
 * struct source - a source of rows of counts
 * @next:  makes the next step and fills @row if it is a row. Return: enum run_step except
 *          RUN_TOTAL, or -errno
 * @end:   called after the last step, or NULL; @failed: this step, or the handling of a row, failed
 * @free:  releases the source
 * @session: (live.c) the open session; @repeated: an earlier session had the same events
 * @recording: (replay.c) the recording that is read
 * @set:   with request.passes, number of the set that @session counts
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

/** live__new() - make a source that counts on this computer. @run must outlive the source. */
struct source *live__new(struct run *run);
/**
 * replay__plan() - choose what to compute from a recording
 *
 * Return: 0 or -errno.
 */
int replay__plan(struct run *run, struct err *err);
/** replay__new() - make a source that reads the rows of a recording. */
struct source *replay__new(struct run *run);

/**
 * source__missed_rows() - count the intervals without a row between two consecutive rows
 * @last_ns, @now_ns: ends of the two rows, since the start
 */
static inline uint64_t source__missed_rows(uint64_t last_ns, uint64_t now_ns, uint64_t interval_ns)
{
	uint64_t last = interval_ns ? last_ns / interval_ns : 0;
	uint64_t now = interval_ns ? now_ns / interval_ns : 0;

	return now > last + 1 ? now - last - 1 : 0;
}

/**
 * source__is_cut() - whether an interval was cut: it ended before it was due, or began when
 * counters were started or stopped
 *
 * A row after a late row is also shorter: up to a tenth is tolerated.
 */
static inline bool source__is_cut(uint64_t last_ns, uint64_t now_ns, uint64_t interval_ns)
{
	return interval_ns && now_ns > last_ns &&
	       (now_ns / interval_ns == last_ns / interval_ns ||
		now_ns - last_ns < interval_ns / 10 * 9);
}

/**
 * run_rows__take() - put the row of a step into the grid and into the recording
 *
 * Return: the step for the caller of the run; RUN_END if the caller gets no step; -errno.
 */
int run_rows__take(struct run *run, int step, const struct source_row *row, struct err *err);
/**
 * run_rows__fill_total() - fill in the row of the whole run. Return: RUN_TOTAL, or RUN_END without
 * such a row.
 */
int run_rows__fill_total(struct run *run, const struct source_row *row);
/** run_rows__conclude() - make the verdicts if they are wanted. Return: RUN_WHOLE. */
int run_rows__conclude(struct run *run, const struct source_row *row);
/**
 * run_rows__end() - fill in the mean of several runs. Return: RUN_ROW, or RUN_END for a single run.
 */
int run_rows__end(struct run *run);
/**
 * run_rows__finish_recording() - complete the recording, if rows are recorded
 * @err: NULL if the caller reports another failure
 *
 * Return: 0 or -errno.
 */
int run_rows__finish_recording(struct run *run, struct err *err);
void run_rows__free(struct run *run);

/* --- Rows of sites, made of samples (sites.c) ------------------------------------------------ */

/** run_sites__are_wanted() - whether rows are of functions, files or lines. */
bool run_sites__are_wanted(const struct request *req);
/**
 * run_sites__check() - check that the recording has samples
 *
 * Return: 0; -EINVAL with the command that records samples.
 */
int run_sites__check(const struct run *run, struct err *err);
/**
 * run_sites__begin() - let every event sample itself, or use the samples of a recording
 * @run: has a complete plan
 */
void run_sites__begin(struct run *run);
/** run_sites__reads_running() - whether the sampled processes ran before the start. */
bool run_sites__reads_running(const struct run *run);
/** run_sites__record() - write the state of the sampling to the recorder, before a row. */
void run_sites__record(struct run *run);
/** run_sites__open() - make the rows; the counters must be open. */
void run_sites__open(struct run *run);
/** run_sites__grid() - return the grid of sites; NULL before run_sites__open(). */
const struct grid *run_sites__grid(const struct run *run);
/** run_sites__fill() - fill in the rows of an interval or a run, and begin the next interval. */
void run_sites__fill(struct run *run, const struct source_row *row, enum grid_span span);
/** run_sites__skip() - drop the samples of a row. */
void run_sites__skip(struct run *run);
/** run_sites__fill_total() - fill in the rows of the whole run, after its intervals. */
void run_sites__fill_total(struct run *run, const struct source_row *row);
/**
 * run_sites__refuse() - refuse a run in which nothing can be counted, before its command runs
 *
 * Return: 0 or -ENOTSUP.
 */
int run_sites__refuse(struct run *run, struct err *err);
/** run_sites__tell_frequency() - note how much samples slow the program, if -F is high. */
void run_sites__tell_frequency(struct run *run);
/** run_sites__tell() - note the limits of the samples. */
void run_sites__tell(struct run *run);
/**
 * run_sites__tell_end() - note the cost of the samples, and how sums of samples compare with
 * counts.
 */
void run_sites__tell_end(struct run *run);
/** run_sites__free() - release the rows of code. */
void run_sites__free(struct run *run);

/* --- Several runs, each of other events, combined to counts of one run (--passes) ------------ */

/**
 * struct passes - counts of the runs so far
 * @sets: sets of groups, each of which has a run
 * @sum:  sums of counts; passes__finish() turns them into means
 * @totals: count of each (pass, event) on all CPUs, to compare passes
 * @lengths: length of each run, in ns
 * @time: means of the times of the runs
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
 * @pass: number of the set; pass 0 discards earlier counts
 * @session: the session that counted
 *
 * Return: 0; -ESTALE if the CPUs are not those of the first run.
 */
int passes__add(struct passes *p, int pass, const struct session *session,
		const struct source_row *row, struct err *err);
/** passes__finish() - turn the sums into means. */
void passes__finish(struct passes *p);
/**
 * passes__compare() - note events whose counts differ between runs
 * @list: the events that were counted
 *
 * The same event in several groups is treated as one. Times and small counts are left out. The
 * largest difference becomes @p's pass_spread.
 */
void passes__compare(struct passes *p, const struct event_list *list, struct notes *notes);
/** passes__free() - release the memory of @p. */
void passes__free(struct passes *p);

/* --- The command, and those around it --------------------------------------------------------- */

/**
 * command__run_hook() - run the command of --pre or --post, if there is one
 * @option: "--pre" or "--post"; @output_fd: standard output of the command; 0: the standard output
 *          of this program
 *
 * A command that fails ends the runs. A signal to this program ends them too, but the command does
 * not count as failed. Return: 0 or -errno.
 */
int command__run_hook(const char *option, const char *command, int output_fd, struct err *err);
/**
 * command__open_output() - open the file of request.command_output, if it is not open
 * @fd: if 0, set to the descriptor: all runs write to the same file
 *
 * Return: 0 or -errno.
 */
int command__open_output(const char *where, int *fd, struct err *err);
/**
 * command__status() - convert the status of a command to that of a shell
 * @argv: arguments of the command, or NULL; @sent: the signal that was sent to end the command
 * @notes: receives a note on the signal that killed the command
 */
int command__status(char *const *argv, int wait_status, int sent, struct notes *notes);

/*
 * --- State of the machine and memory for the whole run ------------------------------------------
 */

/** smi__freeze() - stop counters during system management interrupts. Return: 0 or -errno. */
int smi__freeze(const struct machine *m, struct err *err);
/** smi__unfreeze() - undo smi__freeze() if it succeeded; a failure is noted. */
void smi__unfreeze(struct run *run);

/**
 * run_regions__start() - make the memory for request.regions, and put its descriptor into
 * TMA_REGIONS
 *
 * Call it before the command is forked. Return: 0 or -errno.
 */
int run_regions__start(struct run *run, struct err *err);
/**
 * run_regions__take() - read the totals that the program has left in the memory
 *
 * Return: RUN_REGIONS; RUN_END without regions; -errno.
 */
int run_regions__take(struct run *run, struct err *err);
/** run_regions__tell() - note problems with the regions. */
void run_regions__tell(struct run *run);
/** run_regions__grid() - return the rows of regions, or NULL. */
const struct grid *run_regions__grid(const struct run *run);
/** run_regions__free() - release the memory. */
void run_regions__free(struct run *run);

#endif
