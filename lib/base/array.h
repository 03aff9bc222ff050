/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arrays of a fixed size: their length, and a search for an element with a given text. Lists of
 * numbers with a length: whether they contain a number.
 */
#ifndef TMA_BASE_ARRAY_H
#define TMA_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h> /* for array__find() */

/** array__nr() - count the elements of an array. */
#define array__nr(array) ((int)(sizeof(array) / sizeof(*(array))))

/** array__find() - find the first element whose @member is the string @text, or NULL. */
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
 * array__first() - find the first element for which a condition holds, or NULL
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

/** array__has() - tell whether a number is among the first @nr of a list. */
static inline bool array__has(const int *list, int nr, int number)
{
	while (nr && list[nr - 1] != number)
		nr--;
	return nr;
}

/**
 * array__add_once() - add a number to a list of @nr numbers, unless the list has the number.
 * Return: the list's new length.
 */
static inline int array__add_once(int *list, int nr, int number)
{
	if (array__has(list, nr, number))
		return nr;
	list[nr] = number;
	return nr + 1;
}

#endif
