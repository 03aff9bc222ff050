// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the command that a verdict suggests to run next. It counts the same target with other
 * metrics: it has the options that choose what is counted and when, quoted so that it can be pasted
 * into a shell.
 */
#include <inttypes.h>

#include "base/text.h"
#include "simulated.h"
#include "stat/stat.h"

static void stat_again__add_option(struct sb *sb, const char *option, const char *value)
{
	if (!value)
		return;
	sb__printf(sb, " %s ", option);
	text__shell(sb, value);
}

static void stat_again__add_number(struct sb *sb, const char *option, uint64_t value)
{
	if (value)
		sb__printf(sb, " %s %" PRIu64, option, value);
}

static void add_flag(struct sb *sb, const char *option, bool given)
{
	if (given)
		sb__printf(sb, " %s", option);
}

static void add_rows(struct sb *sb, const struct stat_options *o)
{
	enum grid_aggr aggr = o->req.aggr;

	if (!o->req.rows_given)
		return;
	sb__printf(sb, " %s", row_kinds[aggr].option);
	if (aggr == AGGR_CACHE && o->req.cache_level)
		sb__printf(sb, "=L%d", (int)o->req.cache_level);
}

static void add_target(struct sb *sb, const struct stat_options *o)
{
	add_flag(sb, "-a", o->req.target.system_wide && !o->req.bpf_text);
	stat_again__add_option(sb, "-b", o->req.bpf_text);
	add_flag(sb, "--bpf-counters", o->bpf_counters);
	stat_again__add_option(sb, "--bpf-attr-map", o->req.bpf_attr_map);
	stat_again__add_option(sb, "-C", o->req.cpu_text);
	stat_again__add_option(sb, "-p", o->req.target.pids);
	stat_again__add_option(sb, "-t", o->req.target.tids);
	stat_again__add_option(sb, "-G", o->cgroup_names.len ? o->cgroup_names.buf : NULL);
	stat_again__add_option(sb, "--for-each-cgroup", o->req.each_cgroup);
	stat_again__add_option(sb, "--cputype", o->req.cputype);
	stat_again__add_option(sb, "--pmu-filter", o->req.pmu_filter);
	add_flag(sb, "--all-user", o->req.all_user);
	add_flag(sb, "--all-kernel", o->req.all_kernel);
	add_flag(sb, "-i", o->req.no_inherit);
}

/*
 * Add options: when events are counted, what runs before and after, and how multiplexing is done.
 */
static void add_run(struct sb *sb, const struct stat_options *o)
{
	add_flag(sb, "--passes", o->req.passes);
	stat_again__add_option(sb, "--schedule", o->schedule_name);
	stat_again__add_number(sb, "--schedule-ms", o->req.turn_ms);
	stat_again__add_option(sb, "--estimate", o->estimate_name);
	stat_again__add_number(sb, "-I", o->req.interval_ms);
	stat_again__add_number(sb, "--interval-count", o->req.interval_count);
	stat_again__add_number(sb, "--timeout", o->req.timeout_ms);
	if (o->req.delay_ms)
		sb__printf(sb, " -D %" PRId64, o->req.delay_ms);
	stat_again__add_option(sb, "--control", o->control_text);
	add_flag(sb, "-S", o->req.sync);
	stat_again__add_option(sb, "--pre", o->req.pre);
	stat_again__add_option(sb, "--post", o->req.post);
}

/* Add options: how metrics' events are grouped, and where metrics get latencies from. */
static void add_grouping(struct sb *sb, const struct stat_options *o)
{
	stat_again__add_option(sb, "--grouping", o->grouping_name);
	add_flag(sb, "--metric-no-group", o->req.no_group && !o->req.by_bpf);
	add_flag(sb, "--metric-no-merge", o->req.no_merge);
	add_flag(sb, "--metric-no-threshold", o->req.no_threshold);
	add_flag(sb, "--record-tpebs", o->req.record_tpebs);
	stat_again__add_option(sb, "--tpebs-mode", o->tpebs_mode);
	stat_again__add_number(sb, "--tpebs-frequency", o->req.latency.frequency);
	stat_again__add_number(sb, "--tpebs-period", o->req.latency.period);
	stat_again__add_number(sb, "--min-running", o->req.min_running);
}

static void add_recording(struct sb *sb, const struct stat_options *o)
{
	sb__puts(sb, " report");
	stat_again__add_option(sb, "-i", o->input_name);
	stat_again__add_option(sb, "--cpuid", o->cpuid);
	stat_again__add_option(sb, "--smt", o->smt_name);
	stat_again__add_option(sb, "--scope", o->scope_name);
	stat_again__add_option(sb, "--time", o->req.time_text);
}

void stat_again__init(struct stat_again *a, const struct stat_options *o)
{
	char *const *arg = o->verb == STAT_REPORT ? NULL : o->req.target.argv;

	*a = (struct stat_again){.again = SB_INIT, .read = SB_INIT, .program = SB_INIT};
	if (!o->req.verdict && !o->req.judged)
		return;
	host_asked__put_stat(&a->read, NULL);
	add_recording(&a->read, o);
	host_asked__put_stat(&a->again, o->verb == STAT_REPORT ? NULL : simulated__machine());
	if (o->verb != STAT_REPORT) {
		add_target(&a->again, o);
		add_rows(&a->again, o);
		add_run(&a->again, o);
		add_grouping(&a->again, o);
	}
	sb__puts(&a->program, arg ? " --" : "");
	for (; arg && *arg; arg++) {
		sb__putc(&a->program, ' ');
		text__shell(&a->program, *arg);
	}
}

void stat_again__exit(struct stat_again *a)
{
	sb__free(&a->again);
	sb__free(&a->read);
	sb__free(&a->program);
}
