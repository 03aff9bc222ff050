// SPDX-License-Identifier: GPL-2.0-only
/*
 * A row of everything may lack parts: a CPU whose counters another user held, or a box that the
 * kernel refused. Its sum covers the other parts, and a value is only computed from sums that cover
 * the same parts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "aggregate/internal.h"
#include "base/array.h"
#include "base/auto.h"
#include "base/cpulist.h"
#include "base/sb.h"

#define WHOLE_ROW 0		/* index of the row of everything, which is the only one */
#define LITTLE_OF_TASKS 0.01	/* idle threads with less of the tasks' time are not reported */
#define NO_COUNTER "no counter was free"

static bool is_whole_row(const struct sums *s)
{
	return s->opts->aggr == AGGR_GLOBAL;
}

void lacking__forget(struct sums *s)
{
	if (!s->may_lack)
		return;
	s->may_lack = s->lacks = false;
	for (int e = 0; e < s->nr_events; e++) {
		struct lacking *l = &s->events[e].lacking;

		l->nr_idle = 0;
		l->enabled = l->key = 0;
		l->some = l->all = false;
	}
	if (s->idle)
		memset(s->idle, 0, sizeof(*s->idle) * s->nr_events * s->nr_units);
}

/* --- What is lacking -------------------------------------------------------------------------- */

/*
 * Whether to report the units on which an event had no counter. They are not reported for a task on
 * a hybrid machine: its events are enabled for every type of core, and count on one type at a time.
 */
static bool lacks_units(const struct sums *s, int event)
{
	const struct summed_event *e = &s->events[event];
	const struct sum *sum = sums__at(s, event, WHOLE_ROW);

	if (!e->lacking.nr_idle)
		return false;
	if (!is_whole_row(s))
		return s->per_cpu;
	if (!sum__is_counted(sum))
		return false;
	if (s->per_cpu && !e->event->cgroup)
		return true;
	return !s->shares && e->lacking.enabled >= LITTLE_OF_TASKS * sum->enabled;
}

/*
 * Whether an event's counts are added up with counts of other events, except of a task's core
 * types.
 */
static bool is_one_of_several(const struct sums *s, int event)
{
	const struct summed_event *e = &s->events[event];

	return (e->merged || e->instances > 1) && !(s->shares && event__is_of_core(e->event));
}

/*
 * A quick check before the units are looked at: most events have all their counters, or had no turn
 * yet. A row of one unit lacks no part.
 */
static bool may_lack(const struct sums *s, int event)
{
	const struct sum *sum = sums__at(s, event, 0), *end = sum + s->nr_rows;

	if (is_one_of_several(s, event))
		return true;
	for (; sum < end; sum++)
		if (sum->ran && sum->ran < sum->counters)
			return true;
	return false;
}

static void find_idle_units(struct sums *s, int event, const struct sample *samples)
{
	struct lacking *l = &s->events[event].lacking;

	for (int unit = 0; unit < s->nr_units; unit++) {
		const struct sample *sample = &samples[unit];

		if (sample->status == SAMPLE_ABSENT || sample->status == SAMPLE_NOT_SUPPORTED ||
		    !sample->enabled || sample->running)
			continue;
		s->idle[event * s->nr_units + unit] = true;
		l->nr_idle++;
		l->enabled += sample->enabled;
	}
}

void lacking__take_event(struct sums *s, int event, const struct sample *samples)
{
	struct sum *sum = sums__at(s, event, WHOLE_ROW);
	struct lacking *l = &s->events[event].lacking;

	if (!may_lack(s, event))
		return;
	if (s->idle)
		find_idle_units(s, event, samples);
	l->some = lacks_units(s, event);
	sum->lacks = l->some && is_whole_row(s);
	for (int row = 0; is_one_of_several(s, event) && row < s->nr_rows; row++, sum++) {
		l->all |= sum->present && !sum__is_counted(sum);
		sum->lacks |= sum->present && !sum__is_counted(sum);
	}
	s->may_lack |= l->nr_idle || l->all;
}

/* --- Keys ------------------------------------------------------------------------------------ */

/* Return: a hash of a part (the finalizer of splitmix64). */
static uint64_t lacking__mix(uint64_t at)
{
	at = (at ^ at >> 30) * 0xbf58476d1ce4e5b9;
	at = (at ^ at >> 27) * 0x94d049bb133111eb;
	return at ^ at >> 31;
}

/* @box: a box of an uncore unit, or NULL for a CPU; @unit: -1 for all units that the box counts. */
static uint64_t key_of(const char *box, int unit)
{
	uint64_t key = lacking__mix(unit + 2);

	for (; box && *box; box++)
		key = lacking__mix(key ^ (unsigned char)*box);
	return key;
}

static bool is_idle(const struct sums *s, int event, int unit)
{
	return s->idle[event * s->nr_units + unit];
}

static uint64_t key_of_units(const struct sums *s, int event, const char *box)
{
	uint64_t key = 0;

	for (int unit = 0; unit < s->nr_units; unit++)
		if (is_idle(s, event, unit))
			key += key_of(box, unit);
	return key;
}

/* --- Words ----------------------------------------------------------------------------------- */

static void put_part(struct sb *sb)
{
	sb__puts(sb, sb->len ? ", " : "without ");
}

/* Append the units on which an event had no counter. @box: the box that counts it, or NULL */
static void put_units(const struct sums *s, int event, const char *box, struct sb *sb)
{
	const struct lacking *l = &s->events[event].lacking;
	struct cpulist cpus = CPULIST_INIT;

	put_part(sb);
	if (!s->per_cpu) {
		sb__printf(sb, "%d of the threads (" NO_COUNTER ")", l->nr_idle);
		return;
	}
	for (int unit = 0; unit < s->nr_units; unit++)
		if (is_idle(s, event, unit))
			cpulist__add(&cpus, s->unit_ids[unit]);
	sb__puts(sb, cpus.nr > 1 ? "CPUs " : "CPU ");
	cpulist__print(&cpus, sb);
	cpulist__free(&cpus);
	if (box)
		sb__printf(sb, " of %s", box);
	sb__puts(sb, " (" NO_COUNTER ")");
}

static void put_box(const struct summed_event *e, struct sb *sb)
{
	put_part(sb);
	sb__printf(sb, "%s (%s)", e->event->pmu->name,
		   e->supported ? NO_COUNTER : e->refusal ?: "the kernel refused it");
}

/* --- What each event lacks ------------------------------------------------------------------- */

/* Whether event number @event is @first, or the same event on another box of the uncore unit. */
static bool is_part_of(const struct sums *s, int event, int first)
{
	return event == first ||
	       (s->events[event].merged && s->events[event].event->first->index == first);
}

/*
 * List all parts that an event lacks.
 * @sb: receives the text, or NULL
 * Return: the key of these parts.
 */
static uint64_t lacking__list(const struct sums *s, int first, struct sb *sb)
{
	const bool boxes = is_one_of_several(s, first);
	uint64_t key = 0;

	for (int e = first; e < s->nr_events; e++) {
		const struct summed_event *at = &s->events[e];
		const char *box;

		if (!is_part_of(s, e, first))
			continue;
		box = boxes ? at->event->pmu->name : NULL;
		if (at->lacking.all) {
			key += key_of(box, -1);
			if (sb)
				put_box(at, sb);
		} else if (at->lacking.some) {
			key += key_of_units(s, e, box);
			if (sb)
				put_units(s, e, box, sb);
		}
	}
	return key;
}

static void lacking__say(struct sums *s, int first)
{
	struct lacking *l = &s->events[first].lacking;
	auto_free(sb) sb = SB_INIT;

	if (l->words_key == l->key)
		return;
	lacking__list(s, first, &sb);
	l->words_key = l->key;
	free(l->words);
	l->words = xstrdup(sb__str(&sb));
	sb__puts(&sb, ", which its other events cover");
	free(l->differs);
	l->differs = xstrdup(sb__str(&sb));
}

/* Whether an event was enabled, in some box, on a unit of the row where it never ran. */
static bool has_idle_unit(const struct sums *s, int first, int row)
{
	for (int e = first; e < s->nr_events; e++)
		for (int unit = 0; is_part_of(s, e, first) && unit < s->nr_units; unit++)
			if (s->row_of[unit] == row && is_idle(s, e, unit))
				return true;
	return false;
}

/* Whether a row has no value because one of its several units or boxes had no counter. */
static bool is_lost_to_part(const struct sums *s, int event, int row)
{
	const struct sum *sum = sums__at(s, event, row);

	return s->idle && !is_whole_row(s) && sum->failed && sum->failure == SAMPLE_NOT_COUNTED &&
	       (sum->nr > 1 || is_one_of_several(s, event)) && has_idle_unit(s, event, row);
}

/*
 * Keep the sum of the other parts in a row of everything; in a row of a core or socket it is
 * invalid.
 */
static void lacking__conclude_sum(struct sums *s, int event, int row)
{
	struct sum *sum = sums__at(s, event, row);

	sum->lacks &= sum__is_counted(sum);
	sum->lacks |= is_lost_to_part(s, event, row);
	if (!sum->lacks)
		return;
	s->events[event].lacking.key = lacking__list(s, event, NULL);
	lacking__say(s, event);
	if (is_whole_row(s))
		return;
	sum->failed = true;
	sum->failure = SAMPLE_NOT_COUNTED;
	sum->value = sum->enabled = sum->running = 0;
}

void lacking__conclude(struct sums *s)
{
	bool lacks = false;

	for (int e = 0; s->may_lack && e < s->nr_events; e++) {
		struct sum *sum = sums__at(s, e, 0), *end = sum + s->nr_rows;

		for (int row = 0; !s->events[e].merged && sum < end; row++, sum++) {
			if (!sum->lacks && !sum->failed)
				continue;
			lacking__conclude_sum(s, e, row);
			lacks |= sum->lacks;
		}
	}
	s->lacks = lacks;
}

void lacking__recall(struct sums *s, int event, const struct sum *sum)
{
	struct lacking *l = &s->events[event].lacking;

	l->key = sum->lacks ? l->words_key : 0;
	s->may_lack |= sum->lacks;
	s->lacks |= sum->lacks;
}

/* --- What follows from it -------------------------------------------------------------------- */

static uint64_t lacking__key(const struct sums *s, int event)
{
	const struct sum *sum = sums__at(s, event, WHOLE_ROW);

	return sum->lacks && is_whole_row(s) ? s->events[event].lacking.key : 0;
}

bool sums__has_same_parts(const struct sums *s, int a, int b)
{
	return !s->lacks || lacking__key(s, a) == lacking__key(s, b);
}

/*
 * Whether a value depends on an event. Tool events, which do not count parts of the machine, are
 * left out.
 */
static bool lacking__counts(struct sums *s, const struct event *e, int value)
{
	enum { UNKNOWN, UNUSED, USED };
	unsigned char *used;

	if (!e || e->tool || e->retire_latency)
		return false;
	if (!s->uses)
		s->uses = arena__calloc(&s->memory, program__outputs(s->plan->program),
					s->nr_events);
	used = &s->uses[(size_t)value * s->nr_events + e->index];
	if (*used == UNKNOWN)
		*used = program__uses(s->plan->program, value, e->index) ? USED : UNUSED;
	return *used == USED;
}

int sums__odd_event(struct sums *s, const struct plan_metric *pm, int value)
{
	int with = -1, without = -1;

	if (!s->lacks || !pm->events || value < 0)
		return -1;
	for (int i = 0; i < plan_metric__nr_events(pm); i++) {
		const struct event *e = pm->events[i];

		if (!lacking__counts(s, e, value))
			continue;
		if (!lacking__key(s, e->index))
			with = e->index;
		else if (without < 0)
			without = e->index;
		else if (!sums__has_same_parts(s, without, e->index))
			return without;
	}
	return with >= 0 ? without : -1;
}

int sums__lacking_event(struct sums *s, const struct plan_metric *pm)
{
	for (int i = 0; s->lacks && pm->events && i < plan_metric__nr_events(pm); i++)
		if (lacking__counts(s, pm->events[i], pm->value) &&
		    lacking__key(s, pm->events[i]->index))
			return pm->events[i]->index;
	return -1;
}

void lacking__strike(struct sums *s, double *out)
{
	for (int i = 0; s->lacks && i < s->nr_metrics; i++) {
		const struct plan_metric *pm = s->metrics[i].metric;
		const int outputs[] = {pm->value, pm->threshold};

		for (int o = 0; o < array__nr(outputs); o++)
			if (sums__odd_event(s, pm, outputs[o]) >= 0)
				out[outputs[o] * s->nr_rows + WHOLE_ROW] = NAN;
	}
}

void lacking__free(struct sums *s)
{
	for (int e = 0; e < s->nr_events; e++) {
		struct lacking *l = &s->events[e].lacking;

		free(l->words);
		free(l->differs);
	}
}
