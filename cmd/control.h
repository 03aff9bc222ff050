/* SPDX-License-Identifier: GPL-2.0-only */
/* --control: commands that come while a run goes on. */
#ifndef TMA_CMD_CONTROL_H
#define TMA_CMD_CONTROL_H

#include <stdbool.h>

struct err;
struct event_list;
struct session;

/**
 * struct control - where commands come from
 * @fd:   they are read from, 0 when there is none; @ack: "ack" is written to, or 0
 * @ours: both were opened here
 */
struct control {
	int fd, ack;
	bool ours;
};

/* What a command asks of the run; the rest has been done. */
enum control_result {
	CONTROL_DONE,
	CONTROL_CHANGED, /* counters were started or stopped: a row ends here */
	CONTROL_STOP,
	CONTROL_CLOSED, /* there is nobody to give commands any more */
};

/**
 * control__open() - read the option
 * @text: "fd:N[,ACK]" or "fifo:PATH[,ACK]"; a fifo must exist
 *
 * Return: 0, -EINVAL, or the -errno of opening it.
 */
int control__open(struct control *c, const char *text, struct err *err);
/** control__close() - close what was opened. */
void control__close(struct control *c);
/**
 * control__run() - read one command and obey it
 *
 * enable [EVENT], disable [EVENT], evlist [-v|-g|-F], ping, snapshot, stop; each ends with a
 * newline or NUL and is answered with "ack" and a newline. Says on stderr what it did, as perf
 * does.
 */
enum control_result control__run(const struct control *c, struct session *session,
				 const struct event_list *events);

#endif
