// SPDX-License-Identifier: GPL-2.0-only
/* Counts of sites, computed from made-up samples; the ratios at each site are known. */
#include <math.h>
#include <string.h>

#include "aggregate/site_counts.h"
#include "base/vec.h"
#include "unit.h"

#define MS 1000000ULL
#define ROWS 3
#define MOST_EVENTS 4
#define PERIOD 1000

/*
 * Events 0 and 1 are cycles and slots of one core type; some tests add the cycles of another type.
 */
static struct site_event events[MOST_EVENTS];
static struct site_counts found;
static struct site_samples samples;
static VEC(int) rows;
static struct sample own[MOST_EVENTS];
static double idle[MOST_EVENTS];

static void begin(int nr_events, int nr_pools)
{
	struct site_layout layout = {events, nr_events, ROWS, nr_pools};

	samples.nr = rows.nr = 0;
	memset(idle, 0, sizeof(idle));
	for (int i = 0; i < nr_events; i++)
		own[i] = (struct sample){.status = SAMPLE_ABSENT};
	site_counts__init(&found, &layout);
}

static void end(void)
{
	site_counts__free(&found);
	vec__free(&samples);
	vec__free(&rows);
}

/* Make a group whose first event is cycles; the arguments are the numbers of its events. */
static void group(int cycles, int last, int pool)
{
	for (int i = cycles; i <= last; i++)
		events[i] = (struct site_event){.cycles = cycles, .pool = pool, .sampled = true};
}

/*
 * Set the count of an event in the whole run, and the part of the run in which the event was
 * counted.
 */
static void counted(int event, uint64_t value, double part)
{
	own[event] = (struct sample){value, value / part, 1000 * MS, 1000 * MS * part,
				     part < 1 ? SAMPLE_SCALED : SAMPLE_COUNTED};
}

static void sampled_at(int event, int row, uint64_t ms, double weight)
{
	vec__push(&samples, ((struct site_sample){ms * MS, weight, 0, event, 1}));
	vec__push(&rows, row);
}

/*
 * Add samples of an event at a site: at equal distances from one time to another, with equal
 * weights.
 */
static void sampled(int event, int row, int nr, uint64_t from_ms, uint64_t to_ms)
{
	for (int i = 0; i < nr; i++)
		sampled_at(event, row, from_ms + (to_ms - from_ms) * i / nr, PERIOD);
}

static void make(void)
{
	struct counts whole = {
		.nr_events = found.layout.nr_events,
		.nr_units = 1,
		.at = own,
		.time_ns = 1000 * MS,
	};

	site_counts__make(&found, &samples, rows.at, &whole, idle);
}

static const struct sample *at(int event, int row)
{
	return &found.counts.at[event * ROWS + row];
}

static double move_of(int event, int row, int block)
{
	return found.counts.blocks->moves[(event * ROWS + row) * SITE_BLOCKS + block];
}

static double sum_of_moves(int event, int row)
{
	double sum = 0;

	for (int b = 0; b < SITE_BLOCKS; b++)
		sum += move_of(event, row, b);
	return sum;
}

START_TEST(cycles_are_shared_out_and_events_are_ratios)
{
	group(0, 1, 0);
	begin(2, 1);
	counted(0, 1000000, 1);
	counted(1, 3000000, 1);
	sampled(0, 0, 60, 0, 1000);
	sampled(0, 1, 40, 0, 1000);
	sampled(1, 0, 30, 0, 1000);
	sampled(1, 1, 80, 0, 1000);
	make();
	ck_assert_uint_eq(at(0, 0)->value, 600000);
	ck_assert_uint_eq(at(0, 1)->value, 400000);
	ck_assert_uint_eq(at(1, 0)->value, 300000);
	ck_assert_uint_eq(at(1, 1)->value, 800000);
	ck_assert_int_eq(at(0, 2)->status, SAMPLE_ABSENT);
	ck_assert_int_eq(at(1, 2)->status, SAMPLE_ABSENT);
	ck_assert_double_eq_tol(found.shares[0], 0.6, 1e-9);
	ck_assert_double_eq(found.samples[0], 60);
	ck_assert_double_eq(found.samples[2], 0);
	/* Each site has the same share of the time as of the cycles. */
	ck_assert_uint_eq(at(0, 0)->enabled, 600 * MS);
	ck_assert_uint_eq(at(1, 1)->running, 400 * MS);
	end();
}
END_TEST

/* The second group runs only in the last tenth of the time. */
START_TEST(it_does_not_matter_how_long_the_turn_of_a_group_is)
{
	group(0, 1, 0);
	group(2, 3, 0);
	begin(4, 1);
	counted(0, 900000, 0.9);
	counted(1, 900000, 0.9);
	counted(2, 100000, 0.1);
	counted(3, 100000, 0.1);
	for (int row = 0; row < 2; row++) {
		sampled(0, row, 450, 0, 900);
		sampled(2, row, 50, 900, 1000);
	}
	sampled(1, 0, 225, 0, 900);
	sampled(3, 1, 100, 900, 1000);
	make();
	ck_assert_uint_eq(at(0, 0)->value, 500000);
	ck_assert_uint_eq(at(2, 0)->value, 500000);
	ck_assert_uint_eq(at(1, 0)->value, 250000);
	ck_assert_uint_eq(at(3, 1)->value, 1000000);
	ck_assert_uint_eq(at(3, 0)->value, 0);
	ck_assert_int_eq(at(3, 0)->status, SAMPLE_COUNTED);
	/* The cycles of all groups together are the cycles of the samples. */
	ck_assert_double_eq(found.samples[0], 500);
	end();
}
END_TEST

START_TEST(weights_count_and_not_numbers)
{
	group(0, 0, 0);
	begin(1, 1);
	counted(0, 1000000, 1);
	sampled_at(0, 0, 1, 3000);
	sampled_at(0, 1, 2, 500);
	sampled_at(0, 1, 3, 500);
	make();
	ck_assert_uint_eq(at(0, 0)->value, 750000);
	ck_assert_uint_eq(at(0, 1)->value, 250000);
	ck_assert_double_eq(found.samples[1], 2);
	end();
}
END_TEST

START_TEST(an_even_mixture_moves_nothing_and_phases_do)
{
	group(0, 1, 0);
	begin(2, 1);
	counted(0, 1000000, 1);
	counted(1, 1000000, 1);
	for (int event = 0; event < 2; event++)
		for (int row = 0; row < 2; row++)
			sampled(event, row, 3200, 0, 1000);
	make();
	for (int b = 0; b < SITE_BLOCKS; b++) {
		/* A sample at the border of a block may belong to either block. */
		ck_assert_double_eq_tol(move_of(0, 0, b), 0, 200);
		ck_assert_double_eq_tol(move_of(1, 0, b), 0, 500);
	}
	ck_assert_double_lt(found.share_errors[0], 0.001);
	ck_assert_int_eq(found.counts.blocks->used[0], SITE_BLOCKS);
	ck_assert_double_eq_tol(found.counts.blocks->grains[ROWS], 500000. / 3200, 1e-6);

	end();
	begin(2, 1);
	counted(0, 1000000, 1);
	counted(1, 1000000, 1);
	sampled(0, 0, 3200, 0, 500);
	sampled(0, 1, 3200, 500, 1000);
	sampled(1, 0, 3200, 0, 250);
	sampled(1, 1, 3200, 500, 1000);
	make();
	/* The site has twice as many samples in the first quarter, and none in the second. */
	ck_assert_double_gt(move_of(1, 0, 0), 1000000. / 2 / SITE_BLOCKS);
	ck_assert_double_lt(move_of(1, 0, 10), 0);
	ck_assert_double_gt(found.share_errors[0], 0.1);
	ck_assert_int_eq(found.counts.blocks->used[0], SITE_BLOCKS / 2);
	/* The changes from block to block have a mean of 0. */
	ck_assert_double_eq_tol(sum_of_moves(0, 0), 0, 1e-3);
	ck_assert_double_eq_tol(sum_of_moves(1, 0), 0, 1e-3);
	end();
}
END_TEST

START_TEST(a_near_site_has_its_cycles_alone)
{
	group(0, 1, 0);
	begin(2, 1);
	counted(0, 1000000, 1);
	counted(1, 1000000, 1);
	sampled(0, 0, 50, 0, 1000);
	sampled(0, 1, 50, 0, 1000);
	sampled(1, 0, 50, 0, 1000);
	found.near[0] = true;
	make();
	ck_assert_int_eq(at(0, 0)->status, SAMPLE_COUNTED);
	ck_assert_uint_eq(at(0, 0)->value, 500000);
	ck_assert_int_eq(at(1, 0)->status, SAMPLE_NOT_COUNTED);
	ck_assert_int_eq(at(1, 1)->status, SAMPLE_COUNTED);
	ck_assert_double_eq_tol(found.shares[0], 0.5, 1e-9);
	end();
}
END_TEST

START_TEST(too_few_samples_of_cycles_tell_no_ratio)
{
	for (int nr = SITE_LEAST_SAMPLES - 1; nr <= SITE_LEAST_SAMPLES; nr++) {
		bool enough = nr == SITE_LEAST_SAMPLES;

		group(0, 1, 0);
		begin(2, 1);
		counted(0, 1000000, 1);
		counted(1, 1000000, 1);
		sampled(0, 0, nr, 0, 1000);
		sampled(0, 1, 1000 - nr, 0, 1000);
		sampled(1, 0, 1000, 0, 1000);
		make();
		ck_assert_int_eq(at(1, 0)->status, enough ? SAMPLE_COUNTED : SAMPLE_NOT_COUNTED);
		ck_assert_uint_eq(at(0, 0)->value, nr * 1000);
		ck_assert_double_eq_tol(found.shares[0], nr / 1000., 1e-9);
		end();
	}
}
END_TEST

/* A sample that stands for several counts as many. */
START_TEST(samples_that_were_added_up_are_as_many)
{
	group(0, 1, 0);
	begin(2, 1);
	counted(0, 1000000, 1);
	counted(1, 1000000, 1);
	vec__push(&samples, ((struct site_sample){MS, 20 * PERIOD, 0, 0, 20}));
	vec__push(&rows, 0);
	vec__push(&samples, ((struct site_sample){2 * MS, 10 * PERIOD, 0, 1, 10}));
	vec__push(&rows, 0);
	make();
	ck_assert_double_eq(found.samples[0], 20);
	ck_assert_uint_eq(at(1, 0)->value, 500000);
	ck_assert_double_eq_tol(found.counts.blocks->grains[ROWS], 50000, 1e-6);
	end();
}
END_TEST

START_TEST(without_cycles_an_event_is_shared_out_by_itself)
{
	events[0] = events[1] = (struct site_event){.cycles = -1, .sampled = true};
	events[2] = (struct site_event){.cycles = -1};
	begin(3, 1);
	counted(0, 1000, 1);
	counted(1, 80, 1);
	counted(2, 5, 1);
	sampled(0, 0, 75, 0, 1000);
	sampled(0, 1, 25, 0, 1000);
	sampled(1, 1, 4, 0, 1000);
	make();
	ck_assert_uint_eq(at(0, 0)->value, 750);
	ck_assert_uint_eq(at(0, 1)->value, 250);
	ck_assert_uint_eq(at(1, 1)->value, 80);
	ck_assert_int_eq(at(1, 0)->status, SAMPLE_ABSENT);
	/* If an event does not sample itself, its places are unknown. */
	ck_assert_int_eq(at(2, 0)->status, SAMPLE_ABSENT);
	ck_assert_double_eq(found.samples[0], 75);
	ck_assert_double_eq_tol(found.shares[1], 0.25, 1e-9);
	ck_assert(isnan(site_sum__part(&found.sampled[2])));
	end();
}
END_TEST

START_TEST(cycles_of_idle_cpus_belong_to_no_site)
{
	group(0, 1, 0);
	begin(2, 1);
	counted(0, 1000000, 1);
	counted(1, 1000000, 1);
	sampled(0, 0, 100, 0, 1000);
	sampled(0, 1, 100, 0, 1000);
	sampled(1, 0, 100, 0, 1000);
	idle[0] = 200 * PERIOD;
	make();
	ck_assert_uint_eq(at(0, 0)->value, 250000);
	ck_assert_uint_eq(at(1, 0)->value, 250000);
	/* Shares are parts of the time that was not idle. */
	ck_assert_double_eq_tol(found.shares[0], 0.5, 1e-9);
	ck_assert_double_eq_tol(site_sum__part(&found.sampled[0]), 400. * PERIOD / 1000000, 1e-9);
	ck_assert_double_eq_tol(found.sampled[0].samples, 200, 1e-9);
	/* A later span without samples halves the part. */
	site_sum__add(&found.sampled[0], &(struct site_sum){.count = 1000000});
	ck_assert_double_eq_tol(site_sum__part(&found.sampled[0]), 200. * PERIOD / 1000000, 1e-9);
	end();
}
END_TEST

START_TEST(core_types_are_apart)
{
	group(0, 1, 0);
	group(2, 3, 1);
	begin(4, 2);
	counted(0, 1000000, 1);
	counted(1, 1000000, 1);
	counted(2, 200000, 1);
	counted(3, 200000, 1);
	sampled(0, 0, 100, 0, 1000);
	sampled(1, 0, 50, 0, 1000);
	sampled(2, 0, 20, 0, 1000);
	sampled(2, 1, 20, 0, 1000);
	sampled(3, 1, 40, 0, 1000);
	make();
	ck_assert_uint_eq(at(0, 0)->value, 1000000);
	ck_assert_uint_eq(at(1, 0)->value, 500000);
	ck_assert_uint_eq(at(2, 0)->value, 100000);
	ck_assert_uint_eq(at(2, 1)->value, 100000);
	ck_assert_uint_eq(at(3, 1)->value, 200000);
	ck_assert_int_eq(at(0, 1)->status, SAMPLE_ABSENT);
	ck_assert_int_eq(at(1, 1)->status, SAMPLE_ABSENT);
	ck_assert_double_eq_tol(found.shares[0], 120. / 140, 1e-9);
	end();
}
END_TEST

START_TEST(sums_of_samples_are_compared_with_counts)
{
	group(0, 1, 0);
	begin(2, 1);
	counted(0, 100 * PERIOD, 1);
	counted(1, 50 * PERIOD, 0.5);
	sampled(0, 0, 96, 0, 1000);
	sampled(1, 0, 55, 0, 1000);
	make();
	ck_assert_double_eq_tol(site_sum__part(&found.sampled[0]), 0.96, 1e-9);
	ck_assert_double_eq_tol(site_sum__part(&found.sampled[1]), 1.1, 1e-9);
	end();
}
END_TEST

START_TEST(samples_without_a_row_and_rows_without_samples)
{
	group(0, 1, 0);
	begin(2, 1);
	make();
	for (int row = 0; row < ROWS; row++) {
		ck_assert_int_eq(at(0, row)->status, SAMPLE_ABSENT);
		ck_assert_double_eq(found.samples[row], 0);
		ck_assert_double_eq(found.shares[row], 0);
		ck_assert(isnan(found.share_errors[row]));
	}
	counted(0, 1000000, 1);
	sampled(0, -1, 50, 0, 1000);
	sampled(0, 2, 50, 0, 1000);
	make();
	ck_assert_uint_eq(at(0, 2)->value, 1000000);
	ck_assert_double_eq(found.samples[2], 50);
	/* The next row of time is computed without this one. */
	samples.nr = rows.nr = 0;
	sampled(0, 1, 20, 2000, 3000);
	make();
	ck_assert_int_eq(at(0, 2)->status, SAMPLE_ABSENT);
	ck_assert_uint_eq(at(0, 1)->value, 1000000);
	ck_assert_double_eq(found.samples[2], 0);
	end();
}
END_TEST

START_TEST(events_that_were_not_counted_have_no_value)
{
	group(0, 1, 0);
	begin(2, 1);
	own[0] = own[1] = (struct sample){.status = SAMPLE_LOST};
	sampled(0, 0, 50, 0, 1000);
	sampled(1, 0, 50, 0, 1000);
	make();
	ck_assert_int_eq(at(0, 0)->status, SAMPLE_NOT_COUNTED);
	ck_assert_int_eq(at(1, 0)->status, SAMPLE_NOT_COUNTED);
	ck_assert(isnan(site_sum__part(&found.sampled[0])));
	ck_assert_double_eq_tol(found.shares[0], 1, 1e-9);
	events[0].cycles = -1;
	found.layout.nr_events = 1;
	make();
	ck_assert_int_eq(at(0, 0)->status, SAMPLE_NOT_COUNTED);
	end();
}
END_TEST

TMA_TEST_MAIN(site_counts, cycles_are_shared_out_and_events_are_ratios,
	      it_does_not_matter_how_long_the_turn_of_a_group_is, weights_count_and_not_numbers,
	      an_even_mixture_moves_nothing_and_phases_do, a_near_site_has_its_cycles_alone,
	      too_few_samples_of_cycles_tell_no_ratio, samples_that_were_added_up_are_as_many,
	      without_cycles_an_event_is_shared_out_by_itself,
	      cycles_of_idle_cpus_belong_to_no_site, core_types_are_apart,
	      sums_of_samples_are_compared_with_counts,
	      samples_without_a_row_and_rows_without_samples,
	      events_that_were_not_counted_have_no_value)
