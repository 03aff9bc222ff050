/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads that the caller did not ask for: for slices of rows, and for the precision of TopDown
 * metric events. The time comes in, and reads are made when they are due.
 */
#ifndef TMA_COUNT_BETWEEN_H
#define TMA_COUNT_BETWEEN_H

#include "count/count.h"

/* Steps of a read. */

/**
 * topdown_reads__was_read() - postpone the next read of TopDown groups: all counters have just been
 * read.
 */
void topdown_reads__was_read(void *self, struct counts *total);
/** slicer__was_read() - end a slice with the counts just read. */
void slicer__was_read(void *self, struct counts *total);

#endif
