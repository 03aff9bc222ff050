// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command is forked before its counters are opened, let go when the counters are ready, and
 * reaped once.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "count/clock.h"
#include "count/count.h"
#include "count/cpu_time.h"
#include "count/unit.h"
#include "count/workload.h"

#define NS_PER_S 1000000000ULL
#define NS_PER_US 1000ULL

/*
 * The process id of the command from when it is let go until it is reaped; only for
 * workload__abandon().
 */
static volatile pid_t running;

/* A message this short is sent as a whole or not at all. Return: 0 or -errno. */
static int send_all(int fd, const void *data, size_t len)
{
	ssize_t n;

	do
		n = send(fd, data, len, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EIO;
}

/*
 * Redirect standard output, in a child. Return: whether this worked; if not, errno has the reason.
 */
static bool put_output(int fd)
{
	return !fd || dup2(fd, STDOUT_FILENO) >= 0;
}

/*
 * Wait for the parent and run the command, in the child. The file descriptors of tma close at exec.
 */
static void __attribute__((noreturn)) run_child(const struct workload *w, int fd)
{
	ssize_t n;
	char go;
	int code;

	signals__reset_child();
	do
		n = read(fd, &go, 1);
	while (n < 0 && errno == EINTR);
	/* The parent did not let the command go: it gave up, or has died. */
	if (n != 1)
		_exit(127);
	if (put_output(w->output_fd))
		execvp(w->argv[0], w->argv);
	code = errno;
	send_all(fd, &code, sizeof(code));
	_exit(code == ENOENT ? 127 : 126);
}

static void close_fd(struct workload *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

struct unit workload__unit(const struct workload *w)
{
	struct unit unit = { .id = w->pid };
	const char *slash = strrchr(w->argv[0], '/');

	/* The kernel's name of a thread has at most 15 characters. */
	snprintf(unit.comm, sizeof(unit.comm), "%.15s", slash ? slash + 1 : w->argv[0]);
	return unit;
}

int workload__fork(struct workload *w, struct err *err)
{
	const char *name = w->argv[0];
	int ends[2], code;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return err__set(err, errno, "cannot start %s: no socket: %s", name,
				strerror(errno));
	w->pid = fork();
	code = errno;
	if (!w->pid) {
		close(ends[0]);
		run_child(w, ends[1]);
	}
	close(ends[1]);
	w->fd = ends[0];
	if (w->pid > 0)
		return 0;
	w->pid = 0;
	close_fd(w);
	return err__set(err, code, "cannot start %s: fork: %s", name, strerror(code));
}

static uint64_t timeval_ns(const struct timeval *t)
{
	return t->tv_sec * NS_PER_S + t->tv_usec * NS_PER_US;
}

/*
 * Use the times of wait4(), which are more exact than the ticks of procfs. If the clock was stopped
 * earlier, use them only if the command ended within a tick.
 */
static void workload__take_time(struct workload *w, const struct rusage *usage)
{
	const struct cpu_time whole = { timeval_ns(&usage->ru_utime),
					timeval_ns(&usage->ru_stime) };
	uint64_t tick_ns = NS_PER_S / sysconf(_SC_CLK_TCK);

	if (!w->stopped || whole.user_ns + whole.system_ns <=
				   w->time.user_ns + w->time.system_ns + 2 * tick_ns)
		w->time = whole;
	w->switches = usage->ru_nvcsw + usage->ru_nivcsw;
	w->faults = usage->ru_minflt + usage->ru_majflt;
	w->peak_bytes = (uint64_t)usage->ru_maxrss * 1024;
}

/*
 * Wait for the end of the command; @flags are for wait4(). Return: whether the command is reaped.
 */
static bool reap(struct workload *w, int flags)
{
	struct rusage usage;
	pid_t got;

	if (!w->pid || w->reaped)
		return w->reaped;
	do
		got = wait4(w->pid, &w->status, flags, &usage);
	while (got < 0 && errno == EINTR);
	if (!got)
		return false;
	running = 0;
	w->reaped = true;
	w->ended_ns = clock__now_ns();
	if (got == w->pid)
		workload__take_time(w, &usage);
	return true;
}

bool workload__poll(struct workload *w)
{
	return reap(w, WNOHANG);
}

void workload__discard(struct workload *w)
{
	/* A command that was not let go ends when the parent's end of the socket is closed. */
	close_fd(w);
	if (w->pid && !w->started)
		reap(w, 0);
}

/*
 * Wait for the exec, which may take long over a network. Return: the errno of a failed exec, or 0.
 */
static int wait_for_exec(const struct workload *w)
{
	struct pollfd fd = { .fd = w->fd, .events = POLLIN };
	int code = 0;
	ssize_t n;

	/* A signal ends this wait, and is left for the next one. */
	while (!session__signal()) {
		n = recv(fd.fd, &code, sizeof(code), MSG_DONTWAIT);
		if (n >= 0)
			return n == (ssize_t)sizeof(code) ? code : 0;
		if (errno != EAGAIN && errno != EINTR)
			return 0;
		signals__poll(&fd, 1, NULL);
	}
	return 0;
}

int workload__release(struct workload *w, struct err *err)
{
	int rc = send_all(w->fd, "", 1), code;

	/*
	 * If the child still lives, shutting down the socket makes it give up. If it has died, the
	 * end that it had is reported.
	 */
	if (rc == -EPIPE || rc == -ECONNRESET) {
		shutdown(w->fd, SHUT_WR);
		reap(w, 0);
	}
	if (rc && !(w->reaped && WIFSIGNALED(w->status))) {
		workload__discard(w);
		return err__set(err, ECONNABORTED, "cannot start %s: %s", w->argv[0],
				strerror(-rc));
	}
	w->started = true;
	running = w->pid;
	code = wait_for_exec(w);
	close_fd(w);
	if (!code)
		return 0;
	reap(w, 0);
	if (!*w->argv[0])
		return err__set(err, code, "the name of the command is empty: nothing can be run");
	return err__set(err, code, "cannot run %s: %s", w->argv[0], strerror(code));
}

void workload__abandon(void)
{
	if (!running)
		return;
	kill(running, SIGTERM);
	/* A stopped process would not react to SIGTERM. */
	kill(running, SIGCONT);
}

void workload__stop_clock(struct workload *w, const char *procfs)
{
	if (w->pid && w->started && !workload__poll(w))
		w->stopped = !task_stat__time(procfs, w->pid, true, &w->time);
}

/*
 * Pass a signal on to the command. A command in the foreground has already received the signal of a
 * key, and must not receive it twice.
 */
static void pass_on(pid_t pid, int signal)
{
	if (!signals__is_key(signal) || getpgid(pid) != getpgrp())
		kill(pid, signal);
}

/*
 * Wait for the end of the command. Signals from outside are passed on to it; the second signal
 * kills it.
 */
static void workload__wait_for_end(struct workload *w, bool was_signalled)
{
	int signal;

	while (!reap(w, WNOHANG)) {
		while ((signal = signals__take())) {
			pass_on(w->pid, was_signalled ? SIGKILL : signal);
			was_signalled = true;
		}
		ppoll(NULL, 0, NULL, signals__wait_mask());
	}
}

int hook__run(const char *command, int output_fd, int *status)
{
	char *const argv[] = { "/bin/sh", "-c", (char *)command, NULL };
	bool was_signalled = false;
	pid_t pid, got;
	int signal;

	signals__forget();
	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid) {
		signals__reset_child();
		if (put_output(output_fd))
			execvp(argv[0], argv);
		_exit(127);
	}
	for (;;) {
		do
			got = waitpid(pid, status, WNOHANG);
		while (got < 0 && errno == EINTR);
		if (got)
			break;
		while ((signal = signals__take())) {
			pass_on(pid, was_signalled ? SIGKILL : signal);
			was_signalled = true;
		}
		ppoll(NULL, 0, NULL, signals__wait_mask());
	}
	return got < 0 ? -errno : 0;
}

void workload__finish(struct workload *w, int signal)
{
	if (!w->started)
		workload__discard(w);
	if (signal && !workload__poll(w)) {
		pass_on(w->pid, signal);
		/* A stopped command would not react to the signal. */
		kill(w->pid, SIGCONT);
	}
	/*
	 * @signal is the response to the first signal, if there was one. A later signal is still
	 *          pending.
	 */
	if (signal)
		signals__take();
	workload__wait_for_end(w, signal != 0);
}

void workload__tell(const struct workload *w, struct counts *total)
{
	if (!w->reaped)
		return;
	total->user_ns = w->time.user_ns;
	total->system_ns = w->time.system_ns;
	total->peak_bytes = w->peak_bytes;
}
