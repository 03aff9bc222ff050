// SPDX-License-Identifier: GPL-2.0-only
/* The plan's events for each of several cgroups, with the metrics they serve. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "plan/plan.h"

static int out_of_memory(struct err *err)
{
	return err__set(err, ENOMEM, "out of memory for the events of each cgroup");
}

static int place_of(const struct event_list *list, const struct event *e)
{
	for (int i = 0; i < list->nr; i++)
		if (list->at[i] == e)
			return i;
	return -1;
}

/* The copy of an event of the first cgroup which stands @first places behind it. */
static struct event *copy_of(const struct plan *p, const struct event *e, int first)
{
	return e ? p->events.at[place_of(&p->events, e) + first] : NULL;
}

static int copy_events(struct plan *p, int nr, const struct cgroup *cgroup)
{
	int first = p->events.nr;

	for (int i = 0; i < nr; i++) {
		struct event *copy = event__copy(p->events.at[i]);

		if (!copy || vec__push(&p->events, copy)) {
			event__free(copy);
			return -ENOMEM;
		}
		copy->cgroup = cgroup;
	}
	for (int i = 0; i < nr; i++) {
		struct event *copy = p->events.at[first + i];

		copy->leader = copy_of(p, copy->leader, first);
		copy->first = copy_of(p, copy->first, first);
	}
	return 0;
}

static int copy_metric(struct plan *p, int number, int first)
{
	struct plan_metric copy = p->metrics[number];
	int nr = plan_metric__nr_events(&copy);
	const struct event *const *from = (const struct event *const *)copy.events;

	copy.name = strdup(copy.name);
	copy.events = calloc(nr + 1, sizeof(*copy.events));
	copy.parts = calloc(copy.nr_parts + 1, sizeof(*copy.parts));
	if (!copy.name || !copy.events || !copy.parts) {
		free(copy.name);
		free(copy.events);
		free(copy.parts);
		return -ENOMEM;
	}
	for (int i = 0; i < copy.nr_parts; i++)
		copy.parts[i] = p->metrics[number].parts[i];
	for (int i = 0; i < nr; i++)
		copy.events[i] = copy_of(p, from[i], first);
	copy.shown_at = copy_of(p, copy.shown_at, first);
	/* There is room: see the caller. */
	p->metrics[p->nr_metrics++] = copy;
	return 0;
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

int plan__for_each_cgroup(struct plan *p, const struct cgroup_list *cgroups, struct err *err)
{
	int nr = p->events.nr, nr_metrics = p->nr_metrics, rc = 0;

	if (vec__reserve_raw(&p->metrics, &p->cap_metrics, nr_metrics * cgroups->nr,
			     sizeof(*p->metrics)))
		return out_of_memory(err);
	reverse_metrics(p);
	for (int i = 0; i < nr; i++)
		p->events.at[i]->cgroup = cgroups->at[0];
	for (int c = 1; c < cgroups->nr && !rc; c++) {
		rc = copy_events(p, nr, cgroups->at[c]);
		for (int i = 0; i < nr_metrics && !rc; i++)
			rc = copy_metric(p, i, c * nr);
	}
	p->nr_cgroups = cgroups->nr;
	return rc ? out_of_memory(err) : 0;
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
