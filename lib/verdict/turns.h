/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the errors of estimates of multiplexed events: the input is slices of a row's time, the
 * output is squares of half widths of intervals. Pure calculation.
 */
#ifndef TMA_VERDICT_TURNS_H
#define TMA_VERDICT_TURNS_H

#include <stdbool.h>

#include "count/slices.h"

struct arena;
struct counts;

#define TURNS_CONFIDENCE "90 %"
#define TURNS_NORMAL 1.645 /* half width of an interval of that confidence, in deviations */

/** struct turn_units - the units of a row, by their numbers */
struct turn_units {
	int nr, *at;
};

#define TURN_RATES (SLICES_MAX + 2)
#define TURN_MEAN (TURN_RATES - 1) /* index of the whole row's rate, after those of turns */
#define NR_MEMORIES 12
#define WHOLE_TIME 0.9995 /* a share of the time that counts as all: the rest is a context switch */

/**
 * struct memory - how turns of a process differ whose covariance decays at some rate
 * @back:   the part of the squares of moves that the next move takes back
 * @spread: variance, for each rotation, of the turns' mean as an estimate of all time, as a share
 *          of the squares of moves
 */
struct memory {
	double back, spread;
};

/**
 * struct variation - how the rates of a group's events vary from turn to turn
 * @nr:    how many events there are
 * @nr_turns: how many turns were seen; 0 if they ran all the time
 * @reads: numbers of the reads at which turns begin and end
 * @share: share of the time that they ran; @rotation: time from one turn to the next, as a share of
 *         the row
 * @unknown: reads failed, or there were too few turns
 * @assumed: without reads within the row: the standard deviation of each count, as a share of it,
 *          if rates vary by ASSUMED_VARIATION; else 0
 * @rates: each event's count if the whole row were like one turn, at[event * TURN_RATES + turn]; at
 *         TURN_MEAN, for the whole row
 * @moves: sums of products of moves (differences of successive turns), at[i * nr + j] for events i
 *         and j
 * @backs: the same for products of a move and the next one
 * @ends:  the same for the deviations of the first and the last turn from the row
 * @past_moves, @past_backs: @moves and @backs of remembered rows, older ones discounted;
 *          @past_nr: number of moves that they are sums of
 * @all_moves, @all_backs, @all_nr: the same including this row, remembered or not, from which the
 *          memory of the process is found
 * @fitted: factor that corrects the variance of residuals of an estimate for the fit; else 1
 * @leverage: the variance of the estimate's own fitted part, in variances of a move; else 0
 * @leans: by how much each event's estimate is too large, because the event had run ahead of its
 *         share of the time when its rate fell, or late when it rose, if rates stayed constant
 *         between reads
 * @blocks: (counts made of samples) how much each of @nr_blocks changes each event's count; @used:
 *          how many of these have samples
 * @memories: of processes which forget faster and faster
 * @grains: the steps in which each event is read; set by the caller if there are any
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
 * variation__read() - find the turns of a row, and the rates of @v->nr @events of a group in them
 *
 * Units that are absent from the row are skipped.
 */
void variation__read(struct variation *v, const struct slices *slices, const int *events,
		     const struct turn_units *units);
/** variation__copy() - copy turns and rates from the variation of the same events. */
void variation__copy(struct variation *v, const struct variation *from);
/** variation__find_leans() - find @v->leans, which need the rates as they were read. */
void variation__find_leans(struct variation *v, const struct slices *slices, const int *events,
			   const struct turn_units *units);
/**
 * variation__conclude() - find how the rates vary, either as read or what remains of them
 *
 * It replaces the previous measurement unless that was remembered: so the same time can be measured
 * more than once, in one row and another.
 */
void variation__conclude(struct variation *v);
/** variation__measure() - call variation__read(), __find_leans() and __conclude(). */
void variation__measure(struct variation *v, const struct slices *slices, const int *events,
			const struct turn_units *units);
/**
 * variation__remember() - keep the last measurement for later rows
 *
 * To be called once for a row, and not for rows whose time is in other rows, too.
 */
void variation__remember(struct variation *v);

/*
 * Assumptions about counts without reads within the row: the standard deviation of an event's rate
 * between turns, as a share of the mean; and the most turns that differ independently, as phases of
 * programs last longer than a turn.
 */
#define ASSUMED_VARIATION 0.5
#define ASSUMED_TIMES 32
#define ASSUMED_TURN_NS 4000000 /* perf_event_mux_interval_ms of the x86 kernel */

/**
 * variation__assume() - assume the variation of a group that was not read within the row
 * @counts: of each of its events, in the row
 * @share: of the time that it ran; @running_ns: running time per unit, on average
 */
void variation__assume(struct variation *v, const double *counts, double share, double running_ns);
/**
 * variation__take_blocks() - use the variation that counts made of samples bring with them
 * @events: of the group; @unit: whose counts they are
 */
void variation__take_blocks(struct variation *v, const struct counts *counts, const int *events,
			    int unit);
/** variation__is_multiplexed() - find out whether anything was not counted all the time. */
bool variation__is_multiplexed(const struct variation *v);
/**
 * variation__square() - compute the error of a value that moves by @slopes[i] per count of event i
 *
 * Return: the square of half the width of its TURNS_CONFIDENCE interval; NAN if unknown.
 */
double variation__square(const struct variation *v, const double *slopes);

#endif
