/* SPDX-License-Identifier: GPL-2.0-only */
/* With --control, commands come in while a run goes on: they are read, obeyed and answered here. */
#ifndef TMA_RUN_CONTROL_H
#define TMA_RUN_CONTROL_H

#include <stdbool.h>

struct err;
struct event_list;
struct notes;
struct session;

/**
 * struct control - the descriptors that commands come from (--control)
 * @fd:   they are read from this, 0 if there is none; @ack: "ack" is written to this, or 0
 * @give: the other ends, for the command ("auto"), or 0
 * @ours: both were opened here; @copied: only @fd was, as a copy of standard input
 */
struct control {
	int fd, ack, give[2];
	bool ours, copied;
};

/**
 * control__open() - parse the option and open its descriptors
 * @text: "fd:N[,ACK]" or "fifo:PATH[,ACK]"; a fifo must exist. "auto" makes a pair, and names its
 *        other ends in PERF_CTL_FD and PERF_ACK_FD of the environment
 *
 * Return: 0, -EINVAL, or the -errno of opening it.
 */
int control__open(struct control *c, const char *text, struct err *err);
/** control__close() - close the descriptors that were opened here. */
void control__close(struct control *c);

#define CONTROL_MAX 128

/**
 * struct control_line - a line that has not been received completely
 * @len: bytes received; bytes beyond CONTROL_MAX are dropped
 * @is_owed: the previous command has not been answered: notes on it are to be printed first
 */
struct control_line {
	char text[CONTROL_MAX];
	int len;
	bool is_owed;
};

/* The rest of a command, which the run has to do after control__run(). */
enum control_result {
	CONTROL_DONE,
	CONTROL_CHANGED, /* counters were started or stopped: the row ends here */
	CONTROL_STOP,
	CONTROL_CLOSED, /* no process can give commands any more */
};

/**
 * control__run() - read one command, if it has come, and obey it
 * @line: the received part of the next command, for the next call
 * @perf: an answer ends with a NUL
 *
 * enable [EVENT], disable [EVENT], evlist [-v|-g|-F], ping, snapshot, stop; each ends with a
 * newline, NUL or the end of input, and is answered with "ack" and a newline, even if its argument
 * was wrong. Notes report what it did, as perf does. The answer is given by control__answer(), so
 * that a program that waits for it finds them printed.
 */
enum control_result control__run(const struct control *c, struct control_line *line, bool perf,
				 struct session *session, const struct event_list *events,
				 struct notes *notes);

/**
 * control__answer() - answer the command that control__run() has obeyed, unless it was answered.
 */
void control__answer(const struct control *c, struct control_line *line, bool perf,
		     struct notes *notes);

#endif
