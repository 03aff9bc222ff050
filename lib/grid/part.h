/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The four parts of the first level of a TopDown tree. They have the same order and the same colour
 * in all views; nodes below a part have its colour.
 */
#ifndef TMA_GRID_PART_H
#define TMA_GRID_PART_H

/* Parts in the order of all views; columns of --topdown are in perf's order, which differs. */
enum grid_part {
	PART_NONE, /* not in a tree */
	PART_RETIRING,
	PART_FRONTEND,
	PART_BAD_SPECULATION,
	PART_BACKEND,
	PART_OTHER, /* another part of the first level, such as the other thread of the core */
	PART_NR,
};

/** grid_part__of() - find the part that a metric of the first level represents, by its name. */
enum grid_part grid_part__of(const char *name);
/**
 * grid_part__colour() - get the number of a part's colour in terminals and terminfo
 * @colours: how many colours the terminal has
 *
 * Return: the number; -1 if the part has no colour of its own.
 */
int grid_part__colour(enum grid_part part, int colours);

#endif
