// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file writes names as each format must have them: quoted, escaped, or without what would
 * break a line.
 */
#include <string.h>

#include "base/text.h"
#include "writers/internal.h"

void dress__text(const struct writer *w, const char *text, struct sb *sb)
{
	(void)w;
	text__clean(sb, text, strlen(text), "");
}

/*
 * RFC 4180 says that a field with the separator, a quote or a line end in it stands in quotes. A
 * file may be shown on a terminal, too.
 */
void dress__csv(const struct writer *w, const char *text, struct sb *sb)
{
	const char *separator = w->opts.separator, *clean;
	size_t start = sb->len;

	text__clean_utf8(sb, text, strlen(text), "\n\t");
	clean = sb__str(sb) + start;
	if (!strpbrk(clean, "\"\n") && !(*separator && strstr(clean, separator)))
		return;
	sb->len = start;
	sb__putc(sb, '"');
	for (;;) {
		size_t len = strcspn(text, "\"");

		text__clean_utf8(sb, text, len, "\n\t");
		sb__putc(sb, '"');
		if (!text[len])
			return;
		sb__putc(sb, '"');
		text += len + 1;
	}
}

void dress__json(const struct writer *w, const char *text, struct sb *sb)
{
	(void)w;
	text__json(sb, text);
}

/*
 * The text is written in UTF-8 with backslash, quote and newline escaped; a byte of no character
 * becomes U+FFFD, a control character '?'.
 */
void dress__label(const struct writer *w, const char *text, struct sb *sb)
{
	(void)w;
	while (*text) {
		size_t len = strcspn(text, "\\\"\n");

		text__clean_utf8(sb, text, len, "");
		text += len;
		if (*text == '\n')
			sb__puts(sb, "\\n");
		else if (*text)
			sb__printf(sb, "\\%c", *text);
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

void dress__left(struct sb *sb, const char *text, int width)
{
	sb__puts(sb, text);
	sb__pad(sb, width - text__width(text));
}

void dress__right(struct sb *sb, const char *text, int width)
{
	sb__pad(sb, width - text__width(text));
	sb__puts(sb, text);
}
