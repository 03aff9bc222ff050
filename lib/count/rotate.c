// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of events, which are counted one at a time. tma changes the sets, not the kernel, so that
 * not all events need file descriptors at the same time. On each unit, a counter that counts
 * nothing measures how long all sets together were enabled. Its time continues while a set does not
 * have its turn. The counts of a set's turns are scaled by this time.
 */
#include "count/rotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "count/session.h"
#include "plan/sets.h"

/**
 * struct turn_clock - a counter that counts nothing and measures how long a unit was enabled
 * @fd: descriptor of the counter; -1 if there is none
 * @ns: time that the unit was enabled, in all turns; @away_ns: the part of @ns from clocks whose
 *      CPU went away
 */
struct turn_clock {
	int fd;
	uint64_t ns, away_ns;
};

/**
 * struct rotation - sets of events which take turns
 * @set: the set that has the turn
 * @by_opening: the counters of the other sets are closed; counters__keep() has their counts
 * @clocks_on: the clocks are enabled, as all counters are
 * @next_ns: when the next set's turn comes, since the start
 * @turn_ns: length of a turn; longer than requested if a change of sets takes long
 * @lengthened: a warning reported that turns are longer
 * @clocks: a clock for each unit; NULL before everything is open
 * @scratch: memory for the counts at the end of a turn
 */
struct rotation {
	struct session *session;
	struct counter_list *counters;
	const struct sets *sets;
	int set;
	bool by_opening, lengthened, clocks_on;
	uint64_t next_ns, turn_ns;
	struct turn_clock *clocks;
	struct counts scratch;
};

/* Whether two events are in the same sets. */
static bool same_sets(const struct sets *sets, int a, int b)
{
	for (int set = 0; set < sets->nr; set++)
		if (sets__has(sets, set, a) != sets__has(sets, set, b))
			return false;
	return true;
}

void counters__leave_out(struct counter_list *cs, const struct count_options *opts)
{
	const struct sets *sets = opts->sets;
	struct counter *c;

	counters__for_each(c, cs) {
		/* If sets split a group, its members become single events. */
		if (!same_sets(sets, c - cs->at, c->leader - cs->at))
			counter__leave_group(c);
		if (!opts->turn_ns && !sets__has(sets, opts->set, c - cs->at))
			c->turn = TURN_NEVER;
	}
}

static bool rotate__is_in(const struct rotation *r, int set, const struct counter *c)
{
	/* A counter with a buffer of samples stays enabled and open. */
	return c->event->sampled || sets__has(r->sets, set, c - r->counters->at);
}

static void set_turns(struct rotation *r)
{
	struct counter *c;

	counters__for_each(c, r->counters)
		c->turn = rotate__is_in(r, r->set, c) ? TURN_NOW :
			  r->by_opening       ? TURN_CLOSED :
						TURN_LATER;
}

static void rotate__init(void *self)
{
	struct rotation *r = self;
	struct session *s = r->session;

	r->counters = &s->counters;
	r->sets = s->opts.sets;
	r->set = s->opts.set;
	r->next_ns = r->turn_ns = s->opts.turn_ns;
	s->counters.nr_more_fds += s->counters.units.nr;
	set_turns(r);
}

/* --- Clocks ---------------------------------------------------------------------------------- */

static int open_clock(const struct rotation *r, int unit)
{
	const struct unit_list *units = &r->counters->units;
	int id = units->at[unit].id;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	open__attr(r->session, &attr);
	return r->counters->kernel->open(&attr, units->per_cpu ? -1 : id, units->per_cpu ? id : -1,
					 -1, PERF_FLAG_FD_CLOEXEC);
}

/* The clock could not be opened; errno has the reason. */
static int no_clock(const struct rotation *r, int unit, struct err *err)
{
	const struct unit_list *units = &r->counters->units;

	return err__set(err, errno, "cannot measure how long %s %d is counted: %s",
			unit_list__kind(units), units->at[unit].id, strerror(errno));
}

uint64_t rotation__enabled_ns(struct rotation *r, int unit)
{
	struct turn_clock *clock = &r->clocks[unit];
	uint64_t words[READ_WORDS];

	if (clock->fd >= 0 &&
	    r->counters->kernel->read(clock->fd, words, sizeof(words)) == (ssize_t)sizeof(words))
		clock->ns = clock->away_ns + words[READ_ENABLED];
	return clock->ns;
}

static int open_clocks(void *self, struct err *err)
{
	struct rotation *r = self;
	const struct unit_list *units = &r->counters->units;

	r->clocks = xcalloc(units->nr, sizeof(*r->clocks));
	for (int unit = 0; unit < units->nr; unit++)
		r->clocks[unit].fd = -1;
	counts__init(&r->scratch, r->session);
	for (int unit = 0; unit < units->nr; unit++) {
		int *fd = &r->clocks[unit].fd;

		if (units->at[unit].gone)
			continue;
		*fd = open_clock(r, unit);
		if (*fd < 0 && errno != ESRCH && errno != ENODEV)
			return no_clock(r, unit, err);
	}
	return 0;
}

static void close_clock(struct rotation *r, int unit)
{
	if (r->clocks[unit].fd >= 0)
		r->counters->kernel->close(r->clocks[unit].fd);
	r->clocks[unit].fd = -1;
}

static void free_clocks(void *self)
{
	struct rotation *r = self;

	for (int unit = 0; r->clocks && unit < r->counters->units.nr; unit++)
		close_clock(r, unit);
	counts__free(&r->scratch);
	free(r->clocks);
}

static void control_clock(const struct rotation *r, int unit, bool on)
{
	int fd = r->clocks[unit].fd;

	if (fd >= 0)
		r->counters->kernel->ioctl(fd, counter__request(on), NULL);
}

static void control_clocks(void *self, int event, bool on)
{
	struct rotation *r = self;

	if (event >= 0)
		return;
	r->clocks_on = on;
	for (int unit = 0; unit < r->counters->units.nr; unit++)
		control_clock(r, unit, on);
}

static void rotate__leave(void *self, int unit)
{
	struct rotation *r = self;

	r->clocks[unit].away_ns = rotation__enabled_ns(r, unit);
	close_clock(r, unit);
}

static int rotate__come_back(void *self, int unit, struct err *err)
{
	struct rotation *r = self;

	r->clocks[unit].fd = open_clock(r, unit);
	if (r->clocks[unit].fd < 0)
		return no_clock(r, unit, err);
	if (r->clocks_on)
		control_clock(r, unit, true);
	return 0;
}

/* --- Turns ----------------------------------------------------------------------------------- */

/* Enable or disable the counters that are in the set @set and not in the set @not_set. */
static void control_others(const struct rotation *r, int set, int not_set, bool on)
{
	const struct counter *c;

	for (int unit = 0; unit < r->counters->units.nr; unit++)
		counters__for_each(c, r->counters)
			if (c->leader == c && (!on || c->on) && rotate__is_in(r, set, c) &&
			    !rotate__is_in(r, not_set, c))
				counter__ioctl(r->counters, c, unit, counter__request(on), NULL);
}

/* Add the counts of this turn to those of earlier turns, and close the counters. */
static void close_set(struct rotation *r, int set, int next)
{
	struct counter_list *cs = r->counters;
	const struct sample *now;

	readings__read(&r->session->readings, &r->scratch);
	for (struct counter *c = cs->at + cs->nr - 1; c >= cs->at; c--) {
		if (!c->evsel || !rotate__is_in(r, set, c) || rotate__is_in(r, next, c))
			continue;
		now = &r->scratch.at[(c - cs->at) * cs->units.nr];
		for (int unit = 0; unit < cs->units.nr; unit++)
			if (counter__open_fd(cs, c, unit) >= 0)
				counters__keep(cs, c, unit, &now[unit]);
		counters__close(cs, c);
	}
}

static void open_set(struct rotation *r)
{
	struct session *s = r->session;
	struct err err = ERR_INIT;
	const struct unit *u;

	vec__for_each(u, &s->counters.units) {
		if (u->away || u->gone || !open__again(s, u - s->counters.units.at, &err) ||
		    cpu__is_offline(s->machine, u->id))
			continue;
		sb__printf(&s->warnings, "CPU %d cannot be counted in this turn: %s\n", u->id,
			   err.msg);
	}
	readings__new(&s->readings);
}

static void change(struct rotation *r)
{
	int set = r->set, next = (set + 1) % r->sets->nr;

	control_others(r, set, next, false);
	if (r->by_opening)
		close_set(r, set, next);
	r->set = next;
	set_turns(r);
	if (r->by_opening)
		open_set(r);
	control_others(r, next, set, true);
}

int rotation__open_each(struct rotation *r, struct err *err)
{
	int rc = 0, first = r->set;
	struct counter *c;

	r->by_opening = true;
	for (int i = 1; i <= r->sets->nr && !rc; i++) {
		counters__for_each(c, r->counters)
			counters__close(r->counters, c);
		r->set = (first + i) % r->sets->nr;
		set_turns(r);
		rc = open__all(r->session, err);
	}
	return rc;
}

/* Make turns at least as long as a change of sets, during which nothing is counted. */
static void lengthen(struct rotation *r, uint64_t change_ns)
{
	if (r->turn_ns >= change_ns)
		return;
	if (!r->lengthened)
		sb__printf(&r->session->warnings,
			   "changing sets takes %.0f ms: turns are longer than requested, and a "
			   "round of all %d sets takes at least %.1f s\n",
			   change_ns / 1e6, r->sets->nr, 2e-9 * change_ns * r->sets->nr);
	r->lengthened = true;
	r->turn_ns = change_ns;
}

static uint64_t rotate__before_sleep(void *self, uint64_t now_ns, uint64_t deadline_ns)
{
	struct rotation *r = self;
	const struct run_clock *clock = &r->session->clock;
	uint64_t after_ns;

	(void)deadline_ns;
	if (!clock->counting)
		return UINT64_MAX;
	if (now_ns < r->next_ns || clock->end_ns)
		return r->next_ns;
	change(r);
	after_ns = run_clock__elapsed_ns(clock);
	lengthen(r, after_ns - now_ns);
	r->next_ns = after_ns + r->turn_ns;
	return r->next_ns;
}

/* Whether a counter counts only in its turns, and not all the time. */
static bool takes_turns(const struct rotation *r, const struct counter *c)
{
	for (int set = 0; set < r->sets->nr; set++)
		if (!rotate__is_in(r, set, c))
			return c->evsel && c->opened;
	return false;
}

void rotation__finish(void *self, struct counts *total)
{
	struct rotation *r = self;
	const struct counter *c;

	for (int unit = 0; unit < r->counters->units.nr; unit++)
		rotation__enabled_ns(r, unit);
	counters__for_each(c, r->counters) {
		struct sample *sample = &total->at[(c - r->counters->at) * total->nr_units];

		if (!takes_turns(r, c))
			continue;
		for (int unit = 0; unit < total->nr_units; unit++, sample++) {
			if (!sample__has_numbers(sample))
				continue;
			sample->enabled = r->clocks[unit].ns;
			sample__finish(sample, false, total->scale);
		}
	}
}

const struct attachment rotation__attachment = {
	.size = sizeof(struct rotation),
	.init = rotate__init,
	.open = open_clocks,
	.enable = control_clocks,
	.before_sleep = rotate__before_sleep,
	.leave = rotate__leave,
	.come_back = rotate__come_back,
	.free = free_clocks,
};
