// SPDX-License-Identifier: GPL-2.0-only
/* This settles what follows from the options of "tma stat": words become choices. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/num.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "stat.h"

#define NS_PER_S 1e9
#define TIME_MAX_S 9e9
#define FIRST_SLICE_NS 10000000
#define LEAST_SLICE_NS 1000000

void stat_options__put_rows(const struct stat_options *o, struct sb *sb)
{
	enum grid_aggr aggr = o->report.aggr;

	if (!o->rows_asked)
		return;
	sb__printf(sb, " %s", row_kinds[aggr].option);
	if (aggr == AGGR_CACHE && o->report.cache_level)
		sb__printf(sb, "=L%d", (int)o->report.cache_level);
}

static int choose_rows(struct stat_options *o, struct err *err)
{
	enum grid_aggr aggr = AGGR_GLOBAL;

	for (int i = 0; i < AGGR_NR; i++) {
		if (!o->by[i])
			continue;
		if (aggr != AGGR_GLOBAL)
			return err__set(err, EINVAL,
					"%s and %s cannot be combined: a row stands for one thing",
					row_kinds[aggr].option, row_kinds[i].option);
		aggr = i;
	}
	o->report.aggr = aggr;
	o->rows_asked = aggr != AGGR_GLOBAL;
	if (aggr == AGGR_THREAD && o->format.metric_only)
		return err__set(err, EINVAL, "--per-thread and --metric-only cannot be combined");
	return 0;
}

static int settle_rows(struct stat_options *o, struct err *err)
{
	struct target *t = &o->target;
	int rc = choose_rows(o, err);
	enum grid_aggr aggr = o->report.aggr;

	if (rc)
		return rc;
	if (o->iostat && aggr != AGGR_GLOBAL)
		return err__set(err, EINVAL,
				"--iostat has a row for each root port: it cannot be combined "
				"with %s", row_kinds[aggr].option);
	if (aggr == AGGR_THREAD) {
		if (!target__names_tasks(t) && !t->system_wide)
			return err__set(err, EINVAL,
					"--per-thread needs -p or -t, or -a for every thread");
		t->all_threads = t->system_wide;
		o->report.skip_idle |= t->system_wide;
	} else if (aggr != AGGR_GLOBAL && !target__per_cpu(t)) {
		return err__set(err, EINVAL,
				"%s prints rows for CPUs: it needs -a or -C, not a task",
				row_kinds[aggr].option);
	}
	return 0;
}

static int find_format(const char *name, const struct format **out, struct err *err)
{
	const struct format *f;

	*out = format__find(name);
	if (*out)
		return 0;
	err__set(err, EINVAL, "--format: unknown format '%s'; use", name);
	for (int i = 0; (f = format__at(i)); i++)
		err__append(err, "%s %s", !i ? "" : format__at(i + 1) ? "," : " or",
			    format__name(f));
	return -EINVAL;
}

/*
 * Rows for programs must stand alone on standard output; on a terminal people tell them from what a
 * command prints.
 */
static int check_stdout(const struct stat_options *o, struct err *err)
{
	const char *who = o->have_command     ? "the command's output"
			  : o->pre || o->post ? "the output of --pre and --post"
					      : NULL;

	if (!who || !o->to_stdout || o->command_output || o->quiet ||
	    format__is(o->format.format, FORMAT_TEXT) || o->dry_run || o->no_print ||
	    isatty(STDOUT_FILENO))
		return 0;
	return err__set(err, EINVAL,
			"%s would be among the rows on standard output: send the rows"
			" elsewhere with -o FILE, or %s with --command-output=stderr, null or FILE",
			who, who);
}

/* Find the format that -x, -j and --format mean, and where its rows go. */
static int choose_format(struct stat_options *o, struct err *err)
{
	const char *name = o->json ? "json-perf" : o->format.separator ? "csv" : "text";
	const struct format *f;
	int rc = find_format(o->format_name ? o->format_name : name, &f, err);

	if (!rc)
		rc = stat_options__check_format(o, f, err);
	if (rc)
		return rc;
	o->format.format = f;
	o->has_file = o->output_name && strcmp(o->output_name, "-");
	/* perf takes "-o -" for its usual place. */
	o->to_stdout = !o->has_file && !o->log_fd &&
		       ((o->output_name && !as_perf()) || !format__is(f, FORMAT_PERFS));
	o->shared = !format__is(f, FORMAT_TEXT) && !o->has_file && !o->to_stdout &&
		    (!o->log_fd || o->log_fd == STDERR_FILENO);
	if (format__is(f, FORMAT_HEADER) && !o->header_set)
		o->format.header = true;
	if (format__is(f, FORMAT_STATE) && o->has_file && !o->quiet)
		o->format.path = o->output_name;
	if (!o->report.verdict || o->quiet || format__is(f, FORMAT_VERDICT) || !o->shared)
		return 0;
	return err__set(err, EINVAL,
			"--verdict: %s has no place for a verdict; send the rows elsewhere with -o "
			"FILE or --log-fd, or use --format=json",
			format__name(f));
}

int stat_options__check_path(const struct stat_options *o, bool interval, struct err *err)
{
	bool to_stream = !o->format.path && !o->quiet && o->verb != STAT_SERVE;

	if (format__is(o->format.format, FORMAT_STATE) && interval && to_stream)
		return err__set(err, EINVAL,
				"--format=prom replaces a file at each interval: it needs -o FILE");
	return 0;
}

/* A page shows errors, the verdict and the whole run where there can be any. */
static void settle_page(struct stat_options *o)
{
	bool estimates = o->repeat == 1 && o->count.scale && !o->null;

	if (!format__is(o->format.format, FORMAT_PAGE))
		return;
	o->summary = true;
	o->judged = estimates;
	o->report.error |= estimates && o->verb != STAT_REPORT && !o->passes && !o->rotate &&
			   !o->by_bpf;
}

static int settle_format(struct stat_options *o, struct err *err)
{
	int rc;

	if (o->format.separator && !strcmp(o->format.separator, "\\t"))
		o->format.separator = "\t";
	o->format.summary_mark = (o->summary || o->interval_ms) && !o->no_csv_summary;
	o->report.no_merge = o->by[AGGR_NONE];
	o->report.topdown = o->plan.topdown = o->topdown;
	o->report.no_threshold = o->no_threshold;
	o->report.no_scale = !o->count.scale;
	rc = choose_format(o, err);
	if (rc)
		return rc;
	settle_page(o);
	o->format.error = o->report.error;
	/* perf's own checks of its JSON know no key but perf's. */
	if (format__is(o->format.format, FORMAT_TEXT))
		o->format.reasons = o->verbose;
	else
		o->format.reasons = format__is(o->format.format, FORMAT_JSON) && !as_perf();
	/* A verdict says it by itself. */
	o->report.fit = o->format.reasons && !o->report.verdict && !as_perf();
	return 0;
}

static int settle_latencies(struct stat_options *o, struct err *err)
{
	int mode = o->tpebs_mode ? latency_mode__find(o->tpebs_mode) : LATENCY_MEAN;

	if (mode < 0)
		return err__set(
			err, EINVAL,
			"--tpebs-mode: unknown value '%s'; use mean, min, max, last, p50 or p95",
			o->tpebs_mode);
	o->count.latency.mode = o->report.latency_mode = mode;
	return 0;
}

/* An option whose value is one of two words: @which is 0 or 1, and stays as it was without it. */
static int choose_word(const char *option, const char *value, const char *first, const char *second,
		       int *which, struct err *err)
{
	if (!value)
		return 0;
	if (strcmp(value, first) && strcmp(value, second))
		return err__set(err, EINVAL, "%s: unknown value '%s'; use %s or %s", option,
				value, first, second);
	*which = !strcmp(value, second);
	return 0;
}

static int settle_grouping(struct stat_options *o, struct err *err)
{
	/* Scripts that want perf see its groups, but for what perf cannot do. */
	bool perfs = as_perf() && !o->passes && !o->rotate;
	int counters = !perfs,
	    rc = choose_word("--grouping", o->grouping_name, "perf", "counters", &counters, err);

	o->plan.grouping = counters ? PLAN_BY_COUNTERS : PLAN_AS_PERF;
	o->plan.perfs_thresholds = as_perf() || o->no_threshold;
	o->count.read_topdown = o->count.watch_groups = counters;
	return rc;
}

static int settle_compat(struct stat_options *o, struct err *err)
{
	int seven = 0, rc = choose_word("--compat", o->compat, "6.12", "7", &seven, err);

	o->format.compat7 = o->report.no_ratios = seven;
	return rc;
}

static int settle_schedule(struct stat_options *o, struct err *err)
{
	int rotate = 0;
	int rc = choose_word("--schedule", o->schedule_name, "kernel", "rotate", &rotate, err);

	o->report.rotated = o->rotate = rotate;
	return rc;
}

/* What the user knows of a file's computer. */
static int settle_told(struct stat_options *o, struct err *err)
{
	int smt = -1, wide = -1, rc;

	if (o->cpuid && !*o->cpuid)
		return err__set(err, EINVAL, "--cpuid needs the name of a CPU");
	if (o->smt_name && literals__is_set(&o->told, "smt_on"))
		return err__set(err, EINVAL,
				"--smt and --set '#smt_on=...' say the same thing twice");
	rc = choose_word("--smt", o->smt_name, "off", "on", &smt, err)
		     ?: choose_word("--scope", o->scope_name, "task", "core", &wide, err);

	o->smt = TOLD_NOTHING + 1 + smt;
	o->core_wide = TOLD_NOTHING + 1 + wide;
	return rc;
}

static int settle_cpus(struct stat_options *o, struct err *err)
{
	struct cpulist *cpus = &o->target.cpus;
	int rc = o->cpu_text ? cpulist__parse("-C", o->cpu_text, cpus, err) : 0;

	if (!rc && o->cpu_text && !cpus->nr)
		rc = err__set(err, EINVAL, "-C needs a list of CPUs, such as 0-3,8");
	return rc;
}

static int settle_regions(struct stat_options *o, struct err *err)
{
	if (o->regions && !format__is(o->format.format, FORMAT_REGIONS))
		return err__set(err, EINVAL, "--regions: %s has no rows for regions; use -x or -j",
				format__name(o->format.format));
	/* Nothing is counted, and only the time would be left to print. */
	o->null |= o->regions;
	o->no_print |= o->regions;
	return 0;
}

static void settle_times(struct stat_options *o)
{
	uint64_t step_ns = o->interval_ms ? o->interval_ms * 1000000 / SLICES_MAX : FIRST_SLICE_NS;

	o->report.runs = o->repeat > 1;
	o->count.start_disabled = o->delay_ms < 0;
	o->count.row_ns = o->interval_ms * 1000000;
	o->count.delay_ns = o->delay_ms > 0 ? o->delay_ms * 1000000ULL : 0;
	/* Reads within rows show how rates vary; passes, tma's own turns and BPF have none. */
	o->report.turns = o->report.error ||
			  (o->report.verdict && !o->passes && !o->rotate && !o->by_bpf);
	if (!o->report.turns && o->report.estimate == ESTIMATE_TIME)
		return;
	/* Estimates alone know enough after a few rows, and then learn from whole rows. */
	if (!o->report.turns)
		o->count.slices.last_step_ns = o->interval_ms * 1000000;
	o->count.slices.step_ns = step_ns > LEAST_SLICE_NS ? step_ns : LEAST_SLICE_NS;
	o->count.slices.of_run = o->interval_ms && (o->summary || o->report.verdict);
}

/*
 * perf's groups have little in common that a joint estimate could follow from. A recording has no
 * turns in its rows: a report scales by time, and so does the run that was recorded.
 */
static enum estimate_method default_estimate(const struct stat_options *o)
{
	bool prints = o->verb == STAT_PRINT || o->verb == STAT_SERVE;

	return prints && o->plan.grouping == PLAN_BY_COUNTERS && !as_perf() ? ESTIMATE_JOINT
									    : ESTIMATE_TIME;
}

static int settle_estimate(struct stat_options *o, struct err *err)
{
	const char *name = o->estimate_name;
	unsigned int method = ESTIMATE_TIME;
	bool one_run = o->repeat == 1 && !o->passes && !o->rotate && !o->by_bpf && o->count.scale;

	while (name && method < ESTIMATE_NR && strcmp(name, estimate__name(method)))
		method++;
	if (method == ESTIMATE_NR)
		return err__set(err, EINVAL,
				"--estimate: unknown value '%s'; use time, reference or joint", name);
	if (method != ESTIMATE_TIME && !one_run)
		return err__set(
			err, EINVAL,
			"--estimate=%s is of events which the kernel lets take turns in one run:"
			" not with -r, --passes, --schedule=rotate, --bpf-counters, -b and"
			" --no-scale",
			name);
	o->report.estimate = name || !one_run ? method : default_estimate(o);
	return 0;
}

static int settle_control(struct stat_options *o, struct err *err)
{
	int rc = o->control_text ? control__open(&o->control, o->control_text, err) : 0;

	o->count.control_fd = o->control.fd;
	return rc;
}

/* An end of --time that is empty sets no limit. */
static int parse_end(const char *text, uint64_t none, uint64_t *ns, struct err *err)
{
	double seconds;

	*ns = none;
	if (!*text)
		return 0;
	if (num__parse_double("--time", text, &seconds, err))
		return -EINVAL;
	if (seconds < 0 || seconds > TIME_MAX_S)
		return err__set(err, ERANGE, "--time: %s is not a time in seconds", text);
	*ns = seconds * NS_PER_S;
	return 0;
}

static int settle_time(struct stat_options *o, struct err *err)
{
	const char *comma = o->time_text ? strchr(o->time_text, ',') : NULL;
	char *from;
	int rc;

	if (!o->time_text)
		return 0;
	if (!comma || strchr(comma + 1, ','))
		return err__set(err, EINVAL, "--time: '%s' is not FROM,TO", o->time_text);
	from = xstrndup(o->time_text, comma - o->time_text);
	rc = parse_end(from, 0, &o->from_ns, err)
		     ?: parse_end(comma + 1, UINT64_MAX, &o->to_ns, err);
	free(from);
	if (!rc && o->from_ns >= o->to_ns)
		rc = err__set(err, EINVAL, "--time: %s: nothing lies between", o->time_text);
	return rc;
}

static int settle_report(struct stat_options *o, int argc, const char **argv, struct err *err)
{
	int rc = stat_options__check(o, err) ?: settle_told(o, err) ?: settle_time(o, err)
		 ?: settle_estimate(o, err);

	o->inputs = argv;
	o->nr_inputs = argc;
	if (!rc && argc && o->input_name)
		rc = err__set(
			err, EINVAL,
			"-i %s and the argument '%s' are both files: name all files as arguments",
			o->input_name, argv[0]);
	rc = rc ?: choose_rows(o, err);
	if (!rc && o->global && o->rows_asked)
		rc = err__set(err, EINVAL, "--global and %s cannot be combined",
			      row_kinds[o->report.aggr].option);
	return rc ?: settle_format(o, err);
}

static int settle_stat(struct stat_options *o, int argc, const char **argv, struct err *err)
{
	struct target *t = &o->target;
	int rc;

	o->have_command = argc;
	o->by_bpf = o->bpf_text || o->bpf_counters;
	o->plan.no_group |= o->by_bpf;
	rc = settle_compat(o, err) ?: settle_schedule(o, err) ?: stat_options__check(o, err)
	     ?: settle_cpus(o, err) ?: target__check_tasks(t, err) ?:
	     stat_bpf__parse(o, err);
	if (rc)
		return rc;
	t->argv = argc ? (char *const *)argv : NULL;
	o->no_target = !argc && !target__names_tasks(t) && !t->system_wide && !o->cpu_text &&
		       !o->bpf_text;
	/* BPF programs run on any CPU. */
	t->system_wide |= o->no_target || o->bpf_text;
	rc = settle_latencies(o, err) ?: settle_grouping(o, err) ?: settle_estimate(o, err) ?:
	     settle_format(o, err) ?: settle_regions(o, err) ?: settle_control(o, err);
	if (rc)
		return rc;
	settle_times(o);
	if (o->iostat && !format__is(o->format.format, FORMAT_PERFS))
		return err__set(err, EINVAL,
				"--iostat: %s has no rows of root ports; use text, csv or json-perf",
				format__name(o->format.format));
	o->format.metric_only |= o->iostat;
	t->system_wide |= o->iostat;
	if (o->smi_cost) {
		sb__puts(&o->metrics, "smi");
		o->format.metric_only |= !o->metric_only_set;
	}
	return stat_options__check_path(o, o->interval_ms, err) ?: settle_rows(o, err)
	       ?: check_stdout(o, err);
}

int stat_options__settle(struct stat_options *o, int argc, const char **argv, struct err *err)
{
	bool tree;
	int rc;

	/* A verdict is on the TopDown tree, so that --topdown need not be said. */
	if (o->report.verdict && !o->events.nr && !o->metrics.len && !o->null && !o->smi_cost)
		o->topdown = true;
	rc = o->verb == STAT_REPORT ? settle_report(o, argc, argv, err)
				    : settle_stat(o, argc, argv, err);
	/* Where the user did not say otherwise, --topdown and trees are of metrics alone. */
	tree = !rc && format__is(o->format.format, FORMAT_LEVELS) && o->metrics.len &&
	       !o->events.nr;
	o->format.metric_only |= (o->topdown || tree) && !o->metric_only_set;
	return rc;
}
