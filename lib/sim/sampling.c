// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "sim/sampling.h"

static __int128 in_counts(uint64_t events)
{
	return (__int128)events << SIM_RATE_SHIFT;
}

/*
 * A binary rate can be slightly lower than the rate in the file: an event counts if at most this
 * fraction of it is missing.
 */
#define HAIR ((__int128)1 << (SIM_RATE_SHIFT - 10))

static void sampling__load(struct sim_sampling *s)
{
	s->left = in_counts(s->period) - HAIR;
	s->loaded = s->period;
}

void sampling__init(struct sim_sampling *s, const struct perf_event_attr *attr, uint64_t per_tick)
{
	*s = (struct sim_sampling){
		/* With a frequency, the first sample comes after one event and shows the rate. */
		.period = attr->freq ? 1 : attr->sample_period,
		.freq = attr->freq ? attr->sample_freq : 0,
		.per_tick = per_tick,
	};
	sampling__load(s);
}

void sampling__set_period(struct sim_sampling *s, uint64_t value)
{
	if (s->freq)
		s->freq = value;
	else
		s->period = value;
	sampling__load(s);
}

void sampling__count(struct sim_sampling *s, sim_count_t more)
{
	s->left -= (__int128)more;
	s->since_tick += more;
}

/*
 * After @count events in @ns, move the period towards the period for the frequency, by an eighth of
 * their difference.
 */
static void adjust(struct sim_sampling *s, uint64_t ns, uint64_t count)
{
	unsigned __int128 want = (unsigned __int128)count * 1000000000 / ns / s->freq;
	int64_t delta = (int64_t)(want < INT64_MAX ? want : INT64_MAX) - (int64_t)s->period;

	delta = (delta + (delta >= 0 ? 7 : -7)) / 8;
	s->period += delta;
	if (!s->period)
		s->period = 1;
	if (s->left > in_counts(s->period) * 8)
		sampling__load(s);
}

uint64_t sampling__overflow(struct sim_sampling *s, uint64_t now)
{
	uint64_t over = s->loaded, ns = now - s->last_ns;

	s->nr++;
	s->left += in_counts(s->period);
	s->loaded = s->period;
	if (s->left <= 0)
		sampling__load(s);
	if (now / SAMPLING_TICK_NS != s->tick)
		s->in_tick = 0;
	s->tick = now / SAMPLING_TICK_NS;
	s->in_tick++;
	s->throttled = s->in_tick >= s->per_tick;
	s->last_ns = now;
	if (s->freq && ns && ns < 2 * SAMPLING_TICK_NS)
		adjust(s, ns, over);
	return over;
}

void sampling__tick(struct sim_sampling *s)
{
	uint64_t count = s->since_tick >> SIM_RATE_SHIFT;

	s->since_tick = 0;
	if (s->freq && count)
		adjust(s, SAMPLING_TICK_NS, count);
}

uint16_t sampling__latency(struct sim_sampling *s, int column)
{
	/*
	 * Distances from the mean, in eighths of the spread: pairs with both signs cover the spread
	 * evenly.
	 */
	static const double quantiles[] = { 7, -7, 1, -1, 5, -5, 3, -3 };
	double cycles;

	if (!s->latency)
		return 0;
	cycles = s->latency->cycles[column];
	cycles += cycles * s->latency->spread * quantiles[(s->nr - 1) % 8] / 8 + s->carry;
	if (cycles >= UINT16_MAX) {
		s->carry = 0;
		return UINT16_MAX;
	}
	s->carry = cycles - floor(cycles + 0.5);
	return floor(cycles + 0.5);
}
