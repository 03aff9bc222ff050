// SPDX-License-Identifier: GPL-2.0-only
/* Which events an expression needs on this machine. */
#include "metrics/ids.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "machine/machine.h"
#include "metrics/expr.h"
#include "metrics/metrics.h"
#include "tables/cpuid.h"

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

static int unite(struct need *a, struct need *b, struct need *out)
{
	int ret;

	out->value = NAN;
	out->ids = a->ids;
	a->ids = NULL;
	ret = idset__unite(&out->ids, b->ids);
	b->ids = NULL;
	return ret;
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

static int need_if(struct need *yes, struct need *cond, struct need *no, struct need *out)
{
	int ret;

	if (is_zero(cond)) {
		move(no, out);
	} else if (is_const(cond)) {
		move(yes, out);
	} else if (yes->value == no->value) {
		constant(yes->value, out);
	} else {
		ret = unite(cond, no, out);
		if (ret)
			return ret;
		*cond = *out;
		return unite(yes, cond, out);
	}
	drop(yes);
	drop(cond);
	drop(no);
	return 0;
}

/*
 * & and |: one constant may decide, or leave the value to the other side.
 * @decides: whether it is a zero that decides (&), or anything else (|)
 */
static int need_logic(bool decides, struct need *a, struct need *b, struct need *out)
{
	struct need *known = is_const(a) ? a : b, *other = known == a ? b : a;

	if (!is_const(known))
		return unite(a, b, out);
	if (is_zero(known) != decides) {
		move(other, out);
		/* Of two constants the value is 0 or 1; of one, the other side as it is. */
		if (is_const(out))
			out->value = !is_zero(out);
		return 0;
	}
	drop(other);
	constant(decides ? 0 : 1, out);
	return 0;
}

static int need_operator(enum expr_op op, struct need *a, struct need *b, struct need *out)
{
	if (op == EXPR_AND || op == EXPR_OR)
		return need_logic(op == EXPR_AND, a, b, out);
	if ((op == EXPR_DIV || op == EXPR_MOD || op == EXPR_D_RATIO) && is_zero(b)) {
		drop(a);
		constant(op == EXPR_D_RATIO ? 0 : NAN, out);
		return 0;
	}
	if (op != EXPR_MIN && op != EXPR_MAX && is_const(a) && is_const(b)) {
		constant(expr_op__apply(op, a->value, b->value, 0), out);
		return 0;
	}
	return unite(a, b, out);
}

static int need_id(const char *id, struct need *out)
{
	constant(NAN, out);
	out->ids = idset__new();
	return out->ids ? idset__add(out->ids, id) : -ENOMEM;
}

double ids__cpuid_matches(const struct metrics_scope *scope, const char *pattern)
{
	const char *cpuid = scope->machine ? scope->machine->cpuid : "";

	return *cpuid ? cpuid__matches(pattern, cpuid, CPUID_LOOKS) : NAN;
}

static int need_of(const struct metrics_scope *scope, struct literals *literals,
		   const struct expr_node *node, struct need *needs, struct need *out)
{
	struct need *operand[3];

	for (int i = 0; i < 3; i++)
		operand[i] = &needs[node->at[i]];

	switch (node->op) {
	case EXPR_NUMBER:
		constant(node->number, out);
		return 0;
	case EXPR_LITERAL:
		constant(literal__value(literals, scope, node->literal), out);
		return 0;
	case EXPR_ID:
	case EXPR_SOURCE_COUNT:
		return need_id(node->id, out);
	case EXPR_HAS_EVENT:
		constant(scope->has_event && scope->has_event(scope->arg, node->id), out);
		return 0;
	case EXPR_STRCMP_CPUID:
		constant(ids__cpuid_matches(scope, node->id), out);
		return 0;
	case EXPR_IF:
		return need_if(operand[0], operand[1], operand[2], out);
	case EXPR_NEG:
		move(operand[0], out);
		out->value = -out->value;
		return 0;
	default:
		return need_operator(node->op, operand[0], operand[1], out);
	}
}

int ids__collect(const struct metrics_scope *scope, struct literals *literals, const struct expr *e,
		 struct idset **out)
{
	struct need *needs = calloc(e->nr, sizeof(*needs));
	int ret = 0;

	if (!needs)
		return -ENOMEM;
	for (int i = 0; i < e->nr && !ret; i++)
		ret = need_of(scope, literals, &e->at[i], needs, &needs[i]);
	if (!ret) {
		*out = needs[e->nr - 1].ids;
		needs[e->nr - 1].ids = NULL;
	}
	for (int i = 0; i < e->nr; i++)
		idset__free(needs[i].ids);
	free(needs);
	return ret;
}
