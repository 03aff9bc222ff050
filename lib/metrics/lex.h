/* SPDX-License-Identifier: GPL-2.0-only */
/* Split the text of an expression into words, one at a time. */
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
 * @column, @len: its place in the text
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
 * lex__next() - read the first word at or after a place
 * @what, @text: name of the text, for messages, and the whole text
 * @column: place to search from
 *
 * A name may have '=' between two '@', with or without a '\\' before it.
 *
 * Return: 0, or -EINVAL with a caret for a character that begins no word.
 */
int lex__next(const char *what, const char *text, int column, struct token *out, struct err *err);

/**
 * lex__id() - copy the name of a TOKEN_ID, with escapes resolved
 *
 * "\-" becomes "-", and "?" becomes 0: a machine without several metered sockets has one run, whose
 * number is 0.
 *
 * Return: a string the caller frees.
 */
char *lex__id(const char *text, const struct token *token);

#endif
