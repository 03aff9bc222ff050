// SPDX-License-Identifier: GPL-2.0-only
#include "where/site_time.h"

#include <stdlib.h>

#define LEAST_BLOCKS 64 /* the least number of blocks in a window when samples are added up */

static int by_block(const void *va, const void *vb, void *block_ns)
{
	const struct site_sample *a = va, *b = vb;
	uint64_t ns = *(uint64_t *)block_ns, at = a->time_ns / ns, other = b->time_ns / ns;

	if (at != other)
		return at < other ? -1 : 1;
	if (a->event != b->event)
		return a->event - b->event;
	return (a->address > b->address) - (a->address < b->address);
}

static void add_up(struct site_samples *list, uint64_t block_ns)
{
	int kept = 0;

	qsort_r(list->at, list->nr, sizeof(*list->at), by_block, &block_ns);
	for (int i = 1; i < list->nr; i++) {
		struct site_sample *last = &list->at[kept], *more = &list->at[i];

		if (by_block(last, more, &block_ns) || last->nr + more->nr > UINT16_MAX) {
			list->at[++kept] = *more;
			continue;
		}
		last->weight += more->weight;
		last->nr += more->nr;
		last->time_ns = more->time_ns > last->time_ns ? more->time_ns : last->time_ns;
	}
	list->nr = kept + 1;
}

/* Return: a pseudo-random number from 0 to 1, by xorshift. */
static double next_chance(struct site_time *t)
{
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	return (double)(t->random >> 11) / (1ULL << 53);
}

static bool is_of_one_block(const struct site_time *t, const struct site_sample *a,
			    const struct site_sample *b)
{
	return a->event == b->event && a->time_ns / t->block_ns == b->time_ns / t->block_ns &&
	       a->nr + b->nr <= UINT16_MAX;
}

/*
 * Let one of two samples of an event in a block represent both. Each is chosen with a probability
 * proportional to its weight, so that the expected share of each site does not change.
 */
static void halve(struct site_time *t)
{
	struct site_samples *list = &t->samples;
	int kept = 0;

	for (int i = 0; i < list->nr; i++) {
		const struct site_sample *one = &list->at[i], *other = one + 1;
		struct site_sample both = *one;

		if (i + 1 < list->nr && is_of_one_block(t, one, other)) {
			both.weight += other->weight;
			both.nr += other->nr;
			if (next_chance(t) * both.weight >= one->weight)
				both.address = other->address;
			if (other->time_ns > both.time_ns)
				both.time_ns = other->time_ns;
			i++;
		}
		list->at[kept++] = both;
	}
	list->nr = kept;
}

void site_time__thin_out(struct site_time *t)
{
	struct site_samples *list = &t->samples;
	uint64_t first = UINT64_MAX, last = 0;

	for (int i = 0; i < list->nr; i++) {
		first = list->at[i].time_ns < first ? list->at[i].time_ns : first;
		last = list->at[i].time_ns > last ? list->at[i].time_ns : last;
	}
	if (t->block_ns < (last - first) / (LEAST_BLOCKS * 16) + 1)
		t->block_ns = (last - first) / (LEAST_BLOCKS * 16) + 1;
	add_up(list, t->block_ns);
	while (list->nr > MOST_SAMPLES / 2 && t->block_ns < (last - first) / LEAST_BLOCKS) {
		t->block_ns *= 2;
		add_up(list, t->block_ns);
	}
	/* If there are still too many, there are very many different addresses. */
	if (list->nr > MOST_SAMPLES / 2)
		halve(t);
}
