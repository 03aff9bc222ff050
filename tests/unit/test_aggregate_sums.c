// SPDX-License-Identifier: GPL-2.0-only
/* From samples to sums, and from sums to the values of metrics. */
#include <errno.h>
#include <math.h>

#include "aggregate/sums.h"
#include "counts_fixture.h"

/* Return: the sums of the fixture's samples; the caller frees them with sums__free(). */
static struct sums *sums_of(struct fixture *f, const struct report_options *opts)
{
	struct units units = fixture__units(f);
	struct counts counts = fixture__counts(f);
	struct sums *sums;

	sums = sums__new(&f->machine, &f->plan, &units, opts);
	sums__take(sums, &counts, false);
	return sums;
}

START_TEST(each_row_has_the_sums_of_its_units)
{
	const struct report_options by_socket = { .aggr = AGGR_SOCKET };
	const struct sum *sum;
	struct fixture f;
	struct sums *sums;
	struct event *e;

	fixture__init(&f, 8);
	e = fixture__event(&f, "e", PERF_TYPE_RAW, 1);
	e->scale = 0.5;
	for (int i = 0; i < 8; i++)
		fixture__multiplexed(&f, e, i, 10 + i, 1000, i < 4 ? 1000 : 500);
	sums = sums_of(&f, &by_socket);
	ck_assert_int_eq(sums->nr_rows, 2);
	ck_assert(sums->per_cpu);
	for (int row = 0; row < 2; row++)
		ck_assert_int_eq(sums->rows[row].at[PLACE_SOCKET], row);
	sum = sums__at(sums, 0, 0);
	ck_assert_uint_eq(sum->value, 10 + 11 + 12 + 13);
	ck_assert_int_eq(sum->nr, 4);
	ck_assert_int_eq(sum__status(sum), SAMPLE_COUNTED);
	ck_assert_double_eq(sum__percent(sum), 100);
	ck_assert_double_eq(sums__value(sums, 0, 0), 23);
	sum = sums__at(sums, 0, 1);
	ck_assert_uint_eq(sum->value, 2 * (14 + 15 + 16 + 17));
	ck_assert_uint_eq(sum->enabled, 4000);
	ck_assert_uint_eq(sum->running, 2000);
	ck_assert_int_eq(sum__status(sum), SAMPLE_SCALED);
	ck_assert_double_eq(sum__percent(sum), 50);
	sums__free(sums);
	fixture__free_counts(&f);
}
END_TEST

START_TEST(threads_of_a_process_share_its_row)
{
	const struct report_options by_process = {.aggr = AGGR_THREAD, .by_process = true};
	static const char *const comms[] = {"first", "worker", "alone", "orphan"};
	static const int ids[] = {10, 11, 12, 31}, processes[] = {10, 10, 0, 30};
	const struct units units = {.nr = 4, .ids = ids, .comms = comms, .processes = processes};
	struct counts counts;
	struct fixture f;
	struct sums *sums;
	struct event *e;

	fixture__init(&f, 4);
	e = fixture__event(&f, "e", PERF_TYPE_RAW, 1);
	for (int i = 0; i < 4; i++)
		fixture__count(&f, e, i, 1 << i);
	counts = fixture__counts(&f);
	sums = sums__new(&f.machine, &f.plan, &units, &by_process);
	sums__take(sums, &counts, false);
	ck_assert_int_eq(sums->nr_rows, 3);
	ck_assert_int_eq(sums->rows[0].at[PLACE_THREAD], 10);
	ck_assert_str_eq(sums->rows[0].comm, "first");
	ck_assert_int_eq(sums->rows[0].nr_units, 2);
	ck_assert_uint_eq(sums__at(sums, 0, 0)->value, 1 + 2);
	/* Process of the thread unknown: the thread has its own row. */
	ck_assert_int_eq(sums->rows[1].at[PLACE_THREAD], 12);
	ck_assert_uint_eq(sums__at(sums, 0, 1)->value, 4);
	/* First thread of the process has ended: the row has another thread. */
	ck_assert_int_eq(sums->rows[2].at[PLACE_THREAD], 30);
	ck_assert_str_eq(sums->rows[2].comm, "orphan");
	sums__free(sums);
	fixture__free_counts(&f);
}
END_TEST

static const struct {
	enum sample_status first, second, sum;
} statuses[] = {
	{ SAMPLE_ABSENT, SAMPLE_ABSENT, SAMPLE_ABSENT },
	{ SAMPLE_NOT_SUPPORTED, SAMPLE_ABSENT, SAMPLE_NOT_SUPPORTED },
	{ SAMPLE_NOT_SUPPORTED, SAMPLE_NOT_COUNTED, SAMPLE_NOT_COUNTED },
	{ SAMPLE_NOT_COUNTED, SAMPLE_NOT_COUNTED, SAMPLE_NOT_COUNTED },
	{ SAMPLE_NOT_COUNTED, SAMPLE_BUSY, SAMPLE_BUSY },
	/* the worst status is reported */
	{ SAMPLE_LOST, SAMPLE_BUSY, SAMPLE_LOST },
	{ SAMPLE_BUSY, SAMPLE_LOST, SAMPLE_LOST },
};

START_TEST(a_sum_has_the_status_of_its_worst_part)
{
	const struct report_options all = { .aggr = AGGR_GLOBAL };

	for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++) {
		struct fixture f;
		struct sums *sums;
		struct event *e;

		fixture__init(&f, 2);
		e = fixture__event(&f, "e", PERF_TYPE_RAW, 1);
		fixture__status(&f, e, 0, statuses[i].first);
		fixture__status(&f, e, 1, statuses[i].second);
		sums = sums_of(&f, &all);
		ck_assert_int_eq(sum__status(sums__at(sums, 0, 0)), statuses[i].sum);
		ck_assert(!sum__is_counted(sums__at(sums, 0, 0)));
		ck_assert(isnan(sum__percent(sums__at(sums, 0, 0))));
		sums__free(sums);
		fixture__free_counts(&f);
	}
}
END_TEST

START_TEST(metrics_are_of_the_sums_of_a_row)
{
	const struct report_options by_socket = { .aggr = AGGR_SOCKET };
	struct plan_metric *m;
	struct event *a, *b;
	struct fixture f;
	struct sums *sums;

	fixture__init(&f, 8);
	a = fixture__event(&f, "a", PERF_TYPE_RAW, 1);
	b = fixture__event(&f, "b", PERF_TYPE_RAW, 2);
	for (int i = 0; i < 8; i++) {
		fixture__count(&f, a, i, 10);
		fixture__count(&f, b, i, 40);
	}
	fixture__multiplexed(&f, b, 6, 0, 1000, 0);
	m = fixture__metric(&f, "m", "a / b", NULL, a);
	sums = sums_of(&f, &by_socket);
	sums__evaluate(sums, &f.time);
	ck_assert_int_eq(sums->nr_metrics, 1);
	ck_assert_ptr_eq(sums->metrics[0].metric, m);
	ck_assert_double_eq(sums->metrics[0].scale, 100);
	ck_assert_double_eq(sums->out[m->value * sums->nr_rows], 0.25);
	ck_assert(isnan(sums->out[m->value * sums->nr_rows + 1]));
	sums__free(sums);
	fixture__free_counts(&f);
}
END_TEST

START_TEST(runs_have_a_mean_and_a_spread)
{
	const struct report_options opts = { .aggr = AGGR_GLOBAL, .runs = true };
	struct fixture f;
	struct units units;
	struct counts counts;
	struct sums *sums;
	struct event *e;

	fixture__init(&f, 1);
	e = fixture__event(&f, "e", PERF_TYPE_RAW, 1);
	units = fixture__units(&f);
	counts = fixture__counts(&f);
	sums = sums__new(&f.machine, &f.plan, &units, &opts);
	for (int i = 0; i < 3; i++) {
		fixture__count(&f, e, 0, 90 + 10 * i);
		f.time.elapsed_ns = 1000 + i;
		ck_assert_int_eq(sums__add_run(sums, &units, &counts, &f.time, NULL), 0);
	}
	sums__take_runs(sums);
	ck_assert_uint_eq(sums__at(sums, 0, 0)->value, 100);
	ck_assert_uint_eq(sums__at(sums, 0, 0)->enabled, 1000);
	/* Three runs whose standard deviation is 10. */
	ck_assert_double_eq_tol(sums__run_spread(sums, 0, 0), 10 / sqrt(3), 1e-9);
	ck_assert_double_eq_tol(sums->runs.elapsed.mean, 1001, 1e-9);
	ck_assert_double_eq_tol(spread__error(&sums->runs.elapsed), 1 / sqrt(3), 1e-9);
	ck_assert_int_eq(sums->runs.lengths.nr, 3);
	sums__free(sums);
	fixture__free_counts(&f);
}
END_TEST

START_TEST(what_one_run_did_not_count_is_missing)
{
	const struct report_options opts = { .aggr = AGGR_GLOBAL, .runs = true };
	struct fixture f;
	struct units units;
	struct counts counts;
	struct sums *sums;
	struct event *e;

	fixture__init(&f, 1);
	e = fixture__event(&f, "e", PERF_TYPE_RAW, 1);
	units = fixture__units(&f);
	counts = fixture__counts(&f);
	sums = sums__new(&f.machine, &f.plan, &units, &opts);
	fixture__count(&f, e, 0, 90);
	ck_assert_int_eq(sums__add_run(sums, &units, &counts, &f.time, NULL), 0);
	fixture__multiplexed(&f, e, 0, 0, 1000, 0);
	ck_assert_int_eq(sums__add_run(sums, &units, &counts, &f.time, NULL), 0);
	sums__take_runs(sums);
	ck_assert(!sum__is_counted(sums__at(sums, 0, 0)));
	ck_assert_int_eq(sum__status(sums__at(sums, 0, 0)), SAMPLE_NOT_COUNTED);
	sums__free(sums);
	fixture__free_counts(&f);
}
END_TEST

/*
 * Check that a run on @before CPUs and a run on @after CPUs are not added up; release everything.
 */
static void refuse_other_cpus(int before, int after)
{
	const struct report_options opts = {
		.aggr = AGGR_NONE,
		.runs = true,
		.latency_mode = LATENCY_P50,
	};
	struct fixture f;
	struct units units;
	struct counts counts;
	struct err err = ERR_INIT;
	struct sums *sums;
	struct event *e;

	fixture__init(&f, 8);
	e = fixture__event(&f, "e:R", PERF_TYPE_RAW, 1);
	/* The sums own a histogram of latencies for each event. */
	e->retire_latency = e->sampled = true;
	units = fixture__units(&f);
	counts = fixture__counts(&f);
	units.nr = counts.nr_units = before;
	sums = sums__new(&f.machine, &f.plan, &units, &opts);
	ck_assert_int_eq(sums__add_run(sums, &units, &counts, &f.time, NULL), 0);
	ck_assert_int_eq(sums__add_run(sums, &units, &counts, &f.time, NULL), 0);
	units.nr = counts.nr_units = after;
	ck_assert_int_eq(sums__add_run(sums, &units, &counts, &f.time, &err), -ESTALE);
	ck_assert_str_eq(err.msg, "the CPUs are no longer those of the first run");
	ck_assert_int_eq(sums->nr_cells, before);
	sums__free(sums);
	fixture__free_counts(&f);
}

START_TEST(runs_on_other_cpus_are_refused)
{
	refuse_other_cpus(8, 4);
	refuse_other_cpus(4, 8);
}
END_TEST

/* Make an event that was enabled for 1000 ns on each CPU, and ran on the CPUs of a mask. */
static struct event *event_on(struct fixture *f, const char *name, unsigned int cpus)
{
	struct event *e = fixture__event(f, name, PERF_TYPE_RAW, 1);

	for (int i = 0; i < f->nr_units; i++)
		fixture__multiplexed(f, e, i, cpus >> i & 1 ? 10 : 0, 1000,
				     cpus >> i & 1 ? 1000 : 0);
	return e;
}

START_TEST(the_whole_says_what_it_lacks_and_other_rows_are_none)
{
	const struct report_options all = {.aggr = AGGR_GLOBAL}, sockets = {.aggr = AGGR_SOCKET};
	struct fixture f;
	struct sums *sums;

	fixture__init(&f, 8);
	event_on(&f, "a", 0xff & ~(1 << 3 | 1 << 4 | 1 << 6));
	event_on(&f, "b", 0xff);
	event_on(&f, "c", 0);
	sums = sums_of(&f, &all);
	ck_assert(sums__at(sums, 0, 0)->lacks);
	ck_assert_uint_eq(sums__at(sums, 0, 0)->value, 5 * 10);
	ck_assert_int_eq(sums__at(sums, 0, 0)->counters, 8);
	ck_assert_str_eq(sums->events[0].lacking.words, "without CPUs 3-4,6 (no counter was free)");
	ck_assert(!sums__at(sums, 1, 0)->lacks);
	/* If an event was not counted anywhere, it does not lack a part. */
	ck_assert(!sums__at(sums, 2, 0)->lacks);
	ck_assert_int_eq(sum__status(sums__at(sums, 2, 0)), SAMPLE_NOT_COUNTED);
	/* The next row is judged independently. */
	for (int i = 0; i < 8; i++)
		fixture__count(&f, &f.events[0], i, 1);
	sums__take(sums, &(struct counts){.at = f.samples, .nr_units = 8}, false);
	ck_assert(!sums__at(sums, 0, 0)->lacks);
	sums__free(sums);
	event_on(&f, "d", 0xff & ~(1 << 3));
	sums = sums_of(&f, &sockets);
	ck_assert(!sum__is_counted(sums__at(sums, 3, 0)));
	ck_assert_uint_eq(sums__at(sums, 3, 1)->value, 4 * 10);
	sums__free(sums);
	fixture__free_counts(&f);
}
END_TEST

START_TEST(values_are_made_of_the_same_parts)
{
	const struct report_options all = {.aggr = AGGR_GLOBAL};
	const struct row_time second = {.elapsed_ns = 1000000000};
	const struct plan_metric *same, *differ;
	struct event *shown;
	struct fixture f;
	struct sums *sums;
	int outputs;

	fixture__init(&f, 8);
	shown = event_on(&f, "a", 0xf7);
	event_on(&f, "b", 0xf7);
	event_on(&f, "c", 0xff);
	event_on(&f, "d", 0xef);
	same = fixture__metric(&f, "same", "a + b", NULL, shown);
	differ = fixture__metric(&f, "differ", "a + c", NULL, shown);
	fixture__metric(&f, "others", "a + d", NULL, shown);
	fixture__metric(&f, "whole", "c * 2", "a > 1", shown);
	sums = sums_of(&f, &all);
	sums__evaluate(sums, &second);
	outputs = sums__nr_outputs(sums);
	ck_assert_int_eq(outputs, 5);
	ck_assert_double_eq(sums->out[same->value], 140);
	ck_assert_int_eq(sums__odd_event(sums, same, same->value), -1);
	ck_assert_int_eq(sums__lacking_event(sums, same), 0);
	ck_assert(isnan(sums->out[differ->value]));
	ck_assert_int_eq(sums__odd_event(sums, differ, differ->value), 0);
	ck_assert(isnan(sums->out[f.plan_metrics[2].value]));
	/* An event of the metric's threshold is incomplete, but the metric's value is complete. */
	ck_assert_double_eq(sums->out[f.plan_metrics[3].value], 160);
	ck_assert_int_eq(sums__lacking_event(sums, &f.plan_metrics[3]), -1);
	ck_assert(sums__has_same_parts(sums, 0, 1) && !sums__has_same_parts(sums, 0, 3));
	sums__free(sums);
	fixture__free_counts(&f);
}
END_TEST

/*
 * A thread that ran only briefly may have missed its event's turn. If it ran for long, a part is
 * missing.
 */
START_TEST(of_tasks_a_part_is_a_hundredth_of_their_time)
{
	const struct report_options all = {.aggr = AGGR_GLOBAL};
	static const char *const comms[] = {"a", "b"};
	static const int ids[] = {10, 11};
	const struct units units = {.nr = 2, .ids = ids, .comms = comms};
	struct fixture f;
	struct event *e;

	fixture__init(&f, 2);
	e = fixture__event(&f, "e", PERF_TYPE_RAW, 1);
	fixture__multiplexed(&f, e, 0, 10, 10000, 10000);
	for (int enabled = 0; enabled <= 200; enabled += 100) {
		struct counts counts;
		struct sums *sums;

		fixture__multiplexed(&f, e, 1, 0, enabled, 0);
		counts = fixture__counts(&f);
		sums = sums__new(&f.machine, &f.plan, &units, &all);
		sums__take(sums, &counts, false);
		ck_assert_int_eq(sums__at(sums, 0, 0)->lacks, enabled == 200);
		sums__free(sums);
	}
	fixture__free_counts(&f);
}
END_TEST

TMA_TEST_MAIN(aggregate_sums, each_row_has_the_sums_of_its_units,
	      threads_of_a_process_share_its_row, a_sum_has_the_status_of_its_worst_part,
	      metrics_are_of_the_sums_of_a_row, runs_have_a_mean_and_a_spread,
	      what_one_run_did_not_count_is_missing, runs_on_other_cpus_are_refused,
	      the_whole_says_what_it_lacks_and_other_rows_are_none,
	      values_are_made_of_the_same_parts, of_tasks_a_part_is_a_hundredth_of_their_time)
