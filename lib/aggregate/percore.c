// SPDX-License-Identifier: GPL-2.0-only
/* Events with the term percore: -A shows their counts of whole cores. */
#include <stdlib.h>
#include <string.h>

#include "aggregate/internal.h"
#include "base/xalloc.h"

bool sums__is_percore(const struct sums *s, int event)
{
	return s->core_of && s->events[event].event->percore;
}

void percore__build(struct sums *s, const struct units *units)
{
	struct unit_place *places = xcalloc(units->nr, sizeof(*places));
	int first = 0;

	s->core_of = xcalloc(units->nr, sizeof(*s->core_of));
	for (int i = 0; i < units->nr; i++)
		places[i] = unit_place__of(s, AGGR_CORE, units->ids[i], i);
	unit_places__sort(places, units->nr);
	for (int i = 0; i < units->nr; i++) {
		int unit = places[i].unit;

		if (!i || !unit_place__is_same(&places[i], &places[i - 1])) {
			first = unit;
			s->rows[unit].leads_core = true;
		}
		s->core_of[unit] = first;
		memcpy(s->rows[unit].core, places[i].at, sizeof(places[i].at));
	}
	free(places);
}

void percore__add_up(struct sums *s, int event)
{
	struct sum *sums = sums__at(s, event, 0);

	/* The first CPU of a core gets the sum, and its other threads then the same. */
	for (int i = 0; i < s->nr_rows; i++) {
		struct sum *to = &sums[s->core_of[i]];

		if (to == &sums[i])
			continue;
		to->value += sums[i].value;
		to->enabled += sums[i].enabled;
		to->running += sums[i].running;
		to->present |= sums[i].present;
		to->failed |= sums[i].failed;
	}
	for (int i = 0; i < s->nr_rows; i++)
		sums[i] = sums[s->core_of[i]];
}
