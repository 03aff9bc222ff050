// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metrics are compiled into operations over columns. Each operation exists once, even if several
 * metrics need it.
 */
#include "metrics/ops.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "metrics/expr.h"
#include "metrics/ids.h"
#include "metrics/literal.h"

#define MIN_SLOTS 64
#define REF_NEW (-1)  /* not compiled yet */
#define REF_BUSY (-2) /* the reference is being compiled: if it is met again, there is a cycle */

struct program *program__new(const struct metrics_scope *scope)
{
	struct program *p = xcalloc(1, sizeof(*p));

	p->scope = scope;
	return p;
}

void program__free(struct program *p)
{
	if (!p)
		return;
	free(p->at);
	free(p->outputs);
	free(p->slots);
	free(p->scratch);
	free(p->values);
	free(p->missing);
	moves__free(p);
	free(p);
}

int program__outputs(const struct program *p)
{
	return p->nr_outputs;
}

int program__nodes(const struct program *p)
{
	return p->nr;
}

bool program__uses_any(const struct program *p, int output, const bool *columns, int nr)
{
	int last = p->outputs[output];
	bool *uses = xcalloc(last + 1, sizeof(*uses)), used;

	for (int i = 0; i <= last; i++) {
		const int *at = p->at[i].at;

		if (p->at[i].op == OP_COLUMN)
			uses[i] = at[0] < nr && columns[at[0]];
		else if (expr_op__is_operator(p->at[i].op))
			uses[i] = uses[at[0]] || uses[at[1]] || uses[at[2]];
	}
	used = uses[last];
	free(uses);
	return used;
}

bool program__uses(const struct program *p, int output, int column)
{
	bool *columns = xcalloc(column + 1, sizeof(*columns)), uses;

	columns[column] = true;
	uses = program__uses_any(p, output, columns, column + 1);
	free(columns);
	return uses;
}

bool program__has_rows(const struct program *p)
{
	for (int i = 0; i < p->nr; i++)
		if (p->at[i].op == OP_ROW)
			return true;
	return false;
}

double program__packages(const struct program *p)
{
	for (int i = 0; i < p->nr; i++)
		if (p->at[i].op == OP_ROW && p->at[i].at[0] == ROW_PACKAGES)
			return p->at[i].number;
	return NAN;
}

/* --- Operations ------------------------------------------------------------------------------- */

static bool program__same(const struct op *a, const struct op *b)
{
	/* Compare bytes, not values: NaN equals NaN, and -0 is not 0. */
	return a->op == b->op && !memcmp(a->at, b->at, sizeof(a->at)) &&
	       !memcmp(&a->number, &b->number, sizeof(a->number));
}

static unsigned int program__hash_of(const struct op *op)
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
	unsigned int i = program__hash_of(op);

	for (;; i++) {
		int *slot = &p->slots[i & (p->nr_slots - 1)];

		if (*slot < 0 || program__same(&p->at[*slot], op))
			return slot;
	}
}

static void program__grow(struct program *p)
{
	free(p->slots);
	p->nr_slots = p->nr_slots ? p->nr_slots * 2 : MIN_SLOTS;
	p->slots = xmalloc(p->nr_slots * sizeof(*p->slots));
	for (int i = 0; i < p->nr_slots; i++)
		p->slots[i] = -1;
	for (int i = 0; i < p->nr; i++)
		*find_slot(p, &p->at[i]) = i;
}

static int program__add_op(struct program *p, struct op op)
{
	int *slot;

	if (p->nr * 2 >= p->nr_slots)
		program__grow(p);
	slot = find_slot(p, &op);
	if (*slot < 0) {
		*slot = p->nr;
		vec__push(p, op);
	}
	return *slot;
}

static int add_constant(struct program *p, double number)
{
	return program__add_op(p, (struct op){ .op = OP_CONST, .number = number });
}

/*
 * Add a literal whose value differs from row to row; @machine is its value for the whole machine.
 */
static int add_row_count(struct program *p, enum row_count count, double machine)
{
	return program__add_op(p, (struct op){ .op = OP_ROW, .at = { count }, .number = machine });
}

static bool is_const(const struct program *p, int i)
{
	return p->at[i].op == OP_CONST;
}

/* Compute the value of an operator whose operands are constants. */
static int fold(struct program *p, const struct op *op)
{
	double value[3] = { 0 };

	for (int i = 0; i < 3; i++)
		if (is_const(p, op->at[i]))
			value[i] = p->at[op->at[i]].number;
	return add_constant(p, expr_op__apply(op->op, value[0], value[1], value[2]));
}

static bool program__is_zero(const struct program *p, int i)
{
	return is_const(p, i) && fpclassify(p->at[i].number) == FP_ZERO;
}

/*
 * Find out whether one operand alone decides the value. ids__collect() then does not ask for events
 * of the other operand. The result must not depend on whether these events are counted for another
 * metric.
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
		return program__is_zero(p, b);
	default:
		return false;
	}
}

/*
 * Find the branch of an "if" that a constant condition chooses, or either of two equal constants.
 * Return: -1 if there is none.
 */
static int chosen(const struct program *p, int yes, int condition, int no)
{
	if (is_const(p, condition))
		return expr_op__apply(EXPR_IF, 1, p->at[condition].number, 0) ? yes : no;
	if (is_const(p, yes) && is_const(p, no) && p->at[yes].number == p->at[no].number)
		return yes;
	return -1;
}

/* Add an operation, or a constant if its value is known. Return: the number of the operation. */
static int add_op(struct program *p, int number, int a, int b, int c)
{
	struct op op = { .op = number, .at = { a, b, c } };
	double value;
	int branch;

	if (!expr_op__is_operator(number))
		return program__add_op(p, op);
	branch = number == EXPR_IF ? chosen(p, a, b, c) : -1;
	if (branch >= 0)
		return branch;
	if (is_settled(p, number, a, b, &value))
		return add_constant(p, value);
	if (number == EXPR_NEG)
		op.at[1] = a;
	if (number != EXPR_IF)
		op.at[2] = a;
	if (is_const(p, a) && is_const(p, op.at[1]) && is_const(p, op.at[2]))
		return fold(p, &op);
	return program__add_op(p, op);
}

/* --- The compiler ----------------------------------------------------------------------------- */

/**
 * struct compiler - the state of compiling one metric
 * @columns: columns of the ids of the metric, and after them the columns of the ids of each part
 * @parts: parts with columns of their own
 * @others: values of metrics that are named but not referred to (struct other_value)
 * @refs:  for each reference, its operation over @columns, or REF_*
 * @rc:    0, or the first failure
 */
struct compiler {
	struct program *p;
	struct metric *metric;
	const int *columns;
	const struct part *parts;
	int nr_parts, nr_others, rc;
	const struct other_value *others;
	int *refs;
	struct err *err;
};

/**
 * struct compiled_node - a node of an expression that is being compiled
 * @op:      number of the operation that computes the node
 * @decides: the events that are needed may depend on the node's value
 * @part:    the part that the node belongs to, or NULL
 */
struct compiled_node {
	int op;
	bool decides;
	const struct part *part;
};

static int program__compile(struct compiler *c, int expr, const struct part *part);

static int compile_column(struct compiler *c, int op, int id, const struct part *part)
{
	int set = part ? 1 + (part - c->parts) : 0;
	int column = c->columns[set * c->metric->nr_ids + id];

	return column < 0 ? add_constant(c->p, NAN) : add_op(c->p, op, column, 0, 0);
}

static int refuse_cycle(struct compiler *c, const struct metric_ref *ref)
{
	if (!c->rc)
		c->rc = err__set(c->err, ELOOP, "metric %s refers to itself through %s",
				 c->metric->info.name, ref->name);
	return add_constant(c->p, NAN);
}

/* Compile a reference. A reference inside a part is compiled with the columns of the part. */
static int compile_ref(struct compiler *c, int i, const struct part *part)
{
	const struct metric_ref *ref = &c->metric->refs[i];
	int before = c->refs[i], op;

	if (before == REF_BUSY)
		return refuse_cycle(c, ref);
	if (before != REF_NEW && !part)
		return before;
	c->refs[i] = REF_BUSY;
	op = program__compile(c, i, part);
	c->refs[i] = part ? before : op;
	return op;
}

/* Compile has_event(), with the value that ids__collect() used to choose the events. */
static int compile_has_event(struct compiler *c, const struct expr_node *node, int name)
{
	const struct metrics_scope *scope = c->p->scope;
	bool has = scope->has_event ? scope->has_event(scope->arg, node->id) : name >= 0;

	return add_constant(c->p, has);
}

/*
 * Compile a name that is neither an event nor a reference of the metric, but may have another
 * metric's value.
 */
static int compile_other(struct compiler *c, const struct expr_node *node)
{
	for (int i = 0; node->op == EXPR_ID && i < c->nr_others; i++)
		if (!strcasecmp(c->others[i].name, node->id))
			return c->p->outputs[c->others[i].output];
	return add_constant(c->p, NAN);
}

static int compile_name(struct compiler *c, const struct expr_node *node, int name,
			const struct part *part)
{
	enum expr_op op = node->op;
	int nr_ids = c->metric->nr_ids;

	if (name < 0)
		return compile_other(c, node);
	if (name < nr_ids)
		return compile_column(c, op == EXPR_ID ? OP_COLUMN : OP_SOURCES, name, part);
	/* source_count() of a metric has no value, as a metric is not a sum of counters. */
	return op == EXPR_ID ? compile_ref(c, name - nr_ids, part) : add_constant(c->p, NAN);
}

/* @decides: use the value for the whole machine, as ids__collect() did when it chose events */
static int compile_literal(struct compiler *c, int literal, bool decides)
{
	int row = decides ? -1 : literal__row_count(&c->p->literals, c->p->scope, literal);
	double value = literal__of_pmu(&c->p->literals, c->p->scope, literal, c->metric->info.pmu);

	return row < 0 ? add_constant(c->p, value) : add_row_count(c->p, row, value);
}

/*
 * @name: from metric__names(); @done: the compiled nodes of the expression; @as: this node among
 *        them
 */
static int compile_node(struct compiler *c, const struct expr_node *node, int name,
			const struct compiled_node *done, const struct compiled_node *as)
{
	switch (node->op) {
	case EXPR_NUMBER:
	case EXPR_STRCMP_CPUID:
		return add_constant(c->p, ids__leaf_value(c->p->scope, &c->p->literals, node));
	case EXPR_LITERAL:
		return compile_literal(c, node->literal, as->decides);
	case EXPR_ID:
	case EXPR_SOURCE_COUNT:
		return compile_name(c, node, name, as->part);
	case EXPR_HAS_EVENT:
		return compile_has_event(c, node, name);
	default:
		return add_op(c->p, node->op, done[node->at[0]].op, done[node->at[1]].op,
			      done[node->at[2]].op);
	}
}

/*
 * Mark nodes that decide which events are needed: conditions, operands of & and |, and all nodes
 * below these.
 */
static void mark_deciding(const struct expr *e, struct compiled_node *nodes)
{
	for (int i = e->nr - 1; i >= 0; i--) {
		const struct expr_node *node = &e->at[i];

		for (int k = 0; k < expr__operands(node); k++)
			nodes[node->at[k]].decides |= nodes[i].decides || node->op == EXPR_AND ||
						      node->op == EXPR_OR ||
						      (node->op == EXPR_IF && k == 1);
	}
}

/* Find the part that each node belongs to. The operands of a node belong to its part. */
static void mark_parts(const struct compiler *c, const struct expr *e, const struct part *part,
		       struct compiled_node *nodes)
{
	for (int i = e->nr - 1; i >= 0; i--) {
		const struct expr_node *node = &e->at[i];

		if (part)
			nodes[i].part = part;
		for (int k = 0; k < c->nr_parts && !nodes[i].part; k++)
			if (c->parts[k].expr == e && c->parts[k].node == i)
				nodes[i].part = &c->parts[k];
		for (int k = 0; k < expr__operands(node); k++)
			nodes[node->at[k]].part = nodes[i].part;
	}
}

/* Compile expression number @expr of the metric. Return: the operation that computes it. */
static int program__compile(struct compiler *c, int expr, const struct part *part)
{
	const struct expr *e = metric__expr(c->metric, expr);
	const int *names = metric__names(c->metric, expr);
	struct compiled_node *nodes = xcalloc(e->nr, sizeof(*nodes));
	int value;

	mark_deciding(e, nodes);
	mark_parts(c, e, part, nodes);
	for (int i = 0; i < e->nr; i++)
		nodes[i].op = compile_node(c, &e->at[i], names[i], nodes, &nodes[i]);
	value = nodes[e->nr - 1].op;
	free(nodes);
	return value;
}

/* Compile an expression and make it an output. Return: number of the output. */
static int add_output(struct compiler *c, int expr)
{
	struct program *p = c->p;

	p->outputs = xreallocarray(p->outputs, p->nr_outputs + 1, sizeof(*p->outputs));
	p->outputs[p->nr_outputs] = program__compile(c, expr, NULL);
	return p->nr_outputs++;
}

static void compiler__init(struct compiler *c)
{
	c->refs = xmalloc((c->metric->nr_refs + 1) * sizeof(*c->refs));
	for (int i = 0; i < c->metric->nr_refs; i++)
		c->refs[i] = REF_NEW;
}

int program__add(struct program *p, struct metric *metric, const int *columns,
		 const struct part *parts, int nr_parts, int *value, int *threshold,
		 struct err *err)
{
	struct compiler c = {
		.p = p,
		.metric = metric,
		.columns = columns,
		.parts = parts,
		.nr_parts = nr_parts,
		.err = err,
	};

	compiler__init(&c);
	*value = add_output(&c, metric->nr_refs);
	*threshold = metric->threshold ? add_output(&c, metric->nr_refs + 1) : -1;
	free(c.refs);
	return c.rc;
}

int program__add_threshold(struct program *p, struct metric *metric, const int *columns,
			   const struct part *parts, int nr_parts,
			   const struct other_value *others, int nr_others, struct err *err)
{
	struct compiler c = {
		.p = p,
		.metric = metric,
		.columns = columns,
		.parts = parts,
		.nr_parts = nr_parts,
		.others = others,
		.nr_others = nr_others,
		.err = err,
	};
	int output;

	compiler__init(&c);
	output = add_output(&c, metric->nr_refs + 1);
	free(c.refs);
	return c.rc ?: output;
}
