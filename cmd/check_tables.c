// SPDX-License-Identifier: GPL-2.0-only
/* "tma check-tables" finds mistakes in tables of events and metrics. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <subcmd/parse-options.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "json/format.h"
#include "json/load.h"
#include "json/mapfile.h"
#include "json/tree.h"
#include "lint/lint.h"
#include "options.h"
#include "output.h"
#include "tables/tables.h"

#define STATUS_FOUND 1

/**
 * struct checking - a run of the command
 * @model, @cpuid: arguments of the options, or NULL
 * @severity: lowest severity of the findings that are printed
 * @strict:  warnings count as errors
 * @nr_files: how many files were checked
 * @target:  number of the current target, which is an argument or a folder in an argument
 * @seen:    files and findings, with the number of the target that had them first
 */
struct checking {
	const char *model, *cpuid;
	enum lint_severity severity;
	bool strict, quiet, json;
	struct output out;
	int nr_files, target;
	struct strmap *seen;
	int count[LINT_SEVERITIES];
};

/**
 * struct check_target - a folder or a file to check
 * @dir:  the folder that is read, owned
 * @file: the only file of @dir to report on, owned; NULL for all files
 * @shown: the name that the user gave
 * @tree: @dir has a mapfile.csv, and a folder for each model
 */
struct check_target {
	char *dir, *file;
	const char *shown;
	bool tree;
};

/* --- Findings ------------------------------------------------------------------------------ */

static void print_text(struct checking *c, const struct lint_finding *f)
{
	const struct lint_kind_info *kind = &lint_kinds[f->kind];

	output__puts(&c->out, f->file);
	if (f->line)
		sb__printf(&c->out.text, ":%d", f->line);
	sb__printf(&c->out.text, ": %s: ", lint_severities[kind->severity]);
	output__puts(&c->out, f->message);
	sb__printf(&c->out.text, " [%s]\n", kind->name);
	if (!f->text)
		return;
	sb__puts(&c->out.text, "    ");
	output__puts(&c->out, f->text);
	sb__printf(&c->out.text, "\n    %*s^\n", f->column, "");
}

static void print_json(struct checking *c, const struct lint_finding *f)
{
	const struct lint_kind_info *kind = &lint_kinds[f->kind];
	struct json *json = &c->out.json;

	json__open(json, NULL, '{');
	json__text(json, "file", f->file);
	json__int(json, "line", f->line);
	json__text(json, "severity", lint_severities[kind->severity]);
	json__text(json, "kind", kind->name);
	json__text(json, "message", f->message);
	if (f->text) {
		json__text(json, "expression", f->text);
		json__int(json, "column", f->column + 1);
	}
	json__close(json, '}');
	output__flush(&c->out);
}

/* Return: whether an earlier target had the same file, or the same finding. */
static bool is_seen(struct checking *c, const char *path, const struct lint_finding *f)
{
	struct sb *key = output__scratch(&c->out);
	char *real = realpath(path, NULL);

	sb__puts(key, real ? real : path);
	if (f)
		sb__printf(key, "\n%d %d %d %s", f->line, f->kind, f->column, f->message);
	free(real);
	return strmap__add(c->seen, sb__str(key), c->target) != c->target;
}

static void print_all(struct checking *c, const struct lint *lint, const char *file)
{
	const struct lint_finding *f;

	vec__for_each (f, &lint->findings) {
		enum lint_severity severity = lint_kinds[f->kind].severity;

		if (is_seen(c, file ? file : f->file, f))
			continue;
		c->count[severity]++;
		if (severity < c->severity)
			continue;
		if (c->json)
			print_json(c, f);
		else
			print_text(c, f);
	}
}

static void print_count(struct checking *c)
{
	for (int i = LINT_SEVERITIES - 1; i >= 0; i--)
		sb__printf(&c->out.text, "%d %s%s%s", c->count[i], lint_severities[i],
			   c->count[i] == 1 ? "" : "s", i ? ", " : "");
	sb__printf(&c->out.text, " in %d file%s\n", c->nr_files, c->nr_files == 1 ? "" : "s");
}

/* --- Targets ------------------------------------------------------------------------------ */

static void check_target__free(struct check_target *t)
{
	free(t->dir);
	free(t->file);
}

/*
 * Find the folder and the file of a target. A file is read together with the others of its folder,
 * since it may use their names.
 */
static int find_target(struct check_target *t, struct err *err)
{
	const char *path = t->shown, *slash = strrchr(path, '/');
	struct sb file = SB_INIT;
	struct stat st;

	if (stat(path, &st))
		return err__set(err, errno, "%s: %s", path, strerror(errno));
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return err__set(err, EINVAL,
				"%s is not a regular file; a table is checked with the others of "
				"its directory",
				path);
	if (load__foreign(path))
		return err__set(err, ENOTSUP,
				"%s has the layout of %s, which is not checked: 'tma --tables %s "
				"--version --tables' says what cannot be used",
				path, load__foreign(path), path);
	t->dir = xstrdup(path);
	/*
	 * A file of another type would not be read with its folder, and no findings would look like
	 * success.
	 */
	if (S_ISREG(st.st_mode) && !text__has_suffix(path, ".json") &&
	    !text__has_suffix(path, ".csv"))
		return err__set(err, EINVAL, "%s is not checked: a table's name ends in .json",
				path);
	if (S_ISREG(st.st_mode)) {
		auto_text copy = t->dir;

		t->dir = xstrdup(dirname(copy));
		sb__printf(&file, "%s/%s", t->dir, slash ? slash + 1 : path);
		t->file = sb__detach(&file);
	}
	t->tree = file__exists("%s/mapfile.csv", t->dir);
	return 0;
}

/* Set @model to the model of a tree that the user asks for, or to NULL for all models. */
static int check_tables__find_model(const struct checking *c, const struct check_target *t,
				    char **model, struct err *err)
{
	int rc = 0;

	*model = t->tree ? xstrdup(c->model) : NULL;
	if (!t->tree || !c->cpuid)
		return 0;
	rc = mapfile__find(t->dir, c->cpuid, model, err);
	if (!rc && !*model)
		rc = err__set(err, ENOENT, "%s/mapfile.csv has no row for CPU %s", t->dir,
			      c->cpuid);
	return rc;
}

static int no_base(const struct checking *c, struct err *err)
{
	auto_free(sb) near = SB_INIT;
	struct suggest s;

	suggest__init(&s, c->model ? c->model : "");
	for (int i = 0; c->model && i < tables__nr_models(); i++)
		suggest__offer(&s, tables__model_name(i));
	suggest__print(&s, &near);
	return err__set(err, ENOENT, "no tables for %s %s are built in%s",
			c->model ? "model" : "CPU", c->model ? c->model : c->cpuid, sb__str(&near));
}

/*
 * A file, or a folder that is not a whole tree, may use names of the built-in tables: find these
 * tables.
 */
static int find_base(const struct checking *c, const struct check_target *t, struct tables **base,
		     struct err *err)
{
	*base = NULL;
	if (t->tree || (!c->model && !c->cpuid))
		return 0;
	*base = c->model ? tables__find_model(c->model) : tables__find(c->cpuid);
	return *base ? 0 : no_base(c, err);
}

static bool has_model(const struct tree *tree, const char *name)
{
	return vec__find(m, &tree->models, !strcmp(pool__str(&tree->pool, m->name), name));
}

static void count_files(struct checking *c, const struct check_target *t, const struct tree *tree)
{
	for (int i = 0; i < (t->file ? 1 : tree->files.nr); i++)
		c->nr_files += !is_seen(c, t->file ? t->file : tree->files.at[i].path, NULL);
}

/* Keep only the findings of the file that was asked for, under the name that the user gave it. */
static void rename_file(struct lint *lint, const struct check_target *t)
{
	struct lint_finding *f;

	lint__keep_file(lint, t->file);
	vec__for_each (f, &lint->findings) {
		free(f->file);
		f->file = xstrdup(t->shown);
	}
}

/* Read and check a target's tables; if @model is given, only this model of a tree. */
static int find_all(struct tree *tree, struct lint *lint, const struct check_target *t,
		    const char *model, const struct tables *base, struct err *err)
{
	const char *const dirs[] = { t->dir };
	const struct tree_options opts = { .dirs = dirs,
					   .nr_dirs = 1,
					   .model_dirs = !t->tree,
					   .only = model,
					   .tolerant = true,
					   .report = lint__report,
					   .arg = lint,
					   .std = table_archs };
	int rc = tree__read(tree, &opts, err);

	if (model && (rc == -ENOENT || (!rc && !has_model(tree, model))))
		return err__set(err, ENOENT, "%s has no model %s", t->dir, model);
	if (rc)
		return rc;
	lint__tree(lint, tree, model, base);
	lint__finish(lint);
	return 0;
}

static int check_tables__check_target(struct checking *c, const struct check_target *t,
				      struct err *err)
{
	auto_free(tree) tree = { .nr_errors = 0 };
	auto_free(lint) lint = LINT_INIT;
	auto_text model = NULL;
	struct tables *base = NULL;
	int rc = check_tables__find_model(c, t, &model, err) ?: find_base(c, t, &base, err) ?:
		 find_all(&tree, &lint, t, model, base, err);

	if (!rc && t->file)
		rename_file(&lint, t);
	if (!rc) {
		c->target++;
		count_files(c, t, &tree);
		print_all(c, &lint, t->file);
	}
	tables__free(base);
	return rc;
}

/* Check one of several trees. The tree may lack the model that the user asks for. */
static int check_one_of(struct checking *c, const char *dir, const char *name, struct err *err)
{
	struct check_target t = {.tree = true};
	auto_free(sb) path = SB_INIT;
	int rc = 0;

	sb__printf(&path, "%s/%s", dir, name);
	t.dir = path.buf;
	if (file__is_dir("%s", t.dir))
		rc = check_tables__check_target(c, &t, err);
	return rc == -ENOENT ? 0 : rc;
}

/* Check each tree in a folder of trees ("arch", with x86 and others in it). */
static int check_trees(struct checking *c, const char *dir, bool *found, struct err *err)
{
	int before = c->target, nr, rc;
	char **names;

	*found = false;
	rc = tree__list_dir(dir, &names, &nr, err);
	if (rc)
		return rc;
	for (int i = 0; i < nr; i++)
		*found |= file__exists("%s/%s/mapfile.csv", dir, names[i]);
	for (int i = 0; *found && !rc && i < nr; i++)
		rc = check_one_of(c, dir, names[i], err);
	file__free_names(names, nr);
	if (rc || !*found || c->target > before)
		return rc;
	return err__set(err, ENOENT, "%s: there is no %s %s in it", dir,
			c->cpuid ? "CPU" : "model", c->cpuid ? c->cpuid : c->model ? c->model : "");
}

static int check_path(struct checking *c, const char *path, struct err *err)
{
	auto_free(check_target) t = { .shown = path };
	bool found = false;
	int rc = find_target(&t, err);

	if (!rc && !t.tree && !t.file)
		rc = check_trees(c, t.dir, &found, err);
	return rc || found ? rc : check_tables__check_target(c, &t, err);
}

static int check_tables__run(struct checking *c, const char *const *paths, int nr)
{
	struct err err = ERR_INIT;
	int rc = output__open(&c->out, NULL, false, &err);

	c->seen = strmap__new();
	if (c->json)
		json__open(&c->out.json, NULL, '[');
	for (int i = 0; !rc && i < nr; i++)
		rc = check_path(c, paths[i], &err);
	/* Close the array even after a failure, so that the findings before it are valid JSON. */
	if (c->json)
		json__close(&c->out.json, ']');
	else if (!rc && !c->quiet)
		print_count(c);
	output__close(&c->out, NULL); /* a failed write to standard output is found below */
	strmap__free(c->seen);
	if (rc)
		return say_err(&err);
	/*
	 * If findings could not be written, they did not reach the user: STATUS_FOUND would be
	 * wrong.
	 */
	if (fflush(stdout) || ferror(stdout))
		return STATUS_FAILED;
	return c->count[LINT_ERROR] || (c->strict && c->count[LINT_WARNING]) ? STATUS_FOUND : 0;
}

static int parse_severity(const struct option *opt, const char *arg, int unset)
{
	struct checking *c = opt->value;

	for (int i = 0; !unset && i < LINT_SEVERITIES; i++)
		if (!strcmp(arg, lint_severities[i])) {
			c->severity = i;
			return 0;
		}
	say("--severity: unknown value '%s'; use error, warning or note", unset ? "" : arg);
	return -1;
}

int cmd_check_tables(int argc, const char **argv)
{
	static const char *const usage[] = { "tma check-tables [<options>] DIR|FILE...", NULL };
	struct checking c = { .severity = LINT_WARNING };
	bool kinds = false, models = false;
	const struct option options[] = {
		OPT_STRING(0, "model", &c.model, "model", "check only this model"),
		OPT_STRING(0, "cpuid", &c.cpuid, "id", "check only the model of this CPU"),
		OPT_BOOLEAN('W', "warnings", &c.strict, "treat warnings as errors"),
		OPT_CALLBACK(0, "severity", &c, "error|warning|note",
			     "print findings of at least this severity", parse_severity),
		OPT_BOOLEAN('q', "quiet", &c.quiet, "omit the count at the end"),
		OPT_BOOLEAN('j', "json", &c.json, "print an array of JSON objects"),
		OPT_BOOLEAN(0, "kinds", &kinds, "list the kinds of findings"),
		OPT_BOOLEAN(0, "models", &models, "list the models whose tables are built in"),
		OPT_END()
	};

	argc = options__parse(argc, argv, options, usage, 0);
	if (kinds) {
		for (int i = 0; i < LINT_KINDS; i++)
			printf("%-8s %-18s %s\n", lint_severities[lint_kinds[i].severity],
			       lint_kinds[i].name, lint_kinds[i].about);
		return 0;
	}
	if (models) {
		for (int i = 0; i < tables__nr_models(); i++)
			puts(tables__model_name(i));
		return 0;
	}
	if (!argc) {
		say("name the tables to check: a directory or a file");
		usage_with_options(usage, options);
	}
	if (c.model && c.cpuid) {
		say("--model and --cpuid both name a model: use one of them");
		return STATUS_USAGE;
	}
	return check_tables__run(&c, argv, argc);
}
