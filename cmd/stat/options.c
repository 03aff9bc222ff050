// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options of "tma stat" and "tma plan"; the ranges of numbers are checked here. settle.c
 * settles what follows from them.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "base/err.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "colour.h"
#include "options.h"
#include "run/metric_names.h"
#include "stat/stat.h"

/* An option whose value is a number: its name in messages, and its range. */
struct number_option {
	const char *what;
	uint64_t min, max;
};

static const struct number_option
	number_interval = {"-I (interval, in ms)", 1, UINT_MAX},
	number_interval_count = {"--interval-count", 1, INT_MAX},
	number_timeout = {"--timeout (in ms)", 10, UINT_MAX},
	number_td_level = {"--td-level", 0, INT_MAX},
	number_repeat = {"-r (runs; 0: for ever)", 0, INT_MAX},
	number_tpebs_frequency = {"--tpebs-frequency (samples a second)", 1, INT_MAX},
	number_tpebs_period = {"--tpebs-period (events between samples)", 1, INT64_MAX},
	number_turn = {"--schedule-ms (turn of a set, in ms)", 1, 3600000},
	number_regions = {"--regions (of all threads)", 1, 1000000},
	number_min_running = {"--min-running (percent of the time)", 1, 100},
	number_frequency = {"-F (samples in a second)", 1, 100000},
	number_log_fd = {"--log-fd", 1, INT_MAX},
	number_cache = {"--per-cache (level L1 to L4)", 1, 4};

/* Parse a number. With --no-OPTION the number is 0. */
static int parse_as(const struct number_option *number, const char *arg, int unset, uint64_t *out)
{
	struct err err = ERR_INIT;
	int rc;

	*out = 0;
	rc = unset ? 0 : num__parse_u64(number->what, arg, number->min, number->max, out, &err);
	return rc ? say_err(&err) : 0;
}

static int stat_options__parse_number(const struct option *opt, const char *arg, int unset)
{
	return parse_as((const struct number_option *)opt->defval, arg, unset, opt->value);
}

static int set_repeat(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	o->req.repeat = 1;
	return unset ? 0 : parse_as(&number_repeat, arg, unset, &o->req.repeat);
}

static int set_td_level(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	if (unset || strcmp(arg, "max"))
		return parse_as(&number_td_level, arg, unset, &o->req.td_level);
	o->req.td_level = TD_LEVEL_MAX;
	return 0;
}

static int set_regions(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	o->req.regions = !unset;
	return arg ? parse_as(&number_regions, arg, unset, &o->req.regions_capacity) : 0;
}

static int set_iostat(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	o->req.iostat = !unset;
	o->req.iostat_ports = arg && strcmp(arg, "default") ? arg : NULL;
	return 0;
}

static int stat_options__add_event(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	(void)unset; /* PARSE_OPT_NONEG */
	vec__push(&o->events, ((struct request_event){ .text = arg }));
	return 0;
}

static int add_pfm_event(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	(void)unset; /* PARSE_OPT_NONEG */
	vec__push(&o->events, ((struct request_event){.text = arg, .pfm = true}));
	return 0;
}

static int set_filter(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	(void)unset; /* PARSE_OPT_NONEG */
	if (!o->events.nr) {
		say("--filter applies to the tracepoint of the last -e: put it after an -e");
		return -1;
	}
	o->events.at[o->events.nr - 1].filter = arg;
	return 0;
}

static int add_metrics(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;
	struct err err = ERR_INIT;

	(void)unset; /* PARSE_OPT_NONEG */
	if (!*arg)
		err__set(&err, EINVAL, "-M needs the names of metrics or metric groups");
	else if (!metric_names__add(&o->metrics, host_asked(), arg, &err))
		return 0;
	say_err(&err);
	return -1;
}

static int add_cgroups(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	(void)unset; /* PARSE_OPT_NONEG */
	if (!o->events.nr) {
		say("-G applies to the events of the last -e: put it after an -e; for metrics and "
		    "--topdown use --for-each-cgroup");
		return -1;
	}
	sb__printf(&o->cgroup_names, "%s%s", o->cgroup_names.len ? "," : "", arg);
	return 0;
}

/* -T: it means the same as -M transaction. */
static int add_transaction(const struct option *opt, const char *arg, int unset)
{
	(void)arg;
	return add_metrics(opt, "transaction", unset);
}

static int set_delay(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;
	struct err err = ERR_INIT;

	o->req.delay_ms = 0;
	if (unset || !num__parse_i64("-D (delay, in ms; -1: until it is enabled)", arg, -1,
				     INT_MAX, &o->req.delay_ms, &err))
		return 0;
	return say_err(&err);
}

static int set_literal(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;
	struct err err = ERR_INIT;

	(void)unset; /* PARSE_OPT_NONEG */
	if (!literals__set(&o->literals, arg, &err))
		return 0;
	say_err(&err);
	return -1;
}

static int set_header(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	o->header_set = true;
	o->format.header = !unset;
	o->format.full_header = arg && !strcmp(arg, "full");
	if (!arg || o->format.full_header || !strcmp(arg, "short"))
		return 0;
	say("--header: unknown value '%s'; use short or full", arg);
	return -1;
}

/* Set --per-cache: @arg is "L3" or "l3", or NULL, which means the last level. */
static int set_cache(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;
	uint64_t level = 0;
	int rc = 0;

	if (arg && (*arg == 'L' || *arg == 'l'))
		arg++;
	if (arg)
		rc = parse_as(&number_cache, arg, unset, &level);
	o->by[AGGR_CACHE] = !unset;
	o->req.cache_level = level;
	return rc;
}

static const char *const usages[][4] = {
	[STAT_PRINT] =
		{
			"tma stat [<options>] [<command>]",
			"tma stat record [-o <file>] [<options>] [<command>]",
			"tma stat report [<options>] [<file>...]",
		},
	[STAT_REPORT] = {"tma stat report [<options>] [<file>...]"},
	[STAT_PLAN] = {"tma plan [<options>] [<command>]"},
};

#define OPT_NUMBER(s, l, id, v, a, h)                                                    \
	{                                                                                \
		.type = OPTION_CALLBACK, .short_name = s, .long_name = l,                \
		.value = check_vtype(v, uint64_t *), .argh = a, .help = h,               \
		.callback = stat_options__parse_number, .defval = (intptr_t)&number_##id \
	}
#define OPT_SET(s, l, a, h, set, f)                                                       \
	{                                                                                 \
		.type = OPTION_CALLBACK, .short_name = s, .long_name = l, .value = o,     \
		.argh = a, .help = h, .callback = set, .flags = f                         \
	}
#define OPT_ADD(s, l, a, h, add) OPT_SET(s, l, a, h, add, PARSE_OPT_NONEG)

/* The table of all options. It is made from sections; the last section ends it with OPT_END(). */
struct option_table {
	struct option at[128];
	int nr;
};

static void add_options(struct option_table *table, const struct option *options, int nr)
{
	for (int i = 0; i < nr; i++)
		table->at[table->nr++] = options[i];
}

/* Set by options that have no effect; they are accepted so that scripts work. */
static bool ignored;

/* Define a section of the table. Most sections have a heading in the help. */
#define SECTION(name, ...)                                                                \
	static void name(struct stat_options *o, struct option_table *table)              \
	{                                                                                 \
		const struct option options[] = { __VA_ARGS__ };                          \
											  \
		add_options(table, options, sizeof(options) / sizeof(*options));          \
	}

SECTION(what_options, OPT_GROUP("What is counted"),
	OPT_ADD('e', "event", "event", "events to count, in groups {a,b} ('tma list' shows them)",
		stat_options__add_event),
	OPT_ADD(0, "filter", "filter", "count the tracepoint of the last -e only if this is true",
		set_filter),
	OPT_ADD(0, "pfm-events", "event", "events by their names in libpfm4", add_pfm_event),
	OPT_INCR('d', "detailed", &o->req.detailed,
		 "also caches: first and last level; -dd: TLBs; -ddd: prefetches"),
	OPT_BOOLEAN('n', "null", &o->req.null, "count nothing: only time the command"),
	OPT_SET('T', "transaction", NULL, "metrics of hardware transactions (-M transaction)",
		add_transaction, PARSE_OPT_NOARG | PARSE_OPT_NONEG),
	OPT_SET(0, "regions", "n",
		"print what the program measures with libtma-topdown (room for n)", set_regions,
		PARSE_OPT_OPTARG),
	OPT_BOOLEAN(0, "smi-cost", &o->req.smi_cost, "cycles lost to system management interrupts"),
	OPT_SET(0, "iostat", "list|default|ports",
		"MB through each PCIe root port, or the given ones (0000:3d); list: list the ports",
		set_iostat, PARSE_OPT_OPTARG),
	OPT_BOOLEAN(0, "all-user", &o->req.all_user, "count every event in user space only"),
	OPT_BOOLEAN(0, "all-kernel", &o->req.all_kernel, "count every event in the kernel only"),
	OPT_STRING(0, "pmu-filter", &o->req.pmu_filter, "pmu",
		   "if a name matches several PMUs, use only this one"),
	OPT_STRING(0, "cputype", &o->req.cputype, "core|atom",
		   "on a hybrid machine, only the core PMU of this type"))

SECTION(metric_options,
	OPT_GROUP("What is computed"),
	OPT_ADD('M', "metrics", "metric/metric group list",
		"metrics or metric groups, separated by ,; or 'name = expression'",
		add_metrics),
	OPT_METRICS_FILE(),
	OPT_TABLES(),
	OPT_SET(0, "topdown", "bottlenecks", "TopDown metrics of this CPU, or Intel's bottlenecks",
		stat_options__set_topdown, PARSE_OPT_OPTARG),
	OPT_SET(0, "td-level", "level", "depth of --topdown (0: level 1), or max", set_td_level,
		0))

SECTION(latency_options, OPT_GROUP("What is sampled: retire latencies (EVENT:R)"),
	OPT_BOOLEAN(0, "record-tpebs", &o->req.record_tpebs,
		    "sample the latencies that metrics use (else: the tables' values)"),
	OPT_STRING(0, "tpebs-mode", &o->tpebs_mode, "mean|min|max|last|p50|p95",
		   "which latency represents a row (default: mean)"),
	OPT_NUMBER(0, "tpebs-frequency", tpebs_frequency, &o->req.latency.frequency, "hz",
		   "samples per second and event (default: at most 1 % of a CPU's time)"),
	OPT_NUMBER(0, "tpebs-period", tpebs_period, &o->req.latency.period, "n",
		   "instead, one sample every n events"))

SECTION(where_options, OPT_GROUP("Where"),
	OPT_BOOLEAN('a', "all-cpus", &o->req.target.system_wide, "count on all CPUs"),
	OPT_STRING('C', "cpu", &o->req.cpu_text, "cpu", "count on these CPUs (0-3,8)"),
	OPT_STRING('p', "pid", &o->req.target.pids, "pid", "count these processes"),
	OPT_STRING('t', "tid", &o->req.target.tids, "tid", "count these threads"),
	OPT_ADD('G', "cgroup", "cgroup", "count in one cgroup for all events, or in one for each",
		add_cgroups),
	OPT_STRING(0, "for-each-cgroup", &o->req.each_cgroup, "cgroup",
		   "count everything in each of these cgroups (names or patterns)"),
	OPT_BOOLEAN('i', "no-inherit", &o->req.no_inherit, "do not count child tasks"),
	OPT_STRING('b', "bpf-prog", &o->req.bpf_text, "number,...",
		   "count while these BPF programs run ('bpftool prog' shows them)"),
	OPT_BOOLEAN(0, "bpf-counters", &o->bpf_counters,
		    "share counters with other tma and perf, by BPF programs"),
	OPT_STRING(0, "bpf-attr-map", &o->req.bpf_attr_map, "file",
		   "pinned map of shared counters (default: /sys/fs/bpf/perf_attr_map)"))

SECTION(when_options, OPT_GROUP("When"),
	OPT_NUMBER('I', "interval-print", interval, &o->req.interval_ms, "ms",
		   "print a row every MS milliseconds"),
	OPT_NUMBER(0, "interval-count", interval_count, &o->req.interval_count, "n",
		   "stop after n intervals"),
	OPT_NUMBER(0, "timeout", timeout, &o->req.timeout_ms, "ms",
		   "stop after MS milliseconds (>= 10)"),
	OPT_SET('D', "delay", "ms",
		"start counting after MS milliseconds (-1: when --control says so)", set_delay, 0),
	OPT_STRING(0, "control", &o->control_text, "fd:N[,ACK], fifo:PATH[,ACK] or auto",
		   "read commands (enable, disable, stop ...) from there"),
	OPT_SET('r', "repeat", "n",
		"run the command n times, print the mean and the spread (0: for ever)", set_repeat,
		0),
	OPT_BOOLEAN(0, "table", &o->format.run_table,
		    "with -r and --passes: print the time of each run"),
	OPT_BOOLEAN('S', "sync", &o->req.sync, "sync(2) before a run"),
	OPT_STRING(0, "pre", &o->req.pre, "command", "shell command to run before each run"),
	OPT_STRING(0, "post", &o->req.post, "command", "shell command to run after each run"),
	OPT_STRING(0, "command-output", &o->req.command_output, "stderr|null|file",
		   "where the standard output of the command goes"))

SECTION(how_options, OPT_GROUP("How it is grouped and scaled"),
	OPT_BOOLEAN(0, "metric-no-group", &o->req.no_group, "do not group the events of a metric"),
	OPT_BOOLEAN(0, "metric-no-merge", &o->req.no_merge, "do not share events between metrics"),
	OPT_BOOLEAN(0, "metric-no-threshold", &o->req.no_threshold,
		    "do not count events that only a threshold needs"),
	OPT_STRING(0, "grouping", &o->grouping_name, "counters|perf",
		   "group events of metrics to fit the counters, or as perf does"),
	OPT_BOOLEAN(0, "passes", &o->req.passes,
		    "avoid multiplexing: run the command once for each set of groups"),
	OPT_STRING(0, "schedule", &o->schedule_name, "kernel|rotate",
		   "who multiplexes groups: the kernel, or tma by sets of groups"),
	OPT_NUMBER(0, "schedule-ms", turn, &o->req.turn_ms, "ms",
		   "with --schedule=rotate: length of a turn"))

/* These options follow under the same heading, but the help of tma plan omits them. */
SECTION(scale_options,
	OPT_BOOLEAN(0, "scale", &o->req.scale,
		    "scale counts of multiplexed events (default; --no-scale: raw)"),
	OPT_STRING(0, "estimate", &o->estimate_name, "time|joint",
		   "how metrics of multiplexed events are estimated"),
	OPT_BOOLEAN(0, "dry-run", &o->dry_run,
		    "count nothing: show the groups, their counters and share of time"),
	OPT_BOOLEAN(0, "probe", &o->probe, "tell which events of -e can be counted here"))

SECTION(cpu_row_options, OPT_GROUP("What a row stands for"),
	OPT_BOOLEAN(0, "no-merge", &o->by[AGGR_NONE], "the same as -A"),
	OPT_BOOLEAN(0, "hybrid-merge", &o->req.hybrid_merge,
		    "add up the counts of all core types, for events of the same name"),
	OPT_BOOLEAN('A', "no-aggr", &o->by[AGGR_NONE], row_kinds[AGGR_NONE].help),
	OPT_NUMBER('F', "frequency", frequency, &o->frequency, "hz", "with --per-function: samples"),
	OPT_BOOLEAN(0, "percore-show-thread", &o->req.percore_threads,
		    "with -A: percore events for each thread"))

static void row_options(struct stat_options *o, struct option_table *table)
{
	cpu_row_options(o, table);
	for (enum grid_aggr aggr = AGGR_NR - 1; aggr > AGGR_NONE; aggr--) {
		const char *name = row_kinds[aggr].option + strlen("--");
		const char *help = row_kinds[aggr].help;
		const struct option plain = OPT_BOOLEAN(0, name, &o->by[aggr], help);
		const struct option cache =
			OPT_SET(0, name, "L1-L4", help, set_cache, PARSE_OPT_OPTARG);

		add_options(table, aggr == AGGR_CACHE ? &cache : &plain, 1);
	}
}

SECTION(output_options, OPT_GROUP("How it is printed"),
	OPT_BOOLEAN('j', "json-output", &o->json, "JSON, one object for each row"),
	OPT_STRING('o', "output", &o->output_name, "file", "write to a file"),
	OPT_INCR('v', "verbose", &o->verbose, "print more detail on standard error"))

/* Make the text "text, csv or json (see tma-formats(5))" at the first call. */
static const char *format_help(void)
{
	static struct sb text = SB_INIT;

	if (text.len)
		return text.buf;
	for (int i = 0; format__at(i); i++) {
		if (i)
			sb__puts(&text, format__at(i + 1) ? ", " : " or ");
		sb__puts(&text, format__name(format__at(i)));
	}
	sb__puts(&text, " (see tma-formats(5))");
	return text.buf;
}

SECTION(format_options,
	OPT_BOOLEAN_SET(0, "metric-only", &o->req.metric_only, &o->metric_only_set,
			"metrics only, one line for each row"),
	OPT_BOOLEAN(0, "error", &o->req.error,
		    "print the errors of multiplexed values (90 % confidence)"),
	OPT_NUMBER(0, "min-running", min_running, &o->req.min_running, "percent",
		   "drop events that were counted for less than this share of the time"),
	OPT_BOOLEAN(0, "verdict", &o->req.verdict,
		    "name the bottleneck at the end, and how certain it is"),
	OPT_STRING('x', "field-separator", &o->format.separator, "separator",
		   "CSV with this separator"),
	OPT_STRING(0, "format", &o->format_name, "format", format_help()),
	OPT_STRING(0, "compat", &o->compat, "6.12|7",
		   "perf version whose text, CSV and JSON are printed"),
	OPT_BOOLEAN(0, "hide-zero-events", &o->req.skip_idle, "leave out events with a count of 0"),
	OPT_BOOLEAN(0, "no-affinity", &ignored,
		    "accepted for scripts: tma never migrates to read counters"),
	OPT_COLOUR(&o->colour),
	OPT_BOOLEAN(0, "prom-ratios", &o->format.ratios,
		    "with --format=prom: also ratios of the TopDown tree"),
	OPT_BOOLEAN(0, "all", &o->format.unfold,
		    "with --format=tree: also show children of metrics under their thresholds"),
	OPT_SET(0, "header", "short|full",
		"print one header line in CSV; full: with units, in csv-wide", set_header,
		PARSE_OPT_OPTARG),
	OPT_BOOLEAN(0, "precise", &o->format.precise,
		    "with --format=csv-wide: all digits instead of 6"),
	OPT_BOOLEAN(0, "append", &o->append, "append to the file of -o"),
	OPT_NUMBER(0, "log-fd", log_fd, &o->log_fd, "fd", "write to an open descriptor"),
	OPT_BOOLEAN('B', "big-num", &o->format.big_num,
		    "thousands separators of the locale (default)"),
	OPT_BOOLEAN(0, "summary", &o->req.summary,
		    "with -I: also print the counts of the whole run at the end"),
	OPT_BOOLEAN(0, "no-csv-summary", &o->no_csv_summary,
		    "no field \"summary\" in those CSV rows"),
	OPT_BOOLEAN(0, "interval-clear", &o->format.clear,
		    "with -I: clear the screen before each row"),
	OPT_BOOLEAN(0, "quiet", &o->quiet, "print nothing (only the exit status)"),
	OPT_END())

/* Hide the options from @first on, and their headings, in the help. They are still accepted. */
static void hide_options(struct option_table *table, int first)
{
	int kept = first;

	for (int i = first; i < table->nr; i++) {
		if (table->at[i].type == OPTION_GROUP)
			continue;
		table->at[kept] = table->at[i];
		table->at[kept++].flags |= PARSE_OPT_HIDDEN;
	}
	table->nr = kept;
}

/* Options of tma stat report: it reads a file, and counts nothing. */
SECTION(file_options, OPT_GROUP("What is read"),
	OPT_STRING('i', "input", &o->input_name, "file",
		   "a recording, or output of -x or -j (-: standard input)"),
	OPT_STRING(0, "time", &o->req.time_text, "from,to",
		   "only rows that end in this range, in seconds since the start"),
	OPT_STRING(0, "cpuid", &o->cpuid, "model", "the CPU that was counted on: its id or model"),
	OPT_STRING(0, "smt", &o->smt_name, "on|off",
		   "whether SMT was on, if the file does not say"),
	OPT_STRING(0, "scope", &o->scope_name, "task|core",
		   "whether a task or whole cores were counted, if the file does not say"),
	OPT_ADD(0, "set", "#literal=number", "value of a constant in formulas (#slots=8)",
		set_literal),
	OPT_BOOLEAN(0, "global", &o->global, "one row for everything"))

#define SECTIONS_MAX 10
#define SHOWN_OF_PLAN 6 /* sections that the help of tma plan shows; the others are accepted too */

typedef void (*add_section)(struct stat_options *o, struct option_table *table);

static const add_section sections[][SECTIONS_MAX + 1] = {
	[STAT_PRINT] = {what_options, metric_options, latency_options, where_options, when_options,
			how_options, scale_options, row_options, output_options, format_options},
	[STAT_REPORT] = {file_options, metric_options, row_options, output_options, format_options},
	[STAT_PLAN] = {what_options, metric_options, latency_options, where_options, how_options,
		       output_options, when_options, scale_options, row_options, format_options},
};

static int parse_words(struct stat_options *o, enum stat_verb verb, int argc, const char **argv)
{
	struct option_table table = { .nr = 0 };
	int first_hidden = 0;

	for (int i = 0; sections[verb][i]; i++) {
		if (i == SHOWN_OF_PLAN)
			first_hidden = table.nr;
		sections[verb][i](o, &table);
	}
	if (verb == STAT_PLAN)
		hide_options(&table, first_hidden);
	argc = options__parse(argc, argv, table.at, usages[verb],
			      verb == STAT_REPORT ? 0 : PARSE_OPT_STOP_AT_NON_OPTION);
	o->dry_run |= verb == STAT_PLAN; /* even after --no-dry-run */
	return argc;
}

/* As in perf, three letters of "record" or "report" are enough. */
static bool is_verb(const char *text, const char *verb)
{
	return strlen(text) > 2 && text__has_prefix(verb, text);
}

int stat_options__walk(struct stat_options *o, const char *const *words, int nr, void *arg,
		       void (*found)(void *arg, const struct option *opt, const char *value,
				     bool unset))
{
	struct option_table table = {.nr = 0};
	int at;

	if (nr < 2 || strcmp(words[1], "stat"))
		return 0;
	for (int i = 0; sections[STAT_PRINT][i]; i++)
		sections[STAT_PRINT][i](o, &table);
	/* Options may be before the word "record" and after it. */
	at = 1 + options__walk(nr - 1, words + 1, table.at, found, arg);
	if (at < nr && is_verb(words[at], "record"))
		at += options__walk(nr - at, words + at, table.at, found, arg);
	return at;
}

/* -o names the recording. Under perf's name, a pipe gets the recording if there is no -o. */
static void set_data_name(struct stat_options *o)
{
	struct stat st;
	bool pipe = !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode);

	o->recorder.path = o->output_name;
	o->output_name = NULL;
	if (!o->recorder.path)
		o->recorder.path = as_perf() && pipe ? "-" : RECORD_DEFAULT_NAME;
	o->req.no_rows = !strcmp(o->recorder.path, "-");
}

/* Parse the options of tma stat, and of the word (record, report) that follows, if any. */
static int parse_stat(struct stat_options *o, int argc, const char **argv)
{
	argc = parse_words(o, STAT_PRINT, argc, argv);
	if (argc && is_verb(argv[0], "record")) {
		o->verb = STAT_RECORD;
		argc = parse_words(o, STAT_PRINT, argc, argv);
		set_data_name(o);
	} else if (argc && is_verb(argv[0], "report")) {
		o->verb = STAT_REPORT;
		argc = parse_words(o, STAT_REPORT, argc, argv);
	}
	return argc;
}

int stat_options__parse(struct stat_options *o, enum stat_verb verb, int argc, const char **argv,
			struct err *err)
{
	*o = (struct stat_options){
		.verb = verb,
		.req = REQUEST_INIT,
		.format = {.big_num = true},
		/* Copy argv, from which libsubcmd removes the options that it reads. */
		.command_line = xcalloc(argc + 1, sizeof(*argv)),
	};
	memcpy(o->command_line, argv, argc * sizeof(*argv));
	argc = verb == STAT_PLAN ? parse_words(o, verb, argc, argv) : parse_stat(o, argc, argv);
	return stat_options__settle(o, argc, argv, err);
}

void stat_options__free(struct stat_options *o)
{
	vec__free(&o->events);
	vec__free(&o->bpf_programs);
	sb__free(&o->metrics);
	cpulist__free(&o->req.target.cpus);
	control__close(&o->req.control);
	sb__free(&o->cgroup_names);
	stat_again__exit(&o->again);
	free(o->command_line);
}

bool stat_options__lists_ports(const struct stat_options *o)
{
	return o->req.iostat_ports && !strcmp(o->req.iostat_ports, "list");
}
