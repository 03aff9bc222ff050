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
#include "base/xalloc.h"
#include "count/session.h"
#include "plan/sets.h"

bool rotation__is_in(const struct session *s, int set, int event)
{
	/* A buffer of samples stays where it is. */
	if (s->opts.turn_ns && s->counters[event].event->sampled)
		return true;
	return sets__has(s->opts.sets, set, event);
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

		if (c->leader != i && !same_sets(s->opts.sets, i, c->leader))
			counter__leave_group(s, c);
	}
}

void rotation__init(struct session *s)
{
	struct rotation *r = &s->rotation;

	r->next_ns = UINT64_MAX;
	r->set = s->opts.set;
	r->nr = s->opts.sets->nr;
	r->turn_ns = s->opts.turn_ns;
	ungroup(s);
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
	struct turn_clock *clock = &s->rotation.clocks[unit];
	uint64_t words[READ_WORDS];

	if (clock->fd >= 0 &&
	    s->kernel->read(clock->fd, words, sizeof(words)) == (ssize_t)sizeof(words))
		clock->ns = clock->away_ns + words[READ_ENABLED];
}

bool rotation__clock(struct session *s, int unit, uint64_t *ns)
{
	if (!s->rotation.clocks)
		return false;
	read_clock(s, unit);
	*ns = s->rotation.clocks[unit].ns;
	return true;
}

int rotation__open(struct session *s, struct err *err)
{
	struct rotation *r = &s->rotation;

	r->clocks = xcalloc(s->units.nr, sizeof(*r->clocks));
	for (int unit = 0; unit < s->units.nr; unit++)
		r->clocks[unit].fd = -1;
	counts__init(&r->scratch, s);
	kept__new(s);
	for (int unit = 0; unit < s->units.nr; unit++) {
		int *fd = &r->clocks[unit].fd;

		if (s->units.at[unit].gone)
			continue;
		*fd = open_clock(s, unit);
		if (*fd < 0 && errno != ESRCH && errno != ENODEV)
			return err__set(err, errno, "cannot count for how long %s %d is counted: %s",
					session__unit_kind(s), s->units.at[unit].id,
					strerror(errno));
	}
	return 0;
}

void rotation__free(struct session *s)
{
	struct rotation *r = &s->rotation;

	for (int unit = 0; r->clocks && unit < s->units.nr; unit++)
		if (r->clocks[unit].fd >= 0)
			s->kernel->close(r->clocks[unit].fd);
	counts__free(&r->scratch);
	free(r->clocks);
}

static void control_clock(struct session *s, int unit, bool on)
{
	int fd = s->rotation.clocks[unit].fd;

	if (fd >= 0)
		s->kernel->ioctl(fd, counter__request(on), NULL);
}

void rotation__enable(struct session *s, bool on)
{
	for (int unit = 0; unit < s->units.nr; unit++)
		control_clock(s, unit, on);
}

void rotation__leave(struct session *s, int unit)
{
	struct turn_clock *clock = &s->rotation.clocks[unit];

	if (clock->fd < 0)
		return;
	read_clock(s, unit);
	clock->away_ns = clock->ns;
	s->kernel->close(clock->fd);
	clock->fd = -1;
}

void rotation__come_back(struct session *s, int unit)
{
	s->rotation.clocks[unit].fd = open_clock(s, unit);
	control_clock(s, unit, true);
}

/* --- Turns ----------------------------------------------------------------------------------- */

void rotation__start(struct session *s)
{
	s->rotation.next_ns = session__elapsed_ns(s) + s->rotation.turn_ns;
}

/* Those which are in one set and not in the other. */
static void control_others(struct session *s, int set, int not_set, bool on)
{
	for (int unit = 0; unit < s->units.nr; unit++)
		for (int i = 0; i < s->nr_counters; i++) {
			const struct counter *c = &s->counters[i];

			if (c->leader == i && (!on || c->on || s->enable_on_exec) &&
			    rotation__is_in(s, set, i) && !rotation__is_in(s, not_set, i))
				counter__ioctl(s, c, unit, counter__request(on), NULL);
		}
}

/* What it counted in this turn goes to what it had counted in earlier ones. */
static void close_set(struct session *s, int set, int next)
{
	struct counts *now = &s->rotation.scratch;

	readings__read(s, now);
	for (int i = s->nr_counters - 1; i >= 0; i--) {
		if (!s->counters[i].evsel || !rotation__is_in(s, set, i) ||
		    rotation__is_in(s, next, i))
			continue;
		for (int unit = 0; unit < s->units.nr; unit++) {
			int at = i * s->units.nr + unit;

			if (counter__open_fd(s, &s->counters[i], unit) < 0)
				continue;
			if (now->at[at].status == SAMPLE_LOST)
				s->kept[at].status = SAMPLE_LOST;
			sample__add(&s->kept[at], &now->at[at]);
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
	readings__new(s);
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

/* Whether it has its turns, and not all of the time. */
static bool takes_turns(const struct session *s, int event)
{
	for (int set = 0; set < s->rotation.nr; set++)
		if (!rotation__is_in(s, set, event))
			return s->counters[event].evsel && s->counters[event].opened;
	return false;
}

void rotation__finish(struct session *s, struct counts *total)
{
	for (int unit = 0; unit < s->units.nr; unit++)
		read_clock(s, unit);
	for (int i = 0; i < s->nr_counters; i++) {
		if (!takes_turns(s, i))
			continue;
		for (int unit = 0; unit < s->units.nr; unit++) {
			struct sample *sample = &total->at[i * total->nr_units + unit];

			if (!sample__has_numbers(sample))
				continue;
			sample->enabled = s->rotation.clocks[unit].ns;
			sample__finish(sample, false, total->scale);
		}
	}
}
