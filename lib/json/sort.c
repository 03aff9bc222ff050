// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "json/tree.h"

static const char *text_of(const struct tree *tree, const struct tree_entry *entry,
			   enum event_text t)
{
	return pool__str(&tree->pool, entry->event.text[t]);
}

static int compare_texts(const struct tree *tree, const struct tree_entry *a,
			 const struct tree_entry *b, enum event_text t)
{
	if (a->event.text[t] == b->event.text[t])
		return 0;
	return strcmp(text_of(tree, a, t), text_of(tree, b, t));
}

static int dir_of(const struct tree *tree, const struct tree_entry *entry)
{
	return tree->files.at[entry->file].dir;
}

static int compare_places(const struct tree_entry *a, const struct tree_entry *b)
{
	return a->file != b->file ? a->file - b->file : a->line - b->line;
}

/* Of one name, what the last folder has comes first. */
static int compare_events(const void *a, const void *b, void *tree)
{
	int cmp = compare_texts(tree, a, b, TEXT_PMU);

	if (!cmp)
		cmp = compare_texts(tree, a, b, TEXT_NAME);
	if (!cmp)
		cmp = dir_of(tree, b) - dir_of(tree, a);
	return cmp ? cmp : compare_places(a, b);
}

/* A metric can stand twice, for two kinds of system; the order is then that of what it says. */
static int compare_metrics(const void *a, const void *b, void *tree)
{
	int cmp = compare_texts(tree, a, b, TEXT_PMU);

	if (!cmp)
		cmp = compare_texts(tree, a, b, TEXT_METRIC);
	if (!cmp)
		cmp = dir_of(tree, b) - dir_of(tree, a);
	if (!cmp)
		cmp = compare_texts(tree, a, b, TEXT_EXPR);
	if (!cmp)
		cmp = compare_texts(tree, a, b, TEXT_DESC);
	return cmp ? cmp : compare_places(a, b);
}

static int fail_double(struct tree *tree, const struct tree_entry *first,
		       const struct tree_entry *again, struct err *err)
{
	err__set(err, EEXIST, "event '%s' of PMU %s is already in %s:%d",
		 text_of(tree, again, TEXT_NAME), text_of(tree, again, TEXT_PMU),
		 tree->files.at[first->file].path, first->line);
	return tree__fail(tree, -EEXIST, tree->files.at[again->file].path, again->line, err);
}

static bool same(const struct tree_entry *a, const struct tree_entry *b, enum event_text name)
{
	return a->event.text[TEXT_PMU] == b->event.text[TEXT_PMU] &&
	       a->event.text[name] == b->event.text[name];
}

static int keep_events(struct tree *tree, struct tree_model *model, struct err *err)
{
	struct tree_entry *at = model->events.at;
	int kept = 0, rc;

	for (int i = 0; i < model->events.nr; i++) {
		if (!kept || !same(&at[kept - 1], &at[i], TEXT_NAME)) {
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

/* A metric's PMU and name, which means the same in any case of its letters. NULL: no memory. */
static const char *metric_key(const struct tree *tree, const struct tree_entry *metric,
			      struct sb *key)
{
	sb__clear(key);
	sb__printf(key, "%s\n%s", text_of(tree, metric, TEXT_PMU),
		   text_of(tree, metric, TEXT_METRIC));
	return key->err ? NULL : text__lower(key->buf);
}

static int keep_metrics(const struct tree *tree, struct tree_model *model)
{
	struct tree_entry *at = model->metrics.at;
	struct strmap *last_dir;
	struct sb key = SB_INIT;
	int kept = 0, rc = 0;

	/* One folder replaces nothing of its own. */
	if (!tree->dir)
		return 0;
	last_dir = strmap__new();
	for (int i = 0; last_dir && !rc && i < model->metrics.nr; i++) {
		const char *name = metric_key(tree, &at[i], &key);
		int dir = dir_of(tree, &at[i]);

		rc = !name ? -ENOMEM :
		     strmap__get(last_dir, name) < dir ? strmap__put(last_dir, name, dir) : 0;
	}
	for (int i = 0; last_dir && !rc && i < model->metrics.nr; i++) {
		const char *name = metric_key(tree, &at[i], &key);

		if (!name || strmap__get(last_dir, name) == dir_of(tree, &at[i]))
			at[kept++] = at[i];
	}
	if (last_dir && !rc)
		model->metrics.nr = kept;
	rc = last_dir ? rc : -ENOMEM;
	strmap__free(last_dir);
	sb__free(&key);
	return rc;
}

int tree__sort(struct tree *tree, struct err *err)
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
		rc = keep_events(tree, model, err);
		if (!rc)
			rc = keep_metrics(tree, model);
		if (rc)
			break;
	}
	return rc;
}
