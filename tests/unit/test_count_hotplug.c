// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that go offline and come back, under a kernel whose counters stop meanwhile. */
#include "fake/count.h"
#include "fake_sysfs.h"
#include "plan/sets.h"

static struct counts counts;
static char *root;
static bool cpu_1_dead;
static uint64_t clock_ns, clock_step_ns;

/* Times advance only on CPUs that are online; the kernel dissolves groups on an offline CPU. */
static ssize_t read_fd(int fd, void *buf, size_t size)
{
	uint64_t words[64];
	int nr = fake_words(fd, words);

	words[1] = words[2] = clock_ns += clock_step_ns;
	if (fake_fd(fd)->cpu == 1 && cpu_1_dead) {
		words[1] = words[2] = 500;
		if (nr > 3) {
			words[0] = 1;
			words[3] = fake_value(fd);
			words[4] = fake_id(fd);
			nr = 5;
		}
	}
	ck_assert_uint_le(nr * sizeof(*words), size);
	memcpy(buf, words, nr * sizeof(*words));
	return nr * sizeof(*words);
}

/*
 * Set up a group of two events on CPUs 0 and 1. Their counts are 1000 and 2000 plus the CPU's
 * number.
 */
static void setup_pair(void)
{
	static const struct fake_file files[] = { { "sys/devices/system/cpu/online", "0-1\n" },
						  { NULL, NULL } };

	root = fake__new(files);
	setup_machine("0-1");
	machine.sysfs = getenv("SYSFS_PATH");
	target.system_wide = true;
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("b", PERF_TYPE_RAW, 2);
	group_last(2, false);
}

static void start_pair(void)
{
	open_session();
	fake.read = read_fd;
	cpu_1_dead = false;
	clock_ns = clock_step_ns = 1000;
	counts__init(&counts, session);
	ck_assert_int_eq(session__start(session, &err), 0);
}

static void open_pair(void)
{
	setup_pair();
	start_pair();
}

static void close_pair(void)
{
	counts__free(&counts);
	teardown_all();
	fake__free(root);
}

/* Frequent reads do not look for new CPUs each time. */
static void time_goes_on(void)
{
	session__wait(session, session__elapsed_ns(session) + 101000000);
}

START_TEST(counts_of_a_cpu_stay_while_it_is_away_and_go_on_after) /* R22 */
{
	open_pair();
	ck_assert_int_eq(session__read(session, &counts), 0);
	ck_assert_ptr_null(session__warnings(session));

	set_online("0");
	cpu_1_dead = true;
	ck_assert_int_eq(session__read(session, &counts), 0);
	ck_assert_int_eq(session__unread(session), 0);
	ck_assert_str_eq(session__warnings(session),
			 "CPU 1 went offline: it is not counted until it is back\n");
	for (int e = 0; e < 2; e++) {
		ck_assert_uint_eq(counts.at[2 * e + 1].value, 1000 * (e + 1) + 1);
		ck_assert_uint_eq(counts.at[2 * e + 1].enabled, 500);
		ck_assert_int_eq(counts.at[2 * e + 1].status, SAMPLE_COUNTED);
	}
	ck_assert_int_eq(fake_nr_open(), 2);

	set_online("0-1");
	cpu_1_dead = false;
	time_goes_on();
	ck_assert_int_eq(session__read(session, &counts), 0);
	ck_assert_str_eq(session__warnings(session), "CPU 1 is back, and counted from here on\n");
	ck_assert_int_eq(fake_nr_open(), 4);
	ck_assert(fake_find(1, 1)->enabled);
	ck_assert_uint_eq(counts.at[1].value, 2 * 1001);
	ck_assert_uint_eq(counts.at[3].value, 2 * 2001);
	ck_assert_uint_gt(counts.at[3].enabled, 500 + 1000);
	ck_assert_uint_eq(counts.at[0].value, 1000);
	close_pair();
}
END_TEST

START_TEST(counters_that_stand_still_are_opened_anew)
{
	open_pair();
	session__read(session, &counts);
	cpu_1_dead = true;
	session__wait(session, 2000000);
	session__read(session, &counts);
	ck_assert_str_eq(session__warnings(session),
			 "CPU 1 went offline: it is not counted until it is back\n"
			 "CPU 1 is back, and counted from here on\n");
	ck_assert_int_eq(fake_nr_open(), 4);
	cpu_1_dead = false;
	session__read(session, &counts);
	ck_assert_uint_eq(counts.at[1].value, 2 * 1001);
	ck_assert_uint_eq(counts.at[0].value, 1000);
	close_pair();
}
END_TEST

START_TEST(counters_switched_off_may_stand_still)
{
	open_pair();
	clock_step_ns = 0;
	session__enable(session, -1, false);
	for (int i = 1; i <= 3; i++) {
		session__wait(session, i * 2000000);
		session__read(session, &counts);
	}
	ck_assert_ptr_null(session__warnings(session));
	close_pair();
}
END_TEST

START_TEST(a_cpu_that_comes_anew_is_told_once)
{
	open_pair();
	set_online("0-2");
	session__read(session, &counts);
	ck_assert_str_eq(
		session__warnings(session),
		"CPU 2 came online: it was offline at the start, and is not counted in this run\n");
	set_online("0-1");
	time_goes_on();
	session__read(session, &counts);
	set_online("0-2");
	time_goes_on();
	session__read(session, &counts);
	ck_assert_ptr_null(session__warnings(session));
	close_pair();
}
END_TEST

FAKE_REFUSAL(no_more)
{
	return ENODEV;
}

START_TEST(a_cpu_that_cannot_be_counted_again_is_told)
{
	open_pair();
	cpu_1_dead = true;
	set_online("0");
	session__read(session, &counts);
	session__warnings(session);
	set_online("0-1");
	time_goes_on();
	fake.refuse = no_more;
	session__read(session, &counts);
	ck_assert_ptr_nonnull(session__warnings(session));
	/* The count from before is kept. */
	ck_assert_uint_eq(counts.at[1].value, 1001);
	close_pair();
}
END_TEST

FAKE_REFUSAL(no_clock)
{
	return attr->type == PERF_TYPE_SOFTWARE ? EMFILE : 0;
}

START_TEST(a_cpu_without_a_turn_clock_is_not_counted_again)
{
	static bool in_sets[] = { true, true, false, false, false, true };
	static const struct sets sets = { .nr = 2, .nr_events = 3, .has = in_sets };

	setup_pair();
	add_event("c", PERF_TYPE_RAW, 3);
	options.sets = &sets;
	options.turn_ns = 1000000000000;
	start_pair();
	cpu_1_dead = true;
	set_online("0");
	session__read(session, &counts);
	session__warnings(session);
	set_online("0-1");
	time_goes_on();
	fake.refuse = no_clock;
	session__read(session, &counts);
	ck_assert_str_eq(session__warnings(session),
			 "CPU 1 is back but cannot be counted: cannot measure how "
			 "long CPU 1 is counted: Too many open files\n");
	ck_assert_ptr_null(fake_find(1, 1));
	close_pair();
}
END_TEST

TMA_TEST_MAIN(hotplug, counts_of_a_cpu_stay_while_it_is_away_and_go_on_after,
	      counters_that_stand_still_are_opened_anew, counters_switched_off_may_stand_still,
	      a_cpu_that_comes_anew_is_told_once, a_cpu_that_cannot_be_counted_again_is_told,
	      a_cpu_without_a_turn_clock_is_not_counted_again)
