// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "json/mapfile.h"
#include "json/tree.h"

#define DEPTH_MAX 4 /* limit of folders' levels below the architecture's folder; the kernel has 3 */

void tree__report(struct tree *tree, enum tree_problem problem, const char *file, int line,
		  const char *fmt, ...)
{
	va_list ap;
	char *msg;

	tree->nr_errors += problem >= TREE_ERROR;
	if (!tree->opts->report)
		return;
	va_start(ap, fmt);
	msg = xvasprintf(fmt, ap);
	va_end(ap);
	tree->opts->report(tree->opts->arg, problem, file, line, msg);
	free(msg);
}

int tree__fail(struct tree *tree, int rc, const char *file, int line, struct err *err)
{
	if (!rc)
		return 0;
	if (tree->opts->tolerant) {
		tree__report(tree, rc == -EEXIST ? TREE_DOUBLE : TREE_ERROR, file, line, "%s",
			     err->msg);
		return 0;
	}
	if (line)
		err__prefix(err, "%s:%d:%c", file, line, err__joint(err->msg));
	return rc;
}

static bool is_sys(const char *folder)
{
	return !strcmp(folder, "sys") || text__has_suffix(folder, "/sys");
}

static bool tree__is_wanted(const struct tree *tree, const char *folder)
{
	return !*folder || !tree->only || !strcmp(folder, tree->only) || is_sys(folder);
}

struct tree_model *tree__model(struct tree *tree, const char *folder)
{
	struct tree_model model = { .name = pool__add(&tree->pool, folder),
				    .hash = TREE_HASH_INIT,
				    .sys = is_sys(folder) };
	struct tree_model *known;

	vec__for_each(known, &tree->models)
		if (known->name == model.name)
			return known;
	vec__push(&tree->models, model);
	return &tree->models.at[tree->models.nr - 1];
}

int tree__list_dir(const char *dir, char ***names, int *nr, struct err *err)
{
	int rc = file__list_dir(names, nr, "%s", dir);

	return rc ? err__set(err, -rc, "%s: %s", dir, strerror(-rc)) : 0;
}

/* Read the JSON files of a folder; files in the architecture's own folder have standard events. */
static int read_files(struct tree *tree, const char *dir, const char *folder, char **names, int nr,
		      struct err *err)
{
	struct tree_model *model = NULL;
	char path[PATH_MAX];
	int rc = 0;

	for (int i = 0; !rc && i < nr; i++) {
		if (!text__has_suffix(names[i], ".json"))
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", dir, names[i]) >= PATH_MAX)
			return err__set(err, ENAMETOOLONG, "%s: path too long", dir);
		if (*folder)
			model = tree__model(tree, folder);
		rc = tree__read_json(tree, model, path, names[i], err);
	}
	return rc;
}

/* Read the files of a folder, then the folders in it; @folder is the path below the top. */
static int read_folder(struct tree *tree, const char *dir, const char *folder, int depth,
		       struct err *err)
{
	char path[PATH_MAX], below[PATH_MAX];
	char **names;
	int nr, rc = tree__list_dir(dir, &names, &nr, err);

	if (rc)
		return rc;
	if (tree__is_wanted(tree, folder))
		rc = read_files(tree, dir, folder, names, nr, err);
	for (int i = 0; !rc && depth < DEPTH_MAX && i < nr; i++) {
		/*
		 * Do not call the kernel for every file: this would take longer than reading one
		 * model.
		 */
		if (text__has_suffix(names[i], ".json"))
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", dir, names[i]) >= PATH_MAX ||
		    snprintf(below, sizeof(below), "%s%s%s", folder, *folder ? "/" : "",
			     names[i]) >= PATH_MAX)
			rc = err__set(err, ENAMETOOLONG, "%s: path too long", dir);
		else if (file__is_dir("%s", path))
			rc = read_folder(tree, path, below, depth + 1, err);
	}
	file__free_names(names, nr);
	return rc;
}

int tree__find_top(const char *dir, char **top, char **folder)
{
	char *real = realpath(dir, NULL), *end;

	*top = *folder = NULL;
	if (!real)
		return -errno;
	end = real + strlen(real);
	for (int i = 0; i < DEPTH_MAX && !*top; i++) {
		end = memrchr(real, '/', end - real);
		if (!end || end == real)
			break;
		if (!file__exists("%.*s/mapfile.csv", (int)(end - real), real))
			continue;
		*top = xstrndup(real, end - real);
		*folder = xstrdup(end + 1);
	}
	if (!*top)
		*folder = xstrdup(basename(real));
	free(real);
	return 0;
}

static int read_model_dir(struct tree *tree, const char *dir, struct err *err)
{
	char *top, *folder;
	int rc = tree__find_top(dir, &top, &folder);

	if (rc)
		return err__set(err, -rc, "%s: %s", dir, strerror(-rc));
	tree->only = folder;
	/* Read only the standard events of the top folder, not its other folders. */
	if (top)
		rc = read_folder(tree, top, "", DEPTH_MAX, err);
	if (!rc)
		rc = read_folder(tree, dir, folder, 1, err);
	if (!rc && top)
		rc = mapfile__read(tree, top, err);
	tree->only = NULL;
	free(folder);
	free(top);
	return rc;
}

static int read_dirs(struct tree *tree, struct err *err)
{
	const struct tree_options *opts = tree->opts;
	int rc = 0;

	for (int i = 0; !rc && i < opts->nr_dirs; i++) {
		tree->dir = i;
		if (opts->model_dirs) {
			rc = read_model_dir(tree, opts->dirs[i], err);
			continue;
		}
		tree->only = opts->only;
		rc = read_folder(tree, opts->dirs[i], "", 0, err) ?:
		     mapfile__read(tree, opts->dirs[i], err);
	}
	return rc;
}

/* --- Sorting ---------------------------------------------------------------------------------- */

static int compare_texts(const struct tree *tree, const struct tree_entry *a,
			 const struct tree_entry *b, enum event_text t)
{
	if (a->event.text[t] == b->event.text[t])
		return 0;
	return strcmp(tree__text(tree, a, t), tree__text(tree, b, t));
}

static int dir_of(const struct tree *tree, const struct tree_entry *entry)
{
	return tree->files.at[entry->file].dir;
}

static int compare_places(const struct tree_entry *a, const struct tree_entry *b)
{
	return a->file != b->file ? a->file - b->file : a->line - b->line;
}

/* Sort entries with the same name so that entries of the last folder come first. */
static int compare_names(const struct tree *tree, const struct tree_entry *a,
			 const struct tree_entry *b, enum event_text name)
{
	return compare_texts(tree, a, b, TEXT_PMU) ?: compare_texts(tree, a, b, name) ?:
	       dir_of(tree, b) - dir_of(tree, a);
}

static int compare_events(const void *a, const void *b, void *tree)
{
	return compare_names(tree, a, b, TEXT_NAME) ?: compare_places(a, b);
}

/* A name can occur twice, for two kinds of system; then sort by expression and description. */
static int compare_metrics(const void *a, const void *b, void *tree)
{
	return compare_names(tree, a, b, TEXT_METRIC) ?: compare_texts(tree, a, b, TEXT_EXPR) ?:
	       compare_texts(tree, a, b, TEXT_DESC) ?: compare_places(a, b);
}

static int fail_double(struct tree *tree, const struct tree_entry *first,
		       const struct tree_entry *again, struct err *err)
{
	err__set(err, EEXIST, "event '%s' of PMU %s is already in %s:%d",
		 tree__text(tree, again, TEXT_NAME), tree__text(tree, again, TEXT_PMU),
		 tree->files.at[first->file].path, first->line);
	return tree__fail(tree, -EEXIST, tree->files.at[again->file].path, again->line, err);
}

static bool tree__same(const struct tree_entry *a, const struct tree_entry *b)
{
	return a->event.text[TEXT_PMU] == b->event.text[TEXT_PMU] &&
	       a->event.text[TEXT_NAME] == b->event.text[TEXT_NAME];
}

static int keep_events(struct tree *tree, struct tree_model *model, struct err *err)
{
	struct tree_entry *at = model->events.at;
	int kept = 0, rc;

	for (int i = 0; i < model->events.nr; i++) {
		if (!kept || !tree__same(&at[kept - 1], &at[i])) {
			at[kept++] = at[i];
			continue;
		}
		if (dir_of(tree, &at[kept - 1]) != dir_of(tree, &at[i]))
			continue;
		rc = fail_double(tree, &at[kept - 1], &at[i], err);
		if (rc)
			return rc;
	}
	model->events.nr = kept;
	return 0;
}

/*
 * Make a key of the metric's PMU and its name in lower case, since case does not matter in names.
 */
static const char *metric_key(const struct tree *tree, const struct tree_entry *metric,
			      struct sb *key)
{
	sb__clear(key);
	sb__printf(key, "%s\n%s", tree__text(tree, metric, TEXT_PMU),
		   tree__text(tree, metric, TEXT_METRIC));
	return text__lower(key->buf);
}

static void keep_metrics(const struct tree *tree, struct tree_model *model)
{
	struct strmap *last_dir;
	struct sb key = SB_INIT;
	struct tree_entry *at;
	int kept = 0;

	/* Metrics of a folder do not replace others of the same folder. */
	if (!tree->dir)
		return;
	last_dir = strmap__new();
	vec__for_each(at, &model->metrics) {
		const char *name = metric_key(tree, at, &key);

		if (strmap__get(last_dir, name) < dir_of(tree, at))
			strmap__put(last_dir, name, dir_of(tree, at));
	}
	vec__for_each(at, &model->metrics)
		if (strmap__get(last_dir, metric_key(tree, at, &key)) == dir_of(tree, at))
			model->metrics.at[kept++] = *at;
	model->metrics.nr = kept;
	strmap__free(last_dir);
	sb__free(&key);
}

/* Sort the lists of all models, and remove entries that later folders replace. */
static int sort_all(struct tree *tree, struct err *err)
{
	struct tree_model *model;
	int rc = 0;

	vec__for_each(model, &tree->models) {
		if (model->events.nr)
			qsort_r(model->events.at, model->events.nr, sizeof(*model->events.at),
				compare_events, tree);
		if (model->metrics.nr)
			qsort_r(model->metrics.at, model->metrics.nr, sizeof(*model->metrics.at),
				compare_metrics, tree);
		keep_metrics(tree, model);
		rc = keep_events(tree, model, err);
		if (rc)
			break;
	}
	return rc;
}

/* --- The whole tree -------------------------------------------------------------------------- */

void tree__begin(struct tree *tree, const struct tree_options *opts)
{
	*tree = (struct tree){ .opts = opts, .group_index = strmap__new() };
	pool__init(&tree->pool);
	event_reader__init(&tree->reader);
}

int tree__end(struct tree *tree, int rc, struct err *err)
{
	return rc ?: sort_all(tree, err);
}

/* Explain why a folder has no models: there is no mapfile, or no folder that it names exists. */
static int explain_nothing(const struct tree *tree, const char *dir, struct err *err)
{
	char *cols[MAPFILE_COLS];
	struct mapfile map;
	int rc = 0;

	if (!file__exists("%s/mapfile.csv", dir))
		return err__set(err, ENOENT,
				"%s: it has no mapfile.csv and no JSON files; name a model's "
				"folder",
				dir);
	if (mapfile__open(&map, dir, err))
		return -ENOENT;
	while (!rc && mapfile__next(&map, cols, NULL) > 0) {
		if (tree->only && strcmp(cols[MAP_FOLDER], tree->only))
			continue;
		rc = err__set(err, ENOENT, "%s:%d: no folder '%s' with JSON in it", map.path,
			      map.line, cols[MAP_FOLDER]);
	}
	mapfile__close(&map);
	return rc ? rc : err__set(err, ENOENT, "%s: its mapfile.csv names no folder", dir);
}

int tree__read(struct tree *tree, const struct tree_options *opts, struct err *err)
{
	struct err unseen = ERR_INIT;
	int rc;

	if (!err)
		err = &unseen;
	tree__begin(tree, opts);
	rc = read_dirs(tree, err);
	if (!rc && !tree->models.nr)
		rc = explain_nothing(tree, opts->nr_dirs ? opts->dirs[0] : "", err);
	return tree__end(tree, rc, err);
}

void tree__free(struct tree *tree)
{
	struct tree_model *model;
	struct tree_file *file;

	vec__for_each(model, &tree->models) {
		vec__free(&model->events);
		vec__free(&model->metrics);
		vec__free(&model->counters);
	}
	vec__for_each(file, &tree->files)
		free(file->path);
	vec__free(&tree->files);
	vec__free(&tree->models);
	vec__free(&tree->map);
	vec__free(&tree->groups);
	strmap__free(tree->group_index);
	event_reader__free(&tree->reader);
	pool__free(&tree->pool);
}
