/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While something takes long, a line on the terminal of standard error shows how far it is.
 *
 * The line is at the right edge and the cursor is put back, so that what others print comes before
 * it; it is cleared before tma prints anything (say() does so). It is not shown where standard
 * error is not a terminal, or one that cannot clear a line (TERM=dumb), in the background, and
 * under the name of perf.
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
 * progress__show() - write the line again: what is being done, and how long that still takes
 * @share: share of the work that is done, from 0 to 1; NAN where it is unknown: then the line has
 *         the time so far
 */
void progress__show(struct progress *p, double share, const char *what, ...)
	__attribute__((format(printf, 3, 4)));
/**
 * progress__tick() - show the line from time to time, once the work has taken long
 *
 * For work of many short steps. Most calls only read the clock.
 */
void progress__tick(struct progress *p, double share, const char *what, const char *name);
/** progress__make_room() - clear the line if output to @fd goes to a terminal. */
void progress__make_room(int fd);
/**
 * progress__before_command() - clear the line before a command that may print to the terminal
 *
 * The command has tma's standard output. The first command may print; later ones are expected to do
 * so only if one before them wrote anything anywhere.
 */
void progress__before_command(void);
/** progress__clear() - clear the line, if there is one. */
void progress__clear(void);

#endif
