/* SPDX-License-Identifier: GPL-2.0-only */
/* Split the text of an expression into words, one at a time. */
#ifndef TMA_METRICS_LEX_H
#define TMA_METRICS_LEX_H

struct err;

enum token_kind {
	TOKEN_END,
	TOKEN_CHAR, /* the character in token.c: an operator, a parenthesis or a comma */
	TOKEN_NUMBER,
	TOKEN_ID,
	TOKEN_LITERAL,
	TOKEN_IF,
	TOKEN_ELSE,
	TOKEN_CALL,
};

/**
 * struct token - a word of an expression
 * @column, @len: place and length of the word in the text
 * @c:      (TOKEN_CHAR) the character
 * @number: (TOKEN_NUMBER) its value
 * @number_of: (TOKEN_LITERAL) number of the literal; (TOKEN_CALL) the function, an enum expr_op
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
 * @what: name of the text for messages; @text: the whole text
 * @column: place to search from
 *
 * A name may contain '=' between two '@', with or without a '\\' before it.
 *
 * Return: 0, or -EINVAL with a caret for a character that does not begin a word.
 */
int lex__next(const char *what, const char *text, int column, struct token *out, struct err *err);

/**
 * lex__id() - copy the name of a TOKEN_ID, with escapes resolved
 *
 * "\-" becomes "-". "?" becomes 0, the number of the only run on a machine that does not have
 * several metered sockets.
 *
 * Return: a string that the caller frees.
 */
char *lex__id(const char *text, const struct token *token);

#endif
