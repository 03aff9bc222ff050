/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This says when an event that samples overflows, as the kernel does: it knows periods, frequencies
 * which choose their period, and throttling. All of it is calculation, on the clock of the event's
 * CPU or task.
 */
#ifndef TMA_SIM_SAMPLING_H
#define TMA_SIM_SAMPLING_H

#include <linux/perf_event.h>

#include "sim/rate.h"

/* The kernel's timer ticks at 250 Hz: then periods are adjusted, and throttled events go on. */
#define SAMPLING_TICK_NS 4000000ULL

/** enum sim_output - the records that an event writes which samples */
enum sim_output {
	SIM_OUTPUT_SAMPLE,
	SIM_OUTPUT_THROTTLE,
	SIM_OUTPUT_UNTHROTTLE,
};

/**
 * struct sim_sampling - the state of an event that samples
 * @period: events from one sample to the next; 0 of an event which only counts
 * @freq:   samples per second that @period is adjusted to; 0 for a fixed one
 * @per_tick: samples in a tick after which the event is throttled
 * @loaded: the period that is under way, which the next sample has
 * @left:   what is left of it; not above 0 once it is over
 * @since_tick: events since the last tick
 * @last_ns: of the last sample
 * @tick, @in_tick: number of the tick of the last sample, and samples in it
 * @throttled: it counts no more until the next tick
 * @limit:  samples after which it is disabled (PERF_EVENT_IOC_REFRESH); 0 for no limit
 * @nr:     samples so far
 * @latency: the mean retire latency and its spread, or NULL
 * @carry:  what rounding has left of the latencies so far
 */
struct sim_sampling {
	uint64_t period, freq, per_tick, loaded;
	__int128 left;
	sim_count_t since_tick;
	uint64_t last_ns, tick, in_tick;
	bool throttled;
	uint64_t limit, nr;
	const struct sim_latency *latency;
	double carry;
};

/**
 * sampling__init() - prepare an event that samples, from its attr
 * @per_tick: samples in a tick after which it is throttled
 */
void sampling__init(struct sim_sampling *s, const struct perf_event_attr *attr, uint64_t per_tick);
/** sampling__set_period() - PERF_EVENT_IOC_PERIOD: another period or frequency, at once. */
void sampling__set_period(struct sim_sampling *s, uint64_t value);
/** sampling__is_on() - whether the event samples at all. */
static inline bool sampling__is_on(const struct sim_sampling *s)
{
	return s->period;
}

/** sampling__count() - count some events more. */
void sampling__count(struct sim_sampling *s, sim_count_t more);
/**
 * sampling__overflow() - end a period, and begin the next one
 * @now: in ns
 *
 * Return: the period that is over.
 */
uint64_t sampling__overflow(struct sim_sampling *s, uint64_t now);
/**
 * sampling__tick() - the timer ticks while the event is on a counter: adjust a frequency's period.
 */
void sampling__tick(struct sim_sampling *s);
/**
 * sampling__latency() - give the retire latency of the present sample, in cycles
 * @column: of the counting model that holds
 *
 * Samples are spread evenly around the mean, in pairs, so that the mean of an even number of them
 * is the column's, but for what rounding leaves.
 */
uint16_t sampling__latency(struct sim_sampling *s, int column);

#endif
