/* SPDX-License-Identifier: GPL-2.0-only */
/* How far off an estimate is that was made of turns. Pure calculation. */
#ifndef TMA_VERDICT_TURNS_H
#define TMA_VERDICT_TURNS_H

#include <stdbool.h>

#include "count/slices.h"

struct arena;

#define TURNS_CONFIDENCE "90 %"
#define TURNS_NORMAL 1.645 /* half the width that holds with it, in standard deviations */

/** struct turn_units - the units of a row, by their numbers */
struct turn_units {
	int nr, *at;
};

#define NR_MEMORIES 12

/**
 * struct memory - what turns of a process that forgets at some rate are like
 * @back:   part of the squares of their differences that the next difference takes back
 * @spread: variance of their mean as an estimate of the time between them, too, for each rotation,
 *          as a share of those squares
 */
struct memory {
	double back, spread;
};

/**
 * struct variation - of the rates of the events of a group, from turn to turn
 * @nr:    events
 * @nr_turns: how many were seen; 0 when they ran all the time
 * @reads: between which each is
 * @share: of the time they ran; @rotation: time from one turn to the next, as a share of the row
 * @unknown: reads failed, or there was one turn alone
 * @assumed: without reads in between: the standard deviation of each count, as a share of it, if
 *          rates vary by ASSUMED_VARIATION; else 0
 * @rates: what each comes to in the row if all of it were as one turn, [event][turn]
 * @moves: sums, over the turns, of products of the differences between two that follow each other,
 *         at[i * nr + j] for events i and j
 * @backs: the same of a difference and the one behind it
 * @ends:  of the differences of the first and the last turn from the row
 * @memories: for processes which forget faster and faster
 * @grains: of each event, what it is read in multiples of; set by who knows it
 */
struct variation {
	int nr, nr_turns, reads[SLICES_READS];
	double share, rotation, assumed;
	bool unknown;
	double *rates, *moves, *backs, *ends, *grains;
	struct memory memories[NR_MEMORIES];
};

/** variation__init() - memory for a group of @nr, out of @memory. */
void variation__init(struct variation *v, int nr, struct arena *memory);
/** variation__measure() - of a group's @events, @v->nr of them, on all units of a row. */
void variation__measure(struct variation *v, const struct slices *slices, const int *events,
			const struct turn_units *units);
/*
 * What is assumed of counts without reads in between: by how much the rate of an event differs from
 * one time it ran to the next, as a standard deviation in shares of the mean; and how many of these
 * times differ at most, as what a program does lasts longer than a turn.
 */
#define ASSUMED_VARIATION 0.5
#define ASSUMED_TIMES 32
#define ASSUMED_TURN_NS 4000000 /* perf_event_mux_interval_ms of the x86 kernel */

/**
 * variation__assume() - of a group of which nothing was read in between
 * @counts: of each of its events, in the row
 * @share: of the time that it ran; @running_ns: on each unit, on the average
 */
void variation__assume(struct variation *v, const double *counts, double share, double running_ns);
/** variation__took_turns() - whether anything is not exact. */
bool variation__took_turns(const struct variation *v);
/**
 * variation__square() - square of half the width of the interval which holds with
 * TURNS_CONFIDENCE, of what moves by @slopes[i] for each count of event i; NAN where it is unknown
 */
double variation__square(const struct variation *v, const double *slopes);

#endif
