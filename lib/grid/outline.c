// SPDX-License-Identifier: GPL-2.0-only
#include "grid/outline.h"

#include "base/sb.h"

#define DEPTH_MAX 16

const struct outline_signs outline_utf8 = {"│ ", "├ ", "└ "};
const struct outline_signs outline_ascii = {"| ", "|-", "`-"};

/* Tell whether line @a precedes its sibling @b; number -1 precedes all lines. */
static bool is_before(const struct outline *o, int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 && b >= 0;
	if (o->lines[a].rank != o->lines[b].rank)
		return o->lines[a].rank < o->lines[b].rank;
	return a < b;
}

/* Return: the number of the first child of @parent after line @last; -1 if there is none. */
static int next_part(const struct outline *o, int parent, int last, int first, int nr)
{
	int next = -1;

	for (int i = first; i < first + nr; i++)
		if (o->lines[i].parent == parent && is_before(o, last, i) &&
		    (next < 0 || is_before(o, i, next)))
			next = i;
	return next;
}

/*
 * Append the lines below a line, or for -1 all root lines; each is followed by the lines below it.
 */
static void arrange_below(struct outline *o, int parent, int first, int nr)
{
	for (int i = -1; (i = next_part(o, parent, i, first, nr)) >= 0;) {
		if (parent >= 0) {
			o->lines[i].depth = o->lines[parent].depth + 1;
			o->lines[parent].has_parts = true;
		}
		o->order[o->nr++] = i;
		if (o->lines[i].is_part)
			arrange_below(o, i, first, nr);
	}
}

void outline__arrange(struct outline *o, int first, int nr)
{
	arrange_below(o, -1, first, nr);
}

/*
 * Work from the last line up, since a line depends on the lines below it. If a line is under its
 * threshold, all lines below it are folded, unless one of them is over its threshold.
 */
void outline__fold(struct outline *o, int first, int nr, bool unfold)
{
	for (int i = first; i < first + nr; i++) {
		o->lines[i].last = true;
		o->lines[i].parts = o->lines[i].folded = false;
		o->lines[i].nr_below = 0;
	}
	for (int n = first + nr - 1; n >= first; n--) {
		struct outline_line *line = &o->lines[o->order[n]];

		if (line->parent < 0)
			continue;
		o->lines[line->parent].over |= line->over;
		o->lines[line->parent].nr_below += line->nr_below + line->there;
	}
	for (int n = first; n < first + nr; n++) {
		struct outline_line *line = &o->lines[o->order[n]];
		const struct outline_line *above = &o->lines[line->parent];

		line->folded = line->parent >= 0 && !unfold &&
			       (above->folded || (!above->over && above->under));
	}
	for (int n = first + nr - 1; n >= first; n--) {
		struct outline_line *line = &o->lines[o->order[n]];

		if (line->parent < 0 || !outline__is_shown(o, o->order[n]))
			continue;
		line->last = !o->lines[line->parent].parts;
		o->lines[line->parent].parts = true;
	}
}

bool outline__is_shown(const struct outline *o, int line)
{
	return o->lines[line].there && !o->lines[line].folded;
}

void outline__put_branches(const struct outline *o, int line, const struct outline_signs *signs,
			   struct sb *sb)
{
	int above[DEPTH_MAX] = {0}, nr = 0;

	for (int i = line; o->lines[i].parent >= 0 && nr < DEPTH_MAX; i = o->lines[i].parent)
		above[nr++] = i;
	for (int i = nr - 1; i > 0; i--) {
		if (o->lines[above[i]].last)
			sb__pad(sb, OUTLINE_BRANCH_WIDTH);
		else
			sb__puts(sb, signs->past);
	}
	if (nr)
		sb__puts(sb, o->lines[line].last ? signs->last : signs->part);
}
