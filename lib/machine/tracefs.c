// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read tracefs, which has a directory for each tracepoint, with the tracepoint's id and the layout
 * of its records.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/filter.h"
#include "machine/internal.h"

#define FORMAT "%s/%s/%s/format"
#define FORMAT_MAX (1 << 20)

/* Tracepoints that were found. */
struct found {
	const struct machine *machine;
	struct tracepoint *at;
	int nr, cap;
	enum tracepoint_detail detail;
};

/* Places of tracefs below sysfs; in older systems it is in debugfs. */
static const char *const places[] = { "kernel/tracing", "kernel/debug/tracing" };

static int find_below(const char *sysfs, char *path, size_t size)
{
	for (int i = 0; i < array__nr(places); i++) {
		snprintf(path, size, "%s/%s/events", sysfs, places[i]);
		if (!access(path, F_OK))
			return 0;
		if (errno == EACCES)
			return -EACCES;
	}
	return -ENOENT;
}

static int find_directory(const struct machine *m, char *path, size_t size)
{
	char dir[PATH_MAX];
	int rc = find_below(m->sysfs, path, size);

	/* The folder in SYSFS_PATH may have only PMUs: use the tracepoints of the real kernel. */
	if (rc == -ENOENT && m->fake_sysfs)
		return find_below("/sys", path, size);
	if (rc != -ENOENT || geteuid())
		return rc;
	snprintf(dir, sizeof(dir), "%s/%s", m->sysfs, places[0]);
	snprintf(path, size, "%s/%s/events", m->sysfs, places[0]);
	return mount("nodev", dir, "tracefs", 0, NULL) || access(path, F_OK) ? -ENOENT : 0;
}

static char *read_format(const char *dir, const char *system, const char *name)
{
	return machine__read_file(FORMAT_MAX, FORMAT, dir, system, name);
}

static int not_readable(const char *system, const char *name, int code, struct err *err)
{
	if (code == EACCES || code == EPERM)
		return err__set(err, EACCES,
				"tracepoint %s:%s: no permission to read tracefs: run tma as root, "
				"or run as root 'mount -o remount,mode=755 /sys/kernel/tracing'",
				system, name);
	return err__set(err, code, "tracepoint %s:%s: %s", system, name, strerror(code));
}

/* If the kernel's description of the tracepoint is readable, it must have the same id. */
static int check_format(const char *dir, const struct tracepoint *tp, struct err *err)
{
	auto_text text = read_format(dir, tp->system, tp->name);
	const char *line = text ? strstr(text, "\nID: ") : NULL;
	uint64_t id = 0;

	if (!text || (line && num__scan_u64(line + strlen("\nID: "), 10, &id) && id == tp->id))
		return 0;
	return err__set(err, EINVAL, "tracepoint %s:%s: " FORMAT " does not describe it",
			tp->system, tp->name, dir, tp->system, tp->name);
}

static int read_id(const char *dir, const char *system, const char *name, uint64_t *id,
		   struct err *err)
{
	char line[32];
	int rc;

	rc = file__read_line(line, sizeof(line), "%s/%s/%s/id", dir, system, name);
	if (rc < 0)
		return not_readable(system, name, -rc, err);
	if (num__parse_u64("id", line, 0, INT_MAX, id, NULL))
		return err__set(err, EINVAL, "tracepoint %s:%s: its id '%s' is not a number",
				system, name, line);
	return 0;
}

/*
 * Files that this user may not read, and files among the directories, are usual: do not note them.
 */
static int note_unread(const struct found *found, int rc, const char *path)
{
	if (rc == -EACCES || rc == -ENOTDIR)
		return rc;
	return machine__note_odd(found->machine, rc, "%s", path);
}

static int push(struct found *found, const char *dir, const char *system, const char *name,
		struct err *err)
{
	struct tracepoint tp = { .id = 0 };
	int rc = found->detail == TRACEPOINT_NAMES ? 0 : read_id(dir, system, name, &tp.id, err);

	if (rc)
		return found->detail == TRACEPOINT_IDS ? 0 : rc;
	tp.system = xstrdup(system);
	tp.name = xstrdup(name);
	vec__push(found, tp);
	return found->detail == TRACEPOINT_CHECKED ? check_format(dir, &tp, err) : 0;
}

static int list_dir(const struct found *found, char ***names, int *nr, const char *dir,
		    const char *system)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s%s", dir, *system ? "/" : "", system);
	return note_unread(found, file__list_dir(names, nr, "%s", path), path);
}

static bool has_id(const struct found *found, const char *dir, const char *system, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s/%s/id", dir, system, name);
	if (file__exists("%s", path))
		return true;
	note_unread(found, -errno, path);
	return false;
}

static int add_matching(struct found *found, const char *dir, const char *system, const char *name,
			struct err *err)
{
	char **names;
	int nr, rc;

	if (!text__is_glob(name))
		return push(found, dir, system, name, err);
	rc = list_dir(found, &names, &nr, dir, system);
	if (rc)
		return rc == -ENOTDIR ? 0 : not_readable(system, name, -rc, err);
	for (int i = 0; i < nr && !rc; i++)
		if (text__match(name, names[i], false) && has_id(found, dir, system, names[i]))
			rc = push(found, dir, system, names[i], err);
	file__free_names(names, nr);
	return rc;
}

static int add_systems(struct found *found, const char *dir, const char *system, const char *name,
		       struct err *err)
{
	char **names;
	int nr, rc;

	if (!text__is_glob(system))
		return add_matching(found, dir, system, name, err);
	rc = list_dir(found, &names, &nr, dir, "");
	if (rc)
		return not_readable(system, name, -rc, err);
	for (int i = 0; i < nr && !rc; i++) {
		if (!text__match(system, names[i], false))
			continue;
		if (text__is_glob(name) || has_id(found, dir, names[i], name))
			rc = add_matching(found, dir, names[i], name, err);
		/*
		 * If tracepoints are only listed, a file that this user may not read is not an
		 * error.
		 */
		if (found->detail != TRACEPOINT_CHECKED)
			rc = 0;
	}
	file__free_names(names, nr);
	return rc;
}

static int tracefs__find(const struct machine *m, const char *system, const char *name,
			 struct found *found, struct err *err)
{
	char dir[PATH_MAX];
	int rc;

	rc = find_directory(m, dir, sizeof(dir));
	if (rc == -ENOENT)
		return err__set(err, ENOENT,
				"tracepoint %s:%s: tracefs is not mounted: run as root 'mount "
				"-t tracefs nodev /sys/kernel/tracing'",
				system, name);
	if (rc)
		return not_readable(system, name, -rc, err);
	if (!strchr(system, '/') && !strchr(name, '/') && *system != '.' && *name != '.')
		rc = add_systems(found, dir, system, name, err);
	if (rc == -ENOENT || (!rc && !found->nr))
		rc = err__set(err, ENOENT, "there is no tracepoint %s:%s", system, name);
	return rc;
}

int machine__tracepoints(const struct machine *m, const char *system, const char *name,
			 enum tracepoint_detail detail, struct tracepoint **out, int *nr,
			 struct err *err)
{
	struct found found = {.machine = m, .detail = detail};
	int rc = tracefs__find(m, system, name, &found, err);

	if (rc) {
		tracepoint__free_all(found.at, found.nr);
		return rc;
	}
	*out = found.at;
	*nr = found.nr;
	return 0;
}

void tracepoint__free_all(struct tracepoint *at, int nr)
{
	for (int i = 0; i < nr; i++) {
		free(at[i].system);
		free(at[i].name);
	}
	free(at);
}

int machine__check_filter(const struct machine *m, const char *tracepoint, const char *filter,
			  struct err *err)
{
	auto_text system = xstrdup(tracepoint);
	auto_text format = NULL;
	char dir[PATH_MAX], *name = system;

	/* The filter of ftrace:function has a syntax of its own ("ip == vfs_*"). */
	if (tracepoint && !strcmp(tracepoint, "ftrace:function"))
		return 0;
	if (name)
		strsep(&name, ":");
	if (name && !find_directory(m, dir, sizeof(dir)))
		format = read_format(dir, system, name);
	return filter__check(filter, tracepoint, format, err);
}
