// SPDX-License-Identifier: GPL-2.0-only
#include "aggregate/site_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define NORMAL 1.645 /* half width of a 90 % interval, in standard deviations */
#define FEW_SAMPLES 3.0
#define WITH_ALL (SITE_BLOCKS + 1) /* the blocks, followed by their sum */

void site_counts__init(struct site_counts *c, const struct site_layout *layout)
{
	size_t cells = (size_t)layout->nr_events * layout->nr_rows;
	size_t pools = (size_t)layout->nr_pools * (layout->nr_rows + 1);

	*c = (struct site_counts){.layout = *layout};
	c->counts.nr_events = layout->nr_events;
	c->counts.nr_units = layout->nr_rows;
	c->counts.scale = true;
	c->counts.at = xcalloc(cells, sizeof(*c->counts.at));
	c->samples = xcalloc(layout->nr_rows, sizeof(double));
	c->shares = xcalloc(layout->nr_rows, sizeof(double));
	c->share_errors = xcalloc(layout->nr_rows, sizeof(double));
	c->sampled = xcalloc(layout->nr_events, sizeof(*c->sampled));
	c->steps = xcalloc(layout->nr_events, sizeof(double));
	c->weights = xcalloc(cells * WITH_ALL, sizeof(double));
	c->numbers = xcalloc(cells, sizeof(double));
	c->pooled = xcalloc(pools * WITH_ALL, sizeof(double));
	c->moves = xcalloc(cells * SITE_BLOCKS, sizeof(double));
	c->grains = xcalloc(cells, sizeof(double));
	c->used = xcalloc(layout->nr_rows, sizeof(int));
	c->near = xcalloc(layout->nr_rows, sizeof(bool));
	c->blocks = (struct count_blocks){
		.nr = SITE_BLOCKS, .moves = c->moves, .grains = c->grains, .used = c->used};
}

void site_counts__free(struct site_counts *c)
{
	free(c->counts.at);
	free(c->samples);
	free(c->shares);
	free(c->share_errors);
	free(c->sampled);
	free(c->steps);
	free(c->weights);
	free(c->numbers);
	free(c->pooled);
	free(c->moves);
	free(c->grains);
	free(c->used);
	free(c->near);
}

static size_t site_counts__cell_of(const struct site_counts *c, int event, int row)
{
	return (size_t)event * c->layout.nr_rows + row;
}

/* Return: the samples of an event in a row: [block], and at SITE_BLOCKS the sum of all blocks. */
static double *weights_of(const struct site_counts *c, int event, int row)
{
	return &c->weights[site_counts__cell_of(c, event, row) * WITH_ALL];
}

/*
 * Return: the cycles of a pool in a row, or in all rows at @row nr_rows: [block] as in
 * weights_of().
 */
static double *pooled_of(const struct site_counts *c, int pool, int row)
{
	return &c->pooled[((size_t)pool * (c->layout.nr_rows + 1) + row) * WITH_ALL];
}

static bool is_cycles(const struct site_counts *c, int event)
{
	return c->layout.events[event].cycles == event;
}

/* --- Adding up ------------------------------------------------------------------------------- */

static void add_samples(struct site_counts *c, const struct site_samples *samples,
			const int *row_of)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (int i = 0; i < samples->nr; i++) {
		uint64_t ns = samples->at[i].time_ns;

		first = ns < first ? ns : first;
		last = ns > last ? ns : last;
	}
	for (int i = 0; i < samples->nr; i++) {
		const struct site_sample *s = &samples->at[i];
		int block = (double)(s->time_ns - first) / (last - first + 1) * SITE_BLOCKS;
		double *weights;

		if (row_of[i] < 0)
			continue;
		weights = weights_of(c, s->event, row_of[i]);
		weights[block] += s->weight;
		weights[SITE_BLOCKS] += s->weight;
		c->numbers[site_counts__cell_of(c, s->event, row_of[i])] += s->nr;
	}
}

static void pool_cycles(struct site_counts *c)
{
	int rows = c->layout.nr_rows;

	for (int e = 0; e < c->layout.nr_events; e++)
		for (int row = 0; is_cycles(c, e) && row < rows; row++) {
			const double *from = weights_of(c, e, row);
			double *to = pooled_of(c, c->layout.events[e].pool, row);
			double *all = pooled_of(c, c->layout.events[e].pool, rows);

			for (int b = 0; b < WITH_ALL; b++) {
				to[b] += from[b];
				all[b] += from[b];
			}
			c->samples[row] += c->numbers[site_counts__cell_of(c, e, row)];
		}
}

/* --- The run's own counts -------------------------------------------------------------------- */

/**
 * struct own_count - what an event counted over all sites
 * @value: the count; @scaled: the count, estimated for the whole time; @share: part of the time
 *     that was counted
 * @enabled: how long the event was enabled, in ns
 */
struct own_count {
	double value, scaled, share, enabled;
};

static struct own_count own_count_of(const struct counts *whole, int event)
{
	struct own_count own = {0};
	double running = 0;

	for (int unit = 0; unit < whole->nr_units; unit++) {
		const struct sample *s = &whole->at[event * whole->nr_units + unit];

		if (!sample__has_numbers(s) || !s->running)
			continue;
		own.value += s->value;
		own.scaled += s->scaled;
		own.enabled += s->enabled;
		running += s->running;
	}
	own.share = own.enabled > 0 ? running / own.enabled : 0;
	return own;
}

/* Return: the cycles of that group of a pool which was counted for the largest part of the time. */
static struct own_count cycles_of_pool(const struct site_counts *c, const struct counts *whole,
				       int pool)
{
	struct own_count best = {0};

	for (int e = 0; e < c->layout.nr_events; e++) {
		struct own_count own;

		if (!is_cycles(c, e) || c->layout.events[e].pool != pool)
			continue;
		own = own_count_of(whole, e);
		if (own.share > best.share)
			best = own;
	}
	return best;
}

/* --- Counts of sites ------------------------------------------------------------------------- */

/**
 * struct sharing - the weights by which a count is divided among sites
 * @row, @all: samples at the site and at all sites: [block]; @total: the count of all sites
 */
struct sharing {
	const double *row, *all;
	double total;
};

/* Return: the site's part of the total. @moves: receives how much each block of time changes it */
static double site_counts__share_out(const struct sharing *s, double *moves)
{
	double sum = s->all[SITE_BLOCKS], share = sum > 0 ? s->row[SITE_BLOCKS] / sum : 0;

	for (int b = 0; b < SITE_BLOCKS; b++)
		moves[b] = sum > 0 ? s->total * (s->row[b] - share * s->all[b]) / sum : 0;
	return share * s->total;
}

static void site_counts__set(struct site_counts *c, int event, int row, double value,
			     double time_ns)
{
	uint64_t whole = value > 0 ? llround(value) : 0;
	uint64_t ns = time_ns >= 1 ? llround(time_ns) : 1;

	c->counts.at[site_counts__cell_of(c, event, row)] =
		(struct sample){whole, whole, ns, ns, SAMPLE_COUNTED};
}

/* The event happened at the site, but it is unknown how often. */
static void site_counts__set_unknown(struct site_counts *c, int event, int row)
{
	c->counts.at[site_counts__cell_of(c, event, row)].status = SAMPLE_NOT_COUNTED;
}

/**
 * struct site_cycles - the cycles of a pool at a site
 * @moves: how much each block of time changes the cycles; @time_ns: the time of the cycles
 */
struct site_cycles {
	double value, time_ns, moves[SITE_BLOCKS];
};

/*
 * Return: the resolution of a count, which is the number of events that a sample represents. With
 * few samples it is larger: a site without samples may by chance have had the events of two
 * samples.
 */
static double grain_of(const struct site_counts *c, int event, double nr)
{
	return c->steps[event] * (nr < FEW_SAMPLES ? FEW_SAMPLES / (nr + 1) : 1);
}

/*
 * Find how many occurrences of each event a sample represents. An event without samples occurred
 * less often than that: use its whole count.
 */
static void find_steps(struct site_counts *c, const struct counts *whole)
{
	for (int e = 0; e < c->layout.nr_events; e++) {
		double weight = 0, nr = 0;

		for (int row = 0; row < c->layout.nr_rows; row++) {
			weight += weights_of(c, e, row)[SITE_BLOCKS];
			nr += c->numbers[site_counts__cell_of(c, e, row)];
		}
		c->steps[e] = nr > 0 ? weight / nr : own_count_of(whole, e).value;
	}
}

static void make_ratio(struct site_counts *c, int event, int row, const struct site_cycles *of)
{
	int cycles = c->layout.events[event].cycles;
	const double *own = weights_of(c, event, row), *base = weights_of(c, cycles, row);
	double all = base[SITE_BLOCKS], factor = all > 0 ? of->value / all : 0;
	double ratio = all > 0 ? own[SITE_BLOCKS] / all : 0;
	double nr = c->numbers[site_counts__cell_of(c, event, row)];
	double *moves = &c->moves[site_counts__cell_of(c, event, row) * SITE_BLOCKS];

	if (c->near[row] || c->numbers[site_counts__cell_of(c, cycles, row)] < SITE_LEAST_SAMPLES) {
		site_counts__set_unknown(c, event, row);
		return;
	}
	for (int b = 0; b < SITE_BLOCKS; b++)
		moves[b] = factor * (own[b] - ratio * base[b]) + ratio * of->moves[b];
	c->grains[site_counts__cell_of(c, event, row)] = factor * grain_of(c, event, nr);
	site_counts__set(c, event, row, ratio * of->value, of->time_ns);
}

static void make_cycles(struct site_counts *c, int event, int row, const struct site_cycles *of)
{
	size_t cell = site_counts__cell_of(c, event, row);

	memcpy(&c->moves[cell * SITE_BLOCKS], of->moves, sizeof(of->moves));
	site_counts__set(c, event, row, of->value, of->time_ns);
}

static void make_pool(struct site_counts *c, int pool, const struct counts *whole,
		      const double *idle)
{
	const int rows = c->layout.nr_rows;
	struct own_count own = cycles_of_pool(c, whole, pool);
	const double *all = pooled_of(c, pool, rows);
	double asleep = 0;

	for (int e = 0; e < c->layout.nr_events; e++)
		if (is_cycles(c, e) && c->layout.events[e].pool == pool)
			asleep += idle[e];
	if (all[SITE_BLOCKS] > 0)
		own.scaled *= all[SITE_BLOCKS] / (all[SITE_BLOCKS] + asleep);
	for (int row = 0; row < rows; row++) {
		struct sharing sharing = {pooled_of(c, pool, row), all, own.scaled};
		struct site_cycles of;

		of.value = site_counts__share_out(&sharing, of.moves);
		of.time_ns = own.scaled > 0 ? own.enabled * of.value / own.scaled : 0;
		if (!sharing.row[SITE_BLOCKS])
			continue;
		for (int e = 0; e < c->layout.nr_events; e++) {
			const struct site_event *event = &c->layout.events[e];

			if (event->cycles < 0 || c->layout.events[event->cycles].pool != pool)
				continue;
			if (!own.share)
				site_counts__set_unknown(c, e, row);
			else if (is_cycles(c, e))
				make_cycles(c, e, row, &of);
			else
				make_ratio(c, e, row, &of);
		}
	}
}

/* Divide the count of an event among sites by its own samples: its group counts no cycles. */
static void make_alone(struct site_counts *c, int event, const struct counts *whole,
		       const double *idle)
{
	double all[WITH_ALL] = {0};
	struct own_count own = own_count_of(whole, event);

	for (int row = 0; row < c->layout.nr_rows; row++)
		for (int b = 0; b < WITH_ALL; b++)
			all[b] += weights_of(c, event, row)[b];
	if (all[SITE_BLOCKS] > 0)
		own.scaled *= all[SITE_BLOCKS] / (all[SITE_BLOCKS] + idle[event]);
	for (int row = 0; row < c->layout.nr_rows; row++) {
		size_t cell = site_counts__cell_of(c, event, row);
		struct sharing sharing = {weights_of(c, event, row), all, own.scaled};
		double value = site_counts__share_out(&sharing, &c->moves[cell * SITE_BLOCKS]);

		if (!sharing.row[SITE_BLOCKS])
			continue;
		if (!own.scaled) {
			site_counts__set_unknown(c, event, row);
			continue;
		}
		c->grains[cell] = value / c->numbers[cell];
		site_counts__set(c, event, row, value, own.enabled * value / own.scaled);
	}
}

/* --- All of it ------------------------------------------------------------------------------- */

static void site_counts__clear(struct site_counts *c)
{
	size_t cells = (size_t)c->layout.nr_events * c->layout.nr_rows;
	size_t pools = (size_t)c->layout.nr_pools * (c->layout.nr_rows + 1);

	memset(c->weights, 0, cells * WITH_ALL * sizeof(double));
	memset(c->numbers, 0, cells * sizeof(double));
	memset(c->pooled, 0, pools * WITH_ALL * sizeof(double));
	memset(c->moves, 0, cells * SITE_BLOCKS * sizeof(double));
	memset(c->grains, 0, cells * sizeof(double));
	memset(c->samples, 0, c->layout.nr_rows * sizeof(double));
	memset(c->used, 0, c->layout.nr_rows * sizeof(int));
	for (size_t i = 0; i < cells; i++)
		c->counts.at[i] = (struct sample){.status = SAMPLE_ABSENT};
}

/*
 * Count the blocks of time in which a site has samples: other blocks show nothing about the site.
 */
static void count_used(struct site_counts *c)
{
	for (int row = 0; row < c->layout.nr_rows; row++)
		for (int b = 0; b < SITE_BLOCKS; b++) {
			bool some = false;

			for (int e = 0; e < c->layout.nr_events && !some; e++)
				some = weights_of(c, e, row)[b] > 0;
			c->used[row] += some;
		}
}

/* If no event counts cycles, count the samples of the first event that has any. */
static void count_samples(struct site_counts *c)
{
	double sum = 0;
	int rows = c->layout.nr_rows;

	for (int row = 0; row < rows; row++)
		sum += c->samples[row];
	for (int e = 0; e < c->layout.nr_events && !sum; e++)
		for (int row = 0; row < rows; row++) {
			c->samples[row] += c->numbers[site_counts__cell_of(c, e, row)];
			sum += c->numbers[site_counts__cell_of(c, e, row)];
		}
}

/* Add the samples of a row to @sum, by block: of the event, or for -1 the cycles of all pools. */
static void add_time(const struct site_counts *c, int event, int row, double *sum)
{
	for (int pool = 0; event < 0 && pool < c->layout.nr_pools; pool++)
		for (int b = 0; b < WITH_ALL; b++)
			sum[b] += pooled_of(c, pool, row)[b];
	for (int b = 0; event >= 0 && b < WITH_ALL; b++)
		sum[b] += weights_of(c, event, row)[b];
}

static double error_of_moves(const double *moves, int used)
{
	double sum = 0;

	for (int b = 0; b < SITE_BLOCKS; b++)
		sum += moves[b] * moves[b];
	return used > 1 ? NORMAL * sqrt(sum * used / (used - 1)) : (double)NAN;
}

static void find_shares(struct site_counts *c)
{
	int rows = c->layout.nr_rows;

	for (int e = -1; e < c->layout.nr_events; e++) {
		double all[WITH_ALL] = {0}, moves[SITE_BLOCKS];

		for (int row = 0; row < rows; row++)
			add_time(c, e, row, all);
		for (int row = 0; row < rows; row++) {
			double own[WITH_ALL] = {0};
			struct sharing sharing = {own, all, 1};

			add_time(c, e, row, own);
			c->shares[row] = site_counts__share_out(&sharing, moves);
			c->share_errors[row] = error_of_moves(moves, c->used[row]);
		}
		if (all[SITE_BLOCKS] > 0)
			return;
	}
}

static void compare_sums(struct site_counts *c, const struct counts *whole, const double *idle)
{
	for (int e = 0; e < c->layout.nr_events; e++) {
		struct own_count own = own_count_of(whole, e);
		struct site_sum sum = {.weight = idle[e],
				       .idle = idle[e],
				       .count = own.value,
				       .time_ns = own.enabled * own.share};

		for (int row = 0; row < c->layout.nr_rows; row++) {
			sum.weight += weights_of(c, e, row)[SITE_BLOCKS];
			sum.samples += c->numbers[site_counts__cell_of(c, e, row)];
		}
		c->sampled[e] = c->layout.events[e].sampled ? sum : (struct site_sum){0};
	}
}

void site_sum__add(struct site_sum *to, const struct site_sum *from)
{
	to->weight += from->weight;
	to->idle += from->idle;
	to->samples += from->samples;
	to->count += from->count;
	to->time_ns += from->time_ns;
}

double site_sum__part(const struct site_sum *s)
{
	return s->count > 0 ? s->weight / s->count : (double)NAN;
}

void site_counts__make(struct site_counts *c, const struct site_samples *samples,
		       const int *row_of, const struct counts *whole, const double *idle)
{
	site_counts__clear(c);
	add_samples(c, samples, row_of);
	pool_cycles(c);
	find_steps(c, whole);
	for (int pool = 0; pool < c->layout.nr_pools; pool++)
		make_pool(c, pool, whole, idle);
	for (int e = 0; e < c->layout.nr_events; e++)
		if (c->layout.events[e].cycles < 0 && c->layout.events[e].sampled)
			make_alone(c, e, whole, idle);
	count_used(c);
	count_samples(c);
	find_shares(c);
	compare_sums(c, whole, idle);
	c->counts.time_ns = whole->time_ns;
	c->counts.blocks = &c->blocks;
}
