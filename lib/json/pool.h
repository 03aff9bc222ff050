/* SPDX-License-Identifier: GPL-2.0-only */
/* Store each string once in one block of memory, and reference it by its offset. */
#ifndef TMA_JSON_POOL_H
#define TMA_JSON_POOL_H

#include <stdint.h>

#include "base/sb.h"

struct strmap;

/**
 * struct pool - the block and an index of its strings
 * @text: the strings, each with its NUL; offset 0 is the empty string
 * @map:  map from a string to its offset
 */
struct pool {
	struct sb text;
	struct strmap *map;
};

/** pool__init() - make an empty pool. */
void pool__init(struct pool *pool);
/** pool__add() - store @text if it is new; NULL is stored as "". Return: the text's offset. */
uint32_t pool__add(struct pool *pool, const char *text);
/** pool__str() - get the string at an offset; it is valid until the next pool__add(). */
const char *pool__str(const struct pool *pool, uint32_t offset);
/** pool__free() - release the strings. */
void pool__free(struct pool *pool);

#endif
