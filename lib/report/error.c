// SPDX-License-Identifier: GPL-2.0-only
/* How far off values are: from the turns of their events, through the metrics' expressions. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/expr.h"
#include "report/error.h"

#define TOPDOWN_STEPS 255
#define UNKNOWN_STEP 0.01 /* of a value whose variation is unknown, to see what is made of it */

static int column_of(const struct report *r, int event)
{
	return r->events[event].merged ? r->events[event].event->first->index : event;
}

static bool is_of_group(const struct report *r, int event, int leader)
{
	return r->errors->leaders[event] == leader && !r->events[event].event->retire_latency;
}

static int group__build(struct report *r, struct error_group *g, int leader)
{
	int nr = 0;

	for (int e = leader; e < r->nr_events; e++)
		nr += is_of_group(r, e, leader);
	g->events = calloc(nr + 1, sizeof(*g->events));
	g->columns = calloc(nr + 1, sizeof(*g->columns));
	g->of = calloc(r->nr_buckets + 1, sizeof(*g->of));
	if (!g->events || !g->columns || !g->of)
		return -ENOMEM;
	for (int e = leader; e < r->nr_events; e++) {
		if (!is_of_group(r, e, leader))
			continue;
		g->events[g->nr] = e;
		g->columns[g->nr++] = column_of(r, e);
	}
	for (int b = 0; b < r->nr_buckets; b++)
		if (variation__init(&g->of[b], g->nr))
			return -ENOMEM;
	if (g->nr > r->errors->largest)
		r->errors->largest = g->nr;
	return 0;
}

static int units__build(struct report *r)
{
	struct errors *x = r->errors;

	x->units = calloc(r->nr_buckets + 1, sizeof(*x->units));
	if (!x->units)
		return -ENOMEM;
	for (int b = 0; b < r->nr_buckets; b++) {
		x->units[b].at = calloc(r->nr_units + 1, sizeof(int));
		if (!x->units[b].at)
			return -ENOMEM;
	}
	for (int unit = 0; unit < r->nr_units; unit++) {
		struct turn_units *of = &x->units[r->bucket_of[unit]];

		of->at[of->nr++] = unit;
	}
	return 0;
}

int errors__build(struct report *r)
{
	size_t cells = (r->nr_metrics ? (size_t)program__outputs(r->plan->program) : 0) *
		       r->nr_buckets + 1;
	struct errors *x = r->errors;
	int err = units__build(r);

	if (err)
		return err;
	x->groups = calloc(r->nr_events + 1, sizeof(*x->groups));
	if (!x->groups)
		return -ENOMEM;
	for (int e = 0; e < r->nr_events && !err; e++)
		if (x->leaders[e] == e)
			err = group__build(r, &x->groups[x->nr_groups++], e);
	if (err)
		return err;
	x->slopes = calloc(cells * (x->largest + 1), sizeof(double));
	x->less = calloc(cells, sizeof(double));
	x->more = calloc(cells, sizeof(double));
	x->squares = calloc(cells, sizeof(double));
	x->column = calloc(r->nr_buckets + 1, sizeof(double));
	x->width = calloc(r->nr_buckets + 1, sizeof(double));
	x->member_slopes = calloc(x->largest + 1, sizeof(double));
	return x->slopes && x->less && x->more && x->squares && x->column && x->width &&
			       x->member_slopes ?
		       0 :
		       -ENOMEM;
}

void errors__free(struct report *r)
{
	struct errors *x = r->errors;

	if (!x)
		return;
	for (int i = 0; i < x->nr_groups; i++) {
		struct error_group *g = &x->groups[i];

		for (int b = 0; g->of && b < r->nr_buckets; b++)
			variation__free(&g->of[b]);
		free(g->events);
		free(g->columns);
		free(g->of);
	}
	for (int b = 0; x->units && b < r->nr_buckets; b++)
		free(x->units[b].at);
	free(x->units);
	free(x->groups);
	free(x->leaders);
	free(x->slopes);
	free(x->less);
	free(x->more);
	free(x->squares);
	free(x->column);
	free(x->width);
	free(x->member_slopes);
	free(x);
}

/*
 * What was not counted since a task was on cores of another type, or is of a core's other threads
 * too, is no turn.
 */
static bool has_other_parts(const struct report *r, int event)
{
	const struct event *e = r->events[event].event;

	return percore__is(r, event) || (r->shares && e->pmu && e->pmu->is_core);
}

/* TopDown metric events are fractions of 8 bits of all slots. */
static void group__grains(const struct report *r, const struct error_group *g, int bucket)
{
	double slots = r->sums[g->events[0] * r->nr_buckets + bucket].value;

	for (int m = 1; m < g->nr; m++)
		if (r->events[g->events[m]].event->topdown)
			g->of[bucket].grains[m] = slots / TOPDOWN_STEPS;
}

static void group__measure(struct report *r, struct error_group *g, const struct slices *slices)
{
	for (int b = 0; b < r->nr_buckets; b++)
		variation__measure(&g->of[b], slices, g->events, &r->errors->units[b]);
	for (int b = 0; g->nr && b < r->nr_buckets; b++) {
		const struct sum *s = &r->sums[g->events[0] * r->nr_buckets + b];

		group__grains(r, g, b);
		g->of[b].unknown |= has_other_parts(r, g->events[0]) && s->running < s->enabled;
	}
}

void errors__measure(struct report *r, const struct counts *counts)
{
	struct errors *x = r->errors;

	if (!x)
		return;
	x->usable = counts->slices;
	for (int i = 0; x->usable && i < x->nr_groups; i++)
		group__measure(r, &x->groups[i], counts->slices);
}

double error__of_sums(const struct report *r, int bucket, const struct error_term *terms, int nr)
{
	const struct errors *x = r->errors;
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
			square += variation__square(&g->of[bucket], x->member_slopes);
	}
	return sqrt(square);
}

double error__of_event(const struct report *r, int event, int bucket)
{
	const struct error_term term = { event, r->events[event].event->scale };

	if (r->events[event].event->retire_latency)
		return NAN;
	return error__of_sums(r, bucket, &term, 1);
}

/* By how much a member's column is moved in each bucket. Return: whether in any. */
static bool member__widths(struct report *r, const struct error_group *g, int member)
{
	const double *in = &r->in[g->columns[member] * r->nr_buckets];
	struct errors *x = r->errors;
	bool some = false;

	memset(x->member_slopes, 0, g->nr * sizeof(double));
	x->member_slopes[member] = 1;
	for (int b = 0; b < r->nr_buckets; b++) {
		double square = variation__square(&g->of[b], x->member_slopes);

		x->width[b] = isnan(square) ? UNKNOWN_STEP * in[b] : sqrt(square) / TURNS_NORMAL;
		some |= x->width[b] > 0;
	}
	return some;
}

static void eval_moved(struct report *r, int column, double by, double *out)
{
	struct errors *x = r->errors;
	double *in = &r->in[column * r->nr_buckets];

	for (int b = 0; b < r->nr_buckets; b++)
		in[b] = x->column[b] + by * x->width[b];
	program__eval(r->plan->program, r->nr_buckets, r->in, r->sources, out);
}

static void member__slopes(struct report *r, const struct error_group *g, int member,
			   double *slopes)
{
	struct errors *x = r->errors;
	int cells = program__outputs(r->plan->program) * r->nr_buckets;
	int column = g->columns[member];
	double *in = &r->in[column * r->nr_buckets];
	size_t bytes = r->nr_buckets * sizeof(*in);

	memset(slopes, 0, cells * sizeof(*slopes));
	if (!member__widths(r, g, member))
		return;
	memcpy(x->column, in, bytes);
	eval_moved(r, column, -1, x->less);
	eval_moved(r, column, 1, x->more);
	memcpy(in, x->column, bytes);
	for (int i = 0; i < cells; i++) {
		double move = x->more[i] - x->less[i];

		if (x->width[i % r->nr_buckets] > 0 && isfinite(move))
			slopes[i] = move / (2 * x->width[i % r->nr_buckets]);
	}
}

static bool group__took_turns(const struct report *r, const struct error_group *g)
{
	for (int b = 0; b < r->nr_buckets; b++)
		if (variation__took_turns(&g->of[b]))
			return true;
	return false;
}

/* Events of a group are off together; those of others for themselves. */
void errors__propagate(struct report *r)
{
	struct errors *x = r->errors;
	int cells = program__outputs(r->plan->program) * r->nr_buckets;

	if (!x || !x->usable)
		return;
	memset(x->squares, 0, cells * sizeof(*x->squares));
	for (int n = 0; n < x->nr_groups; n++) {
		const struct error_group *g = &x->groups[n];

		if (!group__took_turns(r, g))
			continue;
		for (int m = 0; m < g->nr; m++)
			member__slopes(r, g, m, &x->slopes[(size_t)m * cells]);
		for (int i = 0; i < cells; i++) {
			for (int m = 0; m < g->nr; m++)
				x->member_slopes[m] = x->slopes[(size_t)m * cells + i];
			x->squares[i] += variation__square(&g->of[i % r->nr_buckets],
							   x->member_slopes);
		}
	}
}

double error__of_metric(const struct report *r, const struct shown_metric *m, int bucket)
{
	const struct errors *x = r->errors;

	/* Of a latency nobody knows it, and with the counts of one box alone it is another. */
	if (!x || !x->usable || m->nr_latencies || r->shown_values != r->values)
		return NAN;
	return sqrt(x->squares[m->metric->value * r->nr_buckets + bucket]) * fabs(m->scale);
}

/* "NAME > 0.2", either way round: which side the name is on; -1 when it is no such node. */
static int side_of(const struct expr *e, const struct expr_node *n, const char *name)
{
	for (int side = 0; side < 2; side++) {
		const struct expr_node *id, *number;

		if (n->op != EXPR_LESS && n->op != EXPR_GREATER)
			return -1;
		id = &e->at[n->at[side]];
		number = &e->at[n->at[!side]];
		if (id->op == EXPR_ID && number->op == EXPR_NUMBER && !strcmp(id->id, name))
			return side;
	}
	return -1;
}

bool error__may_be_under(const struct metric *m, const struct figure *f, double scale)
{
	const struct expr *e = m->threshold;

	if (isnan(f->error))
		return true;
	if (!e || !f->error)
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
		/* The side of the limit it is on may be another condition's. */
		if (above ? f->value > limit && f->value - f->error <= limit
			  : f->value < limit && f->value + f->error >= limit)
			return true;
	}
	return false;
}
