/* SPDX-License-Identifier: GPL-2.0-only */
/* A span is bytes in memory that are read one after another, and never past the end. */
#ifndef TMA_RECORD_SPAN_H
#define TMA_RECORD_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/xalloc.h"

/**
 * struct span - bytes, and the number of bytes that have been read
 * @at:  number of bytes that have been read
 * @bad: a read went past the end; that read and all later reads return 0
 */
struct span {
	const char *data;
	size_t len, at;
	bool bad;
};

/** span__take() - take the next @size bytes. Return: NULL if there are fewer. */
static inline const char *span__take(struct span *s, size_t size)
{
	const char *at = s->data + s->at;

	if (s->bad || size > s->len - s->at) {
		s->bad = true;
		return NULL;
	}
	s->at += size;
	return at;
}

/** span__copy() - copy the next @size bytes to @out; zeros if there are fewer. */
static inline void span__copy(struct span *s, void *out, size_t size)
{
	const char *at = span__take(s, size);

	if (at)
		memcpy(out, at, size);
	else
		memset(out, 0, size);
}

static inline uint16_t span__u16(struct span *s)
{
	uint16_t value;

	span__copy(s, &value, sizeof(value));
	return value;
}

static inline uint32_t span__u32(struct span *s)
{
	uint32_t value;

	span__copy(s, &value, sizeof(value));
	return value;
}

static inline uint64_t span__u64(struct span *s)
{
	uint64_t value;

	span__copy(s, &value, sizeof(value));
	return value;
}

/** span__left() - return the number of bytes that have not been read yet. */
static inline size_t span__left(const struct span *s)
{
	return s->bad ? 0 : s->len - s->at;
}

/**
 * span__rest() - copy the remaining bytes as a text, up to a NUL byte. Return: memory that the
 * caller frees.
 */
static inline char *span__rest(const struct span *s)
{
	return xstrndup(s->data + s->at, strnlen(s->data + s->at, span__left(s)));
}

/** span__string() - take the next string, whose length precedes it. Return: "" if it is invalid. */
static inline const char *span__string(struct span *s)
{
	uint32_t len = span__u32(s);
	const char *text = span__take(s, len);

	if (!text || !len || !memchr(text, '\0', len)) {
		s->bad = true;
		return "";
	}
	return text;
}

#endif
