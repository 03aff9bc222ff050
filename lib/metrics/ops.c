// SPDX-License-Identifier: GPL-2.0-only
/* The operations of a program: each once, whichever metric needs it. */
#include "metrics/ops.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

#define MIN_SLOTS 64

static bool same(const struct op *a, const struct op *b)
{
	/* By bytes, not by value: NaN is NaN, and -0 is not 0. */
	return a->op == b->op && !memcmp(a->at, b->at, sizeof(a->at)) &&
	       !memcmp(&a->number, &b->number, sizeof(a->number));
}

static unsigned int hash_of(const struct op *op)
{
	uint64_t bits, hash = op->op;

	memcpy(&bits, &op->number, sizeof(bits));
	for (int i = 0; i < 3; i++)
		hash = (hash ^ (uint32_t)op->at[i]) * UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
	return hash >> 32;
}

static int *find_slot(struct program *p, const struct op *op)
{
	unsigned int i = hash_of(op);

	for (;; i++) {
		int *slot = &p->slots[i & (p->nr_slots - 1)];

		if (*slot < 0 || same(&p->at[*slot], op))
			return slot;
	}
}

static void grow(struct program *p)
{
	free(p->slots);
	p->nr_slots = p->nr_slots ? p->nr_slots * 2 : MIN_SLOTS;
	p->slots = xmalloc(p->nr_slots * sizeof(*p->slots));
	for (int i = 0; i < p->nr_slots; i++)
		p->slots[i] = -1;
	for (int i = 0; i < p->nr; i++)
		*find_slot(p, &p->at[i]) = i;
}

static int add(struct program *p, struct op op)
{
	int *slot;

	if (p->nr * 2 >= p->nr_slots)
		grow(p);
	slot = find_slot(p, &op);
	if (*slot < 0) {
		*slot = p->nr;
		vec__push(p, op);
	}
	return *slot;
}

int ops__constant(struct program *p, double number)
{
	return add(p, (struct op){ .op = OP_CONST, .number = number });
}

int ops__row_count(struct program *p, enum row_count count, double machine)
{
	return add(p, (struct op){ .op = OP_ROW, .at = { count }, .number = machine });
}

static bool is_const(const struct program *p, int i)
{
	return p->at[i].op == OP_CONST;
}

/* An operator's value, when the operands it takes are known. */
static int fold(struct program *p, const struct op *op)
{
	double value[3] = { 0 };

	for (int i = 0; i < 3; i++)
		if (is_const(p, op->at[i]))
			value[i] = p->at[op->at[i]].number;
	return ops__constant(p, expr_op__apply(op->op, value[0], value[1], value[2]));
}

static bool is_zero(const struct program *p, int i)
{
	return is_const(p, i) && fpclassify(p->at[i].number) == FP_ZERO;
}

/*
 * Where one operand settles the value, so that ids__collect() asks for no events of the other: then
 * it shall not matter either whether those are counted, for another metric.
 */
static bool is_settled(const struct program *p, int op, int a, int b, double *value)
{
	switch (op) {
	case EXPR_AND:
	case EXPR_OR:
		*value = op == EXPR_OR;
		return (is_const(p, a) && expr_op__decides(op, p->at[a].number)) ||
		       (is_const(p, b) && expr_op__decides(op, p->at[b].number));
	case EXPR_DIV:
	case EXPR_MOD:
	case EXPR_D_RATIO:
		*value = expr_op__apply(op, NAN, 0, 0);
		return is_zero(p, b);
	default:
		return false;
	}
}

/* The branch that a constant chooses, or one of two constants that are equal; -1 for none. */
static int chosen(const struct program *p, int yes, int condition, int no)
{
	if (is_const(p, condition))
		return expr_op__apply(EXPR_IF, 1, p->at[condition].number, 0) ? yes : no;
	if (is_const(p, yes) && is_const(p, no) && p->at[yes].number == p->at[no].number)
		return yes;
	return -1;
}

int ops__add(struct program *p, int number, int a, int b, int c)
{
	struct op op = { .op = number, .at = { a, b, c } };
	double value;
	int branch;

	if (!expr_op__is_operator(number))
		return add(p, op);
	branch = number == EXPR_IF ? chosen(p, a, b, c) : -1;
	if (branch >= 0)
		return branch;
	if (is_settled(p, number, a, b, &value))
		return ops__constant(p, value);
	if (number == EXPR_NEG)
		op.at[1] = a;
	if (number != EXPR_IF)
		op.at[2] = a;
	if (is_const(p, a) && is_const(p, op.at[1]) && is_const(p, op.at[2]))
		return fold(p, &op);
	return add(p, op);
}
