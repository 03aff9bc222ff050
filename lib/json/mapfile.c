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

enum { COL_PATTERN, COL_VERSION, COL_FOLDER, COL_TYPE, NR_COLS };

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

/* "GenuineIntel-6-55-[01234],v1.35,skylakex,core"; @row is cut up. */
static int read_row(struct tree *tree, char *row, struct err *err)
{
	char *cols[NR_COLS] = { NULL };
	struct map_row map;
	int nr = 0, rc;

	if (strchr(row, '"'))
		return err__set(err, EINVAL, "quoted columns are not understood");
	for (; nr < NR_COLS && row; nr++)
		cols[nr] = strsep(&row, ",");
	if (nr < NR_COLS || row)
		return err__set(err, EINVAL,
				"expected four columns: pattern, version, folder, type");
	rc = check_pattern(cols[COL_PATTERN], err);
	if (rc)
		return rc;
	map.model = find_model(tree, cols[COL_FOLDER]);
	if (map.model < 0) {
		if (tree->verbose)
			fprintf(stderr, "%s:%d: warning: no folder '%s'\n", tree->reading,
				tree->reading_line, cols[COL_FOLDER]);
		return 0;
	}
	map.pattern = pool__add(&tree->pool, cols[COL_PATTERN]);
	map.version = pool__add(&tree->pool, cols[COL_VERSION]);
	return vec__push(&tree->map, map);
}

int mapfile__read(struct tree *tree, const char *dir, struct err *err)
{
	struct sb path = SB_INIT;
	char *text = NULL, *rest, *row;
	int rc = 0, line = 1;

	sb__printf(&path, "%s/mapfile.csv", dir);
	if (path.err)
		return -ENOMEM;
	/* An architecture without one has models that are found by name alone. */
	if (file__exists("%s", path.buf))
		rc = file__read(path.buf, MAPFILE_MAX, &text, NULL, err);
	tree->reading = path.buf;
	for (rest = text; !rc && rest; line++) {
		row = text__trim(strsep(&rest, "\n"));
		tree->reading_line = line;
		/* The first line names the columns. */
		if (line == 1 || !*row || *row == '#')
			continue;
		rc = read_row(tree, row, err);
		if (rc && rc != -ENOMEM)
			err__prefix(err, "%s:%d: ", path.buf, line);
	}
	tree->reading = NULL;
	free(text);
	sb__free(&path);
	return rc;
}
