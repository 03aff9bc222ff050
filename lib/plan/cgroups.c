// SPDX-License-Identifier: GPL-2.0-only
/* The plan's events for each of several cgroups, with the metrics they serve. */
#include <errno.h>

#include "base/err.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "plan/plan.h"

/* The copy of an event of the first cgroup which stands @first places behind it. */
static struct event *copy_of(const struct plan *p, const struct event *e, int first)
{
	return e ? p->events.at[e->index + first] : NULL;
}

static void copy_events(struct plan *p, int nr, const struct cgroup *cgroup)
{
	int first = p->events.nr;

	for (int i = 0; i < nr; i++) {
		vec__push(&p->events, event__copy(p->events.at[i]));
		p->events.at[first + i]->cgroup = cgroup;
	}
	for (int i = first; i < p->events.nr; i++) {
		struct event *copy = p->events.at[i];

		copy->leader = copy_of(p, copy->leader, first);
		copy->first = copy_of(p, copy->first, first);
	}
}

static void copy_metric(struct plan *p, int number, int first)
{
	const struct plan_metric *from = &p->metrics[number];
	struct plan_metric copy = *from;
	int nr = plan_metric__nr_events(from);

	copy.name = xstrdup(from->name);
	copy.events = xcalloc(nr + 1, sizeof(*copy.events));
	copy.parts = xcalloc(copy.nr_parts + 1, sizeof(*copy.parts));
	for (int i = 0; i < copy.nr_parts; i++)
		copy.parts[i] = from->parts[i];
	for (int i = 0; i < nr; i++)
		copy.events[i] = copy_of(p, from->events[i], first);
	copy.shown_at = copy_of(p, copy.shown_at, first);
	/* There is room: see the caller. */
	p->metrics[p->nr_metrics++] = copy;
}

/* As perf 6.12 prints them then: of metrics with the same event, the last one comes first. */
static void reverse_metrics(struct plan *p)
{
	for (int i = 0, j = p->nr_metrics - 1; i < j; i++, j--) {
		struct plan_metric other = p->metrics[i];

		p->metrics[i] = p->metrics[j];
		p->metrics[j] = other;
	}
}

void plan__for_each_cgroup(struct plan *p, const struct cgroup_list *cgroups)
{
	int nr = p->events.nr, nr_metrics = p->nr_metrics;

	p->metrics = xreallocarray(p->metrics, nr_metrics * cgroups->nr + 1, sizeof(*p->metrics));
	reverse_metrics(p);
	for (int i = 0; i < nr; i++) {
		p->events.at[i]->index = i;
		p->events.at[i]->cgroup = cgroups->at[0];
	}
	for (int c = 1; c < cgroups->nr; c++) {
		copy_events(p, nr, cgroups->at[c]);
		for (int i = 0; i < nr_metrics; i++)
			copy_metric(p, i, c * nr);
	}
	p->nr_cgroups = cgroups->nr;
}

int plan__set_cgroups(struct plan *p, const struct cgroup_list *cgroups, struct err *err)
{
	if (cgroups->nr > 1 && cgroups->nr > p->events.nr)
		return err__set(err, EINVAL,
				"-G names %d cgroups for %d events: one for each event, or one for all",
				cgroups->nr, p->events.nr);
	for (int i = 0; i < p->events.nr; i++) {
		if (cgroups->nr == 1)
			p->events.at[i]->cgroup = cgroups->at[0];
		else if (i < cgroups->nr)
			p->events.at[i]->cgroup = cgroups->at[i];
	}
	return 0;
}
