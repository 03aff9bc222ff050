/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Local variables which are released at the end of their block, however it is left. So a function
 * that owns something can return where it knows its answer. What it returns must not point into
 * them.
 */
#ifndef TMA_BASE_AUTO_H
#define TMA_BASE_AUTO_H

#include <stdlib.h>

/**
 * auto_free() - declares a struct NAME of which NAME__free() takes the address
 *
 * It is written where the type would stand, "auto_free(sb) text = SB_INIT;", and needs a value.
 */
#define auto_free(name) __attribute__((cleanup(name##__free))) struct name

/** auto_text - declares a text that is owned, in place of "char *". */
#define auto_text __attribute__((cleanup(auto__free_text))) char *

/** auto__free_text() - free() for auto_text. */
static inline void auto__free_text(char **text)
{
	free(*text);
}

#endif
