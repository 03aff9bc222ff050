// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON in the kernel's layout: a folder with a mapfile.csv and a model's folder in it, or only the
 * model's folder. Tables that are loaded can be found, listed and evaluated. An error has a place.
 * If reading goes on after errors, everything is read, and each error is reported.
 */
#include "folder.h"
#include "json/build.h"
#include "json/tree.h"
#include "lint/lint.h"
#include "tables.h"

#define CPUID "GenuineIntel-6-55-4"

static struct folder_file files[] = {
	{ .letter = 'e', .path = "model/events.json" },
	{ .letter = 't', .path = "model/some-metrics.json" },
	{ .letter = 'm', .path = "mapfile.csv" },
	{ .letter = 's', .path = "standard.json" },
	{ .letter = 'g', .path = "model/metricgroups.json" },
	{ .letter = 'c', .path = "model/counter.json" },
	{ .letter = 'u', .path = "model/uncore.json" },
	{ .letter = 'y', .path = "sys/system.json" },
};
static struct folder folder = { .files = files, .nr_files = sizeof(files) / sizeof(*files) };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

/* Problems reported, by severity. */
struct told {
	struct lint lint;
	int nr[TREE_DOUBLE + 1];
};

static void tell(void *arg, enum tree_problem problem, const char *file, int line, const char *msg)
{
	struct told *told = arg;

	fuzz_check(file && *file && line >= 0 && *msg, "%s", msg);
	fuzz_check(problem <= TREE_DOUBLE);
	told->nr[problem]++;
	lint__report(&told->lint, problem, file, line, msg);
}

static void check_findings(const struct lint *lint)
{
	for (int i = 0; i < lint->findings.nr; i++) {
		const struct lint_finding *f = &lint->findings.at[i], *before = f - 1;

		fuzz_check(f->kind < LINT_KINDS && f->file && f->line >= 0 && *f->message);
		fuzz_check(!strpbrk(f->message, "\n\t\033"), "%s", f->message);
		fuzz_check(!f->text || (f->column >= 0 && f->column <= (int)strlen(f->text)),
			   "%s: column %d of '%s'", f->message, f->column, f->text);
		fuzz_check(!i || strcmp(before->file, f->file) < 0 ||
				   (!strcmp(before->file, f->file) && before->line <= f->line),
			   "%s:%d, then %s:%d", before->file, before->line, f->file, f->line);
	}
}

static void check_lint(struct lint *lint, const struct tree *tree)
{
	lint__tree(lint, tree, NULL, NULL);
	lint__finish(lint);
	check_findings(lint);
}

static int errors_of(const struct lint *lint)
{
	const struct lint_finding *f;
	int nr = 0;

	vec__for_each (f, &lint->findings)
		nr += lint_kinds[f->kind].severity == LINT_ERROR;
	return nr;
}

/* Return: how many errors there are. */
static int check_tolerant(const char *path)
{
	struct told told = { .lint = LINT_INIT };
	struct tree_options opts = {
		.dirs = &path, .nr_dirs = 1, .tolerant = true, .report = tell, .arg = &told
	};
	struct err err = ERR_INIT;
	struct tree tree;
	int errors, rc = tree__read(&tree, &opts, &err);

	if (rc)
		fuzz__check_error(rc, &err);
	else
		check_lint(&told.lint, &tree);
	errors = told.nr[TREE_ERROR] + told.nr[TREE_DOUBLE];
	fuzz_check(tree.nr_errors == errors, "%d, told of %d", tree.nr_errors, errors);
	fuzz_check(errors_of(&told.lint) >= errors);
	tree__free(&tree);
	lint__free(&told.lint);
	return rc ? 1 : errors;
}

static int check_strict(const char *path)
{
	struct told told = { .lint = LINT_INIT };
	struct tree_options opts = { .dirs = &path, .nr_dirs = 1, .report = tell, .arg = &told };
	struct err err = ERR_INIT;
	struct build build;
	struct tree tree;
	int rc = tree__read(&tree, &opts, &err);

	fuzz_check(!told.nr[TREE_ERROR] && !told.nr[TREE_DOUBLE]);
	if (!rc) {
		rc = build__tables(&build, &tree, &err);
		build__free(&build);
	}
	if (rc)
		fuzz__check_error(rc, &err);
	tree__free(&tree);
	lint__free(&told.lint);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct load_options opts = { .cpuid = CPUID };
	char model[4096];

	folder__fill(&folder, data, size);
	snprintf(model, sizeof(model), "%s/model", folder.root);
	opts.path = folder__has(&folder, 'm') ? folder.root : model;
	tables__check_load(&opts);
	if (!check_strict(folder.root))
		fuzz_check(!check_tolerant(folder.root));
	else
		check_tolerant(folder.root);
	return 0;
}
