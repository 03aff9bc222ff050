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

static int or_zero(int id)
{
	return id < 0 ? 0 : id;
}

static bool same_core(const struct cpu *a, const struct cpu *b)
{
	return a->socket == b->socket && or_zero(a->die) == or_zero(b->die) &&
	       or_zero(a->cluster) == or_zero(b->cluster) && a->core == b->core;
}

/* The label that --per-core has, padded likewise in text. */
static char *core_label(const struct report *r, const struct cpu *at)
{
	struct sb sb = SB_INIT;

	sb__printf(&sb, "S%d-D%d-C%d", at->socket, or_zero(at->die), at->core);
	if (r->opts.format == REPORT_TEXT) {
		while (sb.len < (size_t)aggr_infos[AGGR_CORE].width && !sb.err)
			sb__putc(&sb, ' ');
		sb__putc(&sb, ' ');
	}
	return sb__detach(&sb);
}

int percore__build(struct report *r, const struct report_units *units, struct err *err)
{
	int rc;

	if (!is_wanted(r))
		return 0;
	rc = machine__topology(r->machine, err);
	if (rc)
		return rc;
	r->core_of = calloc(units->nr + 1, sizeof(*r->core_of));
	r->core_labels = calloc(units->nr + 1, sizeof(*r->core_labels));
	if (!r->core_of || !r->core_labels)
		return -ENOMEM;
	for (int i = 0; i < units->nr; i++) {
		struct cpu at = machine__cpu(r->machine, units->ids[i]);

		r->core_of[i] = i;
		for (int j = i - 1; j >= 0; j--) {
			struct cpu other = machine__cpu(r->machine, units->ids[j]);

			if (same_core(&at, &other))
				r->core_of[i] = j;
		}
		r->core_labels[i] = core_label(r, &at);
		if (!r->core_labels[i])
			return -ENOMEM;
	}
	return 0;
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
