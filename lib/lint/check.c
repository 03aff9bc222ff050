// SPDX-License-Identifier: GPL-2.0-only
/* One model after the other, each with all checks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "lint/internal.h"

static const char *str(const struct model_check *c, uint32_t offset)
{
	return pool__str(&c->tree->pool, offset);
}

struct place check__place(const struct model_check *c, const struct tree_entry *entry,
			  const char *field)
{
	return (struct place){ .file = c->tree->files.at[entry->file].path,
			       .line = entry->line,
			       .field = field };
}

static int begin(struct model_check *c, struct lint *lint, const struct tree *tree,
		 const struct tree_model *model, const struct tables *base)
{
	int nr = model->metrics.nr, rc;

	*c = (struct model_check){ .lint = lint, .tree = tree, .model = model };
	rc = names__init(&c->names, tree, model, base);
	if (!rc)
		rc = graph__init(&c->graph);
	solver__init(&c->solver, &c->graph);
	c->metrics = calloc(nr + 1, sizeof(*c->metrics));
	if (rc || !c->metrics)
		return -ENOMEM;
	for (int i = 0; i < nr; i++) {
		const struct tree_entry *entry = &model->metrics.at[i];

		c->metrics[i] = (struct checked){
			.entry = entry,
			.name = str(c, entry->event.text[TEXT_METRIC]),
			.pmu = str(c, entry->event.text[TEXT_PMU]),
			.node = -1,
			.value = { .text = str(c, entry->event.text[TEXT_EXPR]),
				   .field = "MetricExpr" },
			.threshold = { .text = str(c, entry->event.text[TEXT_THRESHOLD]),
				       .field = "MetricThreshold" },
		};
	}
	return 0;
}

static void free_formula(struct formula *f)
{
	free(f->refs);
	expr__free(f->expr);
}

static void end(struct model_check *c)
{
	for (int i = 0; c->metrics && i < c->model->metrics.nr; i++) {
		free_formula(&c->metrics[i].value);
		free_formula(&c->metrics[i].threshold);
	}
	free(c->metrics);
	vec__free(&c->order);
	solver__free(&c->solver);
	graph__free(&c->graph);
	names__free(&c->names);
}

int lint__tree(struct lint *lint, const struct tree *tree, const char *only,
	       const struct tables *base, struct err *err)
{
	static int (*const checks[])(struct model_check * c) = {
		check__entries, check__spelling,   check__names,
		check__cycles,	check__thresholds, check__groups,
	};
	const struct tree_model *model;
	struct model_check c;
	int rc = 0;

	vec__for_each (model, &tree->models) {
		if (only && strcmp(pool__str(&tree->pool, model->name), only))
			continue;
		rc = begin(&c, lint, tree, model, base);
		for (size_t i = 0; !rc && i < sizeof(checks) / sizeof(*checks); i++)
			rc = checks[i](&c);
		end(&c);
		if (rc)
			break;
	}
	if (rc || lint->failed)
		return err__set(err, ENOMEM, "checking tables: out of memory");
	return 0;
}
