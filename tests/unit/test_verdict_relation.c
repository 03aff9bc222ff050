// SPDX-License-Identifier: GPL-2.0-only
/* How the events of a group depend on each other, estimated from their rates in each turn. */
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "verdict/relation.h"
#include "unit.h"

#define TURNS 40

static struct arena memory = {.nr = 0};

static double chance(void)
{
	return rand() / (double)RAND_MAX;
}

/*
 * Two known members and two unknown ones. One unknown member depends on the known ones, the other
 * one does not.
 */
static struct relation learnt(void)
{
	struct relation r;

	relation__init(&r, 4, 2, &memory);
	for (int turn = 0; turn < TURNS; turn++) {
		double a = 100 + 50 * chance(), b = 20 + 10 * chance();

		relation__learn(&r, (double[]){a, b, 2 * a - 3 * b, 50 + 10 * chance()});
	}
	relation__solve(&r);
	return r;
}

START_TEST(events_that_follow_from_known_ones_are_corrected_with_them)
{
	struct relation r = learnt();

	ck_assert(r.usable);
	relation__set_deviation(&r, 0, 10);
	relation__set_deviation(&r, 1, -2);
	ck_assert_msg(fabs(relation__explained(&r, 2) - 26) < 2, "%g", relation__explained(&r, 2));
	arena__free(&memory);
}
END_TEST

START_TEST(events_that_vary_with_no_other_stay)
{
	struct relation r = learnt();

	relation__set_deviation(&r, 0, 10);
	relation__set_deviation(&r, 1, -2);
	ck_assert_msg(fabs(relation__explained(&r, 3)) < 1, "%g", relation__explained(&r, 3));
	arena__free(&memory);
}
END_TEST

START_TEST(nothing_is_explained_before_turns_were_seen)
{
	struct relation r;

	relation__init(&r, 2, 1, &memory);
	relation__solve(&r);
	ck_assert(!r.usable);
	relation__learn(&r, (double[]){1, 2});
	relation__learn(&r, (double[]){2, 4});
	relation__solve(&r);
	ck_assert(!r.usable);
	for (int turn = 0; turn < 3; turn++)
		relation__learn(&r, (double[]){turn, 2 * turn});
	relation__solve(&r);
	ck_assert(r.usable);
	arena__free(&memory);
}
END_TEST

START_TEST(rates_that_stay_explain_nothing)
{
	struct relation r;

	relation__init(&r, 2, 1, &memory);
	for (int turn = 0; turn < TURNS; turn++)
		relation__learn(&r, (double[]){5, 7});
	relation__solve(&r);
	relation__set_deviation(&r, 0, 1);
	ck_assert(relation__explained(&r, 1) == 0);
	arena__free(&memory);
}
END_TEST

START_TEST(explained_variation_is_taken_out_of_turns)
{
	struct relation r = learnt();
	double all[] = {10, -2, 26, 4}, none[] = {10, -2, 26, 4};

	relation__take_out(&r, all, (double[]){0, 0});
	ck_assert_msg(fabs(all[2]) < 2 && fabs(all[3] - 4) < 1 && fabs(all[0]) < 1e-9, "%g %g %g",
		      all[0], all[2], all[3]);
	relation__take_out(&r, none, (double[]){1, 1});
	ck_assert(none[0] == 10 && none[1] == -2 && none[2] == 26 && none[3] == 4);
	arena__free(&memory);
}
END_TEST

TMA_TEST_MAIN(verdict_relation, events_that_follow_from_known_ones_are_corrected_with_them,
	      events_that_vary_with_no_other_stay, nothing_is_explained_before_turns_were_seen,
	      rates_that_stay_explain_nothing, explained_variation_is_taken_out_of_turns)
