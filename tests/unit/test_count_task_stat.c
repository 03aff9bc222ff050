// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sb.h"
#include "count/cpu_time.h"
#include "count/process_pick.h"
#include "unit.h"

static char procfs[32];

/* A procfs with one process, 12, and its stat file. */
static void write_stat(const char *text)
{
	char path[64];
	FILE *f;

	snprintf(procfs, sizeof(procfs), "/tmp/tma-stat-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(procfs));
	snprintf(path, sizeof(path), "%s/12", procfs);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/12/stat", procfs);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static void remove_stat(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/12/stat", procfs);
	unlink(path);
	snprintf(path, sizeof(path), "%s/12", procfs);
	rmdir(path);
	rmdir(procfs);
}

START_TEST(name_may_look_like_the_rest)
{
	struct task_stat stat;

	write_stat("12 (a) S (b) R 1 2 3 4 -1 6 7 8 9 10 110 120 130 140 15 16 5 18 19\n");
	ck_assert_int_eq(task_stat__read(procfs, 12, true, &stat), 0);
	ck_assert_int_eq(stat.state, 'R');
	ck_assert_uint_eq(stat.user, 110);
	ck_assert_uint_eq(stat.system, 120);
	ck_assert_uint_eq(stat.children_user, 130);
	ck_assert_uint_eq(stat.children_system, 140);
	ck_assert_uint_eq(stat.children_faults, 8 + 10);
	ck_assert_uint_eq(stat.threads, 5);
	ck_assert(!task_stat__has_ended(procfs, 12));
	remove_stat();

	write_stat("12 (a\n) Z\nb) R 1 2 3 4 -1 6 7 8 9 10 110 120 130 140 15 16 5 18 19\n");
	ck_assert_int_eq(task_stat__read(procfs, 12, true, &stat), 0);
	ck_assert_int_eq(stat.state, 'R');
	ck_assert_uint_eq(stat.threads, 5);
	remove_stat();
}
END_TEST

START_TEST(garbage_is_an_error)
{
	static const char *const texts[] = { "", "12", "12 (a)", "12 (a) ", "12 (a) R 1 2 3",
					     "12 (a) R 1 2 3 4 5 6 7 8 9 x 11 12 13 14 15 16 17" };
	struct task_stat stat;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		write_stat(texts[i]);
		ck_assert_int_eq(task_stat__read(procfs, 12, true, &stat), -EBADMSG);
		/* The file can be read, but its text makes no sense. */
		ck_assert(!task_stat__has_ended(procfs, 12));
		remove_stat();
	}
	ck_assert_int_eq(task_stat__read("/nowhere", 12, true, &stat), -ENOENT);
	ck_assert(task_stat__has_ended("/nowhere", 12));
}
END_TEST

START_TEST(process_lives_as_long_as_one_of_its_threads)
{
	write_stat("12 (a) Z 1 2 3 4 -1 6 7 8 9 10 11 12 13 14 15 16 2 18 19\n");
	ck_assert(!task_stat__has_ended(procfs, 12));
	remove_stat();
	write_stat("12 (a) Z 1 2 3 4 -1 6 7 8 9 10 11 12 13 14 15 16 1 18 19\n");
	ck_assert(task_stat__has_ended(procfs, 12));
	remove_stat();
}
END_TEST

START_TEST(zombie_has_ended)
{
	siginfo_t info;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	ck_assert(!task_stat__has_ended("/proc", getpid()));
	ck_assert_int_eq(waitid(P_PID, pid, &info, WEXITED | WNOWAIT), 0);
	ck_assert(task_stat__has_ended("/proc", pid));
	waitpid(pid, NULL, 0);
	ck_assert(task_stat__has_ended("/proc", pid));
}
END_TEST

START_TEST(processes_that_cannot_be_listed_are_those_of_before)
{
	struct process_pick pick = {.procfs = procfs};
	struct sb pids = SB_INIT;

	write_stat("12 (a) R 1 2 3 4 -1 6 7 8 9 10 110 120 130 140 15 16 5 18 19\n");
	process_pick__choose(&pick, 5, &pids);
	ck_assert_int_eq(pick.error, 0);
	ck_assert_str_eq(sb__str(&pids), "12");
	remove_stat();
	process_pick__choose(&pick, 5, &pids);
	ck_assert_int_eq(pick.error, ENOENT);
	ck_assert_str_eq(sb__str(&pids), "12");
	process_pick__free(&pick);
	sb__free(&pids);
}
END_TEST

TMA_TEST_MAIN(count_task_stat, name_may_look_like_the_rest, garbage_is_an_error,
	      process_lives_as_long_as_one_of_its_threads, zombie_has_ended,
	      processes_that_cannot_be_listed_are_those_of_before)
