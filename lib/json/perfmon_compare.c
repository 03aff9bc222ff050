// SPDX-License-Identifier: GPL-2.0-only
/* ">=" and "<=", which Intel's tool has and the run time has not. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "json/perfmon.h"

#define REWRITTEN_MAX 64 /* comparisons of one formula; each is looked for from the start */

size_t perfmon__or_equal(const char *at)
{
	size_t blanks = *at == '<' || *at == '>' ? strspn(at + 1, " ") : 0;

	return (*at == '<' || *at == '>') && at[1 + blanks] == '=' ? 2 + blanks : 0;
}

/* A byte of a word, in which an operator stands behind a backslash. */
static bool is_word(const char *text, const char *at)
{
	return isalnum((unsigned char)*at) || strchr("_.:@\\#?", *at) ||
	       (at > text && at[-1] == '\\');
}

/* "if" and "else" end an operand as a bracket does. Length of such a word, which stands alone. */
static size_t keyword(const char *text, const char *at)
{
	size_t len = text__has_prefix(at, "if") ? 2 : text__has_prefix(at, "else") ? 4 : 0;
	bool goes_on = at[len] && is_word(text, at + len);

	return goes_on || (at > text && is_word(text, at - 1)) ? 0 : len;
}

static bool is_one_of(const char *text, const char *at, const char *chars)
{
	return *at && strchr(chars, *at) && (at == text || at[-1] != '\\');
}

/* Comparisons are read from the left, so what is compared already is part of the left side. */
static const char *find_left(const char *text, const char *op, const char *weaker)
{
	const char *left = op;
	int depth = 0;

	for (; left > text; left--) {
		const char *at = left - 1;

		if (*at == ')')
			depth++;
		if (depth && *at == '(')
			depth--;
		else if (!depth && (*at == '(' || is_one_of(text, at, weaker)))
			break;
		for (int len = 2; !depth && len <= 4 && len <= left - text; len += 2)
			if (keyword(text, left - len) == (size_t)len)
				return left;
	}
	return left;
}

static const char *find_right(const char *text, const char *from, const char *weaker)
{
	const char *at = from;
	int depth = 0;

	for (; *at; at++) {
		if (*at == '(')
			depth++;
		if (depth && *at == ')')
			depth--;
		else if (!depth && (*at == ')' || *at == '<' || *at == '>' ||
				    is_one_of(text, at, weaker) || keyword(text, at)))
			break;
	}
	return at;
}

static void trim(const char **from, const char **to)
{
	while (*from < *to && **from == ' ')
		++*from;
	while (*to > *from && (*to)[-1] == ' ')
		--*to;
}

/* a >= b is what a < b is not. */
static int replace(struct sb *expr, const char *op, const char *weaker, struct err *err)
{
	const char *text = expr->buf, *right = op + perfmon__or_equal(op);
	const char *left = find_left(text, op, weaker), *left_end = op;
	const char *right_end = find_right(text, right, weaker);
	struct sb made = SB_INIT;
	const char *rest;

	trim(&left, &left_end);
	trim(&right, &right_end);
	rest = right_end;
	if (left == left_end || right == right_end)
		return err__set(err, EINVAL, "nothing %s '%c='",
				left == left_end ? "before" : "behind", *op);
	sb__add(&made, text, left - text);
	sb__printf(&made, "(1 - (%.*s %c %.*s))", (int)(left_end - left), left,
		   *op == '>' ? '<' : '>', (int)(right_end - right), right);
	sb__puts(&made, rest);
	sb__free(expr);
	*expr = made;
	return 0;
}

int perfmon__rewrite_or_equal(struct sb *expr, bool logic_is_weaker, struct err *err)
{
	const char *weaker = logic_is_weaker ? ",&|^" : ",";
	int rc = 0, nr = 0;

	/* From the left: what is rewritten stands in brackets, and has none left. */
	for (size_t i = 0; !rc && i < expr->len; i++) {
		if (!perfmon__or_equal(expr->buf + i))
			continue;
		if (++nr > REWRITTEN_MAX)
			return err__set(err, EINVAL, "more than %d of '>=' and '<='",
					REWRITTEN_MAX);
		rc = replace(expr, expr->buf + i, weaker, err);
		i = 0;
	}
	return rc;
}
