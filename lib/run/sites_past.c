// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compute the counts of a run over its last few rows, for rows of code that combine the samples of
 * several rows.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "run/sites.h"

void sites_past__begin(struct sites_past *p, const struct session *session, int nr)
{
	if (nr <= 1)
		return;
	*p = (struct sites_past){.nr = nr,
				 .at = xcalloc(nr + 1, sizeof(*p->at)),
				 .since = xcalloc(nr + 1, sizeof(*p->since))};
	for (int i = 0; i < nr; i++)
		counts__init(&p->at[i], session);
	counts__init(&p->counts, session);
}

void sites_past__free(struct sites_past *p)
{
	for (int i = 0; i < p->nr; i++)
		counts__free(&p->at[i]);
	counts__free(&p->counts);
	free(p->at);
	free(p->since);
}

static void sites_past__copy(struct counts *to, const struct counts *from)
{
	int nr = from->nr_events * from->nr_units;

	memcpy(to->at, from->at, nr * sizeof(*to->at));
	for (int i = 0; from->latencies && i < nr; i++)
		latency__copy(&from->latencies[i], &to->latencies[i]);
	memcpy(to->presence, from->presence, from->nr_units * sizeof(*to->presence));
	to->time_ns = from->time_ns;
	to->off_ns = from->off_ns;
}

void sites_past__take(struct sites_past *p, const struct event_list *events,
		      const struct source_row *row, struct source_row *wide)
{
	int at = p->nr ? p->row++ % p->nr : 0;

	*wide = *row;
	if (!p->nr)
		return;
	counts__delta(row->since_start, &p->at[at], events, &p->counts);
	wide->counts = &p->counts;
	wide->time.elapsed_ns = row->time.since_start_ns - p->since[at];
	wide->time.off_ns = p->counts.off_ns;
	sites_past__copy(&p->at[at], row->since_start);
	p->since[at] = row->time.since_start_ns;
}
