/* SPDX-License-Identifier: GPL-2.0-only */
/* The command that a run counts, and the signals that tma receives during a run. */
#ifndef TMA_COUNT_WORKLOAD_H
#define TMA_COUNT_WORKLOAD_H

#include <poll.h>
#include <signal.h>

#include "count/count.h"
#include "count/unit.h"

/* signals.c: functions that only a session needs; all others are declared in count.h. */

/** signals__wait_mask() - return the mask for a wait, which admits signals. */
const sigset_t *signals__wait_mask(void);
/**
 * signals__poll() - call ppoll() with signals admitted
 * @timeout: NULL to wait for ever
 *
 * If ppoll() cannot wait for the descriptors (RLIMIT_NOFILE may be too low for them), the function
 * sleeps a while instead: the caller does not spin, and signals still come in. Return: like
 * ppoll().
 */
int signals__poll(struct pollfd *fds, int nr, const struct timespec *timeout);
/**
 * signals__reset_child() - restore the handling of signals in a child before it runs the command.
 */
void signals__reset_child(void);
/**
 * signals__is_key() - whether a signal came from a key of the terminal, which sends it to all
 * processes of the foreground group
 */
bool signals__is_key(int signal);
/**
 * signals__take() - return the first signal; in later calls, a signal that has come since the last
 * call, or 0.
 */
int signals__take(void);
/**
 * signals__forget() - forget the signals up to now, so that signals__take() returns only later
 * signals.
 */
void signals__forget(void);
/** signals__take_asked() - whether SIGUSR1 has come since the last call. */
bool signals__take_asked(void);

/** struct cpu_time - CPU time in user and kernel space, in ns */
struct cpu_time {
	uint64_t user_ns, system_ns;
};

/**
 * struct workload - the command
 * @argv: arguments of the command
 * @output_fd: standard output of the command; 0: that of this program
 * @pid: process id of the command; 0 without a command
 * @fd: a write to this descriptor lets the command run, and a read from it returns the errno of a
 *      failed exec; -1 if closed
 * @time: once the command has been reaped, its CPU time up to its end, or (@stopped) up to the end
 *        of the counting
 * @switches, @faults: number of context switches and page faults, once the command has been reaped
 * @peak_bytes: the most memory that the command, or a child it waited for, had resident; set once
 *              the command has been reaped
 * @ended_ns: when the end of the command was seen, on the monotonic clock
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
/** workload__unit() - fill in the command as a unit to count. */
struct unit workload__unit(const struct workload *w);
/**
 * workload__release() - let the command run. Return: 0; the -errno of its exec; -ECONNABORTED if
 * the message that it may run does not arrive.
 */
int workload__release(struct workload *w, struct err *err);
/** workload__poll() - reap the command if it has ended. Return: whether it has ended. */
bool workload__poll(struct workload *w);
/**
 * workload__stop_clock() - end the counting: CPU time that the command uses after this call does
 * not count.
 */
void workload__stop_clock(struct workload *w, const char *procfs);
/**
 * workload__finish() - like session__reap(): send @signal to the command, wait for its end and reap
 * it.
 */
void workload__finish(struct workload *w, int signal);
/** workload__discard() - end and reap a child that was never let go. */
void workload__discard(struct workload *w);
/** workload__tell() - put the CPU time of the command into counts, if the time is known. */
void workload__tell(const struct workload *w, struct counts *total);

#endif
