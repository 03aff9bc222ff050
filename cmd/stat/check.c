// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which options of "tma stat" exclude each other or need another option: a line and a message each.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/text.h"
#include "cmd.h"
#include "stat.h"

/* Options that cannot be combined, and the message. */
struct contradiction {
	bool both;
	const char *why;
};

static int stat_check__refuse(const struct contradiction *list, size_t nr, struct err *err)
{
	for (size_t i = 0; i < nr; i++)
		if (list[i].both)
			return err__set(err, EINVAL, "%s", list[i].why);
	return 0;
}

/* Check the options that ask for errors of values. */
static int check_errors(const struct stat_options *o, struct err *err)
{
	const struct contradiction list[] = {
		{o->req.repeat != 1 && o->req.error,
		 "-r and --error cannot be combined: -r itself prints how much runs differ"},
		{o->req.error && !o->req.scale,
		 "--no-scale and --error cannot be combined: a raw count is not an estimate"},
		{o->verb == STAT_REPORT && o->req.error,
		 "--error needs reads within the rows, which a recording does not have"},
		{o->req.error && (o->req.passes || o->req.rotate),
		 "--error applies to events that the kernel multiplexes: it cannot be combined "
		 "with --passes or --schedule=rotate"},
		{o->req.repeat != 1 && o->req.verdict,
		 "-r and --verdict cannot be combined: --passes runs a command several times for "
		 "one verdict"},
		{o->req.verdict && !o->req.scale,
		 "--no-scale and --verdict cannot be combined: metrics of raw counts are not "
		 "shares"},
	};

	return stat_check__refuse(list, sizeof(list) / sizeof(*list), err);
}

/* Check the options that let BPF programs read events. */
static int check_bpf(const struct stat_options *o, struct err *err)
{
	const struct target *t = &o->req.target;
	const struct contradiction list[] = {
		{o->req.bpf_text && o->bpf_counters,
		 "-b and --bpf-counters cannot be combined: only counters of tasks and CPUs are "
		 "shared"},
		{o->req.bpf_text && (t->system_wide || o->req.cpu_text || target__names_tasks(t)),
		 "-b counts on any CPU where a BPF program runs: it cannot be combined with -a, "
		 "-C, -p or -t"},
		{o->req.bpf_text && o->by[AGGR_THREAD],
		 "-b counts BPF programs, not threads: it cannot be combined with --per-thread"},
		{o->req.by_bpf && (o->cgroup_names.len || o->req.each_cgroup),
		 "BPF programs distinguish tasks and CPUs, but not cgroups: -b and --bpf-counters "
		 "cannot be combined with -G or --for-each-cgroup"},
		{o->req.by_bpf && o->req.rotate,
		 "BPF programs count all events all the time: -b and --bpf-counters cannot be "
		 "combined with --schedule=rotate"},
		{o->req.by_bpf && o->req.error,
		 "BPF programs do not tell when events took turns: -b and --bpf-counters cannot be "
		 "combined with --error"},
		{o->req.by_bpf && o->req.record_tpebs,
		 "BPF programs sample nothing: -b and --bpf-counters cannot be combined with "
		 "--record-tpebs"},
		{o->req.by_bpf && o->req.null,
		 "-n counts nothing, and -b and --bpf-counters say how to count"},
	};

	return stat_check__refuse(list, sizeof(list) / sizeof(*list), err);
}

/* Check --regions: the program reads the counters, and tma does not. */
static int check_regions(const struct stat_options *o, struct err *err)
{
	const struct target *t = &o->req.target;
	const struct contradiction list[] = {
		{!o->req.target.argv,
		 "--regions needs a program that measures itself: name one after the options"},
		{o->events.nr || o->metrics.len || o->req.topdown || o->req.null ||
			 o->req.smi_cost || o->req.detailed || o->req.record_tpebs ||
			 o->req.verdict,
		 "--regions prints only what the program counts: it cannot be combined with -e, "
		 "-M, -d, -n, --topdown, --verdict or --smi-cost"},
		{t->system_wide || o->req.cpu_text || target__names_tasks(t),
		 "--regions is for threads of a program: it cannot be combined with -a, -C, -p or "
		 "-t"},
		{o->req.interval_ms || o->req.timeout_ms || o->req.delay_ms || o->control_text,
		 "--regions prints totals of a whole run: it cannot be combined with -I, "
		 "--timeout, -D or --control"},
		{o->req.by_bpf,
		 "--regions prints what the program reads itself: it cannot be combined "
		 "with -b or --bpf-counters"},
		{o->req.repeat != 1 || o->req.passes || o->req.rotate || o->dry_run,
		 "--regions is for a single run: it cannot be combined with -r, --passes or "
		 "--schedule=rotate, nor planned (--dry-run, tma plan)"},
		{o->verb != STAT_PRINT, "--regions cannot be recorded"},
	};

	return o->req.regions ? stat_check__refuse(list, sizeof(list) / sizeof(*list), err) : 0;
}

/* Check rows of code. They are made of samples, which earlier runs and BPF programs do not have. */
static int check_code_rows(const struct stat_options *o, struct err *err)
{
	bool rows = o->by[AGGR_FUNCTION] || o->by[AGGR_OBJECT] || o->by[AGGR_LINE];
	const struct contradiction list[] = {
		{rows && (o->req.repeat != 1 || o->req.passes || o->req.rotate),
		 "--per-function and the like sample one run: they cannot be combined with -r, "
		 "--passes or --schedule=rotate"},
		{rows && (o->req.by_bpf || o->req.iostat || o->req.regions || o->req.smi_cost ||
			  o->req.null || o->req.hybrid_merge || o->req.each_cgroup),
		 "--per-function and the like cannot be combined with -b, --bpf-counters, --iostat, "
		 "--regions, --smi-cost, -n, --hybrid-merge or --for-each-cgroup"},
		{o->by[AGGR_LINE] && (o->metrics.len || o->req.topdown),
		 "--per-line samples precise events (-e EVENT:P), which do not suffice for "
		 "metrics: use --per-function for these"},
		{rows && o->req.verdict,
		 "--verdict judges the whole run: with --per-function and the like, each row has "
		 "its bottleneck"},
		{o->frequency && o->verb == STAT_REPORT,
		 "-F is for tma stat and tma stat record: a recording has its samples"},
		{o->frequency && !rows,
		 "-F is for rows of code: add --per-function, --per-object or --per-line"},
		{rows && !o->req.scale,
		 "--no-scale and --per-function cannot be combined: samples are estimates"},
	};

	return stat_check__refuse(list, sizeof(list) / sizeof(*list), err);
}

/* Check where rows, recordings and the output of commands are written. */
static int check_streams(const struct stat_options *o, struct err *err)
{
	const struct contradiction list[] = {
		{o->recorder.path && !strcmp(o->recorder.path, "-") && isatty(STDOUT_FILENO),
		 "a recording cannot be written to a terminal: use -o FILE, or a pipe"},
		{o->req.command_output && !o->req.target.argv && !o->req.pre && !o->req.post,
		 "--command-output needs a command"},
		{o->req.command_output && !*o->req.command_output,
		 "--command-output needs stderr, null or the name of a file"},
		{o->req.command_output && o->output_name &&
			 file__is_same(o->output_name, o->req.command_output),
		 "-o and --command-output name the same file"},
		{text__same(o->control_text, "auto") && !o->req.target.argv,
		 "--control auto is for a command, which finds the descriptors in its environment"},
		{o->format.clear && !o->req.interval_ms, "--interval-clear needs -I"},
		{o->format.clear && (o->output_name || o->log_fd),
		 "--interval-clear is for a terminal: it cannot be combined with -o or --log-fd"},
	};

	return stat_check__refuse(list, sizeof(list) / sizeof(*list), err);
}

/* Check --iostat, which chooses what is counted, where it is counted, and what a row covers. */
static int check_iostat(const struct stat_options *o, struct err *err)
{
	bool task = target__names_tasks(&o->req.target);
	const struct contradiction list[] = {
		{o->req.iostat &&
			 (o->events.nr || o->metrics.len || o->req.topdown || o->req.smi_cost ||
			  o->req.null || o->req.detailed || o->req.verdict),
		 "--iostat chooses its own events: it cannot be combined with -e, -M, --topdown "
		 "and the like"},
		{o->req.iostat &&
			 (task || o->req.cpu_text || o->cgroup_names.len || o->req.each_cgroup),
		 "--iostat counts all traffic of root ports: it cannot be combined with -p, -t, -C "
		 "and cgroups"},
		{o->req.iostat && o->verb == STAT_RECORD,
		 "--iostat: a recording does not have the root ports of events"},
		{o->req.iostat && (o->req.repeat != 1 || o->req.passes || o->req.rotate),
		 "--iostat counts all root ports in one run: it cannot be combined with -r, "
		 "--passes and --schedule=rotate"},
	};

	return stat_check__refuse(list, sizeof(list) / sizeof(*list), err);
}

/* Check the options that count events in several runs, or in turns. */
static int check_sets(const struct stat_options *o, struct err *err)
{
	bool task = target__names_tasks(&o->req.target);
	const struct contradiction list[] = {
		{o->req.passes && !o->req.target.argv,
		 "--passes needs a command to run several times: name one after the options (with "
		 "-a, for example sleep 10), or use --schedule=rotate"},
		{o->req.passes && task,
		 "--passes runs a command several times, which -p and -t do not "
		 "count: remove them, or use --schedule=rotate"},
		{o->req.passes && o->req.interval_ms,
		 "--passes and -I cannot be combined: the same interval of two runs is not the "
		 "same time (--schedule=rotate counts all groups in each interval)"},
		{o->req.passes && o->verb == STAT_RECORD,
		 "a recording holds a single run: --passes cannot be recorded"},
		{o->req.passes && o->req.rotate,
		 "--passes and --schedule=rotate cannot be combined: count "
		 "in several runs, or in turns in one"},
		{o->req.passes && o->control_text,
		 "--passes and --control cannot be combined: commands are for a single run"},
		{o->req.rotate && o->control_text,
		 "--schedule=rotate and --control cannot be "
		 "combined: tma itself enables the events in turn"},
		{o->req.rotate && (o->cgroup_names.len || o->req.each_cgroup),
		 "--schedule=rotate counts whole CPUs and tasks: it cannot be combined with -G or "
		 "--for-each-cgroup"},
	};

	return stat_check__refuse(list, sizeof(list) / sizeof(*list), err);
}

/* Check --probe, which counts each event of -e separately, and prints no rows. */
static int check_probe(const struct stat_options *o, struct err *err)
{
	const struct request *r = &o->req;
	const struct contradiction list[] = {
		{!o->events.nr, "--probe tries the events of -e: add -e"},
		{o->metrics.len || r->topdown || r->metric_only || r->detailed || r->verdict ||
			 r->iostat || r->regions,
		 "--probe tries only the events of -e: remove -M, --topdown, -d, --verdict, "
		 "--metric-only, --iostat and --regions"},
		{o->verb != STAT_PRINT || o->dry_run || r->passes || r->rotate || o->control_text,
		 "--probe counts each event for a moment: it cannot be recorded or planned, nor "
		 "combined with --passes, --schedule=rotate and --control"},
		{o->append || o->log_fd,
		 "--probe writes to standard output or the file of -o: remove --append and "
		 "--log-fd"},
		{o->format.separator || (o->format_name && strcmp(o->format_name, "text")),
		 "--probe prints text, or JSON with -j: remove -x and --format"},
	};

	return o->probe ? stat_check__refuse(list, sizeof(list) / sizeof(*list), err) : 0;
}

int stat_options__check(const struct stat_options *o, struct err *err)
{
	const struct target *t = &o->req.target;
	bool task = target__names_tasks(t), cpus = t->system_wide || o->req.cpu_text;
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
		{o->append && !o->output_name && !o->log_fd, "--append needs -o FILE"},
		{o->append && o->dry_run,
		 "a plan (--dry-run, tma plan) cannot be appended to a file: remove --append"},
		{o->req.interval_count && !o->req.interval_ms, "--interval-count needs -I"},
		{o->req.timeout_ms && o->req.interval_ms,
		 "--timeout and -I cannot be combined: --interval-count ends a run with -I"},
		{o->cgroup_names.len && o->req.each_cgroup,
		 "-G and --for-each-cgroup cannot be combined"},
		{(o->cgroup_names.len || o->req.each_cgroup) && !cpus,
		 "-G and --for-each-cgroup count on CPUs: add -a or -C"},
		{o->req.hybrid_merge && o->by[AGGR_NONE],
		 "--hybrid-merge adds up what -A keeps apart: use one of them"},
		{o->req.smi_cost && (o->events.nr || o->req.topdown),
		 "--smi-cost chooses its own events: it cannot be combined with -e or --topdown"},
		{o->req.percore_threads && !o->by[AGGR_NONE], "--percore-show-thread needs -A"},
		{o->req.td_level && !o->req.topdown, "--td-level needs --topdown"},
		{o->req.verdict && o->req.bottlenecks,
		 "--verdict judges the tree, and --topdown=bottlenecks is another view: use one of "
		 "them"},
		{o->req.td_level && o->req.bottlenecks,
		 "--td-level and --topdown=bottlenecks cannot be combined: that view has no levels"},
		{o->req.repeat != 1 && o->verb == STAT_RECORD,
		 "a recording holds a single run: -r cannot be recorded"},
		{o->req.null && o->verb == STAT_RECORD, "-n counts nothing to record"},
		{o->req.repeat != 1 && !o->req.target.argv, "-r needs a command to repeat"},
		{o->req.repeat != 1 && o->req.interval_ms, "-r and -I cannot be combined"},
		{o->req.repeat != 1 && o->by[AGGR_THREAD],
		 "-r and --per-thread cannot be combined"},
		{o->req.repeat != 1 && o->req.metric_only,
		 "-r and --metric-only cannot be combined: metrics have no spread"},
		{o->format.run_table && o->req.repeat < 2 && !o->req.passes,
		 "--table needs -r with more than one run, or --passes"},
		{o->req.turn_ms && !o->req.rotate, "--schedule-ms needs --schedule=rotate"},
		{o->req.pmu_filter && o->req.cputype,
		 "--pmu-filter and --cputype cannot be combined"},
		{o->req.null &&
			 (o->events.nr || o->metrics.len || o->req.topdown || o->req.smi_cost),
		 "-n counts nothing, and -e, -M, --topdown and --smi-cost say what to count"},
		{o->req.null && o->req.detailed && !as_perf(),
		 "-n counts nothing, and -d adds to what is counted: remove one of them"},
		{o->req.null && o->req.verdict, "-n counts nothing to base a verdict on"},
		{o->req.null && o->req.interval_ms && !as_perf(),
		 "-n counts nothing, so -I has no rows: remove one of them"},
		{o->req.all_user && o->req.all_kernel,
		 "--all-user and --all-kernel cannot be combined"},
		{o->req.latency.frequency && o->req.latency.period,
		 "--tpebs-frequency and --tpebs-period cannot be combined: use one of them"},
	};

	return stat_check__refuse(list, sizeof(list) / sizeof(*list), err) ?: check_sets(o, err)
	       ?: check_code_rows(o, err) ?: check_streams(o, err) ?: check_errors(o, err)
	       ?: check_bpf(o, err)
	       ?: check_regions(o, err) ?: check_iostat(o, err)
	       ?: check_probe(o, err);
}

int stat_options__check_format(const struct stat_options *o, const struct format *f,
			       struct err *err)
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

		{state && o->req.summary,
		 "--format=prom counts since the start anyway: remove --summary"},
		{state && o->req.repeat != 1,
		 "-r and --format=prom cannot be combined: a counter has no mean"},
	};

	return stat_check__refuse(list, sizeof(list) / sizeof(*list), err);
}
