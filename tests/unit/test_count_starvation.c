// SPDX-License-Identifier: GPL-2.0-only
/* A kernel that accepts groups, but never schedules some of them. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake/count.h"
#include "count/session.h"

#define S 1000000000ULL

static struct counts counts;
static uint64_t enabled_ns, other_ns;
static bool singles_run, group_runs, scarce[2];
static uint64_t failing; /* the event whose reads fail */

/*
 * The group of event 1 never runs. Its events run separately only if a test lets them. Event 4 may
 * run.
 */
static ssize_t read_fd(int fd, void *buf, size_t size)
{
	const struct fake_fd *f = fake_fd(fd);
	uint64_t words[64];
	int nr = fake_words(fd, words);
	bool in_group = fake_find(1, f->cpu) && fake_find(1, f->cpu)->is_open && nr > 5;

	if (failing && f->attr.config == failing) {
		errno = EIO;
		return -1;
	}
	words[1] = enabled_ns;
	words[2] = f->attr.config == 4 || f->attr.config == 5 ? other_ns :
		   !in_group && singles_run		      ? enabled_ns / 2 :
		   in_group && group_runs		      ? enabled_ns / 4 :
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

/*
 * Begin a run on CPUs 0 and 1, with events 1 to 3 in one group (weak or not), and 4 and 5 in
 * another.
 */
static void set_up(bool weak)
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
	enabled_ns = S;
	other_ns = S / 2;
	singles_run = true;
	group_runs = false;
	scarce[0] = scarce[1] = true;
	failing = 0;
}

static void start_run(void)
{
	open_session();
	fake.read = read_fd;
	counts__init(&counts, session);
	ck_assert_int_eq(session__start(session, &err), 0);
	session__warnings(session);
}

static void begin_run(bool weak)
{
	set_up(weak);
	start_run();
}

static void end_run(void)
{
	counts__free(&counts);
	teardown_all();
}

/* Read, and do what follows until the next wait. */
static const char *read_and_go_on(void)
{
	session->clock.start_ns -= S;
	ck_assert_int_eq(session__read(session, &counts), failing ? 2 : 0);
	starvation__attachment.before_sleep(session->attached[STARVATION], 0, UINT64_MAX);
	return session__warnings(session);
}

static const char apart[] = "the kernel accepted {a,b,c} but never scheduled it, though its turn "
			    "had come: it is taken apart, and its events are counted one by one from "
			    "here on\n";

START_TEST(a_starved_group_comes_apart)
{
	begin_run(true);
	ck_assert_int_eq(fake.calls, 10);
	ck_assert_str_eq(read_and_go_on(), apart);
	ck_assert_int_eq(session__regrouped(session), 2);
	/* Only the leader was opened again. It runs now. */
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
	/* The time that the leader waited before is part of its enabled time. */
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
	/*
	 * Two groups with turns of 4 ms take less than the shortest time after which a group is
	 * starved.
	 */
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
	/* On a CPU, one of the groups must run. */
	other_ns = 0;
	ck_assert_ptr_nonnull(read_and_go_on());
	end_run();
}
END_TEST

START_TEST(braces_hold_and_say_why)
{
	begin_run(false);
	ck_assert_str_eq(read_and_go_on(),
			 "the kernel accepted {a,b,c} but never scheduled it, though its turn had "
			 "come: it is not counted (without braces, or in {...}:W, events are counted one by"
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
			 "the kernel accepted a, b, c but never scheduled them, though their turn "
			 "had come: they are not counted\n");
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
	start_run();
	ck_assert_int_eq(session__leader(session, 2), 2);
	ck_assert_int_eq(session__leader(session, 4), 3);
	end_run();
}
END_TEST

START_TEST(the_next_run_is_watched_as_the_first)
{
	bool taken_apart[5] = { true };

	set_up(true);
	options.taken_apart = taken_apart;
	start_run();
	singles_run = false;
	scarce[1] = false;
	ck_assert_str_eq(read_and_go_on(),
			 "the kernel accepted a, b, c but never scheduled them, though their turn "
			 "had come: they are not counted\n");
	ck_assert_ptr_nonnull(strstr(session__obstacle(session, 1), "never scheduled it"));
	/* The group was never open, so its counts are lost in any case. */
	ck_assert(!session->counters.at[0].apart);
	end_run();
}
END_TEST

START_TEST(a_group_that_gets_a_late_turn_is_counted)
{
	begin_run(false);
	scarce[1] = false;
	ck_assert_ptr_nonnull(strstr(read_and_go_on(), "it is not counted"));
	ck_assert_ptr_nonnull(session__obstacle(session, 0));
	/* The group is known to run elsewhere, so there is nothing new to report. */
	enabled_ns += S;
	ck_assert_ptr_null(read_and_go_on());
	ck_assert_ptr_nonnull(session__obstacle(session, 0));
	ck_assert_int_eq(session__regrouped(session), 1);
	group_runs = true;
	enabled_ns += S;
	ck_assert_str_eq(read_and_go_on(),
			 "the kernel has scheduled {a,b,c} after all: it is counted from here on\n");
	ck_assert_ptr_null(session__obstacle(session, 0));
	ck_assert_int_eq(session__regrouped(session), 2);
	ck_assert_int_eq(counts.at[0].status, SAMPLE_SCALED);
	ck_assert_uint_eq(counts.at[0].enabled, 3 * S);
	ck_assert_uint_eq(counts.at[0].running, 3 * S / 4);
	enabled_ns += S;
	ck_assert_ptr_null(read_and_go_on());
	end_run();
}
END_TEST

static bool finds_starved(void)
{
	const char *told = read_and_go_on();

	return told && strstr(told, "the kernel accepted");
}

START_TEST(a_read_that_fails_proves_nothing)
{
	/*
	 * If the read of the starved group fails, the group may have run since its last successful
	 * read.
	 */
	begin_run(true);
	enabled_ns = other_ns = 5 * S;
	ck_assert_ptr_null(read_and_go_on());
	failing = 1;
	other_ns = S;
	starvation__attachment.before_sleep(session->attached[STARVATION], 10 * S, UINT64_MAX);
	ck_assert_ptr_null(session__warnings(session));
	failing = 0;
	starvation__attachment.before_sleep(session->attached[STARVATION], 20 * S, UINT64_MAX);
	ck_assert_str_eq(session__warnings(session), apart);
	end_run();

	/* If the read of the other group fails, this group may have run all the time. */
	begin_run(true);
	failing = 4;
	other_ns = enabled_ns;
	ck_assert(!finds_starved());
	starvation__attachment.before_sleep(session->attached[STARVATION], 10 * S, UINT64_MAX);
	ck_assert_ptr_null(session__warnings(session));
	failing = 0;
	ck_assert(!finds_starved());
	other_ns = enabled_ns / 2;
	ck_assert(finds_starved());
	end_run();
}
END_TEST

FAKE_REFUSAL(no_first_event)
{
	return attr->config == 1 ? EIO : 0;
}

START_TEST(units_that_refuse_are_told_in_one_line)
{
	const char *told;

	begin_run(true);
	machine.sysfs = "/nowhere";
	fake.refuse = no_first_event;
	told = read_and_go_on();
	ck_assert_ptr_nonnull(strstr(told, "\nCPUs 0-1 cannot be counted after groups were taken "
					   "apart: cannot count a on CPU 0: "));
	ck_assert_ptr_null(strstr(told, "CPU 1"));
	end_run();
}
END_TEST

/* Begin a run with the same events in this process. */
static void begin_task_run(void)
{
	static char tid[16];

	set_up(true);
	snprintf(tid, sizeof(tid), "%d", getpid());
	target.system_wide = false;
	target.tids = tid;
	start_run();
}

/* Make a child process that stays; or a child process that makes such a child, and ends. */
static pid_t have_child(bool leaves_child)
{
	int fds[2];
	pid_t pid, child;

	ck_assert_int_eq(pipe(fds), 0);
	child = fork();
	if (!child) {
		pid = leaves_child ? fork() : 0;
		if (!pid) {
			pid = getpid();
			ck_assert_int_eq(write(fds[1], &pid, sizeof(pid)), sizeof(pid));
			for (;;)
				pause();
		}
		_exit(0);
	}
	ck_assert_int_eq(read(fds[0], &pid, sizeof(pid)), sizeof(pid));
	close(fds[0]);
	close(fds[1]);
	if (leaves_child)
		waitpid(child, NULL, 0);
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/*
 * Check that only the leader is not counted: it was closed, and not opened again because of
 * children.
 */
static void expect_given_up(void)
{
	ck_assert_str_eq(read_and_go_on(), apart);
	ck_assert_ptr_null(fake_find(1, -1));
	ck_assert_ptr_nonnull(strstr(session__refusal(session, 0), "in children that the task already had"));
	ck_assert_ptr_nonnull(fake_find(2, -1));
	ck_assert_ptr_null(session__refusal(session, 1));
	session__read(session, &counts);
	ck_assert_int_eq(counts.at[0].status, SAMPLE_NOT_COUNTED);
	ck_assert_int_eq(counts.at[1].status, SAMPLE_SCALED);
}

START_TEST(a_task_without_children_has_all_events)
{
	/* A child that ended before the counters were opened has not inherited them. */
	end_child(have_child(false));
	begin_task_run();
	ck_assert_str_eq(read_and_go_on(), apart);
	ck_assert_ptr_nonnull(fake_find(1, -1));
	ck_assert(fake_find(1, -1)->enabled);
	ck_assert_ptr_null(session__refusal(session, 0));
	end_run();
}
END_TEST

START_TEST(children_keep_counters_that_are_closed)
{
	pid_t pid;

	begin_task_run();
	pid = have_child(false);
	expect_given_up();
	end_run();
	end_child(pid);
}
END_TEST

static pid_t born;

/* A child is created after the leader is closed, and before it is opened again. */
FAKE_REFUSAL(born_meanwhile)
{
	if (!born && attr->config == 1)
		born = have_child(false);
	return 0;
}

START_TEST(children_born_while_a_group_comes_apart_are_seen)
{
	begin_task_run();
	born = 0;
	fake.refuse = born_meanwhile;
	expect_given_up();
	ck_assert_int_ne(born, 0);
	end_run();
	end_child(born);
}
END_TEST

START_TEST(children_of_children_that_ended_are_found)
{
	pid_t pid;

	begin_task_run();
	pid = have_child(true);
	expect_given_up();
	end_run();
	kill(pid, SIGKILL);
}
END_TEST

START_TEST(children_without_a_waiting_parent_are_found)
{
	begin_task_run();
	signal(SIGCHLD, SIG_IGN);
	expect_given_up();
	signal(SIGCHLD, SIG_DFL);
	end_run();
}
END_TEST

TMA_TEST_MAIN(starvation, a_starved_group_comes_apart, what_it_counted_elsewhere_is_kept,
	      patience_is_as_long_as_turns_take, others_who_run_all_along_prove_nothing,
	      braces_hold_and_say_why, events_that_never_run_alone_are_told, switched_off_it_waits,
	      the_next_run_begins_apart, the_next_run_is_watched_as_the_first,
	      a_group_that_gets_a_late_turn_is_counted, a_read_that_fails_proves_nothing,
	      units_that_refuse_are_told_in_one_line, a_task_without_children_has_all_events,
	      children_keep_counters_that_are_closed,
	      children_born_while_a_group_comes_apart_are_seen,
	      children_of_children_that_ended_are_found,
	      children_without_a_waiting_parent_are_found)
