/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Print regions which programs measure in themselves with libtma-topdown.
 *
 * The input is the block of memory with the totals of such a program (topdown/region_page.h); the
 * output is rows, and a grid with these rows.
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
 * Shares of slots: first the fields of the metrics register, which are the four nodes of level 1
 * and one child of each. Then four remainders: each node of level 1 without its child.
 */
#define REGIONS_FIELDS 8
#define REGIONS_SHARES 12

/**
 * struct region_row - what one thread did in one region
 * @name:  name of the region, without control characters
 * @count, @measured: number of times that the thread went through the region; number of measured
 *         times
 * @time_ns, @missed_ns: time in the region; part of it without counts. These and all members below
 *         only cover measured times
 * @slots, @own_slots: slots in the region, with and without the regions inside it
 * @share: shares of @slots, in %; NaN if unknown
 * @own:   shares of @own_slots, in %
 * @error: error of a share, in points
 * @level: deepest level of the shares, 1 or 2
 * @notes: bits of notes; region_note() returns the text of each
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
 * struct regions - the rows of all regions. Rows of one name are adjacent, in the order of first
 * use
 * @lost: number of rows without room
 */
struct regions {
	VEC(struct region_row) rows;
	uint32_t lost;
};

/** regions__size() - return the size in bytes of a block with room for @capacity rows. */
size_t regions__size(uint32_t capacity);
/** regions__make() - initialise a block in zeroed memory of regions__size() bytes. */
void regions__make(void *block, uint32_t capacity);
/**
 * regions__read() - read the rows of a block
 * @block, @size: memory that a program may still write, or may have overwritten
 * @r: empty list; the caller frees the rows
 *
 * Return: 0, or -EINVAL if the block is not valid.
 */
int regions__read(const void *block, size_t size, struct regions *r, struct err *err);

/** region_note() - return the text of one bit of region_row.notes, or NULL after the last bit. */
const char *region_note(int bit);

/**
 * regions__fill() - put all rows into a grid, with the columns of regions
 * @g: zeroed; regions__free_grid() releases it
 */
void regions__fill(const struct regions *r, struct grid *g);
/** regions__free_grid() - release a grid of regions. */
void regions__free_grid(struct grid *g);

#endif
