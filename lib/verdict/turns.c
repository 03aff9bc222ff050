// SPDX-License-Identifier: GPL-2.0-only
/*
 * The error of an estimate that is made of turns, which are a systematic sample of the row's time.
 * The time between turns is unknown. How much may have happened in it shows in how much a rate
 * differs from one turn to the next. If the rate seldom changes, such differences mean little: only
 * the moment of the change is unknown. If turns differ from the time around them, the differences
 * mean much.
 *
 * So rates are modelled as a process whose covariance decays exponentially with time. The memory of
 * the process determines how much turns differ, how much of a difference the next difference
 * cancels, and how far the mean of the turns is off. The memory is found from the first two, which
 * are observed in this row and in earlier rows: a row without a visible change may have missed a
 * change.
 *
 * Turns are not evenly spaced if the kernel's timer is late. Then a part of the row has too much
 * weight if the event ran for more than its share in this part, which the reads show.
 */
#include <math.h>
#include <string.h>

#include "base/xalloc.h"
#include "count/count.h"
#include "verdict/turns.h"

#define WHOLE_TURN 0.9 /* this share of a turn counts as whole: reads are not exactly at its ends */
#define LEAST_TURNS 4  /* fewer turns are too often in similar parts of the row by chance */
#define FEW_TURNS 1.2  /* most rows that LEAST_TURNS take: the first and last turn are partial */
#define KEPT 0.9       /* factor of the weight of earlier rows at each further row */
#define PAST_MOVES 0.5 /* all moves of earlier rows count as this many moves of the row */
#define EVEN_LEAD 0.8  /* smaller leads are ignored, as a part of the lead of even turns */
#define ALL_NOISE 0.5  /* part of the squares of moves that is cancelled if rates have no memory */
#define SLOWEST 0.02   /* the first decay rate that is tried, per rotation */
#define FASTER 2       /* factor from one tried rate to the next */
#define SHORT 1e-3     /* for shorter turns a series is used: the closed form loses digits */
#define UNIFORM_VARIANCE (1.0 / 12)

/* Student's t for 1, 2 ... degrees of freedom, used instead of TURNS_NORMAL. */
static const double student[] = { 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833,
				  1.812, 1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734,
				  1.729, 1.725, 1.721, 1.717, 1.714, 1.711, 1.708, 1.706, 1.703,
				  1.701, 1.699, 1.697 };

/*
 * Variance of a ratio of samples, divided by the variance of its linear part:
 * tests/metrics/functions.py.
 */
#define RATIO_SKEW 1.15
#define NR_STUDENT ((int)(sizeof(student) / sizeof(*student)))

void variation__init(struct variation *v, int nr, struct arena *memory)
{
	size_t cells = (size_t)nr * nr;

	v->nr = nr;
	v->fitted = 1;
	v->moves = arena__calloc(memory, 7 * cells + (size_t)nr * (TURN_RATES + 2), sizeof(double));
	v->backs = v->moves + cells;
	v->ends = v->backs + cells;
	v->past_moves = v->ends + cells;
	v->past_backs = v->past_moves + cells;
	v->all_moves = v->past_backs + cells;
	v->all_backs = v->all_moves + cells;
	v->rates = v->all_backs + cells;
	v->grains = v->rates + (size_t)nr * TURN_RATES;
	v->leans = v->grains + nr;
	v->blocks = arena__calloc(memory, nr, sizeof(*v->blocks));
}

void variation__init_rates(struct variation *v, int nr, struct arena *memory)
{
	v->nr = nr;
	v->rates = arena__calloc(memory, (size_t)nr * TURN_RATES, sizeof(double));
}

/* Whether the value and times of a counter did not decrease from one read to the next. */
static bool runs_on(const struct sample *from, const struct sample *to)
{
	return sample__has_numbers(from) && sample__has_numbers(to) && to->value >= from->value &&
	       to->running >= from->running && to->enabled >= from->enabled;
}

static const struct sample *sample_at(const struct slices *s, int read, int event, int unit)
{
	return &s->at[read][(size_t)event * s->nr_units + unit];
}

/* Whether a unit is part of the row: a unit that is absent at the end of the row has no counts. */
static bool is_part(const struct slices *s, int event, int unit)
{
	return sample_at(s, s->nr - 1, event, unit)->status != SAMPLE_ABSENT;
}

/* Whether every read succeeded on all units of the row, and counters never went back. */
static bool turns__is_whole(const struct slices *s, int event, const struct turn_units *units)
{
	for (int u = 0; u < units->nr; u++) {
		size_t at = (size_t)event * s->nr_units + units->at[u];

		if (!is_part(s, event, units->at[u]))
			continue;
		for (int i = 1; i < s->nr; i++)
			if (!runs_on(&s->at[i - 1][at], &s->at[i][at]))
				return false;
	}
	return true;
}

/* Return: how long an event ran between two reads, in ns of all units. */
static double running_between(const struct slices *s, int from, int to, int event,
			      const struct turn_units *units)
{
	double sum = 0;

	for (int u = 0; u < units->nr; u++)
		if (is_part(s, event, units->at[u]))
			sum += sample_at(s, to, event, units->at[u])->running -
			       sample_at(s, from, event, units->at[u])->running;
	return sum;
}

/*
 * Combine slices to turns. CPUs have their turns at about the same time, since events were enabled
 * together. A turn ends before a slice in which the event did not run, or after the length of a
 * turn.
 */
static void find_turns(struct variation *v, const struct slices *s, int event,
		       const struct turn_units *units)
{
	double enabled = 0, running = running_between(s, 0, s->nr - 1, event, units), whole, ran;
	int from = 0, nr = 0;

	for (int u = 0; u < units->nr; u++) {
		const struct sample *first = sample_at(s, 0, event, units->at[u]);
		const struct sample *last = sample_at(s, s->nr - 1, event, units->at[u]);

		if (!is_part(s, event, units->at[u]))
			continue;
		enabled += last->enabled - first->enabled;
		nr += last->running > first->running;
	}
	v->nr_turns = 0;
	v->share = enabled > 0 ? running / enabled : 0;
	if (!nr || v->share >= 1)
		return;
	v->rotation = s->rotation_ns[event] / (enabled / nr);
	whole = WHOLE_TURN * v->share * s->rotation_ns[event] * nr;
	for (int i = 1; i < s->nr; i++) {
		bool ends = i + 1 == s->nr || !running_between(s, i, i + 1, event, units);

		ran = running_between(s, from, i, event, units);
		if (ran <= 0 || (!ends && ran < whole))
			continue;
		v->reads[v->nr_turns++] = from;
		v->reads[v->nr_turns] = i;
		from = i;
	}
}

/* Return: the event's count if its rate in the whole row were the rate between two reads. */
static double count_at(const struct slices *s, int event, const struct turn_units *units, int from,
		       int to)
{
	double sum = 0;

	for (int u = 0; u < units->nr; u++) {
		const struct sample *first = sample_at(s, 0, event, units->at[u]);
		const struct sample *last = sample_at(s, s->nr - 1, event, units->at[u]);
		const struct sample *a = sample_at(s, from, event, units->at[u]);
		const struct sample *b = sample_at(s, to, event, units->at[u]);
		double enabled = last->enabled - first->enabled;

		if (!is_part(s, event, units->at[u]))
			continue;
		/* For a unit without a turn between the reads, use the mean of the row. */
		if (a->running == b->running) {
			a = first;
			b = last;
		}
		if (a->running < b->running)
			sum += enabled * (b->value - a->value) / (b->running - a->running);
	}
	return sum;
}

/* Return: a member's move, the change of its rate from a turn to the next turn. */
static double turns__move(const struct variation *v, int member, int turn)
{
	const double *rates = v->rates + member * TURN_RATES;

	return rates[turn + 1] - rates[turn];
}

static void add_pair(struct variation *v, int i, int j)
{
	const double *a = v->rates + i * TURN_RATES, *b = v->rates + j * TURN_RATES;
	double moves = 0, backs = 0, ends;
	int nr = v->nr_turns, last = nr - 1;

	for (int k = 0; k < last; k++)
		moves += turns__move(v, i, k) * turns__move(v, j, k);
	for (int k = 0; k + 1 < last; k++)
		backs += (turns__move(v, i, k) * turns__move(v, j, k + 1) +
			  turns__move(v, j, k) * turns__move(v, i, k + 1)) / 2;
	backs *= (nr - 1) / (nr - 2.0); /* nr - 2 products, scaled to the number of moves, nr - 1 */
	ends = (a[0] - a[TURN_MEAN]) * (b[0] - b[TURN_MEAN]) +
	       (a[last] - a[TURN_MEAN]) * (b[last] - b[TURN_MEAN]);
	v->moves[i * v->nr + j] = v->moves[j * v->nr + i] = moves;
	v->backs[i * v->nr + j] = v->backs[j * v->nr + i] = backs;
	v->ends[i * v->nr + j] = v->ends[j * v->nr + i] = ends;
}

/*
 * Return: how turns differ in a process with variance 1 and a covariance of exp(-@rate) after a
 * rotation. @share: part of a rotation that a turn lasts; @merged: rotations that were seen as one
 * turn
 *
 * The means of two turns have the covariance @apart times exp(-@rate) for each rotation between
 * them. Means over a long time have 2 / @rate divided by this time. All else is sums of powers.
 */
static struct memory memory_of(double rate, double share, double merged)
{
	double turn = rate * share, keeps = exp(-rate), forgets = -expm1(-rate);
	double own = turn < SHORT ? 1 - turn / 3 : 2 * (turn + expm1(-turn)) / (turn * turn);
	double apart = pow(2 * sinh(turn / 2) / turn, 2), all = -expm1(-rate * merged);
	double same, next, after, moves;

	same = (own + 2 * apart * (keeps / forgets -
				   keeps * all / (merged * forgets * forgets))) / merged;
	next = apart * keeps * pow(all / (merged * forgets), 2);
	after = next * (1 - all);
	moves = 2 * (same - next);
	return (struct memory){
		.back = (same + after - 2 * next) / moves,
		/*
		 * With hardly any gap, rounding may make this difference of large numbers negative.
		 */
		.spread = fmax(own + 2 * apart * keeps / forgets - 2 / rate, 0) / moves,
	};
}

static void find_memories(struct variation *v)
{
	double merged = fmax(1, 1 / (v->rotation * v->nr_turns)), rate = SLOWEST;

	for (int i = 0; i < NR_MEMORIES; i++, rate *= FASTER)
		v->memories[i] = memory_of(rate, v->share, merged);
}

/* Add the moves of earlier rows: a row without changes may have missed a change. */
static void add_past(struct variation *v)
{
	size_t cells = (size_t)v->nr * v->nr;

	for (size_t i = 0; i < cells; i++) {
		v->all_moves[i] = v->past_moves[i] * KEPT + v->moves[i];
		v->all_backs[i] = v->past_backs[i] * KEPT + v->backs[i];
	}
	v->all_nr = v->past_nr * KEPT + v->nr_turns - 1;
}

void variation__remember(struct variation *v)
{
	size_t bytes = (size_t)v->nr * v->nr * sizeof(*v->all_moves);

	if (!v->nr_turns)
		return;
	memcpy(v->past_moves, v->all_moves, bytes);
	memcpy(v->past_backs, v->all_backs, bytes);
	v->past_nr = v->all_nr;
}

/*
 * If an event was @lead ns ahead of its share of the time when its rate changed, it counted the old
 * rate for @lead ns too long. The leads of evenly spaced turns, which are parts of a turn, are
 * ignored.
 *
 * Return: by how much the estimate is too large because of leads, if rates are constant between
 * reads.
 */
static double lean_of_unit(const struct slices *s, int event, int unit)
{
	const struct sample *first = sample_at(s, 0, event, unit), *before = NULL;
	const struct sample *last = sample_at(s, s->nr - 1, event, unit);
	double running = last->running - first->running;
	double share = running / (last->enabled - first->enabled), rate = 0, sum = 0;
	double even = EVEN_LEAD * s->rotation_ns[event] * share * (1 - share);

	if (!(share > 0 && share < 1))
		return 0;
	for (int i = 1; i < s->nr; i++) {
		const struct sample *a = sample_at(s, i - 1, event, unit);
		const struct sample *b = sample_at(s, i, event, unit);
		double now, lead;

		if (a->running == b->running)
			continue;
		now = (double)(b->value - a->value) / (b->running - a->running);
		if (before) {
			/*
			 * The rate changed while the event did not run: use the middle of this
			 * time.
			 */
			lead = (a->running - first->running) -
			       share * ((before->enabled - first->enabled) / 2.0 +
					(a->enabled - first->enabled) / 2.0);
			sum += fabs(lead) > even ? (rate - now) * lead : 0;
		}
		rate = now;
		before = b;
	}
	return sum / share;
}

void variation__read(struct variation *v, const struct slices *s, const int *events,
		     const struct turn_units *units)
{
	v->nr_turns = 0;
	v->assumed = 0;
	v->unknown = false;
	if (!v->nr)
		return;
	for (int i = 0; i < v->nr; i++)
		v->unknown |= !turns__is_whole(s, events[i], units);
	if (v->unknown)
		return;
	find_turns(v, s, events[0], units);
	for (int i = 0; i < v->nr && v->nr_turns; i++) {
		double *rates = v->rates + i * TURN_RATES;

		for (int k = 0; k < v->nr_turns; k++)
			rates[k] = count_at(s, events[i], units, v->reads[k], v->reads[k + 1]);
		rates[TURN_MEAN] = count_at(s, events[i], units, 0, s->nr - 1);
	}
}

void variation__copy(struct variation *v, const struct variation *from)
{
	v->nr_turns = from->nr_turns;
	v->assumed = from->assumed;
	v->unknown = from->unknown;
	v->share = from->share;
	v->rotation = from->rotation;
	memcpy(v->rates, from->rates, (size_t)v->nr * TURN_RATES * sizeof(*v->rates));
	memcpy(v->leans, from->leans, v->nr * sizeof(*v->leans));
}

void variation__find_leans(struct variation *v, const struct slices *s, const int *events,
			   const struct turn_units *units)
{
	for (int i = 0; i < v->nr && v->nr_turns; i++) {
		v->leans[i] = 0;
		for (int u = 0; u < units->nr; u++)
			if (is_part(s, events[i], units->at[u]))
				v->leans[i] += lean_of_unit(s, events[i], units->at[u]);
	}
}

void variation__conclude(struct variation *v)
{
	if (v->unknown || !v->nr)
		return;
	if (v->nr_turns < LEAST_TURNS || v->rotation * LEAST_TURNS > FEW_TURNS) {
		v->unknown = v->nr_turns;
		v->nr_turns = 0;
		return;
	}
	for (int i = 0; i < v->nr; i++)
		for (int j = 0; j <= i; j++)
			add_pair(v, i, j);
	add_past(v);
	find_memories(v);
}

void variation__measure(struct variation *v, const struct slices *slices, const int *events,
			const struct turn_units *units)
{
	variation__read(v, slices, events, units);
	variation__find_leans(v, slices, events, units);
	variation__conclude(v);
}

void variation__assume(struct variation *v, const double *counts, double share, double running_ns)
{
	double times = fmin(floor(running_ns / ASSUMED_TURN_NS), ASSUMED_TIMES);

	v->nr_turns = 0;
	v->share = share;
	v->unknown = share < WHOLE_TIME && times < LEAST_TURNS;
	v->assumed = share < WHOLE_TIME && !v->unknown
			     ? ASSUMED_VARIATION * sqrt((1 - share) / times)
			     : 0;
	for (int i = 0; i < v->nr; i++)
		v->rates[i * TURN_RATES + TURN_MEAN] = counts[i];
}

/* Assume that events vary independently, although events of a group are often correlated. */
static double assumed_square(const struct variation *v, const double *slopes)
{
	double sum = 0;

	for (int i = 0; i < v->nr; i++)
		sum += pow(slopes[i] * v->rates[i * TURN_RATES + TURN_MEAN] * v->assumed, 2);
	return TURNS_NORMAL * TURNS_NORMAL * sum;
}

void variation__take_blocks(struct variation *v, const struct counts *counts, const int *events,
			    int unit)
{
	v->nr_blocks = counts->blocks->nr;
	v->used = counts->blocks->used[unit];
	for (int i = 0; i < v->nr; i++) {
		size_t at = (size_t)events[i] * counts->nr_units + unit;

		v->blocks[i] = &counts->blocks->moves[at * v->nr_blocks];
		v->grains[i] = counts->blocks->grains[at];
	}
}

bool variation__is_multiplexed(const struct variation *v)
{
	return v->nr_blocks || v->unknown || v->nr_turns || v->assumed;
}

static double quadratic(const double *matrix, const double *slopes, int nr)
{
	double sum = 0;

	for (int i = 0; i < nr; i++)
		for (int j = 0; j < nr; j++)
			sum += slopes[i] * matrix[i * nr + j] * slopes[j];
	return sum;
}

static bool has_slope(const struct variation *v, const double *slopes)
{
	for (int i = 0; i < v->nr; i++)
		if (slopes[i])
			return true;
	return false;
}

/*
 * Return: the mean of the memories, each weighted by how well it predicts @seen, the part of the
 * squares that the next moves cancel. Before, all memories are equally likely. The weight is the
 * normal density of the deviation from @seen, whose variance is 1 / (2 * turns) for a process
 * without memory.
 */
static struct memory expected(const struct variation *v, double seen)
{
	struct memory mean = { 0 };
	double sum = 0;

	for (int i = 0; i < NR_MEMORIES; i++) {
		const struct memory *m = &v->memories[i];
		double off = seen - m->back, weight = exp(-off * off * (v->all_nr + 1));

		sum += weight;
		mean.back += weight * m->back;
		mean.spread += weight * m->spread;
	}
	return (struct memory){ mean.back / sum, mean.spread / sum };
}

/*
 * Return: the error from steps of counts. At constant rates the rounding is the same each time, so
 * that its errors add up.
 */
static double grains(const struct variation *v, const double *slopes)
{
	double sum = 0;

	for (int i = 0; i < v->nr; i++)
		sum += slopes[i] * slopes[i] * v->grains[i] * v->grains[i];
	return TURNS_NORMAL * TURNS_NORMAL * UNIFORM_VARIANCE * sum;
}

/*
 * Return: the square of the error from blocks. They are independent: their differences from the
 * mean show the error of the mean, as in a jackknife.
 */
static double blocks_square(const struct variation *v, const double *slopes)
{
	double sum = 0, t;
	int free = v->used - 1;

	if (free < 1)
		return has_slope(v, slopes) ? NAN : 0;
	for (int b = 0; b < v->nr_blocks; b++) {
		double move = 0;

		for (int i = 0; i < v->nr; i++)
			move += slopes[i] * v->blocks[i][b];
		sum += move * move;
	}
	t = free > NR_STUDENT ? TURNS_NORMAL : student[free - 1];
	return RATIO_SKEW * t * t * sum * v->used / free + grains(v, slopes);
}

double variation__square(const struct variation *v, const double *slopes)
{
	double all, moves, inner, ends, gap = v->rotation * (1 - v->share), lean = 0, t;
	struct memory memory;
	int nr = v->nr_turns;

	if (v->nr_blocks)
		return blocks_square(v, slopes);
	if (v->unknown)
		return has_slope(v, slopes) ? NAN : 0;
	if (v->assumed)
		return assumed_square(v, slopes) + grains(v, slopes);
	if (!nr)
		return 0;
	all = quadratic(v->all_moves, slopes, v->nr);
	if (all <= 0)
		return grains(v, slopes);
	memory = expected(v, -quadratic(v->all_backs, slopes, v->nr) / all);
	moves = (quadratic(v->moves, slopes, v->nr) + PAST_MOVES * all / v->all_nr) /
		(nr - 1 + PAST_MOVES);
	moves *= v->fitted;
	inner = (memory.spread * v->rotation + v->leverage) * moves;
	/* The first and the last turn also represent the time before and after them. */
	ends = (1 - memory.back / ALL_NOISE) * UNIFORM_VARIANCE * gap * gap *
	       fmax(quadratic(v->ends, slopes, v->nr), 0);
	/*
	 * Moves that share a turn are correlated: they have two thirds of the degrees of freedom.
	 */
	t = 2 * (nr - 1) / 3 > NR_STUDENT ? TURNS_NORMAL : student[2 * (nr - 1) / 3 - 1];
	for (int i = 0; i < v->nr; i++)
		lean += slopes[i] * v->leans[i];
	return t * t * (inner + ends) + TURNS_NORMAL * TURNS_NORMAL * lean * lean +
	       grains(v, slopes);
}
