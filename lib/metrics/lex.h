/* SPDX-License-Identifier: GPL-2.0-only */
/* The text of an expression comes in; its words come out, one at a time. */
#ifndef TMA_METRICS_LEX_H
#define TMA_METRICS_LEX_H

struct err;

enum token_kind {
	TOKEN_END,
	TOKEN_CHAR, /* an operator, a parenthesis or a comma: token.c */
	TOKEN_NUMBER,
	TOKEN_ID,
	TOKEN_LITERAL,
	TOKEN_IF,
	TOKEN_ELSE,
	TOKEN_CALL,
};

/**
 * struct token - a word
 * @column, @len: where it stands in the text
 * @c:      (CHAR) the character
 * @number: (NUMBER) its value
 * @number_of: (LITERAL) which literal; (CALL) which function, an enum expr_op
 */
struct token {
	enum token_kind kind;
	int column, len;
	char c;
	double number;
	int number_of;
};

/**
 * lex__next() - read the word at or behind a place
 * @what, @text: for messages, and the whole text
 * @column: where to look from
 *
 * A name may have '=' between two '@', with or without a '\\' before it.
 *
 * Return: 0, or -EINVAL with a caret for a character that begins no word.
 */
int lex__next(const char *what, const char *text, int column, struct token *out, struct err *err);

/**
 * lex__id() - give the name that a TOKEN_ID means
 *
 * "\-" is "-", and "?" is 0, the only number of runs that a machine without several metered sockets
 * has.
 *
 * Return: a string the caller frees.
 */
char *lex__id(const char *text, const struct token *token);

#endif
