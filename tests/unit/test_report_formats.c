// SPDX-License-Identifier: GPL-2.0-only
/* The bytes of text, CSV and JSON: perf 6.12 prints the expected texts for the same counts. */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/cgroup.h"
#include "locale_fixture.h"
#include "report_fixture.h"

static void one_task(struct fixture *f)
{
	struct event *clock, *switches, *cycles;

	fixture__init(f, 1);
	clock = fixture__clock(f);
	switches = fixture__switches(f);
	cycles = fixture__cycles(f);
	fixture__multiplexed(f, clock, 0, 1049431, 1049431, 1049431);
	fixture__multiplexed(f, switches, 0, 1, 1049431, 1049431);
	fixture__status(f, cycles, 0, SAMPLE_NOT_SUPPORTED);
	f->print.head = "'sleep 0.1'";
	f->print.big_num = true;
	f->time = (struct row_time){ .since_start_ns = 101607169, .elapsed_ns = 101607169,
					.user_ns = 1560000, .has_cpu_time = true };
}

START_TEST(text_of_a_command)
{
	struct fixture f;

	one_task(&f);
	ck_assert_str_eq(
		fixture__print(&f),
		"\n Performance counter stats for 'sleep 0.1':\n\n"
		"              1.05 msec task-clock                       #    0.010 CPUs utilized             \n"
		"                 1      context-switches                 #  952.897 /sec                      \n"
		"   <not supported>      cycles                                                                \n"
		"\n"
		"       0.101607169 seconds time elapsed\n"
		"\n"
		"       0.001560000 seconds user\n"
		"       0.000000000 seconds sys\n"
		"\n\n");
	fixture__free(&f);
}
END_TEST

START_TEST(csv_of_a_command)
{
	struct fixture f;

	one_task(&f);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "1.05,msec,task-clock,1049431,100.00,0.010,CPUs utilized\n"
			 "1,,context-switches,1049431,100.00,952.897,/sec\n"
			 "<not supported>,,cycles,0,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(json_of_a_command)
{
	struct fixture f;

	one_task(&f);
	ck_assert_str_eq(
		fixture__print_as(&f, "json-perf"),
		"{\"counter-value\" : \"1.049431\", \"unit\" : \"msec\", \"event\" : \"task-clock\", "
		"\"event-runtime\" : 1049431, \"pcnt-running\" : 100.00, "
		"\"metric-value\" : \"0.010328\", \"metric-unit\" : \"CPUs utilized\"}\n"
		"{\"counter-value\" : \"1.000000\", \"unit\" : \"\", \"event\" : \"context-switches\", "
		"\"event-runtime\" : 1049431, \"pcnt-running\" : 100.00, "
		"\"metric-value\" : \"952.897332\", \"metric-unit\" : \"/sec\"}\n"
		"{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : \"cycles\", "
		"\"event-runtime\" : 0, \"pcnt-running\" : 0.00, "
		"\"metric-value\" : \"0.000000\", \"metric-unit\" : \"\"}\n");
	fixture__free(&f);
}
END_TEST

START_TEST(an_event_without_metric_in_each_form)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 1);
	e = fixture__event(&f, "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	fixture__multiplexed(&f, e, 0, 0, 1428601, 1428601);
	f.interval = true;
	f.time.since_start_ns = 100290435;
	ck_assert_str_eq(
		fixture__print(&f),
		"#           time             counts unit events\n"
		"     0.100290435                  0      dummy                                                                 \n");
	ck_assert_str_eq(fixture__print_as(&f, "csv"), "0.100290435,0,,dummy,1428601,100.00,,\n");
	ck_assert_str_eq(fixture__print_as(&f, "json-perf"),
			 "{\"interval\" : 0.100290435, \"counter-value\" : \"0.000000\", "
			 "\"unit\" : \"\", \"event\" : \"dummy\", \"event-runtime\" : 1428601, "
			 "\"pcnt-running\" : 100.00, \"metric-value\" : \"0.000000\", "
			 "\"metric-unit\" : \"(null)\"}\n");
	fixture__free(&f);
}
END_TEST

/* Two CPUs: one socket with two cores of one thread each. */
static void two_cpus(struct fixture *f, enum grid_aggr aggr)
{
	struct event *clock, *switches;

	fixture__init(f, 2);
	f->cpus[1].core = 1;
	f->cpus[0].cluster = f->cpus[1].cluster = 65535;
	f->opts.aggr = aggr;
	f->interval = true;
	f->time.since_start_ns = 100189745;
	f->time.elapsed_ns = 100000000;
	clock = fixture__clock(f);
	clock->name = (char *)"cpu-clock";
	clock->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	switches = fixture__switches(f);
	fixture__multiplexed(f, clock, 0, 100380000, 100380900, 100380900);
	fixture__multiplexed(f, clock, 1, 100420000, 100420900, 100420900);
	fixture__multiplexed(f, switches, 0, 16, 100381000, 100381000);
	fixture__multiplexed(f, switches, 1, 19, 100421000, 100421000);
}

START_TEST(rows_of_cpus)
{
	struct fixture f;

	two_cpus(&f, AGGR_NONE);
	ck_assert_str_eq(
		fixture__print(&f),
		"#           time cpu                counts unit events\n"
		"     0.100189745 CPU0               100.38 msec cpu-clock [software]             #    1.004 CPUs utilized             \n"
		"     0.100189745 CPU1               100.42 msec cpu-clock [software]             #    1.004 CPUs utilized             \n"
		"     0.100189745 CPU0                   16      context-switches [software]      #  159.394 /sec                      \n"
		"     0.100189745 CPU1                   19      context-switches [software]      #  189.205 /sec                      \n");
	ck_assert_str_eq(
		fixture__print_as(&f, "csv"),
		"0.100189745,CPU0,100.38,msec,cpu-clock [software],100380900,100.00,1.004,CPUs utilized\n"
		"0.100189745,CPU1,100.42,msec,cpu-clock [software],100420900,100.00,1.004,CPUs utilized\n"
		"0.100189745,CPU0,16,,context-switches [software],100381000,100.00,159.394,/sec\n"
		"0.100189745,CPU1,19,,context-switches [software],100421000,100.00,189.205,/sec\n");
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json-perf"),
				     "{\"interval\" : 0.100189745, \"cpu\" : \"1\", "
				     "\"counter-value\" : \"19.000000\", "));
	fixture__free(&f);
}
END_TEST

START_TEST(rows_of_cores)
{
	struct fixture f;

	two_cpus(&f, AGGR_CORE);
	ck_assert_str_eq(
		fixture__print(&f),
		"#           time core               cpus             counts unit events\n"
		"     0.100189745 S0-D0-C0              1             100.38 msec cpu-clock                        #    1.004 CPUs utilized             \n"
		"     0.100189745 S0-D0-C0              1                 16      context-switches                 #  159.394 /sec                      \n"
		"     0.100189745 S0-D0-C1              1             100.42 msec cpu-clock                        #    1.004 CPUs utilized             \n"
		"     0.100189745 S0-D0-C1              1                 19      context-switches                 #  189.205 /sec                      \n");
	ck_assert_str_eq(
		fixture__print_as(&f, "csv"),
		"0.100189745,S0-D0-C0,1,100.38,msec,cpu-clock,100380900,100.00,1.004,CPUs utilized\n"
		"0.100189745,S0-D0-C0,1,16,,context-switches,100381000,100.00,159.394,/sec\n"
		"0.100189745,S0-D0-C1,1,100.42,msec,cpu-clock,100420900,100.00,1.004,CPUs utilized\n"
		"0.100189745,S0-D0-C1,1,19,,context-switches,100421000,100.00,189.205,/sec\n");
	ck_assert_ptr_nonnull(
		strstr(fixture__print_as(&f, "json-perf"),
		       "{\"interval\" : 0.100189745, \"core\" : \"S0-D0-C1\", \"aggregate-number\" : 1, "
		       "\"counter-value\" : \"19.000000\", "));
	fixture__free(&f);
}
END_TEST

static const struct {
	enum grid_aggr aggr;
	const char *text, *csv, *json;
} places[] = {
	{ AGGR_SOCKET, "S0        2 ", "S0,2,", "\"socket\" : \"S0\", " },
	{ AGGR_DIE, "S0-D0           2 ", "S0-D0,2,", "\"die\" : \"S0-D0\", " },
	{ AGGR_CLUSTER, "S0-D0-CLS65535          2 ", "S0-D0-CLS65535,2,",
	  "\"cluster\" : \"S0-D0-CLS65535\", " },
	{ AGGR_NODE, "N0        2 ", "N0,2,", "\"node\" : \"N0\", " },
};

static void check_place(int i)
{
	struct fixture f;
	char text[256], csv[256], json[256];

	two_cpus(&f, places[i].aggr);
	snprintf(text, sizeof(text),
		 "     0.100189745 %s            200.80 msec cpu-clock                        #    2.008 CPUs utilized             \n",
		 places[i].text);
	snprintf(csv, sizeof(csv),
		 "0.100189745,%s200.80,msec,cpu-clock,200801800,100.00,2.008,CPUs utilized\n",
		 places[i].csv);
	snprintf(json, sizeof(json), "{\"interval\" : 0.100189745, %s\"aggregate-number\" : 2, ",
		 places[i].json);
	ck_assert_ptr_nonnull(strstr(fixture__print(&f), text));
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv"), csv));
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json-perf"), json));
	fixture__free(&f);
}

START_TEST(rows_of_other_places)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		check_place(i);
}
END_TEST

START_TEST(places_come_in_order_whatever_their_cpus)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 4);
	f.opts.aggr = AGGR_CORE;
	f.cpus[0] = (struct cpu){ 1, 0, 0, 7, 0 };
	f.cpus[1] = (struct cpu){ 0, 1, 0, 3, 0 };
	f.cpus[2] = (struct cpu){ 0, -1, -1, 9, 0 };
	f.cpus[3] = (struct cpu){ 1, 0, 0, 7, 0 };
	e = fixture__switches(&f);
	for (int i = 0; i < 4; i++)
		fixture__count(&f, e, i, 1 + i);
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "S0-D0-C9,1,3,,context-switches,1000,100.00,,\n"
			 "S0-D1-C3,1,2,,context-switches,1000,100.00,,\n"
			 "S1-D0-C7,2,5,,context-switches,2000,100.00,,\n");
	fixture__free(&f);
}
END_TEST

START_TEST(rows_of_threads)
{
	struct fixture f;
	struct event *clock, *cycles;

	fixture__init(&f, 1);
	f.opts.aggr = AGGR_THREAD;
	f.interval = true;
	f.ids[0] = 13419;
	f.comms[0] = "bash";
	f.time.since_start_ns = 100235592;
	clock = fixture__clock(&f);
	cycles = fixture__cycles(&f);
	fixture__multiplexed(&f, clock, 0, 0, 0, 0);
	fixture__status(&f, cycles, 0, SAMPLE_NOT_SUPPORTED);
	ck_assert_str_eq(
		fixture__print(&f),
		"#           time             comm-pid                 counts unit events\n"
		"     0.100235592             bash-13419        <not counted> msec task-clock                                                            \n"
		"     0.100235592             bash-13419      <not supported>      cycles                                                                \n");
	ck_assert_str_eq(fixture__print_as(&f, "csv"),
			 "0.100235592,bash-13419,<not counted>,msec,task-clock,0,100.00,,\n"
			 "0.100235592,bash-13419,<not supported>,,cycles,0,100.00,,\n");
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json-perf"),
				     "{\"interval\" : 0.100235592, \"thread\" : \"bash-13419\", "
				     "\"counter-value\" : \"<not counted>\", \"unit\" : \"msec\""));
	fixture__free(&f);
}
END_TEST

START_TEST(heading_again_every_26_rows)
{
	struct fixture f;
	int heads = 0;

	two_cpus(&f, AGGR_GLOBAL);
	for (int i = 1; i <= 53; i++) {
		bool head = *fixture__print(&f) == '#';

		ck_assert_int_eq(head, i == 1 || i == 27 || i == 53);
		heads += head;
	}
	ck_assert_int_eq(heads, 3);
	fixture__free(&f);
}
END_TEST

START_TEST(a_share_of_the_time_follows_the_count)
{
	struct fixture f;
	struct event *e;

	fixture__init(&f, 1);
	e = fixture__event(&f, "r1a8", PERF_TYPE_RAW, 0x1a8);
	fixture__multiplexed(&f, e, 0, 1000, 300000, 100000);
	ck_assert_ptr_nonnull(strstr(
		fixture__print(&f),
		"              3000      r1a8                                                                    (33.33%)\n"));
	ck_assert_str_eq(fixture__print_as(&f, "csv"), "3000,,r1a8,100000,33.00,,\n");
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json-perf"),
				     "\"event-runtime\" : 100000, \"pcnt-running\" : 33.00, "));
	fixture__free(&f);
}
END_TEST

START_TEST(the_unit_column_is_as_wide_as_the_longest_unit_counted)
{
	struct fixture f;
	struct event *a, *b;

	fixture__init(&f, 1);
	f.interval = true;
	a = fixture__event(&f, "x", PERF_TYPE_RAW, 1);
	a->unit = (char *)"MiB/sec";
	b = fixture__event(&f, "y", PERF_TYPE_RAW, 2);
	b->unit = (char *)"not supported";
	fixture__count(&f, a, 0, 5);
	fixture__status(&f, b, 0, SAMPLE_NOT_SUPPORTED);
	ck_assert_ptr_nonnull(strstr(fixture__print(&f),
				     "#           time             counts    unit events\n"
				     "     1.000000000                  5 MiB/sec x   "));
	fixture__free(&f);
}
END_TEST

START_TEST(a_write_that_fails_is_reported)
{
	struct fixture f;
	struct err err = ERR_INIT;
	FILE *full = fopen("/dev/full", "w"), *memory;

	ck_assert_ptr_nonnull(full);
	fixture__init(&f, 1);
	memory = f.out;
	f.out = full;
	fixture__count(&f, fixture__switches(&f), 0, 1);
	ck_assert_int_eq(fixture__try_print(&f, &err), -ENOSPC);
	ck_assert_str_eq(err.msg, "cannot write the counts: No space left on device");
	fclose(full);
	f.out = memory;
	fixture__free(&f);
}
END_TEST

/*
 * Read a pipe to its end, after a pause. Return: the reading process, which exits with 0 if it has
 * read @want.
 */
static pid_t start_reader(const int *ends, const char *want)
{
	char got[8192] = "";
	size_t len = 0;
	ssize_t n;
	pid_t pid = fork();

	if (pid)
		return pid;
	close(ends[1]);
	usleep(50000);
	while ((n = read(ends[0], got + len, sizeof(got) - 1 - len)) > 0)
		len += n;
	/* The bytes that filled the pipe are read first. */
	_exit(strcmp(got + strspn(got, "#"), want) != 0);
}

START_TEST(a_full_pipe_that_does_not_block_is_waited_for)
{
	int ends[2], status;
	struct fixture f;
	FILE *pipe_out;
	pid_t reader;

	ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
	ck_assert_int_ge(fcntl(ends[1], F_SETPIPE_SZ, 4096), 4096);
	while (write(ends[1], "#", 1) == 1)
		;
	ck_assert_int_eq(errno, EAGAIN);
	fcntl(ends[0], F_SETFL, 0);
	fixture__init(&f, 1);
	f.format = "csv";
	fixture__count(&f, fixture__switches(&f), 0, 1);
	pipe_out = fdopen(ends[1], "w");
	reader = start_reader(ends, "1,,context-switches,1000,100.00,,\n");
	close(ends[0]);
	fclose(f.out);
	f.out = pipe_out;
	fixture__print(&f);
	fclose(f.out);
	f.out = fopen("/dev/null", "w");
	ck_assert_int_eq(waitpid(reader, &status, 0), reader);
	ck_assert_int_eq(status, 0);
	fixture__free(&f);
}
END_TEST

START_TEST(only_text_follows_the_locale)
{
	struct fixture f;

	if (!set_locale_of("de_DE")) {
		puts("SKIP only_text_follows_the_locale: needs localedef with de_DE (package locales)");
		return;
	}
	one_task(&f);
	fixture__multiplexed(&f, &f.events[1], 0, 1234567, 1000000000, 1000000000);
	ck_assert_ptr_nonnull(strstr(fixture__print(&f), "1,05 msec"));
	ck_assert_ptr_nonnull(strstr(f.text, "         1.234.567      context-switches "));
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "csv"), "1.05,msec"));
	ck_assert_ptr_nonnull(strstr(fixture__print_as(&f, "json-perf"), "\"1.049431\""));
	fixture__free(&f);
}
END_TEST

/* In Pashto, the decimal point and the thousands separator have two bytes each. */
START_TEST(columns_are_of_characters)
{
	const char *count, *metric;
	struct fixture f;

	if (!set_locale_of("ps_AF")) {
		puts("SKIP columns_are_of_characters: needs localedef with ps_AF (package locales)");
		return;
	}
	one_task(&f);
	fixture__multiplexed(&f, &f.events[1], 0, 1234567, 1000000000, 1000000000);
	fixture__print(&f);
	count = strstr(f.text, "      context-switches ");
	metric = strstr(f.text, "CPUs utilized");
	ck_assert_ptr_nonnull(count);
	ck_assert_ptr_nonnull(metric);
	ck_assert_msg(!strncmp(count - 20, "         1\u066c234\u066c567", 20), "%s", f.text);
	ck_assert_msg(!strncmp(metric - 13, " #    0\u066b010 ", 13), "%s", f.text);
	ck_assert_msg(!strncmp(metric, "CPUs utilized             \n", 27), "%s", f.text);
	fixture__free(&f);
}
END_TEST

/*
 * A name that is wider than its column moves the rest of the line. A wide character takes two
 * columns.
 */
START_TEST(long_and_foreign_names) /* R37 */
{
	struct cgroup group = { .name = (char *)"system.slice/\xe4\xb8\xad\xe6\x96\x87,a.service" };
	struct event *long_one, *short_one;
	struct fixture f;

	if (!setlocale(LC_ALL, "C.UTF-8")) {
		puts("SKIP long_and_foreign_names: no locale C.UTF-8");
		return;
	}
	fixture__init(&f, 1);
	f.opts.aggr = AGGR_THREAD;
	f.comms[0] = "\xe4\xb8\xad\xe6\x96\x87\x1b[2J";
	long_one = fixture__event(&f, "an_event_whose_name_is_longer_than_32_columns", PERF_TYPE_RAW, 1);
	short_one = fixture__event(&f, "\xc3\xa9v\xc3\xa9nement", PERF_TYPE_RAW, 2);
	long_one->cgroup = &group;
	fixture__count(&f, long_one, 0, 5);
	fixture__count(&f, short_one, 0, 6);
	fixture__print(&f);
	ck_assert_msg(
		strstr(f.text,
		       "        \xe4\xb8\xad\xe6\x96\x87?[2J-0                        5      "
		       "an_event_whose_name_is_longer_than_32_columns"
		       " system.slice/\xe4\xb8\xad\xe6\x96\x87,a.service    "),
		"%s", f.text);
	ck_assert_msg(strstr(f.text, "                  6      \xc3\xa9v\xc3\xa9nement               "
				     "                         "),
		      "%s", f.text);
	ck_assert_ptr_nonnull(strstr(
		fixture__print_as(&f, "csv"),
		"\xe4\xb8\xad\xe6\x96\x87?[2J-0,5,,an_event_whose_name_is_longer_than_32_columns,"
		"\"system.slice/\xe4\xb8\xad\xe6\x96\x87,a.service\",1000,100.00,,\n"));
	fixture__free(&f);
}
END_TEST

TMA_TEST_MAIN(report_formats, text_of_a_command, csv_of_a_command, json_of_a_command,
	      an_event_without_metric_in_each_form, rows_of_cpus, rows_of_cores,
	      rows_of_other_places, places_come_in_order_whatever_their_cpus, rows_of_threads,
	      heading_again_every_26_rows, a_share_of_the_time_follows_the_count,
	      the_unit_column_is_as_wide_as_the_longest_unit_counted,
	      a_write_that_fails_is_reported, a_full_pipe_that_does_not_block_is_waited_for,
	      only_text_follows_the_locale, columns_are_of_characters, long_and_foreign_names)
