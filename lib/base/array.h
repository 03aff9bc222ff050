/* SPDX-License-Identifier: GPL-2.0-only */
/* An array of a fixed size comes in; its length, or the element that has a text, comes out. */
#ifndef TMA_BASE_ARRAY_H
#define TMA_BASE_ARRAY_H

#include <stddef.h>
#include <string.h> /* for array__find() */

/** array__nr() - count the elements of an array. */
#define array__nr(array) ((int)(sizeof(array) / sizeof(*(array))))

/** array__find() - find the first element of which @member is the string @text, or NULL. */
#define array__find(array, member, text)                                                           \
	({                                                                                         \
		__typeof__(&(array)[0]) array_at = (array);                                        \
		__typeof__(array_at) array_end = array_at + array__nr(array);                      \
                                                                                                   \
		while (array_at < array_end && strcmp(array_at->member, (text)))                   \
			array_at++;                                                                \
		array_at < array_end ? array_at : NULL;                                            \
	})

/**
 * array__first() - the first element for which a condition holds, or NULL
 * @p:    a name for the element, which is declared here and points at each in turn
 * @cond: an expression with @p in it
 */
#define array__first(p, array, cond)                              \
	({                                                        \
		__typeof__(*(array)) *p = (array);                \
                                                                  \
		while (p < (array) + array__nr(array) && !(cond)) \
			p++;                                      \
		p < (array) + array__nr(array) ? p : NULL;        \
	})

#endif
