/* SPDX-License-Identifier: GPL-2.0-only */
/* --color: whether text for people has colours. */
#ifndef TMA_CMD_COLOUR_H
#define TMA_CMD_COLOUR_H

#include <stdbool.h>

struct err;

/** OPT_COLOUR() - the option --color; @when is set to its argument, or NULL without the option. */
#define OPT_COLOUR(when)                          \
	OPT_STRING(0, "color", when, "when", \
		   "colours: auto (on a terminal; the default), always or never")

/** colour__check() - check the word of --color. Return: 0, or -EINVAL for an unknown word. */
int colour__check(const char *when, struct err *err);
/**
 * colour__is_wanted() - find out whether to print colours
 * @when: as OPT_COLOUR() sets it
 * @fd:   descriptor of the output; "auto" means colours if this is a terminal, NO_COLOR is not set,
 *        and TERM is not "dumb"
 */
bool colour__is_wanted(const char *when, int fd);
/**
 * colour__number() - choose how many colours to print with, by TERM and COLORTERM: 256, 16, or 0
 * for none
 */
int colour__number(const char *when, int fd);

#endif
