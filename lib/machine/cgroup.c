// SPDX-License-Identifier: GPL-2.0-only
/* Find the mount of cgroups in procfs, and open cgroups as directories. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/pattern.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/cgroup.h"
#include "machine/machine.h"

#define MOUNTS_MAX (4 << 20)
#define PATTERN_LETTERS "[]{}()|*+?^$"
#define DEPTH_MAX 64

/* Fields of a line in /proc/mounts. */
enum { MOUNT_DEVICE, MOUNT_DIR, MOUNT_TYPE, MOUNT_OPTIONS, MOUNT_NR };

/* A listed mount may not be accessible: another mount hides it, or it is in another namespace. */
static bool can_be_used(const char *dir)
{
	return !access(dir, X_OK);
}

int cgroups__find_mount(const struct machine *m, const char *what, const char *controller,
			char *dir, size_t size, struct err *err)
{
	char path[PATH_MAX], *text, *line, *rest;
	bool found = false, v1 = false, is_v1;
	int rc;

	snprintf(path, sizeof(path), "%s/mounts", m->procfs);
	rc = file__read(path, MOUNTS_MAX, &text, NULL, err);
	if (rc)
		return rc;
	for (rest = text; (line = strsep(&rest, "\n"));) {
		char *field[MOUNT_NR] = { NULL };

		for (int i = 0; i < MOUNT_NR && line; i++)
			field[i] = strsep(&line, " ");
		if (!field[MOUNT_OPTIONS])
			continue;
		is_v1 = !strcmp(field[MOUNT_TYPE], "cgroup") &&
			text__has_item(field[MOUNT_OPTIONS], ",", controller);
		if (!is_v1 && strcmp(field[MOUNT_TYPE], "cgroup2"))
			continue;
		/* The first mount is the system's; mounts of containers follow. */
		if ((found && (v1 || !is_v1)) || !can_be_used(field[MOUNT_DIR]))
			continue;
		found = true;
		v1 = is_v1;
		snprintf(dir, size, "%s", field[MOUNT_DIR]);
	}
	free(text);
	return found ? 0
		     : err__set(err, ENOENT,
				"%s: cgroups are not mounted: neither cgroup v2 nor the "
				"%s hierarchy of v1 is in %s",
				what, controller, path);
}

static int cgroup__open_one(const char *mount, const char *what, const char *name,
			    struct cgroup_list *out, struct err *err)
{
	char path[PATH_MAX];
	struct cgroup *c;
	struct stat st;
	int fd;

	if (snprintf(path, sizeof(path), "%s/%s", mount, name) >= (int)sizeof(path))
		return err__set(err, ENAMETOOLONG, "%s: the name of a cgroup is too long", what);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return err__set(err, ENOENT, "%s: no cgroup '%s' in %s", what, name, mount);
	if (fd < 0)
		return err__set(err, errno, "%s: cannot open cgroup %s: %s", what, path,
				strerror(errno));
	c = xmalloc(sizeof(*c));
	*c = (struct cgroup){ .name = xstrdup(name), .path = xstrdup(path), .fd = fd };
	c->inode = fstat(fd, &st) ? 0 : st.st_ino;
	vec__push(out, c);
	return 0;
}

static bool has_name(const struct cgroup_list *list, const char *name)
{
	for (int i = 0; i < list->nr; i++)
		if (list->at[i] && !strcmp(list->at[i]->name, name))
			return true;
	return false;
}

static void cgroup__close(struct cgroup *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

/* With @each, rows are cgroups, and a name that occurs twice is opened once. */
static int open_names(const char *mount, const char *what, const char *text, bool each,
		      struct cgroup_list *out, struct err *err)
{
	char *copy = xstrdup(text), *rest = copy, *name;
	int rc = 0;

	while (!rc && (name = strsep(&rest, ","))) {
		if (!*name && !each)
			vec__push(out, NULL);
		else if (!*name)
			name = "/";
		if (*name && !(each && has_name(out, name)))
			rc = cgroup__open_one(mount, what, name, out, err);
	}
	free(copy);
	return rc;
}

/* The patterns of an option. @names_only: matching cgroups are closed again. */
struct patterns {
	regex_t *at;
	int nr, cap;
	bool root, names_only;
};

static int cgroup__compile(struct patterns *p, const char *what, const char *text, struct err *err)
{
	char *copy = xstrdup(text), *rest = copy, *item, why[128];
	int rc = 0, bad;
	regex_t re;

	while (!rc && (item = strsep(&rest, ","))) {
		if (!*item) {
			p->root = true;
			continue;
		}
		bad = regcomp(&re, item, REG_NOSUB);
		if (bad == REG_ESPACE)
			xchecked(NULL);
		if (bad) {
			regerror(bad, &re, why, sizeof(why));
			rc = err__set(err, EINVAL, "%s: '%s': %s", what, item, why);
		} else {
			vec__push(p, re);
		}
	}
	free(copy);
	return rc;
}

static bool matches(const struct patterns *p, const char *name)
{
	if (p->root && !strcmp(name, "/"))
		return true;
	for (int i = 0; i < p->nr; i++)
		if (pattern__matches(&p->at[i], name, NULL))
			return true;
	return false;
}

/*
 * Walk a cgroup and the cgroups below it; skip a cgroup that is removed meanwhile. @name is
 * relative to the mount, "" for the root.
 */
static int cgroup__walk(const struct patterns *p, const char *mount, const char *what,
			const char *name, int depth, struct cgroup_list *out, struct err *err)
{
	char dir[PATH_MAX], below[PATH_MAX], **names;
	struct stat st;
	int nr, rc = 0;

	if (matches(p, *name ? name : "/"))
		rc = cgroup__open_one(mount, what, *name ? name : "/", out, err);
	if (rc)
		return rc == -ENOENT ? 0 : rc;
	if (p->names_only && out->nr)
		cgroup__close(out->at[out->nr - 1]);
	if (depth == DEPTH_MAX)
		return 0;
	rc = file__list_dir(&names, &nr, "%s/%s", mount, name);
	/* The cgroup may have been removed, or this user may not read it. */
	if (rc)
		return rc == -ENOENT || rc == -EACCES
			       ? 0
			       : err__set(err, -rc, "%s: cannot read the cgroups in %s/%s: %s",
					  what, mount, name, strerror(-rc));
	for (int i = 0; i < nr && !rc; i++) {
		if (snprintf(below, sizeof(below), "%s%s%s", name, *name ? "/" : "", names[i]) >=
			    (int)sizeof(below) ||
		    snprintf(dir, sizeof(dir), "%s/%s", mount, below) >= (int)sizeof(dir) ||
		    lstat(dir, &st) || !S_ISDIR(st.st_mode))
			continue;
		rc = cgroup__walk(p, mount, what, below, depth + 1, out, err);
	}
	file__free_names(names, nr);
	return rc;
}

static int open_matches(const char *mount, const char *what, const char *text, bool names_only,
			struct cgroup_list *out, struct err *err)
{
	struct patterns patterns = { .names_only = names_only };
	int rc = cgroup__compile(&patterns, what, text, err)
			 ?: cgroup__walk(&patterns, mount, what, "", 0, out, err);

	if (!rc && !out->nr)
		rc = err__set(err, ENOENT, "%s: no cgroup in %s matches '%s'", what, mount, text);
	for (int i = 0; i < patterns.nr; i++)
		regfree(&patterns.at[i]);
	vec__free(&patterns);
	return rc;
}

int cgroups__open(const struct machine *m, const char *what, const char *text, bool match,
		  struct cgroup_list *out, struct err *err)
{
	char mount[PATH_MAX];
	int rc = cgroups__find_mount(m, what, "perf_event", mount, sizeof(mount), err);

	if (rc)
		return rc;
	if (!match || !strpbrk(text, PATTERN_LETTERS))
		return open_names(mount, what, text, match, out, err);
	return open_matches(mount, what, text, false, out, err);
}

int cgroups__list(const struct machine *m, const char *what, const char *text,
		  struct cgroup_list *out, struct err *err)
{
	char mount[PATH_MAX];
	int rc = cgroups__find_mount(m, what, "perf_event", mount, sizeof(mount), err);

	if (rc || !strpbrk(text, PATTERN_LETTERS))
		return rc;
	return open_matches(mount, what, text, true, out, err);
}

int cgroups__open_named(const struct machine *m, const char *what, const char *const *names, int nr,
			struct cgroup_list *out, struct err *err)
{
	char mount[PATH_MAX];
	int rc = cgroups__find_mount(m, what, "perf_event", mount, sizeof(mount), err);

	for (int i = 0; !rc && i < nr; i++)
		rc = cgroup__open_one(mount, what, names[i], out, err);
	return rc;
}

void cgroup__replace(struct cgroup *c, int fd)
{
	struct stat st;

	cgroup__close(c);
	c->fd = fd;
	c->inode = fstat(fd, &st) ? 0 : st.st_ino;
	c->state = CGROUP_THERE;
}

void cgroup__update(struct cgroup *c)
{
	struct stat st;

	if (!c->path || !c->inode)
		return;
	if (!stat(c->path, &st))
		c->state = st.st_ino == c->inode ? CGROUP_THERE : CGROUP_ANOTHER;
	else if (errno == ENOENT)
		c->state = CGROUP_GONE;
}

void cgroup_list__free(struct cgroup_list *list)
{
	for (int i = 0; i < list->nr; i++) {
		if (!list->at[i])
			continue;
		cgroup__close(list->at[i]);
		free(list->at[i]->name);
		free(list->at[i]->path);
		free(list->at[i]);
	}
	vec__free(list);
}
