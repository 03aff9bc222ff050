/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of slots of a computer, of some of its cgroups, and of the rest of it.
 *
 * The input is the grid of the whole computer, and for each row the grid of a measurement of
 * cgroups, which begins at 0 whenever others are chosen. The output is one grid of both, whose
 * counters (cell_more.slots) never decrease: a cgroup that is chosen again continues from its old
 * value. The rest is the whole minus its cgroups, so that all add up.
 */
#ifndef TMA_REPORT_CGROUP_SLOTS_H
#define TMA_REPORT_CGROUP_SLOTS_H

struct cgroup_slots;
struct grid;

/**
 * cgroup_slots__new() - begin without cgroups
 * @whole: has one row, and nodes of TopDown trees (WANT_SLOTS); must outlive what is returned
 * @rest:  the name of the row for everything outside of the cgroups
 * @remembered: number of formerly chosen cgroups whose counters are kept
 *
 * cgroup_slots__free() releases it.
 */
struct cgroup_slots *cgroup_slots__new(const struct grid *whole, const char *rest, int remembered);
/** cgroup_slots__free() - release it; NULL is allowed. */
void cgroup_slots__free(struct cgroup_slots *s);
/**
 * cgroup_slots__choose() - choose the cgroups that are counted from now on
 * @names: @nr of them, each once
 *
 * The grid is replaced. Counters of a cgroup that is no longer remembered begin at 0 again.
 */
void cgroup_slots__choose(struct cgroup_slots *s, const char *const *names, int nr);
/**
 * cgroup_slots__add() - add a row
 * @counted: the grid of the measurement that was begun for the chosen cgroups; NULL if none was
 * counted in this row
 */
void cgroup_slots__add(struct cgroup_slots *s, const struct grid *counted);
/** cgroup_slots__grid() - return the grid of everything; valid until others are chosen. */
const struct grid *cgroup_slots__grid(const struct cgroup_slots *s);

#endif
