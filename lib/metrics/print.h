/* SPDX-License-Identifier: GPL-2.0-only */
/* Print expressions for people: on one line, over several lines, or as a sentence. */
#ifndef TMA_METRICS_PRINT_H
#define TMA_METRICS_PRINT_H

struct expr;
struct metric_info;
struct sb;
struct tables;

#define EXPR_WIDTH_MAX (1 << 30) /* expr__width() of anything longer is this */

/**
 * expr__width() - count the columns that an expression takes on one line
 *
 * Operators may share an operand, as expr__expand() makes them: the text can be much
 * longer than the tree.
 *
 * Return: columns, at most EXPR_WIDTH_MAX.
 */
int expr__width(const struct expr *e);
/**
 * expr__print() - append an expression on one line
 *
 * Parentheses only where they are needed. Names of events are written as -e takes them, with
 * slashes for '@'.
 */
void expr__print(const struct expr *e, struct sb *out);
/**
 * expr__print_lines() - append an expression broken over lines at its outer operators
 * @indent: blanks before each line but the first, which begins where @out's last line ends
 * @width:  columns that lines should have at most, if there is a place to break them
 */
void expr__print_lines(const struct expr *e, int indent, int width, struct sb *out);
/** expr__print_id() - append an id as -e takes the event, with slashes in place of '@'. */
void expr__print_id(const char *id, struct sb *out);
/** expr__print_number() - append a number in as few digits as read back as the same. */
void expr__print_number(double number, struct sb *out);
/**
 * metrics__phrase() - append a threshold as the end of a sentence that begins "worth a look when"
 * @tables: have the units of the metrics named in it
 * @metric: the metric of the threshold
 * @e:      the threshold
 *
 * "it is above 10 %, its parent tma_memory_bound is above 20 % and tma_backend_bound is above 20 %".
 *
 * Return: 0; -ENOTSUP, @out being unchanged, for one that is more than comparisons with "and" and
 * "or" between them.
 */
int metrics__phrase(const struct tables *tables, const struct metric_info *metric,
		    const struct expr *e, struct sb *out);

#endif
