// SPDX-License-Identifier: GPL-2.0-only
/* Metrics compiled into operations over columns. */
#include "metrics/program.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "metrics/ids.h"
#include "metrics/ops.h"

#define REF_NEW (-1)  /* not compiled yet */
#define REF_BUSY (-2) /* being compiled: met again, it is a cycle */

/**
 * struct compiler - compiling one metric
 * @columns: of the ids, where no part is being compiled
 * @parts: those with columns of their own
 * @names: id -> place in metric->ids, or name of a reference -> nr_ids + place in metric->refs
 * @refs:  operation of each reference over @columns, or REF_*
 */
struct compiler {
	struct program *p;
	const struct metric *metric;
	const int *columns;
	const struct program_part *parts;
	int nr_parts;
	struct strmap *names;
	int *refs;
	struct err *err;
};

static int compile(struct compiler *c, const struct expr *e, const struct program_part *part);

struct program *program__new(const struct metrics_scope *scope)
{
	struct program *p = calloc(1, sizeof(*p));

	if (p)
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

int program__uses(const struct program *p, int output, int column)
{
	int last = p->outputs[output], ret;
	bool *uses = calloc(last + 1, sizeof(*uses));

	if (!uses)
		return -ENOMEM;
	for (int i = 0; i <= last; i++) {
		const int *at = p->at[i].at;

		if (p->at[i].op == OP_COLUMN)
			uses[i] = at[0] == column;
		else if (expr_op__is_operator(p->at[i].op))
			uses[i] = uses[at[0]] || uses[at[1]] || uses[at[2]];
	}
	ret = uses[last];
	free(uses);
	return ret;
}

bool program__has_rows(const struct program *p)
{
	for (int i = 0; i < p->nr; i++)
		if (p->at[i].op == OP_ROW)
			return true;
	return false;
}

static int compile_column(struct compiler *c, int op, int id, const struct program_part *part)
{
	int column = part ? part->columns[id] : c->columns[id];

	return column < 0 ? ops__constant(c->p, NAN) : ops__add(c->p, op, column, 0, 0);
}

/* What is a part's is compiled for it alone. */
static int compile_ref(struct compiler *c, int i, const struct program_part *part)
{
	const struct metric_ref *ref = &c->metric->refs[i];
	int before = c->refs[i], op;

	if (before == REF_BUSY)
		return err__set(c->err, ELOOP, "metric %s refers to itself through %s",
				c->metric->info.name, ref->name);
	if (before != REF_NEW && !part)
		return before;
	c->refs[i] = REF_BUSY;
	op = compile(c, ref->value, part);
	c->refs[i] = part ? before : op;
	return op;
}

/* Metrics are found whatever the case they are written in; events keep the spelling of their id. */
static int find_name(const struct compiler *c, const char *id)
{
	int at = strmap__get(c->names, id);

	for (int i = 0; at < 0 && i < c->metric->nr_refs; i++)
		if (!strcasecmp(c->metric->refs[i].name, id))
			at = c->metric->nr_ids + i;
	return at;
}

/* As ids__collect() has it: the events of the branch it decides for are those that are counted. */
static int compile_has_event(struct compiler *c, const struct expr_node *node)
{
	const struct metrics_scope *scope = c->p->scope;

	return ops__constant(c->p, scope->has_event ? scope->has_event(scope->arg, node->id) :
						      find_name(c, node->id) >= 0);
}

/* A name that the metric has neither an event nor a reference for has no value. */
static int compile_name(struct compiler *c, const struct expr_node *node,
			const struct program_part *part)
{
	int at = find_name(c, node->id), nr_ids = c->metric->nr_ids;

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
			bool decides, const struct program_part *part)
{
	switch (node->op) {
	case EXPR_NUMBER:
		return ops__constant(c->p, node->number);
	case EXPR_LITERAL:
		return compile_literal(c, node->literal, decides);
	case EXPR_ID:
	case EXPR_SOURCE_COUNT:
		return compile_name(c, node, part);
	case EXPR_HAS_EVENT:
		return compile_has_event(c, node);
	case EXPR_STRCMP_CPUID:
		return ops__constant(c->p, ids__cpuid_matches(c->p->scope, node->id));
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
		       const struct program_part *part, const struct program_part **parts)
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

/* Return: the operation that is the value of @e, or -errno. */
static int compile(struct compiler *c, const struct expr *e, const struct program_part *part)
{
	int *done = calloc(e->nr, sizeof(*done));
	bool *decides = calloc(e->nr, sizeof(*decides));
	const struct program_part **parts = calloc(e->nr, sizeof(*parts));
	int ret = done && decides && parts ? 0 : -ENOMEM;

	if (!ret) {
		mark_deciding(e, decides);
		mark_parts(c, e, part, parts);
	}
	for (int i = 0; ret >= 0 && i < e->nr; i++) {
		ret = compile_node(c, &e->at[i], done, decides[i], parts[i]);
		if (ret < 0)
			break;
		done[i] = ret;
	}
	free(done);
	free(decides);
	free(parts);
	return ret;
}

static int compiler__init(struct compiler *c)
{
	const struct metric *m = c->metric;
	int ret = 0;

	c->names = strmap__new();
	c->refs = malloc((m->nr_refs + 1) * sizeof(*c->refs));
	if (!c->names || !c->refs)
		return -ENOMEM;
	for (int i = 0; i < m->nr_ids && !ret; i++)
		ret = strmap__put(c->names, m->ids[i], i);
	for (int i = 0; i < m->nr_refs && !ret; i++) {
		c->refs[i] = REF_NEW;
		ret = strmap__put(c->names, m->refs[i].name, m->nr_ids + i);
	}
	return ret;
}

static int add_output(struct program *p, int op)
{
	if (vec__reserve_raw(&p->outputs, &p->cap_outputs, p->nr_outputs + 1, sizeof(int)))
		return -ENOMEM;
	p->outputs[p->nr_outputs] = op;
	return p->nr_outputs++;
}

static int add_expr(struct compiler *c, const struct expr *e)
{
	int op = compile(c, e, NULL);

	return op < 0 ? op : add_output(c->p, op);
}

int program__add(struct program *p, const struct metric *metric, const int *columns, int *value,
		 int *threshold, struct err *err)
{
	return program__add_in_parts(p, metric, columns, NULL, 0, value, threshold, err);
}

int program__add_in_parts(struct program *p, const struct metric *metric, const int *columns,
			  const struct program_part *parts, int nr_parts, int *value,
			  int *threshold, struct err *err)
{
	struct compiler c = {
		.p = p,
		.metric = metric,
		.columns = columns,
		.parts = parts,
		.nr_parts = nr_parts,
		.err = err,
	};
	int ret = compiler__init(&c);

	*threshold = -1;
	if (!ret) {
		*value = add_expr(&c, metric->value);
		ret = *value < 0 ? *value : 0;
	}
	if (!ret && metric->threshold) {
		*threshold = add_expr(&c, metric->threshold);
		ret = *threshold < 0 ? *threshold : 0;
	}
	strmap__free(c.names);
	free(c.refs);
	if (ret == -ENOMEM)
		err__set(err, ENOMEM, "out of memory compiling metric %s", metric->info.name);
	return ret;
}
