/* SPDX-License-Identifier: GPL-2.0-only */
/* Strings of the tables, each stored once in one block and named by its offset. */
#ifndef TMA_JSON_POOL_H
#define TMA_JSON_POOL_H

#include <stdint.h>

#include "base/sb.h"

struct strmap;

/**
 * struct pool - the block and what is in it
 * @text: the strings, each with its NUL; offset 0 is the empty string
 * @map:  string to offset
 */
struct pool {
	struct sb text;
	struct strmap *map;
};

/** pool__init() - an empty pool. */
void pool__init(struct pool *pool);
/** pool__add() - the offset of @text, which is stored if it is new; NULL counts as "". */
uint32_t pool__add(struct pool *pool, const char *text);
/** pool__str() - the string at an offset; valid until the next pool__add(). */
const char *pool__str(const struct pool *pool, uint32_t offset);
/** pool__free() - release the strings. */
void pool__free(struct pool *pool);

#endif
