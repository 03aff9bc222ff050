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

/** why_print__put_value() - append a node's value with its error. */
void why_print__put_value(const struct way_node *n, struct sb *sb);
/** why_print__put_name() - append what a metric is called, in plain words and by the vendor. */
void why_print__put_name(const char *name, struct sb *sb);
/**
 * print_functions__put() - print what functions have of the way
 * @all:  the trees of all of them that are known; else a line for each of @most, 2 at most
 */
void print_functions__put(const struct way *way, bool all, int most, struct output *o);

/** print_where__choose() - let functions stand for lines where no line has many samples. */
void print_where__choose(struct where *w);
/** print_where__put_hottest() - print the place that has the most samples. */
void print_where__put_hottest(const struct why_samples *s, bool all, struct output *o);
/**
 * print_where__put_rest() - print further places, and what is missing
 * @tight: without the places; @notes: so many sentences at most, without @all
 */
void print_where__put_rest(const struct why_samples *s, bool all, bool tight, int notes,
			   struct output *o);

#endif
