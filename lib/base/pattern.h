/* SPDX-License-Identifier: GPL-2.0-only */
/* Compile regular expressions from files; refuse expressions that take all memory or time. */
#ifndef TMA_BASE_PATTERN_H
#define TMA_BASE_PATTERN_H

#include <regex.h>
#include <stdbool.h>

struct err;

/**
 * pattern__compile() - call regcomp() for a POSIX extended expression from a file
 * @re:      set on success; release it with regfree()
 * @pattern: the expression
 * @flags:   more flags of regcomp(); REG_EXTENDED is always set
 * @err:     may be NULL
 *
 * The C library writes out each repetition before it compiles: some twenty '+' in a row, or two or
 * three nested "{1000}", take more memory than a machine has. An expression of thousands of parts
 * is refused, and so is a reference to a group (\1), since matching it can take forever.
 *
 * Return: 0; -EINVAL with the pattern and the reason; -ENOMEM, with a message, if the C library has
 * no memory.
 */
int pattern__compile(regex_t *re, const char *pattern, int flags, struct err *err);

/**
 * pattern__matches() - call regexec(), and distinguish a lack of memory from a mismatch
 * @match: set to the first match, unless the expression was compiled with REG_NOSUB
 */
bool pattern__matches(const regex_t *re, const char *text, regmatch_t *match);

#endif
