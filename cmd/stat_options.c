// SPDX-License-Identifier: GPL-2.0-only
/* The options of "tma stat" and "tma plan": numbers checked. What follows: stat_settle.c */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <subcmd/parse-options.h>

#include "base/err.h"
#include "base/num.h"
#include "base/text.h"
#include "cmd.h"
#include "stat.h"

/* The options which are numbers: what each is called, its range, and where it goes. */
enum number_id {
	NUMBER_INTERVAL,
	NUMBER_INTERVAL_COUNT,
	NUMBER_TIMEOUT,
	NUMBER_TD_LEVEL,
	NUMBER_LOG_FD,
	NUMBER_REPEAT,
	NUMBER_TPEBS_FREQUENCY,
	NUMBER_TPEBS_PERIOD,
	NUMBER_TURN,
	NUMBER_REGIONS,
};

static const struct number {
	const char *what;
	uint64_t min, max;
	size_t offset; /* in struct stat_options, of an uint64_t */
} numbers[] = {
	[NUMBER_INTERVAL] = { "-I (interval, in ms)", 1, UINT_MAX,
			      offsetof(struct stat_options, interval_ms) },
	[NUMBER_INTERVAL_COUNT] = { "--interval-count", 1, INT_MAX,
				    offsetof(struct stat_options, interval_count) },
	[NUMBER_TIMEOUT] = { "--timeout (in ms)", 10, UINT_MAX,
			     offsetof(struct stat_options, timeout_ms) },
	[NUMBER_TD_LEVEL] = { "--td-level", 0, INT_MAX, offsetof(struct stat_options, td_level) },
	[NUMBER_REPEAT] = { "-r (runs; 0: for ever)", 0, INT_MAX,
			    offsetof(struct stat_options, repeat) },
	[NUMBER_TPEBS_FREQUENCY] = { "--tpebs-frequency (samples a second)", 1, INT_MAX,
				     offsetof(struct stat_options, count.latency.frequency) },
	[NUMBER_TPEBS_PERIOD] = { "--tpebs-period (events from sample to sample)", 1, INT64_MAX,
				  offsetof(struct stat_options, count.latency.period) },
	[NUMBER_TURN] = { "--schedule-ms (turn of a set, in ms)", 1, 3600000,
			  offsetof(struct stat_options, turn_ms) },
	[NUMBER_REGIONS] = { "--regions (of all threads)", 1, 1000000,
			     offsetof(struct stat_options, regions_capacity) },
	[NUMBER_LOG_FD] = { "--log-fd", 1, INT_MAX, offsetof(struct stat_options, log_fd) },
};

static int parse_number(const struct option *opt, const char *arg, int unset)
{
	const struct number *number = &numbers[opt->defval];
	uint64_t *out = (uint64_t *)((char *)opt->value + number->offset);
	struct err err = ERR_INIT;
	int rc;

	if (unset) {
		*out = 0;
		return 0;
	}
	rc = num__parse_u64(number->what, arg, number->min, number->max, out, &err);
	if (rc)
		say_err(&err);
	return rc;
}

static int set_td_level(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	if (unset || strcmp(arg, "max"))
		return parse_number(opt, arg, unset);
	o->td_level = TD_LEVEL_MAX;
	return 0;
}

static int set_regions(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	o->regions = !unset;
	return arg ? parse_number(opt, arg, unset) : 0;
}

static int out_of_memory(void)
{
	say("out of memory for the options");
	return -1;
}

static int add_event(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	(void)unset; /* PARSE_OPT_NONEG */
	return vec__push(&o->events, ((struct stat_event){ .text = arg })) ? out_of_memory() : 0;
}

static int set_filter(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	(void)unset; /* PARSE_OPT_NONEG */
	if (!o->events.nr) {
		say("--filter belongs to the tracepoint of the -e before it, and there is none");
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
	if (!*arg) {
		say("-M needs the names of metrics or metric groups");
		return -1;
	}
	if (!stat_metrics__add(&o->metrics, arg, &err))
		return 0;
	say_err(&err);
	return -1;
}

static int add_cgroups(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	(void)unset; /* PARSE_OPT_NONEG */
	if (!o->events.nr) {
		say("-G belongs to the events of the -e before it, and there are none; metrics "
		    "and --topdown have --for-each-cgroup");
		return -1;
	}
	sb__printf(&o->cgroup_names, "%s%s", o->cgroup_names.len ? "," : "", arg);
	return o->cgroup_names.err ? out_of_memory() : 0;
}

/* -T is another way to say -M transaction. */
static int add_transaction(const struct option *opt, const char *arg, int unset)
{
	(void)arg;
	return add_metrics(opt, "transaction", unset);
}

static int set_metric_only(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	(void)arg;
	o->report.metric_only = !unset;
	o->no_metric_only = unset;
	return 0;
}

static int set_delay(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;
	struct err err = ERR_INIT;
	uint64_t ms = 0;

	o->delay_ms = 0;
	if (unset)
		return 0;
	if (!strcmp(arg, "-1")) {
		o->delay_ms = -1;
		return 0;
	}
	if (num__parse_u64("-D (delay, in ms; -1: until it is enabled)", arg, 0, INT_MAX, &ms, &err))
		return say_err(&err);
	o->delay_ms = ms;
	return 0;
}

/* Options of perf which are not offered, and what does their work. */
static const char *const not_offered[] = {
	"--bpf-counters (-b) is not offered: all counters are the kernel's own; -a and "
	"--for-each-cgroup count many tasks with few of them",
	"--iostat is not offered: count the uncore_iio events with -a --per-socket "
	"('tma list --unit uncore_iio' shows them)",
	"--pfm-events is not offered: name the event as the tables do, with -e "
	"('tma list' shows them)",
};

static int refuse(const struct option *opt, const char *arg, int unset)
{
	(void)arg;
	(void)unset;
	say("%s", not_offered[opt->defval]);
	return -1;
}

/* "L3" or "l3" or nothing: the last level. */
static int set_cache(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;
	struct err err = ERR_INIT;
	uint64_t level = 0;

	if (arg && (*arg == 'L' || *arg == 'l'))
		arg++;
	if (!unset && arg && num__parse_u64("--per-cache (level L1 to L4)", arg, 1, 4, &level, &err))
		return say_err(&err);
	o->by[AGGR_CACHE] = !unset;
	o->report.cache_level = level;
	return 0;
}

static const char *const usage[] = {
	"tma stat [<options>] [<command>]",
	"tma stat record [-o <file>] [<options>] [<command>]",
	"tma stat report [-i <file>] [<options>]",
	NULL,
};

static const char *const plan_usage[] = { "tma plan [<options>] [<command>]", NULL };

static const char *const report_usage[] = { "tma stat report [-i <file>] [<options>]", NULL };

#define OPT_NUMBER(s, l, id, a, h)                                                        \
	{                                                                                 \
		.type = OPTION_CALLBACK, .short_name = s, .long_name = l, .value = o,     \
		.argh = a, .help = h, .callback = parse_number, .defval = NUMBER_##id     \
	}
/* Given again, it adds to what was given before. */
#define OPT_ADD(s, l, a, h, add)                                                          \
	{                                                                                 \
		.type = OPTION_CALLBACK, .short_name = s, .long_name = l, .value = o,     \
		.argh = a, .help = h, .callback = add, .flags = PARSE_OPT_NONEG           \
	}

#define OPT_REFUSED(s, l, number, f)                                                      \
	{                                                                                 \
		.type = OPTION_CALLBACK, .short_name = s, .long_name = l, .argh = "",     \
		.help = "not offered", .callback = refuse, .defval = number,              \
		.flags = (f) | PARSE_OPT_HIDDEN | PARSE_OPT_NONEG                         \
	}

/* The table is put together from its parts; it ends with OPT_END(). */
struct option_table {
	struct option at[96];
	int nr;
};

static void add_options(struct option_table *table, const struct option *options, int nr)
{
	for (int i = 0; i < nr; i++)
		table->at[table->nr++] = options[i];
}

#define ADD_OPTIONS(table, options) \
	add_options(table, options, sizeof(options) / sizeof(*(options)))

static void what_options(struct stat_options *o, struct option_table *table)
{
	const struct option options[] = {
		OPT_GROUP("What is counted"),
		OPT_ADD('e', "event", "event",
			"events to count, with groups {a,b} ('tma list' shows them)", add_event),
		OPT_ADD(0, "filter", "filter", "count the tracepoint before only where this holds",
			set_filter),
		OPT_INCR('d', "detailed", &o->detailed,
			 "caches too: the first and last level; -dd and TLBs; -ddd and prefetches"),
		OPT_BOOLEAN('n', "null", &o->null, "nothing: only the time of the command"),
		{ .type = OPTION_CALLBACK, .short_name = 'T', .long_name = "transaction",
		  .value = o, .help = "metrics of hardware transactions (-M transaction)",
		  .callback = add_transaction, .flags = PARSE_OPT_NOARG | PARSE_OPT_NONEG },
		{ .type = OPTION_CALLBACK, .long_name = "regions", .value = o, .argh = "n",
		  .help = "what the program measures of itself with libtma-topdown (room for n)",
		  .callback = set_regions, .defval = NUMBER_REGIONS, .flags = PARSE_OPT_OPTARG },
		OPT_BOOLEAN(0, "smi-cost", &o->smi_cost,
			    "cycles lost to system management interrupts"),
		OPT_BOOLEAN(0, "all-user", &o->all_user, "in user space alone, every event"),
		OPT_BOOLEAN(0, "all-kernel", &o->all_kernel, "in the kernel alone, every event"),
		OPT_STRING(0, "cputype", &o->cputype, "core|atom",
			   "only the core PMU of this type on a hybrid machine"),
	};

	ADD_OPTIONS(table, options);
}

static void metric_options(struct stat_options *o, struct option_table *table)
{
	const struct option options[] = {
		OPT_GROUP("What is computed"),
		OPT_ADD('M', "metrics", "metric/metric group list",
			"metrics or metric groups, separated by ,; or 'name = expression'",
			add_metrics),
		OPT_METRICS_FILE(),
		OPT_TABLES(),
		OPT_BOOLEAN(0, "topdown", &o->topdown, "TopDown metrics of this CPU"),
		{ .type = OPTION_CALLBACK, .long_name = "td-level", .value = o, .argh = "n",
		  .help = "depth of --topdown (0: level 1), or max", .callback = set_td_level,
		  .defval = NUMBER_TD_LEVEL },
	};

	ADD_OPTIONS(table, options);
}

static void latency_options(struct stat_options *o, struct option_table *table)
{
	const struct option options[] = {
		OPT_GROUP("What is sampled: retire latencies (EVENT:R)"),
		OPT_BOOLEAN(0, "record-tpebs", &o->record_tpebs,
			    "those of metrics too, which are the tables' otherwise"),
		OPT_STRING(0, "tpebs-mode", &o->tpebs_mode, "mean|min|max|last|p50|p95",
			   "which latency stands for those of a row (default: mean)"),
		OPT_NUMBER(0, "tpebs-frequency", TPEBS_FREQUENCY, "hz",
			   "samples a second of an event (default: 1 % of a CPU's time for all)"),
		OPT_NUMBER(0, "tpebs-period", TPEBS_PERIOD, "n",
			   "one sample in so many events, instead"),
	};

	ADD_OPTIONS(table, options);
}

static void where_options(struct stat_options *o, struct option_table *table)
{
	const struct option options[] = {
		OPT_GROUP("Where"),
		OPT_BOOLEAN('a', "all-cpus", &o->target.system_wide, "count on all CPUs"),
		OPT_STRING('C', "cpu", &o->cpu_text, "cpu", "count on these CPUs (0-3,8)"),
		OPT_STRING('p', "pid", &o->target.pids, "pid", "count these processes"),
		OPT_STRING('t', "tid", &o->target.tids, "tid", "count these threads"),
		OPT_ADD('G', "cgroup", "name",
			"only in this cgroup: one for all events, or a list with one for each",
			add_cgroups),
		OPT_STRING(0, "for-each-cgroup", &o->each_cgroup, "name",
			   "everything once in each of these cgroups (names or expressions)"),
		OPT_BOOLEAN('i', "no-inherit", &o->count.no_inherit,
			    "do not count the children of the task"),
	};

	ADD_OPTIONS(table, options);
}

static void when_options(struct stat_options *o, struct option_table *table)
{
	const struct option options[] = {
		OPT_GROUP("When"),
		OPT_NUMBER('I', "interval-print", INTERVAL, "ms", "print every so many ms"),
		OPT_NUMBER(0, "interval-count", INTERVAL_COUNT, "n", "stop after n intervals"),
		OPT_NUMBER(0, "timeout", TIMEOUT, "ms", "stop after so many ms (>= 10)"),
		{ .type = OPTION_CALLBACK, .short_name = 'D', .long_name = "delay", .value = o,
		  .argh = "ms", .callback = set_delay,
		  .help = "count from so many ms after the start (-1: when --control says so)" },
		OPT_STRING(0, "control", &o->control_text, "fd:N[,ACK] or fifo:PATH[,ACK]",
			   "take the commands enable, disable, stop ... from there"),
		OPT_NUMBER('r', "repeat", REPEAT, "n",
			   "run the command n times, print the mean and the spread (0: for ever)"),
		OPT_BOOLEAN(0, "table", &o->report.run_table, "with -r and --passes: the length of each run"),
		OPT_BOOLEAN('S', "sync", &o->sync, "sync(2) before a run"),
		OPT_STRING(0, "pre", &o->pre, "command", "shell command to run before each run"),
		OPT_STRING(0, "post", &o->post, "command", "shell command to run after each run"),
	};

	ADD_OPTIONS(table, options);
}

static void how_options(struct stat_options *o, struct option_table *table)
{
	const struct option options[] = {
		OPT_GROUP("How it is grouped and scaled"),
		OPT_BOOLEAN(0, "metric-no-group", &o->plan.no_group,
			    "do not group the events of a metric"),
		OPT_BOOLEAN(0, "metric-no-merge", &o->plan.no_merge,
			    "do not share events between metrics"),
		OPT_BOOLEAN(0, "metric-no-threshold", &o->no_threshold,
			    "do not count what only a threshold needs"),
		OPT_STRING(0, "grouping", &o->grouping_name, "counters|perf",
			   "how metrics' events are grouped: what fits the counters, or as perf does"),
		OPT_BOOLEAN(0, "passes", &o->passes,
			    "run the command once for each set of groups that fits the counters"),
		OPT_STRING(0, "schedule", &o->schedule_name, "kernel|rotate",
			   "who lets groups take turns: the kernel, or sets of them by tma"),
		OPT_NUMBER(0, "schedule-ms", TURN, "ms", "with --schedule=rotate: length of a turn"),
	};

	ADD_OPTIONS(table, options);
}

/* Of the same heading: what a plan has no use for. */
static void scale_options(struct stat_options *o, struct option_table *table)
{
	const struct option options[] = {
		OPT_BOOLEAN(0, "scale", &o->count.scale,
			    "estimate counts of events that took turns (default; --no-scale: raw)"),
		OPT_BOOLEAN(0, "dry-run", &o->dry_run,
			    "count nothing: show the groups, their counters and their share of time"),
	};

	ADD_OPTIONS(table, options);
}

static void row_options(struct stat_options *o, struct option_table *table)
{
	const struct option options[] = {
		OPT_GROUP("What a row stands for"),
		OPT_BOOLEAN(0, "no-merge", &o->by[AGGR_NONE], "the same as -A"),
		OPT_BOOLEAN(0, "hybrid-merge", &o->hybrid_merge,
			    "add the counts of all core types up, for events of the same name"),
		OPT_BOOLEAN('A', "no-aggr", &o->by[AGGR_NONE], "a CPU"),
		OPT_BOOLEAN(0, "percore-show-thread", &o->report.percore_threads,
			    "with -A: events with the term percore for each thread all the same"),
		OPT_BOOLEAN(0, "per-thread", &o->by[AGGR_THREAD], "a thread"),
		OPT_BOOLEAN(0, "per-core", &o->by[AGGR_CORE], "a core"),
		{ .type = OPTION_CALLBACK, .long_name = "per-cache", .value = o, .argh = "L1-L4",
		  .help = "the CPUs which share a cache (default: the last level)",
		  .callback = set_cache, .flags = PARSE_OPT_OPTARG },
		OPT_BOOLEAN(0, "per-cluster", &o->by[AGGR_CLUSTER], "a cluster of cores"),
		OPT_BOOLEAN(0, "per-die", &o->by[AGGR_DIE], "a die"),
		OPT_BOOLEAN(0, "per-socket", &o->by[AGGR_SOCKET], "a socket"),
		OPT_BOOLEAN(0, "per-node", &o->by[AGGR_NODE], "a NUMA node"),
	};

	ADD_OPTIONS(table, options);
}

static void output_options(struct stat_options *o, struct option_table *table)
{
	const struct option options[] = {
		OPT_GROUP("How it is printed"),
		OPT_BOOLEAN('j', "json-output", &o->json, "JSON, one object for each row"),
		OPT_STRING('o', "output", &o->output_name, "file", "write to a file"),
		OPT_INCR('v', "verbose", &o->verbose, "say more on stderr"),
	};

	ADD_OPTIONS(table, options);
}

/* Of the same heading: about the rows, which a plan has none of. */
static void format_options(struct stat_options *o, struct option_table *table)
{
	const struct option options[] = {
		{ .type = OPTION_CALLBACK, .long_name = "metric-only", .value = o,
		  .help = "metrics only, one line for each row", .callback = set_metric_only,
		  .flags = PARSE_OPT_NOARG },
		OPT_BOOLEAN(0, "error", &o->report.error,
			    "how far off values of events that took turns may be"),
		OPT_BOOLEAN(0, "verdict", &o->report.verdict,
			    "say in the end which TopDown metric is the bottleneck, and how sure that is"),
		OPT_STRING('x', "field-separator", &o->report.separator, "separator",
			   "CSV with this separator"),
		OPT_STRING(0, "format", &o->format_name, "format",
			   "text, csv, csv-wide, json-perf, json or prom (see tma-formats(5))"),
		OPT_BOOLEAN_SET(0, "header", &o->report.header, &o->header_set,
				"name the columns of CSV, once"),
		OPT_BOOLEAN(0, "append", &o->append, "add to the file of -o"),
		OPT_NUMBER(0, "log-fd", LOG_FD, "fd", "write to an open descriptor"),
		OPT_BOOLEAN('B', "big-num", &o->report.big_num,
			    "thousands separators of the locale (default)"),
		OPT_BOOLEAN(0, "summary", &o->summary, "with -I: the counts of the whole run in the end"),
		OPT_BOOLEAN(0, "no-csv-summary", &o->no_csv_summary,
			    "no field \"summary\" before those in CSV"),
		OPT_BOOLEAN(0, "interval-clear", &o->report.clear,
			    "with -I: clear the screen before each row"),
		OPT_BOOLEAN(0, "quiet", &o->quiet, "no output (the exit status is the result)"),
		OPT_REFUSED('b', "bpf-counters", 0, PARSE_OPT_NOARG),
		OPT_REFUSED(0, "iostat", 1, PARSE_OPT_OPTARG),
		OPT_REFUSED(0, "pfm-events", 2, 0),
		OPT_END()
	};

	ADD_OPTIONS(table, options);
}

static void print_options(struct stat_options *o, struct option_table *table)
{
	output_options(o, table);
	format_options(o, table);
}

static int parse_table(struct stat_options *o, int argc, const char **argv)
{
	struct option_table table = { .nr = 0 };

	what_options(o, &table);
	metric_options(o, &table);
	latency_options(o, &table);
	where_options(o, &table);
	when_options(o, &table);
	how_options(o, &table);
	scale_options(o, &table);
	row_options(o, &table);
	print_options(o, &table);
	return parse_options(argc, argv, table.at, usage, PARSE_OPT_STOP_AT_NON_OPTION);
}

/* Takes options from @first on out of the help, headings altogether, but not from what is known. */
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

/* Of tma plan: all that tma stat has, so that its command lines will do as they are. */
static int parse_plan(struct stat_options *o, int argc, const char **argv)
{
	struct option_table table = { .nr = 0 };
	int first_hidden;

	what_options(o, &table);
	metric_options(o, &table);
	latency_options(o, &table);
	where_options(o, &table);
	how_options(o, &table);
	output_options(o, &table);
	first_hidden = table.nr;
	when_options(o, &table);
	scale_options(o, &table);
	row_options(o, &table);
	format_options(o, &table);
	hide_options(&table, first_hidden);
	argc = parse_options(argc, argv, table.at, plan_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	o->dry_run = true; /* whatever --no-dry-run would have */
	return argc;
}

/* Of tma stat report: a file stands for the counting. */
static void file_options(struct stat_options *o, struct option_table *table)
{
	const struct option options[] = {
		OPT_GROUP("What is read"),
		OPT_STRING('i', "input", &o->input_name, "file",
			   "a recording, or the text of -x or -j (- for standard input)"),
		OPT_STRING(0, "time", &o->time_text, "from,to",
			   "the rows that end between, in seconds since the start"),
		OPT_STRING(0, "cpuid", &o->cpuid, "id", "the CPU that was counted on"),
		OPT_BOOLEAN(0, "global", &o->global, "a row stands for everything"),
	};

	ADD_OPTIONS(table, options);
}

static int parse_report(struct stat_options *o, int argc, const char **argv)
{
	struct option_table table = { .nr = 0 };

	file_options(o, &table);
	metric_options(o, &table);
	row_options(o, &table);
	print_options(o, &table);
	return parse_options(argc, argv, table.at, report_usage, 0);
}

/* As in perf, three letters of the word will do. */
static bool is_verb(const char *text, const char *verb)
{
	return strlen(text) > 2 && text__has_prefix(verb, text);
}

static int parse_verb(struct stat_options *o, int argc, const char **argv)
{
	if (argc && is_verb(argv[0], "record")) {
		o->verb = STAT_RECORD;
		argc = parse_table(o, argc, argv);
		stat_record__set_output(o);
	} else if (argc && is_verb(argv[0], "report")) {
		o->verb = STAT_REPORT;
		argc = parse_report(o, argc, argv);
	}
	return argc;
}

int stat_options__parse(struct stat_options *o, enum stat_verb verb, int argc, const char **argv,
			struct err *err)
{
	*o = (struct stat_options){
		.verb = verb,
		.count = { .scale = true },
		.report = { .big_num = true },
		.repeat = 1,
	};
	if (verb == STAT_PLAN)
		argc = parse_plan(o, argc, argv);
	else
		argc = parse_verb(o, parse_table(o, argc, argv), argv);
	return o->verb == STAT_REPORT ? stat_options__settle_report(o, argc, argv, err)
				      : stat_options__settle(o, argc, argv, err);
}

void stat_options__free(struct stat_options *o)
{
	vec__free(&o->events);
	sb__free(&o->metrics);
	cpulist__free(&o->target.cpus);
	control__close(&o->control);
	cgroup_list__free(&o->cgroups);
	sb__free(&o->cgroup_names);
	free(o->report.head);
}
