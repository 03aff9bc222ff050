/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of event ids, in the order in which perf 6.12 opens events. */
#ifndef TMA_METRICS_IDSET_H
#define TMA_METRICS_IDSET_H

#include <stdbool.h>

/*
 * perf 6.12 puts the events of a metric into a group in the order in which its hash table lists
 * their names. This order decides which events share a counter's time, which event a metric is
 * printed with, and so the order of the output. To be comparable, tma keeps perf's order:
 * - Buckets are listed in ascending order; the entries of a bucket are listed from the last that
 *   was added to the first.
 * - The number of an entry's bucket is the top bits of (hash * the 64-bit golden ratio). For each
 *   character, the hash becomes 31 * hash + character.
 * - At first there are four buckets. Before an addition that would fill more than three quarters
 *   of the table, their number is doubled, and all entries are added again in listing order.
 * - A removal does not change the number of buckets.
 * - To unite two sets, the smaller set is added to the larger one. If the sizes are equal, the
 *   second set is added to the first.
 */
struct idset;

/** idset__new() - make an empty set, which idset__free() releases. */
struct idset *idset__new(void);
/** idset__copy() - copy a set with its buckets and its order. */
struct idset *idset__copy(const struct idset *from);
/** idset__free() - release a set, but not the ids in it; NULL is allowed. */
void idset__free(struct idset *set);
/**
 * idset__add() - add an id; an id that is already in the set keeps its place
 * @id: must outlive the set
 */
void idset__add(struct idset *set, const char *id);
/**
 * idset__mark() - keep a number with each id; uniting sets keeps the numbers
 * @mark: called for each id, returns its number; ids that were never marked have -1
 */
void idset__mark(struct idset *set, int (*mark)(void *arg, const char *id), void *arg);
/**
 * idset__marked() - list the ids whose mark is not negative, in order
 * @ids, @marks: arrays with room for idset__size() elements
 *
 * Return: number of listed ids.
 */
int idset__marked(const struct idset *set, const char **ids, int *marks);
/** idset__del() - remove an id, if it is in the set. */
void idset__del(struct idset *set, const char *id);
/** idset__has() - tell whether @id is in the set. */
bool idset__has(const struct idset *set, const char *id);
/** idset__size() - count the ids; NULL is an empty set. */
int idset__size(const struct idset *set);
/** idset__subset() - tell whether every id of @set is in @of. */
bool idset__subset(const struct idset *set, const struct idset *of);
/**
 * idset__unite() - unite two sets
 * @set:  replaced by the union; NULL in it means an empty set
 * @with: the other set, which is released; NULL for an empty set
 */
void idset__unite(struct idset **set, struct idset *with);
/**
 * idset__list() - list the ids, in order
 * @ids: array with room for idset__size() ids
 */
void idset__list(const struct idset *set, const char **ids);

#endif
