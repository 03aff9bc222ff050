/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the answer for people have one form: a heading, and next to it a column of text. */
#ifndef TMA_CMD_WHY_PRINT_H
#define TMA_CMD_WHY_PRINT_H

#include "output.h"
#include "why/why.h"

#define TEXT_COLUMN 14

/** why_print__put_line() - print a text, wrapped, and clear it. */
void why_print__put_line(struct output *o, const char *head, struct sb *text);
/** why_print__put_line_in() - print a text, wrapped and in a style, and clear it. */
void why_print__put_line_in(struct output *o, enum output_style style, const char *head,
			    struct sb *text);

/** why_print__put_value() - append a node's value with its error. */
void why_print__put_value(const struct way_node *n, struct sb *sb);
/** why_print__put_name() - append a metric's name in plain words, and the vendor's name. */
void why_print__put_name(const char *name, struct sb *sb);
/**
 * print_functions__put() - print the values of functions for the nodes on the way down
 * @all:  print the trees of all known functions; else print a line for each of the first @most
 *        functions, but for no more than 2
 */
void print_functions__put(const struct way *way, bool all, int most, struct output *o);

/** print_where__choose() - merge lines into functions where no line has many samples. */
void print_where__choose(struct where *w);
/** print_where__put_hottest() - print the place that has the most samples. */
void print_where__put_hottest(const struct why_samples *s, bool all, struct output *o);
/**
 * print_where__put_rest() - print further places, and what is missing
 * @tight: omit the places
 * @notes: most sentences about what is missing, unless @all
 */
void print_where__put_rest(const struct why_samples *s, bool all, bool tight, int notes,
			   struct output *o);

#endif
