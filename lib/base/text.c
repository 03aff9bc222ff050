// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include "base/array.h"
#include "base/sb.h"
#include "base/text.h"

bool text__has_prefix(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

bool text__has_suffix(const char *text, const char *suffix)
{
	size_t len = strlen(text), want = strlen(suffix);

	return len >= want && !strcmp(text + len - want, suffix);
}

bool text__is_glob(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/* Match the set "[...]" at @p against @c. Return: the text after the ']', or NULL on a mismatch. */
static const char *match_class(const char *p, int c, bool icase, bool *hit)
{
	bool negate = p[1] == '!' || p[1] == '^', first = true;

	*hit = false;
	for (p += 1 + negate; *p && (first || *p != ']'); p++, first = false) {
		int low = (unsigned char)*p, high = low;

		if (p[1] == '-' && p[2] && p[2] != ']') {
			high = (unsigned char)p[2];
			p += 2;
		}
		if (c >= low && c <= high)
			*hit = true;
		if (icase && ((tolower(c) >= low && tolower(c) <= high) ||
			      (toupper(c) >= low && toupper(c) <= high)))
			*hit = true;
	}
	if (*p != ']')
		return NULL;
	*hit ^= negate;
	return p + 1;
}

bool text__match(const char *pattern, const char *text, bool icase)
{
	const char *star = NULL, *resume = NULL;

	/*
	 * On a mismatch only the last star can match one more byte, so the time is O(n*m) at worst.
	 */
	while (*text) {
		int c = (unsigned char)*text, p = (unsigned char)*pattern;
		const char *after;
		bool hit;

		if (p == '*') {
			star = ++pattern;
			resume = text;
			continue;
		}
		if (p == '[' && (after = match_class(pattern, c, icase, &hit)) && hit) {
			pattern = after;
			text++;
			continue;
		}
		if (p == '?' || (p && p == c) || (p && icase && tolower(p) == tolower(c))) {
			pattern++;
			text++;
			continue;
		}
		if (!star)
			return false;
		pattern = star;
		text = ++resume;
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

char *text__trim(char *text)
{
	size_t len;

	while (isspace((unsigned char)*text))
		text++;
	len = strlen(text);
	while (len && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
	return text;
}

char *text__lower(char *text)
{
	for (char *p = text; *p; p++)
		*p = tolower((unsigned char)*p);
	return text;
}

bool text__same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool text__is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !strncmp(text, word, len);
}

bool text__is_in(const char *text, const char *const *words)
{
	while (*words && (**words != *text || strcmp(*words, text)))
		words++;
	return *words;
}

const char *text__item(const char **rest, const char *seps, int *len)
{
	const char *item = *rest + strspn(*rest, seps);

	*len = strcspn(item, seps);
	*rest = item + *len;
	return *len ? item : NULL;
}

bool text__has_item(const char *list, const char *seps, const char *item)
{
	int want = strlen(item), len;

	text__for_each_item(at, len, list, seps)
		if (len == want && !strncasecmp(at, item, len))
			return true;
	return false;
}

/* The lowest code for each length of a character; a longer form than needed is not valid UTF-8. */
static const unsigned int utf8_first[] = { 0, 0, 0x80, 0x800, 0x10000 };

/* Count the bytes of the first character; 0 if it is not UTF-8 or does not end within @max. */
static int utf8_bytes(const char *text, size_t max)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned int code;
	int len = 0;

	/*
	 * The first byte of a character has as many leading one bits as the character has bytes; a
	 * character of one byte begins with a zero bit.
	 */
	while (len < 8 && *s & 0x80 >> len)
		len++;
	if (!len)
		return 1;
	if (len == 1 || len > 4 || (size_t)len > max)
		return 0;
	code = *s & 0x7f >> len;
	for (int i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	/* Codes 0xd800 to 0xdfff are surrogates, which are not valid in UTF-8. */
	return code < utf8_first[len] || code > 0x10ffff || code >> 11 == 0x1b ? 0 : len;
}

size_t text__utf8_span(const char *text, size_t len)
{
	const uint64_t high_bits = 0x8080808080808080;
	size_t at = 0;
	uint64_t word;
	int bytes;

	while (at < len) {
		/* Most text is ASCII. */
		if (len - at >= sizeof(word)) {
			memcpy(&word, text + at, sizeof(word));
			if (!(word & high_bits)) {
				at += sizeof(word);
				continue;
			}
		}
		bytes = utf8_bytes(text + at, len - at);
		if (!bytes)
			break;
		at += bytes;
	}
	return at;
}

static unsigned int code_of(const char *text, int bytes)
{
	unsigned int code = (unsigned char)*text & (bytes > 1 ? 0x7f >> bytes : 0x7f);

	for (int i = 1; i < bytes; i++)
		code = code << 6 | (text[i] & 0x3f);
	return code;
}

/*
 * Tell whether a Unicode character is invisible but changes what is seen: it reverses the direction
 * of the following text, ends a line, or makes two names look the same.
 */
static bool is_unseen(unsigned int code)
{
	static const struct {
		unsigned int from, to;
	} unseen[] = {
		{0xad, 0xad},	    {0x600, 0x605},	{0x61c, 0x61c},	    {0x6dd, 0x6dd},
		{0x70f, 0x70f},	    {0x180e, 0x180e},	{0x200b, 0x200f},   {0x2028, 0x202e},
		{0x2060, 0x206f},   {0xfeff, 0xfeff},	{0xfff9, 0xfffb},   {0x110bd, 0x110bd},
		{0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
		{0xe0001, 0xe007f},
	};

	for (int i = 0; i < array__nr(unseen); i++)
		if (code >= unseen[i].from && code <= unseen[i].to)
			return true;
	return false;
}

/* Count the bytes of the control character at the start of @text; 0 if there is none. */
static int control_bytes(const char *text, int bytes)
{
	unsigned char c = *text;

	if (c < 0x20 || c == 0x7f || (!bytes && c >= 0x80 && c < 0xa0))
		return 1;
	if (bytes < 2)
		return 0;
	return (c == 0xc2 && (unsigned char)text[1] < 0xa0) || is_unseen(code_of(text, bytes))
		       ? bytes
		       : 0;
}

static void escape(struct sb *sb, unsigned int code)
{
	if (code < 0x10000)
		sb__printf(sb, "\\u%04x", code);
	else
		sb__printf(sb, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
			   0xdc00 + (code & 0x3ff));
}

/* @utf8: replace invalid UTF-8 with U+FFFD; else leave these bytes to the terminal. */
static void clean(struct sb *sb, const char *text, size_t len, const char *keep, bool utf8)
{
	size_t plain = 0;

	while (plain < len) {
		const char *at = text + plain;
		int bytes = utf8_bytes(at, len - plain), control = control_bytes(at, bytes);
		bool broken = utf8 && !bytes;

		if (!broken && (!control || (*at && strchr(keep, *at)))) {
			plain += bytes ? bytes : 1;
			continue;
		}
		sb__add(sb, text, plain);
		sb__puts(sb, broken ? "\xef\xbf\xbd" : "?");
		text += plain + (broken ? 1 : control);
		len -= plain + (broken ? 1 : control);
		plain = 0;
	}
	sb__add(sb, text, len);
}

void text__clean(struct sb *sb, const char *text, size_t len, const char *keep)
{
	clean(sb, text, len, keep, false);
}

void text__clean_utf8(struct sb *sb, const char *text, size_t len, const char *keep)
{
	clean(sb, text, len, keep, true);
}

size_t text__shown_span(const char *text, size_t len)
{
	size_t at = 0;
	int bytes;

	while (at < len && (bytes = utf8_bytes(text + at, len - at)) &&
	       !control_bytes(text + at, bytes))
		at += bytes;
	return at;
}

char *text__one_line(char *text)
{
	for (char *p = text; *p;) {
		int bytes = utf8_bytes(p, SIZE_MAX), control = control_bytes(p, bytes);

		memset(p, '?', control);
		p += control ? control : bytes ? bytes : 1;
	}
	return text;
}

char *text__excerpt(char *out, const char *text, int *column, int around)
{
	int len = strlen(text), start = 0, end = len;

	*column = *column < 0 ? 0 : *column > len ? len : *column;
	if (len > 2 * around && *column > around)
		start = *column - around;
	if (len - start > 2 * around)
		end = start + 2 * around;
	sprintf(out, "%s%.*s%s", start ? ".." : "", end - start, text + start,
		end < len ? ".." : "");
	*column += 2 * (start > 0) - start;
	return text__one_line(out);
}

/* Count the bytes at the start of @text that need no escape. */
static int plain_bytes(const char *text)
{
	const char *at = text;

	while (*at >= 0x20 && *at < 0x7f && *at != '"' && *at != '\\')
		at++;
	return at - text;
}

void text__json(struct sb *sb, const char *text)
{
	for (int len; *text; text += len ? len : 1) {
		len = plain_bytes(text);
		if (len) {
			sb__add(sb, text, len);
			continue;
		}
		len = utf8_bytes(text, SIZE_MAX);
		if (!len)
			sb__puts(sb, "\\ufffd");
		else if (*text == '"' || *text == '\\')
			sb__printf(sb, "\\%c", *text);
		else if (*text == '\n')
			sb__puts(sb, "\\n");
		else if (control_bytes(text, len))
			escape(sb, code_of(text, len));
		else
			sb__add(sb, text, len);
	}
}

/* Tell whether a terminal would, or may, act on bytes of a text. */
static bool is_acted_on(const char *word)
{
	struct sb clean = SB_INIT;
	bool differs;

	text__clean_utf8(&clean, word, strlen(word), "");
	differs = strcmp(sb__str(&clean), word);
	sb__free(&clean);
	return differs;
}

/* Put the word between $' and ', where a shell reads escapes. */
static void escape_for_shell(struct sb *sb, const char *word)
{
	sb__puts(sb, "$'");
	for (; *word; word++) {
		unsigned char c = *word;

		if (c < ' ' || c >= 0x7f)
			sb__printf(sb, "\\%03o", c);
		else if (c == '\'' || c == '\\')
			sb__printf(sb, "\\%c", c);
		else
			sb__putc(sb, c);
	}
	sb__putc(sb, '\'');
}

void text__shell(struct sb *sb, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+.,/:=@%^";

	if (*word && !word[strspn(word, plain)]) {
		sb__puts(sb, word);
		return;
	}
	if (is_acted_on(word)) {
		escape_for_shell(sb, word);
		return;
	}
	sb__putc(sb, '\'');
	for (; *word; word++)
		if (*word == '\'')
			sb__puts(sb, "'\\''");
		else
			sb__putc(sb, *word);
	sb__putc(sb, '\'');
}

/* Measure the next character: set @len to its bytes. Return: its columns. */
static int next_width(const char *text, mbstate_t *state, size_t *len)
{
	wchar_t c;
	int columns = 1;

	*len = 1;
	if (!(*text & 0x80))
		return columns;
	*len = mbrtowc(&c, text, MB_CUR_MAX, state);
	if (*len == (size_t)-1 || *len == (size_t)-2 || !*len) {
		memset(state, 0, sizeof(*state));
		*len = 1;
	} else if (*len > 1) {
		columns = wcwidth(c);
	}
	return columns > 0 ? columns : 0;
}

int text__width(const char *text)
{
	mbstate_t state = {0};
	int width = 0;
	size_t len;

	for (;; text += len) {
		/* Most text is ASCII. */
		for (; *text && !(*text & 0x80); text++)
			width++;
		if (!*text)
			return width;
		width += next_width(text, &state, &len);
	}
}

size_t text__fitting(const char *text, int columns)
{
	mbstate_t state = {0};
	size_t at = 0, len;

	for (; text[at]; at += len) {
		columns -= next_width(text + at, &state, &len);
		if (columns < 0)
			break;
	}
	return at;
}
