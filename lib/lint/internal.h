/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the files of lib/lint share. */
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
 * struct lint_place - the place of a finding
 * @line:   line of the element; 0 for the whole file
 * @field:  field of the element, or NULL
 * @text:   the expression that the finding is about, or NULL; @column: place in the expression
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
/** lint__add_syntax() - add a syntax error with a message made by err__caret(). */
void lint__add_syntax(struct lint *lint, struct lint_place at, const char *msg);

/**
 * struct formula - an expression or a threshold of a metric
 * @text:  text in the tables, "" if there is none
 * @field: name of the field in the JSON
 * @expr:  the parsed text; NULL if there is none or it has a syntax error
 * @refs:  for each node of @expr, the number of the metric that it names, or -1
 */
struct formula {
	const char *text, *field;
	struct expr *expr;
	int *refs;
};

/* States of a metric during the search for cycles. */
enum visit_state { VISIT_NEW, VISIT_ON_PATH, VISIT_DONE };

/**
 * struct checked - a metric that is being checked
 * @node:   node of the metric in the graph; -1 if unknown
 * @visit:  state during the search for cycles
 * @cyclic: the metric is part of a cycle
 * @depth:  length of the longest chain of metrics that the metric refers to
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
 * @metrics: metrics in the model's order
 * @order:   indices of @metrics; a metric follows all metrics that it refers to
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

/** check__place() - get the place of an entry of the tree; @field may be NULL. */
struct lint_place check__place(const struct model_check *c, const struct tree_entry *entry,
			       const char *field);
/** check__place_in() - get the place of a node in a metric's formula. */
struct lint_place check__place_in(const struct model_check *c, const struct checked *m,
				  const struct formula *f, int node);

/* Checks, in the order in which they run. */

/** check__entries() - check names of elements, descriptions, units, groups and duplicates. */
void check__entries(struct model_check *c);
/** check__names() - parse the expressions, and look up the names in them. */
void check__names(struct model_check *c);
/**
 * check__cycles() - find metrics that refer to themselves, and chains of too many metrics; sets
 * @order.
 */
void check__cycles(struct model_check *c);
/** check__thresholds() - find conditions that never or always hold, and divisions by 0. */
void check__thresholds(struct model_check *c);
/** check__groups() - find events that cannot be counted together. */
void check__groups(struct model_check *c);

#endif
