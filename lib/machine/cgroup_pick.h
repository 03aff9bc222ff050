/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which cgroups have had most CPU time of late: the tree of cgroups comes in, names go out.
 *
 * Looked at are those that have no cgroup in them, so that no two have a task in common.
 */
#ifndef TMA_MACHINE_CGROUP_PICK_H
#define TMA_MACHINE_CGROUP_PICK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct err;
struct machine;

/* All that is in none of those that were chosen is called so: no cgroup of this name is chosen. */
#define CGROUP_OTHER "other"

/*
 * So many are looked at, for who makes cgroups without an end: first those at the top of the tree,
 * then those in them, so that whoever may only make them further down hides none above.
 */
#define CGROUPS_LOOKED_AT 5000

/**
 * struct cgroup_use - a cgroup
 * @name:    its path below where cgroups are mounted
 * @used_us: CPU time of its life
 * @recent:  CPU time since the look before, and half of what this was then, us
 * @is_picked: it is one of those that were chosen
 */
struct cgroup_use {
	char *name;
	uint64_t used_us;
	double recent;
	bool is_picked;
};

/**
 * struct cgroup_pick - the cgroups that are there, in the order of their names; zeroed at first
 * @looks: how often they were looked at
 * @is_cut: there were more than are looked at
 */
struct cgroup_pick {
	VEC(struct cgroup_use) uses;
	uint64_t looks;
	bool is_cut;
};

/**
 * cgroup_pick__look() - choose those with most CPU time since the last look, or of their life
 * @what: the option, for messages
 * @most: how many at most
 *
 * One that was chosen gives way only to one with a quarter more, so that two that are alike do not
 * take turns. None is chosen that had no CPU time, but it may stay. cgroup_use.is_picked says which
 * they are.
 *
 * Return: 1 where they are others than before; 0; -errno where there are no cgroups.
 */
int cgroup_pick__look(struct cgroup_pick *p, const struct machine *m, const char *what, int most,
		      struct err *err);
/**
 * cgroup_pick__take() - choose those of a list that are there
 * @what: the option, for messages
 * @names: as struct cgroup_use has them; @nr: how many
 *
 * Return: as cgroup_pick__look() does.
 */
int cgroup_pick__take(struct cgroup_pick *p, const struct machine *m, const char *what,
		      const char *const *names, int nr, struct err *err);
/** cgroup_pick__free() - release the list. */
void cgroup_pick__free(struct cgroup_pick *p);

#endif
