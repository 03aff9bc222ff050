// SPDX-License-Identifier: GPL-2.0-only
/* The options of "tma stat": one table, numbers checked, contradictions refused. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "base/err.h"
#include "base/num.h"
#include "cmd.h"
#include "stat.h"

/* What a number option may be. */
struct number {
	const char *what;
	uint64_t min, max;
	uint64_t *out;
};

static int parse_number(const struct option *opt, const char *arg, int unset)
{
	const struct number *number = opt->value;
	struct err err = ERR_INIT;
	int rc;

	if (unset) {
		*number->out = 0;
		return 0;
	}
	rc = num__parse_u64(number->what, arg, number->min, number->max, number->out, &err);
	if (rc)
		say_err(&err);
	return rc;
}

static int add_event(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	(void)unset; /* PARSE_OPT_NONEG */
	return vec__push(&o->events, arg);
}

static int add_metrics(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	(void)unset; /* PARSE_OPT_NONEG */
	if (!*arg) {
		say("-M needs the names of metrics or metric groups");
		return -1;
	}
	sb__printf(&o->metrics, "%s%s", o->metrics.len ? "," : "", arg);
	return o->metrics.err ? -1 : 0;
}

static int set_metric_only(const struct option *opt, const char *arg, int unset)
{
	struct stat_options *o = opt->value;

	(void)arg;
	o->report.metric_only = !unset;
	o->no_metric_only = unset;
	return 0;
}

static const char *const usage[] = { "tma stat [<options>] [<command>]", NULL };

#define OPT_NUMBER(s, l, number, a, h) OPT_CALLBACK(s, l, number, a, h, parse_number)

static int parse_table(struct stat_options *o, int argc, const char **argv)
{
	struct number interval = { "-I (interval, in ms)", 1, UINT_MAX, &o->interval_ms };
	struct number count = { "--interval-count", 1, INT_MAX, &o->interval_count };
	struct number timeout = { "--timeout (in ms)", 10, UINT_MAX, &o->timeout_ms };
	struct number level = { "--td-level", 0, INT_MAX, &o->td_level };
	struct number log_fd = { "--log-fd", 1, INT_MAX, &o->log_fd };
	const struct option options[] = {
		OPT_GROUP("What is counted"),
		{ .type = OPTION_CALLBACK, .short_name = 'e', .long_name = "event", .value = o,
		  .argh = "event", .help = "events to count, with groups {a,b} ('tma list' shows them)",
		  .callback = add_event, .flags = PARSE_OPT_NONEG },
		{ .type = OPTION_CALLBACK, .short_name = 'M', .long_name = "metrics", .value = o,
		  .argh = "metric/metric group list", .help = "metrics or metric groups, separated by ,",
		  .callback = add_metrics, .flags = PARSE_OPT_NONEG },
		OPT_BOOLEAN(0, "topdown", &o->topdown, "TopDown metrics of this CPU"),
		OPT_NUMBER(0, "td-level", &level, "n", "depth of --topdown (0: level 1)"),
		OPT_STRING(0, "cputype", &o->cputype, "core|atom",
			   "only the core PMU of this type on a hybrid machine"),
		OPT_GROUP("Where"),
		OPT_BOOLEAN('a', "all-cpus", &o->target.system_wide, "count on all CPUs"),
		OPT_STRING('C', "cpu", &o->cpu_text, "cpu", "count on these CPUs (0-3,8)"),
		OPT_STRING('p', "pid", &o->target.pids, "pid", "count these processes"),
		OPT_STRING('t', "tid", &o->target.tids, "tid", "count these threads"),
		OPT_BOOLEAN('i', "no-inherit", &o->count.no_inherit,
			    "do not count the children of the task"),
		OPT_GROUP("When"),
		OPT_NUMBER('I', "interval-print", &interval, "ms", "print every so many ms"),
		OPT_NUMBER(0, "interval-count", &count, "n", "stop after n intervals"),
		OPT_NUMBER(0, "timeout", &timeout, "ms", "stop after so many ms (>= 10)"),
		OPT_GROUP("How it is grouped and scaled"),
		OPT_BOOLEAN(0, "scale", &o->count.scale,
			    "estimate counts of events that took turns (default; --no-scale: raw)"),
		OPT_BOOLEAN(0, "metric-no-group", &o->plan.no_group,
			    "do not group the events of a metric"),
		OPT_BOOLEAN(0, "metric-no-merge", &o->plan.no_merge,
			    "do not share events between metrics"),
		OPT_BOOLEAN(0, "metric-no-threshold", &o->no_threshold,
			    "do not count what only a threshold needs"),
		OPT_GROUP("How it is printed"),
		OPT_BOOLEAN('A', "no-aggr", &o->no_aggr, "a row for each CPU"),
		{ .type = OPTION_CALLBACK, .long_name = "metric-only", .value = o,
		  .help = "metrics only, one line for each row", .callback = set_metric_only,
		  .flags = PARSE_OPT_NOARG },
		OPT_STRING('x', "field-separator", &o->report.separator, "separator",
			   "CSV with this separator"),
		OPT_BOOLEAN('j', "json-output", &o->json, "JSON, one object for each row"),
		OPT_STRING('o', "output", &o->output_name, "file", "write to a file"),
		OPT_BOOLEAN(0, "append", &o->append, "add to the file of -o"),
		OPT_NUMBER(0, "log-fd", &log_fd, "fd", "write to an open descriptor"),
		OPT_BOOLEAN('B', "big-num", &o->report.big_num,
			    "thousands separators of the locale (default)"),
		OPT_INCR('v', "verbose", &o->verbose, "say more on stderr"),
		OPT_END()
	};

	return parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
}

/* Two that cannot both be meant. */
struct contradiction {
	bool both;
	const char *why;
};

static int check_contradictions(const struct stat_options *o, struct err *err)
{
	const struct target *t = &o->target;
	bool task = t->pids || t->tids, cpus = t->system_wide || o->cpu_text;
	const struct contradiction list[] = {
		{ t->pids && t->tids, "-p and -t exclude each other: name processes or threads" },
		{ task && cpus, "-p and -t count tasks, -a and -C count CPUs: give one of them" },
		{ o->report.separator && o->json, "-x and -j exclude each other: choose one format" },
		{ o->report.separator && !*o->report.separator,
		  "-x needs a separator: with '' the fields could not be told apart" },
		{ o->report.separator && strpbrk(o->report.separator, "0123456789.\"\n"),
		  "-x needs a separator that is no part of a number or a quoted field" },
		{ o->output_name && o->log_fd, "-o and --log-fd exclude each other" },
		{ o->append && !o->output_name, "--append needs -o FILE" },
		{ o->interval_count && !o->interval_ms, "--interval-count needs -I" },
		{ o->timeout_ms && o->interval_ms,
		  "--timeout and -I exclude each other: --interval-count ends a run with -I" },
		{ o->td_level && !o->topdown, "--td-level needs --topdown" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (list[i].both)
			return err__set(err, EINVAL, "%s", list[i].why);
	return 0;
}

int stat_options__set_heading(struct stat_options *o, struct err *err)
{
	const struct target *t = &o->target;
	struct sb sb = SB_INIT;

	if (t->system_wide) {
		sb__puts(&sb, "'system wide'");
	} else if (o->cpu_text) {
		sb__printf(&sb, "'CPU(s) %s'", o->cpu_text);
	} else if (t->pids || t->tids) {
		sb__printf(&sb, "%s id '%s'", t->pids ? "process" : "thread",
			   t->pids ? t->pids : t->tids);
	} else {
		for (char *const *arg = t->argv; *arg; arg++)
			sb__printf(&sb, "%s%s", arg == t->argv ? "'" : " ", *arg);
		sb__putc(&sb, '\'');
	}
	o->report.head = sb__detach(&sb);
	return o->report.head ? 0 : err__set(err, ENOMEM, "out of memory");
}

static int settle(struct stat_options *o, int argc, const char **argv, struct err *err)
{
	struct target *t = &o->target;
	int rc = check_contradictions(o, err);

	if (rc)
		return rc;
	if (o->cpu_text) {
		rc = cpulist__parse("-C", o->cpu_text, &t->cpus, err);
		if (rc)
			return rc;
		if (!t->cpus.nr)
			return err__set(err, EINVAL, "-C needs a list of CPUs, such as 0-3,8");
	}
	if (argc)
		t->argv = (char *const *)argv;
	if (!argc && !t->pids && !t->tids && !o->cpu_text)
		t->system_wide = true;
	if (o->report.separator && !strcmp(o->report.separator, "\\t"))
		o->report.separator = "\t";

	o->report.format = o->json		? REPORT_JSON :
			   o->report.separator	? REPORT_CSV :
						  REPORT_TEXT;
	o->report.aggr = o->no_aggr ? AGGR_NONE : AGGR_GLOBAL;
	o->report.no_merge = o->no_aggr;
	o->report.interval = o->interval_ms;
	o->report.topdown = o->plan.topdown = o->topdown;
	o->report.no_threshold = o->no_threshold;
	if (o->no_aggr && !target__per_cpu(t))
		return err__set(err, EINVAL,
				"-A prints a row for each CPU and needs -a or -C, not a task");
	return 0;
}

int stat_options__parse(struct stat_options *o, int argc, const char **argv, struct err *err)
{
	*o = (struct stat_options){
		.count = { .scale = true },
		.report = { .big_num = true },
	};
	argc = parse_table(o, argc, argv);
	return settle(o, argc, argv, err);
}

void stat_options__free(struct stat_options *o)
{
	vec__free(&o->events);
	sb__free(&o->metrics);
	cpulist__free(&o->target.cpus);
	free(o->report.head);
}
