/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow: `struct { T *at; int nr, cap; } v`, or VEC(T) v. */
#ifndef TMA_BASE_VEC_H
#define TMA_BASE_VEC_H

#include <stddef.h>
#include <stdlib.h> /* for vec__free() */

#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *at;                                                                          \
		int nr, cap;                                                                       \
	}

/**
 * vec__reserve_raw() - make room for @want elements
 * @at:   address of the array pointer
 * @cap:  address of its capacity
 * @size: bytes of an element
 *
 * Return: 0; without memory (see xalloc.h), -ENOMEM.
 */
int vec__reserve_raw(void *at, int *cap, int want, size_t size);

/* Tell an analyzer that does not see vec__reserve_raw() that it sets the pointer. */
#ifdef __clang_analyzer__
#define vec__was_reserved(at) __builtin_assume((at) != NULL)
#else
#define vec__was_reserved(at) ((void)0)
#endif

/** vec__push() - append a value. Return: 0; without memory, -ENOMEM. */
#define vec__push(v, ...)                                                                          \
	({                                                                                         \
		int vec_rc = (v)->nr < (v)->cap ? 0 :                                              \
			     vec__reserve_raw(&(v)->at, &(v)->cap, (v)->nr + 1,                    \
					      sizeof(*(v)->at));                                   \
												   \
		vec__was_reserved((v)->at);                                                        \
		if (!vec_rc)                                                                       \
			(v)->at[(v)->nr++] = (__VA_ARGS__);                                        \
		vec_rc;                                                                            \
	})

/** vec__for_each() - walk the elements; @p points at each in turn. */
#define vec__for_each(p, v) for ((p) = (v)->at; (p) && (p) < (v)->at + (v)->nr; (p)++)

/**
 * vec__find() - find the first element for which a condition holds, or NULL
 * @p:    a name for the element, which is declared here and points at each in turn
 * @cond: an expression with @p in it
 */
#define vec__find(p, v, cond)                                                      \
	({                                                                         \
		__typeof__(*(v)->at) *p = (v)->at, *vec_end = p ? p + (v)->nr : p; \
                                                                                   \
		while (p < vec_end && !(cond))                                     \
			p++;                                                       \
		p < vec_end ? p : NULL;                                            \
	})

/** vec__free() - release the array (not what its elements point to). */
#define vec__free(v)                                                                               \
	do {                                                                                       \
		free((v)->at);                                                                     \
		(v)->at = NULL;                                                                    \
		(v)->nr = (v)->cap = 0;                                                            \
	} while (0)

#endif
