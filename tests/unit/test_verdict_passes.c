// SPDX-License-Identifier: GPL-2.0-only
/* Errors of metrics whose events were counted in different runs of the command. */
#include <math.h>

#include "counts_fixture.h"
#include "plan/sets.h"
#include "verdict/verdicts.h"

enum { SLOTS, RETIRING, CLOCK, NR_EVENTS };

#define SPREAD 0.1

/* The first pass counts SLOTS and RETIRING, the second pass CLOCK. */
static bool has[] = { true, true, false, false, false, true };
static const struct sets passes = { .nr = 2, .nr_events = NR_EVENTS, .has = has };
static const struct report_options opts = {
	.aggr = AGGR_GLOBAL,
	.passes = &passes,
	.nr_passes = 2,
};

/* Metrics of the first level: one has events of one pass, the other has events of both passes. */
static void begin(struct fixture *f)
{
	static const char *const names[] = { "slots", "retiring", "clock" };
	struct event *e[NR_EVENTS];

	fixture__init(f, 1);
	for (int i = 0; i < NR_EVENTS; i++)
		e[i] = fixture__event(f, names[i], PERF_TYPE_RAW, i);
	fixture__metric(f, "tma_one", "b / a", NULL, e[SLOTS]);
	fixture__metric(f, "tma_both", "b / c", NULL, e[SLOTS]);
	for (int i = 0; i < 2; i++) {
		f->metrics[i].info.groups = "TopdownL1";
		f->plan_metrics[i].over_passes = true;
	}
	f->time.pass_spread = SPREAD;
	f->time.nr_passes = 2;
}

/* Fill in the two metrics, as they are in the verdict. */
static void conclude(struct fixture *f, int slots, int retiring, int clock,
		     struct grid_node *one, struct grid_node *both)
{
	const int counted[NR_EVENTS] = { slots, retiring, clock };
	struct units units = fixture__units(f);
	struct counts counts = fixture__counts(f);
	struct grid grid = { .nr_rows = 1 };
	struct verdicts *verdicts;
	struct sums *sums;

	for (int i = 0; i < NR_EVENTS; i++)
		fixture__count(f, &f->events[i], 0, counted[i]);
	sums = sums__new(&f->machine, &f->plan, &units, &opts);
	verdicts = verdicts__new(sums, NULL);
	sums__take(sums, &counts, false);
	sums__evaluate(sums, &f->time);
	verdicts__conclude(verdicts, &grid);
	ck_assert_int_eq(grid.nr_verdicts, 1);
	ck_assert_int_eq(grid.verdicts[0].nr_nodes, 2);
	ck_assert_int_eq(grid.verdicts[0].passes, 2);
	*one = grid.verdicts[0].nodes[0];
	*both = grid.verdicts[0].nodes[1];
	grid__free(&grid);
	verdicts__free(verdicts);
	sums__free(sums);
}

/* If both numbers grow by the same factor, the last digit of some quotients changes. */
START_TEST(what_a_pass_does_not_change_is_exact)
{
	struct grid_node one, both;
	struct fixture f;
	int rounded = 0;

	begin(&f);
	for (int slots = 1; slots < 30; slots++)
		for (int retiring = 1; retiring < 30; retiring++) {
			double value = (double)retiring / slots;

			conclude(&f, slots, retiring, 7, &one, &both);
			ck_assert_str_eq(one.name, "tma_one");
			ck_assert_double_eq_tol(one.value, 100 * value, 1e-9);
			ck_assert_msg(one.error == 0, "%d / %d: %g", retiring, slots, one.error);
			rounded += retiring * (1 + SPREAD) / (slots * (1 + SPREAD)) != value;
		}
	ck_assert_int_gt(rounded, 0);
	fixture__free_counts(&f);
}
END_TEST

START_TEST(metrics_of_both_passes_have_the_errors_of_both)
{
	struct grid_node one, both;
	struct fixture f;
	double first = SPREAD, second = 1 - 1 / (1 + SPREAD);

	begin(&f);
	conclude(&f, 10, 20, 40, &one, &both);
	ck_assert_str_eq(both.name, "tma_both");
	ck_assert_double_eq_tol(both.value, 50, 1e-9);
	ck_assert_double_eq_tol(both.error, 50 * sqrt(first * first + second * second), 1e-9);
	fixture__free_counts(&f);
}
END_TEST

START_TEST(passes_that_did_not_differ_are_exact)
{
	struct grid_node one, both;
	struct fixture f;

	begin(&f);
	f.time.pass_spread = 0;
	conclude(&f, 10, 20, 40, &one, &both);
	ck_assert(one.error == 0);
	ck_assert(both.error == 0);
	/* If it is unknown how much they grew, the error is unknown. */
	f.time.pass_spread = NAN;
	conclude(&f, 10, 20, 40, &one, &both);
	ck_assert(isnan(both.error));
	fixture__free_counts(&f);
}
END_TEST

TMA_TEST_MAIN(verdict_passes, what_a_pass_does_not_change_is_exact,
	      metrics_of_both_passes_have_the_errors_of_both, passes_that_did_not_differ_are_exact)
