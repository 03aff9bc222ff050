/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A request describes a run completely: what is measured, where and when, how events are grouped
 * and estimated, which rows are made, and what rows contain. Each command fills a request from its
 * options, and it is not changed afterwards. The run derives everything else from the request.
 */
#ifndef TMA_RUN_REQUEST_H
#define TMA_RUN_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "count/count.h"
#include "metrics/literal.h"
#include "plan/plan.h"
#include "record/record.h"
#include "run/control.h"
#include "run/note.h"
#include "verdict/estimate.h"

struct run_input;

/**
 * struct request_event - the argument of one -e, or of --pfm-events (@pfm)
 * @filter: text of the --filter after the -e, or NULL
 */
struct request_event {
	const char *text, *filter;
	bool pfm;
};

#define TD_LEVEL_MAX UINT64_MAX /* the deepest level of the tree */

/**
 * struct request - the description of a run. The caller owns texts and arrays, which must outlive
 * the run. Texts and arrays on cgroups are not used after run__open()
 *
 * Events and metrics:
 * @events:   arguments of -e, in order
 * @metrics:  names of metrics and metric groups, separated by commas, or ""
 * @along:    more metrics, which are counted after all others; or NULL
 * @topdown:  compute the TopDown tree at @td_level: 0 for level 1, TD_LEVEL_MAX for the deepest
 * @levels_above: also compute the levels above @td_level
 * @table_most: if not 0, the levels above are also computed for the deepest level, and if a table
 *            would have more than @table_most columns
 * @bottlenecks: compute the view of bottlenecks in Intel's tables instead of the tree
 * @detailed: how often -d was given; @null: count nothing
 * @joins_pmus: events with the same name on several PMUs are one event
 * @compat7:  a run without events counts the events that perf counts since Linux 6.19, with the
 *          names of perf 7
 * @iostat:   count the traffic of all PCIe root ports, or of @iostat_ports; "list" only notes the
 *            names of all ports
 * @smi_cost: counters stop during system management interrupts
 * @regions:  the command measures its own regions; @regions_capacity: room for regions, 0 for the
 *            default
 * @all_user, @all_kernel: override the modifiers of events
 * @pmu_filter: the only PMU for a name that several PMUs have, or NULL; @cputype: the only core
 *          type, or NULL
 * @hybrid_merge: events of core types with the same name are added up
 * @no_threshold: metrics are not compared with their thresholds
 * @record_tpebs: retire latencies of metrics are sampled
 * @latency, @latency_mode_given: how retire latencies are sampled; whether the user chose a mode
 * @literals: values of literals given by the user, or NULL
 *
 * Where:
 * @target:   CPUs, tasks or a command; @cpu_text: list of CPUs as the user typed it, or NULL
 * @cgroup_names: texts of -G, joined by commas, or NULL
 * @each_cgroup: names of cgroups in each of which all events are counted, or NULL
 * @cgroups, @nr_cgroups: like @each_cgroup, as an array; or NULL
 * @cgroups_option: name of the option in messages, or NULL
 * @no_inherit: children of tasks are not counted
 * @bpf_text, @bpf_programs: text of -b, or NULL; the numbers of programs in the text
 * @by_bpf:   BPF programs read all events; @bpf_attr_map: the map of shared counters, or NULL
 *
 * When:
 * @first_ms: length of the first interval; 0: as long as the others
 * @interval_ms: length of the interval that a row covers; 0: a row covers the run
 * @interval_count: number of intervals, 0 for no limit
 * @timeout_ms: time after which the run ends, or 0
 * @delay_ms: time until counting begins; -1: it begins when a command enables the counters
 * @repeat:   number of runs of the command, 0 for no limit
 * @end_ns:   time on the monotonic clock at which the current run ends, and after which no run
 *            begins; or 0
 * @sync:     call sync(2) before each run
 * @pre, @post: shell commands before and after each run, or NULL; @pre_option: name of the option
 *            of @pre
 * @command_output: destination of the standard output of the command: "stderr", "null", a file; or
 *          NULL
 * @control:  source of commands; @wake_fd: descriptor that makes run__next() return when it can be
 *            read; or 0
 * @start_step: run__next() returns RUN_STARTED, so that the caller can start several runs before
 *            it waits for a row
 *
 * How:
 * @grouping, @no_group, @no_merge: see struct plan_options
 * @passes:   the command runs once for each set of groups; @rotate: sets take turns of @turn_ms; 0:
 *            a suitable length
 * @scale:    counts of multiplexed events are scaled
 * @estimate: how these counts are estimated for metrics; @estimate_given: the user chose it
 * @min_running: an event that was counted for less than this share of the time, in %, is not
 *            printed
 *
 * Rows and their content:
 * @aggr, @cache_level: what a row combines; @rows_given: the user or a recording chose it
 * @no_merge_pmus: each instance of an uncore PMU has its own rows
 * @percore_threads, @skip_idle: see struct report_options
 * @frequency: (rows of code) number of samples of cycles per second, in each group on each CPU
 * @kept_rows: (rows of code) a row of an interval combines the samples of the last @kept_rows
 *            intervals; 0: only of its own interval
 * @all_sites: (rows of code) the 256 sites with the most time have rows, instead of 64 sites with
 *            at least 1 % of the time
 * @places:   make a second grid of the same counts, with aggregation @places_by; @by_process: it
 *            combines the threads of a process
 * @wants:    parts of cells that writers need, enum grid_want; @wants_without: used instead of
 *            @wants if metrics are left out (@implied)
 * @metric_only: counts are not printed
 * @error:    estimates have errors
 * @verdict:  make a verdict; @judged: make a verdict if there is a tree
 * @fit, @no_ratios: see struct report_options
 * @summary:  a row of the whole run comes after the rows of intervals
 * @again, @read, @program: parts of the command that a verdict recommends, or NULL
 * @restarts, @lost_ns: see struct report_options
 *
 * Recordings:
 * @recorder: counts are also written to this file, or NULL; @no_rows: they are only written to the
 *            file
 * @input:    counts are read from this recording, which no other run reads; or NULL
 * @from_ns, @to_ns: only rows that end between these times are used; @time_text: both times as
 *            typed, or NULL
 * @implied:  the metrics are those that the recording was made with. If they cannot be computed,
 *            only events are printed
 * @metric_only_implied: then counts are printed in spite of @metric_only
 *
 * @notes: NOTE() of each kind that is wanted
 * @perf:  the program was called by the name of perf: behave like perf where tma differs
 */
struct request {
	const struct request_event *events;
	int nr_events, detailed;
	const char *metrics, *along, *iostat_ports, *pmu_filter, *cputype;
	uint64_t td_level, regions_capacity;
	int table_most;
	bool topdown, bottlenecks, levels_above, null, compat7;
	bool joins_pmus, iostat, smi_cost, regions;
	bool all_user, all_kernel, hybrid_merge, no_threshold, record_tpebs, latency_mode_given;
	struct latency_options latency;
	const struct literals *literals;

	struct target target;
	const char *cpu_text, *cgroup_names, *each_cgroup, *cgroups_option;
	const char *const *cgroups;
	const char *bpf_text, *bpf_attr_map;
	const uint32_t *bpf_programs;
	int nr_bpf_programs, nr_cgroups;
	bool no_inherit, by_bpf;

	uint64_t interval_ms, first_ms, interval_count, timeout_ms, repeat, end_ns;
	int64_t delay_ms;
	const char *pre, *pre_option, *post, *command_output;
	bool sync, start_step;
	struct control control;
	int wake_fd;

	enum plan_grouping grouping;
	bool no_group, no_merge, passes, rotate, scale, estimate_given;
	uint64_t turn_ms, min_running;
	enum estimate_method estimate;

	enum grid_aggr aggr, places_by;
	int cache_level, kept_rows;
	uint64_t frequency;
	bool rows_given, no_merge_pmus, percore_threads, skip_idle, places, by_process, all_sites;
	unsigned int wants, wants_without;
	bool metric_only, error, verdict, judged, fit, no_ratios, summary;
	const char *again, *read, *program;
	uint64_t restarts, lost_ns;

	const struct recorder_options *recorder;
	struct run_input *input;
	const char *time_text;
	uint64_t from_ns, to_ns;
	bool no_rows, implied, metric_only_implied;

	unsigned long long notes;
	bool perf;
};

/* Defaults of a request. */
#define REQUEST_INIT                                                                          \
	{                                                                                     \
		.metrics = "", .frequency = 199, .repeat = 1, .scale = true,                  \
		.estimate = ESTIMATE_JOINT,                                                   \
		.grouping = PLAN_BY_COUNTERS, .notes = NOTES_OF_EVERY_RUN                     \
	}

/** request__is_one_run() - whether the kernel multiplexes the events of a single run. */
static inline bool request__is_one_run(const struct request *r)
{
	return r->repeat == 1 && !r->passes && !r->rotate && !r->by_bpf && r->scale;
}

#endif
