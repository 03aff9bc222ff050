// SPDX-License-Identifier: GPL-2.0-only
/* The parser of metric expressions. */
#include "metrics/expr_op.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "metrics/lex.h"

/**
 * struct expr_parser - the state of parsing one text
 * @token: the next word, which is not consumed yet; the end after a failure
 * @nesting: depth of the parser's own calls
 * @rc:    0, or the first failure; nodes that are made after a failure have no meaning
 */
struct expr_parser {
	const char *what, *text;
	struct token token;
	int nesting, rc;
	struct expr *expr;
	struct err *err;
};

static int parse_if(struct expr_parser *p);
static int parse_binary(struct expr_parser *p, int least);
static int parse_unary(struct expr_parser *p);

/* Return: a number that is used in place of a node that could not be made. */
static int expr__fail(struct expr_parser *p, const char *why)
{
	if (!p->rc)
		p->rc = err__caret(p->err, p->what, p->text, p->token.column, why);
	p->token.kind = TOKEN_END;
	return 0;
}

static void advance(struct expr_parser *p)
{
	if (!p->rc)
		p->rc = lex__next(p->what, p->text, p->token.column + p->token.len, &p->token,
				  p->err);
	if (p->rc)
		p->token.kind = TOKEN_END;
}

static bool at_char(const struct expr_parser *p, char c)
{
	return p->token.kind == TOKEN_CHAR && p->token.c == c;
}

static void expect_char(struct expr_parser *p, char c, const char *why)
{
	if (at_char(p, c))
		advance(p);
	else
		expr__fail(p, why);
}

/* Add a node, which takes over @node.id. Return: its number. */
static int expr__add_node(struct expr_parser *p, struct expr_node node)
{
	vec__push(p->expr, node);
	return p->expr->nr - 1;
}

/* Go one level deeper. Return: whether the parser may do this. */
static bool expr__enter(struct expr_parser *p)
{
	char why[64];

	if (++p->nesting <= EXPR_MAX_NESTING || p->rc)
		return !p->rc;
	snprintf(why, sizeof(why), "nested deeper than %d levels", EXPR_MAX_NESTING);
	expr__fail(p, why);
	p->rc = -E2BIG;
	if (p->err)
		p->err->code = E2BIG;
	return false;
}

static int parse_name(struct expr_parser *p, enum expr_op op)
{
	struct expr_node node = { .op = op, .column = p->token.column };

	if (p->token.kind != TOKEN_ID)
		return expr__fail(p, "an event name is expected here");
	node.id = lex__id(p->text, &p->token);
	advance(p);
	return expr__add_node(p, node);
}

/* Parse min(a, b), source_count(ID), ...; the next token is the name of the function. */
static int parse_call(struct expr_parser *p)
{
	struct expr_node node = { .op = p->token.number_of, .column = p->token.column };
	bool named = !expr_op__is_operator(node.op);
	int id = 0;

	advance(p);
	expect_char(p, '(', "'(' is expected here");
	if (named) {
		id = parse_name(p, node.op);
	} else {
		node.at[0] = parse_binary(p, BINDS_OR);
		expect_char(p, ',', "',' is expected here");
		node.at[1] = parse_binary(p, BINDS_OR);
	}
	expect_char(p, ')', "')' is expected here");
	return named ? id : expr__add_node(p, node);
}

static int parse_parentheses(struct expr_parser *p)
{
	int inner;

	advance(p);
	inner = parse_if(p);
	expect_char(p, ')', "')' is expected here");
	return inner;
}

static int parse_constant(struct expr_parser *p)
{
	struct expr_node node = { .op = EXPR_NUMBER,
				  .column = p->token.column,
				  .number = p->token.number };

	if (p->token.kind == TOKEN_LITERAL) {
		node.op = EXPR_LITERAL;
		node.literal = p->token.number_of;
	}
	advance(p);
	return expr__add_node(p, node);
}

static int parse_negation(struct expr_parser *p)
{
	struct expr_node node = { .op = EXPR_NEG, .column = p->token.column };

	advance(p);
	node.at[0] = parse_unary(p);
	return expr__add_node(p, node);
}

static int expr__parse_value(struct expr_parser *p)
{
	switch (p->token.kind) {
	case TOKEN_NUMBER:
	case TOKEN_LITERAL:
		return parse_constant(p);
	case TOKEN_ID:
		return parse_name(p, EXPR_ID);
	case TOKEN_CALL:
		return parse_call(p);
	case TOKEN_END:
		return expr__fail(p, "the expression ends too early");
	default:
		return at_char(p, '-') ? parse_negation(p) :
		       at_char(p, '(') ? parse_parentheses(p) :
					 expr__fail(p, "a value is expected here");
	}
}

static int parse_unary(struct expr_parser *p)
{
	int value = expr__enter(p) ? expr__parse_value(p) : 0;

	p->nesting--;
	return value;
}

/* Find the binary operator of a token. Return: EXPR_NR_OPS if the token is not one. */
static enum expr_op find_binary(const struct token *token)
{
	enum expr_op op = 0;

	while (op < EXPR_NR_OPS && (token->kind != TOKEN_CHAR || !expr_op__is_binary(op) ||
				    *expr_shapes[op].text != token->c))
		op++;
	return op;
}

/* Parse operators that bind at least as tightly as @least. */
static int parse_binary(struct expr_parser *p, int least)
{
	int left = parse_unary(p);
	enum expr_op op;

	while ((op = find_binary(&p->token)) < EXPR_NR_OPS && expr_shapes[op].binds >= least) {
		struct expr_node node = { .op = op, .column = p->token.column };

		advance(p);
		node.at[0] = left;
		node.at[1] = parse_binary(p, expr_shapes[op].binds + 1);
		left = expr__add_node(p, node);
	}
	return left;
}

/* Parse "a if c else b" from "a" on, or a plain expression. b may be such a choice, too. */
static int parse_choice(struct expr_parser *p)
{
	struct expr_node node = { .op = EXPR_IF };
	int value = parse_binary(p, BINDS_OR);

	if (p->token.kind != TOKEN_IF)
		return value;
	node.at[0] = value;
	node.column = p->token.column;
	advance(p);
	node.at[1] = parse_binary(p, BINDS_OR);
	if (p->token.kind == TOKEN_ELSE)
		advance(p);
	else
		expr__fail(p, "'else' is expected here");
	node.at[2] = parse_if(p);
	return expr__add_node(p, node);
}

static int parse_if(struct expr_parser *p)
{
	int value = expr__enter(p) ? parse_choice(p) : 0;

	p->nesting--;
	return value;
}

int expr__parse(const char *what, const char *text, struct expr **out, struct err *err)
{
	struct expr_parser p = {.what = what, .text = text, .expr = expr__new(), .err = err};

	advance(&p);
	parse_if(&p);
	if (p.token.kind != TOKEN_END)
		expr__fail(&p, p.token.kind == TOKEN_IF ? "'if' needs parentheses here" :
							  "an operator is expected here");
	if (p.rc)
		expr__free(p.expr);
	else
		*out = p.expr;
	return p.rc;
}

struct expr *expr__new(void)
{
	struct expr *e = xcalloc(1, sizeof(*e));

	e->users = 1;
	return e;
}

struct expr *expr__get(struct expr *e)
{
	e->users++;
	return e;
}

void expr__free(struct expr *e)
{
	if (!e || --e->users > 0)
		return;
	for (int i = 0; i < e->nr; i++)
		free(e->at[i].id);
	free(e->at);
	free(e);
}
