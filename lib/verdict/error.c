// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errors of events follow from the variation between turns, and errors of metrics from the errors
 * of events.
 */
#include "verdict/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "metrics/expr.h"

#define UNKNOWN_STEP 0.01 /* a value with unknown variation is changed by this share */
#define ROUNDING 1e-12	  /* relative rounding error of formulas */

static int error__column_of(const struct sums *s, int event)
{
	return s->events[event].merged ? s->events[event].event->first->index : event;
}

static void error__add_group(struct errors *x, int leader)
{
	struct error_group *g = &x->groups[x->nr_groups++];
	const struct sums *s = x->sums;

	g->events = arena__calloc(&x->memory, s->nr_events - leader, sizeof(*g->events));
	g->columns = arena__calloc(&x->memory, s->nr_events - leader, sizeof(*g->columns));
	g->of = arena__calloc(&x->memory, s->nr_rows, sizeof(*g->of));
	for (int e = leader; e < s->nr_events; e++) {
		if (x->leaders[e] != leader || s->events[e].event->retire_latency)
			continue;
		g->events[g->nr] = e;
		g->columns[g->nr++] = error__column_of(s, e);
	}
	g->left = g->of;
	if (s->opts->estimate != ESTIMATE_TIME && report_options__asks_errors(s->opts))
		g->left = arena__calloc(&x->memory, s->nr_rows, sizeof(*g->left));
	for (int row = 0; row < s->nr_rows; row++) {
		if (report_options__asks_errors(s->opts))
			variation__init(&g->of[row], g->nr, &x->memory);
		else
			variation__init_rates(&g->of[row], g->nr, &x->memory);
		if (g->left != g->of)
			variation__init(&g->left[row], g->nr, &x->memory);
	}
	if (g->nr > x->largest)
		x->largest = g->nr;
}

static void find_units(struct errors *x)
{
	const struct sums *s = x->sums;

	x->units = arena__calloc(&x->memory, s->nr_rows, sizeof(*x->units));
	for (int row = 0; row < s->nr_rows; row++)
		x->units[row].at = arena__calloc(&x->memory, s->nr_units, sizeof(int));
	for (int unit = 0; unit < s->nr_units; unit++) {
		struct turn_units *of = &x->units[s->row_of[unit]];

		of->at[of->nr++] = unit;
	}
}

static void error__make_room(struct errors *x)
{
	const struct sums *sums = x->sums;
	size_t outputs = sums__nr_outputs(sums);

	x->slopes = arena__calloc(&x->memory, outputs * x->largest, sizeof(double));
	x->less = arena__calloc(&x->memory, outputs, sizeof(double));
	x->more = arena__calloc(&x->memory, outputs, sizeof(double));
	x->squares = arena__calloc(&x->memory, outputs, sizeof(double));
	x->moved = arena__calloc(&x->memory, outputs, sizeof(*x->moved));
	x->is_moved = arena__calloc(&x->memory, outputs, sizeof(*x->is_moved));
	x->column = arena__calloc(&x->memory, sums->nr_rows, sizeof(double));
	x->width = arena__calloc(&x->memory, sums->nr_rows, sizeof(double));
	x->member_slopes = arena__calloc(&x->memory, x->largest, sizeof(double));
}

static void find_groups(struct errors *x, int *leaders)
{
	struct sums *sums = x->sums;

	x->leaders = arena__keep(&x->memory, leaders);
	x->groups = arena__calloc(&x->memory, sums->nr_events, sizeof(*x->groups));
	find_units(x);
	for (int e = 0; e < sums->nr_events; e++)
		if (leaders[e] == e)
			error__add_group(x, e);
	if (report_options__asks_errors(x->sums->opts))
		error__make_room(x);
	if (x->sums->opts->estimate != ESTIMATE_TIME)
		x->estimates = estimates__new(sums, x->groups, x->nr_groups);
}

struct errors *errors__new(struct sums *sums, int *leaders)
{
	struct errors *x = xcalloc(1, sizeof(*x));

	x->sums = sums;
	find_groups(x, leaders);
	if (sums->nr_metrics && report_options__asks_errors(sums->opts))
		program__find_moves(sums->plan->program);
	return x;
}

void errors__regroup(struct errors *x, int *leaders)
{
	estimates__free(x->estimates);
	arena__free(&x->memory);
	*x = (struct errors){.sums = x->sums};
	find_groups(x, leaders);
}

void errors__free(struct errors *x)
{
	if (!x)
		return;
	estimates__free(x->estimates);
	arena__free(&x->memory);
	free(x);
}

/*
 * Whether an event may have run for a part of its time without multiplexing: since a task was on
 * another type of core, or since the sum covers all threads of a core.
 */
static bool has_other_parts(const struct sums *s, int event, int row)
{
	const struct event *e = s->events[event].event;

	return sums__is_percore(s, event) ||
	       (s->shares && event__is_of_core(e) &&
		!share__is_nearly_all(s, pmu__place(s->machine, e->pmu), row));
}

/* TopDown metric events have the resolution of their fields in the register. */
static void set_grains(const struct sums *s, const struct error_group *g, struct variation *v,
		       int row)
{
	double slots = sums__at(s, g->events[0], row)->value;

	for (int m = 1; m < g->nr; m++)
		if (s->events[g->events[m]].event->topdown)
			v->grains[m] = slots / TOPDOWN_STEPS;
}

/* Assume the variation of a group that has no slices. */
static void error__assume(struct errors *x, const struct error_group *g, int row)
{
	const struct sum *sum = sums__at(x->sums, g->events[0], row);

	for (int m = 0; m < g->nr; m++)
		x->member_slopes[m] = sums__at(x->sums, g->events[m], row)->value;
	variation__assume(&g->of[row], x->member_slopes,
			  sum->enabled ? (double)sum->running / sum->enabled : 1,
			  sum->nr ? (double)sum->running / sum->nr : 0);
}

static void read_group(const struct errors *x, struct error_group *g, const struct slices *slices)
{
	for (int row = 0; row < x->sums->nr_rows && g->nr; row++) {
		struct variation *v = &g->of[row];

		if (!slices) {
			v->nr_turns = 0;
			v->unknown = false;
			continue;
		}
		variation__read(v, slices, g->events, &x->units[row]);
		if (!x->usable)
			continue;
		variation__find_leans(v, slices, g->events, &x->units[row]);
		if (g->left != g->of)
			variation__copy(&g->left[row], v);
	}
}

static void error__conclude(const struct errors *x, const struct error_group *g,
			    struct variation *v, int row, bool is_interval)
{
	const struct sum *sum = sums__at(x->sums, g->events[0], row);

	if (!x->sums->opts->recorded)
		variation__conclude(v);
	if (is_interval)
		variation__remember(v);
	set_grains(x->sums, g, v, row);
	v->unknown |= has_other_parts(x->sums, g->events[0], row) && sum->running < sum->enabled;
}

static void measure_group(struct errors *x, struct error_group *g, bool is_interval)
{
	for (int row = 0; row < x->sums->nr_rows && g->nr; row++) {
		if (x->sums->opts->recorded) {
			error__assume(x, g, row);
			if (g->left != g->of)
				variation__copy(&g->left[row], &g->of[row]);
		}
		error__conclude(x, g, &g->of[row], row, is_interval);
		if (g->left != g->of)
			error__conclude(x, g, &g->left[row], row, is_interval);
	}
}

/* Counts made of samples come with their variation. Each row is one site. */
static void take_blocks(struct errors *x, const struct counts *counts)
{
	x->usable = report_options__asks_errors(x->sums->opts);
	for (int i = 0; x->usable && i < x->nr_groups; i++)
		for (int row = 0; row < x->sums->nr_rows; row++)
			variation__take_blocks(&x->groups[i].of[row], counts,
					       x->groups[i].events, row);
}

void errors__measure(struct errors *x, const struct counts *counts, bool is_interval,
		     bool estimates_alone)
{
	const struct slices *slices = counts->slices;

	if (!x)
		return;
	if (counts->blocks) {
		take_blocks(x, counts);
		return;
	}
	x->usable = !estimates_alone && report_options__asks_errors(x->sums->opts) &&
		    (counts->slices || x->sums->opts->recorded);
	/* A single slice shows no more than the row's counts. */
	if (slices && slices->nr <= 2 && !x->usable)
		slices = NULL;
	for (int i = 0; i < x->nr_groups; i++)
		read_group(x, &x->groups[i], slices);
	if (x->estimates)
		estimates__make(x->estimates, is_interval);
	for (int i = 0; x->usable && i < x->nr_groups; i++) {
		if (x->estimates)
			estimates__take_out(x->estimates, i);
		measure_group(x, &x->groups[i], is_interval);
	}
}

double error__of_terms(const struct errors *x, int row, const struct error_term *terms, int nr)
{
	double square = 0;

	if (!x || !x->usable)
		return NAN;
	for (int i = 0; i < x->nr_groups; i++) {
		const struct error_group *g = &x->groups[i];
		bool some = false;

		for (int m = 0; m < g->nr; m++) {
			x->member_slopes[m] = 0;
			for (int t = 0; t < nr; t++)
				if (g->columns[m] == terms[t].event)
					x->member_slopes[m] += terms[t].slope;
			some |= x->member_slopes[m] != 0;
		}
		if (some)
			square += variation__square(&g->of[row], x->member_slopes);
	}
	return sqrt(square);
}

double error__of_event(const struct errors *x, int event, int row)
{
	struct error_term term = { .event = event };

	if (!x || x->sums->events[event].event->retire_latency)
		return NAN;
	term.slope = x->sums->events[event].event->scale;
	return error__of_terms(x, row, &term, 1);
}

/*
 * Set x->width, by which a member's column is changed in each row. Return: whether a row is
 * changed.
 */
static bool member_widths(struct errors *x, const struct error_group *g, int member)
{
	const double *in = &x->sums->in[g->columns[member] * x->sums->nr_rows];
	bool some = false;

	memset(x->member_slopes, 0, g->nr * sizeof(double));
	x->member_slopes[member] = 1;
	for (int row = 0; row < x->sums->nr_rows; row++) {
		double square = variation__square(&g->left[row], x->member_slopes);

		x->width[row] = isnan(square) ? UNKNOWN_STEP * in[row] :
						sqrt(square) / TURNS_NORMAL;
		some |= x->width[row] > 0;
	}
	return some;
}

/*
 * Change a column by @by widths, and evaluate the outputs that depend on it. Return: their number.
 */
static int eval_moved(struct errors *x, int column, double by, double *out, const int **outputs)
{
	const struct sums *s = x->sums;
	double *in = &s->in[column * s->nr_rows];

	for (int row = 0; row < s->nr_rows; row++)
		in[row] = x->column[row] + by * x->width[row];
	return program__eval_moved(s->plan->program, column, s->nr_rows, out, outputs);
}

bool error__is_noise(double difference, double value)
{
	return fabs(difference) <= ROUNDING * fabs(value);
}

/* Set an output's slopes to 0 when the first member of a group changes the output. */
static void begin_output(struct errors *x, const struct error_group *g, int output)
{
	const struct sums *s = x->sums;

	if (x->is_moved[output])
		return;
	x->is_moved[output] = true;
	x->moved[x->nr_moved++] = output;
	for (int m = 0; m < g->nr; m++)
		memset(&x->slopes[m * sums__nr_outputs(s) + (size_t)output * s->nr_rows], 0,
		       s->nr_rows * sizeof(*x->slopes));
}

static void output_slopes(struct errors *x, int output, double *slopes)
{
	const int rows = x->sums->nr_rows;

	for (int row = 0; row < rows; row++) {
		size_t i = (size_t)output * rows + row;
		double move = x->more[i] - x->less[i];

		/* In some rows the output may not depend on the column. */
		if (move == 0 || !isfinite(move) || error__is_noise(move, x->more[i]))
			continue;
		if (x->width[row] > 0)
			slopes[i] = move / (2 * x->width[row]);
	}
}

static void member_slopes(struct errors *x, const struct error_group *g, int member)
{
	const struct sums *s = x->sums;
	double *in = &s->in[g->columns[member] * s->nr_rows];
	size_t bytes = s->nr_rows * sizeof(*in);
	const int *outputs;
	int nr;

	if (!member_widths(x, g, member))
		return;
	memcpy(x->column, in, bytes);
	nr = eval_moved(x, g->columns[member], -1, x->less, &outputs);
	eval_moved(x, g->columns[member], 1, x->more, &outputs);
	for (int i = 0; i < nr; i++) {
		begin_output(x, g, outputs[i]);
		output_slopes(x, outputs[i], &x->slopes[member * sums__nr_outputs(s)]);
	}
	memcpy(in, x->column, bytes);
	program__eval_moved(s->plan->program, g->columns[member], s->nr_rows, x->less, &outputs);
}

/* Whether a group was multiplexed in any row. */
static bool error__took_turns(const struct errors *x, const struct error_group *g)
{
	for (int row = 0; row < x->sums->nr_rows; row++)
		if (variation__is_multiplexed(&g->left[row]))
			return true;
	return false;
}

/* Add the errors from one group, whose events have correlated errors. */
static void propagate_group(struct errors *x, const struct error_group *g)
{
	const int rows = x->sums->nr_rows;
	size_t cells = sums__nr_outputs(x->sums);

	x->nr_moved = 0;
	for (int m = 0; m < g->nr; m++)
		member_slopes(x, g, m);
	for (int n = 0; n < x->nr_moved; n++) {
		x->is_moved[x->moved[n]] = false;
		for (int row = 0; row < rows; row++) {
			size_t i = (size_t)x->moved[n] * rows + row;

			for (int m = 0; m < g->nr; m++)
				x->member_slopes[m] = x->slopes[m * cells + i];
			x->squares[i] += variation__square(&g->left[row], x->member_slopes);
		}
	}
}

/* Errors of different groups are independent: add their squares. */
void errors__propagate(struct errors *x)
{
	const struct sums *s;

	if (!x || !x->usable)
		return;
	s = x->sums;
	memset(x->squares, 0, sums__nr_outputs(s) * sizeof(*x->squares));
	/* The program may have been evaluated last with other columns. */
	if (s->nr_metrics)
		program__eval(s->plan->program, s->nr_rows, s->in, s->sources, x->less);
	for (int n = 0; s->nr_metrics && n < x->nr_groups; n++)
		if (error__took_turns(x, &x->groups[n]))
			propagate_group(x, &x->groups[n]);
}

double error__of_metric(const struct errors *x, const struct summed_metric *m, int row)
{
	/* The error of a latency is unknown. */
	if (!x || !x->usable || m->nr_latencies)
		return NAN;
	return sqrt(x->squares[m->metric->value * x->sums->nr_rows + row]) * fabs(m->scale);
}

/* Return: the side of @name in "NAME > 0.2" or "0.2 < NAME"; -1 for any other node. */
static int side_of(const struct expr *e, const struct expr_node *n, const char *name)
{
	if (n->op != EXPR_LESS && n->op != EXPR_GREATER)
		return -1;
	for (int side = 0; side < 2; side++) {
		const struct expr_node *id = &e->at[n->at[side]], *number = &e->at[n->at[!side]];

		if (id->op == EXPR_ID && number->op == EXPR_NUMBER && !strcmp(id->id, name))
			return side;
	}
	return -1;
}

bool error__may_be_under(const struct metric *m, double value, double error, double scale)
{
	const struct expr *e = m->threshold;

	if (isnan(error))
		return true;
	if (!e || !error)
		return false;
	for (int i = 0; i < e->nr; i++) {
		const struct expr_node *n = &e->at[i];
		int side = side_of(e, n, m->info.name);
		double limit;
		bool above;

		if (side < 0)
			continue;
		limit = e->at[n->at[!side]].number * scale;
		above = (n->op == EXPR_GREATER) == !side;
		/*
		 * Do not stop at a limit that the value does not pass: it may pass another limit.
		 */
		if (above ? value > limit && value - error <= limit
			  : value < limit && value + error >= limit)
			return true;
	}
	return false;
}
