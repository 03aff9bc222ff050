// SPDX-License-Identifier: GPL-2.0-only
/* Words of the expression language: the longest that fits, as the scanners of perf 6.12 read it. */
#include "metrics/lex.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "metrics/expr.h"
#include "metrics/literal.h"

#define DIGITS "0123456789"
#define LITERAL_CHARS DIGITS LETTERS "_.-"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define OPERATORS "|^&<>-+*/%(),"
#define BLANKS " \t\n\r\v\f"

/* What characters may do in a name. */
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
	/* It means nothing else, and JSON newer than 6.12 leaves the '\\' out between two '@'. */
	['='] = ID_ESCAPED | ID_BETWEEN_ATS,
};

static const struct keyword {
	const char *name;
	enum token_kind kind;
	enum expr_op op;
} keywords[] = {
	{ "if", TOKEN_IF, EXPR_IF },
	{ "else", TOKEN_ELSE, EXPR_IF },
	{ "min", TOKEN_CALL, EXPR_MIN },
	{ "max", TOKEN_CALL, EXPR_MAX },
	{ "d_ratio", TOKEN_CALL, EXPR_D_RATIO },
	{ "source_count", TOKEN_CALL, EXPR_SOURCE_COUNT },
	{ "has_event", TOKEN_CALL, EXPR_HAS_EVENT },
	{ "strcmp_cpuid_str", TOKEN_CALL, EXPR_STRCMP_CPUID },
	{ "NaN", TOKEN_NUMBER, EXPR_NUMBER },
};

static bool may_be(char c, int what)
{
	return chars[(unsigned char)c] & what;
}

/* "cpu@EV\\,umask\\=1@u", or "msr@tsc\\,cpu=cpu_core@" */
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

/* Digits, at most one point, and an exponent whose only sign is a minus: "1", "1.", ".5e-3". */
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

static void lex_word(const char *text, struct token *out)
{
	const char *word = text + out->column;
	const struct keyword *k;

	out->kind = TOKEN_ID;
	for (k = keywords; k < keywords + sizeof(keywords) / sizeof(*keywords); k++) {
		if (*k->name != *word || strlen(k->name) != (size_t)out->len ||
		    strncmp(k->name, word, out->len))
			continue;
		out->kind = k->kind;
		out->number_of = k->op;
		out->number = NAN;
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

	/* "1e3" is a number and "1e3x" a name; of two of the same length the number wins. */
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
		return err__caret(err, what, text, out->column, "character without a meaning here");
	out->kind = TOKEN_CHAR;
	out->c = *at;
	out->len = 1;
	return 0;
}

char *lex__id(const char *text, const struct token *token)
{
	const char *from = text + token->column, *end = from + token->len;
	char *id = malloc(token->len + 1), *to = id;

	if (!id)
		return NULL;
	for (; from < end; from++) {
		if (*from == '\\')
			from++;
		*to++ = *from == '?' ? '0' : *from;
	}
	*to = '\0';
	return id;
}
