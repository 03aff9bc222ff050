// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/strmap.h"
#include "json/pool.h"

int pool__init(struct pool *pool)
{
	*pool = (struct pool){ .map = strmap__new() };
	if (!pool->map)
		return -ENOMEM;
	sb__putc(&pool->text, '\0');
	return pool->text.err ? -ENOMEM : 0;
}

uint32_t pool__add(struct pool *pool, const char *text)
{
	size_t offset = pool->text.len;
	int known;

	if (!text || !*text)
		return 0;
	known = strmap__get(pool->map, text);
	if (known >= 0)
		return known;
	/* The map holds an int. */
	if (offset + strlen(text) >= INT_MAX || strmap__put(pool->map, text, (int)offset)) {
		pool->err = true;
		return 0;
	}
	sb__add(&pool->text, text, strlen(text) + 1);
	if (pool->text.err) {
		pool->err = true;
		return 0;
	}
	return offset;
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
