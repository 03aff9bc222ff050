// SPDX-License-Identifier: GPL-2.0-only
#include "verdict/misfit.h"
#include "grid/unit.h"

#include <math.h>
#include <strings.h>

#include "base/array.h"
#include "base/sb.h"
#include "base/text.h"

#define WHOLE_PERCENT 100
#define PREFIX "tma_"

/* Parents whose children divide the same slots or uops completely. */
static const char *const sums[] = {
	"backend_bound",
	"bad_speculation",
	"fp_arith",
	"fp_vector",
	"frontend_bound",
	"heavy_operations",
	"ifetch_bandwidth",
	"ifetch_latency",
	"int_operations",
	"microcode_sequencer",
	"resource_bound",
	"retiring",
};

static bool is_sum(const char *name)
{
	if (!strncasecmp(name, PREFIX, sizeof(PREFIX) - 1))
		name += sizeof(PREFIX) - 1;
	for (int i = 0; i < array__nr(sums); i++)
		if (!strcasecmp(name, sums[i]))
			return true;
	return false;
}

static bool is_share(const struct grid_node *n)
{
	return unit__is_share(n->unit) && isfinite(n->value) && !isnan(n->error);
}

/* Add up the children of a node. Return: the number of children. */
static int add_up(const struct grid_node *nodes, int nr, int parent, struct misfit *m)
{
	int parts = 0;

	*m = (struct misfit){.kind = MISFIT_PARTS, .node = parent, .error = nodes[parent].error};
	for (int i = 0; i < nr; i++) {
		const struct grid_node *n = &nodes[i];

		if (n->parent != parent || n->level != nodes[parent].level + 1 || !is_share(n) ||
		    strcmp(n->unit, nodes[parent].unit))
			continue;
		m->sum += n->value;
		m->error += n->error;
		parts++;
	}
	return parts;
}

/* Whether the sum of a node's children differs from the node's value. */
static bool differs(const struct grid_node *nodes, int nr, int parent, struct misfit *m)
{
	int parts = is_sum(nodes[parent].name) ? add_up(nodes, nr, parent, m) : 0;
	double off = parts ? m->sum - nodes[parent].value : 0;

	if (parts < nodes[parent].nr_parts && off < 0)
		return false;
	return fabs(off) > TOLERATED_PERCENT + m->error;
}

int misfits__find(const struct grid_node *nodes, int nr, struct misfit *found)
{
	int at = 0;

	for (int i = 0; i < nr; i++) {
		const struct grid_node *n = &nodes[i];

		if (!is_share(n))
			continue;
		if (n->value + n->error < -TOLERATED_PERCENT)
			found[at++] = (struct misfit){.kind = MISFIT_BELOW, .node = i};
		if (n->value - n->error > WHOLE_PERCENT + TOLERATED_PERCENT)
			found[at++] = (struct misfit){.kind = MISFIT_ABOVE, .node = i};
		at += differs(nodes, nr, i, &found[at]);
	}
	return at;
}

static void mark_children(struct grid_node *nodes, int nr, int parent)
{
	for (int i = 0; i < nr; i++)
		if (nodes[i].parent == parent)
			nodes[i].impossible = true;
}

/* Whether a value is outside 0 to 100 %, even if an unknown error may explain it. */
static bool is_outside(const struct grid_node *n)
{
	return unit__is_share(n->unit) && isnan(n->error) && isfinite(n->value) &&
	       (n->value < -TOLERATED_PERCENT || n->value > WHOLE_PERCENT + TOLERATED_PERCENT);
}

void misfits__mark(struct grid_node *nodes, int nr, const struct misfit *found, int nr_found)
{
	for (int i = 0; i < nr; i++)
		nodes[i].impossible = is_outside(&nodes[i]);
	for (const struct misfit *m = found; m < found + nr_found; m++) {
		int parent = nodes[m->node].parent;

		if (m->kind == MISFIT_PARTS) {
			mark_children(nodes, nr, m->node);
			continue;
		}
		nodes[m->node].impossible = true;
		if (parent < 0 || is_sum(nodes[parent].name))
			mark_children(nodes, nr, parent);
	}
}

void misfit__print(const struct misfit *m, const struct grid_node *nodes, struct sb *sb)
{
	const struct grid_node *n = &nodes[m->node];

	if (m->kind == MISFIT_PARTS)
		sb__printf(sb, "the children of %s add up to %.1f %%, not to %.1f %%", n->name, m->sum,
			   n->value);
	else
		sb__printf(sb, "%s is %.1f %%, %s", n->name, n->value,
			   m->kind == MISFIT_BELOW ? "below 0 %" : "above 100 %");
	if (m->kind == MISFIT_PARTS ? m->error > 0 : n->error > 0)
		sb__printf(sb, " (errors: %.1f)", m->kind == MISFIT_PARTS ? m->error : n->error);
}
