// SPDX-License-Identifier: GPL-2.0-only
/*
 * Escape names as each format needs it: quoted, escaped, or without characters that would break a
 * line.
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
 * RFC 4180: quote a field which contains the separator, a quote or a line end. Control characters
 * are removed, since a file may be shown on a terminal.
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

/* Whether a text begins like dress__label()'s escape of a byte: "\x1f". */
static bool is_escape(const char *text)
{
	static const char digits[] = "0123456789abcdef";
	const char *high, *low;
	int byte;

	if (!text__has_prefix(text, "\\x") || !text[2] || !text[3])
		return false;
	high = strchr(digits, text[2]);
	low = strchr(digits, text[3]);
	if (!high || !low)
		return false;
	byte = (high - digits) << 4 | (low - digits);
	return byte < ' ' || byte >= 0x7f || byte == '\\';
}

/*
 * Append UTF-8 with backslash, quote and newline escaped, as Prometheus reads them. Different texts
 * must remain different, or two series would become one: a byte that cannot be shown becomes
 * "\x1f", and a backslash that precedes such a word becomes "\x5c". Other backslashes, as in
 * systemd's names, stay.
 */
void dress__label(const struct writer *w, const char *text, struct sb *sb)
{
	(void)w;
	while (*text) {
		size_t len = strcspn(text, "\\\"\n"), shown = text__shown_span(text, len);

		sb__add(sb, text, shown);
		text += shown;
		if (shown < len || is_escape(text))
			sb__printf(sb, "\\\\x%02x", (unsigned char)*text);
		else if (*text == '\n')
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
