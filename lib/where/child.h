/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A child process that reads what may be anybody's, with little time and memory. It writes what it
 * finds to a pipe; what it cannot read, or dies of, costs its answer alone.
 */
#ifndef TMA_WHERE_CHILD_H
#define TMA_WHERE_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/sb.h"

#define CHILD_TEXT_MAX 1024 /* bytes of a text in an answer: more are cut off */

/**
 * struct child_reading - what is read by one child after the other
 * @until_ns: on the monotonic clock: when it ends; @interrupted: a signal has ended it
 * @download: debug information may come over the network
 * @obstacle: why no child can be asked, or NULL
 */
struct child_reading {
	uint64_t until_ns;
	bool interrupted, download;
	const char *obstacle;
};

/** child_reading__ended() - whether no child is to be asked any more. */
bool child_reading__ended(const struct child_reading *r);
/**
 * child__ask() - let a child answer as far as it comes
 * @answer: runs in the child, and writes to a pipe
 * @said:   what it wrote before it ended, or had to, is appended
 */
void child__ask(struct child_reading *r, void (*answer)(FILE *out, void *arg), void *arg,
		struct sb *said);

/** child__put() - write a text: its length and its bytes. NULL is an empty one. */
void child__put(FILE *out, const char *text);
/**
 * child__get() - read a text
 * @text: is freed before; from malloc()
 *
 * Return: whether there was a whole one.
 */
bool child__get(FILE *in, char **text);

#endif
