// SPDX-License-Identifier: GPL-2.0-only
/* Which events can be counted together on a PMU's counters, and why others cannot. */
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "plan/fit.h"
#include "tables/tables.h"
#include "unit.h"

#define ANY 0
#define LOW4 0xfull
#define FIXED(n) (1ull << (FIT_FIXED + (n)))

static struct fit_conflict why;
static struct sb words;

static struct fit_event on(const char *name, uint64_t counters)
{
	return (struct fit_event){ .name = name, .counters = counters };
}

static bool possible(const struct fit_pmu *pmu, const struct fit_event *events, int nr)
{
	bool ok;

	memset(&why, 0, sizeof(why));
	ok = fit__possible(pmu, events, nr, &why);
	sb__clear(&words);
	fit__explain(pmu, events, nr, &why, &words);
	return ok;
}

#define POSSIBLE(pmu, ...)                                 \
	possible(pmu, (struct fit_event[]){ __VA_ARGS__ }, \
		 sizeof((struct fit_event[]){ __VA_ARGS__ }) / sizeof(struct fit_event))

START_TEST(as_many_as_counters)
{
	struct fit_pmu pmu = fit__pmu(2, 0);

	ck_assert(POSSIBLE(&pmu, on("a", ANY), on("b", ANY)));
	ck_assert_str_eq(sb__str(&words), "");
	ck_assert(!POSSIBLE(&pmu, on("a", ANY), on("b", ANY), on("c", ANY)));
	ck_assert_str_eq(sb__str(&words), "a, b and c have only counters 0-1");
	ck_assert_uint_eq(why.events, 7);
	ck_assert_uint_eq(why.counters, 3);
}
END_TEST

START_TEST(an_event_makes_room)
{
	struct fit_pmu pmu = fit__pmu(3, 0);

	/* Event a gets counter 2, b gets 1, c gets 0: each later event moves the earlier ones. */
	ck_assert(POSSIBLE(&pmu, on("a", 7), on("b", 6), on("c", 4)));
	ck_assert(POSSIBLE(&pmu, on("c", 4), on("b", 6), on("a", 7)));
	ck_assert(POSSIBLE(&pmu, on("a", 3), on("b", 6), on("c", 5)));
}
END_TEST

/* A comparison of the numbers of events and counters would accept these events. */
START_TEST(two_events_for_one_counter)
{
	struct fit_pmu pmu = fit__pmu(8, 4);

	ck_assert(!POSSIBLE(&pmu, on("wide", ANY), on("x", 1), on("other", LOW4), on("y", 1)));
	ck_assert_str_eq(sb__str(&words), "x and y have only counter 0");
	ck_assert_uint_eq(why.events, 1 << 1 | 1 << 3);
	ck_assert_uint_eq(why.counters, 1);
}
END_TEST

START_TEST(five_events_for_four_counters_of_eight)
{
	struct fit_pmu pmu = fit__pmu(8, 0);

	ck_assert(!POSSIBLE(&pmu, on("a", LOW4), on("free", ANY), on("b", LOW4), on("c", LOW4),
			    on("d", 3), on("e", LOW4)));
	ck_assert_str_eq(sb__str(&words), "a, b, c, d and e have only counters 0-3");
}
END_TEST

/* The kernel's fixed counters accept the filter "any", like general counters. */
START_TEST(cycles_of_any_thread_are_on_general_counters_too)
{
	struct event_info info = { .name = "any", .pmu = "default_core",
				   .terms = "event=0x3c,any=1", .counter_mask = FIXED(1) };
	struct fit_pmu pmu = fit__pmu(4, 3);

	pmu.taken = FIXED(1);
	ck_assert(POSSIBLE(&pmu, fit__event(&info)));
	info.terms = "event=0x3c,any=1,cmask=1";
	ck_assert(!POSSIBLE(&pmu, fit__event(&info)));
}
END_TEST

START_TEST(fixed_counters_are_used_first)
{
	struct fit_pmu pmu = fit__pmu(1, 2);

	ck_assert(POSSIBLE(&pmu, on("cycles", FIXED(1) | LOW4), on("instructions", FIXED(0) | LOW4),
			   on("a", ANY)));
	ck_assert(POSSIBLE(&pmu, on("cycles", FIXED(1) | LOW4), on("cycles:u", FIXED(1) | LOW4)));
	ck_assert(!POSSIBLE(&pmu, on("cycles", FIXED(1) | LOW4), on("cycles:u", FIXED(1) | LOW4),
			    on("cycles:k", FIXED(1) | LOW4)));
	ck_assert_str_eq(sb__str(&words),
			 "cycles, cycles:u and cycles:k have only counter 0 and fixed counter 1");
}
END_TEST

START_TEST(a_counter_that_is_not_there)
{
	struct fit_pmu pmu = fit__pmu(4, 3);

	ck_assert(!POSSIBLE(&pmu, on("a", ANY), on("slots", FIXED(3))));
	ck_assert_str_eq(sb__str(&words),
			 "slots can use only fixed counter 3, which this PMU does not have");
	ck_assert_int_eq(why.why, FIT_NO_COUNTER);
	pmu = fit__pmu(0, 0);
	ck_assert(!POSSIBLE(&pmu, on("a", ANY)));
	ck_assert_str_eq(sb__str(&words), "a needs a counter, and this PMU has none");
}
END_TEST

START_TEST(the_watchdog_has_its_counter)
{
	struct fit_pmu pmu = fit__pmu(2, 3);

	pmu.taken = FIXED(1);
	ck_assert(POSSIBLE(&pmu, on("a", ANY), on("cycles", FIXED(1) | 3)));
	ck_assert(!POSSIBLE(&pmu, on("a", ANY), on("b", ANY), on("cycles", FIXED(1) | 3)));
	ck_assert_str_eq(sb__str(&words), "a, b and cycles have only counters 0-1");
	ck_assert(!POSSIBLE(&pmu, on("fixed", FIXED(1))));
	ck_assert_str_eq(sb__str(&words),
			 "fixed can use only fixed counter 1, held by another user");
}
END_TEST

/* If an event of another user can move, it is in the way only if no other counter is free. */
START_TEST(other_users_move_too)
{
	struct fit_pmu pmu = fit__pmu(2, 0);

	pmu.others = 1;
	ck_assert(POSSIBLE(&pmu, on("a", 1)));
	ck_assert(POSSIBLE(&pmu, on("a", 2)));
	ck_assert(!POSSIBLE(&pmu, on("a", 1), on("b", 2)));
	ck_assert_str_eq(sb__str(&words), "a and b have only counters 0-1, of which others hold 1");
	pmu.others = 3;
	ck_assert(!POSSIBLE(&pmu, on("a", ANY)));
}
END_TEST

static struct fit_event with(const char *name, enum fit_register reg, uint64_t value)
{
	return (struct fit_event){ .name = name, .reg = reg, .value = value };
}

START_TEST(registers_hold_so_many_values)
{
	struct fit_pmu pmu = fit__pmu(8, 0);

	ck_assert(POSSIBLE(&pmu, with("a", FIT_OFFCORE_RSP, 1), with("b", FIT_OFFCORE_RSP, 2),
			   with("c", FIT_OFFCORE_RSP, 1), with("d", FIT_FRONTEND, 3)));
	ck_assert(!POSSIBLE(&pmu, with("a", FIT_OFFCORE_RSP, 1), with("b", FIT_OFFCORE_RSP, 2),
			    with("c", FIT_OFFCORE_RSP, 3)));
	ck_assert_str_eq(sb__str(&words),
			 "a, b and c need different values of the offcore response "
			 "register, of which there are 2");
	ck_assert(!POSSIBLE(&pmu, with("a", FIT_FRONTEND, 1), with("b", FIT_FRONTEND, 2)));
	ck_assert_str_eq(sb__str(&words), "a and b need different values of the frontend register, "
					  "of which there is 1");
	pmu.registers[FIT_FRONTEND] = 0;
	ck_assert(POSSIBLE(&pmu, with("a", FIT_FRONTEND, 1), with("b", FIT_FRONTEND, 2)));
}
END_TEST

START_TEST(one_of_those_that_stand_alone)
{
	struct fit_pmu pmu = fit__pmu(8, 0);
	struct fit_event a = { .name = "a", .alone = true }, b = { .name = "b", .alone = true };

	ck_assert(POSSIBLE(&pmu, a, on("c", ANY)));
	ck_assert(!POSSIBLE(&pmu, a, on("c", ANY), b));
	ck_assert_str_eq(sb__str(&words), "a and b cannot be counted in one group");
}
END_TEST

START_TEST(topdown_events_need_slots_and_no_counter)
{
	struct fit_pmu pmu = fit__pmu(1, 4);
	struct fit_event slots = {.name = "slots", .counters = FIXED(3), .topdown = TOPDOWN_SLOTS};
	struct fit_event retiring = {.name = "topdown-retiring", .topdown = TOPDOWN_RETIRING};
	struct fit_event bound = {.name = "topdown-be-bound", .topdown = TOPDOWN_BE_BOUND};

	ck_assert(POSSIBLE(&pmu, slots, retiring, bound, on("a", ANY)));
	ck_assert(POSSIBLE(&pmu, retiring, bound, slots));
	ck_assert(!POSSIBLE(&pmu, retiring, on("a", ANY), bound));
	ck_assert_str_eq(sb__str(&words), "topdown-retiring and topdown-be-bound count only in a "
					  "group that slots leads");
}
END_TEST

START_TEST(a_topdown_event_is_there_once)
{
	struct fit_pmu pmu = fit__pmu(8, 4);
	struct fit_event slots = { .name = "slots", .counters = FIXED(3), .topdown = TOPDOWN_SLOTS };
	struct fit_event retiring = { .name = "retiring", .topdown = TOPDOWN_RETIRING };
	struct fit_event again = { .name = "again", .topdown = TOPDOWN_RETIRING };
	struct fit_event fe_bound = { .name = "fe", .topdown = TOPDOWN_FE_BOUND };

	ck_assert(POSSIBLE(&pmu, slots, retiring, fe_bound));
	ck_assert(!POSSIBLE(&pmu, slots, retiring, fe_bound, again));
	ck_assert_str_eq(sb__str(&words), "retiring and again cannot be counted in one group");
}
END_TEST

START_TEST(an_exclusive_event_leaves_half_to_the_other_thread)
{
	struct fit_pmu pmu = fit__pmu(4, 3);
	struct fit_event load = { .name = "load", .counters = LOW4, .exclusive = true };

	/* If threads are not separated, it is an ordinary event. */
	ck_assert(POSSIBLE(&pmu, load, on("a", ANY), on("b", ANY), on("c", ANY)));
	pmu.exclusive_most = 2;
	ck_assert(POSSIBLE(&pmu, on("a", ANY), on("b", ANY), on("c", ANY), on("d", ANY)));
	ck_assert(POSSIBLE(&pmu, load, on("a", ANY), on("i", FIXED(0)), on("c", LOW4 | FIXED(1))));
	ck_assert(!POSSIBLE(&pmu, load, on("a", ANY), on("b", ANY)));
	ck_assert(!POSSIBLE(&pmu, on("a", ANY), on("b", ANY), load));
	ck_assert_str_eq(sb__str(&words),
			 "a, b and load take more than 2 general counters: because of one event, the rest "
			 "must stay free for the other thread of the core");
	/* Counters that another user holds are among them. */
	pmu.others = 1;
	ck_assert(POSSIBLE(&pmu, load));
	ck_assert(!POSSIBLE(&pmu, load, on("a", ANY)));
}
END_TEST

START_TEST(a_pair_takes_two_counters)
{
	struct fit_pmu pmu = fit__pmu(6, 0);
	struct fit_event pair = { .name = "flops", .pair = true };

	ck_assert(POSSIBLE(&pmu, pair, pair, pair));
	ck_assert(POSSIBLE(&pmu, on("a", ANY), pair, on("b", ANY), pair));
	ck_assert(!POSSIBLE(&pmu, on("a", ANY), pair, pair, pair));
	ck_assert(!POSSIBLE(&pmu, pair, pair, pair, on("a", ANY)));
	pmu.others = 1;
	ck_assert(POSSIBLE(&pmu, pair, pair, on("a", ANY)));
	ck_assert(!POSSIBLE(&pmu, pair, pair, pair));
}
END_TEST

START_TEST(exclusive_events_can_be_taken_out_too)
{
	struct fit_pmu pmu = fit__pmu(6, 0);
	struct fit_event any = on("a", ANY);
	struct fit_event pair = { .name = "flops", .pair = true };
	struct fit_event load = { .name = "load", .exclusive = true };
	struct fit fit;

	fit__init(&fit, &pmu);
	ck_assert(fit__add(&fit, &any, NULL) && fit__add(&fit, &pair, NULL));
	ck_assert(fit__add(&fit, &pair, NULL) && !fit__add(&fit, &pair, NULL));
	fit__truncate(&fit, 1);
	for (int i = 0; i < 5; i++)
		ck_assert(fit__add(&fit, &any, NULL));

	pmu.exclusive_most = 2;
	fit__init(&fit, &pmu);
	ck_assert(fit__add(&fit, &any, NULL) && fit__add(&fit, &load, NULL));
	ck_assert(!fit__add(&fit, &any, NULL));
	fit__truncate(&fit, 1);
	ck_assert(fit__add(&fit, &any, NULL) && fit__add(&fit, &any, NULL));
}
END_TEST

START_TEST(a_refused_event_leaves_the_set)
{
	struct fit_pmu pmu = fit__pmu(2, 0);
	struct fit_event wide = on("wide", ANY), low = on("low", 1), low2 = on("low2", 1),
			 high = on("high", 2);
	struct fit fit;

	fit__init(&fit, &pmu);
	ck_assert(fit__add(&fit, &wide, NULL));
	ck_assert(fit__add(&fit, &low, NULL));
	for (int i = 0; i < 3; i++) {
		struct fit before = fit;

		ck_assert(!fit__add(&fit, i ? &low2 : &high, NULL));
		ck_assert_mem_eq(before.holder, fit.holder, sizeof(fit.holder));
		ck_assert_uint_eq(before.used, fit.used);
		ck_assert_int_eq(before.nr, fit.nr);
	}
	ck_assert_int_eq(fit.nr, 2);
}
END_TEST

START_TEST(events_taken_out_make_room)
{
	struct fit_pmu pmu = fit__pmu(2, 4);
	struct fit_event slots = {.name = "slots", .counters = FIXED(3), .topdown = TOPDOWN_SLOTS};
	struct fit_event retiring = {.name = "topdown-retiring", .topdown = TOPDOWN_RETIRING};
	struct fit_event alone = {.name = "alone", .alone = true};
	struct fit_event latency = {.name = "latency", .reg = FIT_LDLAT, .value = 3};
	struct fit_event other = {.name = "other", .reg = FIT_LDLAT, .value = 4};
	struct fit_event low = on("low", 1);
	struct fit fit;

	fit__init(&fit, &pmu);
	ck_assert(fit__add(&fit, &retiring, NULL));
	for (int i = 0; i < 3; i++) {
		ck_assert(!fit__complete(&fit, NULL));
		ck_assert(fit__add(&fit, &slots, NULL));
		ck_assert(fit__add(&fit, i ? &alone : &latency, NULL));
		ck_assert(fit__add(&fit, &low, NULL));
		ck_assert(fit__complete(&fit, NULL));
		ck_assert(!fit__add(&fit, i ? &alone : &other, NULL));
		fit__truncate(&fit, 1);
		ck_assert_int_eq(fit.nr, 1);
		ck_assert_uint_eq(fit.used, 0);
	}
	fit__truncate(&fit, 1);
	ck_assert_int_eq(fit.nr, 1);
}
END_TEST

START_TEST(many_events)
{
	struct fit_event events[FIT_MAX_EVENTS + 1];
	struct fit_pmu pmu = fit__pmu(32, 32);

	for (int i = 0; i <= FIT_MAX_EVENTS; i++)
		events[i] = on("e", ~0ull);
	ck_assert(possible(&pmu, events, FIT_MAX_EVENTS));
	ck_assert(!possible(&pmu, events, FIT_MAX_EVENTS + 1));
	ck_assert_str_eq(sb__str(&words), "a group has at most 64 events");
	pmu = fit__pmu(13, 0);
	ck_assert(!possible(&pmu, events, 20));
	ck_assert_str_eq(sb__str(&words),
			 "e, e, e, e, e, e, e, e, e, e, e and 3 more have only counters 0-12");
}
END_TEST

/* Try all placements of the events, to compare with the result. */
static bool brute_force(const uint64_t *masks, int nr, uint64_t used)
{
	if (!nr)
		return true;
	for (uint64_t rest = *masks & ~used; rest; rest &= rest - 1)
		if (brute_force(masks + 1, nr - 1, used | (rest & -rest)))
			return true;
	return false;
}

START_TEST(as_trying_all_ways)
{
	struct fit_pmu pmu = fit__pmu(5, 0);
	int feasible = 0;

	srand(1);
	for (int round = 0; round < 20000; round++) {
		struct fit_event events[5];
		uint64_t masks[5], reach = 0;
		int nr = 1 + rand() % 5;
		bool want;

		for (int i = 0; i < nr; i++) {
			masks[i] = 1 + rand() % 31;
			events[i] = on("e", masks[i]);
		}
		want = brute_force(masks, nr, 0);
		feasible += want;
		ck_assert_int_eq(possible(&pmu, events, nr), want);
		if (want)
			continue;
		/*
		 * The reason is true: the named events are one more than the counters that they can
		 * use.
		 */
		for (int i = 0; i < nr; i++)
			if (why.events & 1ull << i)
				reach |= masks[i];
		ck_assert_uint_eq(reach, why.counters);
		ck_assert_int_eq(__builtin_popcountll(why.events), __builtin_popcountll(reach) + 1);
	}
	ck_assert_int_gt(feasible, 1000);
	ck_assert_int_lt(feasible, 19000);
}
END_TEST

START_TEST(constraints_of_the_tables)
{
	struct event_info info = { .name = "e",
				   .pmu = "default_core",
				   .terms = "event=0x2a,umask=1,offcore_rsp=0x10001",
				   .counter_mask = LOW4,
				   .taken_alone = true };
	struct fit_event e = fit__event(&info);

	ck_assert_str_eq(e.name, "e");
	ck_assert_uint_eq(e.counters, LOW4);
	ck_assert_int_eq(e.reg, FIT_OFFCORE_RSP);
	ck_assert_uint_eq(e.value, 0x10001);
	ck_assert(e.alone && !e.topdown);

	info = (struct event_info){ .name = "i",
				    .pmu = "cpu_core",
				    .counter_mask = FIXED(0),
				    .terms = "event=0xc0,period=2000003" };
	e = fit__event(&info);
	ck_assert_uint_eq(e.counters, FIXED(0) | 0xffffffff);
	info.terms = "event=0xc0,umask=0,cmask=1,period=2000003";
	info.counter_mask = LOW4;
	ck_assert_uint_eq(fit__event(&info).counters, LOW4);
	info.terms = "event=0x3c";
	ck_assert_uint_eq(fit__event(&info).counters, LOW4 | FIXED(1));
	/* Some tables number fixed counters from 1 on. */
	info.counter_mask = FIXED(2);
	ck_assert_uint_eq(fit__event(&info).counters, FIXED(1) | 0xffffffff);

	info.terms = "event=0x0,umask=0x4,period=10000003";
	ck_assert_int_eq(fit__event(&info).topdown, TOPDOWN_SLOTS);
	info.terms = "event=0x00,umask=0x82";
	ck_assert_int_eq(fit__event(&info).topdown, TOPDOWN_FE_BOUND);
	info.pmu = "uncore_cha";
	ck_assert(!fit__event(&info).topdown);
}
END_TEST

TMA_TEST_MAIN(fit, as_many_as_counters, an_event_makes_room, two_events_for_one_counter,
	      five_events_for_four_counters_of_eight,
	      cycles_of_any_thread_are_on_general_counters_too, fixed_counters_are_used_first,
	      a_counter_that_is_not_there, the_watchdog_has_its_counter, other_users_move_too,
	      registers_hold_so_many_values, one_of_those_that_stand_alone,
	      topdown_events_need_slots_and_no_counter, a_topdown_event_is_there_once,
	      an_exclusive_event_leaves_half_to_the_other_thread, a_pair_takes_two_counters,
	      exclusive_events_can_be_taken_out_too, a_refused_event_leaves_the_set,
	      events_taken_out_make_room, many_events, as_trying_all_ways,
	      constraints_of_the_tables)
