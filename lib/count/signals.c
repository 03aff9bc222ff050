// SPDX-License-Identifier: GPL-2.0-only
/*
 * The signals that a run handles are blocked except during a wait, so that no signal can come
 * between the check for signals and going to sleep.
 */
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <time.h>

#include "base/file.h"
#include "count/clock.h"
#include "count/count.h"
#include "count/workload.h"

#define NS_PER_S 1000000000ULL
#define PATIENCE_NS NS_PER_S /* time that a reader has for the last rows, once a signal has come */
#define PAUSE_NS 10000000

/*
 * SIGCHLD only ends a wait, SIGUSR1 asks for the counts so far, and the other signals end the run.
 */
static const int handled[] = { SIGINT,	SIGTERM, SIGHUP, SIGQUIT,
			       SIGALRM, SIGUSR1, SIGCHLD };
#define NR_HANDLED ((int)(sizeof(handled) / sizeof(*handled)))

/*
 * These signals are ignored, so that the calls that cause them fail, and the failure is reported.
 */
static const int ignorable[] = { SIGPIPE, SIGXFSZ };
#define NR_IGNORABLE ((int)(sizeof(ignorable) / sizeof(*ignorable)))

/*
 * Signals belong to the process, so there is only one copy of this state: the handlers and masks
 * from before the run.
 */
static int nr_installed;
static sigset_t old_mask, wait_mask;
static struct sigaction old_actions[NR_HANDLED];
static struct sigaction old_ignorable[NR_IGNORABLE];
static bool are_ignored[NR_IGNORABLE];

static volatile sig_atomic_t first, next, asked;
static bool first_taken;
static uint64_t give_up_ns;

static volatile sig_atomic_t key, left_alone;

static void signals__remember(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (signal == SIGCHLD || signal == left_alone)
		return;
	if (info->si_code == SI_KERNEL && (signal == SIGINT || signal == SIGQUIT))
		key = signal;
	if (signal == SIGUSR1)
		asked = 1;
	else if (!first)
		first = signal;
	else
		next = signal;
}

/*
 * Whether a signal stays ignored, as nohup wants it. SIGINT and SIGQUIT are also ignored in
 * commands that a script starts with "&". But scripts use these two signals to end a run, so they
 * are handled in any case.
 */
static bool stays_ignored(int signal, const struct sigaction *old)
{
	return old->sa_handler == SIG_IGN &&
	       (signal == SIGHUP || signal == SIGALRM || signal == SIGUSR1);
}

int signals__poll(struct pollfd *fds, int nr, const struct timespec *timeout)
{
	static const struct timespec pause = { .tv_nsec = PAUSE_NS };
	int n = ppoll(fds, nr, timeout, &wait_mask);

	if (n >= 0 || errno == EINTR)
		return n;
	ppoll(NULL, 0, &pause, &wait_mask);
	return -1;
}

/*
 * Wait until a pipe, a socket or a terminal has room. Once a signal has ended the run, a reader has
 * a short time for the remaining rows, which a second signal ends.
 */
static int wait_for_room(int fd)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	for (;;) {
		uint64_t now_ns = first ? clock__now_ns() : 0, left_ns;
		struct timespec left;
		int n;

		if (first && !give_up_ns)
			give_up_ns = now_ns + PATIENCE_NS;
		if (next)
			give_up_ns = now_ns;
		left_ns = give_up_ns > now_ns ? give_up_ns - now_ns : 0;
		left = (struct timespec){ left_ns / NS_PER_S, left_ns % NS_PER_S };
		n = signals__poll(&room, 1, give_up_ns ? &left : NULL);
		if (n > 0)
			return 0;
		if (!n)
			return -ETIMEDOUT;
		/* Another process may have lowered the limit of descriptors to 0. */
		if (errno != EINTR)
			return -errno;
	}
}

/* A wait for another process ends with the first signal. */
static int pause_a_moment(void)
{
	static const struct timespec pause = {.tv_nsec = PAUSE_NS};

	ppoll(NULL, 0, &pause, &wait_mask);
	return first ? -EINTR : 0;
}

/*
 * Let in a pending signal from before this session, such as SIGCHLD for the end of another
 * session's command.
 */
static void let_in_pending(void)
{
	sigset_t mask;

	sigprocmask(SIG_SETMASK, &wait_mask, &mask);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

void signals__install(void)
{
	struct sigaction action = { .sa_sigaction = signals__remember, .sa_flags = SA_SIGINFO };
	sigset_t block;

	if (nr_installed++) {
		let_in_pending();
		return;
	}
	first = next = asked = key = left_alone = 0;
	first_taken = false;
	give_up_ns = 0;
	sigemptyset(&block);
	for (int i = 0; i < NR_HANDLED; i++)
		sigaddset(&block, handled[i]);
	sigprocmask(SIG_BLOCK, &block, &old_mask);
	wait_mask = old_mask;
	for (int i = 0; i < NR_HANDLED; i++) {
		sigaction(handled[i], NULL, &old_actions[i]);
		if (stays_ignored(handled[i], &old_actions[i]))
			continue;
		sigaction(handled[i], &action, NULL);
		sigdelset(&wait_mask, handled[i]);
	}
	file__set_wait(wait_for_room, pause_a_moment);
}

/*
 * Restore the original handlers. A SIGUSR1 after the last output has no effect, and must not change
 * the exit status: it is caught and not ignored, so that programs executed later handle it by
 * default.
 */
static void put_back(void)
{
	struct sigaction late = {
		.sa_sigaction = signals__remember,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};

	for (int i = 0; i < NR_HANDLED; i++) {
		bool asks = handled[i] == SIGUSR1 && old_actions[i].sa_handler == SIG_DFL;

		sigaction(handled[i], asks ? &late : &old_actions[i], NULL);
	}
	sigprocmask(SIG_SETMASK, &old_mask, NULL);
}

void signals__restore(void)
{
	if (--nr_installed)
		return;
	file__set_wait(NULL, NULL);
	put_back();
}

void signals__ignore(int signal)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	for (int i = 0; i < NR_IGNORABLE; i++) {
		if (ignorable[i] != signal || are_ignored[i])
			continue;
		sigaction(signal, &ignore, &old_ignorable[i]);
		are_ignored[i] = true;
	}
}

static void restore_ignored(void)
{
	for (int i = 0; i < NR_IGNORABLE; i++)
		if (are_ignored[i])
			sigaction(ignorable[i], &old_ignorable[i], NULL);
}

void signals__reset_child(void)
{
	restore_ignored();
	put_back();
}

void signals__forget(void)
{
	first_taken = first;
	next = 0;
}

const sigset_t *signals__wait_mask(void)
{
	return &wait_mask;
}

void session__leave_alone(int signal)
{
	left_alone = signal;
}

bool signals__is_key(int signal)
{
	return key == signal;
}

int session__signal(void)
{
	return first;
}

bool signals__take_asked(void)
{
	bool was_asked = asked;

	asked = 0;
	return was_asked;
}

int signals__take(void)
{
	int signal = next;

	if (first && !first_taken) {
		first_taken = true;
		return first;
	}
	next = 0;
	return signal;
}
