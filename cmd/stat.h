/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of "tma stat" share. */
#ifndef TMA_CMD_STAT_H
#define TMA_CMD_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/sb.h"
#include "base/vec.h"
#include "control.h"
#include "count/count.h"
#include "plan/plan.h"
#include "plan/sets.h"
#include "record/record.h"
#include "report/report.h"

struct err;
struct host;

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
 * @events:   each -e
 * @metrics:  all -M texts, joined by commas
 * @cgroup_names: all -G texts, joined by commas; @each_cgroup: --for-each-cgroup, or NULL
 * @cgroups:  which they name
 * @cpu_text: -C as typed, or NULL
 * @cputype:  --cputype as typed, or NULL
 * @topdown:  --topdown; @td_level: --td-level, 0 for level 1, TD_LEVEL_MAX for the deepest
 * @no_metric_only: --no-metric-only was said, so that --topdown prints the counts too
 * @interval_ms: -I, 0 when not given; @interval_count: 0 for no limit; @timeout_ms: 0 for none
 * @output_name: -o; @log_fd: --log-fd, 0 when not given
 * @format_name: --format as typed, or NULL; @header_set: --header or --no-header was said
 * @no_threshold: --metric-no-threshold
 * @delay_ms: -D, -1 for as long as nobody enables the counters
 * @repeat:   -r: runs of the command, 0 for ever
 * @pre, @post: shell commands around each run, or NULL
 * @detailed: how often -d
 * @record_tpebs: metrics' retire latencies are sampled, not the tables'
 * @tpebs_mode: --tpebs-mode as typed, or NULL
 * @grouping_name: --grouping as typed, or NULL
 * @passes:   --passes; @rotate: --schedule=rotate, @schedule_name as typed, or NULL
 * @turn_ms:  --schedule-ms, 0 when not given
 * @regions:  the command measures its own regions; @regions_capacity: --regions=N, or 0
 * @dry_run:  nothing is counted: the groups are printed (--dry-run, or STAT_PLAN)
 * @no_target: neither a command nor -a, -C, -p or -t was given, so that it is all CPUs
 * @by:       what a row stands for, as asked for: -A, --per-core ...
 * @verbose:  how often -v
 * @command_line: from "stat" on, as it was typed
 * @data_name: (STAT_RECORD) -o; @no_print: it is standard output, and nothing is printed
 * @input_name, @time_text, @cpuid: (STAT_REPORT) -i, --time, --cpuid as typed, or NULL
 * @global: --global; @rows_asked: one of @by was given: else rows stand for what they did
 */
struct stat_options {
	enum stat_verb verb;
	const char *const *command_line;
	const char *data_name;
	bool no_print;
	const char *input_name, *time_text, *cpuid;
	bool global, rows_asked;
	VEC(struct stat_event) events;
	struct sb cgroup_names;
	const char *each_cgroup;
	struct cgroup_list cgroups;
	struct sb metrics;
	struct target target;
	struct count_options count;
	struct report_options report;
	struct plan_options plan;
	const char *cpu_text, *cputype, *output_name, *format_name, *tpebs_mode, *grouping_name,
		*schedule_name;
	bool header_set, topdown, no_metric_only, no_threshold, append, json;
	bool null, all_user, all_kernel, sync, summary, no_csv_summary, quiet;
	bool have_command, hybrid_merge, smi_cost, record_tpebs, dry_run, passes, rotate, regions;
	bool no_target;
	const char *pre, *post, *control_text;
	struct control control;
	int64_t delay_ms;
	bool by[AGGR_NR];
	uint64_t td_level, interval_ms, interval_count, timeout_ms, log_fd, repeat, turn_ms;
	uint64_t regions_capacity;
	int verbose, detailed;
};

/**
 * stat_main() - "tma stat" and "tma plan"
 * @verb: STAT_PRINT, which a word behind the options may change, or STAT_PLAN
 *
 * Return: the exit status; messages have been printed.
 */
int stat_main(enum stat_verb verb, int argc, const char **argv);

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
/**
 * stat_options__set_heading() - the words between "Performance counter stats for" and the colon
 *
 * Called when the target is settled: stat_plan() may make it system-wide. Return: 0 or -ENOMEM.
 */
int stat_options__set_heading(struct stat_options *o, struct err *err);

/**
 * stat_metrics__add() - take up the text of a -M
 * @names: names are appended to, behind a comma: those in the text, and of what it defines
 * @text:  items between commas: names of metrics and groups, and 'name = expression', in which a
 *         comma in brackets or between two @ ends nothing
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int stat_metrics__add(struct sb *names, const char *text, struct err *err);

/* What the names in the options are looked up in; outlives the plan. */
struct stat_scope {
	struct events_scope events;
	struct metrics_scope metrics;
};

/**
 * stat_plan() - what is counted and computed
 * @o:     options; --topdown sets metric_only in it, events that need it make it system-wide
 * @scope: filled; must outlive the plan
 * @plan:  set on success; plan__free() it
 *
 * Return: 0 or -errno.
 */
int stat_plan(struct stat_options *o, struct host *host, struct stat_scope *scope,
	      struct plan **plan, struct err *err);

/** stat_nr_fds() - file descriptors that an event takes; of a task, one for each thread. */
int stat_nr_fds(const struct stat_options *o, const struct machine *m, const struct event *e);
/**
 * stat_sets() - with --passes and --schedule=rotate, the sets of groups that are counted together
 * @o: options; its count and report options are set
 * @plan: finished; metrics whose events are in several passes are marked
 * @sets: set when there are any; sets__free() them, behind the last use of @o
 *
 * Says on stderr how often the command will be run. Return: 0 or -ENOMEM.
 */
int stat_sets(struct stat_options *o, const struct host *host, const struct stat_scope *scope,
	      struct plan *plan, struct sets **sets, struct err *err);

/**
 * stat_topdown__group() - the metric group of --topdown and --td-level
 * @pmu:   of which PMU's metrics (--cputype), or NULL
 * @cpu:   what the message calls the CPU
 * @group: appended to
 *
 * Return: the deepest level, 0 when there are no TopDown metrics; -EINVAL for a level too deep.
 */
int stat_topdown__group(const struct stat_options *o, const struct tables *tables, const char *pmu,
			const char *cpu, struct sb *group, struct err *err);
/**
 * stat_topdown__say() - on stderr, what --topdown measures together and what in turns, and whose
 *                       slots they are when SMT is on; with -v the levels there are
 */
void stat_topdown__say(const struct stat_options *o, const struct host *host,
		       const struct stat_scope *scope, const struct plan *plan);

/**
 * stat_topdown__say_turns() - after the run, with text, what took turns on PMUs of which the
 *                             tables do not say how many counters they have (arm64)
 */
void stat_topdown__say_turns(const struct stat_options *o, const struct host *host,
			     const struct plan *plan, const struct report *report);

/**
 * stat_verdict__add_parents() - with --verdict, name what else it needs of the TopDown tree
 * @names: of -M; the metrics that those of the tree are parts of are appended, and what their
 *         thresholds compare
 *
 * Return: 0 or -ENOMEM.
 */
int stat_verdict__add_parents(const struct stat_options *o, const struct metrics_scope *scope,
			      struct sb *names);
/** stat_verdict__check() - Return: 0, or -EINVAL for --verdict without a metric of the tree. */
int stat_verdict__check(const struct stat_options *o, const struct plan *plan, struct err *err);
/** stat_verdict__print() - behind all rows; on stderr where the format has no place for it. */
int stat_verdict__print(const struct stat_options *o, struct report *report,
			const struct counts *counts, const struct report_time *time,
			struct err *err);

/** stat_record__set_output() - -o is the recording's, and where it goes without -o. */
void stat_record__set_output(struct stat_options *o);
/** stat_record__start() - when recording is asked for: recorder__new(). */
int stat_record__start(const struct stat_options *o, struct machine *machine,
		       const struct session *session, const struct event_list *events,
		       struct recorder **recorder, struct err *err);
/** stat_record__round() - recorder__round(); nothing when @recorder is NULL. */
int stat_record__round(struct recorder *recorder, const struct counts *total, bool final,
		       struct err *err);
/** stat_record__finish() - recorder__finish(); nothing when @recorder is NULL. */
int stat_record__finish(struct recorder *recorder, struct err *err);
/**
 * stat_output__choose() - the format of -x, -j and --format, its header, and the file it replaces
 *
 * Return: 0, or -EINVAL with what contradicts what.
 */
int stat_output__choose(struct stat_options *o, struct err *err);
/** stat_output__is_shared() - whether rows in a machine's format go to standard error. */
bool stat_output__is_shared(const struct stat_options *o);
/** stat_output__check() - whether it goes with intervals, once report.interval is known. */
int stat_output__check(const struct stat_options *o, struct err *err);
/** stat_output__open() - where rows go: -o, --log-fd, or standard error. Return: 0 or -errno. */
int stat_output__open(struct stat_options *o, FILE **out, struct err *err);
/** stat_output__close() - Return: 0, or -errno when it was not written whole. */
int stat_output__close(FILE *out, struct err *err);
/** stat_report() - "tma stat report". Return: the exit status; messages have been printed. */
int stat_report(struct stat_options *o);
/** stat_record__record_aggr() - the same the other way round. */
enum record_aggr stat_record__record_aggr(enum report_aggr aggr);
/** stat_record__report_aggr() - what rows of a recording stood for. */
enum report_aggr stat_record__report_aggr(enum record_aggr aggr);
/** stat_say_shares() - with text, how much of its time the task ran on each core type. */
void stat_say_shares(const struct stat_options *o, const struct report *report);
/** stat_say_starved() - with text, that metrics have no value since events had no turn. */
void stat_say_starved(const struct stat_options *o, const struct report *report);
/** stat_find_counters() - which counters are to be had, found out by trying where it matters. */
void stat_find_counters(const struct stat_options *o, struct host *host,
			const struct stat_scope *scope);
/** stat_explain() - for -v: the CPU, its tables and each group, on stderr. 0 or -ENOMEM. */
int stat_explain(const struct host *host, const struct stat_scope *scope, const struct plan *plan,
		 struct err *err);
/**
 * stat_dry_run() - print what would be counted, on which counters, how much of the time
 *
 * Of tma plan and --dry-run. To standard output or the file of -o, with -j as JSON.
 *
 * Return: 0 or -errno.
 */
int stat_dry_run(const struct stat_options *o, const struct host *host,
		 const struct stat_scope *scope, const struct plan *plan, struct err *err);

/**
 * stat_run() - count and print until the end
 * @out:    where rows go
 * @status: set to the exit status: the workload's, 128 + N when signal N killed it
 * @signal: set to the signal that ended the run, or 0
 *
 * Return: 0, or -errno when it could not be started or the output not be written.
 */
int stat_run(struct stat_options *o, struct host *host, struct plan *plan, FILE *out, int *status,
	     int *signal, struct err *err);

#endif
