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

/* Name of the row for all tasks in no picked cgroup; a cgroup of this name is never picked. */
#define CGROUP_OTHER "other"

/*
 * At most this many are visited, as users may create cgroups without end. Those at the top of the
 * tree are visited first, so that a user who may create cgroups only deeper in the tree cannot hide
 * others.
 */
#define CGROUPS_LOOKED_AT 5000

/**
 * struct cgroup_use - a cgroup
 * @name:    its path below the mount
 * @used_us: CPU time of its life, in us
 * @recent:  CPU time since the previous look, plus half of what this was then, in us
 * @is_picked: it is one of the picked cgroups
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
 * @is_cut: there were more cgroups than are visited
 */
struct cgroup_pick {
	VEC(struct cgroup_use) uses;
	uint64_t looks;
	bool is_cut;
};

/**
 * cgroup_pick__choose() - pick the cgroups with most CPU time since the last call; at first, of
 * their life
 * @what: the option, for messages
 * @most: how many at most
 *
 * Another cgroup replaces a picked one only if it has a quarter more CPU time, so that two similar
 * ones do not alternate. A cgroup without CPU time is not picked, but one that is picked may stay.
 * The result is in cgroup_use.is_picked.
 *
 * Return: 1 if the picked cgroups have changed; 0 if not; -errno if there are no cgroups.
 */
int cgroup_pick__choose(struct cgroup_pick *p, const struct machine *m, const char *what, int most,
		      struct err *err);
/**
 * cgroup_pick__choose_named() - pick the cgroups of a list that exist
 * @what: the option, for messages
 * @names: paths as in struct cgroup_use; @nr: how many
 *
 * Return: as cgroup_pick__choose().
 */
int cgroup_pick__choose_named(struct cgroup_pick *p, const struct machine *m, const char *what,
		      const char *const *names, int nr, struct err *err);
/** cgroup_pick__free() - release the list. */
void cgroup_pick__free(struct cgroup_pick *p);

#endif
