/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The choice of periods for events that are located (count/locate.h). A period is the number of
 * events from one sample to the next.
 */
#ifndef TMA_COUNT_PERIODS_H
#define TMA_COUNT_PERIODS_H

#include "count/locate.h"

#define VARY_NS 100000000ULL /* time between two changes of periods; it varies between a half and
			      * one and a half of this, like TICK_NS */
#define CHOOSE_NS 10000000ULL /* length of the short count from which periods are chosen */

/** periods__first() - return the period of an event whose rate is not known yet. */
uint64_t periods__first(const struct locator *p, const struct event *e);
/** periods__round() - round a period to a value that the counter can have. */
uint64_t periods__round(const struct perf_event_attr *attr, uint64_t period);
/** periods__random() - return a pseudo-random number. */
uint64_t periods__random(struct locator *p);
/**
 * periods__vary_time() - return a random time around @ns, so that no program stays in step with
 * these times.
 */
uint64_t periods__vary_time(struct locator *p, uint64_t ns);
/** periods__vary() - change the periods of counters that have taken many samples. */
void periods__vary(struct locator *p);
/** periods__choose() - let the sink choose periods from the counts so far. */
void periods__choose(struct locator *p);

#endif
