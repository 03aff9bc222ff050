/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An outline arranges metrics as a tree, and decides which of them are shown.
 *
 * The caller gives each line's parent and the state of its value. The outline finds the order of
 * the lines, the branches that are drawn before them, and the lines that are folded. It has no
 * values: the code that draws a tree has them.
 */
#ifndef TMA_GRID_OUTLINE_H
#define TMA_GRID_OUTLINE_H

#include <stdbool.h>

struct sb;

/**
 * struct outline_line - a line
 * @parent:  number of its parent line, -1 for none; set by the caller
 * @is_part: it is in a tree, and may have parts; set by the caller
 * @rank:    sorts lines with the same parent, then their numbers do; set by the caller
 * @depth:   how many ancestors it has; @has_parts: it has children
 *
 * The caller sets these before outline__fold():
 * @there:   it has a value, or a reason why it has none
 * @over:    it is over its threshold; later also: a line below it is
 * @under:   it has a threshold, and is not over it
 *
 * outline__fold() sets these:
 * @folded:  it is hidden, since an ancestor is not over its threshold
 * @last:    it is the last sibling that is shown
 * @parts:   one of its children is shown; @nr_below: how many lines are below it
 */
struct outline_line {
	int parent, rank, depth, nr_below;
	bool is_part, has_parts;
	bool there, over, under;
	bool folded, last, parts;
};

/**
 * struct outline - lines and their order; the memory is the caller's
 * @order: numbers of the lines from the top of the page down; @nr: how many it has
 */
struct outline {
	struct outline_line *lines;
	int *order, nr;
};

/**
 * struct outline_signs - the characters of branches
 * @past, @part, @last: for a branch that passes a line, one to a part, and one to the last part
 */
struct outline_signs {
	const char *past, *part, *last;
};

#define OUTLINE_BRANCH_WIDTH 2 /* columns of each sign */

extern const struct outline_signs outline_utf8, outline_ascii;

/** outline__arrange() - append the numbers of @nr lines from @first on to the order, as a tree. */
void outline__arrange(struct outline *o, int first, int nr);
/**
 * outline__fold() - decide which of @nr arranged lines from @first on are shown
 * @unfold: show also the parts of lines that are not over their thresholds
 */
void outline__fold(struct outline *o, int first, int nr, bool unfold);
/** outline__is_shown() - tell whether a line is shown on the page. */
bool outline__is_shown(const struct outline *o, int line);
/**
 * outline__put_branches() - append the branches that precede a line
 *
 * The branches that pass it come first, from the outermost in, then the one that ends at it.
 */
void outline__put_branches(const struct outline *o, int line, const struct outline_signs *signs,
			   struct sb *sb);

#endif
