/* SPDX-License-Identifier: GPL-2.0-only */
/* The command that a run counts, and the signals that come to us while it does. */
#ifndef TMA_COUNT_WORKLOAD_H
#define TMA_COUNT_WORKLOAD_H

#include <poll.h>
#include <signal.h>

#include "count/count.h"
#include "count/unit.h"

/* signals.c: what only a session needs; count.h has the rest. */

/** signals__wait_mask() - the mask to wait with, which lets signals in. */
const sigset_t *signals__wait_mask(void);
/**
 * signals__poll() - ppoll() that lets signals in
 * @timeout: NULL to wait for ever
 *
 * Where descriptors cannot be waited for (somebody took them all away with RLIMIT_NOFILE), it
 * sleeps a while instead, and no longer: nobody spins, and signals are taken. Return: as ppoll().
 */
int signals__poll(struct pollfd *fds, int nr, const struct timespec *timeout);
/** signals__reset_child() - put back what a child needs before it runs the command. */
void signals__reset_child(void);
/**
 * signals__is_key() - whether a signal came from a key of the terminal: it went to all processes
 * of the foreground group
 */
bool signals__is_key(int signal);
/** signals__take() - the first signal, then one that came after the last one taken; or 0. */
int signals__take(void);
/** signals__forget() - those that came by now are known: signals__take() gives later ones. */
void signals__forget(void);
/** signals__take_asked() - whether SIGUSR1 has come since the last call. */
bool signals__take_asked(void);

/** struct cpu_time - CPU time in user and kernel space, in ns */
struct cpu_time {
	uint64_t user_ns, system_ns;
};

/**
 * struct workload - the command
 * @argv: its words
 * @output_fd: its standard output; 0: that of this program
 * @pid: 0 when there is none
 * @fd: written to let it run; then the errno of a failed exec comes from it. -1 when closed
 * @time: what it took to its end, or to that of the counting (@stopped), once it has been reaped
 * @switches, @faults: context switches and page faults to its end, once it has been reaped
 * @peak_bytes: the most memory that it, or a child it waited for, had resident, likewise
 * @ended_ns: when its end was seen, on the monotonic clock
 */
struct workload {
	char *const *argv;
	pid_t pid;
	int fd, output_fd;
	bool started, reaped, stopped;
	int status;
	struct cpu_time time;
	uint64_t switches, faults, peak_bytes, ended_ns;
};

/* workload.c */

/** workload__fork() - make a child that waits to be let go. */
int workload__fork(struct workload *w, struct err *err);
/** workload__unit() - the command as the unit that is counted. */
struct unit workload__unit(const struct workload *w);
/** workload__release() - let it run. Return: 0; the -errno of its exec; -ECONNABORTED before. */
int workload__release(struct workload *w, struct err *err);
/** workload__poll() - reap it when it has ended. Return: whether it has. */
bool workload__poll(struct workload *w);
/** workload__stop_clock() - the counting ends: what a command takes from here on is not told. */
void workload__stop_clock(struct workload *w, const char *procfs);
/** workload__finish() - wait for its end as session__reap() says; @signal is sent to it first. */
void workload__finish(struct workload *w, int signal);
/** workload__discard() - end and reap a child that was never let go. */
void workload__discard(struct workload *w);
/** workload__tell() - the CPU time of the command into counts, once that is known. */
void workload__tell(const struct workload *w, struct counts *total);

#endif
