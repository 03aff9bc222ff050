// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of events, of which one is counted at a time. Which it is changes here and not in the
 * kernel, so that not all need file descriptors at the same time. A counter of nothing on each unit
 * tells for how long all of them together were enabled: its time goes on when that of a set stands
 * still, and what was counted in its turns is scaled by it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "count/session.h"
#include "plan/sets.h"

bool rotation__is_used(const struct session *s)
{
	return s->opts.sets && s->opts.turn_ns && s->opts.sets->nr > 1;
}

static bool is_in(const struct session *s, int set, int event)
{
	if (!s->opts.sets)
		return true;
	/* A buffer of samples stays where it is. */
	if (s->opts.turn_ns && s->counters[event].event->sampled)
		return true;
	return sets__has(s->opts.sets, set, event);
}

bool rotation__is_on(const struct session *s, int event)
{
	return is_in(s, s->rotation.set, event);
}

bool rotation__is_closed(const struct session *s, int event)
{
	return (s->rotation.by_opening || !rotation__is_used(s)) && !rotation__is_on(s, event);
}

/* Whether two events are in the same sets. */
static bool same_sets(const struct sets *sets, int a, int b)
{
	for (int set = 0; set < sets->nr; set++)
		if (sets__has(sets, set, a) != sets__has(sets, set, b))
			return false;
	return true;
}

/* A group that the sets have taken apart is none. */
static void ungroup(struct session *s)
{
	for (int i = 0; i < s->nr_counters; i++) {
		struct counter *c = &s->counters[i];

		if (c->leader == i || same_sets(s->opts.sets, i, c->leader))
			continue;
		s->counters[c->leader].nr_members--;
		c->leader = i;
		c->nr_members = 1;
	}
}

int rotation__init(struct session *s)
{
	struct rotation *r = &s->rotation;

	r->next_ns = UINT64_MAX;
	if (!s->opts.sets)
		return 0;
	r->set = s->opts.set;
	r->nr = s->opts.sets->nr;
	r->turn_ns = s->opts.turn_ns;
	ungroup(s);
	return 0;
}

/* --- Clocks ---------------------------------------------------------------------------------- */

static int open_clock(struct session *s, int unit)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	open__attr(s, &attr);
	return s->kernel->open(&attr, s->per_cpu ? -1 : s->units.at[unit].id,
			       s->per_cpu ? s->units.at[unit].id : -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void read_clock(struct session *s, int unit)
{
	struct rotation *r = &s->rotation;
	uint64_t words[3];

	if (r->clocks[unit] >= 0 &&
	    s->kernel->read(r->clocks[unit], words, sizeof(words)) == (ssize_t)sizeof(words))
		r->clock_ns[unit] = r->away_ns[unit] + words[1];
}

bool rotation__clock(struct session *s, int unit, uint64_t *ns)
{
	struct rotation *r = &s->rotation;

	if (!r->clocks)
		return false;
	read_clock(s, unit);
	*ns = r->clock_ns[unit];
	return true;
}

int rotation__open(struct session *s, struct err *err)
{
	struct rotation *r = &s->rotation;
	int nr = s->units.nr + 1;

	if (!rotation__is_used(s))
		return 0;
	r->clocks = malloc(nr * sizeof(*r->clocks));
	r->clock_ns = calloc(nr, sizeof(*r->clock_ns));
	r->away_ns = calloc(nr, sizeof(*r->away_ns));
	if (r->clocks)
		memset(r->clocks, -1, nr * sizeof(*r->clocks));
	if (!r->clocks || !r->clock_ns || !r->away_ns || counts__init(&r->scratch, s) ||
	    kept__new(s))
		return err__set(err, ENOMEM, "out of memory for the counters");
	for (int unit = 0; unit < s->units.nr; unit++) {
		if (s->units.at[unit].gone)
			continue;
		r->clocks[unit] = open_clock(s, unit);
		if (r->clocks[unit] < 0 && errno != ESRCH && errno != ENODEV)
			return err__set(err, errno, "cannot count for how long %s %d is counted: %s",
					s->per_cpu ? "CPU" : "thread", s->units.at[unit].id,
					strerror(errno));
	}
	return 0;
}

void rotation__free(struct session *s)
{
	struct rotation *r = &s->rotation;

	for (int unit = 0; r->clocks && unit < s->units.nr; unit++)
		if (r->clocks[unit] >= 0)
			s->kernel->close(r->clocks[unit]);
	counts__free(&r->scratch);
	free(r->clocks);
	free(r->clock_ns);
	free(r->away_ns);
}

static void control_clock(struct session *s, int unit, bool on)
{
	const struct rotation *r = &s->rotation;

	if (r->clocks && r->clocks[unit] >= 0)
		s->kernel->ioctl(r->clocks[unit],
				 on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, NULL);
}

void rotation__enable(struct session *s, bool on)
{
	for (int unit = 0; unit < s->units.nr; unit++)
		control_clock(s, unit, on);
}

void rotation__leave(struct session *s, int unit)
{
	struct rotation *r = &s->rotation;

	if (!r->clocks || r->clocks[unit] < 0)
		return;
	read_clock(s, unit);
	r->away_ns[unit] = r->clock_ns[unit];
	s->kernel->close(r->clocks[unit]);
	r->clocks[unit] = -1;
}

void rotation__come_back(struct session *s, int unit)
{
	struct rotation *r = &s->rotation;

	if (!r->clocks)
		return;
	r->clocks[unit] = open_clock(s, unit);
	control_clock(s, unit, true);
}

/* --- Turns ----------------------------------------------------------------------------------- */

void rotation__start(struct session *s)
{
	if (rotation__is_used(s))
		s->rotation.next_ns = session__elapsed_ns(s) + s->rotation.turn_ns;
}

/* Those which are in one set and not in the other. */
static void control_others(struct session *s, int set, int not_set, bool on)
{
	for (int unit = 0; unit < s->units.nr; unit++)
		for (int i = 0; i < s->nr_counters; i++) {
			const struct counter *c = &s->counters[i];
			const int *fd = counter__fd(s, c, unit);

			if (c->leader == i && fd && *fd >= 0 &&
			    (!on || c->on || s->enable_on_exec) && is_in(s, set, i) &&
			    !is_in(s, not_set, i))
				s->kernel->ioctl(*fd, on ? PERF_EVENT_IOC_ENABLE
							 : PERF_EVENT_IOC_DISABLE, NULL);
		}
}

static void keep(struct sample *kept, const struct sample *now)
{
	if (now->status == SAMPLE_LOST)
		kept->status = SAMPLE_LOST;
	kept->value += now->value;
	kept->enabled += now->enabled;
	kept->running += now->running;
}

/* What it counted in this turn goes to what it had counted in earlier ones. */
static void close_set(struct session *s, int set, int next)
{
	struct counts *now = &s->rotation.scratch;

	readings__read(s, now);
	for (int i = s->nr_counters - 1; i >= 0; i--) {
		if (!s->counters[i].evsel || !is_in(s, set, i) || is_in(s, next, i))
			continue;
		for (int unit = 0; unit < s->units.nr; unit++) {
			const int *fd = counter__fd(s, &s->counters[i], unit);

			if (fd && *fd >= 0)
				keep(&s->kept[i * s->units.nr + unit],
				     &now->at[i * s->units.nr + unit]);
		}
		counter__close(s, &s->counters[i]);
	}
}

static void open_set(struct session *s)
{
	struct err err = ERR_INIT;

	for (int unit = 0; unit < s->units.nr; unit++) {
		const struct unit *u = &s->units.at[unit];

		if (u->away || u->gone || !session__open_unit(s, unit, &err) ||
		    unit__is_offline(s, unit))
			continue;
		sb__printf(&s->warnings, "in this turn CPU %d cannot be counted: %s\n", u->id, err.msg);
	}
	/* Without memory for the plan of reading there is none: nothing is counted from then on. */
	readings__free(s);
	if (readings__new(s))
		readings__free(s);
}

static void change(struct session *s)
{
	struct rotation *r = &s->rotation;
	int set = r->set, next = (set + 1) % r->nr;

	control_others(s, set, next, false);
	if (r->by_opening)
		close_set(s, set, next);
	r->set = next;
	if (r->by_opening)
		open_set(s);
	control_others(s, next, set, true);
}

/* A turn is at least as long as the change to it, in which nothing is counted. */
static void lengthen(struct session *s, uint64_t change_ns)
{
	struct rotation *r = &s->rotation;

	if (r->turn_ns >= change_ns)
		return;
	if (!r->lengthened)
		sb__printf(&s->warnings,
			   "it takes %.0f ms to change sets: turns are longer than asked for, and a"
			   " round of all %d sets takes at least %.1f s\n",
			   change_ns / 1e6, r->nr, 2e-9 * change_ns * r->nr);
	r->lengthened = true;
	r->turn_ns = change_ns;
}

void rotation__turn(struct session *s, uint64_t now_ns)
{
	struct rotation *r = &s->rotation;
	uint64_t after_ns;

	if (now_ns < r->next_ns || s->end_ns)
		return;
	change(s);
	after_ns = session__elapsed_ns(s);
	lengthen(s, after_ns - now_ns);
	r->next_ns = after_ns + r->turn_ns;
}

static bool has_numbers(const struct sample *sample)
{
	return sample->status == SAMPLE_COUNTED || sample->status == SAMPLE_SCALED ||
	       sample->status == SAMPLE_NOT_COUNTED;
}

/* Whether it has its turns, and not all of the time. */
static bool takes_turns(const struct session *s, int event)
{
	for (int set = 0; set < s->rotation.nr; set++)
		if (!is_in(s, set, event))
			return s->counters[event].evsel && s->counters[event].opened;
	return false;
}

void rotation__finish(struct session *s, struct counts *total)
{
	struct rotation *r = &s->rotation;

	if (!r->clocks)
		return;
	for (int unit = 0; unit < s->units.nr; unit++)
		read_clock(s, unit);
	for (int i = 0; i < s->nr_counters; i++) {
		if (!takes_turns(s, i))
			continue;
		for (int unit = 0; unit < s->units.nr; unit++) {
			struct sample *sample = &total->at[i * total->nr_units + unit];

			if (!has_numbers(sample))
				continue;
			sample->enabled = r->clock_ns[unit];
			sample__finish(sample, false, total->scale);
		}
	}
}
