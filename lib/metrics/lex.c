// SPDX-License-Identifier: GPL-2.0-only
/* A word of the expression language is the longest text that fits, as in perf 6.12's scanners. */
#include "metrics/lex.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/xalloc.h"
#include "metrics/expr.h"
#include "metrics/literal.h"

#define DIGITS "0123456789"
#define LITERAL_CHARS DIGITS LETTERS "_.-"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define OPERATORS "|^&<>-+*/%(),"
#define BLANKS " \t\n\r\v\f"

/* A character may be in a name always, only after a backslash, or only between two '@'. */
enum { ID = 1, ID_ESCAPED = 2, ID_BETWEEN_ATS = 4 };

static const unsigned char chars[256] = {
	['0' ... '9'] = ID,
	['a' ... 'z'] = ID,
	['A' ... 'Z'] = ID,
	['_'] = ID,
	['.'] = ID,
	[':'] = ID,
	['@'] = ID,
	['?'] = ID,
	['-'] = ID_ESCAPED,
	[','] = ID_ESCAPED,
	/*
	 * '=' has no other meaning in expressions; JSON newer than 6.12 omits its '\\' between two
	 * '@'.
	 */
	['='] = ID_ESCAPED | ID_BETWEEN_ATS,
};

static bool may_be(char c, int what)
{
	return chars[(unsigned char)c] & what;
}

/* Measure a name like "cpu@EV\\,umask\\=1@u", or "msr@tsc\\,cpu=cpu_core@". */
static int id_len(const char *text)
{
	int len = 0, plain = ID;

	for (;;) {
		if (may_be(text[len], plain)) {
			plain ^= text[len] == '@' ? ID_BETWEEN_ATS : 0;
			len++;
		} else if (text[len] == '\\' && may_be(text[len + 1], ID_ESCAPED)) {
			len += 2;
		} else {
			return len;
		}
	}
}

/*
 * Measure a number: digits, at most one point, and an exponent that may have a minus sign: "1.",
 * ".5e-3".
 */
static int number_len(const char *text)
{
	int whole, len, fraction = 0, exponent;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return 0;
	whole = len = strspn(text, DIGITS);
	if (text[len] == '.') {
		fraction = strspn(text + len + 1, DIGITS);
		if (whole + fraction)
			len += 1 + fraction;
	}
	if (!len || text[len] != 'e')
		return len;
	exponent = text[len + 1] == '-' ? 2 : 1;
	fraction = strspn(text + len + exponent, DIGITS);
	return fraction ? len + exponent + fraction : len;
}

static int lex_number(const char *what, const char *text, struct token *out, struct err *err)
{
	if (num__scan_double(text + out->column, &out->number) != out->len || isinf(out->number))
		return err__caret(err, what, text, out->column, "number out of range");
	out->kind = TOKEN_NUMBER;
	return 0;
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return *text == *word && strlen(word) == len && !strncmp(text, word, len);
}

static void lex_word(const char *text, struct token *out)
{
	static const struct {
		const char *name;
		enum token_kind kind;
	} words[] = { { "if", TOKEN_IF }, { "else", TOKEN_ELSE }, { "NaN", TOKEN_NUMBER } };
	const char *word = text + out->column;

	out->kind = TOKEN_ID;
	out->number = NAN;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (is_word(word, out->len, words[i].name))
			out->kind = words[i].kind;
	for (int op = 0; op < EXPR_NR_OPS; op++) {
		if (!expr_shapes[op].call || !is_word(word, out->len, expr_shapes[op].text))
			continue;
		out->kind = TOKEN_CALL;
		out->number_of = op;
	}
}

static int lex_literal(const char *what, const char *text, struct token *out, struct err *err)
{
	out->kind = TOKEN_LITERAL;
	out->len = 1 + strspn(text + out->column + 1, LITERAL_CHARS);
	out->number_of = literal__find(text + out->column + 1, out->len - 1);
	if (out->number_of < 0)
		return err__caret(err, what, text, out->column, "unknown literal");
	return 0;
}

int lex__next(const char *what, const char *text, int column, struct token *out, struct err *err)
{
	const char *at;
	int number;

	memset(out, 0, sizeof(*out));
	out->column = column + strspn(text + column, BLANKS);
	at = text + out->column;
	if (!*at)
		return 0;
	if (*at == '#')
		return lex_literal(what, text, out, err);

	/*
	 * "1e3" is a number and "1e3x" is a name: the longer word is chosen; of equal lengths, the
	 * number.
	 */
	number = number_len(at);
	out->len = id_len(at);
	if (number && number >= out->len) {
		out->len = number;
		return lex_number(what, text, out, err);
	}
	if (out->len) {
		lex_word(text, out);
		return 0;
	}
	if (!strchr(OPERATORS, *at))
		return err__caret(err, what, text, out->column, "this character has no meaning here");
	out->kind = TOKEN_CHAR;
	out->c = *at;
	out->len = 1;
	return 0;
}

char *lex__id(const char *text, const struct token *token)
{
	const char *from = text + token->column, *end = from + token->len;
	char *id = xmalloc(token->len + 1), *to = id;

	for (; from < end; from++) {
		if (*from == '\\')
			from++;
		*to++ = *from == '?' ? '0' : *from;
	}
	*to = '\0';
	return id;
}
