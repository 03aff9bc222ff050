// SPDX-License-Identifier: GPL-2.0-only
/* Thresholds that can never hold. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "lint/threshold.h"
#include "metrics/expr_op.h"
#include "unit.h"

static unsigned int seed = 1;

static double pick(const double *from, int nr)
{
	return from[rand_r(&seed) % nr];
}

/* --- Thresholds ----------------------------------------------------------------------------------
 */

struct named {
	const char *name;
	int node;
};

static struct graph graph;
static struct named metrics[8];
static int nr_metrics;

static int find_metric(void *arg, const char *id)
{
	(void)arg;
	for (int i = 0; i < nr_metrics; i++)
		if (!strcmp(metrics[i].name, id))
			return metrics[i].node;
	return -1;
}

static int add(const char *text, struct expr **e, int *places)
{
	ck_assert_int_eq(expr__parse("test", text, e, NULL), 0);
	return graph__add(&graph, *e, find_metric, NULL, places);
}

static void define(const char *name, const char *text)
{
	struct expr *e;
	int places[128], node = add(text, &e, places);

	metrics[nr_metrics++] = (struct named){ name, node };
	expr__free(e);
}

static bool is_same(const struct range *a, const struct range *b)
{
	return a->lo == b->lo && a->hi == b->hi && a->lo_open == b->lo_open &&
	       a->hi_open == b->hi_open && a->nan == b->nan;
}

/* Return: the finding about a threshold, or "". */
static const char *judged(const char *text)
{
	static const char *const verdicts[] = { "", "never: ", "always: " };
	static char words[256];
	struct threshold_place place;
	struct sb sb = SB_INIT;
	struct solver solver;
	struct expr *e;
	int places[256];

	add(text, &e, places);
	solver = (struct solver){ .graph = &graph };
	threshold__judge(&solver, e, places, &place);
	if (place.verdict)
		threshold__explain(&solver, e, places, text, &place, &sb);
	snprintf(words, sizeof(words), "%s%s", verdicts[place.verdict], sb__str(&sb));
	/* The solver has undone its changes: asked again, it gives the same answer. */
	ck_assert_int_eq(solver.changed.nr, 0);
	for (int i = 0; i < solver.ranges.nr; i++)
		ck_assert(is_same(&solver.ranges.at[i], &graph.nodes.at[i].range));
	solver__free(&solver);
	sb__free(&sb);
	expr__free(e);
	return words;
}

static void begin(void)
{
	nr_metrics = 0;
	graph__init(&graph);
}

START_TEST(outcomes_that_depend_on_the_counts)
{
	static const char *const texts[] = {
		"x > 0.2",
		"x < 0.2",
		"x > 0.1 & (y > 0.2 & z > 0.2)",
		"x > 0.2 | x < 0.1",
		"x > 0.1 & x < 0.2",
		"x / y < 1 & x > 1e9",
		"1 - x / y > 0.5",
		"max(1 - x / y, 0) > 0.2",
		"x > 0.2 if #smt_on else x > 0.1",
		"x - y < 0",
		"has_event(x) & x > 2",
		"x % 10 > 5",
		"100 * x > 20 & x < 0.3",
		"#num_cpus > 1",
		"min(x, y) > 5",
		"(x > 1) ^ (y > 1)",
		"x > y & y > z",
	};

	begin();
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ck_assert_msg(!*judged(texts[i]), "%s: %s", texts[i], judged(texts[i]));
	graph__free(&graph);
}
END_TEST

START_TEST(outcomes_of_one_comparison)
{
	begin();
	ck_assert_str_eq(judged("x < 0"), "never: 'x' is never below 0");
	ck_assert_str_eq(judged("x + 2 < 1"), "never: 'x + 2' is never below 2");
	ck_assert_str_eq(judged("5 < min(x, 3)"), "never: 'min(x, 3)' is never above 3");
	ck_assert_str_eq(judged("x > -1"), "always: 'x' is never below 0");
	ck_assert_str_eq(judged("x / (x + y) > 1.5"), "never: 'x / (x + y)' is never above 1");
	ck_assert_str_eq(judged("(a + b) / (b + (x + a)) > 20 & y > 1"),
			 "never: '(a + b) / (b + (x + a))' is never above 1");
	ck_assert_str_eq(judged("#smt_on > 1"), "never: '#smt_on' is never above 1");
	ck_assert_str_eq(judged("min(x, 2) < max(y, 3)"),
			 "always: 'min(x, 2)' is never above 2, 'max(y, 3)' is never below 3");
	ck_assert_str_eq(judged("1 > 2"), "never: '1 > 2' contradicts itself");
	ck_assert_str_eq(judged("x > 0.2 | y < 0"), "never: 'y' is never below 0");
	graph__free(&graph);
}
END_TEST

START_TEST(outcomes_of_two_comparisons)
{
	begin();
	ck_assert_str_eq(judged("x > 0.2 & x < 0.1"), "never: 'x < 0.1' contradicts 'x > 0.2'");
	ck_assert_str_eq(judged("x > 0.2 & x < 0.2"), "never: 'x < 0.2' contradicts 'x > 0.2'");
	ck_assert_str_eq(judged("y > 1 & (x > 0.2 & (z < 3 & x < 0.1))"),
			 "never: 'x < 0.1' contradicts 'x > 0.2'");
	ck_assert_str_eq(judged("100 * x > 20 & x < 0.1"),
			 "never: 'x < 0.1' contradicts '100 * x > 20'");
	ck_assert_str_eq(judged("x / y > 2 & -(x / y) > -1"),
			 "never: '-(x / y) > -1' contradicts 'x / y > 2'");
	ck_assert_str_eq(judged("x + y < 1 & y > 2"), "never: 'y > 2' contradicts 'x + y < 1'");
	ck_assert_str_eq(judged("max(x, y) < 1 & y > 2"),
			 "never: 'y > 2' contradicts 'max(x, y) < 1'");
	graph__free(&graph);
}
END_TEST

START_TEST(outcomes_of_the_whole_threshold)
{
	begin();
	ck_assert_str_eq(judged("x + y < 1 & (x > 0.6 & y > 0.6)"),
			 "never: 'x + y < 1 & (x > 0.6 & y > 0.6)' contradicts itself");
	ck_assert_str_eq(judged("(x > 1 | y > 1) & (x < 0.5 & y < 0.5)"),
			 "never: '(x > 1 | y > 1) & (x < 0.5 & y < 0.5)' contradicts itself");
	graph__free(&graph);
}
END_TEST

START_TEST(through_the_metrics_referred_to)
{
	begin();
	define("tma_parent", "p / slots");
	define("tma_same", "p / slots");
	define("tma_share", "a / (a + b)");
	define("tma_child", "tma_parent * 0.5");
	ck_assert_str_eq(judged("tma_parent > 0.2 & tma_same < 0.1"),
			 "never: 'tma_same < 0.1' contradicts 'tma_parent > 0.2'");
	ck_assert_str_eq(judged("tma_child > 0.2 & tma_parent < 0.3"),
			 "never: 'tma_parent < 0.3' contradicts 'tma_child > 0.2'");
	ck_assert_str_eq(judged("tma_child > 0.2 & tma_parent < 0.5"), "");
	ck_assert_str_eq(judged("tma_share > 20"), "never: 'tma_share' is never above 1");
	ck_assert_str_eq(judged("tma_share < 1.5"), "always: 'tma_share' is never above 1");
	graph__free(&graph);
}
END_TEST

/* --- Findings are true of random conditions and random counts -----------------------------------
 */

static void put_value(struct sb *sb, int depth)
{
	static const char *const operators[] = { " + ", " - ", " * ", " / " };
	static const char *const leaves[] = { "x", "y", "z", "0", "0.5", "1", "2", "100" };

	if (!depth || rand_r(&seed) % 3 == 0) {
		sb__puts(sb, leaves[rand_r(&seed) % 8]);
		return;
	}
	switch (rand_r(&seed) % 8) {
	case 0:
		sb__puts(sb, "-");
		break;
	case 1:
		sb__puts(sb, rand_r(&seed) % 2 ? "min(" : "max(");
		put_value(sb, depth - 1);
		sb__puts(sb, ", ");
		put_value(sb, depth - 1);
		sb__puts(sb, ")");
		return;
	default:
		break;
	}
	sb__puts(sb, "(");
	put_value(sb, depth - 1);
	sb__puts(sb, operators[rand_r(&seed) % 4]);
	put_value(sb, depth - 1);
	sb__puts(sb, ")");
}

static void put_condition(struct sb *sb, int depth)
{
	if (!depth) {
		put_value(sb, 2);
		sb__puts(sb, rand_r(&seed) % 2 ? " < " : " > ");
		put_value(sb, 2);
		return;
	}
	sb__puts(sb, "(");
	put_condition(sb, depth - 1);
	sb__puts(sb, rand_r(&seed) % 3 ? " & " : " | ");
	put_condition(sb, depth - 1);
	sb__puts(sb, ")");
}

static double value_of(const struct expr *e, int root, const double *xyz)
{
	double values[256];

	for (int i = 0; i <= root; i++) {
		const struct expr_node *n = &e->at[i];

		if (n->op == EXPR_NUMBER)
			values[i] = n->number;
		else if (n->op == EXPR_ID)
			values[i] = xyz[*n->id - 'x'];
		else
			values[i] = expr_op__apply(n->op, values[n->at[0]], values[n->at[1]],
						   values[n->at[2]]);
	}
	return values[root];
}

/* Return: whether the finding about a part is true for these counts. */
static bool is_so(const struct expr *e, const struct threshold_place *place, const double *xyz)
{
	double v = value_of(e, place->node, xyz);

	if (place->verdict == THRESHOLD_ALWAYS)
		return v != 0; /* a missing count is true */
	if (place->other >= 0)
		v = expr_op__apply(EXPR_AND, v, value_of(e, place->other, xyz), 0);
	return isnan(v) || v == 0;
}

START_TEST(no_false_alarm)
{
	int said[3] = { 0 };

	for (int round = 0; round < 20000; round++) {
		struct threshold_place place;
		struct sb sb = SB_INIT;
		struct solver solver;
		struct expr *e;
		int places[256];

		begin();
		put_condition(&sb, rand_r(&seed) % 3);
		add(sb__str(&sb), &e, places);
		solver = (struct solver){ .graph = &graph };
		threshold__judge(&solver, e, places, &place);
		said[place.verdict]++;
		for (int i = 0; place.verdict && i < 200; i++) {
			static const double counts[] = {
				0, 1e-3, 0.2, 0.5, 0.99, 1, 1.5, 2, 3, 1e6
			};
			const double xyz[] = { pick(counts, 10), pick(counts, 10),
					       pick(counts, 10) };

			ck_assert_msg(is_so(e, &place, xyz), "%s with %g %g %g", sb__str(&sb),
				      xyz[0], xyz[1], xyz[2]);
		}
		solver__free(&solver);
		expr__free(e);
		sb__free(&sb);
		graph__free(&graph);
	}
	/* The random texts have findings often enough. */
	ck_assert_int_gt(said[THRESHOLD_NEVER], 1000);
	ck_assert_int_gt(said[THRESHOLD_ALWAYS], 100);
	ck_assert_int_gt(said[THRESHOLD_DEPENDS], 1000);
}
END_TEST

/* Equal values are one node, even if they are written differently. */
START_TEST(equal_expressions_are_one_node)
{
	struct expr *e;
	int places[64], first;

	begin();
	define("m", "b + a");
	first = add("(a + b) * 2 / c", &e, places);
	expr__free(e);
	ck_assert_int_eq(add("2 * m / c", &e, places), first);
	expr__free(e);
	ck_assert_int_ne(add("(a - b) * 2 / c", &e, places), first);
	expr__free(e);
	ck_assert_int_ne(add("(a + b) * 3 / c", &e, places), first);
	expr__free(e);
	graph__free(&graph);
}
END_TEST

/* Long texts, deep texts and many alternatives need little time and memory. */
START_TEST(large_thresholds)
{
	struct threshold_place place;
	struct sb text = SB_INIT;
	struct solver solver;
	struct expr *e;
	int *places;

	begin();
	for (int i = 0; i < 5000; i++)
		sb__printf(&text, "%sx%d > 1 | y + y%d < 2", i ? " & " : "", i, i);
	sb__puts(&text, " & x");
	for (int i = 0; i < 5000; i++)
		sb__puts(&text, " + 1");
	sb__puts(&text, " > 3 & x < 1e-3");
	ck_assert_int_eq(expr__parse("test", sb__str(&text), &e, NULL), 0);
	places = malloc(e->nr * sizeof(*places));
	ck_assert_ptr_nonnull(places);
	ck_assert_int_gt(graph__add(&graph, e, NULL, NULL, places), 0);
	solver = (struct solver){ .graph = &graph };
	threshold__judge(&solver, e, places, &place);
	solver__free(&solver);
	free(places);
	expr__free(e);
	sb__free(&text);
	graph__free(&graph);
}
END_TEST

TMA_TEST_MAIN(lint_threshold, outcomes_that_depend_on_the_counts, outcomes_of_one_comparison,
	      outcomes_of_two_comparisons, outcomes_of_the_whole_threshold,
	      through_the_metrics_referred_to,
	      no_false_alarm, equal_expressions_are_one_node, large_thresholds)
