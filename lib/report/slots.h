/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The nodes of TopDown trees get their slots as counters: cumulative, and never running backwards.
 *
 * In comes a grid with the shares and all slots of a row of time; out go the slots since the start,
 * in its cells (struct cell_more). What a node has in a row is an estimate where events took turns,
 * and may be less than nothing where its formula is a difference. Such an increment is held back:
 * the counter stays where it is until the sum of the estimates has caught up with it. Nor is a
 * counter ahead of that sum by more than was held back at one time.
 */
#ifndef TMA_REPORT_SLOTS_H
#define TMA_REPORT_SLOTS_H

struct grid;
struct grid_column;
struct slots;

/** slots__scale() - tell what makes a share of 1 of one in the unit of this column, as a factor. */
double slots__scale(const struct grid_column *c);

/** slots__new() - begin at 0. @g: its columns and rows stand. slots__free() releases it. */
struct slots *slots__new(const struct grid *g);
/** slots__free() - release it; NULL is allowed. */
void slots__free(struct slots *s);
/**
 * slots__add() - add the row that is in the cells, and set cell_more.slots and .error_slots
 * @s: NULL is allowed, and nothing is done
 *
 * A row that is of the whole run, and of no interval, has the place of all that was added before.
 */
void slots__add(struct slots *s, struct grid *g);

#endif
