// SPDX-License-Identifier: GPL-2.0-only
/* Metrics compiled into operations over columns. */
#include "metrics/program.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/strmap.h"
#include "base/xalloc.h"
#include "metrics/ids.h"
#include "metrics/ops.h"

#define REF_NEW (-1)  /* not compiled yet */
#define REF_BUSY (-2) /* being compiled: met again, it is a cycle */

/**
 * struct compiler - compiling one metric
 * @columns: of the ids, and behind them of those of each part
 * @parts: those with columns of their own
 * @names: of metric__names()
 * @refs:  operation of each reference over @columns, or REF_*
 * @rc:    0, or the first failure
 */
struct compiler {
	struct program *p;
	const struct metric *metric;
	const int *columns;
	const struct part *parts;
	int nr_parts, rc;
	struct strmap *names;
	int *refs;
	struct err *err;
};

static int compile(struct compiler *c, const struct expr *e, const struct part *part);

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

bool program__uses(const struct program *p, int output, int column)
{
	int last = p->outputs[output];
	bool *uses = xcalloc(last + 1, sizeof(*uses)), used;

	for (int i = 0; i <= last; i++) {
		const int *at = p->at[i].at;

		if (p->at[i].op == OP_COLUMN)
			uses[i] = at[0] == column;
		else if (expr_op__is_operator(p->at[i].op))
			uses[i] = uses[at[0]] || uses[at[1]] || uses[at[2]];
	}
	used = uses[last];
	free(uses);
	return used;
}

bool program__has_rows(const struct program *p)
{
	for (int i = 0; i < p->nr; i++)
		if (p->at[i].op == OP_ROW)
			return true;
	return false;
}

static int compile_column(struct compiler *c, int op, int id, const struct part *part)
{
	int set = part ? 1 + (part - c->parts) : 0;
	int column = c->columns[set * c->metric->nr_ids + id];

	return column < 0 ? ops__constant(c->p, NAN) : ops__add(c->p, op, column, 0, 0);
}

static int refuse_cycle(struct compiler *c, const struct metric_ref *ref)
{
	if (!c->rc)
		c->rc = err__set(c->err, ELOOP, "metric %s refers to itself through %s",
				 c->metric->info.name, ref->name);
	return ops__constant(c->p, NAN);
}

/* What is a part's is compiled for it alone. */
static int compile_ref(struct compiler *c, int i, const struct part *part)
{
	const struct metric_ref *ref = &c->metric->refs[i];
	int before = c->refs[i], op;

	if (before == REF_BUSY)
		return refuse_cycle(c, ref);
	if (before != REF_NEW && !part)
		return before;
	c->refs[i] = REF_BUSY;
	op = compile(c, ref->value, part);
	c->refs[i] = part ? before : op;
	return op;
}

/* As ids__collect() has it: the events of the branch it decides for are those that are counted. */
static int compile_has_event(struct compiler *c, const struct expr_node *node)
{
	const struct metrics_scope *scope = c->p->scope;
	bool has = scope->has_event ? scope->has_event(scope->arg, node->id) :
				      metric__find(c->metric, c->names, node->id) >= 0;

	return ops__constant(c->p, has);
}

/* A name that the metric has neither an event nor a reference for has no value. */
static int compile_name(struct compiler *c, const struct expr_node *node,
			const struct part *part)
{
	int at = metric__find(c->metric, c->names, node->id), nr_ids = c->metric->nr_ids;

	if (at < 0)
		return ops__constant(c->p, NAN);
	if (at < nr_ids)
		return compile_column(c, node->op == EXPR_ID ? OP_COLUMN : OP_SOURCES, at, part);
	/* A metric is no sum of counters. */
	return node->op == EXPR_ID ? compile_ref(c, at - nr_ids, part) : ops__constant(c->p, NAN);
}

/* @decides: as for ids__collect(), it is the whole machine that decides which events are needed. */
static int compile_literal(struct compiler *c, int literal, bool decides)
{
	int row = decides ? -1 : literal__row_count(&c->p->literals, c->p->scope, literal);
	double value = literal__value(&c->p->literals, c->p->scope, literal);

	return row < 0 ? ops__constant(c->p, value) : ops__row_count(c->p, row, value);
}

static int compile_node(struct compiler *c, const struct expr_node *node, const int *done,
			bool decides, const struct part *part)
{
	switch (node->op) {
	case EXPR_NUMBER:
	case EXPR_STRCMP_CPUID:
		return ops__constant(c->p, ids__leaf_value(c->p->scope, &c->p->literals, node));
	case EXPR_LITERAL:
		return compile_literal(c, node->literal, decides);
	case EXPR_ID:
	case EXPR_SOURCE_COUNT:
		return compile_name(c, node, part);
	case EXPR_HAS_EVENT:
		return compile_has_event(c, node);
	default:
		return ops__add(c->p, node->op, done[node->at[0]], done[node->at[1]],
				done[node->at[2]]);
	}
}

/* Conditions, and what & and | join, may leave events out, with all that they are made of. */
static void mark_deciding(const struct expr *e, bool *decides)
{
	for (int i = e->nr - 1; i >= 0; i--) {
		const struct expr_node *node = &e->at[i];

		for (int k = 0; k < expr__operands(node); k++)
			decides[node->at[k]] |= decides[i] || node->op == EXPR_AND ||
						node->op == EXPR_OR ||
						(node->op == EXPR_IF && k == 1);
	}
}

/* Which part each node belongs to: what a node is a part of, its operands are. */
static void mark_parts(const struct compiler *c, const struct expr *e,
		       const struct part *part, const struct part **parts)
{
	for (int i = e->nr - 1; i >= 0; i--) {
		const struct expr_node *node = &e->at[i];

		if (part)
			parts[i] = part;
		for (int k = 0; k < c->nr_parts && !parts[i]; k++)
			if (c->parts[k].expr == e && c->parts[k].node == i)
				parts[i] = &c->parts[k];
		for (int k = 0; k < expr__operands(node); k++)
			parts[node->at[k]] = parts[i];
	}
}

/* Return: the operation that is the value of @e. */
static int compile(struct compiler *c, const struct expr *e, const struct part *part)
{
	int *done = xcalloc(e->nr, sizeof(*done)), value;
	bool *decides = xcalloc(e->nr, sizeof(*decides));
	const struct part **parts = xcalloc(e->nr, sizeof(*parts));

	mark_deciding(e, decides);
	mark_parts(c, e, part, parts);
	for (int i = 0; i < e->nr; i++)
		done[i] = compile_node(c, &e->at[i], done, decides[i], parts[i]);
	value = done[e->nr - 1];
	free(done);
	free(decides);
	free(parts);
	return value;
}

/* Return: the number of the output. */
static int add_output(struct compiler *c, const struct expr *e)
{
	struct program *p = c->p;

	p->outputs = xreallocarray(p->outputs, p->nr_outputs + 1, sizeof(*p->outputs));
	p->outputs[p->nr_outputs] = compile(c, e, NULL);
	return p->nr_outputs++;
}

int program__add(struct program *p, const struct metric *metric, const int *columns,
		 const struct part *parts, int nr_parts, int *value, int *threshold,
		 struct err *err)
{
	struct compiler c = {
		.p = p,
		.metric = metric,
		.columns = columns,
		.parts = parts,
		.nr_parts = nr_parts,
		.names = metric__names(metric),
		.refs = xmalloc((metric->nr_refs + 1) * sizeof(*c.refs)),
		.err = err,
	};

	for (int i = 0; i < metric->nr_refs; i++)
		c.refs[i] = REF_NEW;
	*value = add_output(&c, metric->value);
	*threshold = metric->threshold ? add_output(&c, metric->threshold) : -1;
	strmap__free(c.names);
	free(c.refs);
	return c.rc;
}
