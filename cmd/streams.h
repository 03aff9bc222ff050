/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Input and output of a command that is run several times: each run reads the same input, and its
 * output does not mix with what tma prints.
 */
#ifndef TMA_CMD_STREAMS_H
#define TMA_CMD_STREAMS_H

#include <stdbool.h>
#include <sys/types.h>

struct err;

/**
 * struct streams - this program's standard input and output, before the first run
 * @stdin_at: offset at which the input began, or -1 where it cannot be sought
 * @stdout_fd: a copy of standard output; -1 while that is in its place
 */
struct streams {
	off_t stdin_at;
	int stdout_fd;
};

#define STREAMS_INIT   \
	{              \
		-1, -1 \
	}

/**
 * streams__keep() - remember the streams
 * @to_stderr: redirect the output of commands to standard error from now on, so that standard
 *             output has the answer alone
 *
 * Return: 0; -errno when standard output cannot be kept, so that there is no place for an answer.
 */
int streams__keep(struct streams *s, bool to_stderr, struct err *err);
/**
 * streams__begin_again() - let the next run read the input from where it began, or /dev/null
 *
 * Where both fail, a message says so, and the run reads the rest of the input.
 */
void streams__begin_again(const struct streams *s);
/** streams__discard_output() - discard the standard output of later runs, or print why not. */
void streams__discard_output(void);
/**
 * streams__give_back() - put standard output back in its place; does nothing the second time
 *
 * Return: 0; -errno when that fails.
 */
int streams__give_back(struct streams *s, struct err *err);

#endif
