/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the cgroups that used most CPU time recently.
 *
 * Only cgroups without children are considered, so that no task is in two of them.
 */
#ifndef TMA_MACHINE_CGROUP_PICK_H
#define TMA_MACHINE_CGROUP_PICK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct err;
struct machine;

/*
 * Name of the row for tasks outside of all picked cgroups; a cgroup with this name is never picked.
 */
#define CGROUP_OTHER "other"

/*
 * Limit of visited cgroups, as users may create any number of cgroups. Cgroups at the top of the
 * tree are visited first, so that a user who may create cgroups only deeper in the tree cannot hide
 * others.
 */
#define CGROUPS_LOOKED_AT 5000

/**
 * struct cgroup_use - a cgroup
 * @name:    its path below the mount
 * @used_us: CPU time of its life, in us
 * @recent:  CPU time since the previous look, plus half of the value of @recent at that look, in us
 * @is_picked: the cgroup is picked
 */
struct cgroup_use {
	char *name;
	uint64_t used_us;
	double recent;
	bool is_picked;
};

/**
 * struct cgroup_pick - the present cgroups, in the order of their names; zeroed at first
 * @looks: how often the tree was read
 * @is_cut: the tree had more cgroups than are visited
 */
struct cgroup_pick {
	VEC(struct cgroup_use) uses;
	uint64_t looks;
	bool is_cut;
};

/**
 * cgroup_pick__choose() - pick the cgroups that used most CPU time since the last call; the first
 * call picks by the CPU time of their lives
 * @what: the option, for messages
 * @most: greatest number of cgroups to pick
 *
 * Another cgroup replaces a picked one only if it has a quarter more CPU time, so that two similar
 * ones do not alternate. A cgroup without CPU time is not picked, but may stay picked. The result
 * is in cgroup_use.is_picked.
 *
 * Return: 1 if the picked cgroups have changed; 0 if not; -errno if there are no cgroups.
 */
int cgroup_pick__choose(struct cgroup_pick *p, const struct machine *m, const char *what, int most,
		      struct err *err);
/**
 * cgroup_pick__choose_named() - pick the cgroups of a list that exist
 * @what: the option, for messages
 * @names: paths as in struct cgroup_use; @nr: number of names
 *
 * Return: as cgroup_pick__choose().
 */
int cgroup_pick__choose_named(struct cgroup_pick *p, const struct machine *m, const char *what,
		      const char *const *names, int nr, struct err *err);
/** cgroup_pick__free() - release the list. */
void cgroup_pick__free(struct cgroup_pick *p);

#endif
