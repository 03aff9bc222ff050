// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "base/decimal.h"
#include "base/fixed.h"
#include "base/json.h"
#include "base/sb.h"
#include "base/text.h"

#define WHOLE_MAX 1e15 /* "%.15g" prints integers below this number without an exponent */

/* A piece of text with its length, so that strlen() is not called for each value. */
struct piece {
	const char *text;
	size_t len;
};
#define PIECE(text) { text, sizeof(text) - 1 }

/*
 * Texts between values, for each style.
 * @before: texts before the first value in an array or object, and before other values
 * @key:    text after a key, from its closing quote on
 * @quoted: text after a key whose value is a string
 * @indents: lines begin with tabs
 */
static const struct {
	struct piece before[2], key, quoted;
	bool indents;
} styles[] = {
	[JSON_COMPACT] = {
		.before = { PIECE(""), PIECE(",") },
		.key = PIECE("\":"),
		.quoted = PIECE("\":\""),
	},
	[JSON_SPACED] = {
		.before = { PIECE(""), PIECE(", ") },
		.key = PIECE("\" : "),
		.quoted = PIECE("\" : \""),
	},
	[JSON_INDENTED] = {
		.before = { PIECE("\n"), PIECE(",\n") },
		.key = PIECE("\": "),
		.quoted = PIECE("\": \""),
		.indents = true,
	},
};

/* The outermost array and the brackets of its objects are not indented. */
static void indent(struct json *j)
{
	for (unsigned int i = 1; styles[j->style].indents && i < j->depth; i++)
		sb__putc(j->sb, '\t');
}

static void json__begin(struct json *j)
{
	const struct piece *before = styles[j->style].before;
	unsigned int bit;

	if (!j->depth)
		return;
	bit = 1u << (j->depth - 1);
	before += (j->some & bit) != 0;
	j->some |= bit;
	sb__add(j->sb, before->text, before->len);
	indent(j);
}

static void put_key(struct json *j, const char *key, const struct piece *after)
{
	sb__putc(j->sb, '"');
	sb__puts(j->sb, key);
	sb__add(j->sb, after->text, after->len);
}

void json__key(struct json *j, const char *key)
{
	json__begin(j);
	if (key)
		put_key(j, key, &styles[j->style].key);
}

void json__begin_text(struct json *j, const char *key)
{
	json__begin(j);
	if (key)
		put_key(j, key, &styles[j->style].quoted);
	else
		sb__putc(j->sb, '"');
}

void json__end_text(struct json *j)
{
	sb__putc(j->sb, '"');
}

void json__open(struct json *j, const char *key, char bracket)
{
	json__key(j, key);
	sb__putc(j->sb, bracket);
	j->some &= ~(1u << j->depth++);
}

void json__close(struct json *j, char bracket)
{
	bool some = j->some & 1u << --j->depth;

	if (some && styles[j->style].indents) {
		sb__putc(j->sb, '\n');
		indent(j);
	}
	sb__putc(j->sb, bracket);
	if (!j->depth)
		sb__putc(j->sb, '\n');
}

void json__text(struct json *j, const char *key, const char *text)
{
	json__begin_text(j, key);
	text__json(j->sb, text);
	json__end_text(j);
}

void json__text_if(struct json *j, const char *key, const char *text)
{
	if (*text)
		json__text(j, key, text);
}

void json__escaped(struct json *j, const char *key, const char *text)
{
	json__begin_text(j, key);
	sb__puts(j->sb, text);
	json__end_text(j);
}

void json__u64(struct json *j, const char *key, uint64_t number)
{
	json__key(j, key);
	fixed__print_u64(j->sb, number, 1);
}

void json__int(struct json *j, const char *key, int number)
{
	json__key(j, key);
	if (number < 0)
		sb__putc(j->sb, '-');
	fixed__print_u64(j->sb, number < 0 ? -(uint64_t)number : (uint64_t)number, 1);
}

/* Print a number in the form of "%.15g". */
static void put_double(struct sb *sb, double number)
{
	if (number >= 0 && number < WHOLE_MAX && !signbit(number) && number == (uint64_t)number)
		fixed__print_u64(sb, number, 1);
	else
		sb__printf(sb, "%.15g", number);
}

void json__double(struct json *j, const char *key, double number)
{
	json__key(j, key);
	if (isfinite(number))
		put_double(j->sb, number);
	else
		sb__puts(j->sb, "null");
}

void json__number(struct json *j, const char *key, double number)
{
	const struct decimal decimal = { .d = number };

	json__key(j, key);
	if (isfinite(number))
		decimal__print(&decimal, j->sb);
	else
		sb__puts(j->sb, "null");
}

void json__bool(struct json *j, const char *key, bool is)
{
	json__bare(j, key, is ? "true" : "false");
}

void json__bare(struct json *j, const char *key, const char *printed)
{
	json__key(j, key);
	sb__puts(j->sb, printed);
}
