/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Track, for way.c, how the first level changes during a search. The input is rows; the output is
 * whether a measurement belongs to the same phase as the measurements before.
 */
#ifndef TMA_VERDICT_WAY_PHASES_H
#define TMA_VERDICT_WAY_PHASES_H

#include <stdbool.h>

struct grid;
struct grid_node;
struct grid_verdict;
struct way;
struct way_nodes;
struct ways;

#define WAY_MOST_TOP 16 /* greatest number of nodes of a first level */

/** way_nodes__add() - append a node of a verdict. */
void way_nodes__add(struct way_nodes *list, const struct grid_node *n, int step);
/** way__take_rows() - add the rows of the last measurement, and find the phases of all rows. */
void way__take_rows(struct ways *w, struct way *way, const struct grid *g,
		    const struct grid_verdict *v);
/** way__has_changed() - find out whether the first level has changed since the path began. */
bool way__has_changed(const struct way *way);
/** way__free_phases() - release the phases of a path. */
void way__free_phases(struct way *way);

#endif
