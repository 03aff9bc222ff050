/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While something takes long, a line on the terminal of standard error says how far it is.
 *
 * The line stands at the right edge and the cursor stays where it was, so that what others print
 * stands before it, and it is taken back before tma prints anything (say() does so). There is none
 * where standard error is no terminal, or one that cannot take back (TERM=dumb), in the background,
 * and under the name of perf.
 */
#ifndef TMA_CMD_PROGRESS_H
#define TMA_CMD_PROGRESS_H

#include <stdint.h>

/** struct progress - long work: when it began, and when its line was written last, in ns */
struct progress {
	uint64_t begin_ns, shown_ns;
};

/** progress__begin() - long work begins. */
void progress__begin(struct progress *p);
/**
 * progress__show() - write the line anew: what is being done, and how long that still takes
 * @share: of the work that is done, from 0 to 1; NAN where nobody knows: then it says for how long
 *         it has been done
 */
void progress__show(struct progress *p, double share, const char *what, ...)
	__attribute__((format(printf, 3, 4)));
/**
 * progress__tick() - do so every now and then, once the work has taken long
 *
 * For what has many short steps. Most calls only look at the clock.
 */
void progress__tick(struct progress *p, double share, const char *what, const char *name);
/** progress__make_room() - take the line back if what is printed to @fd comes to a terminal. */
void progress__make_room(int fd);
/**
 * progress__before_command() - a command begins, with tma's standard output
 *
 * The line is taken back for one that may print to the terminal. The first one may; the later ones
 * may if one before them wrote anything anywhere.
 */
void progress__before_command(void);
/** progress__clear() - take the line back, if there is one. */
void progress__clear(void);

#endif
