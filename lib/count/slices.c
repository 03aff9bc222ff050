// SPDX-License-Identifier: GPL-2.0-only
/* Reads within a row are kept and thinned out. Pure calculation. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "count/count.h"

void slices__init(struct slices *s, int nr_events, int nr_units, const struct slice_options *opts)
{
	size_t nr = (size_t)nr_events * nr_units;

	*s = (struct slices){.nr = 1,
			     .nr_events = nr_events,
			     .nr_units = nr_units,
			     .step_ns = opts->step_ns,
			     .first_step_ns = opts->step_ns,
			     .last_step_ns = opts->last_step_ns};
	/* The memory is one large piece: pages for reads that are not made are never touched. */
	s->memory = xcalloc(nr * SLICES_READS, sizeof(*s->memory));
	for (int i = 0; i < SLICES_READS; i++)
		s->at[i] = s->memory + i * nr;
}

void slices__free(struct slices *s)
{
	free(s->memory);
	*s = (struct slices){ .nr = 0 };
}

static void swap(struct slices *s, int a, int b)
{
	struct sample *at = s->at[a];
	uint64_t time_ns = s->time_ns[a];

	s->at[a] = s->at[b];
	s->time_ns[a] = s->time_ns[b];
	s->at[b] = at;
	s->time_ns[b] = time_ns;
}

/* Keep every other read, and the latest. */
static void thin_out(struct slices *s)
{
	int nr = 1;

	for (int i = 2; i < s->nr; i += 2)
		swap(s, nr++, i);
	if (s->nr % 2 == 0)
		swap(s, nr++, s->nr - 1);
	s->nr = nr;
	s->step_ns *= 2;
}

static bool last_is_short(const struct slices *s)
{
	return s->nr > 1 && s->time_ns[s->nr - 1] - s->time_ns[s->nr - 2] < s->step_ns;
}

void slices__add(struct slices *s, const struct counts *total)
{
	int at = last_is_short(s) ? s->nr - 1 : s->nr;

	memcpy(s->at[at], total->at, sizeof(*total->at) * s->nr_events * s->nr_units);
	s->time_ns[at] = total->time_ns;
	s->nr = at + 1;
	if (s->nr == SLICES_READS)
		thin_out(s);
}

void slices__restart(struct slices *s)
{
	swap(s, 0, s->nr - 1);
	s->nr = 1;
	if (s->first_step_ns < s->last_step_ns)
		s->first_step_ns *= 2;
	s->step_ns = s->first_step_ns;
	if (s->last_step_ns && s->first_step_ns >= s->last_step_ns)
		slices__free(s);
}

uint64_t slices__due_ns(const struct slices *s)
{
	return s->time_ns[last_is_short(s) ? s->nr - 2 : s->nr - 1] + s->step_ns;
}
