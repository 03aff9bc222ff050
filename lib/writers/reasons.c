// SPDX-License-Identifier: GPL-2.0-only
/* Print why cells have no number or an inexact number: each reason once. */
#include "base/text.h"
#include "writers/internal.h"

bool cell__has_reason(const struct grid_cell *cell)
{
	return cell->status != CELL_ABSENT && cell->status != CELL_COUNTED && cell__words(cell);
}

bool cell__has_same_reason(const struct grid_cell *a, const struct grid_cell *b)
{
	return a->status == b->status && text__same(cell__words(a), cell__words(b)) &&
	       text__same(a->more->culprit, b->more->culprit);
}

bool reasons__add(struct reasons *printed, const struct grid_cell *cell)
{
	if (!cell__has_reason(cell))
		return false;
	for (int i = 0; i < printed->nr; i++)
		if (cell__has_same_reason(printed->at[i], cell))
			return false;
	if (printed->nr == printed->most) {
		printed->more++;
		return false;
	}
	printed->at[printed->nr++] = cell;
	return true;
}

void cell__print_reason(struct sb *sb, const struct grid_cell *cell)
{
	const char *words = cell__words(cell);

	if (!words)
		return;
	if (cell->more->culprit)
		sb__printf(sb, "%s: ", cell->more->culprit);
	sb__puts(sb, words);
}
