// SPDX-License-Identifier: GPL-2.0-only
/*
 * SIGINT, SIGTERM, SIGHUP and SIGCHLD are blocked but for the moment of a wait, so that none can
 * come between looking whether one has come and going to sleep.
 */
#include <stddef.h>

#include "count/count.h"
#include "count/workload.h"

static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
#define NR_HANDLED ((int)(sizeof(handled) / sizeof(*handled)))

_Static_assert(NR_HANDLED == sizeof(((struct signals *)0)->old) / sizeof(struct sigaction),
	       "one old action for each");

/* Signals belong to the process, so there is one of it. */
static volatile sig_atomic_t first, next;
static bool first_taken;

static void remember(int signal)
{
	if (signal == SIGCHLD)
		return;
	if (!first)
		first = signal;
	else
		next = signal;
}

void signals__install(struct signals *sig)
{
	struct sigaction action = { .sa_handler = remember }, old;
	sigset_t block;

	first = next = 0;
	first_taken = false;
	sigemptyset(&block);
	for (int i = 0; i < NR_HANDLED; i++)
		sigaddset(&block, handled[i]);
	sigprocmask(SIG_BLOCK, &block, &sig->old_mask);
	sig->wait_mask = sig->old_mask;
	for (int i = 0; i < NR_HANDLED; i++) {
		sigaction(handled[i], NULL, &sig->old[i]);
		old = sig->old[i];
		/*
		 * nohup's wish stands. SIGINT is ignored in whatever a script starts with "&", and
		 * scripts end such a run with it all the same.
		 */
		if (old.sa_handler == SIG_IGN && handled[i] == SIGHUP)
			continue;
		sigaction(handled[i], &action, NULL);
		sigdelset(&sig->wait_mask, handled[i]);
	}
	sig->installed = true;
}

void signals__reset_child(const struct signals *sig)
{
	struct sigaction deflt = { .sa_handler = SIG_DFL };

	sigaction(SIGPIPE, &deflt, NULL);
	signals__restore(sig);
}

void signals__restore(const struct signals *sig)
{
	if (!sig->installed)
		return;
	for (int i = 0; i < NR_HANDLED; i++)
		sigaction(handled[i], &sig->old[i], NULL);
	sigprocmask(SIG_SETMASK, &sig->old_mask, NULL);
}

int session__signal(void)
{
	return first;
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
