// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/text.h"
#include "json/tree.h"

#define MAPFILE_MAX (1u << 20)

/* perf's own tests have a model without a mapfile. */
#define TEST_FOLDER "test_soc/cpu"
#define TEST_CPU "testcpu"

enum { COL_PATTERN, COL_VERSION, COL_FOLDER, COL_TYPE, NR_COLS };

/* The rows of a mapfile while they are read. */
struct rows {
	char path[4096];
	char *text, *rest;
	int line;
};

static int rows__open(struct rows *rows, const char *dir, struct err *err)
{
	size_t len;
	int rc;

	*rows = (struct rows){ .text = NULL };
	if (snprintf(rows->path, sizeof(rows->path), "%s/mapfile.csv", dir) >=
	    (int)sizeof(rows->path))
		return err__set(err, ENAMETOOLONG, "%s: path too long", dir);
	rc = file__read(rows->path, MAPFILE_MAX, &rows->text, &len, err);
	if (rc)
		return rc;
	rows->rest = rows->text;
	if (strlen(rows->text) == len)
		return 0;
	free(rows->text);
	return err__set(err, EINVAL, "%s: NUL byte", rows->path);
}

/* "GenuineIntel-6-55-[01234],v1.35,skylakex,core"; @row is cut up. */
static int split_row(char *row, char *cols[NR_COLS], struct err *err)
{
	int nr = 0;

	if (strchr(row, '"'))
		return err__set(err, EINVAL, "quoted columns are not understood");
	for (; nr < NR_COLS && row; nr++)
		cols[nr] = strsep(&row, ",");
	if (nr < NR_COLS || row)
		return err__set(err, EINVAL,
				"expected four columns: pattern, version, folder, type");
	return 0;
}

/* The next row. Return: 1 with @cols set, 0 at the end, or -EINVAL without a place. */
static int rows__next(struct rows *rows, char *cols[NR_COLS], struct err *err)
{
	int rc;

	while (rows->rest) {
		char *row = text__trim(strsep(&rows->rest, "\n"));

		/* The first line names the columns. */
		if (++rows->line == 1 || !*row || *row == '#')
			continue;
		rc = split_row(row, cols, err);
		return rc ? rc : 1;
	}
	return 0;
}

static int find_model(const struct tree *tree, const char *folder)
{
	for (int i = 0; i < tree->models.nr; i++)
		if (!strcmp(pool__str(&tree->pool, tree->models.at[i].name), folder))
			return i;
	return -1;
}

static int check_pattern(const char *pattern, struct err *err)
{
	char why[128];
	regex_t re;
	int rc = regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB);

	if (rc) {
		regerror(rc, &re, why, sizeof(why));
		return err__set(err, EINVAL, "pattern '%s': %s", pattern, why);
	}
	regfree(&re);
	return 0;
}

/* Rows of one folder keep their order, and stand before those of the folders read earlier. */
static int add_row(struct tree *tree, int at, const char *pattern, const char *version, int model)
{
	struct tree_row row = { .pattern = pool__add(&tree->pool, pattern),
				.version = pool__add(&tree->pool, version),
				.model = model };

	if (vec__push(&tree->map, row))
		return -ENOMEM;
	memmove(&tree->map.at[at + 1], &tree->map.at[at],
		(tree->map.nr - 1 - at) * sizeof(*tree->map.at));
	tree->map.at[at] = row;
	return 0;
}

static int read_row(struct tree *tree, const struct rows *rows, char *cols[NR_COLS], int *at,
		    struct err *err)
{
	char msg[256];
	int model, rc;

	if (tree->only && strcmp(cols[COL_FOLDER], tree->only))
		return 0;
	rc = check_pattern(cols[COL_PATTERN], err);
	if (rc)
		return rc;
	model = find_model(tree, cols[COL_FOLDER]);
	if (model < 0) {
		snprintf(msg, sizeof(msg), "no folder '%s'", cols[COL_FOLDER]);
		tree__report(tree, TREE_NOTE, rows->path, rows->line, msg);
		return 0;
	}
	rc = add_row(tree, *at, cols[COL_PATTERN], cols[COL_VERSION], model);
	++*at;
	return rc;
}

int mapfile__read(struct tree *tree, const char *dir, struct err *err)
{
	char *cols[NR_COLS];
	struct rows rows;
	int rc, model, at = 0;

	/* An architecture without one has models that are found by name alone. */
	if (!file__exists("%s/mapfile.csv", dir)) {
		model = find_model(tree, TEST_FOLDER);
		return model < 0 ? 0 : add_row(tree, 0, TEST_CPU, "", model);
	}
	rc = rows__open(&rows, dir, err);
	if (rc)
		return rc;
	while ((rc = rows__next(&rows, cols, err))) {
		if (rc > 0)
			rc = read_row(tree, &rows, cols, &at, err);
		if (rc)
			rc = tree__fail(tree, rc, rows.path, rows.line, err);
		if (rc)
			break;
	}
	free(rows.text);
	return rc;
}

int mapfile__find(const char *dir, bool (*matches)(void *arg, const char *pattern), void *arg,
		  char **folder, struct err *err)
{
	char *cols[NR_COLS];
	struct rows rows;
	int rc;

	*folder = NULL;
	rc = rows__open(&rows, dir, err);
	if (rc)
		return rc;
	while ((rc = rows__next(&rows, cols, err)) > 0) {
		if (!matches(arg, cols[COL_PATTERN]))
			continue;
		*folder = strdup(cols[COL_FOLDER]);
		rc = *folder ? 0 : err__set(err, ENOMEM, "%s: out of memory", rows.path);
		break;
	}
	if (rc == -EINVAL)
		err__prefix(err, "%s:%d: ", rows.path, rows.line);
	free(rows.text);
	return rc;
}
