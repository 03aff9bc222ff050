/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Count the slots of nodes of TopDown trees with counters that never decrease.
 *
 * The input is a grid with the shares of nodes and the number of all slots in a row of time. The
 * output is the slots since the start, in the cells of the grid (struct cell_more). A node's slots
 * in a row are an estimate if events were multiplexed, and may be negative if the formula is a
 * difference. A negative increment is held back: the counter stays until the sum of the estimates
 * reaches it. So a counter never exceeds this sum by more than was held back at one time.
 */
#ifndef TMA_REPORT_SLOTS_H
#define TMA_REPORT_SLOTS_H

struct grid;
struct grid_column;
struct slots;

/** slots__scale() - return the factor from a column's values to fractions. */
double slots__scale(const struct grid_column *c);

/**
 * slots__new() - make counters at 0 for a grid with columns and rows; slots__free() releases them.
 */
struct slots *slots__new(const struct grid *g);
/** slots__free() - release the counters; NULL is allowed. */
void slots__free(struct slots *s);
/**
 * slots__add() - add the row of time in the cells, and set cell_more.slots and .error_slots
 * @s: counters; with NULL nothing is done
 *
 * A row that covers the whole run replaces the sums of earlier rows.
 */
void slots__add(struct slots *s, struct grid *g);

#endif
