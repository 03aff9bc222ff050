// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "json/tree.h"

static const char *text_of(const struct tree *tree, const struct entry *entry, enum event_text t)
{
	return pool__str(&tree->pool, entry->event.text[t]);
}

static int compare_texts(const struct tree *tree, const struct entry *a, const struct entry *b,
			 enum event_text t)
{
	if (a->event.text[t] == b->event.text[t])
		return 0;
	return strcmp(text_of(tree, a, t), text_of(tree, b, t));
}

static int compare_events(const void *a, const void *b, void *tree)
{
	int cmp = compare_texts(tree, a, b, TEXT_PMU);

	return cmp ? cmp : compare_texts(tree, a, b, TEXT_NAME);
}

/* A metric can stand twice, for two kinds of system; the order is then that of what it says. */
static int compare_metrics(const void *a, const void *b, void *tree)
{
	static const enum event_text keys[] = { TEXT_PMU, TEXT_METRIC, TEXT_EXPR, TEXT_DESC };
	int cmp = 0;

	for (int i = 0; !cmp && i < 4; i++)
		cmp = compare_texts(tree, a, b, keys[i]);
	return cmp;
}

static int check_doubles(const struct tree *tree, const struct model *model, struct err *err)
{
	for (int i = 1; i < model->events.nr; i++) {
		const struct entry *a = &model->events.at[i - 1], *b = a + 1, *first = a;

		if (a->event.text[TEXT_NAME] != b->event.text[TEXT_NAME] ||
		    a->event.text[TEXT_PMU] != b->event.text[TEXT_PMU])
			continue;
		/* The sort does not keep their order: blame the later one. */
		if (a->file > b->file || (a->file == b->file && a->line > b->line)) {
			first = b;
			b = a;
		}
		return err__set(err, EEXIST, "%s:%d: event '%s' of PMU %s is already in %s:%d",
				tree->files.at[b->file], b->line, text_of(tree, b, TEXT_NAME),
				text_of(tree, b, TEXT_PMU), tree->files.at[first->file],
				first->line);
	}
	return 0;
}

int tree__sort(struct tree *tree, struct err *err)
{
	struct model *model;
	int rc = 0;

	vec__for_each(model, &tree->models) {
		if (model->events.nr)
			qsort_r(model->events.at, model->events.nr, sizeof(*model->events.at),
				compare_events, tree);
		if (model->metrics.nr)
			qsort_r(model->metrics.at, model->metrics.nr, sizeof(*model->metrics.at),
				compare_metrics, tree);
		rc = check_doubles(tree, model, err);
		if (rc)
			break;
	}
	return rc;
}
