/* SPDX-License-Identifier: GPL-2.0-only */
/* A map from strings to integers, for use while a run is set up. */
#ifndef TMA_BASE_STRMAP_H
#define TMA_BASE_STRMAP_H

struct strmap;

/**
 * strmap__new() - make an empty map, to be released by strmap__free(). Return: NULL without memory
 * (xalloc.h).
 */
struct strmap *strmap__new(void);
/** strmap__free() - release a map and its keys; NULL is allowed. */
void strmap__free(struct strmap *map);
/**
 * strmap__put() - set the value of a key
 * @key:   copied
 * @value: replaces an earlier value; must be >= 0
 *
 * Return: 0; without memory, -ENOMEM.
 */
int strmap__put(struct strmap *map, const char *key, int value);
/**
 * strmap__add() - get the value of @key; a new key gets @value
 * @value: must be >= 0
 *
 * Return: @value when the key is new, else the value it has; without memory, -ENOMEM.
 */
int strmap__add(struct strmap *map, const char *key, int value);
/** strmap__get() - get the value of @key; -1 if the map does not have the key. */
int strmap__get(const struct strmap *map, const char *key);
/** strmap__nr() - count the keys. */
int strmap__nr(const struct strmap *map);

#endif
