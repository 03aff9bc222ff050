/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of event ids, in the order in which perf 6.12 opens events. */
#ifndef TMA_METRICS_IDSET_H
#define TMA_METRICS_IDSET_H

#include <stdbool.h>

/*
 * perf 6.12 writes the events of a metric into a group in the order in which its hash table lists
 * their names. Which events share a counter's time, which event a metric is printed with, and so
 * the order of the output all follow from it; to be comparable, tma keeps the same order:
 * - buckets are listed in ascending order, each from the entry added last to the one added first;
 * - the bucket is the top bits of (hash * the 64-bit golden ratio), where each character makes
 *   the hash 31 * hash + character;
 * - there are four buckets at the start, and twice as many before an addition that would leave
 *   the table more than three quarters full; entries are then added anew in listing order;
 * - removing takes an entry out and leaves the buckets as they are;
 * - of two sets being united the smaller is added to the larger (the first, of equals).
 */
struct idset;

/** idset__new() - make an empty set, which idset__free() releases. */
struct idset *idset__new(void);
/** idset__copy() - copy a set, buckets and order alike. */
struct idset *idset__copy(const struct idset *from);
/** idset__free() - release a set; NULL is allowed. The ids are not the set's. */
void idset__free(struct idset *set);
/**
 * idset__add() - add an id; one that is there stays in its place
 * @id: must outlive the set
 */
void idset__add(struct idset *set, const char *id);
/**
 * idset__mark() - keep a number with each id, which goes along when sets are united
 * @mark: called for each id; ids that were never marked have -1
 */
void idset__mark(struct idset *set, int (*mark)(void *arg, const char *id), void *arg);
/**
 * idset__marked() - list the ids with a mark that is not negative, in order
 * @ids, @marks: room for idset__size() of each
 *
 * Return: how many.
 */
int idset__marked(const struct idset *set, const char **ids, int *marks);
/** idset__del() - remove an id, if it is there. */
void idset__del(struct idset *set, const char *id);
/** idset__has() - tell whether @id is in the set. */
bool idset__has(const struct idset *set, const char *id);
/** idset__size() - count the ids; NULL is an empty set. */
int idset__size(const struct idset *set);
/** idset__subset() - tell whether every id of @set is in @of. */
bool idset__subset(const struct idset *set, const struct idset *of);
/**
 * idset__unite() - unite two sets
 * @set:  replaced by the union; a NULL in it stands for an empty set
 * @with: taken over, and released; NULL for an empty set
 */
void idset__unite(struct idset **set, struct idset *with);
/**
 * idset__list() - list the ids, in order
 * @ids: room for idset__size() of them
 */
void idset__list(const struct idset *set, const char **ids);

#endif
