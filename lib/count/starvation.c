// SPDX-License-Identifier: GPL-2.0-only
/*
 * A group is starved if it never ran although it was enabled for so long that its turn must have
 * come more than once, and other groups of its PMU had turns on the same CPU or in the same task.
 * If no group of its PMU ran, the group is starved only if the PMU is always present: a task may
 * have been on other types of cores, or only for a moment on cores with this PMU. Groups that run
 * all the time prove nothing: a task that never runs for as long as a turn sees only the first
 * group.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "count/starvation_state.h"

#define FIRST_LOOK_NS 100000000ULL /* shortest wait for the turn of a group */
#define LONG_WAIT_NS 1000000000ULL /* longest wait for the turn of a group, unless its turn comes
				    * later */
#define APART_NS 50000000ULL	   /* a read that follows another one within this time shows nothing
				    * new */
#define SHORT_ROW_NS 500000000ULL  /* a row no longer than this needs no additional reads */
#define SHORT_RUN_NS 10000000ULL   /* a run no longer than this proves nothing */
#define ROTATIONS 3		   /* number of rounds in which the turn of a group must have
				    * come */
#define TURN_NS 1000000ULL	   /* an event that was enabled without a counter for this long had
				    * to leave its counter to others */
#define NAMED 3			   /* most groups that one line names */

static const char why_found[] =
	"the kernel accepted its group but never scheduled it, though its turn had come";
static const char why_never[] = "the kernel accepted it but never scheduled it: its counters are "
				"not available, though others are";

void starvation__wait_anew(struct starvation *v, uint64_t now_ns)
{
	v->gap_ns = FIRST_LOOK_NS;
	v->due_ns = v->again_ns = now_ns + FIRST_LOOK_NS;
}

static void starvation__init(void *self)
{
	struct starvation *v = self;

	v->counters = &v->session->counters;
	v->readings = &v->session->readings;
	starvation__wait_anew(v, 0);
	v->round_ns = xcalloc(v->counters->nr, sizeof(*v->round_ns));
	starvation__note_faults(v);
}

static void starvation__start(void *self)
{
	struct starvation *v = self;

	starvation__wait_anew(v, 0);
}

static void starvation__free_all(void *self)
{
	struct starvation *v = self;

	vec__free(&v->times);
	free(v->round_ns);
	free(v->base);
	free(v->waits);
	free(v->faults);
}

bool counter__can_starve(const struct counter *c)
{
	const struct perf_event_attr *attr = &c->event->attr;

	return c->leader == c && (c->nr_members > 1 || c->suspect) && !c->joined && c->evsel &&
	       !c->event->sampled && !attr->pinned;
}

/* Whether two groups multiplex on the same counters. */
static bool are_alike(const struct counter *a, const struct counter *b)
{
	return a->event->pmu == b->event->pmu && a->event->cgroup == b->event->cgroup;
}

/* Whether a counter could run at any time in which it is enabled. */
static bool is_everywhere(const struct starvation *v, const struct counter *c)
{
	return v->counters->units.per_cpu || !event__is_of_core(c->event) ||
	       machine__nr_core_pmus(v->session->machine) < 2;
}

/* Return: how long it takes until all groups of a counter's PMU have had a turn. */
static uint64_t round_of(const struct starvation *v, const struct counter *c)
{
	uint64_t *known = &v->round_ns[c - v->counters->at];

	if (!*known)
		*known = counters__rotation_ns(v->counters, c->event);
	return *known;
}

/* Return: the time enabled after which a group must have run. */
static uint64_t patience_ns(const struct starvation *v, const struct counter *c)
{
	uint64_t round_ns = round_of(v, c), turn_ns = round_ns + round_ns / 2;

	if (v->session->clock.end_ns)
		return turn_ns;
	if (turn_ns < LONG_WAIT_NS)
		turn_ns = LONG_WAIT_NS;
	if (ROTATIONS * round_ns < turn_ns)
		turn_ns = ROTATIONS * round_ns;
	return turn_ns > FIRST_LOOK_NS ? turn_ns : FIRST_LOOK_NS;
}

static bool waited_long(const struct starvation *v, const struct reading *r, const struct times *t)
{
	const struct counter *c = reading__counter(v->readings, r);
	uint64_t base = v->base ? v->base[starvation__place(v, c, r->unit)] : 0;

	/* A counter that was opened again began at time 0. */
	if (base > t->enabled)
		base = 0;
	return t->enabled - base >= (v->session->clock.end_ns ? SHORT_RUN_NS : FIRST_LOOK_NS) &&
	       t->enabled - base >= patience_ns(v, c);
}

/* Whether a group that never ran could have run, by the rules at the top of the file. */
static bool is_starved(const struct starvation *v, const struct reading *r)
{
	const struct readings *rs = v->readings;
	const struct counter *c = reading__counter(rs, r);
	const struct reading *first = r, *other;
	bool ran = false, took_turns = false, unknown = false;
	uint64_t there_ns = 0;

	while (first > rs->at && first[-1].unit == r->unit)
		first--;
	for (other = first; other < rs->at + rs->nr && other->unit == r->unit; other++) {
		const struct times *t = &v->times.at[other - rs->at];

		if (other == r || other->pinned || !are_alike(reading__counter(rs, other), c))
			continue;
		unknown |= t->unknown;
		if (!t->running)
			continue;
		ran = true;
		took_turns |= t->running + TURN_NS <= t->enabled;
		there_ns += t->running;
	}
	if (!is_everywhere(v, c))
		return took_turns && there_ns >= ROTATIONS * round_of(v, c);
	return took_turns || (!ran && !unknown);
}

void starvation__set_why(struct counter *c, const char *words)
{
	free(c->why);
	c->why = words ? xstrdup(words) : NULL;
}

bool starvation__can_mend(const struct starvation *v, const struct counter *leader)
{
	const struct counter *c;

	if (v->session->clock.end_ns || !counter__may_come_apart(leader))
		return false;
	counters__for_each_member(c, v->counters, leader)
		if (c != leader && !c->event->topdown)
			return true;
	return false;
}

/* Whether a group is starved and cannot be split, and no warning has reported it. */
static bool is_hopeless(const struct starvation *v, const struct counter *c)
{
	return c->starved && !c->warned_starved && !starvation__can_mend(v, c);
}

int starvation__name_groups(const struct starvation *v, struct sb *sb,
			    bool (*is_meant)(const struct starvation *v, const struct counter *c))
{
	struct counter *c;
	int nr = 0;

	counters__for_each(c, v->counters) {
		if (!is_meant(v, c))
			continue;
		if (++nr <= NAMED) {
			sb__puts(sb, nr > 1 ? ", " : "");
			refusal__put_group(v->session, c, sb);
		}
	}
	if (nr > NAMED)
		sb__printf(sb, " and %d more", nr - NAMED);
	return nr;
}

/* Report the groups that cannot be split. */
static void tell_hopeless(struct starvation *v)
{
	struct sb *out = &v->session->warnings, names = SB_INIT;
	bool braces = false;
	struct counter *c;

	int nr = starvation__name_groups(v, &names, is_hopeless);

	counters__for_each(c, v->counters)
		if (is_hopeless(v, c)) {
			braces |= !counter__may_come_apart(c) && c->nr_members > 1;
			c->warned_starved = true;
			starvation__set_why(c, c->nr_members > 1 ? why_found : why_never);
		}
	if (nr)
		sb__printf(out,
			   "the kernel accepted %s but never scheduled %s, though %s turn had come: %s "
			   "not counted%s\n",
			   sb__str(&names), nr > 1 ? "them" : "it", nr > 1 ? "their" : "its",
			   nr > 1 ? "they are" : "it is",
			   braces ? " (without braces, or in {...}:W, events are counted one by"
				    " one)" : "");
	sb__free(&names);
}

/* Whether there are units on which a starved group has not run yet. */
static bool still_waits(const struct starvation *v, const struct counter *c)
{
	for (int unit = 0; unit < v->counters->units.nr; unit++)
		if (v->waits[starvation__place(v, c, unit)])
			return true;
	return false;
}

static bool is_back(const struct starvation *v, const struct counter *c)
{
	return c->starved && c->warned_starved && !still_waits(v, c);
}

/*
 * Find groups that starve no more, as other users may have freed counters. A group that has run on
 * each unit on which it starved multiplexes like any other group. Return: whether there were such
 * groups.
 */
static bool take_back(struct starvation *v)
{
	struct sb names = SB_INIT;
	bool some = false;
	struct counter *c;
	int nr;

	if (!v->waits)
		return false;
	nr = starvation__name_groups(v, &names, is_back);
	if (nr)
		sb__printf(&v->session->warnings,
			   "the kernel has scheduled %s after all: %s counted from here on\n",
			   sb__str(&names), nr > 1 ? "they are" : "it is");
	sb__free(&names);
	counters__for_each(c, v->counters) {
		if (!c->starved || still_waits(v, c))
			continue;
		c->starved = c->warned_starved = false;
		starvation__set_why(c, c->apart ? starvation__why_apart : NULL);
		some = true;
	}
	return some;
}

/* Whether a waiting group is found to starve now, by its times in @r. */
static bool begins_to_starve(const struct starvation *v, const struct reading *r,
			     const struct counter *c)
{
	const struct times *t = &v->times.at[r - v->readings->at];

	/* For a group that cannot be split, an obstacle is already known. */
	if (c->why && !c->apart && !starvation__can_mend(v, c))
		return false;
	return waited_long(v, r, t) && is_starved(v, r);
}

/* Check the times that were read. */
static void starvation__judge(struct starvation *v)
{
	const struct readings *rs = v->readings;
	const struct reading *r;
	bool all_ran = true, new = false;

	vec__for_each(r, rs) {
		struct counter *c = &v->counters->at[rs->members.at[r->first].event];
		const struct times *t = &v->times.at[r - rs->at];

		if (!counter__can_starve(c))
			continue;
		all_ran &= t->running != 0;
		if (t->running && c->starved)
			v->waits[starvation__place(v, c, r->unit)] = false;
		if (t->running || !t->enabled)
			continue;
		if (!c->starved && begins_to_starve(v, r, c)) {
			c->starved = new = true;
			v->found |= starvation__can_mend(v, c);
			starvation__set_why(c, why_found);
			if (!v->waits)
				v->waits = xcalloc(v->counters->nr * v->counters->units.nr,
						   sizeof(*v->waits));
		}
		if (c->starved)
			v->waits[starvation__place(v, c, r->unit)] = true;
	}
	new |= take_back(v);
	/* At the end there is no time left to split a group. */
	if (new || v->session->clock.end_ns)
		tell_hopeless(v);
	v->session->nr_regrouped += new;
	v->over = all_ran && !v->found;
}

static void starvation__make_room(struct starvation *v)
{
	int nr = v->readings->nr;

	vec__reserve_raw(&v->times.at, &v->times.cap, nr, sizeof(*v->times.at));
	if (v->times.nr != nr)
		memset(v->times.at, 0, nr * sizeof(*v->times.at));
	v->times.nr = nr;
}

/* Use the times of a reading, of which @n bytes are in the buffer. */
static void take_times(struct starvation *v, const struct reading *r, ssize_t n)
{
	struct times *t = &v->times.at[r - v->readings->at];
	const uint64_t *buf = v->readings->buf;

	if (n >= (ssize_t)(READ_WORDS * sizeof(*buf)))
		*t = (struct times){ buf[READ_ENABLED], buf[READ_RUNNING], false };
	else
		*t = (struct times){ .unknown = true };
}

void starvation__take(struct starvation *v, const struct reading *r, ssize_t n)
{
	if (v->over)
		return;
	starvation__make_room(v);
	take_times(v, r, n);
}

void starvation__find(void *self, struct counts *total)
{
	struct starvation *v = self;
	const struct readings *rs = v->readings;
	const struct reading *r;

	if (v->over || (total->time_ns < v->again_ns && !v->session->clock.end_ns))
		return;
	v->again_ns = total->time_ns + APART_NS;
	starvation__make_room(v);
	vec__for_each(r, rs) {
		const struct sample *s = reading__sample(rs, total, r, 0);

		v->times.at[r - rs->at] = sample__has_numbers(s) ?
						  (struct times){ s->enabled, s->running, false } :
						  (struct times){ .unknown = true };
	}
	v->due_ns = total->time_ns + v->gap_ns;
	starvation__judge(v);
}

/*
 * Read the times, if no other step has read them. TopDown metric events are left out, because
 * a read changes their counts: another step reads them regularly, and their times with them.
 */
static void starvation__read_times(struct starvation *v)
{
	const struct readings *rs = v->readings;
	const struct reading *r;

	starvation__make_room(v);
	vec__for_each(r, rs)
		if (!r->sampled && !r->pinned && !r->topdown)
			take_times(v, r, v->counters->kernel->read(r->fd, rs->buf, rs->buf_size));
	starvation__judge(v);
}

static bool reads_soon(const struct starvation *v)
{
	uint64_t row_ns = v->session->opts.row_ns;

	return row_ns && row_ns <= SHORT_ROW_NS;
}

static uint64_t starvation__before_sleep(void *self, uint64_t now_ns, uint64_t deadline_ns)
{
	struct starvation *v = self;

	(void)deadline_ns;
	if (v->over || !v->session->clock.counting || v->session->clock.end_ns)
		return UINT64_MAX;
	if (now_ns >= v->due_ns && !reads_soon(v)) {
		starvation__read_times(v);
		v->gap_ns *= 2;
		v->due_ns = now_ns + v->gap_ns;
	}
	if (v->found)
		starvation__mend(v);
	return v->over || reads_soon(v) ? UINT64_MAX : v->due_ns;
}

const struct attachment starvation__attachment = {
	.size = sizeof(struct starvation),
	.init = starvation__init,
	.start = starvation__start,
	.before_sleep = starvation__before_sleep,
	.free = starvation__free_all,
};
