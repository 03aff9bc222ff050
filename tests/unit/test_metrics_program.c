// SPDX-License-Identifier: GPL-2.0-only
/* Programs: the results of operators, shared operations, columns and references. */
#include "metrics_fixture.h"

#include <errno.h>
#include <stdio.h>

#include "machine/machine.h"

#define NR(a) ((int)(sizeof(a) / sizeof(*(a))))

/* The values of a, b, c, d are 6, 4, NaN and infinity. */
static const struct {
	const char *text;
	double value;
} values[] = {
	{ "a + b * 2 - 1", 13 },
	{ "a / b", 1.5 },
	{ "-a + b", -2 },
	{ "a % b", 2 },
	{ "a % 1.9", 0 },
	{ "-7 % 4", -3 },
	{ "a < b", 0 },
	{ "a > b", 1 },
	{ "a > d", 0 },
	{ "a < d", 1 },
	{ "a & b", 1 },
	{ "a & 0", 0 },
	{ "0 | 0", 0 },
	{ "a | 0", 1 },
	{ "a ^ b", 0 },
	{ "a ^ 0", 1 },
	{ "min(a, b)", 4 },
	{ "max(a, b)", 6 },
	{ "d_ratio(a, b)", 1.5 },
	{ "d_ratio(a, 0)", 0 },
	{ "d_ratio(c, 0)", 0 },
	{ "a if b else 1", 6 },
	{ "a if 0 else 1", 1 },
	{ "a if a < b else 2 if b < a else 3", 2 },
	{ "source_count(a)", 1 },
	/* No value */
	{ "a / 0", NAN },
	{ "a / -0", NAN },
	{ "a % 0", NAN },
	{ "a % 0.5", NAN },
	{ "a % c", NAN },
	{ "d % 3", NAN },
	{ "c + 1", NAN },
	{ "c < 1", NAN },
	{ "unknown", NAN },
	{ "source_count(unknown)", NAN },
	{ "NaN", NAN },
	/* Conditions on NaN, which is a / 0 here */
	{ "a / 0 | 1", 1 },
	{ "a / 0 | 0", NAN },
	{ "a / 0 & 0", 0 },
	{ "a / 0 & 1", NAN },
	{ "a / 0 ^ 1", NAN },
	{ "a / 0 | b / 0", NAN },
	{ "d | 0", INFINITY },
	{ "min(a / 0, a)", 6 },
	{ "min(a, a / 0)", NAN },
	{ "max(a / 0, a)", 6 },
	{ "max(a, a / 0)", NAN },
	{ "a if a / 0 else b", 6 },
	/* If a count is missing, there is no value, even if the condition would not use it ... */
	{ "min(c, a)", NAN },
	{ "max(c, a)", NAN },
	{ "a if c else b", NAN },
	{ "c & 1", NAN },
	{ "c | 0", NAN },
	{ "c | c", NAN },
	{ "d_ratio(c, b - b)", NAN },
	/* ... unless the count does not matter */
	{ "c if a < b else a", 6 },
	{ "a if a > b else c", 6 },
	{ "c & a < b", 0 },
	{ "c | a > b", 1 },
	{ "a > b | c", 1 },
	{ "d_ratio(c, 0) | 1", 1 },
	{ "0 & c", 0 },
	{ "c | 1", 1 },
	{ "1 if c else 1", 1 },
	{ "a - d_ratio(c, a - a)", NAN }, /* It is unknown that a is 0 until it is counted. */
	{ "-9223372036854775808 % -1", 0 },
	{ "1e19 % 3", NAN },
	{ "has_event(a)", 1 },
	{ "has_event(unknown)", 0 },
};

START_TEST(operators_compute_as_in_perf)
{
	for (int i = 0; i < NR(values); i++) {
		double got = value_of(values[i].text), want = values[i].value;

		ck_assert_msg(isnan(want) ? isnan(got) : got == want, "%s: %g, not %g",
			      values[i].text, got, want);
	}
}
END_TEST

/* Constants are computed at compilation, columns at evaluation: both must give the same double. */
START_TEST(folding_changes_nothing)
{
	static const char *const shapes[] = { "%s + %s", "%s - %s", "%s * %s", "%s / %s", "%s %% %s",
					      "%s < %s", "%s > %s", "%s & %s", "%s | %s", "%s ^ %s",
					      "min(%s, %s)", "max(%s, %s)", "d_ratio(%s, %s)" };
	static const double numbers[] = { 0, 1, 3, 0.1, 1e300, 4294967296, 7 };
	char text[128], left[40], right[40];

	for (int i = 0; i < NR(shapes) * NR(numbers) * NR(numbers); i++) {
		const char *shape = shapes[i % NR(shapes)];
		double in[4] = { numbers[i / NR(shapes) % NR(numbers)],
				 numbers[i / NR(shapes) / NR(numbers)] };
		double folded, computed;

		/* "1e+300" would be read as a sum. */
		snprintf(left, sizeof(left), in[0] > 1e18 ? "1e300" : "%.17g", in[0]);
		snprintf(right, sizeof(right), in[1] > 1e18 ? "1e300" : "%.17g", in[1]);
		snprintf(text, sizeof(text), shape, left, right);
		folded = value_over(text, in);
		snprintf(text, sizeof(text), shape, "a", "b");
		computed = value_over(text, in);
		ck_assert_msg(!memcmp(&folded, &computed, sizeof(folded)) ||
				      (isnan(folded) && isnan(computed)),
			      "%s of %s and %s: %.17g and %.17g", shape, left, right, folded,
			      computed);
	}
}
END_TEST

/* Operations keep their order: in doubles, (a + b) + c is not a + (b + c). */
START_TEST(sums_keep_their_order)
{
	static const double in[] = { 0.1, 0.2, 0.3, 0 };

	ck_assert(value_over("a + b + c", in) == (0.1 + 0.2) + 0.3);
	ck_assert(value_over("a + (b + c)", in) == 0.1 + (0.2 + 0.3));
	ck_assert(value_over("a + b + c", in) != value_over("a + (b + c)", in));
}
END_TEST

static const struct metrics_scope nothing;

static int add(struct program *p, struct metric *m, const int *columns)
{
	int value = -1, threshold = -1;

	ck_assert_int_eq(program__add(p, m, columns, NULL, 0, &value, &threshold, NULL), 0);
	return value;
}

START_TEST(common_parts_are_computed_once)
{
	struct program *p = program__new(&nothing);
	struct metric *m = metric_of("a b", "a / (a + b)"), *n = metric_of("b a", "b / (a + b)");
	int straight[] = { 0, 1 }, swapped[] = { 1, 0 }, other[] = { 2, 1 };
	int nodes;

	ck_assert_int_eq(add(p, m, straight), 0);
	nodes = program__nodes(p);
	ck_assert_int_eq(nodes, 4); /* four operations: a, b, +, / */
	/* Compiled again, it is another output of the same operations. */
	ck_assert_int_eq(add(p, m, straight), 1);
	ck_assert_int_eq(program__nodes(p), nodes);
	/* b / (a + b) of the same columns needs only one division more. */
	ck_assert_int_eq(add(p, n, swapped), 2);
	ck_assert_int_eq(program__nodes(p), nodes + 1);
	/* The same names with other columns are different values. */
	ck_assert_int_eq(add(p, m, other), 3);
	ck_assert_int_eq(program__nodes(p), nodes + 4);
	ck_assert_int_eq(program__outputs(p), 4);
	program__free(p);
	free_metric(m);
	free_metric(n);
}
END_TEST

START_TEST(rows_are_evaluated_together)
{
	struct program *p = program__new(&nothing);
	struct metric *m = metric_of("a b", "a / b + source_count(b) + 1");
	int columns[] = { 1, 0 };
	/* Column 0 is b, column 1 is a. */
	double in[] = { 2, 4, 0, 10, NAN, 10 }, out[3];
	double sources[] = { 1, 2, 3, 9, 9, 9 };

	add(p, m, columns);
	program__reserve(p, 5); /* usually there are fewer rows than reserved */
	program__eval(p, 3, in, sources, out);
	ck_assert_double_eq(out[0], 7);
	ck_assert(isnan(out[1]));
	ck_assert(isnan(out[2]));
	program__eval(p, 1, (double[]){ 2, 10 }, NULL, out);
	ck_assert_double_eq(out[0], 7);
	program__free(p);
	free_metric(m);
}
END_TEST

START_TEST(references_use_the_columns_of_the_metric)
{
	struct program *p = program__new(&nothing);
	struct metric *m = metric_of("a b", "Sum * 2");
	int columns[] = { 0, 1 }, value, threshold;
	double out[2];

	/*
	 * Names of metrics are found in any case. A metric that another refers to may refer to
	 * others itself.
	 */
	add_ref(m, "sum", "half + b");
	add_ref(m, "half", "a / 2");
	ck_assert_int_eq(expr__parse("threshold", "sum > 5", &m->threshold, NULL), 0);
	ck_assert_int_eq(program__add(p, m, columns, NULL, 0, &value, &threshold, NULL), 0);
	program__reserve(p, 1);
	program__eval(p, 1, (double[]){ 4, 3 }, NULL, out);
	ck_assert_double_eq(out[value], 10);
	ck_assert_double_eq(out[threshold], 0);
	program__eval(p, 1, (double[]){ 4, 4 }, NULL, out);
	ck_assert_double_eq(out[threshold], 1);
	program__free(p);
	free_metric(m);
}
END_TEST

/* x and y are in columns 0 and 1; the two parts have them in columns 2 and 3, and 4 and 5. */
START_TEST(parts_have_columns_of_their_own)
{
	static const double in[] = { 1, 10, 2, 20, 4, 40 };
	struct program *p = program__new(&nothing);
	struct metric *m = metric_of("x y", "x / y + 2 * ratio + (x + y)");
	int columns[] = { 0, 1, 2, 3, 4, 5 }, value, threshold;
	struct part parts[2];
	double out[2];

	add_ref(m, "ratio", "x / y");
	ck_assert_int_eq(expr__parse("threshold", "ratio > 0.099", &m->threshold, NULL), 0);
	/* An operator follows its operands. */
	parts[0] = (struct part){ m->value, 2 };
	parts[1] = (struct part){ m->refs[0].value, m->refs[0].value->nr - 1 };
	ck_assert_int_eq(m->value->at[2].op, EXPR_DIV);
	ck_assert_int_eq(program__add(p, m, columns, parts, 2, &value, &threshold, NULL), 0);
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(program__uses(p, value, i), 1);
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(program__uses(p, threshold, i), i > 3);
	program__reserve(p, 1);
	program__eval(p, 1, in, NULL, out);
	ck_assert_double_eq(out[value], 2.0 / 20 + 2 * (4.0 / 40) + (1 + 10));
	ck_assert_double_eq(out[threshold], 1);
	program__free(p);
	free_metric(m);
}
END_TEST

/* Everything inside a part uses the part's columns, on each path to it. */
START_TEST(the_outer_part_decides)
{
	static const double in[] = { 1, 2, 4 };
	struct program *p = program__new(&nothing);
	struct metric *m = metric_of("x", "half + 3 * half");
	int columns[] = { 0, 2, 1 }, value, threshold;
	struct part parts[2];
	double out;

	add_ref(m, "half", "x / 2");
	parts[0] = (struct part){ m->refs[0].value, 2 };
	parts[1] = (struct part){ m->value, 0 };
	ck_assert_int_eq(m->value->at[0].op, EXPR_ID);
	ck_assert_int_eq(program__add(p, m, columns, parts, 2, &value, &threshold, NULL), 0);
	program__reserve(p, 1);
	program__eval(p, 1, in, NULL, &out);
	ck_assert_double_eq(out, 2.0 / 2 + 3 * (4.0 / 2));
	program__free(p);
	free_metric(m);
}
END_TEST

START_TEST(references_in_a_circle_are_refused)
{
	struct program *p = program__new(&nothing);
	struct metric *m = metric_of("a", "x");
	struct err err = ERR_INIT;
	int column = 0, value, threshold;

	add_ref(m, "x", "a + y");
	add_ref(m, "y", "x * 2");
	ck_assert_int_eq(program__add(p, m, &column, NULL, 0, &value, &threshold, &err), -ELOOP);
	ck_assert_str_eq(err.msg, "metric test refers to itself through x");
	program__free(p);
	free_metric(m);
}
END_TEST

START_TEST(an_id_without_a_column_has_no_value)
{
	struct program *p = program__new(&nothing);
	struct metric *m = metric_of("a b", "a + b"), *n = metric_of("a b", "a if 1 else b");
	int columns[] = { 0, -1 };
	double out[2];

	add(p, m, columns);
	add(p, n, columns);
	program__reserve(p, 1);
	program__eval(p, 1, (double[]){ 4 }, NULL, out);
	ck_assert(isnan(out[0]));
	ck_assert_double_eq(out[1], 4);
	program__free(p);
	free_metric(m);
	free_metric(n);
}
END_TEST

/* Two packages, with two rows each: counted for the machine, or with a package in each row. */
START_TEST(a_row_may_be_of_a_part_of_the_machine)
{
	static const double in[] = { 6, 9 }, counts[] = { 1, 3, 1, 1, 2, 4, 8, 8 };
	struct machine machine = { .nr_packages = 2, .nr_dies = 2 };
	struct metrics_scope scope = { .machine = &machine };
	struct program *p = program__new(&scope);
	struct metric *share = metric_of("a", "a / #num_packages");
	/* It depends on the machine which events are counted. */
	struct metric *choice = metric_of("a", "a if #num_packages > 1 else unknown");
	int column = 0, value[2], threshold;
	double out[4];

	ck_assert_int_eq(program__add(p, choice, &column, NULL, 0, &value[1], &threshold, NULL), 0);
	ck_assert(!program__has_rows(p));
	ck_assert_int_eq(program__add(p, share, &column, NULL, 0, &value[0], &threshold, NULL), 0);
	ck_assert(program__has_rows(p));
	program__reserve(p, 2);
	program__eval(p, 2, in, NULL, out);
	ck_assert(out[value[0] * 2] == 3 && out[value[0] * 2 + 1] == 4.5);
	program__set_rows(p, counts);
	program__eval(p, 2, in, NULL, out);
	ck_assert(out[value[0] * 2] == 6 && out[value[0] * 2 + 1] == 3);
	ck_assert(out[value[1] * 2] == 6 && out[value[1] * 2 + 1] == 9);
	program__free(p);
	free_metric(share);
	free_metric(choice);
}
END_TEST

/* After a change of one column, an update of the results gives the same as a new evaluation. */
START_TEST(a_changed_column_changes_what_is_made_of_it)
{
	static const char *const texts[] = { "a / (a + b)", "b + 1", "c if a > 2 else b",
					     "min(a, c) * b", "7" };
	enum { NR = 5, ROWS = 2, IDS = 3 };
	double in[] = { 1, 3, 4, 5, NAN, 6 }, out[NR * ROWS], moved[NR * ROWS];
	struct program *p = program__new(&nothing);
	struct metric *metrics[NR];
	int columns[] = { 0, 1, 2 }, nr;
	const int *outputs;

	for (int i = 0; i < NR; i++)
		add(p, metrics[i] = metric_of("a b c", texts[i]), columns);
	program__reserve(p, ROWS);
	program__find_moves(p);
	for (int column = 0; column < IDS; column++) {
		program__eval(p, ROWS, in, NULL, moved);
		for (int row = 0; row < ROWS; row++)
			in[column * ROWS + row] *= 3;
		nr = program__eval_moved(p, column, ROWS, moved, &outputs);
		ck_assert_int_eq(nr, column == 0 ? 3 : column == 1 ? 4 : 2);
		for (int i = 0; i < nr; i++)
			ck_assert_int_eq(program__uses(p, outputs[i], column), 1);
		program__eval(p, ROWS, in, NULL, out);
		ck_assert_int_eq(memcmp(out, moved, sizeof(out)), 0);
	}
	ck_assert_int_eq(program__eval_moved(p, 17, ROWS, moved, &outputs), 0);
	program__free(p);
	for (int i = 0; i < NR; i++)
		free_metric(metrics[i]);
}
END_TEST

TMA_TEST_MAIN(metrics_program, operators_compute_as_in_perf, folding_changes_nothing,
	      sums_keep_their_order, common_parts_are_computed_once, rows_are_evaluated_together,
	      references_use_the_columns_of_the_metric, parts_have_columns_of_their_own,
	      the_outer_part_decides, references_in_a_circle_are_refused,
	      an_id_without_a_column_has_no_value,
	      a_row_may_be_of_a_part_of_the_machine,
	      a_changed_column_changes_what_is_made_of_it)
