/* SPDX-License-Identifier: GPL-2.0-only */
/* Print expressions for people: on one line, over several lines, or as a sentence. */
#ifndef TMA_METRICS_PRINT_H
#define TMA_METRICS_PRINT_H

struct expr;
struct metric_info;
struct sb;
struct tables;

#define EXPR_WIDTH_MAX (1 << 30) /* the width that is reported for anything wider */

/**
 * expr__width() - compute the number of columns that an expression takes on one line
 *
 * Operators in an expression of expr__expand() may share an operand, so the text can be much longer
 * than the tree.
 *
 * Return: columns, at most EXPR_WIDTH_MAX.
 */
int expr__width(const struct expr *e);
/**
 * expr__print() - append an expression on one line
 *
 * Only necessary parentheses are printed. Names of events are written as for -e, with slashes
 * instead of '@'.
 */
void expr__print(const struct expr *e, struct sb *out);
/**
 * expr__print_lines() - append an expression that is broken into lines at its outer operators
 * @indent: blanks before each line except the first, which continues the last line of @out
 * @width:  most columns of a line, if there is a place to break it
 */
void expr__print_lines(const struct expr *e, int indent, int width, struct sb *out);
/** expr__print_id() - append an id as -e takes an event, with slashes in place of '@'. */
void expr__print_id(const char *id, struct sb *out);
/**
 * expr__print_number() - append a number in the fewest digits from which it can be read back
 * exactly.
 */
void expr__print_number(double number, struct sb *out);
/**
 * metrics__phrase() - append a threshold as the end of a sentence that begins "worth a look when"
 * @tables: have the units of the metrics that the threshold names
 * @metric: the metric of the threshold
 * @e:      the threshold
 *
 * Example: "it is above 10 %, its parent tma_memory_bound is above 20 % and tma_backend_bound is
 * above 20 %".
 *
 * Return: 0; -ENOTSUP for a threshold that is more than comparisons joined by "and" and "or"; @out
 * is then unchanged.
 */
int metrics__phrase(const struct tables *tables, const struct metric_info *metric,
		    const struct expr *e, struct sb *out);

#endif
