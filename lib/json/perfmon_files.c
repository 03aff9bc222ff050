// SPDX-License-Identifier: GPL-2.0-only
/* List the files of the perfmon repository that belong to a model. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "json/mapfile.h"
#include "json/perfmon.h"

void perfmon_files__free(struct perfmon_files *files)
{
	struct perfmon_file *file;

	vec__for_each(file, &files->list)
		free(file->path);
	vec__free(&files->list);
	free(files->model);
	free(files->folder);
	free(files->version);
	*files = (struct perfmon_files){ .model = NULL };
}

/* Values of EventType in the mapfile; files of other types only repeat the data of these. */
static const struct type {
	const char *type;
	enum perfmon_kind kind;
} types[] = {
	{ "core", PERFMON_CORE },		    { "hybridcore", PERFMON_CORE },
	{ "uncore", PERFMON_UNCORE },		    { "uncore experimental", PERFMON_UNCORE },
	{ "retire latency", PERFMON_LATENCY },	    { "metrics", PERFMON_METRICS },
};

static const struct role {
	const char *role, *unit;
} roles[] = {
	{ "Core", "cpu_core" },
	{ "Atom", "cpu_atom" },
	{ "LowPower_Atom", "cpu_lowpower" },
};

/* A path like "/GNR/events/graniterapids_core.json" contains the model's folder and name. */
static void name_model(struct perfmon_files *files, const char *path)
{
	const char *dir = path + (*path == '/');

	if (!files->folder)
		files->folder = xstrndup(dir, strcspn(dir, "/"));
	if (!files->model)
		files->model = text__lower(xstrndup(basename(path), strcspn(basename(path), "_.")));
}

/*
 * Sort files by kind, so that events are read before the metrics that use them. The list then owns
 * @path.
 */
static void perfmon_files__add(struct perfmon_files *files, char *path, enum perfmon_kind kind,
			       const char *unit)
{
	struct perfmon_file file = { .path = path, .unit = unit, .kind = kind }, *at;
	int i;

	vec__for_each(at, &files->list) {
		if (!strcmp(at->path, path)) {
			free(path);
			return;
		}
	}
	vec__push(&files->list, file);
	for (i = files->list.nr - 1; i > 0 && files->list.at[i - 1].kind > kind; i--)
		files->list.at[i] = files->list.at[i - 1];
	files->list.at[i] = file;
}

int perfmon_files__add_row(struct perfmon_files *files, const char *dir, char *const *cols,
			   struct err *err)
{
	const struct type *known = array__find(types, type, cols[MAP_TYPE]);
	const char *path = cols[MAP_FOLDER], *core = cols[MAP_ROLE] ?: "";
	const struct role *role = array__find(roles, role, core);

	if (!known)
		return 0;
	if (*core && !role)
		return err__set(err, EINVAL, "core role '%s' is not known", core);
	name_model(files, path);
	/*
	 * The version is the version of the events; metrics and latencies have their own versions.
	 */
	if (known->kind == PERFMON_CORE && !files->version)
		files->version = xstrdup(cols[MAP_VERSION]);
	perfmon_files__add(files, xasprintf("%s%s%s", dir, *path == '/' ? "" : "/", path),
			   known->kind, role ? role->unit : NULL);
	return 0;
}

/* Return: the kind of a file, by its name; -1 if it is not read. */
static int perfmon_files__kind_of(const char *name)
{
	if (text__has_suffix(name, "_retire_latency.json"))
		return PERFMON_LATENCY;
	if (strstr(name, "_metrics"))
		return PERFMON_METRICS;
	if (strstr(name, "_uncore"))
		return PERFMON_UNCORE;
	return text__has_suffix(name, "_core.json") ? PERFMON_CORE : -1;
}

static int list_files(struct perfmon_files *files, const char *dir, const char *below)
{
	char **names;
	int nr, rc = file__list_dir(&names, &nr, "%s/%s", dir, below);

	if (rc)
		return rc == -ENOENT ? 0 : rc;
	for (int i = 0; i < nr; i++)
		if (text__has_suffix(names[i], ".json") && perfmon_files__kind_of(names[i]) >= 0)
			perfmon_files__add(files, xasprintf("%s/%s/%s", dir, below, names[i]),
					   perfmon_files__kind_of(names[i]), NULL);
	file__free_names(names, nr);
	return 0;
}

static int nr_cores(const struct perfmon_files *files)
{
	struct perfmon_file *file;
	int nr = 0;

	vec__for_each(file, &files->list)
		nr += file->kind == PERFMON_CORE;
	return nr;
}

int perfmon_files__add_dir(struct perfmon_files *files, const char *dir, struct err *err)
{
	struct perfmon_file *file;
	int rc = list_files(files, dir, "events") ?: list_files(files, dir, "metrics");

	if (rc)
		return err__set(err, -rc, "%s: %s", dir, strerror(-rc));
	vec__for_each(file, &files->list) {
		const char *base = basename(file->path);

		if (nr_cores(files) > 1 && file->kind != PERFMON_UNCORE)
			file->unit = strstr(base, "cove_") ? "cpu_core" : "cpu_atom";
		if (!files->model)
			files->model = xstrndup(base, strcspn(base, "_"));
	}
	files->folder = xstrdup(basename(dir));
	if (!files->model)
		files->model = xstrdup(basename(dir));
	text__lower(files->model);
	return 0;
}

void perfmon_files__add_file(struct perfmon_files *files, const char *path)
{
	const char *base = basename(path);

	files->model = xstrdup(base);
	files->folder = xstrdup("");
	perfmon_files__add(files, xstrdup(path),
			   perfmon_files__kind_of(base) >= 0 ? perfmon_files__kind_of(base)
							     : PERFMON_CORE,
			   NULL);
}
