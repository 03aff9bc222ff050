/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A string that grows by appending text. Without memory (see xalloc.h) an append does nothing, and
 * sb->err is set.
 */
#ifndef TMA_BASE_SB_H
#define TMA_BASE_SB_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * struct sb - string buffer
 * @buf: the text, always NUL-terminated when @cap > 0; NULL before the first append
 * @len: bytes of the text, without the NUL
 * @cap: bytes allocated
 * @err: set when an append had no memory; the text is incomplete then
 */
struct sb {
	char *buf;
	size_t len;
	size_t cap;
	bool err;
};

#define SB_INIT { .buf = NULL }

/** sb__printf() - append formatted text. */
void sb__printf(struct sb *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** sb__vprintf() - append formatted text with arguments in a va_list. */
void sb__vprintf(struct sb *sb, const char *fmt, va_list ap);
/** sb__add() - append @len bytes of @text. */
void sb__add(struct sb *sb, const char *text, size_t len);
/** sb__puts() - append a string. */
void sb__puts(struct sb *sb, const char *text);
/** sb__putc() - append one character. */
void sb__putc(struct sb *sb, char c);
/** sb__pad() - append @nr blanks; nothing if @nr is negative. */
void sb__pad(struct sb *sb, int nr);
/** sb__indent() - insert @nr blanks at byte @at. */
void sb__indent(struct sb *sb, size_t at, int nr);
/** sb__truncate() - keep the first @len bytes, which the text must have, and remove the others. */
void sb__truncate(struct sb *sb, size_t len);
/** sb__clear() - empty the text and keep the memory, so that an interval loop allocates nothing. */
void sb__clear(struct sb *sb);
/** sb__str() - return the text as a C string, "" when empty; it is valid until the next append. */
const char *sb__str(const struct sb *sb);
/** sb__detach() - return the text, which the caller then owns; NULL if @err is set. */
char *sb__detach(struct sb *sb);
/** sb__free() - release the memory; the buffer can be used again. */
void sb__free(struct sb *sb);

#endif
