/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions beside the way of the whole: the grid of a run with rows of functions comes in, and
 * each way gets its functions, with their own values of the nodes along it. Pure bookkeeping.
 */
#ifndef TMA_VERDICT_WAY_FUNCTIONS_H
#define TMA_VERDICT_WAY_FUNCTIONS_H

#include "verdict/way.h"

/**
 * ways__add_siblings() - append the metric groups that have a node of each way, and its siblings
 * @depth: number of the node on its way, from 1: the first level has no such group
 *
 * Return: whether any was appended that was not there.
 */
bool ways__add_siblings(const struct ways *w, int depth, struct sb *groups);
/** ways__take_functions() - take the rows of functions of all ways that the grid has values of. */
void ways__take_functions(struct ways *w, const struct grid *g);
/**
 * way_function__telling() - choose the node by which a function is held against its way
 *
 * Return: the deepest node of the way which is a share of all slots, and of which the function has
 * a value with a known error; NULL for none.
 */
const struct way_node *way_function__telling(const struct way *way, const struct way_function *f);
/** way__free_functions() - release the functions of a way. */
void way__free_functions(struct way *way);

#endif
