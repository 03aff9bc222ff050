// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording may have an event several times, in groups that multiplexed. This file chooses the
 * event for a metric.
 *
 * If a text has the metric's value, the row beside the value shows the group. Otherwise the best
 * choice is a group with all events of the metric, then a group with all events of the metric's
 * value. If the events of a text ran one at a time, they may still be in the order of the request:
 * then the events between two occurrences of one event are combined.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "record/bind.h"
#include "record/text.h"

/**
 * struct offering - which candidates may be chosen together
 * @any:      also choose candidates by their code, even if others have the name
 * @segments: choose together the candidates of a segment, in which no event is repeated; otherwise
 *            those of a group
 * @only:     number of the only group to choose from; -1: all groups
 */
struct offering {
	bool any, segments;
	int only;
};

struct ranked {
	struct offer offer;
	enum match match;
};

static int by_group(const void *a, const void *b)
{
	const struct ranked *l = a, *r = b;

	if (l->offer.group != r->offer.group)
		return l->offer.group - r->offer.group;
	return l->match != r->match ? (int)r->match - (int)l->match :
				      l->offer.event - r->offer.event;
}

static void fill_offers(const struct binding *b, const struct id_matches *from,
			const struct offering *how, struct offers *out)
{
	struct ranked *ranked = xcalloc(from->list.nr, sizeof(*ranked));
	const struct id_match *c;
	int nr = 0;

	vec__for_each(c, &from->list) {
		const struct known_event *k = &b->known[c->event];
		int group = how->segments ? k->segment : k->group;

		if ((how->any || c->match == from->best) && (how->only < 0 || how->only == group))
			ranked[nr++] = (struct ranked){ { group, c->event }, c->match };
	}
	qsort(ranked, nr, sizeof(*ranked), by_group);
	for (int i = 0; i < nr; i++)
		vec__push(&out->list, ranked[i].offer);
	out->pool = nr ? b->known[ranked[0].offer.event].pool : OFFERS_NO_POOL;
	free(ranked);
}

static void serve(struct metric *m, struct offers *offers, struct service *out)
{
	struct parts parts;

	parts__init(&parts, m);
	service__find(out, &parts, offers);
	parts__free(&parts);
	for (int i = 0; i < m->nr_ids; i++)
		vec__free(&offers[i].list);
	free(offers);
}

static void serve_offered(const struct binding *b, struct metric *m, const struct id_matches *from,
			  struct offering how, struct service *out)
{
	struct offers *offers = xcalloc(m->nr_ids, sizeof(*offers));

	for (int i = 0; i < m->nr_ids; i++)
		fill_offers(b, &from[i], &how, &offers[i]);
	serve(m, offers, out);
}

/* Whether any id has candidates, but none in a group, so that it would have no event. */
static bool leaves_out(const struct binding *b, const struct metric *m,
		       const struct id_matches *from, int group)
{
	for (int i = 0; i < m->nr_ids; i++) {
		bool found = !from[i].list.nr;
		const struct id_match *c;

		vec__for_each(c, &from[i].list)
			found |= b->known[c->event].group == group;
		if (!found)
			return true;
	}
	return false;
}

/* Choose the event of an id for a metric that the text has beside event @at. */
static int pick_for(const struct binding *b, const struct id_matches *from, int at)
{
	const struct id_match *c;
	int best = -1, best_rank = 0;

	vec__for_each(c, &from->list) {
		int rank = (c->match == from->best) * 2 + (c->event > at);

		/* Events with another metric beside them belong to that metric first. */
		rank += text__has_metric(b->r, c->event) ? 0 : 4;
		if (b->known[c->event].group == b->known[at].group)
			rank = c->event == at ? 9 : 8;
		if (best >= 0 && rank <= best_rank)
			continue;
		best = c->event;
		best_rank = rank;
	}
	return best;
}

/*
 * Choose the events of a metric that is beside an event: this event, and events that belong to it.
 */
static void serve_beside(const struct binding *b, struct metric *m, const struct id_matches *from,
			 int at, struct service *out)
{
	struct offers *offers = xcalloc(m->nr_ids, sizeof(*offers));

	for (int i = 0; i < m->nr_ids; i++) {
		int event = pick_for(b, &from[i], at);

		offers[i].pool = event < 0 ? OFFERS_NO_POOL : b->known[event].pool;
		if (event >= 0)
			vec__push(&offers[i].list, (struct offer){ 0, event });
	}
	serve(m, offers, out);
}

/*
 * Find the event of the metric that has the metric beside it in the text. Return: -1 if there is
 * none.
 */
static int find_beside(const struct binding *b, const struct metric *m,
		       const struct id_matches *from)
{
	bool repeated = false;
	int found = -1;

	for (int i = 0; i < m->nr_ids; i++)
		repeated |= from[i].list.nr > 1;
	for (int i = 0; b->r->text && repeated && i < m->nr_ids; i++) {
		const struct id_match *c;

		vec__for_each(c, &from[i].list)
			if ((found < 0 || c->event < found) &&
			    text__has_metric_of(b->r, c->event, m->info.name))
				found = c->event;
	}
	return found;
}

void binding__choose(const struct binding *b, struct metric *m, const struct id_matches *from,
		     struct service *out)
{
	static const struct offering offerings[] = {
		{.only = -1},
		{.any = true, .only = -1},
		{.segments = true, .only = -1},
		{.segments = true, .any = true, .only = -1},
	};
	int beside = find_beside(b, m, from), best = -1;

	if (beside >= 0 && !leaves_out(b, m, from, b->known[beside].group)) {
		serve_offered(b, m, from, (struct offering){ true, false, b->known[beside].group },
			      out);
		return;
	}
	if (beside >= 0) {
		serve_beside(b, m, from, beside, out);
		return;
	}
	for (int i = 0; i < 4; i++) {
		/*
		 * Events that ran at the same time are better than events that are only adjacent.
		 */
		if (offerings[i].segments && (best >= 0 || !b->r->text))
			break;
		serve_offered(b, m, from, offerings[i], out);
		if (out->whole)
			return;
		if (out->value_whole && best < 0)
			best = i;
		service__free(out);
	}
	serve_offered(b, m, from, offerings[best < 0 ? 0 : best], out);
}
