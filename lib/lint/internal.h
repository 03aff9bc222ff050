/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of this stage share these. */
#ifndef TMA_LINT_INTERNAL_H
#define TMA_LINT_INTERNAL_H

#include "base/sb.h"
#include "base/xalloc.h"
#include "lint/graph.h"
#include "lint/lint.h"
#include "lint/names.h"
#include "lint/threshold.h"
#include "metrics/idset.h"

/**
 * struct lint_place - where something is wrong
 * @line:   of the element; 0 for the whole file
 * @field:  of the element, or NULL
 * @text, @column: the expression and the place in it; @text is NULL when it is about none
 */
struct lint_place {
	const char *file;
	int line;
	const char *field, *text;
	int column;
};

/** lint__add() - add a finding at a place. */
void lint__add(struct lint *lint, struct lint_place at, enum lint_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/** lint__add_syntax() - add a syntax error, whose message err__caret() has made. */
void lint__add_syntax(struct lint *lint, struct lint_place at, const char *msg);

/**
 * struct formula - an expression or a threshold of a metric
 * @text:  as the tables have it, "" when there is none
 * @field: its name in the JSON
 * @expr:  NULL when there is none or it cannot be read
 * @refs:  for each node of @expr the metric it names, or -1
 */
struct formula {
	const char *text, *field;
	struct expr *expr;
	int *refs;
};

/* The search for cycles is so far with a metric. */
enum visit_state { VISIT_NEW, VISIT_ON_PATH, VISIT_DONE };

/**
 * struct checked - a metric being checked
 * @node:   what it is in the graph, -1 when that is not known
 * @visit:  of the search for cycles
 * @cyclic: it takes part in a cycle
 * @depth:  how many metrics follow each other in what it refers to
 */
struct checked {
	const struct tree_entry *entry;
	const char *name, *pmu;
	struct formula value, threshold;
	int node, depth;
	enum visit_state visit;
	bool cyclic;
};

/**
 * struct model_check - the check of a model
 * @metrics: as in the model
 * @order:   numbers of @metrics, those referred to first
 */
struct model_check {
	struct arena memory;
	struct lint *lint;
	const struct tree *tree;
	const struct tree_model *model;
	struct names names;
	struct checked *metrics;
	VEC(int) order;
	struct graph graph;
	struct solver solver;
};

/** check__place() - tell where an entry of the tree stands; @field may be NULL. */
struct lint_place check__place(const struct model_check *c, const struct tree_entry *entry,
			       const char *field);
/** check__place_in() - tell where a node of a metric's formula stands. */
struct lint_place check__place_in(const struct model_check *c, const struct checked *m,
				  const struct formula *f, int node);

/* Each of these looks for its kinds of mistakes, in this order. */

/** check__entries() - check names of elements, descriptions, units, groups, doubles. */
void check__entries(struct model_check *c);
/** check__names() - read the expressions, and look their names up. */
void check__names(struct model_check *c);
/** check__cycles() - find metrics that refer to themselves, or too far; this sets the order. */
void check__cycles(struct model_check *c);
/** check__thresholds() - find what never or always holds, and divisions by 0. */
void check__thresholds(struct model_check *c);
/** check__groups() - find events which cannot be counted together. */
void check__groups(struct model_check *c);

#endif
