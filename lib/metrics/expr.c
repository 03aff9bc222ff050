// SPDX-License-Identifier: GPL-2.0-only
/* The parser of metric expressions. */
#include "metrics/expr.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "metrics/lex.h"

/* Binary operators, by how tightly they bind. All of them associate to the left. */
static const struct binary {
	char c;
	int precedence;
	enum expr_op op;
} binaries[] = {
	{ '|', 1, EXPR_OR },  { '^', 2, EXPR_XOR },	{ '&', 3, EXPR_AND },
	{ '<', 4, EXPR_LESS }, { '>', 4, EXPR_GREATER }, { '-', 5, EXPR_SUB },
	{ '+', 5, EXPR_ADD }, { '*', 6, EXPR_MUL },	{ '/', 6, EXPR_DIV },
	{ '%', 6, EXPR_MOD },
};

/**
 * struct parser
 * @token: the next word, not consumed yet
 * @nesting: how deep the parser's own calls are
 */
struct parser {
	const char *what, *text;
	struct token token;
	int nesting;
	struct expr *expr;
	struct err *err;
};

static int parse_if(struct parser *p);
static int parse_binary(struct parser *p, int precedence);

static int syntax_error(struct parser *p, const char *why)
{
	return err__caret(p->err, p->what, p->text, p->token.column, why);
}

static int advance(struct parser *p)
{
	return lex__next(p->what, p->text, p->token.column + p->token.len, &p->token, p->err);
}

static bool at_char(const struct parser *p, char c)
{
	return p->token.kind == TOKEN_CHAR && p->token.c == c;
}

static int expect_char(struct parser *p, char c, const char *why)
{
	return at_char(p, c) ? advance(p) : syntax_error(p, why);
}

/* Return: the number of the new node, or -errno. It takes over @node.id. */
static int add_node(struct parser *p, struct expr_node node)
{
	int ret = vec__push(p->expr, node);

	if (ret) {
		free(node.id);
		return err__set(p->err, ENOMEM, "out of memory reading %s", p->what);
	}
	return p->expr->nr - 1;
}

static int enter(struct parser *p)
{
	char why[64];

	if (++p->nesting <= EXPR_MAX_NESTING)
		return 0;
	snprintf(why, sizeof(why), "nested deeper than %d levels", EXPR_MAX_NESTING);
	syntax_error(p, why);
	if (p->err)
		p->err->code = E2BIG;
	return -E2BIG;
}

static int parse_name(struct parser *p, enum expr_op op)
{
	struct expr_node node = { .op = op, .column = p->token.column };
	int ret;

	if (p->token.kind != TOKEN_ID)
		return syntax_error(p, "an event name is expected here");
	node.id = lex__id(p->text, &p->token);
	if (!node.id)
		return err__set(p->err, ENOMEM, "out of memory reading %s", p->what);
	ret = advance(p);
	if (ret) {
		free(node.id);
		return ret;
	}
	return add_node(p, node);
}

/* min(a, b), source_count(ID), ...; the word itself is the next token */
static int parse_call(struct parser *p)
{
	struct expr_node node = { .op = p->token.number_of, .column = p->token.column };
	bool named = !expr_op__is_operator(node.op);
	int ret = advance(p), id = 0;

	ret = ret ?: expect_char(p, '(', "'(' is expected here");
	if (ret)
		return ret;
	if (named) {
		id = parse_name(p, node.op);
		if (id < 0)
			return id;
	}
	for (int i = 0; !named && i < 2; i++) {
		if (i && (ret = expect_char(p, ',', "',' is expected here")))
			return ret;
		node.at[i] = parse_binary(p, 1);
		if (node.at[i] < 0)
			return node.at[i];
	}
	ret = expect_char(p, ')', "')' is expected here");
	if (ret)
		return ret;
	return named ? id : add_node(p, node);
}

static int parse_parentheses(struct parser *p)
{
	int ret = advance(p), inner;

	if (ret)
		return ret;
	inner = parse_if(p);
	if (inner < 0)
		return inner;
	ret = expect_char(p, ')', "')' is expected here");
	return ret ?: inner;
}

static int parse_constant(struct parser *p)
{
	struct expr_node node = { .op = EXPR_NUMBER,
				  .column = p->token.column,
				  .number = p->token.number };
	int ret;

	if (p->token.kind == TOKEN_LITERAL) {
		node.op = EXPR_LITERAL;
		node.literal = p->token.number_of;
	}
	ret = advance(p);
	return ret ?: add_node(p, node);
}

static int parse_unary(struct parser *p);

static int parse_negation(struct parser *p)
{
	struct expr_node node = { .op = EXPR_NEG, .column = p->token.column };
	int ret = advance(p);

	if (ret)
		return ret;
	node.at[0] = parse_unary(p);
	return node.at[0] < 0 ? node.at[0] : add_node(p, node);
}

static int parse_unary(struct parser *p)
{
	int ret = enter(p);

	if (ret)
		return ret;
	if (p->token.kind == TOKEN_NUMBER || p->token.kind == TOKEN_LITERAL)
		ret = parse_constant(p);
	else if (p->token.kind == TOKEN_ID)
		ret = parse_name(p, EXPR_ID);
	else if (p->token.kind == TOKEN_CALL)
		ret = parse_call(p);
	else if (at_char(p, '-'))
		ret = parse_negation(p);
	else if (at_char(p, '('))
		ret = parse_parentheses(p);
	else if (p->token.kind == TOKEN_END)
		ret = syntax_error(p, "the expression ends too early");
	else
		ret = syntax_error(p, "a value is expected here");
	p->nesting--;
	return ret;
}

static const struct binary *find_binary(const struct token *token)
{
	const struct binary *b;

	if (token->kind != TOKEN_CHAR)
		return NULL;
	for (b = binaries; b < binaries + sizeof(binaries) / sizeof(*binaries); b++)
		if (b->c == token->c)
			return b;
	return NULL;
}

/* Operators that bind at least as tightly as @precedence. */
static int parse_binary(struct parser *p, int precedence)
{
	const struct binary *b;
	int left = parse_unary(p), right, column, ret;

	while (left >= 0 && (b = find_binary(&p->token)) && b->precedence >= precedence) {
		column = p->token.column;
		ret = advance(p);
		if (ret)
			return ret;
		right = parse_binary(p, b->precedence + 1);
		if (right < 0)
			return right;
		left = add_node(p, (struct expr_node){ .op = b->op,
						       .at = { left, right },
						       .column = column });
	}
	return left;
}

/* "a if c else b", where b may be another such, or a plain expression. */
static int parse_if(struct parser *p)
{
	struct expr_node node = { .op = EXPR_IF };
	int ret = enter(p), value;

	if (ret)
		return ret;
	value = parse_binary(p, 1);
	if (value < 0 || p->token.kind != TOKEN_IF)
		goto out;
	node.at[0] = value;
	node.column = p->token.column;
	value = advance(p);
	if (value < 0)
		goto out;
	value = node.at[1] = parse_binary(p, 1);
	if (value < 0)
		goto out;
	value = p->token.kind == TOKEN_ELSE ? advance(p) : syntax_error(p, "'else' is expected here");
	if (value < 0)
		goto out;
	value = node.at[2] = parse_if(p);
	if (value >= 0)
		value = add_node(p, node);
out:
	p->nesting--;
	return value;
}

int expr__parse(const char *what, const char *text, struct expr **out, struct err *err)
{
	struct parser p = { .what = what, .text = text, .err = err };
	int ret;

	p.expr = calloc(1, sizeof(*p.expr));
	if (!p.expr)
		return err__set(err, ENOMEM, "out of memory reading %s", what);
	p.expr->users = 1;
	ret = advance(&p);
	if (!ret)
		ret = parse_if(&p);
	if (ret >= 0 && p.token.kind != TOKEN_END)
		ret = syntax_error(&p, p.token.kind == TOKEN_IF ?
					       "an if needs parentheses here" :
					       "an operator is expected here");
	if (ret < 0) {
		expr__free(p.expr);
		return ret;
	}
	*out = p.expr;
	return 0;
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
