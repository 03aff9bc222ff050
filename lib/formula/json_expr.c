// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "formula/json_expr.h"

#define TEXT_MAX 65536 /* in bytes; expressions in the kernel's JSON have at most 3,000 */
#define NODES_MAX 5000 /* in nodes; expressions in the kernel's JSON have at most 200 */
#define DEPTH_MAX 200	/* limit of nested brackets; the kernel's JSON has 15 */

/* Add a node. Return: its index. */
static int json_expr__add_node(struct json_expr *expr, const struct json_expr_node *node)
{
	vec__push(&expr->nodes, *node);
	return expr->nodes.nr - 1;
}

/**
 * struct formula_parser - an expression that is being parsed
 * @at:     the next place in @text; after a failure, the end of @text
 * @failed: @err has the first failure, and later nodes are not valid
 */
struct formula_parser {
	struct json_expr *expr;
	const char *what, *text, *at;
	int depth;
	bool failed;
	struct err *err;
};

static int parse_choice(struct formula_parser *p);

/* Record the first failure. Return: 0, which is not the index of a node. */
static int json_expr__fail(struct formula_parser *p, const char *why)
{
	if (!p->failed)
		err__caret(p->err, p->what, p->text, (int)(p->at - p->text), why);
	p->failed = true;
	p->at = "";
	return 0;
}

static int json_expr__add(struct formula_parser *p, const struct json_expr_node *node)
{
	/* Limit the nodes, since functions that walk the tree recurse for each term of a sum. */
	if (p->expr->nodes.nr > NODES_MAX)
		return json_expr__fail(p, "the expression is too long");
	return json_expr__add_node(p->expr, node);
}

static void json_expr__skip_blanks(struct formula_parser *p)
{
	p->at += strspn(p->at, " \t\r\n");
}

/*
 * Measure a word: a letter, followed by the characters that names at run time can have. Some
 * operators in names follow a backslash ("cpu@UOPS_RETIRED.MS\,cmask\=1@"). Here the backslash may
 * be missing before "=", and before "," in terms between "@".
 */
static size_t word_length(const char *s)
{
	size_t n = 0;
	bool terms = false;

	if (!isalpha((unsigned char)*s))
		return 0;
	for (;;) {
		terms ^= s[n] == '@';
		if (s[n] == '\\' && s[n + 1] && strchr("-,=", s[n + 1]))
			n += 2;
		else if (isalnum((unsigned char)s[n]) || (s[n] && strchr("_.:@?=", s[n])) ||
			 (terms && s[n] == ','))
			n++;
		else
			return n;
	}
}

/* Skip the word @want if it comes next. Return: whether it was skipped. */
static bool take_word(struct formula_parser *p, const char *want)
{
	json_expr__skip_blanks(p);
	if (!text__is(p->at, word_length(p->at), want))
		return false;
	p->at += strlen(want);
	return true;
}

static bool take_char(struct formula_parser *p, char c)
{
	json_expr__skip_blanks(p);
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

static void expect_char(struct formula_parser *p, char c, const char *why)
{
	if (!take_char(p, c))
		json_expr__fail(p, why);
}

/* Store a name, with the backslashes that the run time needs before ',' and '='. */
static size_t store_name(struct formula_parser *p, const char *prefix, const char *name, size_t len)
{
	struct sb *text = &p->expr->text;
	size_t start = text->len;

	sb__puts(text, prefix);
	for (size_t i = 0; i < len; i++) {
		if ((name[i] == ',' || name[i] == '=') && i && name[i - 1] != '\\')
			sb__putc(text, '\\');
		sb__putc(text, name[i]);
	}
	sb__putc(text, '\0');
	return start;
}

static int parse_function(struct formula_parser *p, const char *name, size_t len, bool two)
{
	struct json_expr_node node = { .kind = JSON_EXPR_FUNCTION };
	const char *argument;

	expect_char(p, '(', "expected '(' after the name of a function");
	node.text = store_name(p, "", name, len);
	argument = p->at;
	node.a = parse_choice(p);
	if (two) {
		expect_char(p, ',', "expected ',' and a second argument");
		node.b = parse_choice(p);
	} else if (!p->failed && p->expr->nodes.at[node.a].kind != JSON_EXPR_EVENT) {
		p->at = argument;
		json_expr__fail(p, "expected the name of an event");
	}
	expect_char(p, ')', "expected ')' after the arguments");
	return json_expr__add(p, &node);
}

/* Make perf 7's aggr_nr, the number of counts in a sum: source_count() times #num_packages. */
static int parse_counts(struct formula_parser *p)
{
	struct json_expr_node node = { .kind = JSON_EXPR_OPERATOR, .op = '*' };

	node.a = parse_function(p, "source_count", strlen("source_count"), false);
	node.b = json_expr__add(p, &(struct json_expr_node){
					   .kind = JSON_EXPR_LITERAL,
					   .text = store_name(p, "#", "num_packages",
							      strlen("num_packages")) });
	return json_expr__add(p, &node);
}

static int parse_word(struct formula_parser *p, size_t len)
{
	/* The first three functions have two arguments. */
	static const char *const functions[] = { "min",		 "max",	      "d_ratio",
						 "source_count", "has_event", "strcmp_cpuid_str" };
	const char *name = p->at;

	if (text__is(name, len, "if") || text__is(name, len, "else"))
		return json_expr__fail(p, "expected a value");
	p->at += len;
	for (int i = 0; i < array__nr(functions); i++)
		if (text__is(name, len, functions[i]))
			return parse_function(p, name, len, i < 3);
	if (text__is(name, len, "aggr_nr"))
		return parse_counts(p);
	json_expr__skip_blanks(p);
	if (*p->at == '(') {
		p->at = name;
		return json_expr__fail(p, "unknown function");
	}
	return json_expr__add(p, &(struct json_expr_node){ .kind = JSON_EXPR_EVENT,
						.text = store_name(p, "", name, len) });
}

static int json_expr__parse_number(struct formula_parser *p)
{
	struct json_expr_node node = { .kind = JSON_EXPR_NUMBER };
	int len;

	/* The run time treats hexadecimal numbers as names, so they are kept unchanged. */
	if (p->at[0] == '0' && (p->at[1] == 'x' || p->at[1] == 'X')) {
		len = 2 + strspn(p->at + 2, "0123456789abcdefABCDEF");
		node.kind = JSON_EXPR_EVENT;
		node.text = store_name(p, "0x", p->at + 2, len - 2);
	} else {
		len = decimal__scan(p->at, &node.number);
	}
	if (!len)
		return json_expr__fail(p, "expected a number, an event, a function or '('");
	p->at += len;
	if (isalnum((unsigned char)*p->at) || *p->at == '_')
		return json_expr__fail(p, "letters after a number");
	return json_expr__add(p, &node);
}

static int parse_negative(struct formula_parser *p);

static int parse_atom(struct formula_parser *p)
{
	size_t len;
	int i;

	if (take_char(p, '(')) {
		i = parse_choice(p);
		expect_char(p, ')', "expected ')'");
		return i;
	}
	if (*p->at == '-' || *p->at == '+')
		return parse_negative(p);
	if (*p->at == '#' && (len = word_length(p->at + 1))) {
		p->at += 1 + len;
		return json_expr__add(p, &(struct json_expr_node){
				      .kind = JSON_EXPR_LITERAL,
				      .text = store_name(p, "#", p->at - len, len) });
	}
	len = word_length(p->at);
	return len ? parse_word(p, len) : json_expr__parse_number(p);
}

/* Parse the sign of an operand, and the operand. */
static int parse_negative(struct formula_parser *p)
{
	bool minus = *p->at++ == '-';
	struct json_expr_node node = { .kind = JSON_EXPR_NEGATIVE };

	if (++p->depth > DEPTH_MAX)
		return json_expr__fail(p, "too many signs");
	node.a = parse_atom(p);
	p->depth--;
	if (p->failed || !minus)
		return node.a;
	if (p->expr->nodes.at[node.a].kind != JSON_EXPR_NUMBER)
		return json_expr__add(p, &node);
	decimal__negate(&p->expr->nodes.at[node.a].number);
	return node.a;
}

/*
 * Make a node with two operands. An operation on two constants is computed, as in the kernel's
 * generator.
 */
static int json_expr__join(struct formula_parser *p, char op, int a, int b)
{
	struct json_expr_node node = { .kind = JSON_EXPR_OPERATOR, .op = op, .a = a, .b = b };
	const struct json_expr_node *x = &p->expr->nodes.at[a], *y = &p->expr->nodes.at[b];

	if (p->expr->syntax_only || p->failed)
		return json_expr__add(p, &node);
	if (x->kind == JSON_EXPR_NUMBER && y->kind == JSON_EXPR_NUMBER) {
		node = (struct json_expr_node){ .kind = JSON_EXPR_NUMBER };
		if (decimal__compute(op, &x->number, &y->number, &node.number))
			return json_expr__fail(p, "these constants have no value");
	} else if (x->kind == JSON_EXPR_NUMBER && (op == '<' || op == '>')) {
		/* Put the constant of a comparison on the right. */
		node.op = op == '<' ? '>' : '<';
		node.a = b;
		node.b = a;
	}
	return json_expr__add(p, &node);
}

/* Operators by rising precedence. All of them associate to the left. */
static const char *const levels[] = { "<>", "|", "^", "&", "+-", "*/%" };

static int parse_level(struct formula_parser *p, int level)
{
	int a;

	if (level == array__nr(levels))
		return parse_atom(p);
	a = parse_level(p, level + 1);
	for (char op; json_expr__skip_blanks(p), (op = *p->at) && strchr(levels[level], op);) {
		p->at++;
		a = json_expr__join(p, op, a, parse_level(p, level + 1));
	}
	return a;
}

/* Parse a choice, "a if b else c", which associates to the right. */
static int parse_choice(struct formula_parser *p)
{
	struct json_expr_node node = { .kind = JSON_EXPR_SELECT };

	if (++p->depth > DEPTH_MAX)
		return json_expr__fail(p, "brackets are nested too deeply");
	node.a = parse_level(p, 0);
	if (take_word(p, "if")) {
		node.b = parse_level(p, 0);
		if (!take_word(p, "else"))
			json_expr__fail(p, "expected 'else'");
		node.c = parse_choice(p);
		node.a = json_expr__add(p, &node);
	}
	p->depth--;
	return node.a;
}

int json_expr__parse(struct json_expr *expr, const char *what, const char *text, struct err *err)
{
	struct formula_parser p = {
		.expr = expr, .what = what, .text = text, .at = text, .err = err};
	int root;

	expr->nodes.nr = 0;
	json_expr__add_node(expr, &(struct json_expr_node){ .kind = JSON_EXPR_NONE });
	sb__clear(&expr->text);
	if (strnlen(text, TEXT_MAX + 1) > TEXT_MAX) {
		p.at += TEXT_MAX;
		json_expr__fail(&p, "the expression is too long");
	}
	sb__putc(&expr->text, '\0'); /* empty name of nodes without a name */
	root = parse_choice(&p);
	json_expr__skip_blanks(&p);
	if (*p.at)
		json_expr__fail(&p, "expected an operator");
	return p.failed ? -EINVAL : root;
}

/* --- Simplifying and printing ---------------------------------------------------------------- */

static bool json_expr__is_number(const struct json_expr *expr, int i)
{
	return expr->nodes.at[i].kind == JSON_EXPR_NUMBER;
}

/* Tell whether node @i is the constant @value. */
static bool is_value(const struct json_expr *expr, int i, int value)
{
	return json_expr__is_number(expr, i) && decimal__is(&expr->nodes.at[i].number, value);
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
	return json_expr__add_node(expr, &(struct json_expr_node){ .kind = JSON_EXPR_NUMBER,
							      .number.is_int = true });
}

static bool is_slots(const struct json_expr *expr, int i)
{
	const struct json_expr_node *n = &expr->nodes.at[i];

	return n->kind == JSON_EXPR_EVENT && strcasestr(expr->text.buf + n->text, "slots");
}

/*
 * @was: the operator as it was parsed; @n: the operator with simplified operands. The text must be
 *       the same as that of the kernel's generator: a constant on the left matters only if the
 *       expression has it there, not if simplifying made it.
 */
static int simplify_operator(struct json_expr *expr, const struct json_expr_node *was,
			     struct json_expr_node *n)
{
	bool left = json_expr__is_number(expr, was->a), sum = n->op == '+' || n->op == '|';

	if (json_expr__is_number(expr, n->a) && json_expr__is_number(expr, n->b) &&
	    !decimal__compute(n->op, &expr->nodes.at[n->a].number, &expr->nodes.at[n->b].number,
			      &n->number)) {
		n->kind = JSON_EXPR_NUMBER;
		n->op = '\0';
		n->a = n->b = 0;
		return json_expr__add_node(expr, n);
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
	return json_expr__add_node(expr, n);
}

static int simplify_function(struct json_expr *expr, const struct json_expr_node *n)
{
	const char *name = expr->text.buf + n->text;
	struct json_expr_node ratio = { .kind = JSON_EXPR_NUMBER };
	const struct decimal *a = &expr->nodes.at[n->a].number, *b = &expr->nodes.at[n->b].number;
	bool less;

	if (!json_expr__is_number(expr, n->a) || !json_expr__is_number(expr, n->b))
		return json_expr__add_node(expr, n);
	if (!strcmp(name, "d_ratio")) {
		if (decimal__compute('/', a, b, &ratio.number))
			return add_zero(expr);
		return json_expr__add_node(expr, &ratio);
	}
	less = decimal__value(a) < decimal__value(b);
	return less == !strcmp(name, "min") ? n->a : n->b;
}

int json_expr__simplify(struct json_expr *expr, int root)
{
	struct json_expr_node was = expr->nodes.at[root], n = was; /* a copy, as nodes can move */

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
		if (json_expr__is_number(expr, n.b))
			return is_value(expr, n.b, 0) ? n.c : n.a;
		if (equal(expr, n.a, n.c))
			return n.a;
		return json_expr__add_node(expr, &n);
	default:
		return json_expr__add_node(expr, &n);
	}
}

/*
 * Return: how tight an operator binds at run time. There, comparisons bind tighter than | ^ and &.
 */
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
