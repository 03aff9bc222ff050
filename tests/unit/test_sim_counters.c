// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "sim/counters.h"
#include "sim_fixture.h"

static struct sim_machine m;

static struct sim_need need_of(uint64_t config, uint64_t config1)
{
	struct sim_config words = { { config, config1 } };
	struct sim_need need;

	ck_assert_int_eq(counters__need(&m.pmus.at[0], &words, &need), 0);
	return need;
}

/* Return: how many copies of an event an empty PMU can count. */
static int how_many(uint64_t config)
{
	struct sim_need need = need_of(config, 0);
	struct counters c;
	int nr = 0;

	counters__init(&c, &m.pmus.at[0], 0);
	while (counters__add(&c, &need))
		nr++;
	return nr;
}

START_TEST(an_event_has_the_counters_of_its_constraint)
{
	sim_must_load(SIM_SMALL, &m);
	ck_assert_int_eq(how_many(0x11), 4);
	ck_assert_int_eq(how_many(0x2a), 2);
	ck_assert_int_eq(how_many(0xc0), 5);
	ck_assert_int_eq(how_many(0x0300), 1);
	/* An event with a filter cannot use the fixed counter. */
	ck_assert_int_eq(how_many(0xc0 | 1ULL << 24), 4);
	sim_machine__free(&m);
}
END_TEST

START_TEST(events_move_to_make_room)
{
	struct sim_need any, few;
	struct counters c;

	sim_must_load(SIM_SMALL, &m);
	any = need_of(0x11, 0);
	few = need_of(0x2a, 0);
	counters__init(&c, &m.pmus.at[0], 0);
	ck_assert(counters__add(&c, &any));
	ck_assert(counters__add(&c, &any));
	/* These two events use counters 0 and 1, and cannot use any others. */
	ck_assert(counters__add(&c, &few));
	ck_assert(counters__add(&c, &few));
	ck_assert(!counters__add(&c, &few));
	ck_assert(!counters__add(&c, &any));
	sim_machine__free(&m);
}
END_TEST

START_TEST(a_failed_event_changes_nothing)
{
	struct sim_need any, few;
	struct counters c, before;

	sim_must_load(SIM_SMALL, &m);
	any = need_of(0x11, 0);
	few = need_of(0x2a, 0);
	counters__init(&c, &m.pmus.at[0], 0);
	ck_assert(counters__add(&c, &few) && counters__add(&c, &few) && counters__add(&c, &any));
	before = c;
	ck_assert(!counters__add(&c, &few));
	ck_assert_mem_eq(&before, &c, sizeof(c));
	ck_assert(counters__add(&c, &any));
	sim_machine__free(&m);
}
END_TEST

START_TEST(reserved_counters_are_not_given)
{
	struct sim_need cycles;
	struct counters c;
	int nr = 0;

	sim_must_load(SIM_SMALL, &m);
	cycles = need_of(0x3c, 0);
	counters__init(&c, &m.pmus.at[0], 1ULL << (SIM_FIXED_BIT + 1));
	while (counters__add(&c, &cycles))
		nr++;
	ck_assert_int_eq(nr, 4);
	sim_machine__free(&m);
}
END_TEST

START_TEST(shared_registers_take_so_many_values)
{
	struct sim_need one, two, three;
	struct sim_config wrong = { { 0xb7, 0x100 } };
	struct counters c;

	sim_must_load(SIM_SMALL, &m);
	one = need_of(0xb7, 1);
	two = need_of(0xb7, 2);
	three = need_of(0xb7, 3);
	counters__init(&c, &m.pmus.at[0], 0);
	ck_assert(counters__add(&c, &one) && counters__add(&c, &two));
	ck_assert(!counters__add(&c, &three));
	ck_assert(counters__add(&c, &one));
	ck_assert_int_eq(counters__need(&m.pmus.at[0], &wrong, &one), -EINVAL);
	sim_machine__free(&m);
}
END_TEST

START_TEST(metric_events_fit_once_each)
{
	struct sim_need slots, retiring, bad_spec;
	struct counters c;
	struct err err = ERR_INIT;

	ck_assert_msg(!sim_machine__load("lib/sim/machines/sapphirerapids", &m, &err), "%s",
		      err.msg);
	slots = need_of(0x400, 0);
	retiring = need_of(0x8000, 0);
	bad_spec = need_of(0x8100, 0);
	ck_assert(slots.slots && !sim_need__is_metric(&slots));
	ck_assert(sim_need__is_metric(&retiring));
	counters__init(&c, &m.pmus.at[0], 0);
	ck_assert(counters__add(&c, &slots) && !counters__add(&c, &slots));
	ck_assert(counters__add(&c, &retiring) && !counters__add(&c, &retiring));
	ck_assert(counters__add(&c, &bad_spec));
	sim_machine__free(&m);
}
END_TEST

TMA_TEST_MAIN(sim_counters, an_event_has_the_counters_of_its_constraint, events_move_to_make_room,
	      a_failed_event_changes_nothing, reserved_counters_are_not_given,
	      shared_registers_take_so_many_values, metric_events_fit_once_each)
