// SPDX-License-Identifier: GPL-2.0-only
/* Names as each format must have them: quoted, escaped, or without what would break a line. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "report/internal.h"

/* Bytes of the UTF-8 character at @s, 0 when there is none. */
static int utf8_len(const unsigned char *s)
{
	int more = 3;

	if (*s < 0x80)
		return 1;
	if (*s < 0xc2 || *s > 0xf4)
		return 0;
	if (*s < 0xf0)
		more = *s < 0xe0 ? 1 : 2;
	for (int i = 1; i <= more; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Too long a form, a surrogate, or beyond the last character. */
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))
		return 0;
	return more + 1;
}

static bool is_control(unsigned char c)
{
	return c < 0x20 || c == 0x7f;
}

static void dress__text(struct sb *sb, const char *text)
{
	for (; *text; text++)
		sb__putc(sb, is_control(*text) ? '?' : *text);
}

/* RFC 4180: a field with the separator, a quote or a line end in it stands in quotes. */
static void dress__csv(struct sb *sb, const char *text, const char *separator)
{
	if (!strpbrk(text, "\"\r\n") && !(*separator && strstr(text, separator))) {
		sb__puts(sb, text);
		return;
	}
	sb__putc(sb, '"');
	for (; *text; text++) {
		if (*text == '"')
			sb__putc(sb, '"');
		sb__putc(sb, *text);
	}
	sb__putc(sb, '"');
}

static void dress__json(struct sb *sb, const char *text)
{
	while (*text) {
		int len = utf8_len((const unsigned char *)text);

		if (!len) {
			sb__puts(sb, "\\ufffd");
			len = 1;
		} else if (*text == '"' || *text == '\\') {
			sb__printf(sb, "\\%c", *text);
		} else if (is_control(*text)) {
			sb__printf(sb, "\\u%04x", (unsigned char)*text);
		} else {
			sb__add(sb, text, len);
		}
		text += len;
	}
}

/* Return: a new string, NULL when memory ran out. */
char *dress(const struct report *r, const char *text)
{
	struct sb sb = SB_INIT;

	sb__puts(&sb, "");
	switch (r->opts.format) {
	case REPORT_TEXT:
		dress__text(&sb, text);
		break;
	case REPORT_CSV:
		dress__csv(&sb, text, r->opts.separator);
		break;
	case REPORT_JSON:
		dress__json(&sb, text);
		break;
	}
	return sb__detach(&sb);
}

/* Columns a text takes on the screen. */
int dress__width(const char *text)
{
	mbstate_t state = { 0 };
	int width = 0;
	wchar_t c;

	while (*text) {
		size_t len = 1;
		int columns = 1;

		if ((unsigned char)*text >= 0x80)
			len = mbrtowc(&c, text, MB_CUR_MAX, &state);
		if (len == (size_t)-1 || len == (size_t)-2 || !len) {
			memset(&state, 0, sizeof(state));
			len = 1;
		} else if (len > 1) {
			columns = wcwidth(c);
		}
		width += columns > 0 ? columns : 0;
		text += len;
	}
	return width;
}

static void pad(struct sb *sb, int columns)
{
	if (columns > 0)
		sb__printf(sb, "%*s", columns, "");
}

void dress__left(struct sb *sb, const char *text, int width)
{
	sb__puts(sb, text);
	pad(sb, width - dress__width(text));
}

void dress__right(struct sb *sb, const char *text, int width)
{
	pad(sb, width - dress__width(text));
	sb__puts(sb, text);
}
