// SPDX-License-Identifier: GPL-2.0-only
/*
 * This settles what follows from the options of "tma stat": contradictions are refused, and words
 * become choices.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "stat.h"

#define NS_PER_S 1e9
#define TIME_MAX_S 9e9
#define FIRST_SLICE_NS 10000000
#define LEAST_SLICE_NS 1000000

/* Two options that cannot both be meant, and why. */
struct contradiction {
	bool both;
	const char *why;
};

static int refuse(const struct contradiction *list, size_t nr, struct err *err)
{
	for (size_t i = 0; i < nr; i++)
		if (list[i].both)
			return err__set(err, EINVAL, "%s", list[i].why);
	return 0;
}

/* Check the options that ask how far off values are. */
static int check_errors(const struct stat_options *o, struct err *err)
{
	const struct contradiction list[] = {
		{o->repeat != 1 && o->report.error,
		 "-r and --error cannot be combined: how far runs differ is printed anyway"},
		{o->report.error && !o->count.scale,
		 "--no-scale and --error cannot be combined: a raw count is not an estimate"},
		{o->verb == STAT_REPORT && o->report.error,
		 "--error needs reads within the rows, which a recording does not have"},
		{o->report.error && (o->passes || o->rotate),
		 "--error applies to events that the kernel multiplexes: it cannot be combined "
		 "with --passes or --schedule=rotate"},
		{o->repeat != 1 && o->report.verdict,
		 "-r and --verdict cannot be combined: --passes runs a command several times for "
		 "one verdict"},
		{o->report.verdict && !o->count.scale,
		 "--no-scale and --verdict cannot be combined: metrics of raw counts are no "
		 "shares"},
	};

	return refuse(list, sizeof(list) / sizeof(*list), err);
}

/* Check the options that have BPF programs read events. */
static int check_bpf(const struct stat_options *o, struct err *err)
{
	const struct target *t = &o->target;
	const struct contradiction list[] = {
		{o->bpf_text && o->bpf_counters,
		 "-b and --bpf-counters cannot be combined: only counters of tasks and CPUs are "
		 "shared"},
		{o->bpf_text && (t->system_wide || o->cpu_text || target__names_tasks(t)),
		 "-b counts while BPF programs run, wherever that is: it cannot be combined with "
		 "-a, -C, -p or -t"},
		{o->bpf_text && o->by[AGGR_THREAD],
		 "-b counts BPF programs and no threads: it cannot be combined with --per-thread"},
		{o->by_bpf && (o->cgroup_names.len || o->each_cgroup),
		 "BPF programs tell tasks and CPUs apart, and not cgroups: -b and --bpf-counters "
		 "cannot be combined with -G or --for-each-cgroup"},
		{o->by_bpf && o->rotate,
		 "BPF programs count all events all the time: -b and --bpf-counters cannot be "
		 "combined with --schedule=rotate"},
		{o->by_bpf && o->report.error,
		 "BPF programs do not tell when events took turns: -b and --bpf-counters cannot be "
		 "combined with --error"},
		{o->by_bpf && o->record_tpebs,
		 "BPF programs sample nothing: -b and --bpf-counters cannot be combined with "
		 "--record-tpebs"},
		{o->by_bpf && o->null,
		 "-n counts nothing, and -b and --bpf-counters say how to count"},
	};

	return refuse(list, sizeof(list) / sizeof(*list), err);
}

/* With --regions the program reads the counters, and tma reads none. */
static int check_regions(const struct stat_options *o, struct err *err)
{
	const struct target *t = &o->target;
	const struct contradiction list[] = {
		{!o->have_command,
		 "--regions needs a program that measures itself: name one after the options"},
		{o->events.nr || o->metrics.len || o->topdown || o->null || o->smi_cost ||
			 o->detailed || o->record_tpebs || o->report.verdict,
		 "--regions prints only what the program counts: it cannot be combined with -e, "
		 "-M, -d, -n, --topdown, --verdict or --smi-cost"},
		{t->system_wide || o->cpu_text || target__names_tasks(t),
		 "--regions is for threads of a program: it cannot be combined with -a, -C, -p or "
		 "-t"},
		{o->interval_ms || o->timeout_ms || o->delay_ms || o->control_text,
		 "--regions has totals of a whole run: it cannot be combined with -I, --timeout, "
		 "-D or --control"},
		{o->by_bpf, "--regions prints what the program reads itself: it cannot be combined "
			    "with -b or --bpf-counters"},
		{o->repeat != 1 || o->passes || o->rotate || o->dry_run,
		 "--regions is for a single run: it cannot be combined with -r, --passes or "
		 "--schedule=rotate, nor planned (--dry-run, tma plan)"},
		{o->verb != STAT_PRINT, "--regions cannot be recorded"},
	};

	return o->regions ? refuse(list, sizeof(list) / sizeof(*list), err) : 0;
}

/* Check where rows, recordings and the output of commands go. */
static int check_streams(const struct stat_options *o, struct err *err)
{
	const struct contradiction list[] = {
		{o->data_name && !strcmp(o->data_name, "-") && isatty(STDOUT_FILENO),
		 "a recording cannot be written to a terminal: use -o FILE, or a pipe"},
		{o->command_output && !o->have_command && !o->pre && !o->post,
		 "--command-output needs a command"},
		{o->command_output && !*o->command_output,
		 "--command-output needs stderr, null or the name of a file"},
		{o->command_output && o->output_name &&
			 file__is_same(o->output_name, o->command_output),
		 "-o and --command-output name the same file"},
		{o->format.clear && !o->interval_ms, "--interval-clear needs -I"},
		{o->format.clear && (o->output_name || o->log_fd),
		 "--interval-clear is for a terminal: it cannot be combined with -o or --log-fd"},
	};

	return refuse(list, sizeof(list) / sizeof(*list), err);
}

/* --iostat chooses what is counted, where, and what a row stands for. */
static int check_iostat(const struct stat_options *o, struct err *err)
{
	bool task = target__names_tasks(&o->target);
	const struct contradiction list[] = {
		{o->iostat && (o->events.nr || o->metrics.len || o->topdown || o->smi_cost ||
			       o->null || o->detailed || o->report.verdict),
		 "--iostat chooses its own events: it cannot be combined with -e, -M, --topdown "
		 "and the like"},
		{o->iostat && (task || o->cpu_text || o->cgroup_names.len || o->each_cgroup),
		 "--iostat counts what passes root ports, whoever causes it: it cannot be combined "
		 "with -p, -t, -C and cgroups"},
		{o->iostat && o->verb == STAT_RECORD,
		 "--iostat: a recording does not say of which root port an event is"},
		{o->iostat && (o->repeat != 1 || o->passes || o->rotate),
		 "--iostat counts all root ports in one run: it cannot be combined with -r, "
		 "--passes and --schedule=rotate"},
	};

	return refuse(list, sizeof(list) / sizeof(*list), err);
}

static int check_contradictions(const struct stat_options *o, struct err *err)
{
	const struct target *t = &o->target;
	bool task = target__names_tasks(t), cpus = t->system_wide || o->cpu_text;
	const struct contradiction list[] = {
		{t->pids && t->tids, "-p and -t cannot be combined: name processes or threads"},
		{task && cpus, "-p and -t count tasks, -a and -C count CPUs: use one of them"},
		{o->format.separator && o->json, "-x and -j cannot be combined: choose one format"},
		{o->format.separator && !*o->format.separator,
		 "-x needs a separator: with '' the fields run together"},
		{o->format.separator && strpbrk(o->format.separator, "0123456789.\"\n"),
		 "-x needs a separator that cannot be part of a number or a quoted field"},
		{o->output_name && o->log_fd, "-o and --log-fd cannot be combined"},
		{o->output_name && !*o->output_name, "-o needs the name of a file"},
		{o->append && !o->output_name, "--append needs -o FILE"},
		{o->append && o->dry_run,
		 "a plan (--dry-run, tma plan) cannot be appended to a file: remove --append"},
		{o->interval_count && !o->interval_ms, "--interval-count needs -I"},
		{o->timeout_ms && o->interval_ms,
		 "--timeout and -I cannot be combined: --interval-count ends a run with -I"},
		{o->cgroup_names.len && o->each_cgroup,
		 "-G and --for-each-cgroup cannot be combined"},
		{(o->cgroup_names.len || o->each_cgroup) && !cpus,
		 "-G and --for-each-cgroup count on CPUs: add -a or -C"},
		{o->hybrid_merge && o->by[AGGR_NONE],
		 "--hybrid-merge adds up what -A keeps apart: use one of them"},
		{o->smi_cost && (o->events.nr || o->topdown),
		 "--smi-cost chooses its own events: it cannot be combined with -e or --topdown"},
		{o->report.percore_threads && !o->by[AGGR_NONE], "--percore-show-thread needs -A"},
		{o->td_level && !o->topdown, "--td-level needs --topdown"},
		{o->repeat != 1 && o->verb == STAT_RECORD,
		 "a recording holds a single run: -r cannot be recorded"},
		{o->null && o->verb == STAT_RECORD, "-n counts nothing to record"},
		{o->repeat != 1 && !o->have_command, "-r needs a command to repeat"},
		{o->repeat != 1 && o->interval_ms, "-r and -I cannot be combined"},
		{o->repeat != 1 && o->by[AGGR_THREAD], "-r and --per-thread cannot be combined"},
		{o->repeat != 1 && o->format.metric_only,
		 "-r and --metric-only cannot be combined: metrics have no spread"},
		{o->format.run_table && o->repeat < 2 && !o->passes,
		 "--table needs -r with more than one run, or --passes"},
		{o->passes && !o->have_command,
		 "--passes needs a command to run several times: name one after the options (with "
		 "-a, for example sleep 10), or use --schedule=rotate"},
		{o->passes && task, "--passes runs a command several times, which -p and -t do not "
				    "count: remove them, or use --schedule=rotate"},
		{o->passes && o->interval_ms,
		 "--passes and -I cannot be combined: the same interval of two runs is not the "
		 "same time (--schedule=rotate counts all groups in each interval)"},
		{o->passes && o->verb == STAT_RECORD,
		 "a recording holds a single run: --passes cannot be recorded"},
		{o->passes && o->rotate, "--passes and --schedule=rotate cannot be combined: count "
					 "in several runs, or in turns in one"},
		{o->passes && o->control_text,
		 "--passes and --control cannot be combined: commands are for a single run"},
		{o->rotate && o->control_text, "--schedule=rotate and --control cannot be "
					       "combined: tma itself enables the events in turn"},
		{o->rotate && (o->cgroup_names.len || o->each_cgroup),
		 "--schedule=rotate counts whole CPUs and tasks: it cannot be combined with -G or "
		 "--for-each-cgroup"},
		{o->turn_ms && !o->rotate, "--schedule-ms needs --schedule=rotate"},
		{o->pmu_filter && o->cputype, "--pmu-filter and --cputype cannot be combined"},
		{o->null && (o->events.nr || o->metrics.len || o->topdown || o->smi_cost),
		 "-n counts nothing, and -e, -M, --topdown and --smi-cost say what to count"},
		{o->null && o->detailed && !as_perf(),
		 "-n counts nothing, and -d adds to what is counted: remove one of them"},
		{o->null && o->report.verdict, "-n counts nothing to base a verdict on"},
		{o->null && o->interval_ms && !as_perf(),
		 "-n counts nothing, so -I has no rows: remove one of them"},
		{o->all_user && o->all_kernel, "--all-user and --all-kernel cannot be combined"},
		{o->count.latency.frequency && o->count.latency.period,
		 "--tpebs-frequency and --tpebs-period cannot be combined: use one of them"},
	};

	return refuse(list, sizeof(list) / sizeof(*list), err) ?:
	       check_streams(o, err) ?: check_errors(o, err) ?: check_bpf(o, err) ?:
	       check_regions(o, err) ?: check_iostat(o, err);
}

/* These options say what a row stands for: the CPUs behind it must be counted apart. */
static const char *const row_names[AGGR_NR] = {
	[AGGR_NONE] = "-A",
	[AGGR_SOCKET] = "--per-socket",
	[AGGR_DIE] = "--per-die",
	[AGGR_CLUSTER] = "--per-cluster",
	[AGGR_CACHE] = "--per-cache",
	[AGGR_CORE] = "--per-core",
	[AGGR_NODE] = "--per-node",
	[AGGR_THREAD] = "--per-thread",
};

void stat_options__put_rows(const struct stat_options *o, struct sb *sb)
{
	enum grid_aggr aggr = o->report.aggr;

	if (!o->rows_asked)
		return;
	sb__printf(sb, " %s", row_names[aggr]);
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
					row_names[aggr], row_names[i]);
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
				"with %s", row_names[aggr]);
	if (aggr == AGGR_THREAD) {
		if (!target__names_tasks(t) && !t->system_wide)
			return err__set(err, EINVAL,
					"--per-thread needs -p or -t, or -a for every thread");
		t->all_threads = t->system_wide;
		o->report.skip_idle |= t->system_wide;
	} else if (aggr != AGGR_GLOBAL && !target__per_cpu(t)) {
		return err__set(err, EINVAL,
				"%s prints rows for CPUs: it needs -a or -C, not a task",
				row_names[aggr]);
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

static int check_format(const struct stat_options *o, const struct format *f, struct err *err)
{
	bool state = format__is(f, FORMAT_STATE), csv = format__is(f, FORMAT_CSV);
	bool wide = csv && !format__is(f, FORMAT_PERFS);
	const struct contradiction list[] = {
		{o->json && f != format__find("json-perf"),
		 "-j is --format=json-perf, and --format names another: choose one"},
		{o->format.separator && !csv,
		 "-x is for csv and csv-wide, and --format names another: choose one"},
		{o->header_set && !csv && format__is(f, FORMAT_HEADER) && !o->format.header,
		 "--no-header is for CSV: a Markdown table needs its heading"},
		{o->format.full_header && csv && !wide,
		 "--header=full is for --format=csv-wide: csv has one header"},
		{o->format.precise && !wide,
		 "--precise is for --format=csv-wide: the digits of other formats are fixed"},
		{o->header_set && !csv, "--header is for CSV: use -x or --format=csv-wide"},
		{format__is(f, FORMAT_WHOLE) && o->append,
		 "--append: this format is one document: write to another file"},
		{state && o->append, "--format=prom replaces its file: it cannot be appended to"},
		{format__is(f, FORMAT_PAGE) && (o->append || o->nr_inputs > 1),
		 "--format=html writes a whole page: it cannot be appended to"},

		{state && o->summary,
		 "--format=prom counts since the start anyway: remove --summary"},
		{state && o->repeat != 1,
		 "-r and --format=prom cannot be combined: a counter has no mean"},
	};

	return refuse(list, sizeof(list) / sizeof(*list), err);
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
		rc = check_format(o, f, err);
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
	int rc = check_contradictions(o, err) ?: settle_told(o, err) ?: settle_time(o, err)
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
			      row_names[o->report.aggr]);
	return rc ?: settle_format(o, err);
}

static int settle_stat(struct stat_options *o, int argc, const char **argv, struct err *err)
{
	struct target *t = &o->target;
	int rc;

	o->have_command = argc;
	o->by_bpf = o->bpf_text || o->bpf_counters;
	o->plan.no_group |= o->by_bpf;
	rc = settle_compat(o, err) ?: settle_schedule(o, err) ?: check_contradictions(o, err)
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
