// SPDX-License-Identifier: GPL-2.0-only
/* Read CPU times of cgroups, which the kernel keeps in the tree of v2 and in v1's cpuacct. */
#include "machine/cgroup_pick.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/internal.h"

#define NS_PER_US 1000
#define PICKED_FACTOR 1.25 /* factor for picked cgroups: similar ones do not alternate */
#define USED "usage_usec "

/**
 * struct look - a walk through the tree of cgroups
 * @mount: mount point of the cgroups that are counted
 * @v1_mount: mount point of v1's hierarchy with CPU times, or ""
 * @names: cgroups to visit, below the mount, parents before children; "" for the root
 * @before: the cgroups at the previous look
 */
struct look {
	char mount[PATH_MAX], v1_mount[PATH_MAX];
	VEC(char *) names;
	struct cgroup_pick *pick;
	struct cgroup_pick before;
};

static int cgroup_pick__by_name(const void *a, const void *b)
{
	const struct cgroup_use *one = a, *other = b;

	return strcmp(one->name, other->name);
}

static double weight(const struct cgroup_use *u)
{
	return u->is_picked ? u->recent * PICKED_FACTOR : u->recent;
}

static int by_weight(const void *a, const void *b)
{
	const struct cgroup_use *one = *(struct cgroup_use *const *)a;
	const struct cgroup_use *other = *(struct cgroup_use *const *)b;

	return (weight(one) < weight(other)) - (weight(one) > weight(other))
		       ?: other->is_picked - one->is_picked
		       ?: strcmp(one->name, other->name);
}

/*
 * v1's hierarchy with perf_event has no CPU times; the hierarchy with cpuacct has them under the
 * same paths.
 */
static bool read_use(const struct look *l, const char *name, uint64_t *used_us)
{
	struct err err = ERR_INIT;
	char line[64];

	if (file__read_line(line, sizeof(line), "%s/%s/cpu.stat", l->mount, name) > 0 &&
	    text__has_prefix(line, USED))
		return !num__parse_u64("cpu.stat", line + strlen(USED), 0, UINT64_MAX, used_us,
				       &err);
	if (!*l->v1_mount ||
	    file__read_line(line, sizeof(line), "%s/%s/cpuacct.usage", l->v1_mount, name) <= 0 ||
	    num__parse_u64("cpuacct.usage", line, 0, UINT64_MAX, used_us, &err))
		return false;
	*used_us /= NS_PER_US;
	return true;
}

static void add_use(struct look *l, const char *name)
{
	struct cgroup_use use = {.name = (char *)name}, *was = NULL;

	if (!strcmp(name, CGROUP_OTHER) || !read_use(l, name, &use.used_us))
		return;
	if (l->before.uses.nr)
		was = bsearch(&use, l->before.uses.at, l->before.uses.nr, sizeof(use),
			      cgroup_pick__by_name);
	use.recent = use.used_us;
	if (was && was->used_us <= use.used_us) {
		/* CPU time of a cgroup's whole life does not count as recent. */
		use.recent -= was->used_us;
		use.recent += l->before.looks > 1 ? was->recent / 2 : 0;
	}
	use.is_picked = was && was->is_picked;
	use.name = xstrdup(name);
	vec__push(&l->pick->uses, use);
}

static bool is_directory(const char *dir, const struct dirent *entry)
{
	char path[PATH_MAX];
	struct stat st;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name) < (int)sizeof(path) &&
	       !lstat(path, &st) && S_ISDIR(st.st_mode);
}

static void cgroup_pick__add_name(struct look *l, const char *above, const char *name)
{
	char whole[PATH_MAX];

	if (l->names.nr > CGROUPS_LOOKED_AT)
		l->pick->is_cut = true;
	else if (snprintf(whole, sizeof(whole), "%s%s%s", above, *above ? "/" : "", name) <
		 (int)sizeof(whole))
		vec__push(&l->names, xstrdup(whole));
}

/*
 * Skip a cgroup that is removed meanwhile. When the list of names is full, still find out whether
 * the cgroup has children, because only cgroups without children are counted.
 */
static void look_into(struct look *l, const char *name)
{
	char path[PATH_MAX];
	bool is_leaf = true;
	struct dirent *entry;
	DIR *dir;

	if (snprintf(path, sizeof(path), "%s/%s", l->mount, name) >= (int)sizeof(path))
		return;
	dir = opendir(path);
	while (dir && (is_leaf || !l->pick->is_cut) && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    !is_directory(path, entry))
			continue;
		is_leaf = false;
		cgroup_pick__add_name(l, name, entry->d_name);
	}
	if (dir && is_leaf && *name)
		add_use(l, name);
	if (dir)
		closedir(dir);
}

static void cgroup_pick__walk(struct look *l)
{
	vec__push(&l->names, xstrdup(""));
	for (int i = 0; i < l->names.nr; i++) {
		look_into(l, l->names.at[i]);
		free(l->names.at[i]);
	}
	vec__free(&l->names);
}

/* Return: whether the picked cgroups have changed. */
static bool choose_most_used(struct cgroup_pick *p, int most)
{
	struct cgroup_use **order = xcalloc(p->uses.nr + 1, sizeof(*order));
	bool changed = false;

	for (int i = 0; i < p->uses.nr; i++)
		order[i] = &p->uses.at[i];
	qsort(order, p->uses.nr, sizeof(*order), by_weight);
	for (int i = 0; i < p->uses.nr; i++) {
		bool is_picked = i < most && (order[i]->recent > 0 || order[i]->is_picked);

		changed |= is_picked != order[i]->is_picked;
		order[i]->is_picked = is_picked;
	}
	free(order);
	return changed;
}

static int count_picked(const struct cgroup_pick *p)
{
	const struct cgroup_use *use;
	int nr = 0;

	vec__for_each(use, &p->uses)
		nr += use->is_picked;
	return nr;
}

int cgroup_pick__choose(struct cgroup_pick *p, const struct machine *m, const char *what, int most,
		      struct err *err)
{
	struct err no_v1 = ERR_INIT;
	struct look l = {.pick = p};
	int rc = cgroups__find_mount(m, what, "perf_event", l.mount, sizeof(l.mount), err);
	bool changed;

	if (rc)
		return rc;
	if (cgroups__find_mount(m, what, "cpuacct", l.v1_mount, sizeof(l.v1_mount), &no_v1))
		*l.v1_mount = '\0';
	l.before = *p;
	*p = (struct cgroup_pick){.looks = p->looks + 1};
	cgroup_pick__walk(&l);
	if (p->uses.nr)
		qsort(p->uses.at, p->uses.nr, sizeof(*p->uses.at), cgroup_pick__by_name);
	/* A picked cgroup may have been removed. */
	changed = count_picked(p) != count_picked(&l.before);
	changed |= choose_most_used(p, most);
	cgroup_pick__free(&l.before);
	return changed;
}

int cgroup_pick__choose_named(struct cgroup_pick *p, const struct machine *m, const char *what,
		      const char *const *names, int nr, struct err *err)
{
	struct cgroup_pick now = {.looks = p->looks + 1};
	char mount[PATH_MAX];
	int rc = cgroups__find_mount(m, what, "perf_event", mount, sizeof(mount), err);
	bool changed;

	if (rc)
		return rc;
	for (int i = 0; i < nr; i++) {
		struct sb path = SB_INIT;
		struct stat st;

		sb__printf(&path, "%s/%s", mount, names[i]);
		if (!stat(path.buf, &st) && S_ISDIR(st.st_mode))
			vec__push(&now.uses, (struct cgroup_use){.name = xstrdup(names[i]),
								 .is_picked = true});
		sb__free(&path);
	}
	changed = now.uses.nr != p->uses.nr;
	for (int i = 0; i < now.uses.nr && !changed; i++)
		changed = strcmp(now.uses.at[i].name, p->uses.at[i].name) != 0;
	cgroup_pick__free(p);
	*p = now;
	return changed;
}

void cgroup_pick__free(struct cgroup_pick *p)
{
	struct cgroup_use *use;

	vec__for_each(use, &p->uses)
		free(use->name);
	vec__free(&p->uses);
}
