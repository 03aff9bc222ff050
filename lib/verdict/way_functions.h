/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compare functions with the path of the whole: the input is the grid of a run with rows of
 * functions; each path gets its functions, with their values of its nodes. Pure bookkeeping.
 */
#ifndef TMA_VERDICT_WAY_FUNCTIONS_H
#define TMA_VERDICT_WAY_FUNCTIONS_H

#include "verdict/way.h"

/**
 * ways__add_siblings() - append the metric groups that contain a node of each path and its siblings
 * @depth: index of the node in its path, from 1: the first level has no such group
 *
 * Return: whether a new one was appended.
 */
bool ways__add_siblings(const struct ways *w, int depth, struct sb *groups);
/** ways__take_functions() - take the rows of functions, for all paths whose tree is in the grid. */
void ways__take_functions(struct ways *w, const struct grid *g);
/**
 * way_function__find_telling() - choose the node by which a function is compared with its path
 *
 * Return: the deepest node of the path which is a share of all slots, and has a value with a known
 * error in the function; NULL without one.
 */
const struct way_node *way_function__find_telling(const struct way *way,
						  const struct way_function *f);
/** way__free_functions() - release the functions of a way. */
void way__free_functions(struct way *way);

#endif
