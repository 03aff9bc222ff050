// SPDX-License-Identifier: GPL-2.0-only
/* Real commands, processes and signals; the counters are a fake kernel's. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "fake/count.h"

#define MS 1000000ULL

static struct counts counts;

static void run_sh(const char *script)
{
	static char *argv[] = { "sh", "-c", NULL, NULL };

	argv[2] = (char *)script;
	setup_machine("0");
	target.argv = argv;
	add_event("a", PERF_TYPE_RAW, 1);
}

static void start(void)
{
	int rc;

	open_session();
	counts__init(&counts, session);
	rc = session__start(session, &err);
	ck_assert_msg(!rc, "%s", err.msg);
}

/* The command removes this file when it has reached the point that the test waits for. */
static char marker[] = "/tmp/tma-count-XXXXXX";

static void make_marker(void)
{
	int fd;

	snprintf(marker, sizeof(marker), "/tmp/tma-count-XXXXXX");
	fd = mkstemp(marker);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void wait_until_removed(void)
{
	while (file__exists("%s", marker))
		usleep(1000);
}

static void end(void)
{
	counts__free(&counts);
	teardown_all();
}

START_TEST(status_of_the_command_is_kept)
{
	int status;

	run_sh("exit 7");
	start();
	ck_assert_int_eq(session__wait(session, UINT64_MAX), WAIT_EXITED);
	ck_assert_int_eq(session__wait(session, UINT64_MAX), WAIT_EXITED);
	session__stop(session);
	session__reap(session, 0, &status, &counts);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	end();

	run_sh("kill -SEGV $$");
	start();
	ck_assert_int_eq(session__wait(session, UINT64_MAX), WAIT_EXITED);
	session__reap(session, 0, &status, &counts);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	end();
}
END_TEST

START_TEST(cpu_time_is_known_after_the_end)
{
	int status;

	run_sh("i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done");
	add_event("user_time", PERF_TYPE_SOFTWARE, 9)->tool = EVENT_USER_TIME;
	add_event("system_time", PERF_TYPE_SOFTWARE, 9)->tool = EVENT_SYSTEM_TIME;
	start();
	ck_assert_int_eq(session__wait(session, UINT64_MAX), WAIT_EXITED);
	session__stop(session);
	session__read(session, &counts);
	ck_assert_uint_gt(counts.user_ns, 0);
	ck_assert_uint_eq(counts.at[1].value, counts.user_ns);
	ck_assert_uint_eq(counts.at[2].value, counts.system_ns);
	/* A count of 0 ns is valid: the event was enabled while the command ran. */
	ck_assert_int_eq(counts.at[2].status, SAMPLE_COUNTED);
	ck_assert_uint_eq(counts.at[2].enabled, counts.time_ns);
	ck_assert_uint_eq(counts.at[2].running, counts.time_ns);
	ck_assert_uint_le(counts.user_ns, session__elapsed_ns(session) + 20 * MS);
	counts.user_ns = 0;
	session__reap(session, 0, &status, &counts);
	ck_assert_uint_gt(counts.user_ns, 0);
	end();
}
END_TEST

START_TEST(command_that_cannot_run_says_why)
{
	static char *none[] = { "/no/such/program", NULL }, *dir[] = { "/etc", NULL };

	setup_machine("0");
	add_event("a", PERF_TYPE_RAW, 1);
	target.argv = none;
	open_session();
	ck_assert_int_eq(session__start(session, &err), -ENOENT);
	ck_assert_str_eq(err.msg, "cannot run /no/such/program: No such file or directory");
	teardown_all();

	setup_machine("0");
	add_event("a", PERF_TYPE_RAW, 1);
	target.argv = dir;
	open_session();
	ck_assert_int_eq(session__start(session, &err), -EACCES);
	ck_assert_str_eq(err.msg, "cannot run /etc: Permission denied");
	teardown_all();
}
END_TEST

START_TEST(deadlines_are_reached_and_not_before)
{
	uint64_t deadline = 0;

	run_sh("sleep 100");
	start();
	for (int i = 0; i < 5; i++) {
		deadline += 10 * MS;
		ck_assert_int_eq(session__wait(session, deadline), WAIT_DEADLINE);
		ck_assert_uint_ge(session__elapsed_ns(session), deadline);
	}
	ck_assert_uint_lt(session__elapsed_ns(session), 60000 * MS);
	session__reap(session, SIGTERM, &(int){ 0 }, NULL);
	end();
}
END_TEST

START_TEST(end_is_seen_before_the_deadline)
{
	run_sh("exit 0");
	start();
	ck_assert_int_eq(session__wait(session, 100000 * MS), WAIT_EXITED);
	ck_assert_uint_lt(session__elapsed_ns(session), 90000 * MS);
	end();
}
END_TEST

START_TEST(signal_ends_the_wait_and_goes_to_the_command)
{
	int status;

	run_sh("sleep 20");
	start();
	kill(getpid(), SIGTERM);
	ck_assert_int_eq(session__wait(session, 10000 * MS), WAIT_SIGNAL);
	ck_assert_int_eq(session__signal(), SIGTERM);
	ck_assert_int_eq(session__wait(session, 10000 * MS), WAIT_SIGNAL);
	session__reap(session, SIGTERM, &status, NULL);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	end();
}
END_TEST

START_TEST(stopped_command_is_woken_to_end)
{
	int status;

	run_sh("kill -STOP $$; sleep 20");
	start();
	ck_assert_int_eq(session__wait(session, 50 * MS), WAIT_DEADLINE);
	session__reap(session, SIGTERM, &status, NULL);
	ck_assert(WIFSIGNALED(status));
	end();
}
END_TEST

START_TEST(second_signal_ends_a_stubborn_command)
{
	pid_t tester = getpid(), pid;
	char script[128];
	int status;

	make_marker();
	snprintf(script, sizeof(script), "trap '' TERM; rm %s; while :; do sleep 0.05; done",
		 marker);
	run_sh(script);
	start();
	wait_until_removed();
	kill(tester, SIGTERM);
	ck_assert_int_eq(session__wait(session, UINT64_MAX), WAIT_SIGNAL);
	pid = fork();
	if (!pid) {
		usleep(100000);
		kill(tester, SIGINT);
		_exit(0);
	}
	session__reap(session, SIGTERM, &status, NULL);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	waitpid(pid, NULL, 0);
	end();
}
END_TEST

/* If tma itself has sent a signal, as at a timeout, the user's next signal is still the first. */
START_TEST(first_signal_after_ours_ends_a_stubborn_command)
{
	pid_t tester = getpid(), pid;
	char script[160];
	int status;

	/* The command reports that it handles the signal, and later that the signal has come. */
	make_marker();
	snprintf(script, sizeof(script),
		 "trap 'rm -f %s' TERM; rm %s; while :; do sleep 0.05; done", marker, marker);
	run_sh(script);
	start();
	wait_until_removed();
	close(open(marker, O_CREAT | O_WRONLY, 0600));
	pid = fork();
	if (!pid) {
		wait_until_removed();
		kill(tester, SIGTERM);
		_exit(0);
	}
	session__reap(session, SIGTERM, &status, NULL);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	waitpid(pid, NULL, 0);
	end();
}
END_TEST

static void nothing(int signal)
{
	(void)signal;
}

START_TEST(abandoned_command_is_ended)
{
	int status;

	run_sh("sleep 10");
	open_session();
	workload__abandon();
	ck_assert_int_eq(session__start(session, &err), 0);
	workload__abandon();
	session__reap(session, 0, &status, NULL);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	/*
	 * The process has ended, and its number may be used again: no process may get the signal.
	 */
	workload__abandon();
	end();
}
END_TEST

START_TEST(other_signals_do_not_shorten_a_row)
{
	pid_t tester = getpid(), pid;

	signal(SIGUSR2, nothing);
	run_sh("sleep 10");
	start();
	pid = fork();
	if (!pid) {
		for (int i = 0; i < 50; i++) {
			usleep(1000);
			kill(tester, SIGUSR2);
		}
		_exit(0);
	}
	ck_assert_int_eq(session__wait(session, 100 * MS), WAIT_DEADLINE);
	ck_assert_uint_ge(session__elapsed_ns(session), 100 * MS);
	waitpid(pid, NULL, 0);
	session__reap(session, SIGTERM, &(int){ 0 }, NULL);
	end();
}
END_TEST

START_TEST(counts_so_far_can_be_asked_for)
{
	run_sh("sleep 10");
	open_session();
	raise(SIGUSR1);
	ck_assert_int_eq(session__start(session, &err), 0);
	ck_assert_int_eq(session__wait(session, 10000 * MS), WAIT_ASKED);
	ck_assert_int_eq(session__wait(session, 20 * MS), WAIT_DEADLINE);
	raise(SIGALRM);
	ck_assert_int_eq(session__wait(session, 10000 * MS), WAIT_SIGNAL);
	ck_assert_int_eq(session__signal(), SIGALRM);
	session__reap(session, SIGTERM, &(int){ 0 }, NULL);
	end();
}
END_TEST

START_TEST(ignored_hangup_stays_ignored)
{
	struct sigaction action;

	signal(SIGHUP, SIG_IGN);
	run_sh("sleep 10");
	start();
	kill(getpid(), SIGHUP);
	ck_assert_int_eq(session__wait(session, 20 * MS), WAIT_DEADLINE);
	session__reap(session, SIGTERM, &(int){ 0 }, NULL);
	end();
	sigaction(SIGHUP, NULL, &action);
	ck_assert(action.sa_handler == SIG_IGN);
}
END_TEST

START_TEST(signals_are_put_back)
{
	struct sigaction action;
	sigset_t mask;

	signal(SIGTERM, nothing);
	run_sh("exit 0");
	start();
	session__wait(session, UINT64_MAX);
	end();
	sigaction(SIGTERM, NULL, &action);
	ck_assert(action.sa_handler == nothing);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	ck_assert(!sigismember(&mask, SIGTERM) && !sigismember(&mask, SIGCHLD));
}
END_TEST

/* Collect the output of a command, "sh -c script >&fd", through a pipe. */
static void output_of(const char *script, char *buf, size_t size)
{
	int out[2], saved = dup(1);
	ssize_t n;

	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	fcntl(saved, F_SETFD, FD_CLOEXEC);
	fflush(stdout);
	run_sh(script);
	dup2(out[1], 1);
	start();
	session__wait(session, UINT64_MAX);
	dup2(saved, 1);
	close(saved);
	close(out[1]);
	n = read(out[0], buf, size - 1);
	buf[n > 0 ? n : 0] = '\0';
	close(out[0]);
	end();
}

START_TEST(command_gets_no_files_of_ours) /* R46 */
{
	char got[256];

	/*
	 * The program that runs the tests has descriptors which any of its children inherits:
	 * ignore these.
	 */
	ck_assert_int_eq(close_range(3, ~0U, CLOSE_RANGE_CLOEXEC), 0);
	output_of("for f in /proc/$$/fd/*; do readlink $f; done | grep -c 'socket\\|perf'", got,
		  sizeof(got));
	ck_assert_str_eq(got, "0\n");
}
END_TEST

/*
 * Read lines of /proc/self/status into @buf as grep prints them. (popen() would ignore some
 * signals.)
 */
static void own_signals(char *buf, size_t size)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];

	ck_assert_ptr_nonnull(f);
	buf[0] = '\0';
	while (fgets(line, sizeof(line), f))
		if (strstr(line, "SigBlk") || strstr(line, "SigIgn"))
			snprintf(buf + strlen(buf), size - strlen(buf), "%s", line);
	fclose(f);
}

START_TEST(command_has_the_signals_we_had)
{
	char got[256], want[256];

	/* The program that runs the tests may ignore signals: then the command ignores them too. */
	own_signals(want, sizeof(want));
	ck_assert_ptr_nonnull(strstr(want, "SigIgn"));
	output_of("exec grep -E 'SigBlk|SigIgn' /proc/self/status", got, sizeof(got));
	ck_assert_str_eq(got, want);
}
END_TEST

START_TEST(command_not_let_go_does_not_run)
{
	char path[] = "/tmp/tma-count-XXXXXX", script[64];
	int fd = mkstemp(path), status;
	pid_t pid;

	close(fd);
	unlink(path);
	snprintf(script, sizeof(script), "touch %s", path);
	run_sh(script);
	open_session();
	pid = session__units(session)->ids[0];
	teardown_all();
	ck_assert(!file__exists("%s", path));
	ck_assert_int_eq(waitpid(pid, &status, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

START_TEST(run_on_a_process_ends_with_it) /* R25 */
{
	char text[16];
	pid_t pid = fork();

	while (!pid)
		pause();
	setup_machine("0");
	snprintf(text, sizeof(text), "%d", pid);
	target.pids = text;
	add_event("a", PERF_TYPE_RAW, 1);
	start();
	ck_assert_int_eq(session__units(session)->nr, 1);
	ck_assert_int_eq(session__units(session)->ids[0], pid);
	ck_assert_int_eq(fake.fds[0].pid, pid);
	ck_assert_int_eq(fake.fds[0].cpu, -1);
	ck_assert(fake.fds[0].enabled && !fake.fds[0].attr.enable_on_exec);
	ck_assert_str_ne(session__units(session)->comms[0], "");
	ck_assert_int_eq(session__wait(session, 5 * MS), WAIT_DEADLINE);
	kill(pid, SIGKILL);
	ck_assert_int_eq(session__wait(session, UINT64_MAX), WAIT_EXITED);
	end();
	waitpid(pid, NULL, 0);
}
END_TEST

START_TEST(command_beside_a_process_tells_how_long)
{
	char text[16];

	run_sh("sleep 0.05");
	snprintf(text, sizeof(text), "%d", getpid());
	target.pids = text;
	start();
	ck_assert_int_eq(session__units(session)->ids[0], getpid());
	ck_assert_int_eq(session__wait(session, UINT64_MAX), WAIT_EXITED);
	ck_assert_uint_ge(session__elapsed_ns(session), 50 * MS);
	end();
}
END_TEST

static pid_t thread_tid;

/* The thread waits at the barrier when it begins and when it ends, and so does the test. */
static void *waiting_thread(void *barrier)
{
	thread_tid = syscall(SYS_gettid);
	pthread_barrier_wait(barrier);
	pthread_barrier_wait(barrier);
	return NULL;
}

START_TEST(run_on_a_thread_ends_with_it)
{
	pthread_barrier_t barrier;
	pthread_t thread;
	char text[16];

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, waiting_thread, &barrier);
	pthread_barrier_wait(&barrier);
	setup_machine("0");
	snprintf(text, sizeof(text), "%d", thread_tid);
	target.tids = text;
	add_event("a", PERF_TYPE_RAW, 1);
	start();
	ck_assert_int_eq(session__units(session)->ids[0], thread_tid);
	ck_assert_int_eq(session__wait(session, 5 * MS), WAIT_DEADLINE);
	pthread_barrier_wait(&barrier);
	ck_assert_int_eq(session__wait(session, UINT64_MAX), WAIT_EXITED);
	end();
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&barrier);
}
END_TEST

START_TEST(all_threads_of_a_process_are_units)
{
	pthread_barrier_t barrier;
	pthread_t thread;
	char text[32];

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, waiting_thread, &barrier);
	pthread_barrier_wait(&barrier);
	setup_machine("0");
	/* a process that is named twice is counted once */
	snprintf(text, sizeof(text), "%d,%d", getpid(), getpid());
	target.pids = text;
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("user_time", PERF_TYPE_SOFTWARE, 9)->tool = EVENT_USER_TIME;
	start();
	ck_assert_int_eq(session__units(session)->nr, 2);
	ck_assert_int_eq(session__units(session)->ids[0], getpid());
	ck_assert_int_eq(session__units(session)->ids[1], thread_tid);
	/* Use the CPU for some ticks of procfs, even on a busy machine; the other thread sleeps. */
	do
		session__read(session, &counts);
	while (counts.at[2].value < 20 * MS);
	ck_assert_uint_le(counts.at[3].value, 20 * MS);
	pthread_barrier_wait(&barrier);
	end();
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&barrier);
}
END_TEST

FAKE_REFUSAL(gone)
{
	return pid != getpid() ? ESRCH : 0;
}

START_TEST(thread_gone_before_the_open_is_left_out)
{
	char text[32];
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	setup_machine("0");
	snprintf(text, sizeof(text), "%d,%d", pid, getpid());
	target.tids = text;
	add_event("a", PERF_TYPE_RAW, 1);
	fake.refuse = gone;
	start();
	session__read(session, &counts);
	/* Threads are in ascending order, so the test's own is the first. */
	ck_assert_int_eq(session__units(session)->ids[1], pid);
	ck_assert_int_eq(counts.at[0].status, SAMPLE_COUNTED);
	ck_assert_int_eq(counts.at[1].status, SAMPLE_ABSENT);
	end();

	snprintf(text, sizeof(text), "%d", pid);
	setup_machine("0");
	target.tids = text;
	add_event("a", PERF_TYPE_RAW, 1);
	fake.refuse = gone;
	new_session();
	ck_assert_int_eq(session__open(session, &err), -ESRCH);
	teardown_all();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}
END_TEST

static void expect_new(int rc, const char *message)
{
	add_event("a", PERF_TYPE_RAW, 1);
	ck_assert_int_eq(session__new(&machine, &events, &target, &options, &session, &err), rc);
	ck_assert_str_eq(err.msg, message);
	session = NULL;
	teardown_all();
}

START_TEST(targets_that_cannot_be_are_errors)
{
	setup_machine("0-1,3");
	ck_assert_int_eq(cpulist__add(&machine.present, 2), 0);
	ck_assert_int_eq(cpulist__parse("-C", "0,2,7-8", &target.cpus, NULL), 0);
	expect_new(-ENODEV, "-C: this machine has no CPU 7-8; offline: CPU 2; online: 0-1,3");

	setup_machine("0");
	target.pids = "1";
	target.system_wide = true;
	expect_new(-EINVAL, "-p counts some tasks, -a counts CPUs: use one of them");

	setup_machine("0");
	target.pids = target.tids = "1";
	expect_new(-EINVAL, "-p and -t cannot be combined: name processes or threads");

	setup_machine("0");
	target.pids = "2147483646";
	expect_new(-ESRCH, "process 2147483646 (-p): no such process");

	setup_machine("0");
	target.tids = "2147483646";
	expect_new(-ESRCH, "thread 2147483646 (-t): no such thread");

	setup_machine("0");
	expect_new(-EINVAL, "nothing to count on: give a command, -a, -C, -p or -t");
}
END_TEST

START_TEST(numbers_of_tasks_are_checked)
{
	static const char *const bad[] = { "", "0", "-1", "12x", "1,,2", "99999999999" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		setup_machine("0");
		target.pids = bad[i];
		add_event("a", PERF_TYPE_RAW, 1);
		ck_assert_int_lt(session__new(&machine, &events, &target, &options, &session,
					      &err), 0);
		ck_assert_ptr_nonnull(strstr(err.msg, "-p (process ids)"));
		teardown_all();
	}
}
END_TEST

TMA_TEST_MAIN(count_run, status_of_the_command_is_kept, cpu_time_is_known_after_the_end,
	      command_that_cannot_run_says_why, deadlines_are_reached_and_not_before,
	      end_is_seen_before_the_deadline, signal_ends_the_wait_and_goes_to_the_command,
	      stopped_command_is_woken_to_end, second_signal_ends_a_stubborn_command,
	      first_signal_after_ours_ends_a_stubborn_command,
	      abandoned_command_is_ended,
	      other_signals_do_not_shorten_a_row,
	      counts_so_far_can_be_asked_for, ignored_hangup_stays_ignored,
	      signals_are_put_back, command_gets_no_files_of_ours, command_has_the_signals_we_had,
	      command_not_let_go_does_not_run, run_on_a_process_ends_with_it,
	      run_on_a_thread_ends_with_it, all_threads_of_a_process_are_units,
	      command_beside_a_process_tells_how_long, thread_gone_before_the_open_is_left_out,
	      targets_that_cannot_be_are_errors, numbers_of_tasks_are_checked)
