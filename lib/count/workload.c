// SPDX-License-Identifier: GPL-2.0-only
/* The command: forked before its counters are opened, let go when they are ready, reaped once. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "count/session.h"

#define NS_PER_S 1000000000ULL
#define NS_PER_US 1000ULL

/* For workload__abandon() alone: the command once it was let go, and until it is reaped. */
static volatile pid_t running;

/* Runs in the child: what we opened closes at exec. */
static void __attribute__((noreturn)) run_child(const struct session *s, int fd)
{
	char *const *argv = s->target->argv;
	ssize_t n;
	char go;
	int code;

	signals__reset_child(s);
	do
		n = read(fd, &go, 1);
	while (n < 0 && errno == EINTR);
	/* Nobody let it go: they gave up, or are dead. */
	if (n != 1)
		_exit(127);
	execvp(argv[0], argv);
	code = errno;
	send(fd, &code, sizeof(code), MSG_NOSIGNAL);
	_exit(code == ENOENT ? 127 : 126);
}

static void close_fd(struct workload *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

static void add_unit(struct session *s)
{
	struct unit unit = { .id = s->workload.pid };
	const char *slash = strrchr(s->target->argv[0], '/');

	/* The kernel's name of a thread has 15 characters. */
	snprintf(unit.comm, sizeof(unit.comm), "%.15s", slash ? slash + 1 : s->target->argv[0]);
	vec__push(&s->units, unit);
}

int workload__fork(struct session *s, struct err *err)
{
	struct workload *w = &s->workload;
	const char *name = s->target->argv[0];
	int ends[2], code;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return err__set(err, errno, "cannot start %s: no socket to it: %s", name,
				strerror(errno));
	w->pid = fork();
	code = errno;
	if (!w->pid) {
		close(ends[0]);
		run_child(s, ends[1]);
	}
	close(ends[1]);
	w->fd = ends[0];
	if (w->pid < 0) {
		w->pid = 0;
		close_fd(w);
		return err__set(err, code, "cannot start %s: fork: %s", name, strerror(code));
	}
	/* With -p, -t, -a or -C the command tells how long to count, and is not itself a unit. */
	if (!s->per_cpu && !target__has_tasks(s->target))
		add_unit(s);
	return 0;
}

static uint64_t timeval_ns(const struct timeval *t)
{
	return t->tv_sec * NS_PER_S + t->tv_usec * NS_PER_US;
}

/* @flags: of wait4(). Return: whether it is reaped. */
static bool reap(struct session *s, int flags)
{
	struct workload *w = &s->workload;
	struct rusage usage;
	pid_t got;

	if (!w->pid || w->reaped)
		return w->reaped;
	do
		got = wait4(w->pid, &w->status, flags, &usage);
	while (got < 0 && errno == EINTR && !(flags & WNOHANG));
	if (!got)
		return false;
	running = 0;
	w->reaped = true;
	w->ended_ns = clock__now_ns();
	if (got == w->pid) {
		w->time.user_ns = timeval_ns(&usage.ru_utime);
		w->time.system_ns = timeval_ns(&usage.ru_stime);
	}
	return true;
}

bool workload__poll(struct session *s)
{
	return reap(s, WNOHANG);
}

void workload__discard(struct session *s)
{
	struct workload *w = &s->workload;

	/* The other end closed is what an unstarted one takes for a no. */
	close_fd(w);
	if (w->pid && !w->started)
		reap(s, 0);
}

/* Wait for the exec, which may take long over a network. Return: the errno it failed with, or 0. */
static int wait_for_exec(struct session *s)
{
	struct pollfd fd = { .fd = s->workload.fd, .events = POLLIN };
	int code = 0;

	/* A signal is left for the next wait. */
	while (!fd.revents && !session__signal())
		if (ppoll(&fd, 1, NULL, &s->signals.wait_mask) < 0)
			fd.revents = 0;
	if (!fd.revents || recv(fd.fd, &code, sizeof(code), MSG_WAITALL) != (ssize_t)sizeof(code))
		return 0;
	return code;
}

int workload__release(struct session *s, struct err *err)
{
	struct workload *w = &s->workload;
	int code;

	/* Should it have died meanwhile, that is its end and not ours. */
	w->started = true;
	running = w->pid;
	send(w->fd, "", 1, MSG_NOSIGNAL);
	code = wait_for_exec(s);
	close_fd(w);
	if (!code)
		return 0;
	reap(s, 0);
	return err__set(err, code, "cannot run %s: %s", s->target->argv[0], strerror(code));
}

void workload__abandon(void)
{
	if (!running)
		return;
	kill(running, SIGTERM);
	/* One that is stopped would not notice. */
	kill(running, SIGCONT);
}

/* Signals from outside go on to it; one after the first it was sent ends it for good. */
static void wait_for_end(struct session *s, bool told)
{
	int signal;

	while (!reap(s, WNOHANG)) {
		while ((signal = signals__take())) {
			kill(s->workload.pid, told ? SIGKILL : signal);
			told = true;
		}
		ppoll(NULL, 0, NULL, &s->signals.wait_mask);
	}
}

void session__reap(struct session *s, int signal, int *status, struct counts *total)
{
	struct workload *w = &s->workload;

	*status = 0;
	if (!w->pid)
		return;
	if (!w->started)
		workload__discard(s);
	if (signal && !workload__poll(s)) {
		kill(w->pid, signal);
		/* One that is stopped would not notice. */
		kill(w->pid, SIGCONT);
	}
	/* @signal is the answer to the first that came, if one did: not to a later one. */
	if (signal)
		signals__take();
	wait_for_end(s, signal != 0);
	*status = w->status;
	if (total)
		cpu_time__read(s, total);
}
