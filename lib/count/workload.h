/* SPDX-License-Identifier: GPL-2.0-only */
/* The command that a run counts, and the signals that tma gets meanwhile. */
#ifndef TMA_COUNT_WORKLOAD_H
#define TMA_COUNT_WORKLOAD_H

#include <poll.h>
#include <signal.h>

#include "count/count.h"
#include "count/unit.h"

/* signals.c: functions that only a session needs; count.h has the rest. */

/** signals__wait_mask() - return the mask to wait with, which admits signals. */
const sigset_t *signals__wait_mask(void);
/**
 * signals__poll() - call ppoll() with signals admitted
 * @timeout: NULL to wait for ever
 *
 * If descriptors cannot be waited for (RLIMIT_NOFILE may be too low for them), it sleeps a while
 * instead, so that the caller does not spin and signals still come in. Return: as ppoll().
 */
int signals__poll(struct pollfd *fds, int nr, const struct timespec *timeout);
/**
 * signals__reset_child() - restore the handling of signals in a child before it runs the command.
 */
void signals__reset_child(void);
/**
 * signals__is_key() - whether a signal came from a key of the terminal, and so went to all
 * processes of the foreground group
 */
bool signals__is_key(int signal);
/** signals__take() - return the first signal, then one that came after the last one taken; or 0. */
int signals__take(void);
/** signals__forget() - forget the signals up to now: signals__take() returns later ones. */
void signals__forget(void);
/** signals__take_asked() - whether SIGUSR1 has come since the last call. */
bool signals__take_asked(void);

/** struct cpu_time - CPU time in user and kernel space, in ns */
struct cpu_time {
	uint64_t user_ns, system_ns;
};

/**
 * struct workload - the command
 * @argv: its arguments
 * @output_fd: its standard output; 0: that of this program
 * @pid: 0 without a command
 * @fd: written to let it run; the errno of a failed exec is read from it. -1 when closed
 * @time: its CPU time up to its end, or that of the counting (@stopped), once it has been reaped
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
/** workload__unit() - return the command as a unit to count. */
struct unit workload__unit(const struct workload *w);
/** workload__release() - let it run. Return: 0; the -errno of its exec; -ECONNABORTED before. */
int workload__release(struct workload *w, struct err *err);
/** workload__poll() - reap it when it has ended. Return: whether it has. */
bool workload__poll(struct workload *w);
/**
 * workload__stop_clock() - end the counting: CPU time that the command uses from here on is left
 * out.
 */
void workload__stop_clock(struct workload *w, const char *procfs);
/** workload__finish() - wait for its end, as for session__reap(); @signal is sent to it first. */
void workload__finish(struct workload *w, int signal);
/** workload__discard() - end and reap a child that was never let go. */
void workload__discard(struct workload *w);
/** workload__tell() - put the CPU time of the command into counts, once it is known. */
void workload__tell(const struct workload *w, struct counts *total);

#endif
