/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A request says all that a run is told: what is measured, where, when, how events are grouped and
 * estimated, which rows there are, and what is wanted of them. Each command fills one from its own
 * options; it is const from then on. What follows from it is the run's own business.
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

#define TD_LEVEL_MAX UINT64_MAX /* as deep as the tree is */

/**
 * struct request - what is measured; texts and arrays stay the caller's and outlive the run, except
 * those of cgroups, which are not looked at after run__open()
 *
 * What is counted and computed:
 * @events:   what -e gives, one after the other
 * @metrics:  names of metrics and metric groups, separated by commas, or ""
 * @along:    more of these, which are counted after all others; or NULL
 * @topdown:  the TopDown tree at @td_level, 0 for level 1, TD_LEVEL_MAX for the deepest;
 *            @levels_above: and the levels above that; so, too, if @table_most is set, and it is
 *            the deepest level, or a table of it would take more columns than that;
 *            @bottlenecks: instead, the view of bottlenecks that Intel's tables have
 * @detailed: how often -d; @null: nothing is counted
 * @joins_pmus: events of one name are one event, whatever PMUs have them
 * @compat7:  a run without events counts what perf counts since Linux 6.19; names are perf 7's
 * @iostat:   what passes PCIe root ports, or those of @iostat_ports; "list"
 *            is all of them, whose names are in a note
 * @smi_cost: counters stand still during system management interrupts
 * @regions:  the command measures its own regions; @regions_capacity: room for them, 0 for enough
 * @all_user, @all_kernel: whatever the events' own modifiers say
 * @pmu_filter: the only PMU of names that several have; @cputype: the only core type; or NULL
 * @hybrid_merge: core types' events of one name are added up
 * @no_threshold: metrics are not held against their thresholds
 * @record_tpebs: retire latencies of metrics are sampled
 * @latency, @latency_mode_given: how, and whether a mode was asked for
 * @told:     values of literals that a user knows, or NULL
 *
 * Where:
 * @target:   CPUs, tasks or a command; @cpu_text: its list of CPUs as typed, or NULL
 * @cgroup_names: of the -G texts, joined by commas; @each_cgroup: all is counted in each of these,
 *            or of the @nr_cgroups with the names @cgroups; @cgroups_option: what names them in
 *            messages; or NULL
 * @no_inherit: children of tasks are not counted
 * @bpf_text, @bpf_programs: -b as typed, or NULL, and the numbers in it; @by_bpf: BPF programs read
 *            all events; @bpf_attr_map: the map of shared counters, or NULL
 *
 * When:
 * @first_ms: the first row of an interval is this long, or 0: as long as the others
 * @interval_ms: rows are of intervals of this length, or 0; @interval_count: so many, 0 for any
 * @timeout_ms: the run ends then, or 0
 * @delay_ms: until counting begins, -1 for as long as nobody enables the counters
 * @repeat:   runs of the command, 0 for ever
 * @end_ns:   on the monotonic clock: a run under way is ended then, and none begins any more; or 0
 * @sync:     sync(2) before each run
 * @pre, @post: shell commands around each run, or NULL; @pre_option: what gave the former
 * @command_output: where the standard output of the command goes: "stderr", "null", a file; or NULL
 * @control:  where commands come from; @wake_fd: instead, run__next() returns when it can be read,
 *            or 0
 *
 * How:
 * @grouping, @no_group, @no_merge: see struct plan_options
 * @passes:   the command runs once for each set of groups; @rotate: sets take turns of @turn_ms, 0
 *            for a good length
 * @scale:    counts of multiplexed events are scaled; @estimate: what metrics are made of then, and
 *            @estimate_given: which a user asked for; @min_running: least share of the time that
 *            an event must have been counted for, in percent
 *
 * Rows, and what is wanted of them:
 * @aggr, @cache_level: what a row stands for; @rows_given: whether that was asked for, or a
 *            recording says it; @no_merge_pmus: instances of uncore PMUs have rows of their own
 * @percore_threads, @skip_idle: see struct report_options
 * @frequency: (rows of code) samples of cycles in a second, of each group on each CPU
 * @kept_rows: (rows of code) a row of an interval has the samples of so many, its own the last; 0
 *            for its own alone
 * @all_sites: (rows of code) rows of the 256 sites with the most time, however little that is, and
 *            not only of 64 that have 1 % of it
 * @places:   a second grid of each row, of the same counts: @places_by says what it stands for,
 *            @by_process puts threads together
 * @wants:    what of its cells, enum grid_want; @metric_only: counts are not printed;
 *            @wants_without: instead, if metrics are left out (@implied)
 * @error, @verdict, @judged: errors of estimates; a verdict, or one wherever there is a tree
 * @fit, @no_ratios: see struct report_options
 * @summary:  a row of the whole run comes after those of intervals
 * @again, @read, @program: parts of the command that a verdict says to run next, or NULL
 * @restarts, @lost_ns: of a measurement that was begun anew, see struct report_options
 *
 * Recordings:
 * @recorder: counts are written there as well, or NULL; @no_rows: and to nowhere else
 * @input:    they are read from there instead of being counted, by this run alone; or NULL
 * @from_ns, @to_ns: only rows that end between; @time_text: these as typed, or NULL
 * @implied:  the metrics are those that it was recorded with: without them its events will do, and
 *            then counts are printed if @metric_only_implied
 *
 * @notes: NOTE() of each kind that is wanted
 * @perf:  what is done differently for those who call this program perf
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
	const struct literals *told;

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

/* What a command need not say. */
#define REQUEST_INIT                                                                          \
	{                                                                                     \
		.metrics = "", .frequency = 199, .repeat = 1, .scale = true,                  \
		.estimate = ESTIMATE_JOINT,                                                   \
		.grouping = PLAN_BY_COUNTERS, .notes = NOTES_OF_EVERY_RUN                     \
	}

/** request__is_one_run() - tell whether the kernel lets the events of one run take turns. */
static inline bool request__is_one_run(const struct request *r)
{
	return r->repeat == 1 && !r->passes && !r->rotate && !r->by_bpf && r->scale;
}

#endif
