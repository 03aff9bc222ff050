// SPDX-License-Identifier: GPL-2.0-only
/* Groups under a kernel that takes them and never schedules some. */
#include "fake/count.h"
#include "count/session.h"

#define S 1000000000ULL

static struct counts counts;
static uint64_t enabled_ns, other_ns;
static bool singles_run, scarce[2];

/* The group of event 1 never runs, nor do its events alone unless they are to; event 4 may. */
static ssize_t read_fd(int fd, void *buf, size_t size)
{
	const struct fake_fd *f = fake_fd(fd);
	uint64_t words[64];
	int nr = fake_words(fd, words);
	bool in_group = fake_find(1, f->cpu) && fake_find(1, f->cpu)->is_open && nr > 5;

	words[1] = enabled_ns;
	words[2] = f->attr.config == 4 || f->attr.config == 5 ? other_ns :
		   !in_group && singles_run		      ? enabled_ns / 2 :
		   f->cpu >= 0 && !scarce[f->cpu]	      ? enabled_ns / 2 :
								0;
	for (int i = 0; !words[2] && i < (nr > 3 ? (nr - 3) / 2 : 0); i++)
		words[3 + 2 * i] = 0;
	if (!words[2] && nr == 3)
		words[0] = 0;
	ck_assert_uint_le(nr * sizeof(*words), size);
	memcpy(buf, words, nr * sizeof(*words));
	return nr * sizeof(*words);
}

/* Events 1 to 3 in a group on CPUs 0 and 1, which is weak or not; 4 and 5 in another. */
static void begin_run(bool weak)
{
	setup_machine("0-1");
	target.system_wide = true;
	options.watch_groups = true;
	for (int i = 1; i <= 3; i++)
		add_event(i == 1 ? "a" : i == 2 ? "b" : "c", PERF_TYPE_RAW, i);
	group_last(3, weak);
	add_event("d", PERF_TYPE_RAW, 4);
	add_event("e", PERF_TYPE_RAW, 5);
	group_last(2, false);
	open_session();
	fake.read = read_fd;
	enabled_ns = S;
	other_ns = S / 2;
	singles_run = true;
	scarce[0] = scarce[1] = true;
	counts__init(&counts, session);
	ck_assert_int_eq(session__start(session, &err), 0);
	session__warnings(session);
}

static void end_run(void)
{
	counts__free(&counts);
	teardown_all();
}

/* A read, and what is done before the next wait. */
static const char *read_and_go_on(void)
{
	session->clock.start_ns -= S;
	ck_assert_int_eq(session__read(session, &counts), 0);
	starvation__attachment.before_sleep(session->attached[STARVATION], 0, UINT64_MAX);
	return session__warnings(session);
}

static const char apart[] = "the kernel took {a,b,c} and never scheduled it, though its turn had "
			    "come: it is taken apart, and its events are counted one by one from "
			    "here on\n";

START_TEST(a_starved_group_comes_apart)
{
	begin_run(true);
	ck_assert_int_eq(fake.calls, 10);
	ck_assert_str_eq(read_and_go_on(), apart);
	ck_assert_int_eq(session__regrouped(session), 2);
	/* The leader alone was opened anew, and runs. */
	ck_assert_int_eq(fake.calls, 12);
	ck_assert_int_eq(fake_nr_open(), 10);
	ck_assert(fake_find(1, 0)->enabled);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(session__leader(session, i), i);
	ck_assert_int_eq(session__leader(session, 4), 3);
	ck_assert_ptr_nonnull(session__obstacle(session, 0));
	ck_assert_ptr_null(session__obstacle(session, 3));

	ck_assert_ptr_null(read_and_go_on());
	for (int e = 0; e < 3; e++)
		ck_assert_uint_eq(counts.at[2 * e].value, 1000 * (e + 1));
	/* What the leader had waited before is part of its time. */
	ck_assert_uint_eq(counts.at[0].enabled, 2 * S);
	ck_assert_uint_eq(counts.at[2].enabled, S);
	end_run();
}
END_TEST

START_TEST(what_it_counted_elsewhere_is_kept)
{
	begin_run(true);
	scarce[1] = false;
	ck_assert_str_eq(read_and_go_on(), apart);
	session__read(session, &counts);
	ck_assert_uint_eq(counts.at[1].value, 2 * 1001);
	ck_assert_uint_eq(counts.at[3].value, 2001);
	end_run();
}
END_TEST

START_TEST(patience_is_as_long_as_turns_take)
{
	begin_run(true);
	/* Two groups of 4 ms: less than the least time. */
	enabled_ns = S / 10 - 1;
	other_ns = enabled_ns / 2;
	ck_assert_ptr_null(read_and_go_on());
	enabled_ns++;
	ck_assert_str_eq(read_and_go_on(), apart);
	end_run();
}
END_TEST

START_TEST(others_who_run_all_along_prove_nothing)
{
	begin_run(true);
	other_ns = enabled_ns;
	ck_assert_ptr_null(read_and_go_on());
	/* But on a CPU, somebody has to run. */
	other_ns = 0;
	ck_assert_ptr_nonnull(read_and_go_on());
	end_run();
}
END_TEST

START_TEST(braces_hold_and_say_why)
{
	begin_run(false);
	ck_assert_str_eq(read_and_go_on(),
			 "the kernel took {a,b,c} and never scheduled it, though its turn had come: "
			 "it is not counted (without braces, or in {...}:W, events are counted one by"
			 " one)\n");
	ck_assert_int_eq(fake.calls, 10);
	ck_assert_int_eq(session__leader(session, 2), 0);
	ck_assert_ptr_nonnull(session__obstacle(session, 2));
	enabled_ns += S;
	ck_assert_ptr_null(read_and_go_on());
	end_run();
}
END_TEST

START_TEST(events_that_never_run_alone_are_told)
{
	begin_run(true);
	ck_assert_str_eq(read_and_go_on(), apart);
	singles_run = false;
	enabled_ns = 2 * S;
	ck_assert_str_eq(read_and_go_on(),
			 "the kernel took a, b, c and never scheduled them, though their turn had "
			 "come: they are not counted\n");
	ck_assert_int_eq(counts.at[0].status, SAMPLE_NOT_COUNTED);
	enabled_ns += S;
	ck_assert_ptr_null(read_and_go_on());
	end_run();
}
END_TEST

START_TEST(switched_off_it_waits)
{
	begin_run(true);
	session__enable(session, -1, false);
	ck_assert_ptr_null(read_and_go_on());
	ck_assert_int_eq(fake.calls, 10);
	session__enable(session, -1, true);
	ck_assert_str_eq(read_and_go_on(), apart);
	end_run();
}
END_TEST

START_TEST(the_next_run_begins_apart)
{
	bool taken_apart[5] = { false };

	begin_run(true);
	session->opts.taken_apart = taken_apart;
	ck_assert_str_eq(read_and_go_on(), apart);
	ck_assert(taken_apart[0]);
	session__free(session);
	counts__free(&counts);
	options.taken_apart = taken_apart;
	open_session();
	ck_assert_int_eq(session__leader(session, 2), 2);
	ck_assert_int_eq(session__leader(session, 4), 3);
	teardown_all();
}
END_TEST

TMA_TEST_MAIN(starvation, a_starved_group_comes_apart, what_it_counted_elsewhere_is_kept,
	      patience_is_as_long_as_turns_take, others_who_run_all_along_prove_nothing,
	      braces_hold_and_say_why, events_that_never_run_alone_are_told, switched_off_it_waits,
	      the_next_run_begins_apart)
