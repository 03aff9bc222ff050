/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of slots: of the whole computer, of some cgroups, and of the rest of the computer.
 *
 * The input is the grid of the whole computer, and for each row the grid of a measurement of
 * cgroups. This measurement begins at 0 whenever other cgroups are chosen. The output is one grid
 * of everything, whose counters (cell_more.slots) never decrease: a cgroup that is chosen again
 * continues from its old value. The rest is the whole minus the cgroups, so that cgroups and rest
 * add up to the whole.
 */
#ifndef TMA_REPORT_CGROUP_SLOTS_H
#define TMA_REPORT_CGROUP_SLOTS_H

struct cgroup_slots;
struct grid;

/**
 * cgroup_slots__new() - begin without cgroups
 * @whole: a grid of one row with nodes of TopDown trees (WANT_SLOTS); must outlive the counters
 * @rest:  name of the row for everything outside the cgroups
 * @remembered: number of cgroups whose counters are kept after they are no longer chosen
 *
 * Return: the counters, which cgroup_slots__free() releases.
 */
struct cgroup_slots *cgroup_slots__new(const struct grid *whole, const char *rest, int remembered);
/** cgroup_slots__free() - release the counters; NULL is allowed. */
void cgroup_slots__free(struct cgroup_slots *s);
/**
 * cgroup_slots__choose() - choose which cgroups are counted from now on
 * @names: names of @nr different cgroups
 *
 * This replaces the grid. The counters of a cgroup that is no longer remembered begin at 0 again.
 */
void cgroup_slots__choose(struct cgroup_slots *s, const char *const *names, int nr);
/**
 * cgroup_slots__add() - add a row
 * @counted: the grid of the measurement of the chosen cgroups; NULL if this row has no counts of
 * cgroups
 */
void cgroup_slots__add(struct cgroup_slots *s, const struct grid *counted);
/** cgroup_slots__grid() - return the grid of everything; valid until other cgroups are chosen. */
const struct grid *cgroup_slots__grid(const struct cgroup_slots *s);

#endif
