/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compare functions with the path of the whole program. The input is the grid of a run whose rows
 * are functions; each path gets the functions, with their values of the path's nodes. Pure
 * bookkeeping.
 */
#ifndef TMA_VERDICT_WAY_FUNCTIONS_H
#define TMA_VERDICT_WAY_FUNCTIONS_H

#include "verdict/way.h"

/**
 * ways__add_siblings() - append for each path the metric group that contains a node and its
 * siblings
 * @depth: index of the node in its path, at least 1: the first level has no such group
 *
 * Return: whether a new group was appended.
 */
bool ways__add_siblings(const struct ways *w, int depth, struct sb *groups);
/** ways__take_functions() - take the rows of functions, for all paths whose tree is in the grid. */
void ways__take_functions(struct ways *w, const struct grid *g);
/**
 * way_function__find_telling() - choose the node in which a function is compared with the path
 *
 * Return: the deepest node of the path that is a share of all slots, and that has a value with a
 * known error in the function; or NULL.
 */
const struct way_node *way_function__find_telling(const struct way *way,
						  const struct way_function *f);
/** way__free_functions() - release the functions of a way. */
void way__free_functions(struct way *way);

#endif
