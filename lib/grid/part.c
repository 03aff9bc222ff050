// SPDX-License-Identifier: GPL-2.0-only
#include "grid/part.h"

#include <string.h>

/*
 * Colours of the parts. The page (lib/writers/page) uses the colours of 256, too; smaller palettes
 * have the nearest colours.
 */
static const struct {
	const char *word;
	int of_256, of_16, of_8;
} parts[PART_NR] = {
	[PART_RETIRING] = {"retir", 114, 2, 2},
	[PART_FRONTEND] = {"frontend", 221, 3, 3},
	[PART_BAD_SPECULATION] = {"spec", 182, 5, 5},
	[PART_BACKEND] = {"backend", 111, 12, 4},
};

enum grid_part grid_part__of(const char *name)
{
	for (int i = PART_RETIRING; i < PART_OTHER; i++)
		if (strcasestr(name, parts[i].word))
			return i;
	return PART_OTHER;
}

int grid_part__colour(enum grid_part part, int colours)
{
	if (!parts[part].word || colours < 8)
		return -1;
	return colours >= 256 ? parts[part].of_256
	       : colours >= 16 ? parts[part].of_16
			       : parts[part].of_8;
}
