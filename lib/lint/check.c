// SPDX-License-Identifier: GPL-2.0-only
/* Check the models of a tree, each with all checks. */
#include <string.h>

#include "lint/internal.h"

struct lint_place check__place(const struct model_check *c, const struct tree_entry *entry,
			       const char *field)
{
	return (struct lint_place){
		.file = c->tree->files.at[entry->file].path, .line = entry->line, .field = field};
}

struct lint_place check__place_in(const struct model_check *c, const struct checked *m,
				  const struct formula *f, int node)
{
	struct lint_place at = check__place(c, m->entry, f->field);

	at.text = f->text;
	at.column = f->expr->at[node].column;
	return at;
}

static void check__begin(struct model_check *c, struct lint *lint, const struct tree *tree,
			 const struct tree_model *model, const struct tables *base)
{
	int nr = model->metrics.nr;

	*c = (struct model_check){ .lint = lint, .tree = tree, .model = model };
	names__init(&c->names, tree, model, base);
	graph__init(&c->graph);
	c->solver.graph = &c->graph;
	c->metrics = arena__calloc(&c->memory, nr, sizeof(*c->metrics));
	for (int i = 0; i < nr; i++) {
		const struct tree_entry *entry = &model->metrics.at[i];

		c->metrics[i] = (struct checked){
			.entry = entry,
			.name = tree__text(c->tree, entry, TEXT_METRIC),
			.pmu = tree__text(c->tree, entry, TEXT_PMU),
			.node = -1,
			.value = { .text = tree__text(c->tree, entry, TEXT_EXPR),
				   .field = "MetricExpr" },
			.threshold = { .text = tree__text(c->tree, entry, TEXT_THRESHOLD),
				       .field = "MetricThreshold" },
		};
	}
}

static void end(struct model_check *c)
{
	for (int i = 0; i < c->model->metrics.nr; i++) {
		expr__free(c->metrics[i].value.expr);
		expr__free(c->metrics[i].threshold.expr);
	}
	arena__free(&c->memory);
	vec__free(&c->order);
	solver__free(&c->solver);
	graph__free(&c->graph);
	names__free(&c->names);
}

void lint__tree(struct lint *lint, const struct tree *tree, const char *only,
		const struct tables *base)
{
	static void (*const checks[])(struct model_check * c) = {
		check__entries, check__names, check__cycles, check__thresholds, check__groups,
	};
	const struct tree_model *model;
	struct model_check c;

	vec__for_each (model, &tree->models) {
		if (only && strcmp(pool__str(&tree->pool, model->name), only))
			continue;
		check__begin(&c, lint, tree, model, base);
		for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++)
			checks[i](&c);
		end(&c);
	}
}
