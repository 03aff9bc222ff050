// SPDX-License-Identifier: GPL-2.0-only
/* --header: a line of names, and each line has a field for each name. */
#include "machine/cgroup.h"
#include "report_fixture.h"

static struct cgroup some_cgroup = { .name = (char *)"system.slice/a,b" };

/*
 * An event with metrics, an event with a ratio, an unsupported event, and another event with
 * metrics.
 */
static void some_events(struct fixture *f)
{
	struct event *e[4];

	fixture__init(f, 4);
	f->format = "csv";
	f->print.header = true;
	e[0] = fixture__event(f, "cpu/event=1,umask=2/", PERF_TYPE_RAW, 1);
	e[1] = fixture__clock(f);
	e[2] = fixture__cycles(f);
	e[3] = fixture__event(f, "TOPDOWN.SLOTS", PERF_TYPE_RAW, 4);
	for (int unit = 0; unit < 4; unit++) {
		fixture__count(f, e[0], unit, 7);
		fixture__count(f, e[1], unit, 3);
		fixture__status(f, e[2], unit, SAMPLE_NOT_SUPPORTED);
		fixture__count(f, e[3], unit, 9);
	}
	fixture__metric(f, "first", "a / 2", NULL, e[0]);
	fixture__metric(f, "second", "a / 3", NULL, e[0]);
	fixture__metric(f, "third", "d / 3", NULL, e[3]);
	fixture__metric(f, "fourth", "d / 4", NULL, e[3]);
}

/* As without -e: two groups of metrics, one of which occurs twice. */
static void make_default(struct fixture *f)
{
	static const char *const groups[] = { "TopdownL1", "TopdownL2", "TopdownL1", "TopdownL1" };

	f->opts.default_events = true;
	f->events[0].default_group = f->events[3].default_group = true;
	for (int i = 0; i < 4; i++) {
		f->metrics[i].info.default_group = groups[i];
		f->plan_metrics[i].is_default = true;
	}
}

static void same_fields_in_every_line(struct fixture *f, const char *mode)
{
	const char *at = fixture__print(f), *start = at;
	int names = fixture__fields(&at, ','), lines = 0;

	ck_assert_msg(!strpbrk(start, "<") || strpbrk(start, "<") > strchr(start, '\n'),
		      "%s: no header: %s", mode, start);
	for (; *at; lines++) {
		const char *line = at;

		ck_assert_msg(fixture__fields(&at, ',') == names, "%s: %d names for %.*s", mode,
			      names, (int)(at - line), line);
	}
	ck_assert_msg(lines, "%s: no lines", mode);
}

enum { INTERVAL = 1, RUNS = 2, CGROUP = 4, METRIC_ONLY = 8, DEFAULT = 16, MODES = 32 };

static void check_mode(enum grid_aggr aggr, int mode)
{
	struct fixture f;
	char text[64];

	/* Options that cannot be combined. */
	if ((mode & RUNS && mode & (INTERVAL | METRIC_ONLY)) ||
	    (mode & METRIC_ONLY && (mode & DEFAULT || aggr == AGGR_THREAD)))
		return;
	snprintf(text, sizeof(text), "rows %d, mode %d", aggr, mode);
	some_events(&f);
	f.opts.aggr = aggr;
	f.interval = mode & INTERVAL;
	f.opts.runs = mode & RUNS;
	f.opts.metric_only = mode & METRIC_ONLY;
	if (mode & CGROUP)
		for (int i = 0; i < f.plan.events.nr; i++)
			f.events[i].cgroup = &some_cgroup;
	if (mode & DEFAULT)
		make_default(&f);
	if (aggr == AGGR_THREAD)
		for (int i = 0; i < 4; i++)
			f.comms[i] = "a thread, \"quoted\"";
	same_fields_in_every_line(&f, text);
	fixture__free(&f);
}

START_TEST(every_line_has_the_fields_of_the_header)
{
	for (int aggr = 0; aggr < AGGR_NR; aggr++)
		for (int mode = 0; mode < MODES; mode++)
			check_mode(aggr, mode);
}
END_TEST

static const struct {
	enum grid_aggr aggr;
	const char *names;
} prefixes[] = {
	{ AGGR_GLOBAL, "time," },
	{ AGGR_NONE, "time,cpu," },
	{ AGGR_SOCKET, "time,socket,cpus," },
	{ AGGR_DIE, "time,die,cpus," },
	{ AGGR_CLUSTER, "time,cluster,cpus," },
	{ AGGR_CACHE, "time,cache,cpus," },
	{ AGGR_CORE, "time,core,cpus," },
	{ AGGR_NODE, "time,node,cpus," },
	{ AGGR_THREAD, "time,thread," },
};

START_TEST(the_names_are_those_of_json)
{
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		struct fixture f;
		char head[256];

		some_events(&f);
		f.opts.aggr = prefixes[i].aggr;
		f.interval = true;
		snprintf(head, sizeof(head),
			 "%scounter-value,unit,event,event-runtime,pcnt-running,metric-value,"
			 "metric-unit\n",
			 prefixes[i].names);
		fixture__print(&f);
		ck_assert_msg(!strncmp(f.text, head, strlen(head)), "%s", f.text);
		fixture__free(&f);
	}
}
END_TEST

START_TEST(runs_and_cgroups_have_columns)
{
	static const char want[] =
		"counter-value;unit;event;cgroup;variance;event-runtime;pcnt-running;"
		"metric-value;metric-unit\n"
		"28;;cpu/event=1,umask=2/;system.slice/a,b;0.00%;4000;100.00;2.333;G/sec\n"
		";;;;;;;1400.0;%  first\n";
	struct fixture f;

	some_events(&f);
	f.opts.runs = true;
	for (int i = 0; i < f.plan.events.nr; i++)
		f.events[i].cgroup = &some_cgroup;
	f.print.separator = ";";
	fixture__print(&f);
	ck_assert_msg(!strncmp(f.text, want, strlen(want)), "%s", f.text);
	fixture__free(&f);
}
END_TEST

START_TEST(default_groups_stand_under_the_names)
{
	struct fixture f;

	some_events(&f);
	make_default(&f);
	ck_assert_str_eq(
		fixture__print(&f),
		"counter-value,unit,event,event-runtime,pcnt-running,metric-value,metric-unit\n"
		",,,4000,100.00,,TopdownL1\n"
		",,,,,1400.0,%  first\n"
		",,,4000,100.00,,TopdownL2\n"
		",,,,,933.3,%  second\n"
		"0.00,msec,task-clock,4000,100.00,0.000,CPUs utilized\n"
		"<not supported>,,cycles,0,100.00,,\n"
		",,,4000,100.00,,TopdownL1\n"
		",,,,,1200.0,%  third\n"
		",,,,,900.0,%  fourth\n");
	fixture__free(&f);
}
END_TEST

static void print_total(struct fixture *f)
{
	struct counts counts = fixture__counts(f);
	struct err err = ERR_INIT;

	report__fill(f->report, &counts, &f->time, SPAN_RUN, true);
	ck_assert_int_eq(writer__rows(f->writer, &err), 0);
}

static int count_heads(const char *text, const char *word)
{
	int nr = 0;

	for (; (text = strstr(text, word)); text++)
		nr++;
	return nr;
}

/* @word: a word that only the header has */
static void one_header(struct fixture *f, const char *word, bool summary_mark)
{
	const char *total;

	f->interval = true;
	f->print.summary_mark = summary_mark;
	for (int i = 0; i < 60; i++)
		fixture__print(f);
	total = f->text + f->len;
	print_total(f);
	ck_assert_int_eq(count_heads(f->text, word), 1);
	ck_assert_ptr_nonnull(strstr(strchr(f->text, '\0') - strlen(total), ","));
	for (const char *at = f->text; *at;)
		ck_assert_int_eq(fixture__fields(&at, ','),
				 fixture__fields(&(const char *){ f->text }, ','));
	fixture__free(f);
}

START_TEST(the_header_comes_once_whatever_follows)
{
	for (int mark = 0; mark < 2; mark++) {
		struct fixture f;

		some_events(&f);
		one_header(&f, "counter-value", mark);
		some_events(&f);
		f.opts.metric_only = true;
		one_header(&f, "time", mark);
		some_events(&f);
		f.format = "csv-wide";
		one_header(&f, "time", mark);
	}
}
END_TEST

START_TEST(without_it_nothing_is_named)
{
	struct fixture f;

	some_events(&f);
	f.print.header = false;
	f.interval = true;
	ck_assert_ptr_null(strstr(fixture__print(&f), "time,"));
	fixture__free(&f);
	some_events(&f);
	f.print.header = false;
	ck_assert_ptr_null(strstr(fixture__print_as(&f, "csv-wide"), "time,"));
	fixture__free(&f);
}
END_TEST

TMA_TEST_MAIN(report_header, every_line_has_the_fields_of_the_header, the_names_are_those_of_json,
	      runs_and_cgroups_have_columns, default_groups_stand_under_the_names,
	      the_header_comes_once_whatever_follows, without_it_nothing_is_named)
