/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of "tma stat" share. A run goes down this list:
 *
 *   stat_options.c, stat_settle.c  the command line to struct stat_options, const from then on
 *   stat_plan.c, stat_replay.c     what follows from them and the computer, or the recording, is
 *                                  what is run: struct stat_run
 *   stat_live.c, stat_replay.c     rows of counts, which a source gives
 *   stat_run.c                     the rows in turn, whatever the source
 *   stat_print.c                   what is printed of them, and said behind them
 */
#ifndef TMA_CMD_STAT_H
#define TMA_CMD_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/sb.h"
#include "base/vec.h"
#include "cmd.h"
#include "control.h"
#include "count/count.h"
#include "plan/plan.h"
#include "plan/sets.h"
#include "record/record.h"
#include "report/report.h"
#include "writers/writer.h"

struct err;
struct source;

/* What is done with counts. */
enum stat_verb {
	STAT_PRINT,  /* tma stat */
	STAT_RECORD, /* tma stat record: written to a file as well */
	STAT_REPORT, /* tma stat report: of a file; nothing is counted */
	STAT_PLAN,   /* tma plan: nothing is counted; dry_run is set */
};

/**
 * struct stat_event - one -e
 * @filter: of the --filter behind it, or NULL
 */
struct stat_event {
	const char *text, *filter;
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
 * @events:   each -e
 * @cgroup_names: all -G texts, joined by commas; @each_cgroup: --for-each-cgroup, or NULL
 * @metrics:  all -M texts, joined by commas
 * @target, @count, @report, @format, @plan: as far as the command line says them
 * @cpu_text: -C as typed, or NULL
 * @cputype:  --cputype as typed, or NULL
 * @output_name: -o; @has_file: it is a file, and not "-"; @log_fd: --log-fd, 0 when not given
 * @format_name: --format as typed, or NULL; @header_set: --header or --no-header was said
 * @tpebs_mode: --tpebs-mode as typed, or NULL
 * @grouping_name: --grouping as typed, or NULL; @schedule_name: --schedule as typed, or NULL
 * @topdown:  --topdown; @td_level: --td-level, 0 for level 1, TD_LEVEL_MAX for the deepest
 * @no_metric_only: --no-metric-only was said, so that --topdown prints the counts too
 * @no_threshold: --metric-no-threshold
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
	const char *data_name, *input_name, *time_text, *cpuid;
	VEC(struct stat_event) events;
	struct sb cgroup_names, metrics;
	const char *each_cgroup;
	struct target target;
	struct count_options count;
	struct report_options report;
	struct writer_options format;
	struct plan_options plan;
	const char *cpu_text, *cputype, *output_name, *format_name, *tpebs_mode, *grouping_name,
		*schedule_name, *pre, *post, *control_text;
	struct control control;
	bool no_print, json, header_set, append, has_file, shared, quiet;
	bool topdown, no_metric_only, no_threshold, hybrid_merge, smi_cost, record_tpebs;
	bool null, all_user, all_kernel, sync, summary, no_csv_summary;
	bool have_command, no_target, dry_run, passes, rotate, regions, global, rows_asked;
	bool by[AGGR_NR];
	int64_t delay_ms;
	uint64_t td_level, interval_ms, interval_count, timeout_ms, log_fd, repeat, turn_ms;
	uint64_t regions_capacity;
	int verbose, detailed;
};

/**
 * struct stat_run - what is run: what follows from the options and a computer or a recording
 * @host:    which counts, or counted, and its tables
 * @events, @metrics: what names are looked up in, for as long as the plan lives
 * @target, @count, @report, @format: those of the options, completed
 * @head:    what is measured, in words
 * @interval: rows are of intervals
 * @cgroups: which the plan's events are counted in
 * @plan:    what is counted and computed
 * @sets:    with --passes and --schedule=rotate, groups which are counted together; or NULL
 */
struct stat_run {
	const struct stat_options *o;
	struct host host;
	struct events_scope events;
	struct metrics_scope metrics;
	struct target target;
	struct count_options count;
	struct report_options report;
	struct writer_options format;
	char *head;
	bool interval;
	struct cgroup_list cgroups;
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
 * stat_options__settle() - what follows from options that have been read
 * @argc, @argv: what is left behind them: the command, or nothing
 *
 * Return: 0, or -EINVAL with what contradicts what.
 */
int stat_options__settle(struct stat_options *o, int argc, const char **argv, struct err *err);
/** stat_options__settle_report() - the same for "tma stat report". */
int stat_options__settle_report(struct stat_options *o, int argc, const char **argv,
				struct err *err);
/** stat_options__check_path() - whether the format goes with rows of intervals. */
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

/* --- What is run -------------------------------------------------------- */

/**
 * stat_main() - "tma stat" and "tma plan"
 * @verb: STAT_PRINT, which a word behind the options may change, or STAT_PLAN
 *
 * Return: the exit status; messages have been printed.
 */
int stat_main(enum stat_verb verb, int argc, const char **argv);

/**
 * stat_plan() - what is counted and computed on this computer
 * @run: completed, but for @out
 *
 * Return: 0 or -errno.
 */
int stat_plan(struct stat_run *run, struct err *err);
/**
 * stat_replay() - what is computed of a recording, and its rows
 * @run: completed, but for @out; must outlive the source
 * @source: its free() releases it, whatever is returned
 *
 * Return: 0 or -errno.
 */
int stat_replay(struct stat_run *run, struct source **source, struct err *err);

/** stat_find_counters() - which counters are to be had, found out by trying where it matters. */
void stat_find_counters(const struct stat_run *run);

/* Takes names of metrics up; @topdown: they are those of --topdown. */
typedef int (*stat_add_metrics)(void *arg, const char *names, bool topdown, struct err *err);

/**
 * stat_tree__add_metrics() - the metrics of -M with what --verdict needs, and those of --topdown
 * @add: called for the ones and for the others, with @arg
 *
 * Return: 0; what @add returns; -EINVAL for a level too deep; -ENOENT or -ENODEV when there are no
 * TopDown metrics.
 */
int stat_tree__add_metrics(const struct stat_run *run, stat_add_metrics add, void *arg,
			   struct err *err);
/** stat_tree__check() - (--verdict) Return: 0, or -EINVAL without a metric of the tree. */
int stat_tree__check(const struct plan *plan, struct err *err);

/** stat_nr_fds() - file descriptors that an event takes; of a task, one for each thread. */
int stat_nr_fds(const struct stat_run *run, const struct event *e);
/**
 * stat_sets() - (--passes, --schedule=rotate) the sets of groups that are counted together
 * @run: its plan is finished; metrics whose events are in several passes are marked
 *
 * Says on stderr how often the command will be run.
 */
void stat_sets(struct stat_run *run);

/**
 * stat_tell() - on stderr, what is to be known before a run
 *
 * Warnings; with -v the CPU, its tables and each group; of --topdown what is measured together and
 * what in turns, and whose slots they are when SMT is on.
 */
void stat_tell(const struct stat_run *run);
/**
 * stat_tell_turns() - after the run, that the events of a core PMU took turns of which the
 *                             tables do not say how many counters it has (arm64)
 */
void stat_tell_turns(const struct stat_run *run, const struct pmu *pmu);

/**
 * stat_dry_run() - print what would be counted, on which counters, how much of the time
 *
 * Of tma plan and --dry-run. To standard output or the file of -o, with -j as JSON.
 *
 * Return: 0 or -errno.
 */
int stat_dry_run(const struct stat_run *run, struct err *err);

/* --- Rows --------------------------------------------------------------- */

/* What a source has come to. */
enum source_step {
	SOURCE_END,    /* there is no more */
	SOURCE_OPENED, /* what is counted is known; rows follow. Again for each run of several */
	SOURCE_ROW,    /* the counts of an interval, or of a run without intervals */
	SOURCE_WHOLE,  /* behind the rows of a run, the counts of all of it */
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
 * struct source - where rows of counts come from: stat_live.c, or stat_replay.c
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

/**
 * stat_run() - print, and record, all that a source has
 *
 * Return: 0, or -errno when it could not be started or the output not be written.
 */
int stat_run(const struct stat_run *run, struct source *source, struct err *err);

/** stat_record() - recorder__new(). */
int stat_record(const struct stat_run *run, const struct session *session,
		struct recorder **recorder, struct err *err);
/** stat_record__aggr() - what rows stand for, as recordings say it. */
enum record_aggr stat_record__aggr(enum grid_aggr aggr);
/** stat_record__report_aggr() - the same the other way round. */
enum grid_aggr stat_record__report_aggr(enum record_aggr aggr);

/**
 * stat_output__open() - where rows go: -o, --log-fd, or standard error
 * @run: its stream is set, and what of the format depends on that
 *
 * Return: 0 or -errno.
 */
int stat_output__open(struct stat_run *run, struct err *err);
/** stat_output__close() - Return: 0, or -errno when it was not written whole. */
int stat_output__close(FILE *out, struct err *err);

/** stat__has_vendor_latency() - the tables have a value for a latency which is not measured. */
static inline bool stat__has_vendor_latency(const struct event *e)
{
	return e->retire_latency && e->vendor_latency.mean;
}

/** struct print - what rows are printed with: the grid's, and the format's */
struct print {
	struct report *report;
	struct writer *writer;
};

/**
 * stat_print__open() - say what a session refuses, and make report and writer
 * @p: zeroed at first, and told of the refusals after that; stat_print__close() it
 */
void stat_print__open(const struct stat_run *run, const struct source *source, struct print *p);
void stat_print__close(struct print *p);
/**
 * stat_print__row() - print a row; of several runs, add it to the others
 *
 * Return: 0 or -errno, as for all below.
 */
int stat_print__row(const struct stat_run *run, struct print *p, const struct session *session,
		    const struct source_row *row, struct err *err);
/** stat_print__total() - print the total of intervals behind them (--summary). */
int stat_print__total(struct print *p, const struct source_row *row, struct err *err);
/** stat_print__verdict() - print it behind all rows; on stderr where the format has no place. */
int stat_print__verdict(const struct stat_run *run, struct print *p, const struct source_row *row,
			struct err *err);
/** stat_print__end() - the means of several runs, and on stderr what is to be known of the rows. */
int stat_print__end(const struct stat_run *run, const struct source *source, struct print *p,
		    struct err *err);

#endif
