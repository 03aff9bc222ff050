/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Local variables that are released at the end of their block, however the block is left. A
 * function that owns something can therefore return as soon as it knows its result. The result must
 * not point into these variables.
 */
#ifndef TMA_BASE_AUTO_H
#define TMA_BASE_AUTO_H

#include <stdlib.h>

/**
 * auto_free() - declare a struct NAME that NAME__free() releases at the end of the block
 *
 * Replaces the type in a declaration, which must set a value: "auto_free(sb) text = SB_INIT;".
 */
#define auto_free(name) __attribute__((cleanup(name##__free))) struct name

/** auto_text - declare a string that is freed at the end of the block; replaces "char *". */
#define auto_text __attribute__((cleanup(auto__free_text))) char *

/** auto__free_text() - call free() for auto_text. */
static inline void auto__free_text(char **text)
{
	free(*text);
}

#endif
