// SPDX-License-Identifier: GPL-2.0-only
/* Sets of event ids, in the order perf 6.12 opens events in. */
#include "metrics/idset.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define MIN_BITS 2
#define GOLDEN_RATIO UINT64_C(11400714819323198485) /* 2^64 / phi */

/**
 * struct entry - a place of the table
 * @next: the next of its bucket, -1 at the end
 */
struct entry {
	const char *id;
	uint64_t hash;
	int next, mark;
};

/**
 * struct idset
 * @at, @nr:  entries ever added; removed ones are in no bucket any more
 * @buckets:  first entry of each, -1 when empty; 1 << @bits of them, none when @bits is 0
 * @size:     entries in a bucket
 */
struct idset {
	struct entry *at;
	int nr, cap;
	int *buckets;
	int bits, size;
};

static uint64_t hash_of(const char *id)
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

/* Where the number of the entry of that id stands, or NULL. */
static int *find(const struct idset *set, const char *id, uint64_t hash)
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

static int grow(struct idset *set)
{
	struct idset old = *set;
	int next;

	set->bits = old.bits ? old.bits + 1 : MIN_BITS;
	set->buckets = malloc(nr_buckets(set) * sizeof(*set->buckets));
	if (!set->buckets) {
		*set = old;
		return -ENOMEM;
	}
	for (int i = 0; i < nr_buckets(set); i++)
		set->buckets[i] = -1;
	for (int b = 0; b < nr_buckets(&old); b++) {
		for (int i = old.buckets[b]; i >= 0; i = next) {
			next = set->at[i].next;
			link_entry(set, i);
		}
	}
	free(old.buckets);
	return 0;
}

struct idset *idset__new(void)
{
	return calloc(1, sizeof(struct idset));
}

static void *copy_array(const void *from, int nr, size_t size)
{
	void *to = malloc(nr * size + 1);

	return to && nr ? memcpy(to, from, nr * size) : to;
}

struct idset *idset__copy(const struct idset *from)
{
	struct idset *set = idset__new();

	if (!set)
		return NULL;
	*set = *from;
	set->cap = set->nr;
	set->at = copy_array(from->at, from->nr, sizeof(*set->at));
	set->buckets = copy_array(from->buckets, nr_buckets(from), sizeof(*set->buckets));
	if (set->at && set->buckets)
		return set;
	idset__free(set);
	return NULL;
}

void idset__free(struct idset *set)
{
	if (!set)
		return;
	free(set->at);
	free(set->buckets);
	free(set);
}

/* A copy of an entry, of another set or new. */
static int add_entry(struct idset *set, const struct entry *e)
{
	int ret;

	if (find(set, e->id, e->hash))
		return 0;
	if (!set->bits || (set->size + 1) * 4 / 3 > nr_buckets(set)) {
		ret = grow(set);
		if (ret)
			return ret;
	}
	ret = vec__push(set, *e);
	if (ret)
		return ret;
	link_entry(set, set->nr - 1);
	set->size++;
	return 0;
}

int idset__add(struct idset *set, const char *id)
{
	return add_entry(set, &(struct entry){ .id = id, .hash = hash_of(id), .mark = -1 });
}

void idset__mark(struct idset *set, int (*mark)(void *arg, const char *id), void *arg)
{
	for (int b = 0; b < nr_buckets(set); b++)
		for (int i = set->buckets[b]; i >= 0; i = set->at[i].next)
			set->at[i].mark = mark(arg, set->at[i].id);
}

int idset__marked(const struct idset *set, const char **ids, int *marks)
{
	int nr = 0;

	for (int b = 0; b < nr_buckets(set); b++) {
		for (int i = set->buckets[b]; i >= 0; i = set->at[i].next) {
			if (set->at[i].mark < 0)
				continue;
			ids[nr] = set->at[i].id;
			marks[nr++] = set->at[i].mark;
		}
	}
	return nr;
}

void idset__del(struct idset *set, const char *id)
{
	int *at = find(set, id, hash_of(id));

	if (!at)
		return;
	*at = set->at[*at].next;
	set->size--;
}

bool idset__has(const struct idset *set, const char *id)
{
	return find(set, id, hash_of(id));
}

int idset__size(const struct idset *set)
{
	return set ? set->size : 0;
}

bool idset__subset(const struct idset *set, const struct idset *of)
{
	for (int b = 0; b < nr_buckets(set); b++)
		for (int i = set->buckets[b]; i >= 0; i = set->at[i].next)
			if (!find(of, set->at[i].id, set->at[i].hash))
				return false;
	return true;
}

int idset__unite(struct idset **set, struct idset *with)
{
	struct idset *small = with;
	int ret = 0;

	if (!with)
		return 0;
	if (!*set || (*set)->size < with->size) {
		small = *set;
		*set = with;
	}
	for (int b = 0; small && b < nr_buckets(small); b++)
		for (int i = small->buckets[b]; i >= 0 && !ret; i = small->at[i].next)
			ret = add_entry(*set, &small->at[i]);
	idset__free(small);
	return ret;
}

void idset__list(const struct idset *set, const char **ids)
{
	for (int b = 0; b < nr_buckets(set); b++)
		for (int i = set->buckets[b]; i >= 0; i = set->at[i].next)
			*ids++ = set->at[i].id;
}
