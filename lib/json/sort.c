// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/strmap.h"
#include "base/text.h"
#include "json/tree.h"

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

/* Of one name, what the last folder has comes first. */
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

/* A metric can stand twice, for two kinds of system; the order is then that of what it says. */
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

static bool same(const struct tree_entry *a, const struct tree_entry *b)
{
	return a->event.text[TEXT_PMU] == b->event.text[TEXT_PMU] &&
	       a->event.text[TEXT_NAME] == b->event.text[TEXT_NAME];
}

static int keep_events(struct tree *tree, struct tree_model *model, struct err *err)
{
	struct tree_entry *at = model->events.at;
	int kept = 0, rc;

	for (int i = 0; i < model->events.nr; i++) {
		if (!kept || !same(&at[kept - 1], &at[i])) {
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

/* A metric's PMU and name, which means the same in any case of its letters. */
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

	/* One folder replaces nothing of its own. */
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
		keep_metrics(tree, model);
		rc = keep_events(tree, model, err);
		if (rc)
			break;
	}
	return rc;
}
