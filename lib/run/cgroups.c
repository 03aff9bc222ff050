// SPDX-License-Identifier: GPL-2.0-only
/* Notice when a cgroup that is counted is removed, and when a new cgroup matches a pattern. */
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/strmap.h"
#include "base/xalloc.h"
#include "machine/cgroup.h"
#include "run/internal.h"

#define LOOK_NS 1000000000ULL /* time between two look-ups of a pattern */

static const struct cgroup *find_named(const struct cgroup_list *list, const char *name)
{
	for (int i = 0; i < list->nr; i++)
		if (list->at[i] && !strcmp(list->at[i]->name, name))
			return list->at[i];
	return NULL;
}

static void tell_state(struct run *run, const struct cgroup *c)
{
	if (c->state == CGROUP_GONE)
		tell(run, SESSION, NULL, "cgroup %s was removed: it is not counted from here on",
		     c->name);
	else if (c->state == CGROUP_ANOTHER)
		tell(run, SESSION, NULL,
		     "cgroup %s was removed and created again, and is not counted: restart tma to "
		     "count it", c->name);
}

/* Note, once for each cgroup that began to match after the start, that it is not counted. */
static void look_for_matches(struct run *run)
{
	auto_free(cgroup_list) now = {.at = NULL};
	struct err err = ERR_INIT;

	if (cgroups__list(run->host->machine, "--for-each-cgroup", run->req->each_cgroup, &now,
			  &err))
		return;
	if (!run->newcomers)
		run->newcomers = xchecked(strmap__new());
	for (int i = 0; i < now.nr; i++) {
		const char *name = now.at[i]->name;
		int nr = strmap__nr(run->newcomers);

		if (find_named(&run->cgroups, name) || strmap__add(run->newcomers, name, nr) != nr)
			continue;
		tell(run, SESSION, NULL,
		     "cgroup %s matches now, but is not counted: restart tma to count it", name);
	}
}

void run_cgroups__check(struct run *run, uint64_t now_ns)
{
	const struct request *req = run->req;

	if (!req->cgroup_names && !req->each_cgroup)
		return;
	for (int i = 0; i < run->cgroups.nr; i++) {
		struct cgroup *c = run->cgroups.at[i];

		if (!c)
			continue;
		if (c->state != c->reported)
			tell_state(run, c);
		c->reported = c->state;
	}
	if (!req->each_cgroup || now_ns < run->looked_ns + LOOK_NS)
		return;
	run->looked_ns = now_ns;
	look_for_matches(run);
}

void run_cgroups__free(struct run *run)
{
	strmap__free(run->newcomers);
	cgroup_list__free(&run->cgroups);
}
