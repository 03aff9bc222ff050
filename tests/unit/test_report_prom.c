// SPDX-License-Identifier: GPL-2.0-only
/*
 * --format=prom: Prometheus accepts the text, counters never decrease, and the file is always
 * complete.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "machine/cgroup.h"
#include "report_fixture.h"

static void prom(struct fixture *f, int nr_units)
{
	fixture__init(f, nr_units);
	f->format = "prom";
}

/* Find the value of a sample by its name and labels; "-" if there is no such sample. */
static const char *sample_of(const char *text, const char *sample)
{
	static char value[64];
	size_t len = strlen(sample);

	for (const char *at = text; *at; at = strchr(at, '\n') + 1)
		if (!strncmp(at, sample, len) && at[len] == ' ') {
			snprintf(value, sizeof(value), "%.*s", (int)strcspn(at + len + 1, "\n"),
				 at + len + 1);
			return value;
		}
	return "-";
}

START_TEST(all_of_a_run)
{
	struct event *cycles, *instructions;
	struct fixture f;

	prom(&f, 1);
	cycles = fixture__cycles(&f);
	instructions = fixture__instructions(&f);
	fixture__metric(&f, "tma_retiring", "b / a / 4", "a > 5", instructions);
	fixture__count(&f, cycles, 0, 1000);
	fixture__multiplexed(&f, instructions, 0, 1000, 400, 200);
	ck_assert_str_eq(
		fixture__print(&f),
		"# HELP tma_measured_seconds_total Time measured since the start.\n"
		"# TYPE tma_measured_seconds_total counter\n"
		"tma_measured_seconds_total 1.000000000\n"
		"# HELP tma_lost_seconds_total Time since the start in which nothing was "
		"measured.\n"
		"# TYPE tma_lost_seconds_total counter\n"
		"tma_lost_seconds_total 0.000000000\n"
		"# HELP tma_restarts_total How often the measurement was restarted.\n"
		"# TYPE tma_restarts_total counter\n"
		"tma_restarts_total 0\n"
		"# HELP tma_row_seconds Length of the last row.\n"
		"# TYPE tma_row_seconds gauge\n"
		"tma_row_seconds 1.000000000\n"
		"# HELP tma_event_count_total Events counted since the start.\n"
		"# TYPE tma_event_count_total counter\n"
		"tma_event_count_total{event=\"cycles\",pmu=\"cpu\"} 1000\n"
		"tma_event_count_total{event=\"instructions\",pmu=\"cpu\"} 2000\n"
		"# HELP tma_event_running_ratio Share of the last row's time in which the event "
		"had a counter.\n"
		"# TYPE tma_event_running_ratio gauge\n"
		"tma_event_running_ratio{event=\"cycles\",pmu=\"cpu\"} 1\n"
		"tma_event_running_ratio{event=\"instructions\",pmu=\"cpu\"} 0.5\n"
		"# HELP tma_event_coverage_ratio Share of the last row's time in which all CPUs "
		"counted the event.\n"
		"# TYPE tma_event_coverage_ratio gauge\n"
		"tma_event_coverage_ratio{event=\"cycles\",pmu=\"cpu\"} 1e-06\n"
		"tma_event_coverage_ratio{event=\"instructions\",pmu=\"cpu\"} 2e-07\n"
		"# HELP tma_event_status Status of the event in the last row, and the reason.\n"
		"# TYPE tma_event_status gauge\n"
		"tma_event_status{event=\"cycles\",pmu=\"cpu\",status=\"counted\"} 1\n"
		"tma_event_status{event=\"instructions\",pmu=\"cpu\",status=\"scaled\",reason=\"an "
		"estimate, since events were multiplexed\"} 1\n"
		"# HELP tma_metric Metrics of the last row.\n"
		"# TYPE tma_metric gauge\n"
		"tma_metric{name=\"insn_per_cycle\",event=\"instructions\"} 2\n"
		"tma_metric{name=\"tma_retiring\",unit=\"%\"} 50\n"
		"# HELP tma_metric_threshold_passed Whether the metric is over its threshold.\n"
		"# TYPE tma_metric_threshold_passed gauge\n"
		"tma_metric_threshold_passed{name=\"tma_retiring\"} 1\n"
		"# HELP tma_metric_running_ratio Least share of the last row's time in which an "
		"event of the metric had a counter.\n"
		"# TYPE tma_metric_running_ratio gauge\n"
		"tma_metric_running_ratio{name=\"insn_per_cycle\",event=\"instructions\"} 0.5\n"
		"tma_metric_running_ratio{name=\"tma_retiring\"} 0.5\n"
		"# HELP tma_metric_status Status of the metric in the last row, and the reason.\n"
		"# TYPE tma_metric_status gauge\n"
		"tma_metric_status{name=\"insn_per_cycle\",event=\"instructions\",status="
		"\"scaled\",reason=\"an estimate, since events were multiplexed\"} 1\n"
		"tma_metric_status{name=\"tma_retiring\",status=\"scaled\",reason=\"an estimate, "
		"since events were multiplexed\"} 1\n");
	fixture__free(&f);
}
END_TEST

START_TEST(counts_grow_and_states_do_not)
{
	static const char counts[] = "tma_event_count_total{event=\"count\",pmu=\"cpu\"}";
	static const char states[] = "tma_event_state{event=\"state\",pmu=\"cpu\",unit=\"KiB\"}";
	struct event *count, *state;
	struct fixture f;
	const char *text;

	prom(&f, 1);
	f.interval = true;
	count = fixture__event(&f, "count", PERF_TYPE_RAW, 1);
	state = fixture__event(&f, "state", PERF_TYPE_RAW, 2);
	state->snapshot = true;
	state->scale = 0.5;
	state->unit = (char *)"KiB";
	fixture__multiplexed(&f, count, 0, 0, 100, 0);
	fixture__count(&f, state, 0, 7);
	text = fixture__print(&f);
	ck_assert_str_eq(sample_of(text, counts), "-");
	ck_assert_str_eq(sample_of(text, states), "3.5");
	fixture__count(&f, count, 0, 5);
	fixture__count(&f, state, 0, 6);
	text = fixture__print(&f);
	ck_assert_str_eq(sample_of(text, counts), "5");
	ck_assert_str_eq(sample_of(text, states), "3");
	/* If a count is lost, its row has no value, and the counter does not decrease. */
	fixture__status(&f, count, 0, SAMPLE_LOST);
	text = fixture__print(&f);
	ck_assert_str_eq(sample_of(text, counts), "5");
	ck_assert_str_eq(sample_of(text, "tma_event_status{event=\"count\",pmu=\"cpu\",status=\"lost\","
					 "reason=\"its counter could not be read, or ran backwards\"}"),
			 "1");
	fixture__count(&f, count, 0, 8);
	text = fixture__print(&f);
	ck_assert_str_eq(sample_of(text, counts), "13");
	fixture__free(&f);
}
END_TEST

START_TEST(labels_are_escaped)
{
	struct cgroup group = { .name = (char *)"a\"b\\c\nd/\xff" };
	struct fixture f;
	struct event *e;

	prom(&f, 1);
	f.opts.aggr = AGGR_THREAD;
	f.comms[0] = "\xc3\xa9";
	e = fixture__event(&f, "cpu/event=1,umask=2/", PERF_TYPE_RAW, 1);
	e->cgroup = &group;
	fixture__count(&f, e, 0, 3);
	ck_assert_str_eq(sample_of(fixture__print(&f),
				   "tma_event_count_total{event=\"cpu/event=1,umask=2/\",pmu=\"cpu\","
				   "thread=\"0\",comm=\"\xc3\xa9\","
				   "cgroup=\"a\\\"b\\\\c\\nd/\\\\xff\"}"),
			 "3");
	fixture__free(&f);
}
END_TEST

START_TEST(no_two_names_are_one_label)
{
	/* The name of a cgroup, and the same as a label, where a backslash is doubled. */
	static const struct {
		const char *name, *label;
	} names[] = {
		{"u/\x01", "u/\\\\x01"},
		{"u/\x02", "u/\\\\x02"},
		{"u/?", "u/?"},
		{"u/\xef\xbf\xbd", "u/\xef\xbf\xbd"},
		{"u/\xfe", "u/\\\\xfe"},
		{"u/\xe2\x80\xae", "u/\\\\xe2\\\\x80\\\\xae"},
		{"u/\\x01", "u/\\\\x5cx01"},
		{"u/\\x5cx01", "u/\\\\x5cx5cx01"},
		{"u/a\\x2db", "u/a\\\\x2db"},
		{"u/\\x", "u/\\\\x"},
		{"u/\\xf", "u/\\\\xf"},
		{"u/\\xFF", "u/\\\\xFF"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct cgroup group = {.name = (char *)names[i].name};
		char sample[256];
		struct fixture f;
		struct event *e;

		prom(&f, 1);
		e = fixture__event(&f, "a", PERF_TYPE_RAW, 1);
		e->cgroup = &group;
		fixture__count(&f, e, 0, 3);
		snprintf(sample, sizeof(sample),
			 "tma_event_count_total{event=\"a\",pmu=\"cpu\",cgroup=\"%s\"}",
			 names[i].label);
		ck_assert_str_eq(sample_of(fixture__print(&f), sample), "3");
		fixture__free(&f);
	}
}
END_TEST

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Prometheus refuses a file that has a sample twice, or a family in two places. */
static void check_unique(char *text)
{
	static char *lines[4096];
	int nr = 0;

	for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n")) {
		if (*at != '#')
			*strrchr(at, ' ') = '\0';
		ck_assert_int_lt(nr, 4096);
		lines[nr++] = at;
	}
	qsort(lines, nr, sizeof(*lines), compare_lines);
	for (int i = 1; i < nr; i++)
		ck_assert_msg(strcmp(lines[i], lines[i - 1]), "twice: %s", lines[i]);
}

START_TEST(no_sample_comes_twice)
{
	struct cgroup groups[2] = { { .name = (char *)"a" }, { .name = (char *)"b" } };
	struct fixture f;

	prom(&f, 8);
	f.opts.aggr = AGGR_NONE;
	f.plan.nr_cgroups = 2;
	for (int i = 0; i < 8; i++) {
		struct event *e = fixture__event(&f, i % 2 ? "x" : "y", PERF_TYPE_RAW, i % 2);

		e->cgroup = &groups[i / 4];
		for (int unit = 0; unit < 8; unit++)
			fixture__count(&f, e, unit, 10 + i);
	}
	for (int i = 0; i < 4; i++)
		fixture__metric(&f, "m", "a + e", "a > 1", &f.events[i / 2 * 4]);
	fixture__print(&f);
	ck_assert_str_eq(sample_of(f.text, "tma_event_count_total{event=\"x #2\",pmu=\"cpu\",cpu=\"7\","
					   "cgroup=\"b\"}"),
			 "17");
	ck_assert_str_eq(sample_of(f.text, "tma_metric{name=\"m #2\",unit=\"%\",cpu=\"0\",cgroup=\"b\"}"),
			 "2400");
	check_unique(f.text);
	fixture__free(&f);
}
END_TEST

static void expect_file(const char *path, const char *part)
{
	struct err err = ERR_INIT;
	char *text;

	ck_assert_msg(!file__read(path, 1 << 20, &text, NULL, &err), "%s", err.msg);
	ck_assert_msg(strstr(text, part), "%s", text);
	free(text);
}

START_TEST(the_file_is_replaced_at_each_row)
{
	char dir[] = "/tmp/tma-prom-XXXXXX", path[64];
	struct stat first, second;
	struct fixture f;
	struct event *e;
	char **names;
	int nr;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/tma.prom", dir);
	prom(&f, 1);
	f.interval = true;
	f.print.path = path;
	e = fixture__switches(&f);
	fixture__count(&f, e, 0, 3);
	fixture__print(&f);
	ck_assert_uint_eq(f.len, 0);
	expect_file(path, "} 3\n");
	ck_assert_int_eq(stat(path, &first), 0);
	fixture__print(&f);
	expect_file(path, "} 6\n");
	ck_assert_int_eq(stat(path, &second), 0);
	/* The file is replaced. A reader that has opened the first file can still read it. */
	ck_assert_uint_ne(first.st_ino, second.st_ino);
	ck_assert_int_eq(file__list_dir(&names, &nr, "%s", dir), 0);
	ck_assert_int_eq(nr, 1);
	file__free_names(names, nr);
	fixture__free(&f);
	unlink(path);
	rmdir(dir);
}
END_TEST

START_TEST(a_file_that_cannot_be_replaced_is_an_error)
{
	struct fixture f;
	struct err err = ERR_INIT;

	prom(&f, 1);
	f.print.path = "/nonexistent/tma.prom";
	fixture__count(&f, fixture__switches(&f), 0, 3);
	ck_assert_int_eq(fixture__try_print(&f, &err), -ENOENT);
	ck_assert_str_eq(err.msg, "cannot write /nonexistent/tma.prom: No such file or directory");
	fixture__free(&f);
}
END_TEST

TMA_TEST_MAIN(report_prom, all_of_a_run, counts_grow_and_states_do_not, labels_are_escaped,
	      no_two_names_are_one_label, no_sample_comes_twice, the_file_is_replaced_at_each_row,
	      a_file_that_cannot_be_replaced_is_an_error)
