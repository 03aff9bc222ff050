// SPDX-License-Identifier: GPL-2.0-only
/* Recognise the layout of a path, and read the model of one CPU from it. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "formula/json_expr.h"
#include "json/cpuid.h"
#include "json/file.h"
#include "json/load.h"
#include "json/mapfile.h"
#include "json/perfmon.h"
#include "json/tree.h"

#define LISTED_MAX 1000 /* limit of names' bytes in a message; x86 needs half of it */

/**
 * struct loading - a load in progress
 * @first: the first error; reading goes on, to count further errors
 * @has:   names of models that were found instead of the CPU's
 * @found: a model was read, perhaps with an error
 */
struct loading {
	const struct load_options *opts;
	struct tree_options tree_opts;
	struct loaded *l;
	struct sb first, has;
	bool found;
	struct strmap *listed;
	struct err *err;
};

static void report(void *arg, enum tree_problem problem, const char *file, int line,
		   const char *msg)
{
	struct loading *ld = arg;
	struct sb *to = NULL;

	if (problem == TREE_WARNING && ld->l->warnings++ < LOAD_NOTES_MAX)
		to = &ld->l->notes;
	if (problem >= TREE_ERROR && !ld->first.len)
		to = &ld->first;
	if (!to)
		return;
	if (line)
		sb__printf(to, "%s:%d:%c", file, line,
			   strchr(msg, '\n') && to == &ld->first ? '\n' : ' ');
	sb__puts(to, msg);
	sb__puts(to, to == &ld->first ? "" : "\n");
}

/*
 * List a model's name for the message that no model is the CPU's. Intel's mapfile has paths of
 * files instead of names.
 */
static void list_model(struct loading *ld, const char *path)
{
	int len = *path == '/' ? (int)strcspn(++path, "/") : (int)strlen(path);
	int nr = strmap__nr(ld->listed);
	char name[256];

	snprintf(name, sizeof(name), "%.*s", len, path);
	strmap__put(ld->listed, name, 1);
	if (strmap__nr(ld->listed) > nr && ld->has.len + len < LISTED_MAX)
		sb__printf(&ld->has, "%s%s", ld->has.len ? ", " : "", name);
}

/* Read folders in the kernel's layout. @only is the single folder to read; NULL for all. */
static int read_tree(struct loading *ld, const char *dir, const char *only)
{
	ld->found = true;
	ld->tree_opts.only = only;
	ld->tree_opts.dirs = &dir;
	ld->tree_opts.nr_dirs = 1;
	return tree__read(&ld->l->tree, &ld->tree_opts, ld->err);
}

/* Make a copy of a metric for each of its PMUs; the first copy replaces the metric. */
static void copy_metric(struct tree *tree, struct tree_model *model, int i,
		       const struct load_metric *placed)
{
	for (int n = 0; n < placed->nr_pmus; n++) {
		uint32_t pmu = pool__add(&tree->pool, placed->pmus[n]);
		struct tree_entry copy = model->metrics.at[i];

		copy.event.text[TEXT_PMU] = pmu;
		if (placed->exprs[n])
			copy.event.text[TEXT_EXPR] = pool__add(&tree->pool, placed->exprs[n]);
		if (!n)
			model->metrics.at[i] = copy;
		else
			vec__push(&model->metrics, copy);
	}
}

/* Ask the caller for the PMUs of metrics, and for the metrics' expressions on these PMUs. */
static int place_metrics(struct loading *ld)
{
	struct tree *tree = &ld->l->tree;
	struct tree_model *model = tree->models.at;
	VEC(struct load_metric) list = { .at = NULL };
	struct tree_entry *metric;
	int rc = 0;

	vec__for_each(metric, &model->metrics) {
		const char *pmu = tree__text(tree, metric, TEXT_PMU);
		struct load_metric m = { .name = tree__text(tree, metric, TEXT_METRIC),
					 .expr = tree__text(tree, metric, TEXT_EXPR),
					 .pmu = strcmp(pmu, "default_core") ? pmu : NULL };

		vec__push(&list, m);
	}
	if (list.nr)
		rc = ld->opts->place(ld->opts->arg, list.at, list.nr, ld->err);
	for (int i = 0; i < list.nr; i++) {
		if (!rc)
			copy_metric(tree, model, i, &list.at[i]);
		for (int n = 0; n < list.at[i].nr_pmus; n++)
			free(list.at[i].exprs[n]);
	}
	vec__free(&list);
	return rc;
}

static int read_files(struct loading *ld, struct perfmon_files *files)
{
	int rc;

	ld->found = true;
	tree__begin(&ld->l->tree, &ld->tree_opts);
	rc = perfmon__read(&ld->l->tree, files, ld->opts->known.pmu_of ? &ld->opts->known : NULL,
			   ld->err);
	if (!rc && ld->opts->place)
		rc = place_metrics(ld);
	if (!rc && files->version) {
		ld->l->own_version = text__lower(files->version);
		files->version = NULL;
	}
	return tree__end(&ld->l->tree, rc, ld->err);
}

/**
 * load__is_wanted() - tell whether to read a row of a mapfile
 * @folder: a model's folder of Intel's repository, whose rows are wanted; NULL: rows of the CPU are
 *          wanted
 */
static bool load__is_wanted(const struct loading *ld, char *const cols[MAPFILE_COLS],
			    const char *folder)
{
	const char *path = cols[MAP_FOLDER];

	if (!folder)
		return *ld->opts->cpuid &&
		       cpuid__matches(cols[MAP_PATTERN], ld->opts->cpuid, CPUID_LOOKS);
	return *path == '/' && text__has_prefix(path + 1, folder) &&
	       path[1 + strlen(folder)] == '/';
}

/**
 * pick_rows() - use the wanted rows of a mapfile
 * @folder: as for load__is_wanted()
 * @files:  (Intel's repository) files of a model are added to this list; NULL in the kernel's tree
 * @found:  (kernel's tree) set to the folder of the first wanted row, which the caller frees
 */
static int pick_rows(struct loading *ld, const char *dir, const char *folder,
		     struct perfmon_files *files, char **found)
{
	char *cols[MAPFILE_COLS];
	struct mapfile map;
	int rc = mapfile__open(&map, dir, ld->err);

	if (rc)
		return rc;
	while ((rc = mapfile__next(&map, cols, ld->err)) > 0) {
		list_model(ld, cols[MAP_FOLDER]);
		if (!load__is_wanted(ld, cols, folder))
			continue;
		rc = files ? perfmon_files__add_row(files, dir, cols, ld->err) : 0;
		if (!files)
			*found = xstrdup(cols[MAP_FOLDER]);
		if (rc || !files)
			break;
	}
	if (rc == -EINVAL)
		err__prefix(ld->err, "%s:%d: ", map.path, map.line);
	mapfile__close(&map);
	return rc;
}

/* Read the CPU's model from a directory that has a mapfile. */
static int read_top(struct loading *ld, const char *dir)
{
	struct perfmon_files files = { .model = NULL };
	char *found = NULL;
	int rc = pick_rows(ld, dir, NULL, load__is_perfmon(dir) ? &files : NULL, &found);

	if (!rc && found)
		rc = read_tree(ld, dir, found);
	else if (!rc && files.list.nr)
		rc = read_files(ld, &files);
	perfmon_files__free(&files);
	free(found);
	return rc;
}

/* Read a model's folder of Intel's repository; the mapfile above the folder has its core types. */
static int read_perfmon_dir(struct loading *ld, const char *dir)
{
	struct perfmon_files files = { .model = NULL };
	char *top, *folder;
	int rc = tree__find_top(dir, &top, &folder);

	if (rc)
		return err__set(ld->err, -rc, "%s: %s", dir, strerror(-rc));
	if (top)
		rc = pick_rows(ld, top, folder, &files, NULL);
	if (!rc && !files.list.nr) {
		perfmon_files__free(&files);
		rc = perfmon_files__add_dir(&files, dir, ld->err);
	}
	if (!rc)
		rc = read_files(ld, &files);
	perfmon_files__free(&files);
	free(folder);
	free(top);
	return rc;
}

/* Read directories with a mapfile one level below, until one of them has the CPU. */
static int read_below(struct loading *ld, const char *dir)
{
	char **names;
	int nr, rc = tree__list_dir(dir, &names, &nr, ld->err);

	if (rc)
		return rc;
	for (int i = 0; !rc && !ld->found && i < nr; i++) {
		char *path = xasprintf("%s/%s", dir, names[i]);

		if (file__exists("%s/mapfile.csv", path))
			rc = read_top(ld, path);
		free(path);
	}
	file__free_names(names, nr);
	return rc;
}

static bool has_json(const char *dir)
{
	bool found = false;
	char **names;
	int nr;

	if (file__list_dir(&names, &nr, "%s", dir))
		return false;
	for (int i = 0; i < nr; i++)
		found |= text__has_suffix(names[i], ".json");
	file__free_names(names, nr);
	return found;
}

static int explain_nothing(struct loading *ld)
{
	const char *path = ld->opts->path, *cpuid = ld->opts->cpuid;

	if (!ld->has.len && telemetry__is_dir(path)) {
		telemetry__refuse(ld->err);
		err__prefix(ld->err, "%s: ", path);
		return -ENOTSUP;
	}
	if (!ld->has.len)
		return err__set(ld->err, ENOENT,
				"%s: no tables: neither it nor its folders have a mapfile.csv, and it "
				"has no JSON files; name a model's folder",
				path);
	if (!*cpuid)
		return err__set(ld->err, ENOENT,
				"%s: the id of this CPU is not known, so name a model's directory: %s",
				path, ld->has.buf);
	return err__set(ld->err, ENOENT, "%s has no tables for this CPU (%s); it has: %s", path, cpuid,
			ld->has.buf);
}

static int read_dir(struct loading *ld)
{
	const char *path = ld->opts->path;
	char *below;
	int rc;

	if (file__exists("%s/mapfile.csv", path)) {
		rc = read_top(ld, path);
	} else if (file__is_dir("%s/events", path) || file__is_dir("%s/metrics", path)) {
		rc = read_perfmon_dir(ld, path);
	} else if (has_json(path)) {
		ld->tree_opts.model_dirs = true;
		rc = read_tree(ld, path, NULL);
	} else {
		below = xasprintf(file__is_dir("%s/arch", path) ? "%s/arch" : "%s", path);
		rc = read_below(ld, below);
		free(below);
	}
	return rc || ld->found ? rc : explain_nothing(ld);
}

/* Names are compared without case. */
static bool is_defined(const struct load_options *opts, int nr)
{
	for (int i = 0; i < nr; i++)
		if (!strcasecmp(opts->definitions[i].name, opts->definitions[nr].name))
			return true;
	return false;
}

static int read_definition(struct loading *ld, struct tree_model *model,
			   const struct load_definition *d)
{
	struct json_object *json = json_object_new_object();
	int rc;

	model->hash = tree__hash(model->hash, d->name, d->expr, strlen(d->expr));
	perfmon__set(json, "MetricName", d->name);
	perfmon__set(json, "MetricExpr", d->expr);
	rc = tree__add_element(&ld->l->tree, model, json, "metrics", ld->err);
	json_object_put(json);
	return rc;
}

static int read_definitions(struct loading *ld)
{
	const struct load_options *opts = ld->opts;
	struct tree *tree = &ld->l->tree;
	struct tree_model *model;
	int rc = 0;

	tree__begin(tree, &ld->tree_opts);
	model = tree__model(tree, opts->path);
	/* An entry needs a file, since entries are sorted by file. */
	tree->reading = tree__add_path(tree, opts->path);
	for (int i = 0; !rc && i < opts->nr_definitions; i++) {
		const struct load_definition *d = &opts->definitions[i];

		tree->reading_line = i + 1;
		rc = is_defined(opts, i) ? err__set(ld->err, EEXIST, "it is defined twice") :
					   read_definition(ld, model, d);
		if (rc)
			err__prefix(ld->err, "%s: metric '%s':%c", opts->path, d->name,
				    err__joint(ld->err->msg));
	}
	tree->reading = NULL;
	return rc;
}

/* A JSON file with an object has Intel's form, since the kernel's files are arrays. */
static int holds_object(struct loading *ld)
{
	struct tree_options *o = &ld->tree_opts;
	int rc = 0;

	if (ld->opts->text) {
		o->text = xstrdup(ld->opts->text);
		o->len = strlen(o->text);
	} else {
		/* Read the file only once, as it may be a pipe. */
		rc = json_file__read(ld->opts->path, &o->text, &o->len, ld->err);
	}
	return rc ? rc : o->text[strspn(o->text, " \t\r\n")] == '{';
}

static int read_array(struct loading *ld, const char *path)
{
	const char *name = basename(path);
	struct tree *tree = &ld->l->tree;

	tree__begin(tree, &ld->tree_opts);
	return tree__read_json(tree, tree__model(tree, name), path, name, ld->err);
}

/* Read one file, or the metrics that a command line defines. */
static int read_single(struct loading *ld)
{
	struct perfmon_files files = { .model = NULL };
	int rc = ld->opts->nr_definitions ? 0 : holds_object(ld);

	if (rc < 0)
		return rc;
	if (rc) {
		perfmon_files__add_file(&files, ld->opts->path);
		rc = read_files(ld, &files);
		perfmon_files__free(&files);
		return rc;
	}
	rc = ld->opts->nr_definitions ? read_definitions(ld) : read_array(ld, ld->opts->path);
	if (!rc && ld->opts->place)
		rc = place_metrics(ld);
	return tree__end(&ld->l->tree, rc, ld->err);
}

/* Find the requested model; events of system PMUs may have been read, too. */
static int load__find_model(struct loading *ld)
{
	struct loaded *l = ld->l;

	for (uint32_t i = 0; i < l->data.nr_models && !l->model; i++)
		if (!(l->data.models[i].flags & TABLE_MODEL_SYS))
			l->model = &l->data.models[i];
	if (!l->model)
		return err__set(ld->err, ENOENT, "%s: the folder of this CPU (%s) does not exist",
				ld->opts->path, ld->opts->cpuid);
	l->version = l->own_version ? l->own_version : "";
	for (uint32_t i = 0; i < l->data.nr_map && !*l->version; i++)
		if (&l->data.models[l->data.map[i].model] == l->model)
			l->version = l->data.strings + l->data.map[i].version;
	if (!l->model->events.nr && !l->model->metrics.nr)
		return err__set(ld->err, ENOENT, "%s: no events and no metrics in it%s%.*s",
				ld->opts->path, l->notes.len ? ": " : "",
				(int)strcspn(sb__str(&l->notes), "\n"), sb__str(&l->notes));
	return 0;
}

/* Find an "=" outside of names; in names it has a backslash, or is between two "@". */
static const char *bare_equals(const char *text)
{
	bool between = false;

	for (const char *at = text; *at; at++) {
		between ^= *at == '@';
		if (*at == '=' && !between && (at == text || at[-1] != '\\'))
			return at;
	}
	return NULL;
}

static int check_threshold(struct json_expr *expr, const char *text, struct err *err)
{
	const char *equals = bare_equals(text);
	int root = json_expr__parse(expr, "MetricThreshold", text, err);

	if (root < 0)
		return root;
	return equals ? err__caret(err, "MetricThreshold", text, equals - text,
				   "'=' is not an operator")
		      : 0;
}

/*
 * Remove thresholds that are not valid. An invalid one would make all metrics fail that are used
 * together with it.
 */
static void drop_thresholds(struct tree *tree)
{
	struct json_expr expr = { .text = SB_INIT, .syntax_only = true };
	struct tree_model *model;
	struct tree_entry *entry;

	vec__for_each(model, &tree->models) {
		vec__for_each(entry, &model->metrics) {
			uint32_t *text = &entry->event.text[TEXT_THRESHOLD];
			struct err err = ERR_INIT;

			if (!*text || !check_threshold(&expr, pool__str(&tree->pool, *text), &err))
				continue;
			tree__report(tree, TREE_WARNING, tree->files.at[entry->file].path,
				     entry->line, "the threshold of metric '%s' is ignored:%c%s",
				     tree__text(tree, entry, TEXT_METRIC), err__joint(err.msg),
				     err.msg);
			*text = 0;
		}
	}
	json_expr__free(&expr);
}

static void report_twice(struct tree *tree, const struct tree_entry *a, const struct tree_entry *b)
{
	const struct tree_entry *again = a->line > b->line ? a : b;

	tree__report(tree, TREE_ERROR, tree->files.at[again->file].path, again->line,
		     "metric '%s' is defined twice", tree__text(tree, again, TEXT_METRIC));
}

/* Report a metric that is defined twice: both would be printed under the same name. */
static void check_twice(struct tree *tree)
{
	struct tree_model *model;
	struct tree_entry *entry;

	vec__for_each (model, &tree->models) {
		struct strmap *seen = strmap__new();

		vec__for_each (entry, &model->metrics) {
			char *key = text__lower(xasprintf("%s\n%s\n%s",
							  tree__text(tree, entry, TEXT_METRIC),
							  tree__text(tree, entry, TEXT_PMU),
							  tree__text(tree, entry, TEXT_COMPAT)));
			int before = strmap__get(seen, key);

			if (before >= 0)
				report_twice(tree, &model->metrics.at[before], entry);
			strmap__put(seen, key, entry - model->metrics.at);
			free(key);
		}
		strmap__free(seen);
	}
}

static int load__finish(struct loading *ld)
{
	struct loaded *l = ld->l;
	int rc;

	if (ld->opts->own)
		check_twice(&l->tree);
	if (l->tree.nr_errors)
		return err__set(ld->err, EINVAL, "%s%s", sb__str(&ld->first),
				l->tree.nr_errors > 1 ? " (and more)" : "");
	drop_thresholds(&l->tree);
	rc = build__tables(&l->build, &l->tree, ld->err);
	if (rc)
		return rc;
	build__data(&l->build, "", &l->data);
	return load__find_model(ld);
}

int load__path(const struct load_options *opts, struct loaded **out, struct err *err)
{
	struct err failure = ERR_INIT; /* errors that are ignored put their messages here */
	struct loading ld = { .opts = opts,
			      .tree_opts = { .tolerant = true,
					     .report = report,
					     .arg = &ld,
					     .std = opts->std },
			      .l = xcalloc(1, sizeof(*ld.l)),
			      .listed = strmap__new(),
			      .err = &failure };
	struct stat st = { .st_mode = 0 };
	int rc;

	if (!opts->nr_definitions && !opts->text && stat(opts->path, &st))
		rc = err__set(ld.err, errno, "%s: %s", opts->path, strerror(errno));
	else
		rc = S_ISDIR(st.st_mode) ? read_dir(&ld) : read_single(&ld);
	if (!rc)
		rc = load__finish(&ld);
	sb__free(&ld.first);
	sb__free(&ld.has);
	strmap__free(ld.listed);
	if (!rc) {
		*out = ld.l;
		return 0;
	}
	loaded__free(ld.l);
	if (err)
		*err = failure;
	return rc;
}

struct loaded *loaded__get(struct loaded *l)
{
	l->users++;
	return l;
}

void loaded__free(struct loaded *l)
{
	if (!l || l->users-- > 0)
		return;
	build__free(&l->build);
	tree__free(&l->tree);
	free(l->own_version);
	sb__free(&l->notes);
	free(l);
}
