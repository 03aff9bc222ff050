/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs measure regions of themselves with libtma-topdown, and tma prints them.
 *
 * In comes the block of memory that such a program keeps its totals in (topdown/region_page.h); out
 * come rows, and a grid of them.
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
 * The slots are divided into the fields of the metrics register, and then into what is left of each
 * of the first four.
 */
#define REGIONS_FIELDS 8
#define REGIONS_SHARES 12

/**
 * struct region_row - what one thread did in one region
 * @name:  cleaned of what a terminal would act on
 * @count, @measured: how often it was begun and ended, and how often of these it was measured
 * @time_ns, @missed_ns: time in it, and of that not counted; of the measured times, as all below
 * @slots, @own_slots: slots with those of the regions inside, and without
 * @share: shares of @slots, in per cent; NaN where they are not known
 * @own:   shares of @own_slots
 * @error: by how much a share may be wrong, in per cent
 * @level: 1 or 2: which shares there are
 * @notes: what is to be said of it, a text for each bit: region_note()
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
 * struct regions - all of them: those of a name together, in the order of their first use
 * @lost: threads' regions for which there was no room
 */
struct regions {
	VEC(struct region_row) rows;
	uint32_t lost;
};

/** regions__size() - count the bytes of a block with room for so many regions of threads. */
size_t regions__size(uint32_t capacity);
/** regions__make() - make zeroed memory of that size a block. */
void regions__make(void *block, uint32_t capacity);
/**
 * regions__read() - take the rows out of a block
 * @block, @size: memory which a program may still be writing, or may have spoilt
 * @r: empty; its rows are to be freed
 *
 * Return: 0, or -EINVAL when it is no block any more.
 */
int regions__read(const void *block, size_t size, struct regions *r, struct err *err);

/** region_note() - give the text of one bit of @notes, or NULL behind the last. */
const char *region_note(int bit);

/**
 * regions__fill() - put all rows into a grid, with the columns that regions have
 * @g: zeroed; regions__free_grid() it
 */
void regions__fill(const struct regions *r, struct grid *g);
/** regions__free_grid() - release it. */
void regions__free_grid(struct grid *g);

#endif
