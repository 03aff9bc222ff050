// SPDX-License-Identifier: GPL-2.0-only
/* Which files of the perfmon repository belong to a model. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/text.h"
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

/* EventType of the mapfile; the types not here hold nothing that the others lack. */
static const struct {
	const char *type;
	enum perfmon_kind kind;
} types[] = {
	{ "core", PERFMON_CORE },		    { "hybridcore", PERFMON_CORE },
	{ "uncore", PERFMON_UNCORE },		    { "uncore experimental", PERFMON_UNCORE },
	{ "retire latency", PERFMON_LATENCY },	    { "metrics", PERFMON_METRICS },
};

static const struct {
	const char *role, *unit;
} roles[] = {
	{ "Core", "cpu_core" },
	{ "Atom", "cpu_atom" },
	{ "LowPower_Atom", "cpu_lowpower" },
};

static int unit_of(const char *role, const char **unit, struct err *err)
{
	*unit = NULL;
	if (!role || !*role)
		return 0;
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		if (!strcmp(roles[i].role, role)) {
			*unit = roles[i].unit;
			return 0;
		}
	}
	return err__set(err, EINVAL, "core role '%s' is not known", role);
}

/* "/GNR/events/graniterapids_core.json" tells the folder and the name of the model. */
static int name_model(struct perfmon_files *files, const char *path)
{
	const char *base = strrchr(path, '/'), *dir = path + (*path == '/');

	base = base ? base + 1 : path;
	if (!files->folder)
		files->folder = strndup(dir, strcspn(dir, "/"));
	if (!files->model) {
		files->model = strndup(base, strcspn(base, "_."));
		if (files->model)
			text__lower(files->model);
	}
	return files->folder && files->model ? 0 : -ENOMEM;
}

/* Files stand by kind, so that metrics find the events they name. */
static int add(struct perfmon_files *files, struct perfmon_file *file)
{
	struct perfmon_file *at;
	int i;

	if (!file->path)
		return -ENOMEM;
	vec__for_each(at, &files->list) {
		if (!strcmp(at->path, file->path)) {
			free(file->path);
			return 0;
		}
	}
	if (vec__push(&files->list, *file)) {
		free(file->path);
		return -ENOMEM;
	}
	for (i = files->list.nr - 1; i > 0 && files->list.at[i - 1].kind > file->kind; i--)
		files->list.at[i] = files->list.at[i - 1];
	files->list.at[i] = *file;
	return 0;
}

int perfmon_files__add_row(struct perfmon_files *files, const char *dir, const char *path,
			   const char *version, const char *type, const char *role,
			   struct err *err)
{
	struct perfmon_file file = { .path = NULL };
	struct sb sb = SB_INIT;
	size_t i;
	int rc;

	for (i = 0; i < sizeof(types) / sizeof(*types) && strcmp(types[i].type, type); i++)
		;
	if (i == sizeof(types) / sizeof(*types))
		return 0;
	file.kind = types[i].kind;
	rc = unit_of(role, &file.unit, err);
	if (!rc)
		rc = name_model(files, path);
	/* The events' version, which metrics and latencies do not share. */
	if (!rc && file.kind == PERFMON_CORE && !files->version) {
		files->version = strdup(version);
		rc = files->version ? 0 : -ENOMEM;
	}
	if (rc)
		return rc;
	sb__printf(&sb, "%s%s%s", dir, *path == '/' ? "" : "/", path);
	file.path = sb__detach(&sb);
	return add(files, &file);
}

/* What a file holds, by its name; -1 when it is none to be read. */
static int kind_of(const char *name)
{
	if (text__has_suffix(name, "_retire_latency.json"))
		return PERFMON_LATENCY;
	if (strstr(name, "_metrics"))
		return PERFMON_METRICS;
	if (strstr(name, "_uncore"))
		return PERFMON_UNCORE;
	return text__has_suffix(name, "_core.json") ? PERFMON_CORE : -1;
}

static int list_files(struct perfmon_files *files, const char *dir)
{
	char **names;
	int nr, rc = file__list_dir(dir, &names, &nr);

	if (rc == -ENOENT)
		return 0;
	if (rc)
		return rc;
	for (int i = 0; !rc && i < nr; i++) {
		struct perfmon_file file = { .kind = PERFMON_CORE };
		struct sb path = SB_INIT;

		if (!text__has_suffix(names[i], ".json") || kind_of(names[i]) < 0)
			continue;
		file.kind = kind_of(names[i]);
		sb__printf(&path, "%s/%s", dir, names[i]);
		file.path = sb__detach(&path);
		rc = add(files, &file);
	}
	file__free_names(names, nr);
	return rc;
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
	struct sb events = SB_INIT, metrics = SB_INIT;
	struct perfmon_file *file;
	int rc;

	sb__printf(&events, "%s/events", dir);
	sb__printf(&metrics, "%s/metrics", dir);
	rc = list_files(files, sb__str(&events));
	if (!rc)
		rc = list_files(files, sb__str(&metrics));
	sb__free(&events);
	sb__free(&metrics);
	if (rc)
		return err__set(err, -rc, "%s: %s", dir, strerror(-rc));
	vec__for_each(file, &files->list) {
		const char *base = strrchr(file->path, '/') + 1;

		if (nr_cores(files) > 1 && file->kind != PERFMON_UNCORE)
			file->unit = strstr(base, "cove_") ? "cpu_core" : "cpu_atom";
		if (!files->model)
			files->model = strndup(base, strcspn(base, "_"));
	}
	dir = strrchr(dir, '/') ? strrchr(dir, '/') + 1 : dir;
	files->folder = strdup(dir);
	if (!files->model)
		files->model = strdup(dir);
	if (!files->folder || !files->model)
		return err__set(err, ENOMEM, "out of memory");
	text__lower(files->model);
	return 0;
}

int perfmon_files__add_file(struct perfmon_files *files, const char *path)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	struct perfmon_file file = { .path = strdup(path), .kind = PERFMON_CORE };

	if (kind_of(base) >= 0)
		file.kind = kind_of(base);
	files->model = strdup(base);
	files->folder = strdup("");
	if (!files->model || !files->folder) {
		free(file.path);
		return -ENOMEM;
	}
	return add(files, &file);
}
