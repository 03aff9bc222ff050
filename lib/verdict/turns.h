/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the errors of estimates of multiplexed events: the input is slices of a row's time; the
 * output is squares of half widths of confidence intervals. Pure calculation.
 */
#ifndef TMA_VERDICT_TURNS_H
#define TMA_VERDICT_TURNS_H

#include <stdbool.h>

#include "count/slices.h"

struct arena;
struct counts;

#define TURNS_CONFIDENCE "90 %"
#define TURNS_NORMAL 1.645 /* half width of a TURNS_CONFIDENCE interval, in standard deviations */

/** struct turn_units - numbers of the units of a row */
struct turn_units {
	int nr, *at;
};

#define TURN_RATES (SLICES_MAX + 2)
#define TURN_MEAN (TURN_RATES - 1) /* index of the rate in the whole row, after those in turns */
#define NR_MEMORIES 12
#define WHOLE_TIME 0.9995 /* a share of the time that counts as all: the rest is context switches */

/**
 * struct memory - how turns differ in a process whose covariance decays at some rate
 * @back:   the part of the squares of moves that the next move cancels
 * @spread: variance of the mean of turns as an estimate for the whole time, per rotation, divided
 *          by the mean square of moves
 */
struct memory {
	double back, spread;
};

/**
 * struct variation - how the rates of a group's events vary from turn to turn
 * @nr:    number of events
 * @nr_turns: number of turns that were seen; 0 if the events ran all the time
 * @reads: numbers of the reads at which turns begin and end
 * @share: share of the time in which the events ran; @rotation: time from one turn to the next, as
 *         a share of the row
 * @unknown: reads failed, or there were too few turns
 * @assumed: for a row without reads inside: standard deviation of each count, as a share of the
 *          count, if rates vary by ASSUMED_VARIATION; else 0
 * @rates: each event's count if the whole row were like one turn, at[event * TURN_RATES + turn];
 *         with turn TURN_MEAN, the count in the row
 * @moves: sums of products of moves (differences of successive turns), at[i * nr + j] for events i
 *         and j
 * @backs: sums of products of a move and the next move, with the same indices
 * @ends:  sums of products of the deviations of the first and the last turn from the row
 * @past_moves, @past_backs: @moves and @backs added up over remembered rows, of which older rows
 *         count less; @past_nr: number of moves in these sums
 * @all_moves, @all_backs, @all_nr: @past_moves, @past_backs and @past_nr with this row added, which
 *          show the memory of the process
 * @fitted: factor that corrects the variance of an estimate's residuals for the fit; 1 without
 *         estimate
 * @leverage: variance of the fitted part of an estimate, divided by the variance of a move; 0
 *         without estimate
 * @leans: by how much each event's estimate is too large because the event had run for more than
 *         its share of the time when its rate fell, or for less when its rate rose
 * @blocks: (counts made of samples) how much each of @nr_blocks blocks of time changes each event's
 *          count; @used: number of blocks with samples
 * @memories: struct memory for processes with faster and faster decay
 * @grains: steps of each event's counts; set by the caller for counts with steps
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

/** variation__init() - allocate room for a group of @nr events from @memory. */
void variation__init(struct variation *v, int nr, struct arena *memory);
/** variation__init_rates() - allocate only what variation__read() needs. */
void variation__init_rates(struct variation *v, int nr, struct arena *memory);
/**
 * variation__read() - find the turns of a row, and the rates of a group's @events in these turns
 *
 * Units that are absent in the row are skipped.
 */
void variation__read(struct variation *v, const struct slices *slices, const int *events,
		     const struct turn_units *units);
/** variation__copy() - copy turns and rates from the variation of the same events. */
void variation__copy(struct variation *v, const struct variation *from);
/** variation__find_leans() - compute @v->leans, before the rates are changed. */
void variation__find_leans(struct variation *v, const struct slices *slices, const int *events,
			   const struct turn_units *units);
/**
 * variation__conclude() - find how the rates vary: the rates that were read, or what estimates left
 * of them
 *
 * The result replaces the previous result, unless variation__remember() has kept it. So the same
 * time can be measured in several rows.
 */
void variation__conclude(struct variation *v);
/** variation__measure() - call variation__read(), __find_leans() and __conclude(). */
void variation__measure(struct variation *v, const struct slices *slices, const int *events,
			const struct turn_units *units);
/**
 * variation__remember() - keep the last measurement for later rows
 *
 * Call it once for a row, but not for rows whose time is also in other rows.
 */
void variation__remember(struct variation *v);

/*
 * Assumptions for rows without reads inside. ASSUMED_VARIATION: standard deviation of an event's
 * rate between turns, as a share of the mean. ASSUMED_TIMES: greatest number of turns that differ
 * independently, since phases of programs last longer than a turn.
 */
#define ASSUMED_VARIATION 0.5
#define ASSUMED_TIMES 32
#define ASSUMED_TURN_NS 4000000 /* perf_event_mux_interval_ms of the x86 kernel */

/**
 * variation__assume() - for a group that was not read within the row, assume how its rates vary
 * @counts: count of each event in the row
 * @share: share of the time in which the group ran; @running_ns: mean running time of a unit
 */
void variation__assume(struct variation *v, const double *counts, double share, double running_ns);
/**
 * variation__take_blocks() - use the variation that comes with counts made of samples
 * @events: events of the group; @unit: unit that the counts belong to
 */
void variation__take_blocks(struct variation *v, const struct counts *counts, const int *events,
			    int unit);
/** variation__is_multiplexed() - find out whether an event was not counted all the time. */
bool variation__is_multiplexed(const struct variation *v);
/**
 * variation__square() - compute the error of a value that changes by @slopes[i] per count of event
 * i
 *
 * Return: the square of half the width of the value's TURNS_CONFIDENCE interval; NAN if unknown.
 */
double variation__square(const struct variation *v, const double *slopes);

#endif
