// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/file.h"
#include "base/pattern.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "json/cpuid.h"
#include "json/mapfile.h"
#include "json/tree.h"

#define MAPFILE_MAX (1u << 20)
#define NO_FOLDER "-" /* tma has no tables for these CPUs, even if a later row matches */

/* A model of perf's own tests, which is not in a mapfile. */
#define TEST_FOLDER "test_soc/cpu"
#define TEST_CPU "testcpu"

int mapfile__open(struct mapfile *map, const char *dir, struct err *err)
{
	size_t len;
	int rc;

	*map = (struct mapfile){ .text = NULL };
	if (snprintf(map->path, sizeof(map->path), "%s/mapfile.csv", dir) >= (int)sizeof(map->path))
		return err__set(err, ENAMETOOLONG, "%s: path too long", dir);
	rc = file__read_regular(map->path, MAPFILE_MAX, &map->text, &len, err);
	if (rc)
		return rc;
	map->rest = map->text;
	if (strlen(map->text) == len)
		return 0;
	mapfile__close(map);
	return err__set(err, EINVAL, "%s: NUL byte", map->path);
}

void mapfile__close(struct mapfile *map)
{
	free(map->text);
	map->text = map->rest = NULL;
}

/* Split a row like "GenuineIntel-6-55-[01234],v1.35,skylakex,core". */
static int split_row(char *row, char *cols[MAPFILE_COLS], struct err *err)
{
	int nr = 0;

	if (strchr(row, '"'))
		return err__set(err, EINVAL, "quoted columns are not supported");
	for (int i = 0; i < MAPFILE_COLS; i++) {
		nr += !!row;
		cols[i] = row ? strsep(&row, ",") : NULL;
	}
	if (nr < MAP_KERNEL_COLS || row)
		return err__set(err, EINVAL,
				"expected four columns: pattern, version, folder, type");
	return nr;
}

int mapfile__next(struct mapfile *map, char *cols[MAPFILE_COLS], struct err *err)
{
	while (map->rest) {
		char *row = text__trim(strsep(&map->rest, "\n"));
		int nr;

		map->line++;
		if (!*row || *row == '#')
			continue;
		nr = split_row(row, cols, err);
		/* The first row may have the names of the columns, in any spelling. */
		if (map->line > 1 || (nr > 0 && strcasecmp(cols[MAP_VERSION], "Version")))
			return nr;
	}
	return 0;
}

static int mapfile__find_model(const struct tree *tree, const char *folder)
{
	for (int i = 0; i < tree->models.nr; i++)
		if (!strcmp(pool__str(&tree->pool, tree->models.at[i].name), folder))
			return i;
	return -1;
}

static int check_pattern(const char *pattern, struct err *err)
{
	regex_t re;
	int rc = pattern__compile(&re, pattern, REG_NOSUB, err);

	if (!rc)
		regfree(&re);
	return rc;
}

/* Rows of one folder keep their order, and precede rows of folders that were read earlier. */
static void add_row(struct tree *tree, int at, const char *pattern, const char *version, int model)
{
	struct tree_row row = { .pattern = pool__add(&tree->pool, pattern),
				.version = pool__add(&tree->pool, version),
				.model = model };

	vec__push(&tree->map, row);
	memmove(&tree->map.at[at + 1], &tree->map.at[at],
		(tree->map.nr - 1 - at) * sizeof(*tree->map.at));
	tree->map.at[at] = row;
}

static int read_row(struct tree *tree, const struct mapfile *map, char *cols[MAPFILE_COLS], int *at,
		    struct err *err)
{
	int model, rc;

	if (tree->only && strcmp(cols[MAP_FOLDER], tree->only))
		return 0;
	rc = check_pattern(cols[MAP_PATTERN], err);
	if (rc)
		return rc;
	model = mapfile__find_model(tree, cols[MAP_FOLDER]);
	if (model < 0 && strcmp(cols[MAP_FOLDER], NO_FOLDER)) {
		tree__report(tree, TREE_NOTE, map->path, map->line, "no folder '%s'",
			     cols[MAP_FOLDER]);
		return 0;
	}
	add_row(tree, (*at)++, cols[MAP_PATTERN], cols[MAP_VERSION], model);
	return 0;
}

int mapfile__read(struct tree *tree, const char *dir, struct err *err)
{
	char *cols[MAPFILE_COLS];
	struct mapfile map;
	int rc, model, at = 0;

	/* Without a mapfile, an architecture's models are found only by name. */
	if (!file__exists("%s/mapfile.csv", dir)) {
		model = mapfile__find_model(tree, TEST_FOLDER);
		if (model >= 0)
			add_row(tree, 0, TEST_CPU, "", model);
		return 0;
	}
	rc = mapfile__open(&map, dir, err);
	if (rc)
		return rc;
	while ((rc = mapfile__next(&map, cols, err))) {
		if (rc > MAP_KERNEL_COLS)
			rc = err__set(err, EINVAL,
				      "expected four columns: pattern, version, folder, type");
		if (rc > 0)
			rc = read_row(tree, &map, cols, &at, err);
		rc = tree__fail(tree, rc, map.path, map.line, err);
		if (rc)
			break;
	}
	mapfile__close(&map);
	return rc;
}

int mapfile__find(const char *dir, const char *cpuid, char **folder, struct err *err)
{
	char *cols[MAPFILE_COLS];
	struct mapfile map;
	int rc;

	*folder = NULL;
	rc = mapfile__open(&map, dir, err);
	if (rc)
		return rc;
	while ((rc = mapfile__next(&map, cols, err)) > 0) {
		if (!cpuid__matches(cols[MAP_PATTERN], cpuid, CPUID_LOOKS))
			continue;
		*folder = xstrdup(cols[MAP_FOLDER]);
		rc = 0;
		break;
	}
	if (rc == -EINVAL)
		err__prefix(err, "%s:%d: ", map.path, map.line);
	mapfile__close(&map);
	return rc;
}
