/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Count the slots of nodes of TopDown trees, cumulatively and never decreasing.
 *
 * The input is a grid with the shares and all slots of a row of time; the output is the slots since
 * the start, in its cells (struct cell_more). A node's slots in a row are an estimate if events
 * were multiplexed, and may be negative if its formula is a difference. A negative increment is
 * held back: the counter stays until the sum of the estimates has caught up with it. So a counter
 * is never ahead of that sum by more than was held back at one time.
 */
#ifndef TMA_REPORT_SLOTS_H
#define TMA_REPORT_SLOTS_H

struct grid;
struct grid_column;
struct slots;

/**
 * slots__scale() - return the factor that turns a value in the unit of this column into a fraction.
 */
double slots__scale(const struct grid_column *c);

/** slots__new() - begin at 0. @g: with its columns and rows. slots__free() releases it. */
struct slots *slots__new(const struct grid *g);
/** slots__free() - release it; NULL is allowed. */
void slots__free(struct slots *s);
/**
 * slots__add() - add the row in the cells, and set cell_more.slots and .error_slots
 * @s: may be NULL: nothing is done
 *
 * A row of the whole run, rather than of an interval, replaces everything that was added before.
 */
void slots__add(struct slots *s, struct grid *g);

#endif
