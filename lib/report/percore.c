// SPDX-License-Identifier: GPL-2.0-only
/* Events with the term percore: -A shows their counts of whole cores. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/internal.h"

bool percore__is(const struct report *r, int event)
{
	return r->core_of && r->events[event].event->percore;
}

static bool is_wanted(const struct report *r)
{
	for (int i = 0; i < r->plan->events.nr; i++)
		if (r->plan->events.at[i]->percore)
			return r->opts.aggr == AGGR_NONE;
	return false;
}

/* The first CPU of each one's core, and the core's label. */
static int find_cores(struct report *r, struct place *places, int nr)
{
	int first = 0;

	qsort(places, nr, sizeof(*places), place__sort);
	for (int i = 0; i < nr; i++) {
		int unit = places[i].unit;

		if (!i || place__compare(&places[i], &places[i - 1]))
			first = unit;
		r->core_of[unit] = first;
		r->core_labels[unit] = place__dressed_label(r, AGGR_CORE, &places[i]);
		if (!r->core_labels[unit])
			return -ENOMEM;
	}
	return 0;
}

int percore__build(struct report *r, const struct report_units *units, struct err *err)
{
	struct place *places;
	int rc;

	if (!is_wanted(r))
		return 0;
	rc = machine__topology(r->machine, err);
	if (rc)
		return rc;
	r->core_of = calloc(units->nr + 1, sizeof(*r->core_of));
	r->core_labels = calloc(units->nr + 1, sizeof(*r->core_labels));
	places = calloc(units->nr + 1, sizeof(*places));
	if (!r->core_of || !r->core_labels || !places) {
		free(places);
		return -ENOMEM;
	}
	for (int i = 0; i < units->nr; i++)
		places[i] = place__of(r, AGGR_CORE, units->ids[i], i);
	rc = find_cores(r, places, units->nr);
	free(places);
	return rc;
}

void percore__free(struct report *r)
{
	for (int i = 0; r->core_labels && i < r->nr_units; i++)
		free(r->core_labels[i]);
	free(r->core_labels);
	free(r->core_of);
	r->core_labels = NULL;
	r->core_of = NULL;
}

void percore__add_up(struct report *r, int event)
{
	struct sum *sums = &r->sums[event * r->nr_buckets];

	/* The first CPU of a core gets the sum, and its other threads then the same. */
	for (int i = 0; i < r->nr_buckets; i++) {
		struct sum *to = &sums[r->core_of[i]];

		if (to == &sums[i])
			continue;
		to->value += sums[i].value;
		to->enabled += sums[i].enabled;
		to->running += sums[i].running;
		to->present |= sums[i].present;
		to->failed |= sums[i].failed;
	}
	for (int i = 0; i < r->nr_buckets; i++)
		sums[i] = sums[r->core_of[i]];
}
