// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/xalloc.h"

#define SB_FIRST 64 /* bytes of the first allocation */

static bool sb__grow(struct sb *sb, size_t more)
{
	size_t cap = sb->cap ? sb->cap : SB_FIRST;
	char *buf;

	while (cap < sb->len + more + 1)
		cap *= 2;
	buf = xreallocarray(sb->buf, cap, 1);
	if (!buf) {
		sb->err = true;
		return false;
	}
	sb->buf = buf;
	sb->cap = cap;
	return true;
}

static bool sb__room(struct sb *sb, size_t more)
{
	return !sb->err && (sb->len + more + 1 <= sb->cap || sb__grow(sb, more));
}

void sb__add(struct sb *sb, const char *text, size_t len)
{
	if (!sb__room(sb, len))
		return;
	memcpy(sb->buf + sb->len, text, len);
	sb->len += len;
	sb->buf[sb->len] = '\0';
}

void sb__puts(struct sb *sb, const char *text)
{
	sb__add(sb, text, strlen(text));
}

void sb__putc(struct sb *sb, char c)
{
	sb__add(sb, &c, 1);
}

void sb__pad(struct sb *sb, int nr)
{
	if (nr <= 0 || !sb__room(sb, nr))
		return;
	memset(sb->buf + sb->len, ' ', nr);
	sb->len += nr;
	sb->buf[sb->len] = '\0';
}

void sb__indent(struct sb *sb, size_t at, int nr)
{
	size_t len = sb->len;

	sb__pad(sb, nr);
	if (sb->len == len)
		return;
	memmove(sb->buf + at + nr, sb->buf + at, len - at);
	memset(sb->buf + at, ' ', nr);
}

void sb__vprintf(struct sb *sb, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	if (!sb__room(sb, 0))
		return;
	va_copy(again, ap);
	len = vsnprintf(sb->buf + sb->len, sb->cap - sb->len, fmt, ap);
	if (len >= 0 && (size_t)len >= sb->cap - sb->len) {
		if (sb__room(sb, len))
			vsnprintf(sb->buf + sb->len, sb->cap - sb->len, fmt, again);
		else
			len = -1;
	}
	va_end(again);
	if (len > 0)
		sb->len += len;
	sb->buf[sb->len] = '\0';
}

void sb__printf(struct sb *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	sb__vprintf(sb, fmt, ap);
	va_end(ap);
}

void sb__truncate(struct sb *sb, size_t len)
{
	if (!sb->buf)
		return;
	sb->len = len;
	sb->buf[len] = '\0';
}

void sb__clear(struct sb *sb)
{
	sb->len = 0;
	if (sb->cap)
		sb->buf[0] = '\0';
}

const char *sb__str(const struct sb *sb)
{
	return sb->cap ? sb->buf : "";
}

char *sb__detach(struct sb *sb)
{
	char *text;

	if (sb->err || !sb__room(sb, 0)) {
		sb__free(sb);
		return NULL;
	}
	sb->buf[sb->len] = '\0';
	text = sb->buf;
	*sb = (struct sb)SB_INIT;
	return text;
}

void sb__free(struct sb *sb)
{
	free(sb->buf);
	*sb = (struct sb)SB_INIT;
}
