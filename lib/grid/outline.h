/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An outline puts metrics below what they are parts of, and says which of them are shown.
 *
 * In comes, of each line, what it is a part of and what is known of its value; out come the order
 * of the lines on the page, the branches that are drawn before them, and what is folded. It knows
 * no values: whoever draws a tree has them.
 */
#ifndef TMA_GRID_OUTLINE_H
#define TMA_GRID_OUTLINE_H

#include <stdbool.h>

struct sb;

/**
 * struct outline_line - a line
 * @parent:  number of the line that it is a part of, -1 for none; the caller sets it
 * @is_part: it is in a tree, and may have parts; the caller sets it
 * @rank:    lines with the same parent are in this order, and then in that of their numbers; the
 *           caller sets it
 * @depth:   how many lines are above it; @has_parts: there is something below it
 *
 * Before outline__fold() the caller sets these:
 * @there:   it has a value, or there is something to say why it has none
 * @over:    it is over its threshold; then also: something below it is
 * @under:   it has a threshold, and is not over it
 *
 * outline__fold() finds these:
 * @folded:  it is not shown, since what is above it is under its threshold
 * @last:    no sibling is shown below it
 * @parts:   one of its parts is shown; @nr_below: how many there are below it
 */
struct outline_line {
	int parent, rank, depth, nr_below;
	bool is_part, has_parts;
	bool there, over, under;
	bool folded, last, parts;
};

/**
 * struct outline - lines, whose memory is the caller's
 * @order: their numbers from the top of the page down; @nr: how many stand in it
 */
struct outline {
	struct outline_line *lines;
	int *order, nr;
};

/**
 * struct outline_signs - what branches are drawn with
 * @past, @part, @last: a branch that goes past a line, one to a part, and to the last part
 */
struct outline_signs {
	const char *past, *part, *last;
};

#define OUTLINE_BRANCH_WIDTH 2 /* columns of each sign */

extern const struct outline_signs outline_utf8, outline_ascii;

/** outline__arrange() - append the numbers of @nr lines from @first on to the order, as a tree. */
void outline__arrange(struct outline *o, int first, int nr);
/**
 * outline__fold() - find what is shown of @nr lines from @first on, which are arranged
 * @unfold: parts of what is under its threshold are shown, too
 */
void outline__fold(struct outline *o, int first, int nr, bool unfold);
/** outline__is_shown() - whether a line is on the page. */
bool outline__is_shown(const struct outline *o, int line);
/**
 * outline__put_branches() - append the branches that go past a line, from the outermost in, and the
 * one that ends at it.
 */
void outline__put_branches(const struct outline *o, int line, const struct outline_signs *signs,
			   struct sb *sb);

#endif
