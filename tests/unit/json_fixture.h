/* SPDX-License-Identifier: GPL-2.0-only */
/* A folder of JSON files made for a test, and the tables that are loaded from it. */
#ifndef TMA_TESTS_JSON_FIXTURE_H
#define TMA_TESTS_JSON_FIXTURE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "json/build.h"
#include "json/tree.h"
#include "unit.h"

#define MAP_HEAD "Family-model,Version,Filename,EventType\n"

static char top[64];
static char text[65536];

static void make_top(void)
{
	strcpy(top, "/tmp/tma-tree-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(top));
}

static void remove_top(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	ck_assert_int_eq(system(command), 0);
}

/* Write a file of arbitrary bytes, and the folders in its path. */
static void put_bytes(const char *path, const char *content, size_t len)
{
	char full[256];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", top, path);
	for (char *p = full + strlen(top) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		ck_assert(!mkdir(full, 0755) || errno == EEXIST);
		*p = '/';
	}
	f = fopen(full, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(content, 1, len, f), len);
	ck_assert_int_eq(fclose(f), 0);
}

static void put(const char *path, const char *content)
{
	put_bytes(path, content, strlen(content));
}

/* Print a message without the path of the test's folder. */
static void print_without_top(const char *msg, FILE *f)
{
	for (const char *at; (at = strstr(msg, top)); msg = at + strlen(top) + 1)
		fwrite(msg, 1, at - msg, f);
	fputs(msg, f);
}

/* For struct tree_options.report. */
static inline void print_problem(void *f, enum tree_problem problem, const char *file, int line,
			  const char *msg)
{
	static const char *const words[] = { "note", "warning", "error", "double" };

	fprintf(f, "%s: ", words[problem]);
	print_without_top(file, f);
	fprintf(f, ":%d: ", line);
	print_without_top(msg, f);
	fputc('\n', f);
}

/* Return: the notes, if @opts.report is set, and the dump; or "!" and the error. */
static const char *dumped_as(struct tree_options opts)
{
	struct build build = { .tree = NULL };
	struct table_data data;
	struct err err = ERR_INIT;
	struct tree tree;
	FILE *f = fmemopen(text, sizeof(text), "w");
	int rc;

	ck_assert_ptr_nonnull(f);
	opts.arg = f;
	rc = tree__read(&tree, &opts, &err);
	if (!rc)
		rc = build__tables(&build, &tree, &err);
	if (!rc) {
		build__data(&build, "x86", &data);
		write__dump(&data, f);
	} else {
		ck_assert_int_eq(rc, -err.code);
		fputc('!', f);
		print_without_top(err.msg, f);
	}
	fputc('\0', f);
	ck_assert_int_eq(fclose(f), 0);
	build__free(&build);
	tree__free(&tree);
	return text;
}

static inline const char *dumped(void)
{
	const char *dir = top;

	return dumped_as((struct tree_options){ .dirs = &dir, .nr_dirs = 1 });
}

/* main() of a test file whose tests each have their own folder. */
static inline int run_tree_tests(const char *name, const TTest *const *tests, int nr)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, make_top, remove_top);
	for (int i = 0; i < nr; i++)
		tcase_add_test(tcase, tests[i]);
	tcase_set_timeout(tcase, UNIT_TIMEOUT_S);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
