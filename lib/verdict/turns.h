/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far off an estimate is whose event had the counter in turns: in come slices of a row's time,
 * out of it come squares of half widths. Pure calculation.
 */
#ifndef TMA_VERDICT_TURNS_H
#define TMA_VERDICT_TURNS_H

#include <stdbool.h>

#include "count/slices.h"

struct arena;
struct counts;

#define TURNS_CONFIDENCE "90 %"
#define TURNS_NORMAL 1.645 /* half the width of an interval of that confidence, in deviations */

/** struct turn_units - the units of a row, by their numbers */
struct turn_units {
	int nr, *at;
};

#define TURN_RATES (SLICES_MAX + 2)
#define TURN_MEAN (TURN_RATES - 1) /* the whole row's rate stands there, behind those of turns */
#define NR_MEMORIES 12
#define WHOLE_TIME 0.9995 /* a share of the time: what is missing is that of a switch */

/**
 * struct memory - how the turns of a process differ that forgets at some rate
 * @back:   part of the squares of their differences that the next difference takes back
 * @spread: variance, for each rotation, of their mean as an estimate of all time, as a share of
 *          those squares
 */
struct memory {
	double back, spread;
};

/**
 * struct variation - how the rates of a group's events vary from turn to turn
 * @nr:    how many events there are
 * @nr_turns: how many turns were seen; 0 when they ran all the time
 * @reads: numbers of the reads that turns begin and end at
 * @share: share of the time that they ran; @rotation: time from one turn to the next, as a share of
 *         the row
 * @unknown: reads failed, or there were too few turns
 * @assumed: without reads in between: the standard deviation of each count, as a share of it,
 *          if rates vary by ASSUMED_VARIATION; else 0
 * @rates: what each event would come to if the whole row were like one turn, at[event *
 *         TURN_RATES + turn]; TURN_MEAN stands for a turn too
 * @moves: sums, over the turns, of products of the differences between two that follow each other,
 *         at[i * nr + j] for events i and j
 * @backs: the same for products of a difference and the one behind it
 * @ends:  the same for differences of the first and the last turn from the row
 * @past_moves, @past_backs: @moves and @backs of the rows that are remembered, of each one less the
 *          longer ago it was; @past_nr: differences that they are sums of
 * @all_moves, @all_backs, @all_nr: the same with this row added, be it remembered or not: what is
 *          known of how the process forgets
 * @fitted: by how much more the rates vary than is seen, where they are what an estimate leaves
 *          that was fitted: a factor of variances; else 1
 * @leverage: the part of a difference's variance that is the estimate's own, for what it was fitted
 *         to; else 0
 * @leans: by how much each event's estimate is too large, as the event was ahead of its share of
 *         the time when its rate fell or behind when it rose, if between reads its rate stayed
 * @blocks: (of counts made of samples) by how much each of @nr_blocks moves each event's count;
 *          @used: in how many of these there was anything
 * @memories: for processes which forget faster and faster
 * @grains: the steps in which each event is read; set by who knows them
 */
struct variation {
	int nr, nr_turns, reads[SLICES_READS];
	double share, rotation, assumed, past_nr, all_nr, fitted, leverage;
	bool unknown;
	double *rates, *moves, *backs, *ends, *past_moves, *past_backs, *all_moves, *all_backs;
	double *grains, *leans;
	const double **blocks;
	int nr_blocks, used;
	struct memory memories[NR_MEMORIES];
};

/** variation__init() - make room for a group of @nr events, out of @memory. */
void variation__init(struct variation *v, int nr, struct arena *memory);
/** variation__init_rates() - the same for variation__read() alone. */
void variation__init_rates(struct variation *v, int nr, struct arena *memory);
/**
 * variation__read() - find the turns of a row, and the rates of @v->nr @events of a group in them
 *
 * Units that are absent from the row are no part of it.
 */
void variation__read(struct variation *v, const struct slices *slices, const int *events,
		     const struct turn_units *units);
/** variation__copy() - take over turns and rates of another one of the same events. */
void variation__copy(struct variation *v, const struct variation *from);
/** variation__find_leans() - find @v->leans, which no other rates than those read have. */
void variation__find_leans(struct variation *v, const struct slices *slices, const int *events,
			   const struct turn_units *units);
/**
 * variation__conclude() - find how the rates vary, be they as read or what remains of them
 *
 * What was measured of a row before goes, if it was not remembered: so the same time can be
 * measured more than once, in one row and another.
 */
void variation__conclude(struct variation *v);
/** variation__measure() - do all three, in this order. */
void variation__measure(struct variation *v, const struct slices *slices, const int *events,
			const struct turn_units *units);
/**
 * variation__remember() - let later rows know what was measured last
 *
 * Called once for a row, and for none whose time is in other rows, too.
 */
void variation__remember(struct variation *v);

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
/**
 * variation__take_blocks() - take over how counts that are made of samples vary
 * @events: of the group; @unit: whose counts they are
 */
void variation__take_blocks(struct variation *v, const struct counts *counts, const int *events,
			    int unit);
/** variation__took_turns() - whether anything was not counted all of the time. */
bool variation__took_turns(const struct variation *v);
/**
 * variation__square() - how far off a value is that moves by @slopes[i] for a count of event i
 *
 * Return: the square of half the width of its interval of TURNS_CONFIDENCE; NAN for unknown.
 */
double variation__square(const struct variation *v, const double *slopes);

#endif
