// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON in the kernel's layout: a folder with a mapfile.csv and a model in it, or the model's folder
 * alone. What is loaded can be found, listed and evaluated. What is refused is refused with a
 * place; read on regardless of errors, all of it is seen, with each error told.
 */
#include "folder.h"
#include "json/build.h"
#include "json/tree.h"
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

/* Problems told, by how bad they are. */
struct told {
	int nr[TREE_DOUBLE + 1];
};

static void tell(void *arg, enum tree_problem problem, const char *file, int line, const char *msg)
{
	struct told *told = arg;

	fuzz_check(file && *file && line >= 0 && *msg, "%s", msg);
	fuzz_check(problem <= TREE_DOUBLE);
	told->nr[problem]++;
}

/* Return: how many errors there are. */
static int check_tolerant(const char *path)
{
	struct told told = { .nr = { 0 } };
	struct tree_options opts = {
		.dirs = &path, .nr_dirs = 1, .tolerant = true, .report = tell, .arg = &told
	};
	struct err err = ERR_INIT;
	struct tree tree;
	int errors, rc = tree__read(&tree, &opts, &err);

	if (rc)
		fuzz__check_error(rc, &err);
	errors = told.nr[TREE_ERROR] + told.nr[TREE_DOUBLE];
	fuzz_check(tree.nr_errors == errors, "%d, told of %d", tree.nr_errors, errors);
	tree__free(&tree);
	return rc ? 1 : errors;
}

static int check_strict(const char *path)
{
	struct told told = { .nr = { 0 } };
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
