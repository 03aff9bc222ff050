// SPDX-License-Identifier: GPL-2.0-only
#include "sim/context.h"
#include "sim/task.h"
#include "sim_fixture.h"

#define MS 1000000ULL
#define S (1000 * MS)

static struct sim_machine m;
static struct sim_context ctx;
static struct sim_event events[16];
static int nr;

static void begin(const char *text, struct sim_task *task)
{
	sim_must_load(text, &m);
	memset(events, 0, sizeof(events));
	nr = 0;
	context__init(&ctx, &m, &m.pmus.at[0], task ? -1 : 0, task, 0);
}

static void end(void)
{
	for (int i = 0; i < nr; i++) {
		vec__free(&events[i].siblings);
		free(events[i].topdown);
	}
	context__free(&ctx);
	sim_machine__free(&m);
}

static struct sim_event *add(uint64_t config, struct sim_event *leader)
{
	struct sim_event *event = &events[nr++];

	event->pmu = &m.pmus.at[0];
	event->config.word[0] = config;
	event->cpu = ctx.cpu;
	event->leader = leader ? leader : event;
	event->state = SIM_EVENT_INACTIVE;
	ck_assert_int_eq(counters__need(event->pmu, &event->config, &event->need), 0);
	rate__of_event(&m, event->pmu, &event->config, &event->rate);
	ck_assert_int_eq(context__add(&ctx, event), 0);
	return event;
}

START_TEST(counts_follow_the_phases)
{
	struct sim_event *cycles;

	begin(SIM_SMALL, NULL);
	cycles = add(0x3c, NULL);
	context__advance(&ctx, S);
	ck_assert_uint_eq(event__count(cycles), 2000000000);
	context__advance(&ctx, S + 250 * MS);
	ck_assert_uint_eq(event__count(cycles), 2250000000);
	context__advance(&ctx, 3 * S);
	ck_assert_uint_eq(event__count(cycles), 5000000000);
	ck_assert_uint_eq(cycles->enabled_ns, 3 * S);
	ck_assert_uint_eq(cycles->running_ns, 3 * S);
	end();
}
END_TEST

START_TEST(counts_do_not_depend_on_how_often_one_looks)
{
	struct sim_event *often, *once;

	begin(SIM_SMALL, NULL);
	often = add(0x11, NULL);
	for (uint64_t t = 0; t <= 2 * S; t += 1234567)
		context__advance(&ctx, t);
	context__advance(&ctx, 2 * S);
	once = add(0x11, NULL);
	ctx.now = 0;
	often->state = SIM_EVENT_OFF;
	context__advance(&ctx, 2 * S);
	ck_assert_uint_gt(event__count(often), 0);
	ck_assert_uint_eq(event__count(often), event__count(once));
	end();
}
END_TEST

START_TEST(groups_that_do_not_fit_take_turns)
{
	begin(SIM_SMALL, NULL);
	for (int i = 0; i < 8; i++)
		add(0x11, NULL);
	context__advance(&ctx, 8 * 4 * MS);
	for (int i = 0; i < 8; i++) {
		ck_assert_uint_eq(events[i].enabled_ns, 32 * MS);
		ck_assert_uint_eq(events[i].running_ns, 16 * MS);
	}
	end();
}
END_TEST

START_TEST(a_group_counts_as_a_whole_and_blocks_those_behind_it)
{
	struct sim_event *leader, *single;

	begin(SIM_SMALL, NULL);
	single = add(0x11, NULL);
	leader = add(0x11, NULL);
	for (int i = 0; i < 3; i++)
		add(0x12, leader);
	add(0x13, NULL);
	context__advance(&ctx, MS);
	ck_assert_uint_eq(single->running_ns, MS);
	/* The last event would fit, but the group before it does not. */
	ck_assert_uint_eq(leader->running_ns, 0);
	ck_assert_uint_eq(events[5].running_ns, 0);
	context__advance(&ctx, 5 * MS);
	ck_assert_uint_eq(leader->running_ns, MS);
	ck_assert_uint_eq(events[4].running_ns, MS);
	ck_assert_uint_eq(single->running_ns, 4 * MS);
	end();
}
END_TEST

START_TEST(pinned_groups_come_first_or_fail)
{
	struct sim_event *pinned;

	begin(SIM_SMALL, NULL);
	for (int i = 0; i < 4; i++)
		add(0x11, NULL);
	pinned = &events[nr];
	pinned->attr.pinned = 1;
	add(0x12, NULL);
	context__advance(&ctx, 40 * MS);
	ck_assert_uint_eq(pinned->running_ns, 40 * MS);
	for (int i = 0; i < 4; i++) {
		struct sim_event *more = &events[nr];

		more->attr.pinned = 1;
		add(0x12, NULL);
	}
	context__advance(&ctx, 44 * MS);
	ck_assert_int_eq(events[nr - 1].state, SIM_EVENT_ERROR);
	end();
}
END_TEST

START_TEST(a_group_whose_leader_is_off_does_not_count)
{
	struct sim_event *leader, *member;

	begin(SIM_SMALL, NULL);
	leader = add(0x3c, NULL);
	member = add(0xc0, leader);
	event__disable(leader);
	context__advance(&ctx, S);
	ck_assert_uint_eq(member->enabled_ns, 0);
	event__enable(leader);
	context__advance(&ctx, S + 100 * MS);
	ck_assert_uint_eq(member->enabled_ns, 100 * MS);
	ck_assert_uint_eq(event__count(member), 150000000);
	event__reset(member);
	ck_assert_uint_eq(event__count(member), 0);
	ck_assert_uint_eq(member->enabled_ns, 100 * MS);
	end();
}
END_TEST

START_TEST(groups_too_large_are_refused_and_watchdogs_starve_them)
{
	struct sim_event *leader, extra = { .pmu = NULL };

	begin(SIM_SMALL, NULL);
	leader = add(0x3c, NULL);
	for (int i = 0; i < 4; i++)
		add(0x11, leader);
	extra.pmu = &m.pmus.at[0];
	extra.config.word[0] = 0x11;
	extra.leader = leader;
	ck_assert_int_eq(counters__need(extra.pmu, &extra.config, &extra.need), 0);
	ck_assert_int_eq(context__fits(&extra, leader), -22);
	ck_assert_int_eq(context__fits(&extra, NULL), 0);
	/*
	 * While another user has the fixed counter of cycles, the kernel opens the group, but never
	 * counts it.
	 */
	ctx.reserved = 1ULL << (SIM_FIXED_BIT + 1);
	context__advance(&ctx, S);
	ck_assert_uint_eq(leader->enabled_ns, S);
	ck_assert_uint_eq(leader->running_ns, 0);
	end();
}
END_TEST

START_TEST(members_stand_alone_when_their_leader_closes)
{
	struct sim_event *leader, *member;

	begin(SIM_SMALL, NULL);
	leader = add(0x3c, NULL);
	member = add(0xc0, leader);
	context__advance(&ctx, 100 * MS);
	context__remove(leader);
	context__advance(&ctx, 200 * MS);
	ck_assert_ptr_eq(member->leader, member);
	ck_assert_uint_eq(member->running_ns, 200 * MS);
	end();
}
END_TEST

#define HYBRID                                                                                     \
	"cpuid GenuineIntel-6-97-2\ncpus 0-1\ncore 0\ncore 1\ntask-path 0 3ms 1 1ms\n"             \
	"pmu cpu_core\ntype 4\ncpus 0\ncounters 8\nfixed 4\n"                                      \
	"format event config:0-7\nformat umask config:8-15\n"                                      \
	"constraint event=0x00,umask=0x04 fixed 3 slots\n"                                         \
	"constraint event=0x00,umask=0x80 metric 0\n"                                              \
	"rate event=0x3c 1G\nrate event=0x00,umask=0x04 6G\n"                                      \
	"rate event=0x00,umask=0x80 1.5G\nend\n"

START_TEST(a_task_counts_only_on_the_cpus_of_the_pmu)
{
	struct sim_task task = { .tid = 1 };
	struct sim_event *cycles;

	begin(HYBRID, &task);
	cycles = add(0x3c, NULL);
	cycles->cpu = -1;
	context__advance(&ctx, 40 * MS);
	ck_assert_uint_eq(cycles->enabled_ns, 40 * MS);
	ck_assert_uint_eq(cycles->running_ns, 30 * MS);
	ck_assert_uint_eq(event__count(cycles), 30 * MS);
	end();
}
END_TEST

START_TEST(metric_events_are_fractions_of_255)
{
	struct sim_event *slots, *retiring;

	begin(HYBRID, NULL);
	slots = add(0x400, NULL);
	retiring = add(0x8000, slots);
	context__advance(&ctx, S);
	ck_assert_uint_eq(event__count(slots), 6000000000);
	/* A quarter of 255 is 63.75, so the register has 64. */
	ck_assert_uint_eq(event__count(retiring), 6000000000 * 64 / 255);
	context__advance(&ctx, 2 * S);
	ck_assert_uint_eq(event__count(retiring), 6000000000 * 64 / 255 * 2);
	end();
}
END_TEST

START_TEST(rates_without_a_rule_are_between_the_bounds)
{
	struct sim_event *a, *b, *c;

	begin(SIM_SMALL, NULL);
	a = add(0x11, NULL);
	b = add(0x11, NULL);
	c = add(0x12, NULL);
	context__advance(&ctx, S);
	ck_assert_uint_eq(event__count(a), event__count(b));
	ck_assert_uint_ne(event__count(a), event__count(c));
	ck_assert_uint_ge(event__count(a), 1000);
	ck_assert_uint_le(event__count(a), 1000000);
	end();
}
END_TEST

TMA_TEST_MAIN(sim_context, counts_follow_the_phases, counts_do_not_depend_on_how_often_one_looks,
	      groups_that_do_not_fit_take_turns,
	      a_group_counts_as_a_whole_and_blocks_those_behind_it,
	      pinned_groups_come_first_or_fail, a_group_whose_leader_is_off_does_not_count,
	      groups_too_large_are_refused_and_watchdogs_starve_them,
	      members_stand_alone_when_their_leader_closes,
	      a_task_counts_only_on_the_cpus_of_the_pmu, metric_events_are_fractions_of_255,
	      rates_without_a_rule_are_between_the_bounds)
