// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metric expressions as the JSON has them. An expression that is read is printed; the parser of the
 * run time, which is another program with another precedence, must read the same tree. The
 * simplified expression has the same value.
 */
#include <errno.h>
#include <math.h>
#include <strings.h>

#include "base/sb.h"
#include "fuzz.h"
#include "formula/json_expr.h"
#include "metrics/expr_op.h"
#include "metrics/literal.h"

static struct json_expr expr = JSON_EXPR_INIT;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static const char *name_of(const struct json_expr_node *n)
{
	return expr.text.buf + n->text;
}

/* Names in the JSON that the run time reads as numbers, or not at all. */
static bool is_unknown(const struct json_expr_node *n)
{
	if (n->kind == JSON_EXPR_EVENT)
		return !strcmp(name_of(n), "NaN");
	return n->kind == JSON_EXPR_LITERAL &&
	       literal__find(name_of(n) + 1, strlen(name_of(n) + 1)) < 0;
}

static bool any_unknown(int i)
{
	const struct json_expr_node *n;

	if (!i)
		return false;
	n = &expr.nodes.at[i];
	return is_unknown(n) || any_unknown(n->a) || any_unknown(n->b) || any_unknown(n->c);
}

static bool same_name(const char *written, const char *read)
{
	for (; *written; written++, read++) {
		if (*written == '\\')
			written++;
		if (*read != (*written == '?' ? '0' : *written))
			return false;
	}
	return !*read;
}

static enum expr_op op_of(const struct json_expr_node *n)
{
	static const struct {
		const char *text;
		enum expr_op op;
	} ops[] = { { "|", EXPR_OR },
		    { "^", EXPR_XOR },
		    { "&", EXPR_AND },
		    { "<", EXPR_LESS },
		    { ">", EXPR_GREATER },
		    { "-", EXPR_SUB },
		    { "+", EXPR_ADD },
		    { "*", EXPR_MUL },
		    { "/", EXPR_DIV },
		    { "%", EXPR_MOD },
		    { "min", EXPR_MIN },
		    { "max", EXPR_MAX },
		    { "d_ratio", EXPR_D_RATIO },
		    { "source_count", EXPR_SOURCE_COUNT },
		    { "has_event", EXPR_HAS_EVENT },
		    { "strcmp_cpuid_str", EXPR_STRCMP_CPUID } };
	const char op[] = { n->op, '\0' };
	const char *want = n->kind == JSON_EXPR_FUNCTION ? name_of(n) : op;

	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (!strcmp(ops[i].text, want))
			return ops[i].op;
	fuzz_check(false, "no operator '%s'", want);
	return EXPR_NUMBER;
}

static void check_same(int i, const struct expr *e, int j);

static void check_same_number(const struct json_expr_node *n, const struct expr *e, int j)
{
	double want = decimal__value(&n->number);

	/* The run time reads a sign before a number as an operator. */
	if (e->at[j].op == EXPR_NEG) {
		j = e->at[j].at[0];
		want = -want;
	}
	fuzz_check(e->at[j].op == EXPR_NUMBER && e->at[j].number == want, "%.17g, not %.17g",
		   e->at[j].number, want);
}

static void check_same_operands(const struct json_expr_node *n, const struct expr *e, int j)
{
	const struct expr_node *m = &e->at[j];

	check_same(n->a, e, m->at[0]);
	if (n->b)
		check_same(n->b, e, m->at[1]);
	if (n->c)
		check_same(n->c, e, m->at[2]);
}

static void check_same(int i, const struct expr *e, int j)
{
	const struct json_expr_node *n = &expr.nodes.at[i];
	const struct expr_node *m = &e->at[j];

	switch (n->kind) {
	case JSON_EXPR_NUMBER:
		check_same_number(n, e, j);
		break;
	case JSON_EXPR_EVENT:
		fuzz_check(m->op == EXPR_ID && same_name(name_of(n), m->id));
		break;
	case JSON_EXPR_LITERAL:
		fuzz_check(m->op == EXPR_LITERAL &&
			   m->literal == literal__find(name_of(n) + 1, strlen(name_of(n) + 1)));
		break;
	case JSON_EXPR_NEGATIVE:
		fuzz_check(m->op == EXPR_NEG);
		check_same(n->a, e, m->at[0]);
		break;
	case JSON_EXPR_SELECT:
		fuzz_check(m->op == EXPR_IF);
		check_same_operands(n, e, j);
		break;
	default:
		fuzz_check(m->op == op_of(n), "%d, not %d", m->op, op_of(n));
		if (m->id)
			fuzz_check(same_name(name_of(&expr.nodes.at[n->a]), m->id));
		else
			check_same_operands(n, e, j);
	}
}

static void check_printed(int root)
{
	struct err err = ERR_INIT;
	struct sb sb = SB_INIT;
	struct expr *e = NULL;
	int rc;

	json_expr__print(&expr, root, &sb);
	fuzz_check(!sb.err && sb.len && strlen(sb.buf) == sb.len);
	rc = expr__parse("printed", sb.buf, &e, &err);
	if (rc) {
		fuzz__check_error(rc, &err);
		fuzz_check(any_unknown(root), "%s\n%s", sb.buf, err.msg);
	} else if (!any_unknown(root)) {
		check_same(root, e, e->nr - 1);
	}
	expr__free(e);
	sb__free(&sb);
}

/**
 * struct value - a value, and whether it can be compared
 * @exact: no intermediate result is infinite or not a number, and no operator has another meaning
 *         at run time
 */
struct value {
	double value;
	bool exact;
};

static struct value value_of(int i)
{
	const struct json_expr_node *n = &expr.nodes.at[i];
	struct value v = { .exact = true },
		     of[3] = { { .exact = true }, { .exact = true }, { .exact = true } };
	const int at[] = { n->a, n->b, n->c };

	for (int k = 0; k < 3; k++) {
		if (at[k])
			of[k] = value_of(at[k]);
		v.exact &= of[k].exact;
	}
	switch (n->kind) {
	case JSON_EXPR_NONE:
		break;
	case JSON_EXPR_NUMBER:
		v.value = decimal__value(&n->number);
		break;
	case JSON_EXPR_EVENT:
	case JSON_EXPR_LITERAL:
		/* Return: a number that depends on the name. */
		v.value = 1;
		for (const char *c = name_of(n); *c; c++)
			v.value = fmod(v.value * 31 + (unsigned char)*c, 9973);
		break;
	case JSON_EXPR_NEGATIVE:
		v.value = -of[0].value;
		break;
	case JSON_EXPR_SELECT:
		v.value = expr_op__apply(EXPR_IF, of[0].value, of[1].value, of[2].value);
		break;
	case JSON_EXPR_FUNCTION:
		if (n->b < 0)
			v.value = of[0].value;
		else
			v.value = expr_op__apply(op_of(n), of[0].value, of[1].value, 0);
		break;
	case JSON_EXPR_OPERATOR:
		v.exact &= !strchr("|^&%", n->op);
		v.value = expr_op__apply(op_of(n), of[0].value, of[1].value, 0);
		break;
	}
	/* The JSON's integers are exact even where doubles are not. */
	v.exact &= isfinite(v.value) && fabs(v.value) < 1e15;
	return v;
}

static void check_value(const struct value *was, int root)
{
	struct value now = value_of(root);

	if (was->exact && now.exact)
		fuzz_check(now.value == was->value, "%.17g, not %.17g", now.value, was->value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz__text(data, size);
	struct err err = ERR_INIT;
	struct value was;
	int root = json_expr__parse(&expr, "metric m", text, &err);

	if (root < 0) {
		fuzz__check_error(root, &err);
	} else {
		fuzz_check(root < expr.nodes.nr);
		check_printed(root);
		was = value_of(root);
		root = json_expr__simplify(&expr, root);
		fuzz_check(root >= 0 && root < expr.nodes.nr);
		check_printed(root);
		check_value(&was, root);
	}
	free(text);
	return 0;
}
