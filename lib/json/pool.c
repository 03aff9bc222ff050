// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <string.h>

#include "base/strmap.h"
#include "base/xalloc.h"
#include "json/pool.h"

void pool__init(struct pool *pool)
{
	*pool = (struct pool){ .map = strmap__new() };
	sb__putc(&pool->text, '\0');
}

uint32_t pool__add(struct pool *pool, const char *text)
{
	size_t offset = pool->text.len, len = text ? strlen(text) : 0;
	int at;

	if (!len)
		return 0;
	/* The map's values are ints. */
	if (offset + len >= INT_MAX) {
		xchecked(NULL);
		return 0;
	}
	at = strmap__add(pool->map, text, (int)offset);
	if ((size_t)at == offset)
		sb__add(&pool->text, text, len + 1);
	return at;
}

const char *pool__str(const struct pool *pool, uint32_t offset)
{
	return pool->text.buf + offset;
}

void pool__free(struct pool *pool)
{
	sb__free(&pool->text);
	strmap__free(pool->map);
	pool->map = NULL;
}
