/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of slots of a computer, of some of its cgroups, and of the rest of it.
 *
 * In come the grid of the whole computer, and of each row the grid of a measurement that counts
 * cgroups and begins at 0 each time that others are chosen. Out comes one grid with all of it,
 * whose counters (cell_more.slots) never run backwards: a cgroup that is chosen again goes on where
 * it was. The rest is the whole less its cgroups, so that the three add up.
 */
#ifndef TMA_REPORT_CGROUP_SLOTS_H
#define TMA_REPORT_CGROUP_SLOTS_H

struct cgroup_slots;
struct grid;

/**
 * cgroup_slots__new() - begin with no cgroup
 * @whole: has one row, and nodes of TopDown trees (WANT_SLOTS); must outlive what is returned
 * @rest:  the name of what is in none of the cgroups
 * @remembered: counters of so many cgroups that were chosen once are kept
 *
 * cgroup_slots__free() releases it.
 */
struct cgroup_slots *cgroup_slots__new(const struct grid *whole, const char *rest, int remembered);
/** cgroup_slots__free() - release it; NULL is allowed. */
void cgroup_slots__free(struct cgroup_slots *s);
/**
 * cgroup_slots__choose() - from now on these cgroups are counted
 * @names: @nr of them, each once
 *
 * The grid is another one afterwards. What was counted of a cgroup that is no longer remembered
 * begins at 0 again.
 */
void cgroup_slots__choose(struct cgroup_slots *s, const char *const *names, int nr);
/**
 * cgroup_slots__add() - take a row
 * @counted: the grid of the measurement that was begun for the cgroups which were chosen; NULL
 * where none was counted in this row
 */
void cgroup_slots__add(struct cgroup_slots *s, const struct grid *counted);
/** cgroup_slots__grid() - give the grid of all of it; valid until others are chosen. */
const struct grid *cgroup_slots__grid(const struct cgroup_slots *s);

#endif
