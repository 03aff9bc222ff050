// SPDX-License-Identifier: GPL-2.0-only
/*
 * When a period is changed, the kernel restarts it. The lost part, which is half a period on
 * average, is added to the next sample.
 */
#include "count/periods.h"

#include <string.h>

#include "count/session.h"

#define USUAL_HZ 3000000000ULL
#define NS_PER_S 1000000000ULL
#define FEW 11 /* first period of page faults and the like, until their rate is known */
#define CHOOSE_AGAIN 8	      /* each choice of periods is made this many times later than the
			       * previous choice; later choices are for events that had no turn
			       * before */
#define CHOOSE_ALL_NS 200000000ULL /* until this time, the periods of all events are chosen again */
#define SAMPLES_OF_PERIOD 16 /* a period changes after this many samples, so that no loop stays in
			      * step with it */
#define SPREAD_PERCENT 10
#define TOO_OFTEN 4 /* a period is too short if there are this many times as many samples as
		     * requested */
#define PRECISE_STEP 16 /* AMD's precise sampling accepts only multiples of this */

uint64_t periods__random(struct locator *p)
{
	p->random ^= p->random << 13;
	p->random ^= p->random >> 7;
	p->random ^= p->random << 17;
	return p->random;
}

uint64_t periods__vary_time(struct locator *p, uint64_t ns)
{
	return ns / 2 + periods__random(p) % ns;
}

uint64_t periods__round(const struct perf_event_attr *attr, uint64_t period)
{
	return attr->precise_ip ? period / PRECISE_STEP * PRECISE_STEP ?: PRECISE_STEP : period;
}

static bool is_prime(uint64_t n)
{
	for (uint64_t i = 3; i * i <= n && i < 10000; i += 2)
		if (!(n % i))
			return false;
	return n % 2 || n == 2;
}

/* Vary a period, and make it a prime number, as few loops have a prime length. */
static uint64_t varied(struct locator *p, int event, uint64_t period)
{
	uint64_t spread = period * SPREAD_PERCENT / 100;

	if (spread)
		period += periods__random(p) % (2 * spread + 1) - spread;
	if (counter__attr(&p->session->counters.at[event])->precise_ip)
		return periods__round(counter__attr(&p->session->counters.at[event]), period);
	while (period > 3 && !is_prime(period))
		period++;
	return period ?: 1;
}

/* Set a period. The part of the current period is lost. Return: whether the period was changed. */
static bool periods__set(struct locator *p, struct located *l, uint64_t period)
{
	uint64_t new = varied(p, l->event, period);

	if (p->session->counters.kernel->ioctl(l->fd, PERF_EVENT_IOC_PERIOD, &new))
		return false;
	l->period = new;
	l->nr = 0;
	return true;
}

static bool periods__is_software(const struct locator *p, int event)
{
	return p->session->counters.at[event].event->attr.type == PERF_TYPE_SOFTWARE;
}

/*
 * Lengthen the period of an event that has become much more frequent, and whose samples have, too.
 */
static void slow_down(struct locator *p, const struct located *hasty)
{
	struct located *l;

	p->periods[hasty->event] *= TOO_OFTEN;
	vec__for_each (l, &p->sources)
		if (l->event == hasty->event)
			periods__set(p, l, p->periods[l->event]);
}

void periods__vary(struct locator *p)
{
	struct located *l;

	vec__for_each (l, &p->sources) {
		bool hasty = l->recent > TOO_OFTEN * p->session->opts.locate.frequency *
						 (VARY_NS / 1e9) + TOO_OFTEN * SAMPLES_OF_PERIOD;

		l->recent = 0;
		if (hasty)
			slow_down(p, l);
	}
	/* Several threads do not run in step, and the counters of threads cannot be changed. */
	if (!p->session->counters.units.per_cpu && p->tasks)
		return;
	vec__for_each (l, &p->sources)
		/* The lost part is half a period on average. Software events lose nothing. */
		if (l->nr >= SAMPLES_OF_PERIOD && !periods__is_software(p, l->event)) {
			uint64_t lost = l->period / 2;

			if (periods__set(p, l, p->periods[l->event]))
				l->carry += lost;
		}
}

/*
 * Compute the part of a counter's counts that was lost when its first period was changed; it is at
 * most one period.
 */
static void carry_over(struct locator *p, const struct located *l, uint64_t period)
{
	int at = l->event * p->now.nr_units + l->unit;
	double lost = p->now.at[at].value - p->weights[at];

	if (sample__has_numbers(&p->now.at[at]) && lost > 0)
		p->carries[at] = lost < period ? lost : period;
}

void periods__choose(struct locator *p)
{
	const struct locate_sink *sink = p->session->opts.locate.sink;
	struct counter_list *cs = &p->session->counters;
	uint64_t periods[cs->nr];
	struct located *l;
	bool all = true;

	memset(periods, 0, sizeof(periods));
	session__read(p->session, &p->now);
	sink->choose(sink->arg, &p->now, periods);
	vec__for_each (l, &p->sources) {
		uint64_t first = l->period;

		if (!periods[l->event] || (p->chosen[l->event] && p->choose_ns > CHOOSE_ALL_NS))
			continue;
		p->periods[l->event] = periods[l->event];
		if (periods__set(p, l, periods[l->event]))
			carry_over(p, l, first);
	}
	for (int i = 0; i < cs->nr; i++) {
		p->chosen[i] |= periods[i] != 0;
		all &= p->chosen[i] || !cs->at[i].located || !cs->at[i].opened;
	}
	all &= p->choose_ns * CHOOSE_AGAIN > CHOOSE_ALL_NS;
	p->choose_ns = all ? 0 : p->choose_ns * CHOOSE_AGAIN;
}

/* Clocks of the kernel count ns. */
uint64_t periods__first(const struct locator *p, const struct event *e)
{
	uint64_t frequency = p->session->opts.locate.frequency;

	if (e->attr.type != PERF_TYPE_SOFTWARE)
		return USUAL_HZ / frequency;
	return event__is_clock(e) ? NS_PER_S / frequency : FEW;
}
