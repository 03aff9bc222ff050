/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Print regions which programs measure in themselves with libtma-topdown.
 *
 * The input is the block of memory with such a program's totals (topdown/region_page.h); the output
 * is rows, and a grid of them.
 */
#ifndef TMA_REPORT_REGIONS_H
#define TMA_REPORT_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "grid/grid.h"

struct err;

/*
 * Slots are divided into the fields of the metrics register: four of level 1, and a part of each
 * of level 2. The remainders of the four follow.
 */
#define REGIONS_FIELDS 8
#define REGIONS_SHARES 12

/**
 * struct region_row - what one thread did in one region
 * @name:  without characters that a terminal acts on
 * @count, @measured: how often it was entered and left, and how often that was measured
 * @time_ns, @missed_ns: time in it, and the part of that not counted; of measured times, as are all
 *         members below
 * @slots, @own_slots: slots including regions inside it, and without these
 * @share: shares of @slots, in %; NaN if unknown
 * @own:   shares of @own_slots
 * @error: by how much a share may be wrong, in points
 * @level: 1 or 2: the deepest level of the shares
 * @notes: bits of notes, whose texts region_note() has
 */
struct region_row {
	char name[64];
	int32_t pid, tid;
	uint64_t count, measured, time_ns, missed_ns, slots, own_slots;
	double share[REGIONS_SHARES], own[REGIONS_SHARES], error;
	int level;
	unsigned int notes;
};

/**
 * struct regions - the rows of all regions; those of a name are adjacent, in the order of first use
 * @lost: number of threads' regions for which there was no room
 */
struct regions {
	VEC(struct region_row) rows;
	uint32_t lost;
};

/** regions__size() - return the bytes of a block with room for so many regions of threads. */
size_t regions__size(uint32_t capacity);
/** regions__make() - initialise a block in zeroed memory of that size. */
void regions__make(void *block, uint32_t capacity);
/**
 * regions__read() - read the rows of a block
 * @block, @size: memory which a program may still be writing, or may have overwritten
 * @r: empty; the caller frees its rows
 *
 * Return: 0, or -EINVAL if it is not a valid block any more.
 */
int regions__read(const void *block, size_t size, struct regions *r, struct err *err);

/** region_note() - return the text of one bit of @notes, or NULL after the last. */
const char *region_note(int bit);

/**
 * regions__fill() - put all rows into a grid, with the columns of regions
 * @g: zeroed; to be freed by regions__free_grid()
 */
void regions__fill(const struct regions *r, struct grid *g);
/** regions__free_grid() - release it. */
void regions__free_grid(struct grid *g);

#endif
