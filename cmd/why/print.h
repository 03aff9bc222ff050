/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of the answer for people share this form: a head, and a text in one column. */
#ifndef TMA_CMD_WHY_PRINT_H
#define TMA_CMD_WHY_PRINT_H

#include "output.h"
#include "why/why.h"

#define TEXT_COLUMN 14

/** why_print__put_line() - print a line, wrapped, and clear its text. */
void why_print__put_line(struct output *o, const char *head, struct sb *text);
/** why_print__put_line_in() - print it in a style. */
void why_print__put_line_in(struct output *o, enum output_style style, const char *head,
			    struct sb *text);

/** print_where__choose() - let functions stand for lines where no line has many samples. */
void print_where__choose(struct where *w);
/** print_where__put_hottest() - print the place that has the most samples. */
void print_where__put_hottest(const struct why_samples *s, bool all, struct output *o);
/** print_where__put_rest() - print further places, and what is missing; @tight: one line at most */
void print_where__put_rest(const struct why_samples *s, bool all, bool tight, struct output *o);

#endif
