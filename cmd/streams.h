/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Input and output of a command that is run several times: each run reads the same, and its output
 * does not mix with what is printed here.
 */
#ifndef TMA_CMD_STREAMS_H
#define TMA_CMD_STREAMS_H

#include <stdbool.h>
#include <sys/types.h>

struct err;

/**
 * struct streams - those of this program, before the first run
 * @stdin_at: where the input began, or -1 where it cannot be sought
 * @stdout_fd: the output; -1 while it is in its place
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
 * streams__keep() - remember them
 * @to_stderr: what commands print goes there from now on, for the answer to be alone on standard
 * output
 *
 * Return: 0; -errno when the output cannot be kept, and an answer would have no place.
 */
int streams__keep(struct streams *s, bool to_stderr, struct err *err);
/**
 * streams__begin_again() - the next run reads the input from where it began, or /dev/null
 *
 * Where it can be neither, that is said, and the run reads what is left.
 */
void streams__begin_again(const struct streams *s);
/** streams__discard_output() - lose what later runs print on standard output, or say why not. */
void streams__discard_output(void);
/**
 * streams__give_back() - put standard output back in its place; does nothing the second time
 *
 * Return: 0; -errno when that fails.
 */
int streams__give_back(struct streams *s, struct err *err);

#endif
