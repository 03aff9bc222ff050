// SPDX-License-Identifier: GPL-2.0-only
/* The expression language: precedence, words, and where mistakes are reported. */
#include "metrics_fixture.h"

#include <errno.h>

#include "metrics/expr_op.h"
#include "metrics/literal.h"

#define NR(a) ((int)(sizeof(a) / sizeof(*(a))))

static void print_literal(int literal, struct sb *sb)
{
	static const char *const names[] = { "smt_on", "num_cpus_online" };

	for (int i = 0; i < NR(names); i++)
		if (literal__find(names[i], strlen(names[i])) == literal)
			sb__printf(sb, "#%s", names[i]);
}

/* The text, with something repeated before, between and after the operands. */
static const char *const spelling[][4] = {
	[EXPR_IF] = { "(", " if ", " else ", ")" },
	[EXPR_OR] = { "(", " | ", ")" },
	[EXPR_XOR] = { "(", " ^ ", ")" },
	[EXPR_AND] = { "(", " & ", ")" },
	[EXPR_LESS] = { "(", " < ", ")" },
	[EXPR_GREATER] = { "(", " > ", ")" },
	[EXPR_SUB] = { "(", " - ", ")" },
	[EXPR_ADD] = { "(", " + ", ")" },
	[EXPR_MUL] = { "(", " * ", ")" },
	[EXPR_DIV] = { "(", " / ", ")" },
	[EXPR_MOD] = { "(", " % ", ")" },
	[EXPR_D_RATIO] = { "d_ratio(", ", ", ")" },
	[EXPR_MIN] = { "min(", ", ", ")" },
	[EXPR_MAX] = { "max(", ", ", ")" },
	[EXPR_NEG] = { "-", "" },
};

/* Names as the tree has them, without escapes. */
static void spell(const struct expr *e, int i, struct sb *sb)
{
	const struct expr_node *node = &e->at[i];
	int nr = node->op == EXPR_IF ? 3 : node->op == EXPR_NEG ? 1 : 2;

	if (node->op == EXPR_NUMBER) {
		sb__printf(sb, "%g", node->number);
	} else if (node->op == EXPR_LITERAL) {
		print_literal(node->literal, sb);
	} else if (node->op == EXPR_ID) {
		sb__puts(sb, node->id);
	} else if (!expr_op__is_operator(node->op)) {
		sb__printf(sb, "%s(%s)",
			   node->op == EXPR_SOURCE_COUNT ? "source_count" :
			   node->op == EXPR_HAS_EVENT	 ? "has_event" :
							   "strcmp_cpuid_str",
			   node->id);
	} else {
		for (int n = 0; n < nr; n++) {
			sb__puts(sb, spelling[node->op][n]);
			spell(e, node->at[n], sb);
		}
		sb__puts(sb, spelling[node->op][nr]);
	}
}

static struct expr *parse_ok(const char *text)
{
	struct err err = ERR_INIT;
	struct expr *e;
	int ret = expr__parse("test", text, &e, &err);

	ck_assert_msg(!ret, "%s: %s", text, err.msg);
	return e;
}

/* Return: the expression, with parentheses around each operation. */
static const char *spelled(const char *text)
{
	static struct sb sb;
	struct expr *e = parse_ok(text);

	sb__clear(&sb);
	spell(e, e->nr - 1, &sb);
	ck_assert_int_eq(sb.err, 0);
	expr__free(e);
	return sb__str(&sb);
}

static const struct {
	const char *text, *spelled;
} precedence[] = {
	{ "a + b * c", "(a + (b * c))" },
	{ "a - b - c", "((a - b) - c)" },
	{ "a / b * c % d", "(((a / b) * c) % d)" },
	{ "a + b < c - d", "((a + b) < (c - d))" },
	{ "a < b > c", "((a < b) > c)" },
	{ "a & b < c", "(a & (b < c))" },
	{ "a ^ b & c", "(a ^ (b & c))" },
	{ "a | b ^ c", "(a | (b ^ c))" },
	{ "a ^ b | c", "((a ^ b) | c)" },
	{ "-a * b", "(-a * b)" },
	{ "a - -b", "(a - -b)" },
	{ "--a", "--a" },
	{ "-(a + b)", "-(a + b)" },
	{ "a if b else c", "(a if b else c)" },
	{ "a if b else c if d else 1", "(a if b else (c if d else 1))" },
	{ "a + 1 if b | c else d * 2", "((a + 1) if (b | c) else (d * 2))" },
	{ "(a if b else c) / d", "((a if b else c) / d)" },
	{ "min(a, b + 1) + max(a, b)", "(min(a, (b + 1)) + max(a, b))" },
	{ "d_ratio(a, b) * source_count(c)", "(d_ratio(a, b) * source_count(c))" },
	{ "has_event(a) & strcmp_cpuid_str(b)", "(has_event(a) & strcmp_cpuid_str(b))" },
	{ "((a))", "a" },
	{ "a\n+\tb", "(a + b)" },
};

START_TEST(operators_bind_as_in_perf)
{
	for (int i = 0; i < NR(precedence); i++) {
		ck_assert_str_eq(spelled(precedence[i].text), precedence[i].spelled);
		/* With parentheses around each operation, the tree is the same. */
		ck_assert_str_eq(spelled(precedence[i].spelled), precedence[i].spelled);
	}
}
END_TEST

static const struct {
	const char *text, *spelled;
} words[] = {
	{ "1", "1" },
	{ "1.", "1" },
	{ ".5", "0.5" },
	{ "1e3", "1000" },
	{ "2.5e-3", "0.0025" },
	{ "1e300", "1e+300" },
	{ "NaN", "nan" },
	{ "1e", "1e" },		    /* a name: digits are missing after 'e' */
	{ "0x10", "0x10" },	    /* a name: hexadecimal is not supported */
	{ "1.2.3", "1.2.3" },	    /* of two words that fit, the longer one is read */
	{ "iffy", "iffy" },
	{ "minimum", "minimum" },
	{ "nan", "nan" },
	{ "EV_?", "EV_0" },
	{ "cpu@EV\\,cmask\\=1@u", "cpu@EV,cmask=1@u" },
	{ "topdown\\-retiring:k", "topdown-retiring:k" },
	{ "EV.X:R - cpu_core@EV.X@R", "(EV.X:R - cpu_core@EV.X@R)" },
	{ "msr@tsc\\,cpu=cpu_core@ / 2", "(msr@tsc,cpu=cpu_core@ / 2)" },
	{ "min(a@b=1@, c@d@u)", "min(a@b=1@, c@d@u)" },
	{ "a-b", "(a - b)" },
	{ "#smt_on", "#smt_on" },
	{ "#SMT_ON", "#smt_on" },
	{ "#num_cpus_online", "#num_cpus_online" },
};

START_TEST(words_are_read_as_in_perf)
{
	for (int i = 0; i < NR(words); i++)
		ck_assert_str_eq(spelled(words[i].text), words[i].spelled);
}
END_TEST

static const struct {
	const char *text;
	int column;
	const char *why;
} errors[] = {
	{ "", 0, "ends too early" },
	{ "a +", 3, "ends too early" },
	{ "a $ b", 2, "has no meaning" },
	{ "a == b", 2, "has no meaning" },
	{ "a <= b", 3, "has no meaning" },
	{ "a=b", 1, "has no meaning" },
	{ "a@b@=c", 4, "has no meaning" }, /* after the second @, not between two */
	{ "msr@tsc,cpu=cpu_core@", 7, "an operator is expected" },
	{ "a && b", 3, "a value is expected" },
	{ "!a", 0, "has no meaning" },
	{ "a \\ b", 2, "has no meaning" },
	{ "a b", 2, "an operator is expected" },
	{ "(a", 2, "')' is expected" },
	{ "a)", 1, "an operator is expected" },
	{ "min(a)", 5, "',' is expected" },
	{ "min a", 4, "'(' is expected" },
	{ "min(a if b else c, d)", 6, "',' is expected" },
	{ "source_count(1 + a)", 13, "an event name is expected" },
	{ "a if b", 6, "'else' is expected" },
	{ "a if b else", 11, "ends too early" },
	{ "a if b else c if d", 18, "'else' is expected" },
	{ "+a", 0, "a value is expected" },
	{ "#nonsense * 2", 0, "unknown literal" },
	{ "#smt_on-1", 0, "unknown literal" }, /* '-' belongs to the word, as in perf */
	{ "1e999", 0, "number out of range" },
};

START_TEST(errors_point_at_the_place)
{
	for (int i = 0; i < NR(errors); i++) {
		const char *text = errors[i].text, *line, *caret;
		struct err err = ERR_INIT;
		struct expr *e = NULL;

		ck_assert_int_eq(expr__parse("metric x", text, &e, &err), -EINVAL);
		ck_assert_ptr_null(e);
		line = strchr(err.msg, '\n') + 1;
		caret = strstr(line, "\\___ ");
		ck_assert_msg(caret - line - (int)strlen("metric x syntax error: '") ==
				      errors[i].column, "%s", err.msg);
		ck_assert_msg(strstr(caret, errors[i].why), "%s", err.msg);
	}
}
END_TEST

/*
 * Parse "a" with one text repeated before it, and another text repeated after it. Return: the
 * result of expr__parse().
 */
static int parse_nested(const char *before, const char *behind, int times, struct err *err)
{
	struct sb text = SB_INIT;
	struct expr *e = NULL;
	int ret;

	for (int i = 0; i < times; i++)
		sb__puts(&text, before);
	sb__puts(&text, "a");
	for (int i = 0; i < times; i++)
		sb__puts(&text, behind);
	ret = expr__parse("test", sb__str(&text), &e, err);
	expr__free(e);
	sb__free(&text);
	return ret;
}

START_TEST(nodes_know_their_place)
{
	/*                         0123456789012345678901234567890123456789 */
	static const char text[] = "a + 2 * min(b, -c) if #smt_on else d < 1";
	static const struct {
		enum expr_op op;
		int column;
	} want[] = {
		{ EXPR_ADD, 2 },  { EXPR_NUMBER, 4 }, { EXPR_MUL, 6 },	 { EXPR_MIN, 8 },
		{ EXPR_NEG, 15 }, { EXPR_IF, 19 },    { EXPR_LITERAL, 22 }, { EXPR_LESS, 37 },
	};
	struct expr *e = NULL;

	ck_assert_int_eq(expr__parse("test", text, &e, NULL), 0);
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		int at = 0;

		while (at < e->nr && e->at[at].op != want[i].op)
			at++;
		ck_assert_int_lt(at, e->nr);
		ck_assert_int_eq(e->at[at].column, want[i].column);
	}
	for (int i = 0; i < e->nr; i++)
		if (e->at[i].op == EXPR_ID)
			ck_assert_int_eq(e->at[i].id[0], text[e->at[i].column]);
	expr__free(e);
}
END_TEST

START_TEST(no_text_overflows_the_stack)
{
	static const char *const nests[][2] = {
		{ "(", ")" }, { "-", "" }, { "a if b else ", "" }, { "min(a, ", ")" },
	};
	struct err err = ERR_INIT;

	ck_assert_int_eq(parse_nested("(", ")", EXPR_MAX_NESTING / 2 - 1, &err), 0);
	for (int i = 0; i < NR(nests); i++) {
		ck_assert_int_eq(parse_nested(nests[i][0], nests[i][1], 100000, &err), -E2BIG);
		ck_assert_ptr_nonnull(strstr(err.msg, "nested deeper than 500 levels"));
	}
}
END_TEST

/* A long chain of operators is a deep tree, but is read without recursion. */
START_TEST(length_is_not_limited)
{
	struct sb text = SB_INIT;
	struct expr *e;

	for (int i = 0; i < 100000; i++)
		sb__puts(&text, "b + ");
	sb__puts(&text, "a");
	ck_assert_double_eq(value_of(sb__str(&text)), 400006);
	e = parse_ok(sb__str(&text));
	ck_assert_int_eq(e->nr, 200001);
	expr__free(e);
	sb__free(&text);
}
END_TEST

START_TEST(random_texts_are_read_or_refused)
{
	static const char *const pieces[] = { "a", "b", "1", "0", "NaN", "#smt_on", "(", ")", "+",
					      "-", "*", "/", "%", "<", ">", "&", "|", "^", " if ",
					      " else ", "min(", "max(", ",", "d_ratio(", "\\",
					      "source_count(", "has_event(", ".", "e", "#", "?",
					      "strcmp_cpuid_str(", "\\-", "@", ":", "\x80", "1e9" };
	unsigned int seed = 1;
	int good = 0;

	for (int n = 0; n < 20000; n++) {
		struct sb text = SB_INIT;
		struct expr *e = NULL;

		for (int len = 1 + rand_r(&seed) % 12; len > 0; len--)
			sb__puts(&text, pieces[rand_r(&seed) % (sizeof(pieces) / sizeof(*pieces))]);
		if (!expr__parse("test", sb__str(&text), &e, NULL)) {
			good++;
			expr__free(e);
		}
		sb__free(&text);
	}
	ck_assert_int_gt(good, 100);
}
END_TEST

TMA_TEST_MAIN(metrics_expr, operators_bind_as_in_perf, words_are_read_as_in_perf,
	      errors_point_at_the_place, nodes_know_their_place, no_text_overflows_the_stack,
	      length_is_not_limited, random_texts_are_read_or_refused)
