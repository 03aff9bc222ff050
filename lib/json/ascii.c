// SPDX-License-Identifier: GPL-2.0-only
#include "json/ascii.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/sb.h"
#include "base/text.h"

static bool is_ascii(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] >= 0x80)
			return false;
	return true;
}

/* Tell whether a backslash precedes @at, and is not itself escaped by another backslash. */
static bool is_escaped(const char *text, const char *at)
{
	int nr = 0;

	while (at - nr > text && at[-nr - 1] == '\\')
		nr++;
	return nr % 2;
}

/* Read a character beyond ASCII from valid UTF-8. Return: the text after it. */
static const char *read_character(const char *at, const char *end, uint32_t *out)
{
	unsigned char lead = *at++;

	*out = lead & (lead < 0xe0 ? 0x1f : lead < 0xf0 ? 0x0f : 0x07);
	while (at < end && (*at & 0xc0) == 0x80)
		*out = *out << 6 | (*at++ & 0x3f);
	return at;
}

static void write_escape(struct sb *sb, uint32_t character)
{
	if (character < 0x10000) {
		sb__printf(sb, "\\u%04x", character);
		return;
	}
	character -= 0x10000;
	sb__printf(sb, "\\u%04x\\u%04x", 0xd800 | character >> 10, 0xdc00 | (character & 0x3ff));
}

char *json_ascii(const char *text, size_t len)
{
	const char *at = text, *end = text + len;
	struct sb sb = SB_INIT;

	if (is_ascii(text, len) || text__utf8_span(text, len) != len)
		return NULL;
	while (at < end) {
		const char *from = at;
		uint32_t character;

		while (at < end && (unsigned char)*at < 0x80)
			at++;
		sb__add(&sb, from, at - from);
		if (at == end)
			break;
		if (is_escaped(text, at)) {
			sb__free(&sb);
			return NULL;
		}
		at = read_character(at, end, &character);
		write_escape(&sb, character);
	}
	return sb__detach(&sb);
}
