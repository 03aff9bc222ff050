// SPDX-License-Identifier: GPL-2.0-only
/* Expressions are printed for people, on one line, or broken over lines. */
#include "metrics/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/sb.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "metrics/expr.h"
#include "metrics/literal.h"

#define STEP 2		/* columns by which a part is indented */
#define SHORT_OPERAND 16 /* a factor of at most this many columns stays on the line of the next
			  * factor */
#define DEEPEST 200	/* the most levels of nested parts that are broken over lines */
#define WHOLE_MAX 1e15	/* whole numbers below this are written without an exponent */

/**
 * struct printer - the state of breaking an expression over lines
 * @width:  for each node, its columns on one line, without parentheses around it
 * @target: the most columns of a line
 * @start:  where in @out the current line begins
 * @depth:  number of nested parts that are being broken
 */
struct printer {
	const struct expr *e;
	int *width;
	struct sb *out;
	int target, depth;
	size_t start;
};

/*
 * A node or a text that is still to be printed; the last of them comes first. @least: a node that
 * binds less tightly gets parentheses.
 */
struct todo {
	const char *text;
	int node, least;
};

static int binds(const struct expr_node *n)
{
	if (n->op == EXPR_NUMBER && n->number < 0)
		return BINDS_SIGN;
	return expr_shapes[n->op].binds;
}

void expr__print_number(double number, struct sb *out)
{
	const struct decimal decimal = { .d = number };

	if (!isfinite(number))
		sb__puts(out, isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
	else if (number == floor(number) && fabs(number) < WHOLE_MAX)
		sb__printf(out, "%lld", (long long)number);
	else
		decimal__print(&decimal, out);
}

void expr__print_id(const char *id, struct sb *out)
{
	for (; *id; id++)
		sb__putc(out, *id == '@' ? '/' : *id);
}

/* Print a node without operands. */
static void print_leaf(const struct expr_node *n, struct sb *out)
{
	const struct expr_shape *shape = &expr_shapes[n->op];

	sb__puts(out, shape->text);
	if (n->op == EXPR_NUMBER)
		expr__print_number(n->number, out);
	else if (n->op == EXPR_LITERAL)
		sb__puts(out, literal__name(n->literal));
	if (shape->call)
		sb__putc(out, '(');
	if (n->id)
		expr__print_id(n->id, out);
	if (shape->call)
		sb__putc(out, ')');
}

/* Return: how tightly operand @i must bind to need no parentheses. */
static int least_of(const struct expr_node *n, int i)
{
	if (expr_shapes[n->op].call)
		return BINDS_OR;
	if (n->op == EXPR_IF)
		return i == 2 ? BINDS_IF : BINDS_OR;
	if (n->op == EXPR_NEG)
		return BINDS_SIGN;
	return expr_shapes[n->op].binds + (i == 1);
}

struct todos {
	struct todo *at;
	int nr, cap;
};

static void later(struct todos *todos, const char *text)
{
	vec__push(todos, (struct todo){ .text = text });
}

static void later_operand(struct todos *todos, const struct expr_node *n, int i)
{
	vec__push(todos, (struct todo){ .node = n->at[i], .least = least_of(n, i) });
}

/* Push the parts of a node so that they are popped in the order of the text. */
static void put_down(struct todos *todos, const struct expr_node *n)
{
	const struct expr_shape *shape = &expr_shapes[n->op];

	if (shape->call)
		later(todos, ")");
	for (int i = expr__operands(n) - 1; i >= 0; i--) {
		later_operand(todos, n, i);
		if (!i)
			continue;
		later(todos, shape->call ? ", " : " ");
		if (shape->call)
			continue;
		later(todos, i == 2 ? "else" : shape->text);
		later(todos, " ");
	}
	if (shape->call)
		later(todos, "(");
	if (shape->call || n->op == EXPR_NEG)
		later(todos, shape->text);
}

static int operand_width(const struct printer *p, const struct expr_node *n, int i)
{
	bool parenthesis = binds(&p->e->at[n->at[i]]) < least_of(n, i);

	return p->width[n->at[i]] + 2 * parenthesis;
}

/* Operands precede the nodes that use them, so one pass is enough. */
static void measure(struct printer *p)
{
	struct todos parts = { .at = NULL };
	struct sb leaf = SB_INIT;

	p->width = xmalloc(p->e->nr * sizeof(*p->width));
	for (int i = 0; i < p->e->nr; i++) {
		const struct expr_node *n = &p->e->at[i];
		long long width = 0;

		sb__clear(&leaf);
		parts.nr = 0;
		if (expr__operands(n))
			put_down(&parts, n);
		else
			print_leaf(n, &leaf);
		for (int k = 0; k < parts.nr; k++)
			width += strlen(parts.at[k].text ?: "");
		for (int k = 0; k < expr__operands(n); k++)
			width += operand_width(p, n, k);
		width += leaf.len;
		p->width[i] = width < EXPR_WIDTH_MAX ? width : EXPR_WIDTH_MAX;
	}
	vec__free(&parts);
	sb__free(&leaf);
}

int expr__width(const struct expr *e)
{
	struct printer p = { .e = e };
	int width;

	measure(&p);
	width = p.width[e->nr - 1];
	free(p.width);
	return width;
}

/* Print a node on one line. The tree of a sum of many terms is deep, so this does not recurse. */
static void print_flat(const struct expr *e, int node, int least, struct sb *out)
{
	struct todos todos = { .at = NULL };

	vec__push(&todos, (struct todo){ .node = node, .least = least });
	while (todos.nr) {
		struct todo todo = todos.at[--todos.nr];
		const struct expr_node *n = &e->at[todo.node];

		if (todo.text) {
			sb__puts(out, todo.text);
			continue;
		}
		if (binds(n) < todo.least) {
			sb__putc(out, '(');
			later(&todos, ")");
		}
		if (expr__operands(n))
			put_down(&todos, n);
		else
			print_leaf(n, out);
	}
	vec__free(&todos);
}

void expr__print(const struct expr *e, struct sb *out)
{
	print_flat(e, e->nr - 1, BINDS_IF, out);
}

/* --- Over lines ------------------------------------------------------------------------------- */

static int column(const struct printer *p)
{
	return p->out->len - p->start;
}

static void new_line(struct printer *p, int indent)
{
	sb__putc(p->out, '\n');
	p->start = p->out->len;
	sb__printf(p->out, "%*s", indent, "");
}

static void lay(struct printer *p, int node, int least, int indent, int tail);

static void lay_operand(struct printer *p, const struct expr_node *n, int i, int indent, int tail)
{
	lay(p, n->at[i], least_of(n, i), indent, tail);
}

/*
 * Break a chain of operators of equal strength, as in "a + b - c". Each operator begins a line,
 * except the one after a short first factor.
 */
static void lay_chain(struct printer *p, int node, int indent, int tail)
{
	int strength = binds(&p->e->at[node]);
	VEC(int) chain = { .at = NULL };

	/*
	 * The chain has the operators from last to first: each is the left operand of its
	 * predecessor.
	 */
	do {
		vec__push(&chain, node);
		node = p->e->at[node].at[0];
	} while (binds(&p->e->at[node]) == strength && expr_op__is_binary(p->e->at[node].op));
	lay_operand(p, &p->e->at[chain.at[chain.nr - 1]], 0, indent + STEP, 0);
	for (int k = chain.nr - 1; k >= 0; k--) {
		const struct expr_node *n = &p->e->at[chain.at[k]];
		bool same_line = strength == BINDS_PRODUCT && k == chain.nr - 1 &&
				 operand_width(p, n, 0) <= SHORT_OPERAND;

		if (same_line)
			sb__putc(p->out, ' ');
		else
			new_line(p, indent);
		sb__printf(p->out, "%s ", expr_shapes[n->op].text);
		lay_operand(p, n, 1, indent + STEP, k ? 0 : tail);
	}
	vec__free(&chain);
}

static void lay_call(struct printer *p, const struct expr_node *n, int indent, int tail)
{
	sb__printf(p->out, "%s(", expr_shapes[n->op].text);
	new_line(p, indent + STEP);
	lay_operand(p, n, 0, indent + STEP, 1);
	sb__putc(p->out, ',');
	new_line(p, indent + STEP);
	lay_operand(p, n, 1, indent + STEP, tail + 1);
	sb__putc(p->out, ')');
}

static void lay_if(struct printer *p, const struct expr_node *n, int indent, int tail)
{
	lay_operand(p, n, 0, indent, 0);
	new_line(p, indent);
	sb__puts(p->out, "if ");
	lay_operand(p, n, 1, indent + STEP, 0);
	new_line(p, indent);
	sb__puts(p->out, "else ");
	lay_operand(p, n, 2, indent + STEP, tail);
}

/* Break a part over lines; @tail is the number of closing parentheses after it. */
static void lay(struct printer *p, int node, int least, int indent, int tail)
{
	const struct expr_node *n = &p->e->at[node];
	bool parenthesis = binds(n) < least;
	int end = column(p) + p->width[node] + 2 * parenthesis + tail;

	if (end <= p->target || !expr__operands(n) || p->depth == DEEPEST) {
		print_flat(p->e, node, least, p->out);
		return;
	}
	p->depth++;
	if (parenthesis)
		sb__putc(p->out, '(');
	if (n->op == EXPR_IF)
		lay_if(p, n, indent + parenthesis, tail + parenthesis);
	else if (expr_op__is_binary(n->op))
		lay_chain(p, node, indent + parenthesis, tail + parenthesis);
	else if (expr_shapes[n->op].call)
		lay_call(p, n, indent, tail + parenthesis);
	else {
		sb__putc(p->out, '-');
		lay_operand(p, n, 0, indent + 1, tail + parenthesis);
	}
	if (parenthesis)
		sb__putc(p->out, ')');
	p->depth--;
}

void expr__print_lines(const struct expr *e, int indent, int width, struct sb *out)
{
	const char *line = out->buf ? strrchr(out->buf, '\n') : NULL;
	struct printer p = { .e = e, .out = out, .target = width };

	p.start = line ? line + 1 - out->buf : 0;
	measure(&p);
	lay(&p, e->nr - 1, BINDS_IF, indent, 0);
	free(p.width);
}
