/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * During long work, a line on the terminal of standard error shows how much is done.
 *
 * The line is at the right edge, and the cursor returns to its old place, so that other output
 * begins before the line; say() clears it before tma prints anything. There is no line in the
 * background, under the name of perf, or if standard error is not a terminal that can clear a line
 * (TERM=dumb cannot).
 */
#ifndef TMA_CMD_PROGRESS_H
#define TMA_CMD_PROGRESS_H

#include <stdint.h>

/** struct progress - long work: when it began, and when its line was last written, in ns */
struct progress {
	uint64_t begin_ns, shown_ns;
};

/** progress__begin() - note that long work begins. */
void progress__begin(struct progress *p);
/**
 * progress__show() - write the line again: which work it is, and how much longer it will take
 * @share: share of the work that is done, from 0 to 1; NAN if unknown: then the line has the time
 *         so far
 */
void progress__show(struct progress *p, double share, const char *what, ...)
	__attribute__((format(printf, 3, 4)));
/**
 * progress__tick() - write the line from time to time, once the work has taken long
 *
 * This is for work of many short steps: most calls only read the clock.
 */
void progress__tick(struct progress *p, double share, const char *what, const char *name);
/** progress__make_room() - clear the line if output to @fd goes to a terminal. */
void progress__make_room(int fd);
/**
 * progress__before_command() - clear the line before a command that may print to the terminal
 *
 * The command shares tma's standard output. The first command is assumed to print; a later command
 * is assumed to print only if an earlier one wrote anything anywhere.
 */
void progress__before_command(void);
/** progress__clear() - clear the line, if there is one. */
void progress__clear(void);

#endif
