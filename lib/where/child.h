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

#define CHILD_TEXT_MAX 1024 /* bytes of a text in an answer: more are cut off */

/**
 * struct child_reading - limits and state of reading by one child after the other
 * @until_ns: end of reading, on the monotonic clock; @interrupted: a signal has ended it
 * @download: debug information may come over the network
 * @obstacle: why a child cannot be made, or NULL
 */
struct child_reading {
	uint64_t until_ns;
	bool interrupted, download;
	const char *obstacle;
};

/** child_reading__ended() - whether no more children are to be made. */
bool child_reading__ended(const struct child_reading *r);
/**
 * child__ask() - run a function in a child, and collect its output
 * @answer: runs in the child, and writes to a pipe
 * @output: its output up to its end, or up to the limits, is appended
 */
void child__ask(struct child_reading *r, void (*answer)(FILE *out, void *arg), void *arg,
		struct sb *output);

/** child__put() - write a text: its length and its bytes. NULL is written as an empty one. */
void child__put(FILE *out, const char *text);
/**
 * child__get() - read a text
 * @text: the old value is freed; set to memory from malloc()
 *
 * Return: whether a complete text was read.
 */
bool child__get(FILE *in, char **text);

#endif
