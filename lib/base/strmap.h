/* SPDX-License-Identifier: GPL-2.0-only */
/* A string comes in; the integer that was kept for it comes out. It is for set-up time. */
#ifndef TMA_BASE_STRMAP_H
#define TMA_BASE_STRMAP_H

struct strmap;

/**
 * strmap__new() - make an empty map for strmap__free(). Return: it; NULL without memory (xalloc.h).
 */
struct strmap *strmap__new(void);
/** strmap__free() - release it and its keys; NULL is allowed. */
void strmap__free(struct strmap *map);
/**
 * strmap__put() - remember a value
 * @key:   copied
 * @value: replaces an earlier one; must be >= 0
 *
 * Return: 0; without memory, -ENOMEM.
 */
int strmap__put(struct strmap *map, const char *key, int value);
/**
 * strmap__add() - give the value of @key, which is put there when there is none
 * @value: must be >= 0
 *
 * Return: @value when the key is new, else the value it has; without memory, -ENOMEM.
 */
int strmap__add(struct strmap *map, const char *key, int value);
/** strmap__get() - give the value of @key, or -1. */
int strmap__get(const struct strmap *map, const char *key);
/** strmap__nr() - count the keys. */
int strmap__nr(const struct strmap *map);

#endif
