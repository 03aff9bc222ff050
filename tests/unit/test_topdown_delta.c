// SPDX-License-Identifier: GPL-2.0-only
/* The arithmetic of snapshots, compared with results computed by hand. */
#include <math.h>

#include "unit.h"
#include "topdown_fixture.h"

#define assert_share(got, want) ck_assert_double_eq_tol(got, want, 1e-9)

START_TEST(fields_become_slots)
{
	uint64_t metrics = fields(0, 1, 127, 255, 51, 128, 254, 2);

	ck_assert_uint_eq(topdown__field_slots(2550, metrics, TMA_TOPDOWN_RETIRING), 0);
	ck_assert_uint_eq(topdown__field_slots(2550, metrics, TMA_TOPDOWN_BAD_SPEC), 10);
	ck_assert_uint_eq(topdown__field_slots(2550, metrics, TMA_TOPDOWN_FE_BOUND), 1270);
	ck_assert_uint_eq(topdown__field_slots(2550, metrics, TMA_TOPDOWN_BE_BOUND), 2550);
	ck_assert_uint_eq(topdown__field_slots(2550, metrics, TMA_TOPDOWN_HEAVY_OPS), 510);
	ck_assert_uint_eq(topdown__field_slots(2550, metrics, TMA_TOPDOWN_BR_MISPREDICT), 1280);
	ck_assert_uint_eq(topdown__field_slots(2550, metrics, TMA_TOPDOWN_FETCH_LAT), 2540);
	ck_assert_uint_eq(topdown__field_slots(2550, metrics, TMA_TOPDOWN_MEM_BOUND), 20);
	/* rounded: 100 / 255 is 0.39, 150 / 255 is 0.59 */
	ck_assert_uint_eq(topdown__field_slots(100, 1, 0), 0);
	ck_assert_uint_eq(topdown__field_slots(150, 1, 0), 1);
}
END_TEST

START_TEST(largest_register_does_not_overflow)
{
	ck_assert_uint_eq(topdown__field_slots(BITS48 - 1, 0xff, 0), BITS48 - 1);
	/* 255 is 3 * 5 * 17, and divides 2^48 - 1. */
	ck_assert_uint_eq(topdown__field_slots(BITS48 - 1, 1, 0), (BITS48 - 1) / 255);
}
END_TEST

/* first 51/255 of 1000000, finally 102/255 of 3000000: 1200000 - 200000 of 2000000 */
START_TEST(delta_scales_both_ends_by_their_slots)
{
	const struct tma_topdown_snapshot from = {
		.slots = 1000000, .metrics = fields(51, 0, 102, 102, 0, 0, 51, 102),
	}, to = {
		.slots = 3000000, .metrics = fields(102, 51, 51, 51, 51, 51, 0, 34),
	};
	struct tma_topdown_delta delta;
	double shares[TMA_TOPDOWN_SHARES];

	topdown__delta(&two_levels, &from, &to, &delta);
	ck_assert_uint_eq(delta.slots, 2000000);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_RETIRING], 1000000);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_BAD_SPEC], 600000);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_FE_BOUND], 200000);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_BE_BOUND], 200000);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_HEAVY_OPS], 600000);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_BR_MISPREDICT], 600000);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_FETCH_LAT], -200000);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_MEM_BOUND], 0);
	ck_assert_int_eq(delta.notes, 0);

	tma_topdown_shares(&delta, shares);
	assert_share(shares[TMA_TOPDOWN_RETIRING], 0.5);
	assert_share(shares[TMA_TOPDOWN_BAD_SPEC], 0.3);
	assert_share(shares[TMA_TOPDOWN_FE_BOUND], 0.1);
	assert_share(shares[TMA_TOPDOWN_BE_BOUND], 0.1);
	assert_share(shares[TMA_TOPDOWN_HEAVY_OPS], 0.3);
	assert_share(shares[TMA_TOPDOWN_LIGHT_OPS], 0.2);
	assert_share(shares[TMA_TOPDOWN_BR_MISPREDICT], 0.3);
	assert_share(shares[TMA_TOPDOWN_MACHINE_CLEARS], 0);
	/* if rounding makes a child negative, it is 0, and the rest is the whole parent */
	assert_share(shares[TMA_TOPDOWN_FETCH_LAT], 0);
	assert_share(shares[TMA_TOPDOWN_FETCH_BW], 0.1);
	assert_share(shares[TMA_TOPDOWN_MEM_BOUND], 0);
	assert_share(shares[TMA_TOPDOWN_CORE_BOUND], 0.1);
}
END_TEST

START_TEST(part_is_no_more_than_its_whole)
{
	struct tma_topdown_delta delta = { .slots = 1000, .level = 2 };
	double shares[TMA_TOPDOWN_SHARES];

	delta.metric_slots[TMA_TOPDOWN_RETIRING] = 1100;
	delta.metric_slots[TMA_TOPDOWN_BE_BOUND] = 200;
	delta.metric_slots[TMA_TOPDOWN_MEM_BOUND] = 250;
	tma_topdown_shares(&delta, shares);
	assert_share(shares[TMA_TOPDOWN_RETIRING], 1);
	assert_share(shares[TMA_TOPDOWN_BE_BOUND], 0.2);
	assert_share(shares[TMA_TOPDOWN_MEM_BOUND], 0.2);
	assert_share(shares[TMA_TOPDOWN_CORE_BOUND], 0);
}
END_TEST

START_TEST(what_was_not_measured_is_no_number)
{
	struct tma_topdown_delta delta = { .slots = 1000, .level = 1, .metric_slots = { 250 } };
	double shares[TMA_TOPDOWN_SHARES];

	tma_topdown_shares(&delta, shares);
	assert_share(shares[TMA_TOPDOWN_RETIRING], 0.25);
	for (int i = TMA_TOPDOWN_HEAVY_OPS; i < TMA_TOPDOWN_SHARES; i++)
		ck_assert_msg(isnan(shares[i]), "%s is %g", tma_topdown_share_name(i), shares[i]);
	delta.slots = 0;
	tma_topdown_shares(&delta, shares);
	ck_assert(isnan(shares[TMA_TOPDOWN_RETIRING]));
}
END_TEST

/*
 * tma_topdown_reset() in between: the base has the registers' old content, and they start from 0.
 */
START_TEST(delta_goes_on_over_a_reset_of_its_own)
{
	const struct tma_topdown_snapshot from = {
		.slots = 900000, .metrics = fields(51, 204, 0, 0, 0, 0, 0, 0),
		.base_slots = 100000, .base_metric = { 50000, 50000 },
	}, to = {
		.slots = 500000, .metrics = fields(255, 0, 0, 0, 0, 0, 0, 0),
		.base_slots = 1500000, .base_metric = { 630000, 870000 },
	};
	struct tma_topdown_delta delta;

	topdown__delta(&two_levels, &from, &to, &delta);
	ck_assert_uint_eq(delta.slots, 1000000);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_RETIRING], 630000 + 500000 - 230000);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_BAD_SPEC], 870000 - 770000);
	ck_assert_int_eq(delta.notes, 0);
}
END_TEST

/* before the wrap 1020 slots, all retiring; after it 2040, 1/5 retiring, 4/5 backend bound */
START_TEST(register_that_wrapped_is_continued) /* R29 */
{
	const struct tma_topdown_snapshot from = {
		.slots = BITS48 - 1020, .metrics = fields(255, 0, 0, 0, 0, 0, 0, 0),
	}, to = {
		.slots = 2040, .metrics = fields(51, 0, 0, 204, 0, 0, 0, 204),
	};
	struct tma_topdown_delta delta;

	topdown__delta(&two_levels, &from, &to, &delta);
	ck_assert_uint_eq(delta.slots, 3060);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_RETIRING], 1020 + 408);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_BE_BOUND], 1632);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_MEM_BOUND], 1632);
	ck_assert_msg(!(delta.notes & TMA_TOPDOWN_RESET), "a wrap was taken for a reset");
	/* If a register covers that many slots, its steps are too coarse for so few. */
	ck_assert(delta.notes & TMA_TOPDOWN_IMPRECISE);
}
END_TEST

START_TEST(reset_by_others_is_told_and_counts_from_there)
{
	const struct tma_topdown_snapshot from = {
		.slots = 1000000, .metrics = fields(255, 0, 0, 0, 0, 0, 0, 0),
		.base_slots = 7, .base_metric = { 7 },
	}, to = {
		.slots = 255000, .metrics = fields(0, 0, 255, 0, 0, 0, 0, 0),
		.base_slots = 7, .base_metric = { 7 },
	};
	struct tma_topdown_delta delta;

	topdown__delta(&two_levels, &from, &to, &delta);
	ck_assert_int_eq(delta.notes & TMA_TOPDOWN_RESET, TMA_TOPDOWN_RESET);
	ck_assert_uint_eq(delta.slots, 255000);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_RETIRING], 0);
	ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_FE_BOUND], 255000);
}
END_TEST

/* The register covers 2550000 slots, so its step is 10000 slots. */
START_TEST(error_is_a_step_of_the_register)
{
	struct tma_topdown_snapshot from = { .slots = 2450000 }, to = { .slots = 2550000 };
	struct tma_topdown_delta delta;

	topdown__delta(&two_levels, &from, &to, &delta);
	ck_assert_double_eq_tol(delta.error, 0.1, 1e-9);
	ck_assert_int_eq(delta.notes, TMA_TOPDOWN_IMPRECISE);
	from.slots = 0;
	topdown__delta(&two_levels, &from, &to, &delta);
	ck_assert_double_eq_tol(delta.error, 1 / 255.0, 1e-9);
	ck_assert_int_eq(delta.notes, 0);
}
END_TEST

START_TEST(no_slots_and_time_not_counted_are_told)
{
	struct tma_topdown_snapshot from = { .slots = 5, .missed_ns = 10 }, to = from;
	struct tma_topdown_delta delta;

	topdown__delta(&two_levels, &from, &to, &delta);
	ck_assert_int_eq(delta.notes, TMA_TOPDOWN_EMPTY);
	to.missed_ns = 25;
	topdown__delta(&two_levels, &from, &to, &delta);
	ck_assert_uint_eq(delta.missed_ns, 15);
	ck_assert(delta.notes & TMA_TOPDOWN_NOT_COUNTED);
	to.missed_ns = 10;
	to.notes = TMA_TOPDOWN_NOT_COUNTED;
	topdown__delta(&two_levels, &from, &to, &delta);
	ck_assert(delta.notes & TMA_TOPDOWN_NOT_COUNTED);
}
END_TEST

/*
 * The kernel's numbers for a clock of 2.5 GHz, over ten days: intermediate results need more than
 * 64 bits.
 */
START_TEST(ticks_become_nanoseconds)
{
	const struct snapshot_units units = {
		.wrap = BITS48,
		.time_mult = 429496730,
		.time_shift = 30,
		.level = 1,
	};
	const struct tma_topdown_snapshot from = { .ticks = 1000 }, to = {
		.ticks = 1000 + 2500000000ULL * 864000,
	};
	struct tma_topdown_delta delta;

	topdown__delta(&units, &from, &to, &delta);
	ck_assert_double_eq_tol((double)delta.time_ns / 1e9, 864000, 0.01);
	ck_assert_int_eq(delta.level, 1);
}
END_TEST

START_TEST(shares_have_names)
{
	ck_assert_str_eq(tma_topdown_share_name(TMA_TOPDOWN_RETIRING), "retiring");
	ck_assert_str_eq(tma_topdown_share_name(TMA_TOPDOWN_CORE_BOUND), "core-bound");
	ck_assert_ptr_null(tma_topdown_share_name(TMA_TOPDOWN_SHARES));
	ck_assert_ptr_null(tma_topdown_share_name(-1));
	for (int i = 0; i < TMA_TOPDOWN_SHARES; i++)
		ck_assert_ptr_nonnull(tma_topdown_share_name(i));
}
END_TEST

TMA_TEST_MAIN(topdown_delta, fields_become_slots, largest_register_does_not_overflow,
	      delta_scales_both_ends_by_their_slots, part_is_no_more_than_its_whole,
	      what_was_not_measured_is_no_number, delta_goes_on_over_a_reset_of_its_own,
	      register_that_wrapped_is_continued, reset_by_others_is_told_and_counts_from_there,
	      error_is_a_step_of_the_register, no_slots_and_time_not_counted_are_told,
	      ticks_become_nanoseconds, shares_have_names)
