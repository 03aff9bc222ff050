// SPDX-License-Identifier: GPL-2.0-only
/*
 * A group is starved when it was enabled for so long that its turn must have come more than once,
 * and never ran, while others of its PMU took turns on the same CPU or in the same task. Where
 * nothing of its PMU ran, it is when the PMU is there all of the time: a task may have been on
 * other types of cores, or on these for a moment only. Groups that run all along prove nothing:
 * tasks which never run for as long as a turn see no other group than the first.
 *
 * Such a group is taken apart while it is open: the kernel makes events of their own of those whose
 * leader is closed, in children of a task, too. So only the leader is opened anew, or where TopDown
 * metric events have to stay with it, the others.
 */
#include "count/starvation.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "count/cpu_time.h"
#include "count/session.h"

#define FIRST_LOOK_NS 100000000ULL /* how long a group is waited for at least */
#define LONG_WAIT_NS 1000000000ULL /* and at most, unless its turn comes later than that */
#define APART_NS 50000000ULL	   /* reads that follow one another closer tell nothing new */
#define SHORT_ROW_NS 500000000ULL  /* rows that are no longer need no other reads */
#define SHORT_RUN_NS 10000000ULL   /* a run that is no longer tells nothing */
#define ROTATIONS 3		   /* in which its turn must have come */
#define TURN_NS 1000000ULL	   /* an event that lacks so much had to give its counter away */
#define NAMED 3			   /* groups that are named in one line */

static const char why_found[] =
	"the kernel took its group and never scheduled it, though its turn had come";
static const char why_apart[] =
	"the kernel took its group and never scheduled it, so that it was taken apart during the run";
static const char why_never[] =
	"the kernel took it and never scheduled it: its counters are not to be had, though others are";
static const char why_children[] =
	"the kernel never scheduled its group, which was taken apart: in the children of a task that"
	" were there by then it cannot be counted any more (with -a, or --no-inherit, it can)";

/** struct times - what was read of the times of a reading; both are 0 where nothing is known */
struct times {
	uint64_t enabled, running;
};

/**
 * struct starvation - the state of the search
 * @over:    all groups have run: nothing is looked for any more
 * @found:   there are groups to take apart
 * @due_ns:  when times are read, if nothing else is until then, since the start
 * @again_ns: before it no read is looked at, since the start
 * @gap_ns:  how long after a look the next one is due
 * @times:   of each reading, as read last
 * @round_ns: of each event, how long a round of turns takes; 0 where nobody has asked
 * @base:    of (event, unit): the time enabled when its group was taken apart; NULL before any was
 */
struct starvation {
	struct session *session;
	struct counter_list *counters;
	struct readings *readings;
	bool over, found;
	uint64_t due_ns, again_ns, gap_ns;
	VEC(struct times) times;
	uint64_t *round_ns, *base;
};

/* No group can have starved before it has had some time from now on. */
static void wait_anew(struct starvation *v, uint64_t now_ns)
{
	v->gap_ns = FIRST_LOOK_NS;
	v->due_ns = v->again_ns = now_ns + FIRST_LOOK_NS;
}

static void init(void *self)
{
	struct starvation *v = self;

	v->counters = &v->session->counters;
	v->readings = &v->session->readings;
	wait_anew(v, 0);
	v->round_ns = xcalloc(v->counters->nr, sizeof(*v->round_ns));
}

static void start(void *self)
{
	struct starvation *v = self;

	wait_anew(v, 0);
}

static void free_all(void *self)
{
	struct starvation *v = self;

	vec__free(&v->times);
	free(v->round_ns);
	free(v->base);
}

/* --- Finding them ---------------------------------------------------------------------------- */

bool counter__can_starve(const struct counter *c)
{
	const struct perf_event_attr *attr = &c->event->attr;

	return c->leader == c && (c->nr_members > 1 || c->apart) && !c->joined && c->evsel &&
	       !c->event->sampled && !attr->pinned;
}

/* Whether two groups take their turns on the same counters. */
static bool are_alike(const struct counter *a, const struct counter *b)
{
	return a->event->pmu == b->event->pmu && a->event->cgroup == b->event->cgroup;
}

/* Whether a counter could run at any time at which it is enabled. */
static bool is_everywhere(const struct starvation *v, const struct counter *c)
{
	return v->counters->units.per_cpu || !event__is_of_core(c->event) ||
	       machine__nr_core_pmus(v->session->machine) < 2;
}

/* Return: how long a round of turns of a counter's PMU takes. */
static uint64_t round_of(const struct starvation *v, const struct counter *c)
{
	uint64_t *known = &v->round_ns[c - v->counters->at];

	if (!*known)
		*known = counters__rotation_ns(v->counters, c->event, v->session->machine);
	return *known;
}

/* Return: for how long a group is enabled until it must have run. */
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
	int nr_units = v->counters->units.nr;
	uint64_t base = v->base ? v->base[(c - v->counters->at) * nr_units + r->unit] : 0;

	/* A counter that was opened anew began at 0. */
	if (base > t->enabled)
		base = 0;
	return t->enabled - base >= (v->session->clock.end_ns ? SHORT_RUN_NS : FIRST_LOOK_NS) &&
	       t->enabled - base >= patience_ns(v, c);
}

/* Whether a reading that never ran could have: see the top. */
static bool is_starved(const struct starvation *v, const struct reading *r)
{
	const struct readings *rs = v->readings;
	const struct counter *c = reading__counter(rs, r);
	const struct reading *first = r, *other;
	bool ran = false, took_turns = false;
	uint64_t there_ns = 0;

	while (first > rs->at && first[-1].unit == r->unit)
		first--;
	for (other = first; other < rs->at + rs->nr && other->unit == r->unit; other++) {
		const struct times *t = &v->times.at[other - rs->at];

		if (other == r || other->pinned || !t->running ||
		    !are_alike(reading__counter(rs, other), c))
			continue;
		ran = true;
		took_turns |= t->running + TURN_NS <= t->enabled;
		there_ns += t->running;
	}
	if (!is_everywhere(v, c))
		return took_turns && there_ns >= ROTATIONS * round_of(v, c);
	return !ran || took_turns;
}

static void set_why(struct counter *c, const char *words)
{
	free(c->why);
	c->why = xstrdup(words);
}

/* Whether it is to be made smaller groups of, now or before the next wait. */
static bool can_be_mended(const struct starvation *v, const struct counter *leader)
{
	const struct counter *c;

	if (v->session->clock.end_ns || !counter__may_come_apart(leader))
		return false;
	counters__for_each_member(c, v->counters, leader)
		if (c != leader && !c->event->topdown)
			return true;
	return false;
}

/* Whether a group that was found stays as it is, and nobody was told so. */
static bool is_hopeless(const struct starvation *v, const struct counter *c)
{
	return c->starved && !c->told_starved && !can_be_mended(v, c);
}

/* Whether a group is to be taken apart now: it counts, and so its events will go on to. */
static bool is_due(const struct starvation *v, const struct counter *c)
{
	return c->starved && c->on && c->turn == TURN_NOW && can_be_mended(v, c);
}

/* Name groups of a kind, up to some. Return: how many there are. */
static int name_groups(const struct starvation *v, struct sb *sb,
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

/* Tell of those that stay as they are. */
static void tell_rest(struct starvation *v)
{
	struct sb *out = &v->session->warnings, names = SB_INIT;
	bool braces = false;
	struct counter *c;

	int nr = name_groups(v, &names, is_hopeless);

	counters__for_each(c, v->counters)
		if (is_hopeless(v, c)) {
			braces |= !counter__may_come_apart(c) && c->nr_members > 1;
			c->told_starved = true;
			set_why(c, c->nr_members > 1 ? why_found : why_never);
		}
	if (nr)
		sb__printf(out,
			   "the kernel took %s and never scheduled %s, though %s turn had come: %s "
			   "not counted%s\n",
			   sb__str(&names), nr > 1 ? "them" : "it", nr > 1 ? "their" : "its",
			   nr > 1 ? "they are" : "it is",
			   braces ? " (without braces, or in {...}:W, events are counted one by"
				    " one)" : "");
	sb__free(&names);
}

/* Look at the times that were read. */
static void judge(struct starvation *v)
{
	const struct readings *rs = v->readings;
	const struct reading *r;
	bool all_ran = true, new = false;

	vec__for_each(r, rs) {
		struct counter *c = &v->counters->at[rs->members.at[r->first].event];

		if (!counter__can_starve(c) || v->times.at[r - rs->at].running || c->starved)
			continue;
		all_ran = false;
		if (!v->times.at[r - rs->at].enabled)
			continue;
		/* Something is known already to be in the way of a group which has to stay one. */
		if ((c->why && !c->apart && !can_be_mended(v, c)) ||
		    !waited_long(v, r, &v->times.at[r - rs->at]) || !is_starved(v, r))
			continue;
		c->starved = new = true;
		v->found |= can_be_mended(v, c);
		set_why(c, why_found);
	}
	/* At the end there is no time left to mend any. */
	if (new || v->session->clock.end_ns)
		tell_rest(v);
	v->session->nr_regrouped += new;
	v->over = all_ran && !v->found;
}

static void make_room(struct starvation *v)
{
	int nr = v->readings->nr;

	vec__reserve_raw(&v->times.at, &v->times.cap, nr, sizeof(*v->times.at));
	if (v->times.nr != nr)
		memset(v->times.at, 0, nr * sizeof(*v->times.at));
	v->times.nr = nr;
}

/* Take the times of a reading from the buffer, in which @n bytes were read. */
static void take_times(struct starvation *v, const struct reading *r, ssize_t n)
{
	const uint64_t *buf = v->readings->buf;

	if (n >= (ssize_t)(READ_WORDS * sizeof(*buf)))
		v->times.at[r - v->readings->at] =
			(struct times){ buf[READ_ENABLED], buf[READ_RUNNING] };
}

void starvation__take(struct starvation *v, const struct reading *r, ssize_t n)
{
	if (v->over)
		return;
	make_room(v);
	take_times(v, r, n);
}

void starvation__look(void *self, struct counts *total)
{
	struct starvation *v = self;
	const struct readings *rs = v->readings;
	const struct reading *r;

	if (v->over || (total->time_ns < v->again_ns && !v->session->clock.end_ns))
		return;
	v->again_ns = total->time_ns + APART_NS;
	make_room(v);
	vec__for_each(r, rs) {
		const struct sample *s = reading__sample(rs, total, r, 0);

		v->times.at[r - rs->at] = sample__has_numbers(s) ?
						  (struct times){ s->enabled, s->running } :
						  (struct times){ 0, 0 };
	}
	v->due_ns = total->time_ns + v->gap_ns;
	judge(v);
}

/*
 * Read the times, when nobody else has. A read of TopDown metric events makes others of what they
 * count: theirs are those of the reads that are made for their precision.
 */
static void look(struct starvation *v)
{
	const struct readings *rs = v->readings;
	const struct reading *r;

	make_room(v);
	vec__for_each(r, rs)
		if (!r->sampled && !r->pinned && !r->topdown)
			take_times(v, r, v->counters->kernel->read(r->fd, rs->buf, rs->buf_size));
	judge(v);
}

/* --- Taking them apart ----------------------------------------------------------------------- */

/* Whether a member is closed and opened anew, so that others are no longer in its group. */
static bool moves(const struct counter *c, bool topdown)
{
	return topdown ? c->leader != c && !c->event->topdown : c->leader == c;
}

/* Close on a unit the members that move; all begin to wait anew. */
static void close_movers(struct starvation *v, struct counter *leader, int unit, bool topdown)
{
	struct counter_list *cs = v->counters;
	struct sample now = { .status = SAMPLE_COUNTED };
	struct counter *c;

	/* The leader comes last: the others are asked for with it. */
	for (c = cs->at + cs->nr - 1; c >= leader; c--) {
		int *fd = counter__place(cs, c, unit, 0);

		if (c->leader != leader || !fd || *fd < 0)
			continue;
		if (readings__read_one(v->readings, c, unit, &now))
			now = (struct sample){ .status = SAMPLE_LOST };
		v->base[(c - cs->at) * cs->units.nr + unit] = now.enabled;
		if (!moves(c, topdown))
			continue;
		counters__keep(cs, c, unit, &now);
		cs->kernel->close(*fd);
		*fd = -1;
		v->base[(c - cs->at) * cs->units.nr + unit] = 0;
		c->reopen = true;
	}
}

/* Whether a thread's process has threads that are no units, as they came later, or may have. */
static bool has_new_threads(const struct session *s, int tid)
{
	char path[PATH_MAX];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%d/task", s->machine->procfs, tid);
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir)))
		found = *entry->d_name != '.' &&
			unit_list__find(&s->counters.units, atoi(entry->d_name), 0) < 0;
	if (dir)
		closedir(dir);
	return found;
}

/*
 * Whether a thread may have children or threads: these count with the counters that they were born
 * with, and with none that is opened later. Where procfs does not tell, it may.
 */
static bool has_offspring(const struct session *s, int tid)
{
	char text[16];

	return file__read_line(text, sizeof(text), "%s/%d/task/%d/children", s->machine->procfs,
			       tid, tid) ||
	       has_new_threads(s, tid);
}

static bool any_has_offspring(const struct session *s)
{
	const struct unit *u;

	if (s->counters.units.per_cpu || s->opts.no_inherit)
		return false;
	vec__for_each(u, &s->counters.units)
		if (!u->gone && !task_stat__has_ended(s->machine->procfs, u->id) &&
		    has_offspring(s, u->id))
			return true;
	return false;
}

/* Open on a unit what was closed there, as far as there is anybody to count. */
static void open_movers(struct starvation *v, int unit)
{
	struct session *s = v->session;
	const struct unit *u = &v->counters->units.at[unit];
	bool per_cpu = v->counters->units.per_cpu;
	struct err err = ERR_INIT;
	const struct counter *c;

	if (u->gone || u->away || (!per_cpu && task_stat__has_ended(s->machine->procfs, u->id)))
		return;
	if (open__again(s, unit, &err) && !(per_cpu && cpu__is_offline(s->machine, u->id)))
		sb__printf(&s->warnings, "%s %d cannot be counted by groups taken apart: %s\n",
			   unit_list__kind(&v->counters->units), u->id, err.msg);
	counters__for_each(c, v->counters)
		if (c->reopen && c->on && counter__open_fd(v->counters, c, unit) >= 0)
			counter__ioctl(v->counters, c, unit, PERF_EVENT_IOC_ENABLE, NULL);
}

static void take_apart(struct starvation *v, struct counter *leader)
{
	struct counter_list *cs = v->counters;
	bool topdown = counters__has_topdown(cs, leader);
	int first = leader - cs->at;
	struct counter *c;

	for (int unit = 0; unit < cs->units.nr; unit++)
		close_movers(v, leader, unit, topdown);
	counters__for_each_member(c, cs, leader) {
		c->apart = true;
		c->starved = false;
		set_why(c, why_apart);
	}
	counters__take_apart(cs, leader);
	if (v->session->opts.taken_apart)
		v->session->opts.taken_apart[first] = true;
}

static void tell_apart(struct starvation *v)
{
	struct sb names = SB_INIT;
	int nr = name_groups(v, &names, is_due);

	if (nr)
		sb__printf(&v->session->warnings,
			   "the kernel took %s and never scheduled %s, though %s turn had come: %s "
			   "taken apart, and %s events are counted one by one from here on\n",
			   sb__str(&names), nr > 1 ? "them" : "it", nr > 1 ? "their" : "its",
			   nr > 1 ? "they are" : "it is", nr > 1 ? "their" : "its");
	sb__free(&names);
}

/* Take apart the groups that were found, while they run. */
static void mend(struct starvation *v)
{
	struct session *s = v->session;
	struct counter_list *cs = v->counters;
	bool lost, any = false;
	struct counter *c;

	v->found = false;
	counters__for_each(c, cs) {
		any |= is_due(v, c);
		v->found |= c->starved && !is_due(v, c) && can_be_mended(v, c);
	}
	if (!any)
		return;
	if (!v->base)
		v->base = xcalloc(cs->nr * cs->units.nr, sizeof(*v->base));
	tell_apart(v);
	counters__for_each(c, cs)
		if (is_due(v, c))
			take_apart(v, c);
	lost = any_has_offspring(s);
	counters__for_each(c, cs)
		if (c->reopen && lost) {
			c->refused = ECANCELED;
			set_why(c, why_children);
		}
	for (int unit = 0; unit < cs->units.nr; unit++)
		open_movers(v, unit);
	counters__for_each(c, cs)
		c->reopen = false;
	readings__new(&s->readings);
	v->times.nr = 0;
	memset(v->round_ns, 0, cs->nr * sizeof(*v->round_ns));
	wait_anew(v, run_clock__elapsed_ns(&s->clock));
	s->nr_regrouped++;
	attached__call(s, regroup);
}

static bool reads_soon(const struct starvation *v)
{
	uint64_t row_ns = v->session->opts.row_ns;

	return row_ns && row_ns <= SHORT_ROW_NS;
}

static uint64_t before_sleep(void *self, uint64_t now_ns, uint64_t deadline_ns)
{
	struct starvation *v = self;

	(void)deadline_ns;
	if (v->over || !v->session->clock.counting || v->session->clock.end_ns)
		return UINT64_MAX;
	if (now_ns >= v->due_ns && !reads_soon(v)) {
		look(v);
		v->gap_ns *= 2;
		v->due_ns = now_ns + v->gap_ns;
	}
	if (v->found)
		mend(v);
	return v->over || reads_soon(v) ? UINT64_MAX : v->due_ns;
}

const struct attachment starvation__attachment = {
	.size = sizeof(struct starvation),
	.init = init,
	.start = start,
	.before_sleep = before_sleep,
	.free = free_all,
};
