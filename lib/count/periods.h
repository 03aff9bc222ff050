/* SPDX-License-Identifier: GPL-2.0-only */
/* How many events are from one sample to the next, for whoever locates events (count/locate.h). */
#ifndef TMA_COUNT_PERIODS_H
#define TMA_COUNT_PERIODS_H

#include "count/locate.h"

#define VARY_NS 100000000ULL /* as TICK_NS: from half as long to half as long again */
#define CHOOSE_NS 10000000ULL /* the short count that periods follow from */

/** periods__first() - the period of an event whose rate is not known yet. */
uint64_t periods__first(const struct locator *p, const struct event *e);
/** periods__round() - make a period one that the counter can have. */
uint64_t periods__round(const struct perf_event_attr *attr, uint64_t period);
/** periods__random() - a number that looks random. */
uint64_t periods__random(struct locator *p);
/** periods__vary_time() - a time around @ns, so that no program keeps step with what is then. */
uint64_t periods__vary_time(struct locator *p, uint64_t ns);
/** periods__vary() - change the periods of counters that had many samples. */
void periods__vary(struct locator *p);
/** periods__choose() - let the sink choose periods, from what was counted so far. */
void periods__choose(struct locator *p);

#endif
