/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Input and output of a command that is run several times: each run reads the same input, and what
 * the runs print does not mix with what tma prints.
 */
#ifndef TMA_CMD_STREAMS_H
#define TMA_CMD_STREAMS_H

#include <stdbool.h>
#include <sys/types.h>

struct err;

/**
 * struct streams - this program's standard input and output, as they were before the first run
 * @stdin_at: offset at which the input began; -1 if the input cannot be rewound
 * @stdout_fd: copy of standard output; -1 while standard output is not redirected
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
 * @to_stderr: redirect the output of commands to standard error from now on, so that only the
 *             answer is on standard output
 *
 * Return: 0; -errno if standard output cannot be copied.
 */
int streams__keep(struct streams *s, bool to_stderr, struct err *err);
/**
 * streams__begin_again() - let the next run read the input from its beginning, or else /dev/null
 *
 * If neither is possible, a message says so, and the run reads the rest of the input.
 */
void streams__begin_again(const struct streams *s);
/** streams__discard_output() - discard the standard output of later runs; on failure, print why. */
void streams__discard_output(void);
/**
 * streams__give_back() - undo the redirection of standard output, if there is one
 *
 * Return: 0, or -errno on failure.
 */
int streams__give_back(struct streams *s, struct err *err);

#endif
