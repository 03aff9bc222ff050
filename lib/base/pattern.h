/* SPDX-License-Identifier: GPL-2.0-only */
/* A regular expression of a file comes in; it is compiled, unless it took all memory or time. */
#ifndef TMA_BASE_PATTERN_H
#define TMA_BASE_PATTERN_H

#include <regex.h>
#include <stdbool.h>

struct err;

/**
 * pattern__compile() - regcomp() for a POSIX extended expression that a file holds
 * @re:      set on success; regfree() it
 * @pattern: the expression
 * @flags:   of regcomp(), beside REG_EXTENDED
 * @err:     may be NULL
 *
 * The C library writes each repetition out before it compiles: some twenty '+' in a row, or two or
 * three nested "{1000}", take more memory than there is. What would come to thousands of parts is
 * refused, and so is a reference to a group (\1), as matching one can take forever.
 *
 * Return: 0; -EINVAL with the pattern and why. Without memory the C library fails as well: -ENOMEM
 * with a message that says so.
 */
int pattern__compile(regex_t *re, const char *pattern, int flags, struct err *err);

/**
 * pattern__matches() - regexec(), for which a lack of memory is no mismatch
 * @match: set to where it matches first, unless the expression was compiled with REG_NOSUB
 */
bool pattern__matches(const regex_t *re, const char *text, regmatch_t *match);

#endif
