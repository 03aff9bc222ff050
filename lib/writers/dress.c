// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file writes names as each format must have them: quoted, escaped, or without what would
 * break a line.
 */
#include <string.h>
#include <wchar.h>

#include "base/text.h"
#include "writers/internal.h"

static bool is_control(unsigned char c)
{
	return c < 0x20 || c == 0x7f;
}

void dress__text(const struct writer *w, const char *text, struct sb *sb)
{
	(void)w;
	for (; *text; text++)
		sb__putc(sb, is_control(*text) ? '?' : *text);
}

/* RFC 4180 says that a field with the separator, a quote or a line end in it stands in quotes. */
void dress__csv(const struct writer *w, const char *text, struct sb *sb)
{
	const char *separator = w->opts.separator;

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

void dress__json(const struct writer *w, const char *text, struct sb *sb)
{
	(void)w;
	text__json(sb, text);
}

/*
 * The text is written in UTF-8 with backslash, quote and newline escaped; a byte of no character
 * becomes U+FFFD.
 */
void dress__label(const struct writer *w, const char *text, struct sb *sb)
{
	(void)w;
	while (*text) {
		size_t len = text__utf8_span(text, strcspn(text, "\\\"\n"));

		sb__add(sb, text, len);
		text += len;
		if (*text == '\n')
			sb__puts(sb, "\\n");
		else if (*text == '\\' || *text == '"')
			sb__printf(sb, "\\%c", *text);
		else if (*text)
			sb__puts(sb, "\xef\xbf\xbd");
		text += *text != '\0';
	}
}

const char *dress(struct writer *w, const char *text)
{
	struct sb sb = SB_INIT;

	if (!*text)
		return "";
	w->format->dress(w, text, &sb);
	return arena__keep(&w->memory, sb__detach(&sb));
}

const char *dress_sb(struct writer *w, struct sb *text)
{
	const char *dressed = dress(w, sb__str(text));

	sb__free(text);
	return dressed;
}

int dress__width(const char *text)
{
	mbstate_t state = { 0 };
	int width = 0;
	wchar_t c;

	for (;;) {
		size_t len;
		int columns = 1;

		for (; *text && !(*text & 0x80); text++)
			width++;
		if (!*text)
			return width;
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
}

void dress__left(struct sb *sb, const char *text, int width)
{
	sb__puts(sb, text);
	sb__pad(sb, width - dress__width(text));
}

void dress__right(struct sb *sb, const char *text, int width)
{
	sb__pad(sb, width - dress__width(text));
	sb__puts(sb, text);
}
