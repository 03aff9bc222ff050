/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions for texts that C lacks: match patterns, split lists, remove control characters. */
#ifndef TMA_BASE_TEXT_H
#define TMA_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct sb;

/** text__has_prefix() - tell whether @text begins with @prefix. */
bool text__has_prefix(const char *text, const char *prefix);
/** text__has_suffix() - tell whether @text ends with @suffix. */
bool text__has_suffix(const char *text, const char *suffix);
/** text__is_glob() - tell whether a text has one of the wildcards "*?[". */
bool text__is_glob(const char *text);
/**
 * text__match() - match a whole text with a shell pattern, in the C locale
 * @pattern: may hold *, ? and [a-z]
 * @icase:   ignore the case of ASCII letters
 */
bool text__match(const char *pattern, const char *text, bool icase);
/** text__width() - count the columns that a text takes on the screen. */
int text__width(const char *text);
/** text__fitting() - count the bytes at the start of a text that take no more than @columns. */
size_t text__fitting(const char *text, int columns);
/** text__trim() - cut blanks and newlines off both ends, in place. Return: the first kept byte. */
char *text__trim(char *text);
/** text__lower() - lower the ASCII letters, in place. Return: @text. */
char *text__lower(char *text);
/**
 * text__one_line() - replace each byte of control characters, such as newlines, with '?', in place
 *
 * The replaced characters are those of text__clean(), but the length stays the same. Return: @text.
 */
char *text__one_line(char *text);
/**
 * text__excerpt() - copy the part around a place of a text, in one line
 * @out:    has room for 2 * @around + 5 bytes
 * @column: the place in @text, in bytes from 0; set to its place in @out
 * @around: how many bytes are kept on each side; ".." replaces the rest
 *
 * Return: @out.
 */
char *text__excerpt(char *out, const char *text, int *column, int around);
/** text__same() - tell whether two texts are the same; NULL equals only NULL. */
bool text__same(const char *a, const char *b);
/**
 * text__is() - tell whether the @len bytes at @text are @word; the text may be longer than @len.
 */
bool text__is(const char *text, size_t len, const char *word);
/** text__is_in() - tell whether a text is one of @words, which end with NULL. */
bool text__is_in(const char *text, const char *const *words);
/** text__is_any() - tell whether a text is one of the words that follow. */
#define text__is_any(text, ...) text__is_in((text), (const char *const[]){ __VA_ARGS__, NULL })
/**
 * text__item() - find the next item of a list like "a;b;;c", without changing it
 * @rest: where to look; set to the text after the item
 * @seps: characters that separate items; empty items are skipped
 * @len:  set to the item's length in bytes: it is not NUL-terminated
 *
 * Return: the item, or NULL at the end.
 */
const char *text__item(const char **rest, const char *seps, int *len);
/** text__for_each_item() - walk a list: @item is declared here, @len is an int of the caller's. */
#define text__for_each_item(item, len, list, seps)                                                 \
	for (const char *item##_rest = (list), *item;                                              \
	     (item = text__item(&item##_rest, (seps), &(len)));)
/** text__has_item() - tell whether a list like "a;b c", split at @seps, has @item, in any case. */
bool text__has_item(const char *list, const char *seps, const char *item);
/** text__utf8_span() - count the bytes at the start of a text that are valid UTF-8, up to @len. */
size_t text__utf8_span(const char *text, size_t len);
/**
 * text__clean() - append @len bytes without characters that a terminal would act on
 * @keep: control characters that are kept, "\n\t", or ""
 *
 * Removed characters become '?'. They are the control characters, and invisible characters that
 * change what is seen, such as U+202E (Unicode's format characters). The control characters include
 * U+0080 to U+009F, since 8-bit terminals act on their bytes 0x80 to 0x9f. Bytes that are not UTF-8
 * are left to the terminal.
 */
void text__clean(struct sb *sb, const char *text, size_t len, const char *keep);
/**
 * text__clean_utf8() - clean a text for programs: also replace bytes that are not UTF-8 by U+FFFD.
 */
void text__clean_utf8(struct sb *sb, const char *text, size_t len, const char *keep);
/** text__shown_span() - count the bytes at the start of a text that text__clean_utf8() keeps. */
size_t text__shown_span(const char *text, size_t len);
/**
 * text__shell() - append a word for a shell: unchanged, or between single quotes
 *
 * A word with characters that a terminal would act on is written as bash and newer shells read it:
 * $'\033'.
 */
void text__shell(struct sb *sb, const char *word);
/**
 * text__json() - append a text escaped for a JSON string, without the quotes
 *
 * It is valid JSON whatever the bytes: each byte that is not UTF-8 becomes U+FFFD.
 */
void text__json(struct sb *sb, const char *text);

#endif
