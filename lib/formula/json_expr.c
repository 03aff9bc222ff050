// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/array.h"
#include "formula/json_expr.h"

int json_expr__add(struct json_expr *expr, const struct json_expr_node *node)
{
	vec__push(&expr->nodes, *node);
	return expr->nodes.nr - 1;
}

static bool is_number(const struct json_expr *expr, int i)
{
	return expr->nodes.at[i].kind == JSON_EXPR_NUMBER;
}

/* Tell whether node @i is the constant @value. */
static bool is_value(const struct json_expr *expr, int i, int value)
{
	return is_number(expr, i) && decimal__is(&expr->nodes.at[i].number, value);
}

static bool equal(const struct json_expr *expr, int i, int j)
{
	const struct json_expr_node *x = &expr->nodes.at[i], *y = &expr->nodes.at[j];

	if (!i || !j)
		return i == j;
	if (x->kind != y->kind || x->op != y->op)
		return false;
	if (x->kind == JSON_EXPR_NUMBER)
		return decimal__equal(&x->number, &y->number);
	return !strcmp(expr->text.buf + x->text, expr->text.buf + y->text) &&
	       equal(expr, x->a, y->a) && equal(expr, x->b, y->b) && equal(expr, x->c, y->c);
}

static int add_zero(struct json_expr *expr)
{
	return json_expr__add(expr, &(struct json_expr_node){ .kind = JSON_EXPR_NUMBER,
							      .number.is_int = true });
}

static bool is_slots(const struct json_expr *expr, int i)
{
	const struct json_expr_node *n = &expr->nodes.at[i];

	return n->kind == JSON_EXPR_EVENT && strcasestr(expr->text.buf + n->text, "slots");
}

/*
 * @was is the operator as read, @n the same with simplified operands. A constant on the left counts
 * only where it was written, not where it came of simplifying, as the kernel's generator has it:
 * the text of an expression shall be the same.
 */
static int simplify_operator(struct json_expr *expr, const struct json_expr_node *was,
			     struct json_expr_node *n)
{
	bool left = is_number(expr, was->a), sum = n->op == '+' || n->op == '|';

	if (is_number(expr, n->a) && is_number(expr, n->b) &&
	    !decimal__compute(n->op, &expr->nodes.at[n->a].number, &expr->nodes.at[n->b].number,
			      &n->number)) {
		n->kind = JSON_EXPR_NUMBER;
		n->op = '\0';
		n->a = n->b = 0;
		return json_expr__add(expr, n);
	}
	for (int right = !left; right < 2; right++) {
		int constant = right ? n->b : n->a, other = right ? n->a : n->b;

		if ((sum && is_value(expr, constant, 0)) ||
		    (n->op == '*' && is_value(expr, constant, 1)))
			return other;
		if (n->op == '*' && is_value(expr, constant, 0) &&
		    (right || !is_slots(expr, other)))
			return add_zero(expr);
	}
	return json_expr__add(expr, n);
}

static int simplify_function(struct json_expr *expr, const struct json_expr_node *n)
{
	const char *name = expr->text.buf + n->text;
	struct json_expr_node ratio = { .kind = JSON_EXPR_NUMBER };
	const struct decimal *a = &expr->nodes.at[n->a].number, *b = &expr->nodes.at[n->b].number;
	bool less;

	if (!is_number(expr, n->a) || !is_number(expr, n->b))
		return json_expr__add(expr, n);
	if (!strcmp(name, "d_ratio")) {
		if (decimal__compute('/', a, b, &ratio.number))
			return add_zero(expr);
		return json_expr__add(expr, &ratio);
	}
	less = decimal__value(a) < decimal__value(b);
	return less == !strcmp(name, "min") ? n->a : n->b;
}

int json_expr__simplify(struct json_expr *expr, int root)
{
	struct json_expr_node was = expr->nodes.at[root], n = was; /* the nodes move as they grow */

	if (!root)
		return 0;
	n.a = json_expr__simplify(expr, n.a);
	n.b = json_expr__simplify(expr, n.b);
	n.c = json_expr__simplify(expr, n.c);

	switch (n.kind) {
	case JSON_EXPR_OPERATOR:
		return simplify_operator(expr, &was, &n);
	case JSON_EXPR_FUNCTION:
		return simplify_function(expr, &n);
	case JSON_EXPR_SELECT:
		if (is_number(expr, n.b))
			return is_value(expr, n.b, 0) ? n.c : n.a;
		if (equal(expr, n.a, n.c))
			return n.a;
		return json_expr__add(expr, &n);
	default:
		return json_expr__add(expr, &n);
	}
}

/* Tell how tight an operator binds at run time: comparisons bind tighter than | ^ and &. */
static int binding(char op)
{
	static const char *const levels[] = { "|", "^", "&", "<>", "+-", "*/%" };

	for (int i = 0; i < array__nr(levels); i++)
		if (strchr(levels[i], op))
			return i;
	return -1;
}

static void print_operand(const struct json_expr *expr, int i, bool brackets, struct sb *sb)
{
	if (brackets)
		sb__putc(sb, '(');
	json_expr__print(expr, i, sb);
	if (brackets)
		sb__putc(sb, ')');
}

static void print_operator(const struct json_expr *expr, const struct json_expr_node *n,
			   struct sb *sb)
{
	const struct json_expr_node *a = &expr->nodes.at[n->a], *b = &expr->nodes.at[n->b];

	print_operand(expr, n->a, a->kind == JSON_EXPR_OPERATOR && binding(a->op) < binding(n->op),
		      sb);
	sb__printf(sb, " %c ", n->op);
	print_operand(expr, n->b, b->kind == JSON_EXPR_OPERATOR && binding(b->op) <= binding(n->op),
		      sb);
}

void json_expr__print(const struct json_expr *expr, int root, struct sb *sb)
{
	const struct json_expr_node *n = &expr->nodes.at[root];

	switch (n->kind) {
	case JSON_EXPR_NONE:
		break;
	case JSON_EXPR_NUMBER:
		decimal__print(&n->number, sb);
		break;
	case JSON_EXPR_EVENT:
	case JSON_EXPR_LITERAL:
		sb__puts(sb, expr->text.buf + n->text);
		break;
	case JSON_EXPR_NEGATIVE:
		sb__putc(sb, '-');
		print_operand(expr, n->a, expr->nodes.at[n->a].kind == JSON_EXPR_OPERATOR, sb);
		break;
	case JSON_EXPR_OPERATOR:
		print_operator(expr, n, sb);
		break;
	case JSON_EXPR_FUNCTION:
		sb__printf(sb, "%s(", expr->text.buf + n->text);
		json_expr__print(expr, n->a, sb);
		if (n->b) {
			sb__puts(sb, ", ");
			json_expr__print(expr, n->b, sb);
		}
		sb__putc(sb, ')');
		break;
	case JSON_EXPR_SELECT:
		sb__putc(sb, '(');
		json_expr__print(expr, n->a, sb);
		sb__puts(sb, " if ");
		json_expr__print(expr, n->b, sb);
		sb__puts(sb, " else ");
		json_expr__print(expr, n->c, sb);
		sb__putc(sb, ')');
		break;
	}
}

void json_expr__free(struct json_expr *expr)
{
	vec__free(&expr->nodes);
	sb__free(&expr->text);
}
