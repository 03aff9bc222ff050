// SPDX-License-Identifier: GPL-2.0-only
#include "fleet/forest.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/strmap.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "fleet/answer.h"

#define MOST_NODES 1000 /* limit of nodes in a tree; trees of vendors have at most 300 */
#define MOST_LEVEL 99
#define ENOUGH 0.8 /* share of a level's loss that the next must explain; see tma.rules.yml */

/* --- Made of samples ----------------------------------------------------------------------- */

static struct fleet_tree *tree_of(struct fleet_forest *forest, const char *name)
{
	struct fleet_tree new = {.total = {NAN, NAN}};
	int at;

	if (!forest->names)
		forest->names = strmap__new();
	at = strmap__add(forest->names, name, forest->trees.nr);
	if (at == forest->trees.nr) {
		new.name = xstrdup(name);
		vec__push(&forest->trees, new);
	}
	return &forest->trees.at[at];
}

/* Find a node, or add it. FLEET_OF adds no nodes, since it is about nodes that have slots. */
static struct fleet_node *node_of(struct fleet_tree *tree, enum fleet_what what, const char *metric,
				  const char *parent, int level)
{
	struct fleet_node new = {.level = level, .rate = {NAN, NAN}, .of = {NAN, NAN}};
	struct fleet_node *node = vec__find(
		n, &tree->nodes, !strcmp(n->metric, metric) && !strcmp(n->parent, parent));

	if (node || what == FLEET_OF || tree->nodes.nr == MOST_NODES)
		return node;
	new.metric = xstrdup(metric);
	new.parent = xstrdup(parent);
	vec__push(&tree->nodes, new);
	return &tree->nodes.at[tree->nodes.nr - 1];
}

static void add_rate(double *rate, double value)
{
	*rate = isnan(*rate) ? value : *rate + value;
}

int fleet_forest__add(struct fleet_forest *forest, const struct fleet_answer *answer,
		      enum fleet_what what, const char *label, int side, struct err *err)
{
	const struct fleet_sample *sample;

	vec__for_each (sample, &answer->samples) {
		const char *metric = fleet_sample__label(sample, "metric");
		struct fleet_tree *tree = tree_of(forest, fleet_sample__label(sample, label));
		struct fleet_node *node;
		uint64_t level;

		if (!strcmp(metric, "total")) {
			if (what == FLEET_RATES)
				add_rate(&tree->total[side], sample->value);
			continue;
		}
		if (num__parse_u64("level", fleet_sample__label(sample, "level"), 1, MOST_LEVEL,
				   &level, err))
			return err__set(err, EBADMSG,
					"a counter of slots that is not from tma: metric \"%s\", "
					"level \"%s\"",
					metric, fleet_sample__label(sample, "level"));
		node = node_of(tree, what, metric, fleet_sample__label(sample, "parent"), level);
		if (!node && what == FLEET_OF)
			continue;
		if (!node)
			return err__set(err, EBADMSG, "more than %d nodes of a TopDown tree",
					MOST_NODES);
		add_rate(what == FLEET_OF ? &node->of[side] : &node->rate[side], sample->value);
	}
	return 0;
}

/* --- Sorting -------------------------------------------------------------------------------- */

static double fleet_forest__largest(const struct fleet_node *node)
{
	return fmax(node->rate[0], node->rate[1]);
}

static int compare_nodes(const void *one, const void *other)
{
	const struct fleet_node *a = one, *b = other;

	if (fleet_forest__largest(a) != fleet_forest__largest(b))
		return fleet_forest__largest(a) > fleet_forest__largest(b) ? -1 : 1;
	return strcmp(a->metric, b->metric);
}

/* Nodes of a tree that are in @out already. */
struct fleet_order {
	const struct fleet_tree *tree;
	struct fleet_node *out;
	bool placed[MOST_NODES];
	int nr;
};

static void fleet_forest__place(struct fleet_order *order, int i, int depth);

static void place_below(struct fleet_order *order, const char *parent, int depth)
{
	for (int i = 0; i < order->tree->nodes.nr; i++)
		if (!order->placed[i] && !strcmp(order->tree->nodes.at[i].parent, parent))
			fleet_forest__place(order, i, depth);
}

/* Skip nodes that are placed already, so that this ends even if nodes are each other's parents. */
static void fleet_forest__place(struct fleet_order *order, int i, int depth)
{
	order->placed[i] = true;
	order->out[order->nr] = order->tree->nodes.at[i];
	order->out[order->nr++].depth = depth;
	place_below(order, order->tree->nodes.at[i].metric, depth + 1);
}

static void sort_tree(struct fleet_tree *tree)
{
	struct fleet_order order = {.tree = tree};

	if (!tree->nodes.nr)
		return;
	qsort(tree->nodes.at, tree->nodes.nr, sizeof(*tree->nodes.at), compare_nodes);
	order.out = xcalloc(tree->nodes.nr, sizeof(*order.out));
	place_below(&order, "total", 0);
	for (int i = 0; i < tree->nodes.nr; i++)
		if (!order.placed[i])
			fleet_forest__place(&order, i, 0);
	memcpy(tree->nodes.at, order.out, tree->nodes.nr * sizeof(*order.out));
	free(order.out);
}

void fleet_forest__sort(struct fleet_forest *forest)
{
	struct fleet_tree *tree;

	vec__for_each (tree, &forest->trees)
		sort_tree(tree);
}

const struct fleet_tree *fleet_forest__find(const struct fleet_forest *forest, const char *name)
{
	int at = forest->names ? strmap__get(forest->names, name) : -1;

	return at < 0 ? NULL : &forest->trees.at[at];
}

void fleet_forest__free(struct fleet_forest *forest)
{
	struct fleet_tree *tree;
	struct fleet_node *node;

	vec__for_each (tree, &forest->trees) {
		vec__for_each (node, &tree->nodes) {
			free(node->metric);
			free(node->parent);
		}
		vec__free(&tree->nodes);
		free(tree->name);
	}
	vec__free(&forest->trees);
	strmap__free(forest->names);
	forest->names = NULL;
}

/* --- Results -------------------------------------------------------------------------------- */

bool fleet__is_retiring(const char *metric)
{
	return !strcmp(metric, "retiring") || !strcmp(metric, "tma_retiring");
}

double fleet_node__share(const struct fleet_node *node, int side)
{
	return node->of[side] > 0 ? node->rate[side] / node->of[side] : NAN;
}

double fleet_tree__lost(const struct fleet_tree *tree, int side)
{
	const struct fleet_node *node;
	double lost = tree->total[side];
	bool some = false;

	vec__for_each (node, &tree->nodes) {
		if (!fleet__is_retiring(node->metric) || isnan(node->rate[side]))
			continue;
		lost -= node->rate[side];
		some = true;
	}
	return some ? lost : NAN;
}

/*
 * Find the node that loses most on a level. The tree is sorted, so nodes below retiring follow it
 * and are deeper than it. @lost: set to the loss of all nodes on the level
 */
static const struct fleet_node *worst_of_level(const struct fleet_tree *tree, int level, int side,
					       double *lost)
{
	const struct fleet_node *node, *worst = NULL;
	bool below = false;

	*lost = 0;
	vec__for_each (node, &tree->nodes) {
		if (!node->depth)
			below = fleet__is_retiring(node->metric);
		if (below || node->level != level || isnan(node->rate[side]) ||
		    !strcmp(node->metric, "smt_contention"))
			continue;
		*lost += node->rate[side];
		if (!worst || node->rate[side] > worst->rate[side])
			worst = node;
	}
	return worst;
}

const struct fleet_node *fleet_tree__worst(const struct fleet_tree *tree, int level, int side)
{
	const struct fleet_node *worst = NULL;
	double above = 0;

	for (int i = 1; i <= level; i++) {
		double lost;
		const struct fleet_node *found = worst_of_level(tree, i, side, &lost);

		if (!found || lost < ENOUGH * above)
			continue;
		worst = found;
		above = lost;
	}
	return worst;
}
