// SPDX-License-Identifier: GPL-2.0-only
/* Which events an expression needs on this machine. */
#include "metrics/ids.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "json/cpuid.h"
#include "machine/machine.h"
#include "metrics/expr.h"
#include "metrics/metrics.h"

/**
 * struct need - what is known of a node before anything is counted
 * @ids:   the ids it needs, NULL for none
 * @value: its value where it is a constant; anything but finite stands for "not known yet"
 */
struct need {
	struct idset *ids;
	double value;
};

static bool is_const(const struct need *n)
{
	return isfinite(n->value);
}

static bool is_zero(const struct need *n)
{
	return fpclassify(n->value) == FP_ZERO;
}

static void drop(struct need *n)
{
	idset__free(n->ids);
	n->ids = NULL;
}

static void unite(struct need *a, struct need *b, struct need *out)
{
	struct need both = { a->ids, NAN };

	idset__unite(&both.ids, b->ids);
	a->ids = b->ids = NULL;
	*out = both;
}

static void move(struct need *from, struct need *out)
{
	*out = *from;
	from->ids = NULL;
}

static void constant(double value, struct need *out)
{
	out->value = value;
	out->ids = NULL;
}

static void need_if(struct need *yes, struct need *cond, struct need *no, struct need *out)
{
	if (is_zero(cond)) {
		move(no, out);
	} else if (is_const(cond)) {
		move(yes, out);
	} else if (yes->value == no->value) {
		constant(yes->value, out);
	} else {
		unite(cond, no, cond);
		unite(yes, cond, out);
	}
	drop(yes);
	drop(cond);
	drop(no);
}

/* & and |: one constant may decide, or leave the value to the other side. */
static void need_logic(enum expr_op op, struct need *a, struct need *b, struct need *out)
{
	struct need *known = is_const(a) ? a : b, *other = known == a ? b : a;

	if (!is_const(known)) {
		unite(a, b, out);
	} else if (expr_op__decides(op, known->value)) {
		drop(other);
		constant(op == EXPR_OR, out);
	} else {
		move(other, out);
		/* Of two constants the value is 0 or 1; of one, the other side as it is. */
		if (is_const(out))
			out->value = !is_zero(out);
	}
}

static void need_operator(enum expr_op op, struct need *a, struct need *b, struct need *out)
{
	if (op == EXPR_AND || op == EXPR_OR) {
		need_logic(op, a, b, out);
	} else if ((op == EXPR_DIV || op == EXPR_MOD || op == EXPR_D_RATIO) && is_zero(b)) {
		drop(a);
		constant(op == EXPR_D_RATIO ? 0 : NAN, out);
	} else if (op != EXPR_MIN && op != EXPR_MAX && is_const(a) && is_const(b)) {
		constant(expr_op__apply(op, a->value, b->value, 0), out);
	} else {
		unite(a, b, out);
	}
}

static void need_id(const char *id, struct need *out)
{
	constant(NAN, out);
	out->ids = idset__new();
	idset__add(out->ids, id);
}

static double cpuid_matches(const struct metrics_scope *scope, const char *pattern)
{
	const char *cpuid = scope->machine ? scope->machine->cpuid : "";

	return *cpuid ? cpuid__matches(pattern, cpuid, CPUID_LOOKS) : NAN;
}

double ids__leaf_value(const struct metrics_scope *scope, struct literals *literals,
		       const struct expr_node *node)
{
	switch (node->op) {
	case EXPR_NUMBER:
		return node->number;
	case EXPR_LITERAL:
		return literal__value(literals, scope, node->literal);
	case EXPR_HAS_EVENT:
		return scope->has_event ? scope->has_event(scope->arg, node->id) : NAN;
	case EXPR_STRCMP_CPUID:
		return cpuid_matches(scope, node->id);
	default:
		return NAN;
	}
}

static void need_of(const struct metrics_scope *scope, struct literals *literals,
		    const struct expr_node *node, struct need *needs, struct need *out)
{
	struct need *operand[3];

	for (int i = 0; i < 3; i++)
		operand[i] = &needs[node->at[i]];

	switch (node->op) {
	case EXPR_NUMBER:
	case EXPR_LITERAL:
	case EXPR_STRCMP_CPUID:
		constant(ids__leaf_value(scope, literals, node), out);
		break;
	case EXPR_HAS_EVENT:
		constant(scope->has_event && ids__leaf_value(scope, literals, node), out);
		break;
	case EXPR_ID:
	case EXPR_SOURCE_COUNT:
		need_id(node->id, out);
		break;
	case EXPR_IF:
		need_if(operand[0], operand[1], operand[2], out);
		break;
	case EXPR_NEG:
		move(operand[0], out);
		out->value = -out->value;
		break;
	default:
		need_operator(node->op, operand[0], operand[1], out);
	}
}

struct idset *ids__collect(const struct metrics_scope *scope, struct literals *literals,
			   const struct expr *e)
{
	struct need *needs = xcalloc(e->nr, sizeof(*needs));
	struct idset *ids;

	for (int i = 0; i < e->nr; i++)
		need_of(scope, literals, &e->at[i], needs, &needs[i]);
	ids = needs[e->nr - 1].ids;
	for (int i = 0; i < e->nr - 1; i++)
		idset__free(needs[i].ids);
	free(needs);
	return ids;
}
