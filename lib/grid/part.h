/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first level of a TopDown tree has four parts. They have one order and one colour wherever
 * people look at them; what is below one of them has its colour.
 */
#ifndef TMA_GRID_PART_H
#define TMA_GRID_PART_H

/* In the order of views; columns of --topdown have another, as in perf. */
enum grid_part {
	PART_NONE, /* it is in no tree */
	PART_RETIRING,
	PART_FRONTEND,
	PART_BAD_SPECULATION,
	PART_BACKEND,
	PART_OTHER, /* another part of the first level, as the other thread of the core */
	PART_NR,
};

/** grid_part__of() - which part a metric of the first level is, by its name. */
enum grid_part grid_part__of(const char *name);
/**
 * grid_part__colour() - the number of its colour, as terminals and terminfo have it
 * @colours: how many the terminal has
 *
 * Return: -1 where it has none of its own.
 */
int grid_part__colour(enum grid_part part, int colours);

#endif
