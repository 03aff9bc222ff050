/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An outline arranges metrics as a tree, and decides which of them are shown.
 *
 * The caller gives each line's parent and the state of its value. The outline finds the order of
 * the lines, the branches that are drawn before them, and the lines that are folded. The code that
 * draws the tree has the values.
 */
#ifndef TMA_GRID_OUTLINE_H
#define TMA_GRID_OUTLINE_H

#include <stdbool.h>

struct sb;

/**
 * struct outline_line - a line
 *
 * The caller sets these before outline__arrange():
 * @parent:  number of the line's parent, -1 for none
 * @is_part: the line is in a tree, and may have children
 * @rank:    order among lines with the same parent; lines of equal rank keep the order of their
 *           numbers
 *
 * outline__arrange() sets these:
 * @depth:   number of the line's ancestors; @has_parts: the line has children
 *
 * The caller sets these before outline__fold():
 * @there:   the line has a value, or a reason why it has none
 * @over:    the line is over its threshold; outline__fold() also sets it if a line below is over
 * @under:   the line has a threshold, and is not over it
 *
 * outline__fold() sets these:
 * @folded:  the line is hidden, since an ancestor is not over its threshold
 * @last:    the line is the last of its siblings that are shown
 * @parts:   a child of the line is shown; @nr_below: number of lines below it
 */
struct outline_line {
	int parent, rank, depth, nr_below;
	bool is_part, has_parts;
	bool there, over, under;
	bool folded, last, parts;
};

/**
 * struct outline - lines and their order; the caller owns the memory
 * @order: numbers of the lines from the top of the page down; @nr: how many numbers @order has
 */
struct outline {
	struct outline_line *lines;
	int *order, nr;
};

/**
 * struct outline_signs - the characters of branches
 * @past: a branch that passes a line; @part: a branch to a child; @last: a branch to the last child
 */
struct outline_signs {
	const char *past, *part, *last;
};

#define OUTLINE_BRANCH_WIDTH 2 /* width of each sign in columns */

extern const struct outline_signs outline_utf8, outline_ascii;

/** outline__arrange() - append the numbers of @nr lines from @first on to the order, as a tree. */
void outline__arrange(struct outline *o, int first, int nr);
/**
 * outline__fold() - decide which of @nr arranged lines from @first on are shown
 * @unfold: also show the children of lines that are not over their thresholds
 */
void outline__fold(struct outline *o, int first, int nr, bool unfold);
/** outline__is_shown() - tell whether a line is shown on the page. */
bool outline__is_shown(const struct outline *o, int line);
/**
 * outline__put_branches() - append the branches that precede a line
 *
 * Branches that pass the line come first, the outermost leading; the branch that ends at the line
 * follows.
 */
void outline__put_branches(const struct outline *o, int line, const struct outline_signs *signs,
			   struct sb *sb);

#endif
