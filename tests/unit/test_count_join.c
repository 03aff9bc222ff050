// SPDX-License-Identifier: GPL-2.0-only
/* Software events that are opened as a group, so that one read(2) per CPU is enough. */
#include "fake/count.h"
#include "machine/cgroup.h"

#define SOFTWARE PERF_TYPE_SOFTWARE

static struct counts counts;

/* Set up a hardware event between two software events, on two CPUs. */
static void add_three(void)
{
	setup_machine("0-1");
	target.system_wide = true;
	add_event("a", SOFTWARE, 1);
	add_event("b", PERF_TYPE_RAW, 2);
	add_event("c", SOFTWARE, 3);
}

static void begin(void)
{
	open_session();
	counts__init(&counts, session);
	ck_assert_int_eq(session__start(session, &err), 0);
	fake.reads = 0;
	ck_assert_int_eq(session__read(session, &counts), 0);
}

static void end(void)
{
	counts__free(&counts);
	teardown_all();
}

/* The count of event i on CPU j is the config of i times 1000, plus j. */
static void check_counts(void)
{
	for (int i = 0; i < events.nr; i++)
		for (int cpu = 0; cpu < counts.nr_units; cpu++) {
			const struct sample *s = &counts.at[i * counts.nr_units + cpu];

			ck_assert_int_eq(s->status, SAMPLE_COUNTED);
			ck_assert_uint_eq(s->value, events.at[i]->attr.config * 1000 + cpu);
		}
}

static int group_of(int config, int cpu)
{
	return fake_find(config, cpu)->group_fd;
}

START_TEST(software_events_are_read_at_once)
{
	add_three();
	begin();
	ck_assert_int_eq(fake.reads, 2 * 2);
	check_counts();
	ck_assert_int_eq(group_of(2, 0), -1);
	ck_assert(fake_fd(group_of(3, 0)) == fake_find(1, 0));
	ck_assert(fake_fd(group_of(3, 1)) == fake_find(1, 1));
	ck_assert(fake_find(3, 1)->enabled);
	/* To other code they are still separate events. */
	for (int i = 0; i < events.nr; i++)
		ck_assert_int_eq(session__leader(session, i), i);
	end();
}
END_TEST

START_TEST(groups_of_the_user_stay)
{
	add_three();
	add_event("d", SOFTWARE, 4);
	add_event("e", SOFTWARE, 5);
	group_last(2, false);
	add_event("f", SOFTWARE, 6)->attr.pinned = 1;
	begin();
	ck_assert_int_eq(fake.reads, 4 * 2);
	check_counts();
	ck_assert(fake_fd(group_of(5, 0)) == fake_find(4, 0));
	ck_assert_int_eq(group_of(4, 0), -1);
	ck_assert_int_eq(group_of(6, 0), -1);
	end();
}
END_TEST

/* The kernel has no groups with events of different cgroups. */
START_TEST(cgroups_stay_apart)
{
	static const struct cgroup one = { .fd = 1 }, other = { .fd = 2 };
	const struct cgroup *const of[] = { &one, &one, &other, &other };

	setup_machine("0");
	target.system_wide = true;
	for (int i = 0; i < 4; i++)
		add_event("a", SOFTWARE, i + 1)->cgroup = of[i];
	begin();
	ck_assert_int_eq(fake.reads, 2);
	check_counts();
	ck_assert_int_eq(group_of(3, 0), -1);
	ck_assert(fake_fd(group_of(2, 0)) == fake_find(1, 0));
	ck_assert(fake_fd(group_of(4, 0)) == fake_find(3, 0));
	end();
}
END_TEST

/* The commands of --control enable and disable single events. */
START_TEST(alone_where_they_start_one_by_one)
{
	add_three();
	options.control_fd = 1;
	begin();
	ck_assert_int_eq(fake.reads, 3 * 2);
	check_counts();
	end();
}
END_TEST

FAKE_REFUSAL(not_the_third)
{
	return attr->config == 3 ? ENOENT : 0;
}

FAKE_REFUSAL(invalid_third)
{
	return attr->config == 3 ? EINVAL : 0;
}

FAKE_REFUSAL(invalid_first)
{
	return attr->config == 1 ? EINVAL : 0;
}

/* The user did not ask for the group, so if one event is refused, the others are still counted. */
static void check_refusal(int (*refuse)(const struct perf_event_attr *, int, int, int), int event)
{
	add_three();
	add_event("d", SOFTWARE, 4);
	fake.refuse = refuse;
	begin();
	for (int i = 0; i < events.nr; i++) {
		ck_assert_int_eq(session__supported(session, i), i != event);
		ck_assert_int_eq(counts.at[2 * i + 1].status,
				 i == event ? SAMPLE_NOT_SUPPORTED : SAMPLE_COUNTED);
	}
	ck_assert_ptr_null(session__warnings(session));
	end();
}

START_TEST(a_refused_event_does_not_affect_the_others)
{
	check_refusal(not_the_third, 2);
	check_refusal(invalid_third, 2);
	check_refusal(invalid_first, 0);
}
END_TEST

TMA_TEST_MAIN(count_join, software_events_are_read_at_once, groups_of_the_user_stay,
	      cgroups_stay_apart, alone_where_they_start_one_by_one,
	      a_refused_event_does_not_affect_the_others)
