/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find when a sampling event overflows, as in the kernel: with fixed periods, with frequencies that
 * adjust the period, and with throttling. Times are on the clock of the event's CPU or task.
 */
#ifndef TMA_SIM_SAMPLING_H
#define TMA_SIM_SAMPLING_H

#include <linux/perf_event.h>

#include "sim/rate.h"

/*
 * The kernel's timer ticks at 250 Hz. At a tick, periods are adjusted, and throttled events
 * restart.
 */
#define SAMPLING_TICK_NS 4000000ULL

/** enum sim_output - the records that a sampling event writes */
enum sim_output {
	SIM_OUTPUT_SAMPLE,
	SIM_OUTPUT_THROTTLE,
	SIM_OUTPUT_UNTHROTTLE,
};

/**
 * struct sim_sampling - the state of an event that samples
 * @period: events from one sample to the next; 0 for an event that does not sample
 * @freq:   samples per second that @period is adjusted to; 0 for a fixed period
 * @per_tick: number of samples in a tick after which the event is throttled
 * @loaded: length of the current period, which the next sample reports
 * @left:   events left of the current period; 0 or less when it is over
 * @since_tick: events since the last tick
 * @last_ns: time of the last sample
 * @tick, @in_tick: number of the tick of the last sample, and samples in it
 * @throttled: the event does not count until the next tick
 * @limit:  number of samples after which the event is disabled (PERF_EVENT_IOC_REFRESH); 0 for no
 *          limit
 * @nr:     samples so far
 * @latency: the mean retire latency and its spread, or NULL
 * @carry:  sum of the rounding errors of latencies so far
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
 * @per_tick: samples in a tick after which the event is throttled
 */
void sampling__init(struct sim_sampling *s, const struct perf_event_attr *attr, uint64_t per_tick);
/** sampling__set_period() - set another period or frequency immediately (PERF_EVENT_IOC_PERIOD). */
void sampling__set_period(struct sim_sampling *s, uint64_t value);
/** sampling__is_on() - find out whether the event samples at all. */
static inline bool sampling__is_on(const struct sim_sampling *s)
{
	return s->period;
}

/** sampling__count() - add events to the current period. */
void sampling__count(struct sim_sampling *s, sim_count_t more);
/**
 * sampling__overflow() - end a period, and begin the next one
 * @now: present time in ns
 *
 * Return: the length of the period that ended.
 */
uint64_t sampling__overflow(struct sim_sampling *s, uint64_t now);
/**
 * sampling__tick() - adjust the period of an event with a frequency; called at each tick while the
 * event is on a counter.
 */
void sampling__tick(struct sim_sampling *s);
/**
 * sampling__latency() - make the retire latency of the present sample, in cycles
 * @column: the column of the counting model that applies
 *
 * Latencies are spread evenly around the column's mean, in pairs, so that an even number of samples
 * has this mean, except for rounding.
 */
uint16_t sampling__latency(struct sim_sampling *s, int column);

#endif
