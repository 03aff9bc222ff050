// SPDX-License-Identifier: GPL-2.0-only
/* Sets of event ids: hash tables that list their ids in the order of perf 6.12. */
#include "metrics/idset.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

#define MIN_BITS 2
#define GOLDEN_RATIO UINT64_C(11400714819323198485) /* 2^64 / phi */

/**
 * struct entry - an element of the table
 * @next: number of the next entry of its bucket; -1 at the end
 */
struct entry {
	const char *id;
	uint64_t hash;
	int next, mark;
};

/**
 * struct idset - a set of ids
 * @at, @nr: all entries that were ever added; removed entries are not in a bucket any more
 * @buckets:  number of the first entry of each bucket, -1 if it is empty; there are 1 << @bits
 *            buckets, or none if @bits is 0
 * @size:     number of entries in buckets
 */
struct idset {
	struct entry *at;
	int nr, cap;
	int *buckets;
	int bits, size;
};

static uint64_t idset__hash_of(const char *id)
{
	uint64_t hash = 0;

	for (; *id; id++)
		hash = hash * 31 + (uint64_t)(int64_t)(signed char)*id;
	return hash;
}

static int *bucket_of(const struct idset *set, uint64_t hash)
{
	return &set->buckets[hash * GOLDEN_RATIO >> (64 - set->bits)];
}

static int nr_buckets(const struct idset *set)
{
	return set->bits ? 1 << set->bits : 0;
}

/*
 * Find the place that holds the number of an id's entry. Return: NULL if the id is not in the set.
 */
static int *idset__find(const struct idset *set, const char *id, uint64_t hash)
{
	if (!set->bits)
		return NULL;
	for (int *at = bucket_of(set, hash); *at >= 0; at = &set->at[*at].next)
		if (set->at[*at].hash == hash && !strcmp(set->at[*at].id, id))
			return at;
	return NULL;
}

static void link_entry(struct idset *set, int i)
{
	int *first = bucket_of(set, set->at[i].hash);

	set->at[i].next = *first;
	*first = i;
}

/* Walk the entries of a set in order; @entry is the number of each entry in turn. */
#define for_each_entry(entry, set)                                                               \
	for (int bucket = 0; bucket < nr_buckets(set); bucket++)                                 \
		for (int entry = (set)->buckets[bucket]; entry >= 0; entry = (set)->at[entry].next)

static void idset__grow(struct idset *set)
{
	struct idset old = *set;
	int next;

	set->bits = old.bits ? old.bits + 1 : MIN_BITS;
	set->buckets = xmalloc(nr_buckets(set) * sizeof(*set->buckets));
	for (int i = 0; i < nr_buckets(set); i++)
		set->buckets[i] = -1;
	for (int b = 0; b < nr_buckets(&old); b++) {
		for (int i = old.buckets[b]; i >= 0; i = next) {
			next = set->at[i].next;
			link_entry(set, i);
		}
	}
	free(old.buckets);
}

struct idset *idset__new(void)
{
	return xcalloc(1, sizeof(struct idset));
}

static void *copy_array(const void *from, int nr, size_t size)
{
	return nr ? memcpy(xmalloc(nr * size), from, nr * size) : NULL;
}

struct idset *idset__copy(const struct idset *from)
{
	struct idset *set = idset__new();

	*set = *from;
	set->cap = set->nr;
	set->at = copy_array(from->at, from->nr, sizeof(*set->at));
	set->buckets = copy_array(from->buckets, nr_buckets(from), sizeof(*set->buckets));
	return set;
}

void idset__free(struct idset *set)
{
	if (!set)
		return;
	free(set->at);
	free(set->buckets);
	free(set);
}

/* Add a copy of an entry, which is new or of another set. */
static void add_entry(struct idset *set, const struct entry *e)
{
	if (idset__find(set, e->id, e->hash))
		return;
	if (!set->bits || (set->size + 1) * 4 / 3 > nr_buckets(set))
		idset__grow(set);
	vec__push(set, *e);
	link_entry(set, set->nr - 1);
	set->size++;
}

void idset__add(struct idset *set, const char *id)
{
	add_entry(set, &(struct entry){ .id = id, .hash = idset__hash_of(id), .mark = -1 });
}

void idset__mark(struct idset *set, int (*mark)(void *arg, const char *id), void *arg)
{
	for_each_entry(i, set)
		set->at[i].mark = mark(arg, set->at[i].id);
}

int idset__marked(const struct idset *set, const char **ids, int *marks)
{
	int nr = 0;

	for_each_entry(i, set) {
		if (set->at[i].mark < 0)
			continue;
		ids[nr] = set->at[i].id;
		marks[nr++] = set->at[i].mark;
	}
	return nr;
}

void idset__del(struct idset *set, const char *id)
{
	int *at = idset__find(set, id, idset__hash_of(id));

	if (!at)
		return;
	*at = set->at[*at].next;
	set->size--;
}

bool idset__has(const struct idset *set, const char *id)
{
	return idset__find(set, id, idset__hash_of(id));
}

int idset__size(const struct idset *set)
{
	return set ? set->size : 0;
}

bool idset__subset(const struct idset *set, const struct idset *of)
{
	for_each_entry(i, set)
		if (!idset__find(of, set->at[i].id, set->at[i].hash))
			return false;
	return true;
}

void idset__unite(struct idset **set, struct idset *with)
{
	struct idset *small = with;

	if (!with)
		return;
	if (!*set || (*set)->size < with->size) {
		small = *set;
		*set = with;
	}
	if (small) {
		for_each_entry(i, small)
			add_entry(*set, &small->at[i]);
	}
	idset__free(small);
}

void idset__list(const struct idset *set, const char **ids)
{
	for_each_entry(i, set)
		*ids++ = set->at[i].id;
}
