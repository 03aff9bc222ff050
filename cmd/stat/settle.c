// SPDX-License-Identifier: GPL-2.0-only
/* Derives what follows from the options of "tma stat": arguments become choices. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/num.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "colour.h"
#include "stat/stat.h"

#define NS_PER_S 1e9
#define TIME_MAX_S 9e9
#define INTERVAL_COLUMNS 17
#define CPUS_COLUMNS 6

int stat_options__set_topdown(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;
	struct err err = ERR_INIT;

	o->topdown_set = true;
	o->req.topdown = !unset;
	o->req.bottlenecks = !unset && arg;
	if (!o->req.bottlenecks || !strcmp(arg, "bottlenecks"))
		return 0;
	err__set(&err, EINVAL, "--topdown=%s: unknown view; use bottlenecks, or nothing", arg);
	return say_err(&err);
}

static int stat_settle__choose_rows(struct stat_options *o, struct err *err)
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
	o->req.aggr = aggr;
	o->req.rows_given = aggr != AGGR_GLOBAL;
	if (aggr == AGGR_THREAD && o->req.metric_only)
		return err__set(err, EINVAL, "--per-thread and --metric-only cannot be combined");
	return 0;
}

static int settle_rows(struct stat_options *o, struct err *err)
{
	struct target *t = &o->req.target;
	int rc = stat_settle__choose_rows(o, err);
	enum grid_aggr aggr = o->req.aggr;

	if (rc)
		return rc;
	if (o->req.iostat && aggr != AGGR_GLOBAL)
		return err__set(err, EINVAL,
				"--iostat has a row for each root port: it cannot be combined "
				"with %s",
				row_kinds[aggr].option);
	if (row_kind__is_site(aggr)) {
		host_asked()->plain = true;
		/* A sampled value is of no use without its error. */
		o->req.error = o->format.error = true;
		o->req.metric_only |= !o->events.nr && !o->metric_only_set;
	} else if (aggr == AGGR_THREAD) {
		if (!target__names_tasks(t) && !t->system_wide)
			return err__set(err, EINVAL,
					"--per-thread needs -p or -t, or -a for every thread");
		t->all_threads = t->system_wide;
		o->req.skip_idle |= t->system_wide;
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
		err__append(err, "%s %s",
			    !i			? ""
			    : format__at(i + 1) ? ","
						: " or",
			    format__name(f));
	return -EINVAL;
}

/*
 * Refuse rows for programs that would mix with other output on standard output. On a terminal they
 * are allowed, since people can tell the outputs apart.
 */
static int check_stdout(const struct stat_options *o, struct err *err)
{
	const char *who = o->req.target.argv	      ? "the command's output"
			  : o->req.pre || o->req.post ? "the output of --pre and --post"
						      : NULL;

	if (!who || !o->to_stdout || o->req.command_output || o->quiet ||
	    format__is(o->format.format, FORMAT_TEXT) || o->dry_run || o->req.no_rows ||
	    isatty(STDOUT_FILENO))
		return 0;
	return err__set(err, EINVAL,
			"%s would be among the rows on standard output: send the rows"
			" elsewhere with -o FILE, or %s with --command-output=stderr, null or FILE",
			who, who);
}

/* Choose the format that -x, -j and --format name, and where its rows go. */
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
	/* For perf, "-o -" means the default, standard error. */
	o->to_stdout = !o->has_file && !o->log_fd &&
		       ((o->output_name && !as_perf()) || !format__is(f, FORMAT_PERFS));
	o->shared = !format__is(f, FORMAT_TEXT) && !o->has_file && !o->to_stdout &&
		    (!o->log_fd || o->log_fd == STDERR_FILENO);
	if (format__is(f, FORMAT_HEADER) && !o->header_set)
		o->format.header = true;
	if (format__is(f, FORMAT_STATE) && o->has_file && !o->quiet)
		o->format.path = o->output_name;
	if (!o->req.verdict || o->quiet || format__is(f, FORMAT_VERDICT) || !o->shared)
		return 0;
	return err__set(err, EINVAL,
			"--verdict: %s has no place for a verdict; send the rows elsewhere with -o "
			"FILE or --log-fd, or use --format=json",
			format__name(f));
}

int stat_options__check_path(const struct stat_options *o, bool interval, struct err *err)
{
	bool to_stream = !o->format.path && !o->quiet;

	if (format__is(o->format.format, FORMAT_STATE) && interval && to_stream)
		return err__set(err, EINVAL,
				"--format=prom replaces a file at each interval: it needs -o FILE");
	return 0;
}

/* A page has the errors, the verdict and the total of the run, if these can be computed. */
static void settle_page(struct stat_options *o)
{
	bool estimates = o->req.repeat == 1 && o->req.scale && !o->req.null;

	if (!format__is(o->format.format, FORMAT_PAGE))
		return;
	o->req.summary = true;
	o->req.judged = estimates;
	o->req.error |= estimates && o->verb != STAT_REPORT && !o->req.passes && !o->req.rotate &&
			!o->req.by_bpf;
}

static int settle_format(struct stat_options *o, struct err *err)
{
	int rc;

	if (colour__check(o->colour, err))
		return -EINVAL;
	if (o->format.separator && !strcmp(o->format.separator, "\\t"))
		o->format.separator = "\t";
	o->format.summary_mark = (o->req.summary || o->req.interval_ms) && !o->no_csv_summary;
	o->req.no_merge_pmus = o->by[AGGR_NONE];
	rc = choose_format(o, err);
	if (rc)
		return rc;
	settle_page(o);
	o->format.error = o->req.error;
	/* perf's tests of its JSON refuse keys that perf's JSON lacks. */
	if (format__is(o->format.format, FORMAT_TEXT))
		o->format.reasons = o->verbose;
	else
		o->format.reasons = format__is(o->format.format, FORMAT_JSON) && !as_perf();
	/* If there is a verdict, it reports values that contradict each other. */
	o->req.fit = o->format.reasons && !o->req.verdict && !as_perf();
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
	o->req.latency.mode = mode;
	o->req.latency_mode_given = o->tpebs_mode;
	return 0;
}

/*
 * Parse an option whose value is one of two words: @which is set to 0 or 1. If the option is not
 * given, @which stays as it is.
 */
static int choose_word(const char *option, const char *value, const char *first, const char *second,
		       int *which, struct err *err)
{
	if (!value)
		return 0;
	if (strcmp(value, first) && strcmp(value, second))
		return err__set(err, EINVAL, "%s: unknown value '%s'; use %s or %s", option, value,
				first, second);
	*which = !strcmp(value, second);
	return 0;
}

static int settle_grouping(struct stat_options *o, struct err *err)
{
	/*
	 * Under perf's name, groups are made as perf makes them, unless an option is given that
	 * perf does not have.
	 */
	bool perfs = as_perf() && !o->req.passes && !o->req.rotate;
	int counters = !perfs,
	    rc = choose_word("--grouping", o->grouping_name, "perf", "counters", &counters, err);

	o->req.grouping = counters ? PLAN_BY_COUNTERS : PLAN_AS_PERF;
	return rc;
}

static int settle_compat(struct stat_options *o, struct err *err)
{
	const char *by, *set = set_compat(&by), *compat = o->compat ?: set;
	int seven = 0, rc = choose_word(o->compat ? "--compat" : by, compat, "6.12", "7", &seven,
					err);

	o->req.compat7 = o->req.no_ratios = o->format.compat7 = seven;
	o->req.joins_pmus = !seven && (compat || as_perf());
	host_asked()->common |= seven;
	return rc;
}

/* If a format prints no thresholds, perf 7 does not count the events that only thresholds need. */
static void leave_thresholds_out(struct stat_options *o)
{
	const struct format *f = o->format.format;
	bool has_none = format__is(f, FORMAT_CSV) ||
			(o->req.metric_only && format__is(f, FORMAT_JSON));

	o->req.no_threshold |= o->req.compat7 && format__is(f, FORMAT_PERFS) && has_none;
}

static int settle_schedule(struct stat_options *o, struct err *err)
{
	int rotate = 0;
	int rc = choose_word("--schedule", o->schedule_name, "kernel", "rotate", &rotate, err);

	o->req.rotate = rotate;
	return rc;
}

/* Settle what the user adds about the computer of a file. */
static int settle_literals(struct stat_options *o, struct err *err)
{
	int smt = -1, wide = -1, rc;

	if (o->cpuid && !*o->cpuid)
		return err__set(err, EINVAL, "--cpuid needs the name of a CPU");
	if (o->smt_name && literals__is_set(&o->literals, "smt_on"))
		return err__set(err, EINVAL,
				"--smt and --set '#smt_on=...' say the same thing twice");
	rc = choose_word("--smt", o->smt_name, "off", "on", &smt, err)
		     ?: choose_word("--scope", o->scope_name, "task", "core", &wide, err);

	o->recording.smt = FACT_UNKNOWN + 1 + smt;
	o->recording.core_wide = FACT_UNKNOWN + 1 + wide;
	return rc;
}

static int settle_cpus(struct stat_options *o, struct err *err)
{
	struct cpulist *cpus = &o->req.target.cpus;
	int rc = o->req.cpu_text ? cpulist__parse("-C", o->req.cpu_text, cpus, err) : 0;

	if (!rc && o->req.cpu_text && !cpus->nr)
		rc = err__set(err, EINVAL, "-C needs a list of CPUs, such as 0-3,8");
	return rc;
}

static int add_program(struct stat_options *o, const char *text, struct err *err)
{
	const uint32_t *other;
	uint64_t id;
	int rc = num__parse_u64("-b (number of a BPF program)", text, 1, UINT32_MAX - 1, &id, err);

	if (rc)
		return rc;
	vec__for_each (other, &o->bpf_programs)
		if (*other == id)
			return err__set(err, EINVAL, "-b names the BPF program %s twice", text);
	vec__push(&o->bpf_programs, id);
	return 0;
}

static int settle_bpf(struct stat_options *o, struct err *err)
{
	auto_text text = xstrdup(o->req.bpf_text ?: "");
	char *rest = text, *item;
	int rc = 0;

	if (o->req.bpf_text && !*text)
		return err__set(err, EINVAL,
				"-b needs numbers of BPF programs, as 'bpftool prog' "
				"shows them");
	while (!rc && o->req.bpf_text && (item = strsep(&rest, ",")))
		rc = add_program(o, item, err);
	return rc;
}

static int settle_regions(struct stat_options *o, struct err *err)
{
	if (o->req.regions && !format__is(o->format.format, FORMAT_REGIONS))
		return err__set(err, EINVAL, "--regions: %s has no rows for regions; use -x or -j",
				format__name(o->format.format));
	/*
	 * With --regions only regions are counted: without this, a row with only the time would be
	 * printed.
	 */
	o->req.null |= o->req.regions;
	o->req.no_rows |= o->req.regions;
	return 0;
}

/*
 * Groups made as perf makes them share too few events for a joint estimate. The rows of a recording
 * do not have the turns of groups: a report scales by time, and so does the run that is recorded.
 */
static enum estimate_method default_estimate(const struct stat_options *o)
{
	return o->verb == STAT_PRINT && o->req.grouping == PLAN_BY_COUNTERS && !as_perf()
		       ? ESTIMATE_JOINT
		       : ESTIMATE_TIME;
}

static int settle_estimate(struct stat_options *o, struct err *err)
{
	const char *name = o->estimate_name;
	unsigned int method = ESTIMATE_TIME;
	bool one_run = request__is_one_run(&o->req);

	while (name && method < ESTIMATE_NR && strcmp(name, estimate__name(method)))
		method++;
	if (method == ESTIMATE_NR)
		return err__set(err, EINVAL,
				"--estimate: unknown value '%s'; use time or joint", name);
	if (method != ESTIMATE_TIME && !one_run)
		return err__set(
			err, EINVAL,
			"--estimate=%s needs events that the kernel lets take turns in one run: it "
			"cannot be combined with -r, --passes, --schedule=rotate, --bpf-counters, "
			"-b and --no-scale",
			name);
	o->req.estimate = name ? method : default_estimate(o);
	o->req.estimate_given = name;
	return 0;
}

static int settle_control(struct stat_options *o, struct err *err)
{
	return o->control_text ? control__open(&o->req.control, o->control_text, err) : 0;
}

/* Parse one end of --time: a number of seconds, or "" for no limit. */
static int parse_end(const char *text, uint64_t none, uint64_t *ns, struct err *err)
{
	double seconds;
	int rc;

	*ns = none;
	if (!*text)
		return 0;
	rc = num__parse_double("--time", text, &seconds, err);
	if (rc)
		return rc;
	if (seconds < 0 || seconds > TIME_MAX_S)
		return err__set(err, ERANGE, "--time: %s is not a time in seconds", text);
	*ns = seconds * NS_PER_S;
	return 0;
}

static int settle_time(struct stat_options *o, struct err *err)
{
	const char *comma = o->req.time_text ? strchr(o->req.time_text, ',') : NULL;
	char *from;
	int rc;

	if (!o->req.time_text)
		return 0;
	if (!comma || strchr(comma + 1, ','))
		return err__set(err, EINVAL, "--time: '%s' is not FROM,TO", o->req.time_text);
	from = xstrndup(o->req.time_text, comma - o->req.time_text);
	rc = parse_end(from, 0, &o->req.from_ns, err)
		     ?: parse_end(comma + 1, UINT64_MAX, &o->req.to_ns, err);
	free(from);
	if (!rc && o->req.from_ns >= o->req.to_ns)
		rc = err__set(err, EINVAL, "--time: %s: the range is empty", o->req.time_text);
	return rc;
}

static int settle_report(struct stat_options *o, int argc, const char **argv, struct err *err)
{
	int rc = settle_compat(o, err) ?: stat_options__check(o, err) ?: settle_literals(o, err)
		 ?: settle_time(o, err) ?: settle_estimate(o, err);

	o->inputs = argv;
	o->nr_inputs = argc;
	if (!rc && argc && o->input_name)
		rc = err__set(
			err, EINVAL,
			"-i %s and the argument '%s' are both files: name all files as arguments",
			o->input_name, argv[0]);
	rc = rc ?: stat_settle__choose_rows(o, err);
	if (!rc && o->global && o->req.rows_given)
		rc = err__set(err, EINVAL, "--global and %s cannot be combined",
			      row_kinds[o->req.aggr].option);
	o->req.rows_given |= o->global;
	/* A sampled value is of no use without its error. */
	o->req.error |= row_kind__is_site(o->req.aggr);
	return rc ?: settle_format(o, err);
}

static int settle_stat(struct stat_options *o, int argc, const char **argv, struct err *err)
{
	struct target *t = &o->req.target;
	int rc;

	t->argv = argc ? (char *const *)argv : NULL;
	o->req.by_bpf = o->req.bpf_text || o->bpf_counters;
	rc = settle_compat(o, err) ?: settle_schedule(o, err) ?: stat_options__check(o, err)
	     ?: settle_cpus(o, err) ?: target__check_tasks(t, err) ?:
	     settle_bpf(o, err);
	if (rc)
		return rc;
	o->req.frequency = o->frequency ?: o->req.frequency;
	o->no_target = !argc && !target__names_tasks(t) && !t->system_wide && !o->req.cpu_text &&
		       !o->req.bpf_text;
	/* BPF programs may run on any CPU, so all CPUs are counted. */
	t->system_wide |= o->no_target || o->req.bpf_text;
	rc = settle_latencies(o, err) ?: settle_grouping(o, err) ?: settle_estimate(o, err) ?:
	     settle_format(o, err) ?: settle_regions(o, err) ?: settle_control(o, err);
	if (rc)
		return rc;
	if (o->req.iostat && !format__is(o->format.format, FORMAT_PERFS))
		return err__set(
			err, EINVAL,
			"--iostat: %s has no rows of root ports; use text, csv or json-perf",
			format__name(o->format.format));
	o->req.metric_only |= o->req.iostat;
	t->system_wide |= o->req.iostat;
	if (o->req.smi_cost) {
		sb__puts(&o->metrics, "smi");
		o->req.metric_only |= !o->metric_only_set;
	}
	return stat_options__check_path(o, o->req.interval_ms, err) ?: settle_rows(o, err)
	       ?: check_stdout(o, err);
}

static void settle_recorder(struct stat_options *o)
{
	o->recorder = (struct recorder_options){
		.path = o->recorder.path,
		.version = "tma " TMA_VERSION,
		.argv = o->command_line,
		/*
		 * The recorded samples can be added up into rows of functions, objects or lines
		 * later.
		 */
		.aggr = row_kind__is_site(o->req.aggr) ? AGGR_GLOBAL : o->req.aggr,
		.cache_level = o->req.cache_level,
		.interval_ms = o->req.interval_ms,
		.scale = o->req.scale,
		.latency_mode = o->req.latency.mode,
	};
	o->req.recorder = o->verb == STAT_RECORD ? &o->recorder : NULL;
}

/* Return: the width of the terminal that rows go to; 0 for a file or pipe. */
static int columns_of(const struct stat_options *o)
{
	int fd = o->log_fd ? (int)o->log_fd : o->to_stdout ? STDOUT_FILENO : STDERR_FILENO;

	return o->quiet || o->has_file ? 0 : terminal__width(fd);
}

/* Return: whether the first level of the tree is all that is printed. */
static bool is_first_level(const struct stat_options *o)
{
	bool of_code = row_kind__is_site(o->req.aggr) && !o->events.nr;

	return (o->req.topdown || of_code) && !o->req.bottlenecks && o->req.td_level <= 1 &&
	       !o->metrics.len;
}

/* Return: roughly how many columns of a row precede its values: the time and the label. */
static int row_columns(const struct request *r)
{
	int label = row_kinds[r->aggr].width;

	return (r->interval_ms ? INTERVAL_COLUMNS : 1) + (label ? label + CPUS_COLUMNS : 0);
}

void stat_options__finish(struct stat_options *o)
{
	struct request *r = &o->req;
	int columns = columns_of(o);

	r->events = o->events.at;
	r->nr_events = o->events.nr;
	r->metrics = sb__str(&o->metrics);
	r->cgroup_names = o->cgroup_names.len ? sb__str(&o->cgroup_names) : NULL;
	r->bpf_programs = o->bpf_programs.at;
	r->nr_bpf_programs = o->bpf_programs.nr;
	r->literals = &o->literals;
	r->perf = as_perf();
	/*
	 * The search for a function's bottleneck starts at the first level, so it must be counted.
	 */
	r->levels_above = format__is(o->format.format, FORMAT_LEVELS) ||
			  row_kind__is_site(o->req.aggr);
	r->notes = stat_notes__choose(o);
	o->format.metric_only = false;
	r->wants_without = writer__wants(&o->format);
	o->format.metric_only = r->metric_only;
	/*
	 * A table that is wider than the terminal is wrapped within numbers, and a table of
	 * hundreds of columns in a file is unreadable: such tables are printed as a tree, with a
	 * line for each metric. A table of the first level in a file is never too wide, so the
	 * values that only a tree has are not computed.
	 */
	if (r->metric_only && !o->format_name && format__is(o->format.format, FORMAT_TEXT) &&
	    (columns || (!as_perf() && !is_first_level(o)))) {
		o->format.narrow = format__find("tree");
		r->table_most = as_perf() ? 0 : (columns ? columns : TABLE_MOST) - row_columns(r);
	}
	r->wants = writer__wants(&o->format);
	stat_again__init(&o->again, o);
	r->again = sb__str(&o->again.again);
	r->read = sb__str(&o->again.read);
	r->program = sb__str(&o->again.program);
}

int stat_options__settle(struct stat_options *o, int argc, const char **argv, struct err *err)
{
	bool tree;
	int rc;

	/* A verdict is made from the TopDown tree, so it implies --topdown. */
	if (o->req.verdict && !o->events.nr && !o->metrics.len && !o->req.null && !o->req.smi_cost)
		o->req.topdown = true;
	/* Rows of code have the tree, unless other options choose something else. */
	if ((o->by[AGGR_FUNCTION] || o->by[AGGR_OBJECT]) && o->req.td_level && !o->events.nr &&
	    !o->metrics.len)
		o->req.topdown = true;
	rc = o->verb == STAT_REPORT ? settle_report(o, argc, argv, err)
				    : settle_stat(o, argc, argv, err);
	if (rc)
		return rc;
	/* --topdown and trees print only metrics, unless the user says otherwise. */
	tree = format__is(o->format.format, FORMAT_LEVELS) && o->metrics.len && !o->events.nr;
	o->req.metric_only |= (o->req.topdown || tree) && !o->metric_only_set;
	leave_thresholds_out(o);
	settle_recorder(o);
	stat_options__finish(o);
	return 0;
}
