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
	size_t offset = pool->text.len, len;
	int at;

	if (!text || !*text)
		return 0;
	/* The map holds an int. */
	len = strlen(text);
	at = offset + len < INT_MAX ? strmap__add(pool->map, text, (int)offset) : -1;
	if (at < 0) {
		pool->err = true;
		return 0;
	}
	if ((size_t)at != offset)
		return at;
	sb__add(&pool->text, text, len + 1);
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
