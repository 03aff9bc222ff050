// SPDX-License-Identifier: GPL-2.0-only
/* Find the ids that an expression needs, given what is constant on this machine. */
#include "metrics/ids.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "json/cpuid.h"
#include "machine/machine.h"
#include "metrics/expr_op.h"
#include "metrics/metrics.h"

/**
 * struct need - the ids that a node needs, and its value if it is constant
 * @ids:   ids that the node needs; NULL for none
 * @value: value of a constant; any value that is not finite means that it is not known yet
 */
struct need {
	struct idset *ids;
	double value;
};

static bool is_const(const struct need *n)
{
	return isfinite(n->value);
}

static bool ids__is_zero(const struct need *n)
{
	return fpclassify(n->value) == FP_ZERO;
}

static struct need constant(double value)
{
	return (struct need){ .value = value };
}

/* Move a need out of @from, which is empty afterwards. */
static struct need ids__take(struct need *from)
{
	struct need need = *from;

	from->ids = NULL;
	return need;
}

static struct need unite(struct need *a, struct need *b)
{
	struct need both = { ids__take(a).ids, NAN };

	idset__unite(&both.ids, ids__take(b).ids);
	return both;
}

static struct need need_if(struct need *yes, struct need *cond, struct need *no)
{
	if (ids__is_zero(cond))
		return ids__take(no);
	if (is_const(cond))
		return ids__take(yes);
	if (yes->value == no->value)
		return constant(yes->value);
	*cond = unite(cond, no);
	return unite(yes, cond);
}

/* A constant operand of & or | may decide the value, or leave the decision to the other operand. */
static struct need need_logic(enum expr_op op, struct need *a, struct need *b)
{
	struct need *known = is_const(a) ? a : b, need;

	if (!is_const(known))
		return unite(a, b);
	if (expr_op__decides(op, known->value))
		return constant(op == EXPR_OR);
	need = ids__take(known == a ? b : a);
	/*
	 * The value of two constants is 0 or 1. With one constant, it is the value of the other
	 * operand.
	 */
	if (is_const(&need))
		need.value = !ids__is_zero(&need);
	return need;
}

static struct need need_operator(enum expr_op op, struct need *a, struct need *b)
{
	if (op == EXPR_AND || op == EXPR_OR)
		return need_logic(op, a, b);
	if ((op == EXPR_DIV || op == EXPR_MOD || op == EXPR_D_RATIO) && ids__is_zero(b))
		return constant(op == EXPR_D_RATIO ? 0 : NAN);
	if (op != EXPR_MIN && op != EXPR_MAX && is_const(a) && is_const(b))
		return constant(expr_op__apply(op, a->value, b->value, 0));
	return unite(a, b);
}

static struct need need_id(const char *id)
{
	struct need need = { idset__new(), NAN };

	idset__add(need.ids, id);
	return need;
}

static struct need negated(struct need *a)
{
	struct need need = ids__take(a);

	need.value = -need.value;
	return need;
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

/*
 * Find the need of a node. Each node is an operand of only one other node, which may take its need.
 */
static struct need need_of(const struct metrics_scope *scope, struct literals *literals,
			   const struct expr_node *node, struct need *needs)
{
	struct need *a = &needs[node->at[0]], *b = &needs[node->at[1]];

	switch (node->op) {
	case EXPR_NUMBER:
	case EXPR_LITERAL:
	case EXPR_STRCMP_CPUID:
		return constant(ids__leaf_value(scope, literals, node));
	case EXPR_HAS_EVENT:
		return constant(scope->has_event && ids__leaf_value(scope, literals, node));
	case EXPR_ID:
	case EXPR_SOURCE_COUNT:
		return need_id(node->id);
	case EXPR_IF:
		return need_if(a, b, &needs[node->at[2]]);
	case EXPR_NEG:
		return negated(a);
	default:
		return need_operator(node->op, a, b);
	}
}

/*
 * Return: the number, from 1, of the operand of an "if" that a constant chooses; 0 for any other
 * node.
 */
static int taken_of(const struct expr_node *node, const struct need *needs)
{
	const struct need *cond = &needs[node->at[1]];

	if (node->op != EXPR_IF || !is_const(cond))
		return 0;
	return ids__is_zero(cond) ? 3 : 1;
}

struct idset *ids__collect(const struct metrics_scope *scope, struct literals *literals,
			   struct expr *e)
{
	struct need *needs = xcalloc(e->nr, sizeof(*needs));
	struct idset *ids;

	for (int i = 0; i < e->nr; i++) {
		e->at[i].taken = taken_of(&e->at[i], needs);
		needs[i] = need_of(scope, literals, &e->at[i], needs);
	}
	ids = needs[e->nr - 1].ids;
	for (int i = 0; i < e->nr - 1; i++)
		idset__free(needs[i].ids);
	free(needs);
	return ids;
}
