// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "json/dedup.h"

/**
 * struct dedup - records while equal ones are looked for
 * @number: the new number of each record; while sorting, the first record which equals it
 */
struct dedup {
	char *records;
	size_t size;
	uint32_t *order, *number;
};

static int compare_records(const void *a, const void *b, void *arg)
{
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct dedup *d = arg;
	int cmp = memcmp(d->records + i * d->size, d->records + j * d->size, d->size);

	return cmp ? cmp : i < j ? -1 : 1;
}

/* Make equal records one; d->number[] tells the number that each has got. Return: how many. */
static int dedup_records(struct dedup *d, int nr)
{
	int kept = 0;

	for (int i = 0; i < nr; i++)
		d->order[i] = i;
	qsort_r(d->order, nr, sizeof(*d->order), compare_records, d);
	for (int i = 0; i < nr; i++) {
		uint32_t at = d->order[i], before = i ? d->order[i - 1] : at;
		bool same = i && !memcmp(d->records + at * d->size, d->records + before * d->size,
					 d->size);

		d->number[at] = same ? d->number[before] : at;
	}
	/* In the order of the first of each, so that a model's records lie near each other. */
	for (int i = 0; i < nr; i++) {
		if (d->number[i] != (uint32_t)i) {
			d->number[i] = d->number[d->number[i]];
			continue;
		}
		memmove(d->records + kept * d->size, d->records + i * d->size, d->size);
		d->number[i] = kept++;
	}
	return kept;
}

int dedup(void *records, int *nr, size_t size, uint32_t **numbers)
{
	struct dedup d = { .records = records, .size = size };

	*numbers = NULL;
	if (!*nr)
		return 0;
	d.order = calloc(*nr, sizeof(*d.order));
	d.number = calloc(*nr, sizeof(*d.number));
	if (!d.order || !d.number) {
		free(d.order);
		free(d.number);
		return -ENOMEM;
	}
	*nr = dedup_records(&d, *nr);
	free(d.order);
	*numbers = d.number;
	return 0;
}
