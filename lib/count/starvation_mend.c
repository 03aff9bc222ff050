// SPDX-License-Identifier: GPL-2.0-only
/*
 * A group that starves is split while it is open. When a leader is closed, the kernel makes its
 * members single events, in children of a task, too. So only the leader is opened again. But if
 * TopDown metric events have to stay with the leader, the other members are opened again instead.
 */
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
#include "count/starvation_state.h"

const char starvation__why_apart[] = "the kernel accepted its group but never scheduled it, so the "
				     "group was split during the run";

static const char why_children[] =
	"the kernel never scheduled its group, which was then split: it can no longer be counted in "
	"children that the task already had (with -a or --no-inherit, it can)";

void starvation__note_faults(struct starvation *v)
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

/* Whether a member is closed and opened again, so that it is no longer in a group with the rest. */
static bool moves(const struct counter *c, bool topdown)
{
	return topdown ? c->leader != c && !c->event->topdown : c->leader == c;
}

/* Close the members that move on a unit. All members start to wait again. */
static void close_movers(struct starvation *v, struct counter *leader, int unit, bool topdown)
{
	struct counter_list *cs = v->counters;
	struct sample now;
	struct counter *c;

	/* The leader comes last: the other members are read through it. */
	for (c = cs->at + cs->nr - 1; c >= leader; c--) {
		int *fd = counter__place(cs, c, unit, 0);

		if (c->leader != leader || !fd || *fd < 0)
			continue;
		if (readings__read_one(v->readings, c, unit, &now))
			now = (struct sample){ .status = SAMPLE_LOST };
		if (!moves(c, topdown)) {
			v->base[starvation__place(v, c, unit)] = now.enabled;
			continue;
		}
		/* A counter that is opened again begins at time 0. */
		v->base[starvation__place(v, c, unit)] = 0;
		counters__keep(cs, c, unit, &now);
		cs->kernel->close(*fd);
		*fd = -1;
		c->reopen = true;
	}
}

/* Whether a thread's process has new threads, which are not units, or may have some. */
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
 * Whether the children of a thread's process end without being waited for. If procfs does not show
 * it, the answer is yes.
 */
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
 * Whether a thread may have children or threads. They are counted by the counters that existed when
 * they were made, not by counters that are opened later. This is true of grandchildren, too. They
 * have no parent once the children have ended, but then the children have been waited for, which is
 * visible. If procfs does not show anything, the answer is yes.
 *
 * Children are looked for first: a child that ends after this check has been waited for before the
 * second check.
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

	/* A thread that has ended has no files in procfs any more, and may have left children. */
	for (int unit = 0; v->faults && unit < units->nr; unit++)
		if (!units->at[unit].gone && has_offspring(v, unit))
			return true;
	return false;
}

/*
 * Open on a unit the counters that were closed on it, if the thread still exists.
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

/* Close again the counters that miss existing children: their counts would be too low. */
static void give_up_movers(struct starvation *v)
{
	struct counter *c;

	counters__for_each(c, v->counters)
		if (c->reopen) {
			counters__close(v->counters, c);
			c->refused = ECANCELED;
			starvation__set_why(c, why_children);
		}
}

/*
 * Open on all units the counters that were closed. Only after this is it known whether children had
 * been made before: children that are made now have the new counters.
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
		sb__printf(out, " cannot be counted after groups were taken apart: %s\n", first.msg);
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
		starvation__set_why(c, starvation__why_apart);
	}
	memset(&v->waits[starvation__place(v, leader, 0)], 0, cs->units.nr * sizeof(*v->waits));
	counters__take_starved_apart(cs, leader);
	if (v->session->opts.taken_apart)
		v->session->opts.taken_apart[first] = true;
}

/* Whether a group is to be split now: it is enabled, and its events are counted in this turn. */
static bool is_due(const struct starvation *v, const struct counter *c)
{
	return c->starved && c->on && c->turn == TURN_NOW && starvation__can_mend(v, c);
}

static void tell_apart(struct starvation *v)
{
	struct sb names = SB_INIT;
	int nr = starvation__name_groups(v, &names, is_due);

	if (nr)
		sb__printf(&v->session->warnings,
			   "the kernel accepted %s but never scheduled %s, though %s turn had come: %s "
			   "taken apart, and %s events are counted one by one from here on\n",
			   sb__str(&names), nr > 1 ? "them" : "it", nr > 1 ? "their" : "its",
			   nr > 1 ? "they are" : "it is", nr > 1 ? "their" : "its");
	sb__free(&names);
}

void starvation__mend(struct starvation *v)
{
	struct session *s = v->session;
	struct counter_list *cs = v->counters;
	bool any = false;
	struct counter *c;

	v->found = false;
	counters__for_each(c, cs) {
		any |= is_due(v, c);
		v->found |= c->starved && !is_due(v, c) && starvation__can_mend(v, c);
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
	starvation__wait_anew(v, run_clock__elapsed_ns(&s->clock));
	s->nr_regrouped++;
	attached__call(s, regroup);
}
