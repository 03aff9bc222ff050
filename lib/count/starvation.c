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
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
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
	"the kernel accepted its group but never scheduled it, though its turn had come";
static const char why_apart[] = "the kernel accepted its group but never scheduled it, so the "
				"group was split during the run";
static const char why_never[] = "the kernel accepted it but never scheduled it: its counters are "
				"not available, though others are";
static const char why_children[] =
	"the kernel never scheduled its group, which was split: it can no longer be counted in "
	"children that the task already had (with -a, or --no-inherit, it can)";

/**
 * struct times - what was read of the times of a reading
 * @unknown: the last read of it failed; both times are 0 then
 */
struct times {
	uint64_t enabled, running;
	bool unknown;
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
 * @waits:   of (event, unit): there it was starved, and has not run since; NULL before any was
 * @faults:  of each unit: task_stat.children_faults before anything was opened; NULL where children
 *           are not counted
 */
struct starvation {
	struct session *session;
	struct counter_list *counters;
	struct readings *readings;
	bool over, found;
	uint64_t due_ns, again_ns, gap_ns;
	VEC(struct times) times;
	uint64_t *round_ns, *base, *faults;
	bool *waits;
};

/* Return: the place of (event, unit) in arrays. */
static size_t place_of(const struct starvation *v, const struct counter *c, int unit)
{
	return (size_t)(c - v->counters->at) * v->counters->units.nr + unit;
}

/* No group can have starved before it has had some time from now on. */
static void wait_anew(struct starvation *v, uint64_t now_ns)
{
	v->gap_ns = FIRST_LOOK_NS;
	v->due_ns = v->again_ns = now_ns + FIRST_LOOK_NS;
}

/* Children from before the counters are opened do not matter. A command has none by then. */
static void note_faults(struct starvation *v)
{
	const struct unit_list *units = &v->counters->units;
	struct task_stat stat;

	if (units->per_cpu || v->session->opts.no_inherit)
		return;
	v->faults = xcalloc(units->nr, sizeof(*v->faults));
	for (int i = 0; target__has_tasks(v->session->target) && i < units->nr; i++)
		if (!task_stat__read(v->session->machine->procfs, units->at[i].id, true, &stat))
			v->faults[i] = stat.children_faults;
}

static void init(void *self)
{
	struct starvation *v = self;

	v->counters = &v->session->counters;
	v->readings = &v->session->readings;
	wait_anew(v, 0);
	v->round_ns = xcalloc(v->counters->nr, sizeof(*v->round_ns));
	note_faults(v);
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
	free(v->waits);
	free(v->faults);
}

/* --- Finding them ---------------------------------------------------------------------------- */

bool counter__can_starve(const struct counter *c)
{
	const struct perf_event_attr *attr = &c->event->attr;

	return c->leader == c && (c->nr_members > 1 || c->suspect) && !c->joined && c->evsel &&
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
		*known = counters__rotation_ns(v->counters, c->event);
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
	uint64_t base = v->base ? v->base[place_of(v, c, r->unit)] : 0;

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

static void set_why(struct counter *c, const char *words)
{
	free(c->why);
	c->why = words ? xstrdup(words) : NULL;
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

/* Whether there are units on which a starved group has not run since. */
static bool still_waits(const struct starvation *v, const struct counter *c)
{
	for (int unit = 0; unit < v->counters->units.nr; unit++)
		if (v->waits[place_of(v, c, unit)])
			return true;
	return false;
}

static bool is_back(const struct starvation *v, const struct counter *c)
{
	return c->starved && c->told_starved && !still_waits(v, c);
}

/*
 * Others may have let counters go: a group that has run on each unit that it was found starved on
 * is one that takes turns, as any other. Return: whether there were such groups.
 */
static bool take_back(struct starvation *v)
{
	struct sb names = SB_INIT;
	bool some = false;
	struct counter *c;
	int nr;

	if (!v->waits)
		return false;
	nr = name_groups(v, &names, is_back);
	if (nr)
		sb__printf(&v->session->warnings,
			   "the kernel has scheduled %s after all: %s counted from here on\n",
			   sb__str(&names), nr > 1 ? "they are" : "it is");
	sb__free(&names);
	counters__for_each(c, v->counters) {
		if (!c->starved || still_waits(v, c))
			continue;
		c->starved = c->told_starved = false;
		set_why(c, c->apart ? why_apart : NULL);
		some = true;
	}
	return some;
}

/* Whether a group that waits in a reading is found to starve there just now. */
static bool begins_to_starve(const struct starvation *v, const struct reading *r,
			     const struct counter *c)
{
	const struct times *t = &v->times.at[r - v->readings->at];

	/* Something is known already to be in the way of a group which has to stay one. */
	if (c->why && !c->apart && !can_be_mended(v, c))
		return false;
	return waited_long(v, r, t) && is_starved(v, r);
}

/* Look at the times that were read. */
static void judge(struct starvation *v)
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
			v->waits[place_of(v, c, r->unit)] = false;
		if (t->running || !t->enabled)
			continue;
		if (!c->starved && begins_to_starve(v, r, c)) {
			c->starved = new = true;
			v->found |= can_be_mended(v, c);
			set_why(c, why_found);
			if (!v->waits)
				v->waits = xcalloc(v->counters->nr * v->counters->units.nr,
						   sizeof(*v->waits));
		}
		if (c->starved)
			v->waits[place_of(v, c, r->unit)] = true;
	}
	new |= take_back(v);
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
						  (struct times){ s->enabled, s->running, false } :
						  (struct times){ .unknown = true };
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
	struct sample now;
	struct counter *c;

	/* The leader comes last: the others are asked for with it. */
	for (c = cs->at + cs->nr - 1; c >= leader; c--) {
		int *fd = counter__place(cs, c, unit, 0);

		if (c->leader != leader || !fd || *fd < 0)
			continue;
		if (readings__read_one(v->readings, c, unit, &now))
			now = (struct sample){ .status = SAMPLE_LOST };
		if (!moves(c, topdown)) {
			v->base[place_of(v, c, unit)] = now.enabled;
			continue;
		}
		/* What is opened anew begins at 0. */
		v->base[place_of(v, c, unit)] = 0;
		counters__keep(cs, c, unit, &now);
		cs->kernel->close(*fd);
		*fd = -1;
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

/* Whether children of a thread's process go without a trace; also where procfs does not tell. */
static bool ignores_children(const struct session *s, int tid)
{
	char text[4096];
	const char *mask;
	uint64_t ignored;

	if (file__read_start(text, sizeof(text), "%s/%d/status", s->machine->procfs, tid) < 0)
		return true;
	mask = strstr(text, "\nSigIgn:\t");
	if (!mask || !num__scan_u64(mask + strlen("\nSigIgn:\t"), 16, &ignored))
		return true;
	return ignored >> (SIGCHLD - 1) & 1;
}

/*
 * Whether a thread may have children or threads: these count with the counters that they were born
 * with, and with none that is opened later. So do their children, who are nobody's by the time that
 * those have ended: but somebody has waited for these. Where procfs does not tell, it may.
 *
 * Children are looked for first: who ends after that is waited for before the second look.
 */
static bool has_offspring(const struct starvation *v, int unit)
{
	const struct session *s = v->session;
	const char *procfs = s->machine->procfs;
	int tid = s->counters.units.at[unit].id;
	struct task_stat stat;
	char text[16];

	return file__read_line(text, sizeof(text), "%s/%d/task/%d/children", procfs, tid, tid) ||
	       has_new_threads(s, tid) || task_stat__read(procfs, tid, true, &stat) ||
	       stat.children_faults != v->faults[unit] || ignores_children(s, tid);
}

static bool any_has_offspring(const struct starvation *v)
{
	const struct unit_list *units = &v->counters->units;

	/* One that has ended has no files any more, and may have left some behind. */
	for (int unit = 0; v->faults && unit < units->nr; unit++)
		if (!units->at[unit].gone && has_offspring(v, unit))
			return true;
	return false;
}

/*
 * Open on a unit what was closed there, as far as there is anybody to count.
 *
 * Return: 0 or -errno.
 */
static int open_movers(struct starvation *v, int unit, struct err *err)
{
	struct session *s = v->session;
	const struct unit *u = &v->counters->units.at[unit];
	bool per_cpu = v->counters->units.per_cpu;
	const struct counter *c;
	int rc;

	if (u->gone || u->away || (!per_cpu && task_stat__has_ended(s->machine->procfs, u->id)))
		return 0;
	rc = open__again(s, unit, err);
	counters__for_each(c, v->counters)
		if (c->reopen && c->on && counter__open_fd(v->counters, c, unit) >= 0)
			counter__ioctl(v->counters, c, unit, PERF_EVENT_IOC_ENABLE, NULL);
	return per_cpu && cpu__is_offline(s->machine, u->id) ? 0 : rc;
}

/* Close again what misses children that are there: it would count too little. */
static void give_up_movers(struct starvation *v)
{
	struct counter *c;

	counters__for_each(c, v->counters)
		if (c->reopen) {
			counters__close(v->counters, c);
			c->refused = ECANCELED;
			set_why(c, why_children);
		}
}

/*
 * Open on all units what was closed there. Only then is it known whether children were born up to
 * then: those who are born later have the new counters.
 */
static void open_all_movers(struct starvation *v)
{
	const struct unit_list *units = &v->counters->units;
	struct sb *out = &v->session->warnings;
	struct err err = ERR_INIT, first = ERR_INIT;
	struct cpulist failed = CPULIST_INIT;

	for (int unit = 0; unit < units->nr; unit++)
		if (open_movers(v, unit, &err)) {
			first = failed.nr ? first : err;
			cpulist__add(&failed, units->at[unit].id);
		}
	if (any_has_offspring(v)) {
		give_up_movers(v);
	} else if (failed.nr) {
		sb__printf(out, "%s%s ", unit_list__kind(units), failed.nr > 1 ? "s" : "");
		cpulist__print(&failed, out);
		sb__printf(out, " cannot be counted by groups taken apart: %s\n", first.msg);
	}
	cpulist__free(&failed);
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
	memset(&v->waits[place_of(v, leader, 0)], 0, cs->units.nr * sizeof(*v->waits));
	counters__take_starved_apart(cs, leader);
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
	bool any = false;
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
	open_all_movers(v);
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
