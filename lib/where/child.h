/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A child process that reads untrusted files, with limited time and memory. It writes its results
 * to a pipe; if it cannot read a file, or crashes, only the answer for that file is lost.
 */
#ifndef TMA_WHERE_CHILD_H
#define TMA_WHERE_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/sb.h"

#define CHILD_TEXT_MAX 1024 /* the most bytes of a text in an answer; the rest of the text is cut
			     * off */

/**
 * struct child_reading - limits and state of reading by children, one after another
 * @until_ns: end of the reading, on the monotonic clock; @interrupted: a signal has ended the
 *            reading
 * @download: debug information may be downloaded
 * @obstacle: reason why no child can be made, or NULL
 * @late: number of places that were not read before the end
 */
struct child_reading {
	uint64_t until_ns;
	bool interrupted, download;
	const char *obstacle;
	int late;
};

/** child_reading__ended() - whether the reading has ended, so that no more children are made. */
bool child_reading__ended(const struct child_reading *r);
/**
 * child__ask() - run a function in a child, and collect its output
 * @answer: runs in the child, and writes to a pipe
 * @output: the output of the child is appended, up to the child's end or the limits
 */
void child__ask(struct child_reading *r, void (*answer)(FILE *out, void *arg), void *arg,
		struct sb *output);

/** child__put() - write the length of a text and its bytes. NULL is written as an empty text. */
void child__put(FILE *out, const char *text);
/**
 * child__get() - read a text
 * @text: set to memory from malloc(); the old value is freed
 *
 * Return: whether a complete text was read.
 */
bool child__get(FILE *in, char **text);

#endif
