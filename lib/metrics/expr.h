/* SPDX-License-Identifier: GPL-2.0-only */
/* The one expression language: text to tree, names found in it. program.h evaluates it. */
#ifndef TMA_METRICS_EXPR_H
#define TMA_METRICS_EXPR_H

#include <stdbool.h>

struct err;
struct expr;
struct sb;

/**
 * expr__parse() - read an expression
 * @what: for messages, "metric tma_retiring"
 * @text: the expression; lowest to highest: a if c else b; |; ^; &; < >; - +; * / %; unary -;
 *        calls min max d_ratio source_count has_event strcmp_cpuid_str; #literal; numbers; ids
 * @out:  set on success; expr__free() it
 *
 * Nesting is limited, so that no text can overflow the stack.
 *
 * Return: 0; -EINVAL with a caret; -E2BIG; -ENOMEM.
 */
int expr__parse(const char *what, const char *text, struct expr **out, struct err *err);
/** expr__free() - release it; NULL is allowed. */
void expr__free(struct expr *e);
/** expr__print() - append the expression as text that parses to the same tree. */
void expr__print(const struct expr *e, struct sb *sb);

#endif
