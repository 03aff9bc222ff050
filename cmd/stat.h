/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "tma stat": in comes a command line; out go rows of counts and metrics, messages, an exit status.
 * A run goes down this list:
 *
 *   stat_options.c, stat_check.c, stat_settle.c
 *                make struct stat_options of the command line, const from then on
 *   stat_plan.c, stat_replay.c     make of it, and of the computer or a recording, struct stat_run
 *   stat_live.c, stat_replay.c     give rows of counts: struct source
 *   stat_run.c                     prints the rows in turn, whatever the source, and what is said
 */
#ifndef TMA_CMD_STAT_H
#define TMA_CMD_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/sb.h"
#include "base/vec.h"
#include "cmd.h"
#include "count/count.h"
#include "machine/root_port.h"
#include "metrics/literal.h"
#include "plan/plan.h"
#include "plan/sets.h"
#include "record/record.h"
#include "report/report.h"
#include "writers/writer.h"

struct err;
struct grid;
struct shared_text;
struct source;

/* The verb says what is done with counts. */
enum stat_verb {
	STAT_PRINT,  /* tma stat */
	STAT_RECORD, /* tma stat record: they are written to a file as well */
	STAT_REPORT, /* tma stat report: they are read from a file; nothing is counted */
	STAT_SERVE,  /* tma serve: each row replaces a text that a server reads */
	STAT_PLAN,   /* tma plan: nothing is counted; dry_run is set */
};

/**
 * struct stat_event - one -e, or --pfm-events (@pfm)
 * @filter: of the --filter behind it, or NULL
 */
struct stat_event {
	const char *text, *filter;
	bool pfm;
};

/**
 * struct control - the descriptors that commands come from (--control)
 * @fd:   they are read from, 0 when there is none; @ack: "ack" is written to, or 0
 * @ours: both were opened here; @copied: @fd alone, as a copy of standard input
 */
struct control {
	int fd, ack;
	bool ours, copied;
};

#define CONTROL_MAX 128

/* A line that has not come whole; @len: of it, what goes beyond CONTROL_MAX is not kept. */
struct control_line {
	char text[CONTROL_MAX];
	int len;
};

#define TD_LEVEL_MAX UINT64_MAX /* --td-level max */

/**
 * struct stat_options - the command line of "tma stat"
 *
 * Const once it is parsed and settled: what a run makes of it stands in struct stat_run.
 *
 * @command_line: from "stat" on, as it was typed
 * @data_name: (STAT_RECORD) -o; @no_print: it is standard output, and nothing is printed
 * @input_name, @time_text, @cpuid: (STAT_REPORT) -i, --time, --cpuid as typed, or NULL
 * @from_ns, @to_ns: the ends of --time
 * @told:    (STAT_REPORT) what --set says of literals
 * @inputs, @nr_inputs: (STAT_REPORT) files to be read one after the other, in place of -i
 * @smt_name, @scope_name: (STAT_REPORT) --smt and --scope as typed, or NULL; @smt and @core_wide
 *           are what they say
 * @events:   each -e
 * @cgroup_names: all -G texts, joined by commas; @each_cgroup: --for-each-cgroup, or NULL
 * @metrics:  all -M texts, joined by commas
 * @target, @count, @report, @format, @plan: as far as the command line says them
 * @cpu_text: -C as typed, or NULL
 * @bpf_text: -b as typed, or NULL; @bpf_programs: the numbers in it
 * @bpf_counters: --bpf-counters; @bpf_attr_map: --bpf-attr-map as typed, or NULL
 * @by_bpf:   BPF programs read all events: -b or --bpf-counters
 * @cputype:  --cputype as typed, or NULL; @pmu_filter, @compat: likewise
 * @no_affinity: --no-affinity, which changes nothing
 * @output_name: -o; @has_file: it is a file, and not "-"; @log_fd: --log-fd, 0 when not given
 * @to_stdout: rows go to standard output, as those of tma's own formats do
 * @command_output: --command-output as typed, or NULL
 * @format_name: --format as typed, or NULL; @header_set: --header or --no-header was said
 * @colour:   --color as typed, or NULL
 * @tpebs_mode: --tpebs-mode as typed, or NULL
 * @grouping_name: --grouping as typed, or NULL; @schedule_name: --schedule as typed, or NULL;
 *            @estimate_name: --estimate as typed, or NULL
 * @topdown:  --topdown; @topdown_set: or --no-topdown; @td_level: --td-level, 0 for level 1,
 *            TD_LEVEL_MAX for the deepest
 * @metric_only_set: --metric-only or --no-metric-only was said, so that --topdown does not choose
 * @no_threshold: --metric-no-threshold
 * @judged:   a page has a verdict, unasked, where a tree is counted
 * @record_tpebs: metrics' retire latencies are sampled, not the tables'
 * @shared:   rows in a machine's format go to standard error
 * @have_command: there is a command; @no_target: and neither -a, -C, -p nor -t: it is all CPUs
 * @dry_run:  nothing is counted: the groups are printed (--dry-run, or STAT_PLAN)
 * @passes:   --passes; @rotate: --schedule=rotate; @turn_ms: --schedule-ms, 0 when not given
 * @regions:  the command measures its own regions; @regions_capacity: --regions=N, or 0
 * @global:   --global; @rows_asked: one of @by was given: else rows stand for what they did
 * @by:       what a row stands for, as asked for: -A, --per-core ...
 * @pre, @post: shell commands around each run, or NULL
 * @delay_ms: -D, -1 for as long as nobody enables the counters
 * @interval_ms: -I, 0 when not given; @interval_count: 0 for no limit; @timeout_ms: 0 for none
 * @repeat:   -r: runs of the command, 0 for ever
 * @verbose:  how often -v; @detailed: how often -d
 */
struct stat_options {
	enum stat_verb verb;
	const char **command_line;
	const char *data_name, *input_name, *time_text, *cpuid, *smt_name, *scope_name;
	enum told smt, core_wide;
	struct literals told;
	const char **inputs;
	int nr_inputs;
	VEC(struct stat_event) events;
	struct sb cgroup_names, metrics;
	const char *each_cgroup;
	struct target target;
	struct count_options count;
	struct report_options report;
	struct writer_options format;
	struct plan_options plan;
	const char *pmu_filter, *compat, *bpf_text, *bpf_attr_map, *iostat_ports;
	VEC(uint32_t) bpf_programs;
	bool iostat;
	const char *cpu_text, *cputype, *output_name, *format_name, *tpebs_mode, *grouping_name,
		*schedule_name, *estimate_name, *pre, *post, *control_text, *colour,
		*command_output;
	struct control control;
	bool no_print, json, header_set, append, has_file, to_stdout, shared, quiet;
	bool topdown, topdown_set, metric_only_set, no_threshold, hybrid_merge, smi_cost;
	bool record_tpebs, no_affinity, null, all_user, all_kernel, sync, summary;
	bool no_csv_summary, judged;
	bool have_command, no_target, dry_run, passes, rotate, regions, global, rows_asked;
	bool bpf_counters, by_bpf;
	bool by[AGGR_NR];
	int64_t delay_ms;
	uint64_t td_level, interval_ms, interval_count, timeout_ms, log_fd, repeat, turn_ms,
		from_ns, to_ns;
	uint64_t regions_capacity;
	int verbose, detailed;
};

/**
 * struct stat_taker - takes what a run has found, in place of a writer
 * @begin:  called before each run of a command, or NULL
 * @row:    called with the grid of each row, or NULL
 * @take:   called in the end, or NULL, with the grid, in which the verdicts stand, if there are
 * any; @status is known then
 * @places: called with a second grid of each row, of the same counts: what it stands for by
 *          @places_by, and of threads by their process with @by_process. Or NULL
 * @wants:  what its grids have beside what the format asks for, enum grid_want
 * @wake:   called within a wait when @wake_fd (not 0) can be read: whether the run is to end. Or
 *          NULL
 * @pre_name, @cgroups_name: what the user has given for --pre and --for-each-cgroup, or NULL
 * @end_ns: on the monotonic clock: when a run under way is ended, and none begins any more; or 0
 * @serves: the words are those of "tma serve"; @restarts, @lost_ns: see struct stat_published
 * @is_quiet: what is to be said of events and CPUs is said of another measurement
 * @only_plan: nothing is counted: @nr_sets is set to how many sets the groups are in, each of which
 *          the counters hold at the same time
 * @status: set to the exit status; @signal: to the one that ended the run, or 0
 * @starved: set to how many events had no turn on the counters
 */
struct stat_taker {
	void (*begin)(struct stat_taker *taker);
	void (*row)(struct stat_taker *taker, const struct grid *grid);
	void (*take)(struct stat_taker *taker, const struct grid *grid);
	void (*places)(struct stat_taker *taker, const struct grid *grid);
	bool (*wake)(struct stat_taker *taker);
	enum grid_aggr places_by;
	bool by_process;
	unsigned int wants;
	int wake_fd;
	const char *pre_name, *cgroups_name;
	uint64_t end_ns, restarts, lost_ns;
	bool serves, is_quiet, only_plan;
	int nr_sets, status, signal, starved;
};

/**
 * struct stat_run - a run, as it follows from the options and a computer or a recording
 * @host:    which counts, or counted, and its tables
 * @events, @metrics: what names are looked up in, for as long as the plan lives
 * @target, @count, @report, @format: those of the options, completed
 * @head:    what is measured, in words; @tables: model and hash of the tables
 * @interval: rows are of intervals
 * @cpuid_borrowed: a recording does not say of which CPU it is: this one's stands for it
 * @cgroups: which the plan's events are counted in
 * @plan:    what is counted and computed
 * @sets:    with --passes and --schedule=rotate, groups which are counted together; or NULL
 * @taker:   nothing is printed, but given to it; or NULL
 */
struct stat_run {
	const struct stat_options *o;
	struct stat_taker *taker;
	struct host host;
	struct events_scope events;
	struct metrics_scope metrics;
	struct target target;
	struct count_options count;
	struct report_options report;
	struct writer_options format;
	char *head, *above;
	struct sb tables;
	bool cpuid_borrowed, interval;
	struct cgroup_list cgroups;
	struct root_ports ports;
	struct plan *plan;
	struct sets *sets;
	FILE *out;
};

/* --- Options ------------------------------------------------------------ */

/**
 * stat_options__parse() - read the command line
 * @o: filled; stat_options__free() it
 * @verb: as for stat_main()
 *
 * Wrong options end the program with a usage text and STATUS_USAGE, as libsubcmd does.
 *
 * Return: 0, or -EINVAL with what contradicts what.
 */
int stat_options__parse(struct stat_options *o, enum stat_verb verb, int argc, const char **argv,
			struct err *err);
void stat_options__free(struct stat_options *o);
/**
 * stat_options__check() - refuse options that exclude each other, or lack what they need
 *
 * Return: 0; -EINVAL with which and why in @err.
 */
int stat_options__check(const struct stat_options *o, struct err *err);
/** stat_options__check_format() - the same for what a format has no place for. */
int stat_options__check_format(const struct stat_options *o, const struct format *f,
			       struct err *err);

/**
 * stat_options__settle() - settle what follows from options that have been read
 * @argc, @argv: what is left behind them: the command, or nothing
 *
 * Return: 0, or -EINVAL with what contradicts what.
 */
int stat_options__settle(struct stat_options *o, int argc, const char **argv, struct err *err);
/**
 * stat_options__take_over() - take the metrics that a recording was made with
 * @o: a copy of the options: --topdown with its level, -M and --metric-only are added to it
 * @words, @nr: the command line of the recording
 */
void stat_options__take_over(struct stat_options *o, const char *const *words, int nr);
/** stat_options__put_rows() - append " --per-core" or the like, or nothing: what a row stands for.
 */
void stat_options__put_rows(const struct stat_options *o, struct sb *sb);
/** stat_options__check_path() - check that the format goes with rows of intervals. */
int stat_options__check_path(const struct stat_options *o, bool interval, struct err *err);

/**
 * stat_metrics__add() - take up the text of a -M
 * @names: names are appended to, behind a comma: those in the text, and of what it defines
 * @text:  items between commas: names of metrics and groups, and 'name = expression', in which a
 *         comma in brackets or between two @ ends nothing
 *
 * Return: 0 or -EINVAL.
 */
int stat_metrics__add(struct sb *names, const char *text, struct err *err);

/**
 * struct stat_again - the command that a verdict says to run next, in parts
 * @again: what counts the same; @read: what reads the same recording; @program: what is run
 */
struct stat_again {
	struct sb again, read, program;
};

/**
 * stat_again__init() - put the parts together, as a shell reads them
 * @report: is given them; nothing is done where it has no verdict
 */
void stat_again__init(struct stat_again *a, const struct stat_options *o,
		      struct report_options *report);
void stat_again__exit(struct stat_again *a);
/** stat_again__put_program() - append "tma stat", on the machine and with the tables of this run.
 */
void stat_again__put_program(struct sb *sb);

/* --- What is run -------------------------------------------------------- */

/**
 * stat_plan() - find what is counted and computed on this computer
 * @run: completed, but for @out
 *
 * Return: 0 or -errno.
 */
int stat_plan(struct stat_run *run, struct err *err);
/**
 * stat_replay() - find what is computed of a recording, and open its rows
 * @run: completed, but for @out; must outlive the source
 * @source: its free() releases it, whatever is returned
 *
 * Return: 0 or -errno.
 */
int stat_replay(struct stat_run *run, struct source **source, struct err *err);

/** stat_bpf__parse() - read the numbers of -b. Return: 0, or -EINVAL or -ERANGE. */
int stat_bpf__parse(struct stat_options *o, struct err *err);
/**
 * stat_bpf__choose() - choose the events that BPF programs read
 * @run: its plan has all events
 *
 * Return: 0; -EINVAL with an event that they cannot read; -ENOTSUP on a simulated machine.
 */
int stat_bpf__choose(struct stat_run *run, struct err *err);

/** stat_metrics__names() - append the metrics of -M with what --verdict needs, if there are any. */
void stat_metrics__names(const struct stat_run *run, struct sb *names);
/**
 * stat_metrics__topdown() - append the metric groups of --topdown and --td-level
 *
 * Return: 0; -EINVAL for a level too deep; -ENOENT or -ENODEV when there are no TopDown metrics.
 */
int stat_metrics__topdown(const struct stat_run *run, struct sb *names, struct err *err);
/**
 * stat_metrics__check() - check for a verdict, which goes where nobody asked for it and there is
 * no metric of the tree
 * @run: its plan stands
 *
 * Return: 0; -EINVAL without a metric of the tree.
 */
int stat_metrics__check(struct stat_run *run, struct err *err);

/** stat_nr_fds() - count the file descriptors that an event takes, for each thread of a task. */
int stat_nr_fds(const struct stat_run *run, const struct event *e);
/**
 * stat_iostat__add() - add the events of each PCIe root port (--iostat); print the ports if asked
 *
 * Return: 0; what root_ports__find(), root_ports__keep() and events__parse() return.
 */
int stat_iostat__add(struct stat_run *run, struct err *err);
/** stat_iostat__lists() - tell whether root ports are listed, and nothing is counted. */
bool stat_iostat__lists(const struct stat_options *o);
/**
 * stat_sets() - with --passes and --schedule=rotate, make sets of groups that are counted together
 * @run: its plan is finished; metrics whose events are in several passes are marked
 *
 * Says on stderr how often the command will be run.
 */
void stat_sets(struct stat_run *run);

/**
 * stat_tell() - say on stderr what is to be known before a run
 *
 * Warnings; with -v the CPU, its tables and each group; of --topdown what is measured together and
 * what in turns, and whose slots they are when SMT is on.
 */
void stat_tell(const struct stat_run *run);
/**
 * stat_tell_turns() - say after the run that the events of a core PMU took turns, if the tables do
 *                     not say how many counters it has (arm64)
 */
void stat_tell_turns(const struct stat_run *run, const struct pmu *pmu);

/**
 * stat_dry_run() - print what would be counted, on which counters, how much of the time
 *
 * tma plan and --dry-run do this, to standard output or the file of -o, with -j as JSON.
 *
 * Return: 0 or -errno.
 */
int stat_dry_run(const struct stat_run *run, struct err *err);

/* --- Pages -------------------------------------------------------------- */

/**
 * page__open() - begin a page where a user wants it
 * @name:   the file of -o, or NULL
 * @stream: where it goes without; set to the stream that is opened where @name is no regular file
 * @option: what gives it a file, for the message
 *
 * Return: the page; NULL with -EINVAL in @err for a terminal, which shows none, or -errno.
 */
struct page *page__open(const char *name, FILE **stream, const char *option, struct err *err);

/**
 * stat_page__open() - begin the page of --format=html, and say in it what is run
 * @run: its format is one; its plan stands
 *
 * Return: 0; -EINVAL for a terminal, which shows no page; -errno.
 */
int stat_page__open(struct stat_run *run, struct err *err);
/** stat_page__close() - let the page be seen, unless the run @failed. Return: 0 or -errno. */
int stat_page__close(struct stat_run *run, bool failed, struct err *err);

/* --- Rows --------------------------------------------------------------- */

/* A step of a source comes to one of these. */
enum source_step {
	SOURCE_END,    /* there is no more */
	SOURCE_OPENED, /* a run has begun: it is known what is counted, and rows follow */
	SOURCE_ROW,    /* there are the counts of an interval, or of a run without intervals */
	SOURCE_WHOLE,  /* behind the rows of a run, there are the counts of all of it */
	SOURCE_SO_FAR, /* within a run, there are the counts since its start: somebody asked */
};

/**
 * struct source_row - a row of counts
 * @counts: of the row, until the next step
 * @since_start: (SOURCE_ROW of a session) all since the start
 */
struct source_row {
	const struct counts *counts, *since_start;
	struct row_time time;
};

/**
 * stat__missed_rows() - count the rows of intervals that were due between the row before and the
 * one that follows it
 * @last_ns, @now_ns: ends of the two, since the start
 */
static inline uint64_t stat__missed_rows(uint64_t last_ns, uint64_t now_ns, uint64_t interval_ns)
{
	uint64_t last = interval_ns ? last_ns / interval_ns : 0;
	uint64_t now = interval_ns ? now_ns / interval_ns : 0;

	return now > last + 1 ? now - last - 1 : 0;
}

/**
 * struct source - it gives rows of counts: stat_live.c has one, and stat_replay.c
 * @next:  Return: enum source_step, with @row filled where it is one, or -errno
 * @end:   behind the last step; @failed: it, or what was to be done with a row, went wrong. Or NULL
 * @free:  release it
 * @session: (stat_live.c) the open one; @repeated: one like it was open before
 * @set:   of @session, with --passes
 * @recording: (stat_replay.c) what is read
 * @status: exit status: the workload's, 128 + N when signal N killed it
 * @signal: that ended the run, or 0
 */
struct source {
	int (*next)(struct source *s, struct source_row *row, struct err *err);
	void (*end)(struct source *s, bool failed);
	void (*free)(struct source *s);
	struct session *session;
	struct recording *recording;
	bool repeated;
	int set, status, signal;
};

/**
 * stat_live() - count on this computer
 * @run: must outlive the source
 *
 * Return: a source; its free() releases it.
 */
struct source *stat_live(const struct stat_run *run);

struct stat_rows;

/** stat_rows__new() - take the rows of a source; both must outlive it. stat_rows__end() ends it. */
struct stat_rows *stat_rows__new(const struct stat_run *run, struct source *source);
/**
 * stat_rows__next() - take the next step of the source
 *
 * Return: enum source_step, of which SOURCE_END is the last; -errno when it could not be started or
 * the output not be written.
 */
int stat_rows__next(struct stat_rows *r, struct err *err);
/** stat_rows__grid() - give the grid; NULL before the first session is open. */
const struct grid *stat_rows__grid(const struct stat_rows *r);
/**
 * stat_rows__end() - say and print what stands behind all rows, and release them
 * @rc: a failure so far, or 0
 *
 * Return: @rc, or -errno when the output could not be written.
 */
int stat_rows__end(struct stat_rows *r, int rc, struct err *err);
/**
 * stat_run() - print, and record, all that a source has
 *
 * Return: 0, or -errno when it could not be started or the output not be written.
 */
int stat_run(const struct stat_run *run, struct source *source, struct err *err);

/** stat__is_file() - whether a descriptor is a regular file. */
static inline bool stat__is_file(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

/**
 * stat_measure() - run "tma stat" with these words, and give what it finds to a taker
 * @argv: from "stat" on
 *
 * What hinders it is said on stderr. Return: the exit status, which the taker has, too.
 */
int stat_measure(int argc, const char **argv, struct stat_taker *taker);

struct stat_measurement;

/**
 * stat_measurement__begin() - begin to run "tma stat" with these words, for a taker
 * @argv: from "stat" on; it and @taker must outlive the measurement
 *
 * Several can be under way, each a row at a time. Return: 0; -errno when nothing can be counted,
 * and then there is nothing to end.
 */
int stat_measurement__begin(int argc, const char **argv, struct stat_taker *taker,
			    struct stat_measurement **out, struct err *err);
/**
 * stat_measurement__next() - wait for the next row, and give it to the taker
 *
 * Return: 1; 0 when there is none any more; -errno.
 */
int stat_measurement__next(struct stat_measurement *m, struct err *err);
/**
 * stat_measurement__accompany() - do what is due for another one while this one waits
 * @other: began later, and its rows are waited for in turn with those of @m; NULL for none any more
 */
void stat_measurement__accompany(struct stat_measurement *m, struct stat_measurement *other);
/**
 * stat_measurement__writer() - make a writer in the format of its words, for a server
 * @g:    has what is written, and must outlive the writer
 * @to:   each row replaces it
 *
 * writer__free() it, before the measurement is ended.
 */
struct writer *stat_measurement__writer(struct stat_measurement *m, const struct grid *g,
					struct shared_text *to);
/**
 * stat_measurement__grid() - give the grid of its rows; NULL where a signal came before there was
 * one.
 */
const struct grid *stat_measurement__grid(const struct stat_measurement *m);
/** stat_measurement__machine() - tell what is measured on; it lives as long as the measurement. */
const struct machine *stat_measurement__machine(const struct stat_measurement *m);
/** stat_measurement__end() - end it, and release it; NULL is allowed. */
void stat_measurement__end(struct stat_measurement *m);

/**
 * struct stat_published - where the rows of "tma serve" go
 * @text: each row replaces it; it is empty once what is counted is known
 * @restarts, @lost_ns: how often it was begun anew, and how long nothing was measured
 */
struct stat_published {
	struct shared_text *text;
	uint64_t restarts, lost_ns;
};

/**
 * stat_publish() - measure as "tma stat --format=prom" with these words does, for a server
 * @argv: from "stat" on; --format=prom and -I among them
 *
 * What hinders it is said on stderr. Return: the exit status.
 */
int stat_publish(int argc, const char **argv, const struct stat_published *to);

/** stat__is_pipe() - whether a descriptor is one. */
static inline bool stat__is_pipe(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode);
}

/**
 * stat__has_vendor_latency() - whether the tables have a value for a latency that is not measured.
 */
static inline bool stat__has_vendor_latency(const struct event *e)
{
	return e->retire_latency && e->vendor_latency.mean;
}

/* --- Commands that come while a run goes on (--control) ------------------ */

/* A command asks this of the run; the rest has been done. */
enum control_result {
	CONTROL_DONE,
	CONTROL_CHANGED, /* counters were started or stopped: a row ends here */
	CONTROL_STOP,
	CONTROL_CLOSED, /* there is nobody to give commands any more */
};

/** keep_from_command() - let a descriptor that the user gave, but no standard one, end at exec. */
void keep_from_command(int fd);

/**
 * control__open() - read the option
 * @text: "fd:N[,ACK]" or "fifo:PATH[,ACK]"; a fifo must exist
 *
 * Return: 0, -EINVAL, or the -errno of opening it.
 */
int control__open(struct control *c, const char *text, struct err *err);
/** control__close() - close what was opened. */
void control__close(struct control *c);
/**
 * control__run() - read one command, if it has come, and obey it
 * @line: what has come of the next one, for the next call
 *
 * enable [EVENT], disable [EVENT], evlist [-v|-g|-F], ping, snapshot, stop; each ends with a
 * newline, NUL or the end of all, and is answered with "ack" and a newline (by perf's name and a
 * NUL), even if its argument was wrong. Says on stderr what it did, as perf does.
 */
enum control_result control__run(const struct control *c, struct control_line *line,
				 struct session *session, const struct event_list *events);

/* --- Several runs, each of other events, to counts as if of one (--passes)  */

/**
 * struct passes - what the runs so far have counted
 * @sets: a run for each
 * @sum:  counts: added up while runs come in, then their means
 * @totals: of (pass, event), over all CPUs: what is compared from pass to pass
 * @lengths: of each run, in ns
 * @time: as of one run: the mean of the runs
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
 * @pass: of which set; pass 0 begins anew
 * @session: that counted
 *
 * Return: 0, or -ESTALE when the CPUs are not those of the first run any more.
 */
int passes__add(struct passes *p, int pass, const struct session *session,
		const struct source_row *row, struct err *err);
/** passes__finish() - turn sums into means. */
void passes__finish(struct passes *p);
/**
 * passes__compare() - find and say what several runs counted, and not to the same amount
 * @list: the events of the counts
 *
 * Events that are in several groups are taken as one. Time is left out, and what is too rare. The
 * largest difference becomes @p's pass_spread.
 */
void passes__compare(struct passes *p, const struct event_list *list);
/** passes__free() - release what it owns. */
void passes__free(struct passes *p);

/* --- Regions ------------------------------------------------------------ */

/**
 * struct stat_regions - (--regions) the memory that the program keeps its totals in
 * @fd: its descriptor, which the program inherits; -1 without --regions
 */
struct stat_regions {
	void *block;
	size_t size;
	int fd;
};

/**
 * stat_regions__start() - make the memory for --regions, and name it in TMA_REGIONS
 *
 * This comes before the command is forked. Return: 0 or -errno.
 */
int stat_regions__start(const struct stat_options *o, struct stat_regions *r, struct err *err);
/**
 * stat_regions__print() - print the rows after the run, and say on stderr what is amiss
 *
 * Return: 0 or -errno.
 */
int stat_regions__print(const struct stat_run *run, const struct stat_regions *r, struct err *err);
/** stat_regions__end() - give the memory back. */
void stat_regions__end(struct stat_regions *r);

#endif
