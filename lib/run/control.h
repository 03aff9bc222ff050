/* SPDX-License-Identifier: GPL-2.0-only */
/* Read, obey and answer the commands that come in during a run (--control). */
#ifndef TMA_RUN_CONTROL_H
#define TMA_RUN_CONTROL_H

#include <stdbool.h>

struct err;
struct event_list;
struct notes;
struct session;

/**
 * struct control - the descriptors that commands come from (--control)
 * @fd:   descriptor from which commands are read, or 0; @ack: descriptor to which "ack" is written,
 *        or 0
 * @give: the other ends of @fd and @ack, for the workload ("auto"), or 0
 * @ours: @fd and @ack were opened here; @copied: @fd was opened here, as a copy of standard input
 */
struct control {
	int fd, ack, give[2];
	bool ours, copied;
};

/**
 * control__open() - parse the option and open its descriptors
 * @text: "fd:N[,ACK]" or "fifo:PATH[,ACK]"; a fifo must exist. "auto" makes two pipes, and sets
 *        PERF_CTL_FD and PERF_ACK_FD in the environment to their other ends
 *
 * Return: 0; -EINVAL for a wrong text; -errno if opening failed.
 */
int control__open(struct control *c, const char *text, struct err *err);
/** control__close() - close the descriptors that control__open() opened. */
void control__close(struct control *c);

#define CONTROL_MAX 128

/**
 * struct control_line - a line that has not been received completely
 * @len: number of received bytes; bytes after CONTROL_MAX are dropped
 * @is_owed: the previous command has no answer yet, since notes on it are printed first
 */
struct control_line {
	char text[CONTROL_MAX];
	int len;
	bool is_owed;
};

/* Steps of the run that have to follow control__run(). */
enum control_result {
	CONTROL_DONE,
	CONTROL_CHANGED, /* counters were started or stopped: end the row */
	CONTROL_STOP,
	CONTROL_CLOSED, /* no process can send commands any more */
};

/**
 * control__run() - read a command, if one has come, and obey it
 * @line: the part of the next command that was received, for the next call
 * @perf: end answers with a NUL, as perf does
 *
 * Commands are: enable [EVENT], disable [EVENT], evlist [-v|-g|-F], ping, snapshot, stop. A command
 * ends with a newline, NUL or the end of input. The answer is "ack" and a newline, even if the
 * argument was wrong. Notes report what the command did, as in perf. control__answer() gives the
 * answer, after the notes were printed: a program that waits for the answer then finds the notes.
 */
enum control_result control__run(const struct control *c, struct control_line *line, bool perf,
				 struct session *session, const struct event_list *events,
				 struct notes *notes);

/**
 * control__answer() - answer the command that control__run() obeyed last, unless it was answered.
 */
void control__answer(const struct control *c, struct control_line *line, bool perf,
		     struct notes *notes);

#endif
