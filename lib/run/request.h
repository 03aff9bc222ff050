/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A request describes a run completely: what is measured, where and when, how events are grouped
 * and estimated, which rows there are, and what is wanted of them. Each command fills one from its
 * own options; it is const from then on. The run derives the rest from it.
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
 * struct request_event - one -e, or --pfm-events (@pfm)
 * @filter: of the --filter that follows it, or NULL
 */
struct request_event {
	const char *text, *filter;
	bool pfm;
};

#define TD_LEVEL_MAX UINT64_MAX /* to the deepest level of the tree */

/**
 * struct request - what is measured; the caller owns texts and arrays, which must outlive the run,
 * except those of cgroups, which are not used after run__open()
 *
 * Events and metrics:
 * @events:   the texts of -e, in order
 * @metrics:  names of metrics and metric groups, separated by commas, or ""
 * @along:    more of these, which are counted after all others; or NULL
 * @topdown:  the TopDown tree at @td_level, 0 for level 1, TD_LEVEL_MAX for the deepest;
 *            @levels_above: also the levels above it; the same if @table_most is set, and the
 *            deepest level is asked for, or a table would have more columns than that;
 *            @bottlenecks: instead, the view of bottlenecks in Intel's tables
 * @detailed: number of -d; @null: count nothing
 * @joins_pmus: events with the same name are one event, whatever PMUs have them
 * @compat7:  a run without events counts what perf counts since Linux 6.19; names are those of perf
 *          7
 * @iostat:   traffic of PCIe root ports: all, or those of @iostat_ports; "list" only notes the
 *            names of all
 * @smi_cost: counters stop during system management interrupts
 * @regions:  the command measures its own regions; @regions_capacity: room for them, 0 for enough
 * @all_user, @all_kernel: override the modifiers of events
 * @pmu_filter: the only PMU to use for names that several have; @cputype: the only core type; or
 *          NULL
 * @hybrid_merge: events of core types with the same name are added up
 * @no_threshold: metrics are not compared with their thresholds
 * @record_tpebs: retire latencies of metrics are sampled
 * @latency, @latency_mode_given: how they are sampled, and whether a mode was asked for
 * @literals: values of literals given by the user, or NULL
 *
 * Where:
 * @target:   CPUs, tasks or a command; @cpu_text: its list of CPUs as typed, or NULL
 * @cgroup_names: of the -G texts, joined by commas; @each_cgroup: all events are counted in each of
 *            these, or of the @nr_cgroups with the names @cgroups; @cgroups_option: the option, for
 *            messages; or NULL
 * @no_inherit: children of tasks are not counted
 * @bpf_text, @bpf_programs: -b as typed, or NULL, and the numbers in it; @by_bpf: BPF programs read
 *            all events; @bpf_attr_map: the map of shared counters, or NULL
 *
 * When:
 * @first_ms: the first row of an interval is this long, or 0: as long as the others
 * @interval_ms: rows cover intervals of this length, or 0; @interval_count: this many, 0 for no
 *          limit
 * @timeout_ms: the run ends after this time, or 0
 * @delay_ms: until counting begins, -1 for until a command enables the counters
 * @repeat:   runs of the command, 0 for ever
 * @end_ns:   on the monotonic clock: a run under way is ended then, and no further run begins; or 0
 * @sync:     sync(2) before each run
 * @pre, @post: shell commands around each run, or NULL; @pre_option: the option of the former
 * @command_output: destination of the standard output of the command: "stderr", "null", a file; or
 *          NULL
 * @control:  source of commands; @wake_fd: instead, run__next() returns when it can be read, or 0
 *
 * How:
 * @grouping, @no_group, @no_merge: see struct plan_options
 * @passes:   the command runs once for each set of groups; @rotate: sets take turns of @turn_ms, 0
 *            for a suitable length
 * @scale:    counts of multiplexed events are scaled; @estimate: the estimate that metrics are
 *            computed from then, @estimate_given: the user chose it; @min_running: least share of
 *            the time that an event must have been counted for, in percent
 *
 * Rows and their content:
 * @aggr, @cache_level: what a row combines; @rows_given: the user chose that, or a recording has
 *            it; @no_merge_pmus: instances of uncore PMUs have rows of their own
 * @percore_threads, @skip_idle: see struct report_options
 * @frequency: (rows of code) samples of cycles in a second, of each group on each CPU
 * @kept_rows: (rows of code) a row of an interval has the samples of this many rows, its own the
 *            last; 0 for only its own
 * @all_sites: (rows of code) rows of the 256 sites with the most time, however small, instead of
 *            only 64 that have at least 1 % of it
 * @places:   a second grid of each row, of the same counts: @places_by is its aggregation,
 *            @by_process combines the threads of a process
 * @wants:    what of its cells is wanted, enum grid_want; @metric_only: counts are not printed;
 *            @wants_without: instead of @wants, if metrics are left out (@implied)
 * @error, @verdict, @judged: errors of estimates; a verdict, or one if there is a tree
 * @fit, @no_ratios: see struct report_options
 * @summary:  a row of the whole run comes after those of intervals
 * @again, @read, @program: parts of the command that a verdict recommends next, or NULL
 * @restarts, @lost_ns: of a measurement that was restarted, see struct report_options
 *
 * Recordings:
 * @recorder: counts are also written there, or NULL; @no_rows: only there
 * @input:    counts are read from there instead, only by this run; or NULL
 * @from_ns, @to_ns: only rows that end between these; @time_text: both as typed, or NULL
 * @implied:  the metrics are those that it was recorded with: if they are not possible, its events
 *            suffice, and then counts are printed if @metric_only_implied
 *
 * @notes: NOTE() of each kind that is wanted
 * @perf:  behave like perf where tma differs, as this program was called by that name
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
	bool sync;
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
