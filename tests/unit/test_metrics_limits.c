// SPDX-License-Identifier: GPL-2.0-only
/* Huge texts and tables: an error or a result, after a time that grows only with their length. */
#include "metrics_fixture.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "metrics/expand.h"
#include "metrics/expr_op.h"
#include "metrics/ids.h"
#include "metrics/metrics.h"

#define NR(a) ((int)(sizeof(a) / sizeof(*(a))))
#define MEGABYTE (1 << 20)
#define SECONDS 10 /* most seconds of CPU time; it really takes 100 ms */

/* Make a table of metrics "m0", "m1" and so on, with the expressions of @expr. */
static struct {
	char (*name)[16], **expr;
	int nr;
} table;

int tables__nr_metrics(const struct tables *t)
{
	(void)t;
	return table.nr;
}

void tables__metric(const struct tables *t, int i, struct metric_info *out)
{
	(void)t;
	*out = (struct metric_info){ .name = table.name[i],
				     .pmu = "default_core",
				     .expr = table.expr[i],
				     .threshold = "",
				     .groups = "",
				     .no_group = "",
				     .default_group = "",
				     .scale = 1 };
}

int tables__nr_layers(const struct tables *t)
{
	(void)t;
	return 1;
}

void tables__layer(const struct tables *t, int i, struct tables_layer *out)
{
	(void)t;
	(void)i;
	*out = (struct tables_layer){.origin = "built in"};
}

int tables__find_metric(const struct tables *t, const char *pmu, const char *name)
{
	int i;

	(void)t;
	(void)pmu;
	return sscanf(name, "m%d", &i) == 1 && i < table.nr ? i : -1;
}

int tables__nr_groups(const struct tables *t)
{
	(void)t;
	return 0;
}

const char *tables__group(const struct tables *t, int i)
{
	(void)t;
	(void)i;
	return "";
}

static struct metrics_scope scope = { .tables = (void *)&table };
static struct err err;

/* Make a table of @nr metrics "m0: m1 + 1", "m1: m2 + 1" ...; the last one refers to @last. */
static void make_chain(int nr, const char *last)
{
	table.nr = nr;
	table.name = calloc(nr, sizeof(*table.name));
	table.expr = calloc(nr, sizeof(*table.expr));
	for (int i = 0; i < nr; i++) {
		struct sb sb = SB_INIT;

		snprintf(table.name[i], sizeof(*table.name), "m%d", i);
		if (i < nr - 1)
			sb__printf(&sb, "m%d + 1", i + 1);
		else
			sb__puts(&sb, last);
		table.expr[i] = sb.buf;
	}
}

static void free_table(void)
{
	for (int i = 0; i < table.nr; i++)
		free(table.expr[i]);
	free(table.expr);
	free(table.name);
	memset(&table, 0, sizeof(table));
}

static int select_metrics(const char *text, struct metric_list *list)
{
	int ret;

	*list = (struct metric_list)METRIC_LIST_INIT;
	err = (struct err)ERR_INIT;
	ret = metrics__select(&scope, text, false, list, &err);
	if (ret)
		metric_list__free(list);
	return ret;
}

/* Compile the only metric of the list. Each of its ids is a column with the value 1. */
static double value_of_first(const struct metric_list *list)
{
	struct metric *m = list->at[0];
	struct program *p = program__new(&scope);
	int *columns = calloc(m->nr_ids + 1, sizeof(*columns)), value, threshold;
	double in = 1, out = NAN;

	ck_assert_int_eq(program__add(p, m, columns, NULL, 0, &value, &threshold, NULL), 0);
	program__reserve(p, 1);
	program__eval(p, 1, &in, NULL, &out);
	program__free(p);
	free(columns);
	return out;
}

static char *repeat(const char *head, const char *unit, int bytes, const char *tail)
{
	struct sb sb = SB_INIT;

	sb__puts(&sb, head);
	while ((int)sb.len < bytes)
		sb__puts(&sb, unit);
	sb__puts(&sb, tail);
	ck_assert_int_eq(sb.err, 0);
	return sb.buf;
}

static double cpu_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* Read, find the ids, compile, and evaluate. */
static double value_of_long(const char *text, int *nr_ids)
{
	struct metric_list list;
	double start = cpu_seconds(), value;

	make_chain(1, text);
	ck_assert_msg(!select_metrics("m0", &list), "%s", err.msg);
	value = value_of_first(&list);
	*nr_ids = list.at[0]->nr_ids;
	metric_list__free(&list);
	free_table();
	ck_assert_double_lt(cpu_seconds() - start, SECONDS);
	return value;
}

START_TEST(a_megabyte_of_expression_has_a_value) /* R32 */
{
	char *text = repeat("a", "+a", MEGABYTE, "");
	struct sb sb = SB_INIT;
	int nr, i;

	ck_assert_double_eq(value_of_long(text, &nr), strlen(text) / 2 + 1);
	ck_assert_int_eq(nr, 1);
	free(text);
	text = repeat("1", "+1", MEGABYTE, "");
	ck_assert_double_eq(value_of_long(text, &nr), strlen(text) / 2 + 1);
	ck_assert_int_eq(nr, 0);
	free(text);
	for (i = 0; sb.len < MEGABYTE; i++)
		sb__printf(&sb, "%sn%d", i ? "+" : "", i);
	ck_assert_double_eq(value_of_long(sb__str(&sb), &nr), i);
	ck_assert_int_eq(nr, i);
	sb__free(&sb);
	text = repeat("", "n", MEGABYTE, "");
	ck_assert_double_eq(value_of_long(text, &nr), 1);
	free(text);
}
END_TEST

/* Texts of a megabyte, which are refused. */
static const struct {
	const char *head, *unit, *tail, *why;
} refused[] = {
	{ "", "(", "a", "nested deeper than 500 levels" },
	{ "", "-", "a", "nested deeper than 500 levels" },
	{ "", "min(a, ", "a", "nested deeper than 500 levels" },
	{ "", "(-", "a", "nested deeper than 500 levels" },
	{ "a", " if b else a", "", "nested deeper than 500 levels" },
	{ "", "9", "", "number out of range" },
	{ "", "\\", "", "has no meaning" },
	{ "a + ", "\x01\x1b\x7f", "", "has no meaning" },
	{ "a", "+a", "+", "ends too early" },
};

START_TEST(refused_texts_are_reported_with_their_place)
{
	for (int i = 0; i < NR(refused); i++) {
		char *text = repeat(refused[i].head, refused[i].unit, MEGABYTE, refused[i].tail);
		double start = cpu_seconds();
		struct expr *e = NULL;

		err = (struct err)ERR_INIT;
		ck_assert_int_lt(expr__parse("metric x", text, &e, &err), 0);
		ck_assert_ptr_null(e);
		ck_assert_msg(strstr(err.msg, refused[i].why), "%s", err.msg);
		ck_assert_ptr_nonnull(strstr(err.msg, "\\___ "));
		for (const char *c = err.msg; *c; c++)
			ck_assert_msg(*c == '\n' || (*c >= ' ' && *c < 0x7f), "%s", err.msg);
		ck_assert_double_lt(cpu_seconds() - start, SECONDS);
		free(text);
	}
}
END_TEST

START_TEST(a_chain_of_references_is_followed_or_too_deep)
{
	struct metric_list list;

	make_chain(RESOLVE_MAX_DEPTH + 1, "x");
	ck_assert_int_eq(select_metrics("m0", &list), 0);
	ck_assert_int_eq(list.at[0]->nr_refs, RESOLVE_MAX_DEPTH);
	ck_assert_int_eq(list.at[0]->nr_ids, 1);
	ck_assert_double_eq(value_of_first(&list), RESOLVE_MAX_DEPTH + 1);
	metric_list__free(&list);
	free_table();

	make_chain(100000, "x");
	ck_assert_int_eq(select_metrics("m0", &list), -E2BIG);
	ck_assert_str_eq(err.msg,
			 "metric m0: more than 500 metrics refer to each other, up to m501");
	free_table();
}
END_TEST

static int expand_first(struct expr **out)
{
	struct expr *e;
	int ret;

	ck_assert_int_eq(expr__parse("metric x", "m0", &e, NULL), 0);
	err = (struct err)ERR_INIT;
	ret = expr__expand(&scope, "default_core", e, out, &err);
	expr__free(e);
	return ret;
}

START_TEST(a_chain_of_references_is_expanded_or_too_deep)
{
	struct expr *e;

	make_chain(RESOLVE_MAX_DEPTH, "x");
	ck_assert_int_eq(expand_first(&e), 0);
	ck_assert_int_eq(e->nr, 2 * RESOLVE_MAX_DEPTH - 1);
	expr__free(e);
	free_table();

	make_chain(100000, "x");
	ck_assert_int_eq(expand_first(&e), -E2BIG);
	ck_assert_str_eq(err.msg, "more than 500 metrics refer to each other, up to m500");
	free_table();
}
END_TEST

START_TEST(a_circle_of_references_is_refused_with_its_path) /* R32 */
{
	struct metric_list list;

	make_chain(400, "m0");
	ck_assert_int_eq(select_metrics("m0", &list), -ELOOP);
	ck_assert_ptr_eq(strstr(err.msg, "metric m0 refers to itself: m0 <- m399 <- m398 <- m397"),
			 err.msg);
	free_table();
	make_chain(10000, "m0");
	ck_assert_int_eq(select_metrics("m0", &list), -E2BIG);
	free_table();
	make_chain(3, "m1 + x");
	ck_assert_int_eq(select_metrics("m0", &list), -ELOOP);
	ck_assert_str_eq(err.msg, "metric m1 refers to itself: m1 <- m2 <- m1");
	free_table();
}
END_TEST

/* One metric that refers to all others. */
START_TEST(a_metric_may_refer_to_many)
{
	double start = cpu_seconds();
	struct metric_list list;
	struct sb sb = SB_INIT;

	make_chain(20000, "x");
	for (int i = 1; i < table.nr; i++) {
		sb__printf(&sb, "%sm%d", i > 1 ? " + " : "", i);
		free(table.expr[i]);
		table.expr[i] = strdup("x");
	}
	free(table.expr[0]);
	table.expr[0] = sb.buf;
	ck_assert_msg(!select_metrics("m0", &list), "%s", err.msg);
	ck_assert_int_eq(list.at[0]->nr_refs, table.nr - 1);
	ck_assert_double_eq(value_of_first(&list), table.nr - 1);
	metric_list__free(&list);
	free_table();
	ck_assert_double_lt(cpu_seconds() - start, SECONDS);
}
END_TEST

START_TEST(a_megabyte_of_one_name_is_one_metric)
{
	char *text = repeat("m0", ",m0", MEGABYTE, "");
	double start = cpu_seconds();
	struct metric_list list;

	make_chain(10, "x");
	ck_assert_int_eq(select_metrics(text, &list), 0);
	ck_assert_int_eq(list.nr, 1);
	metric_list__free(&list);
	free(text);
	text = repeat("", "m", MEGABYTE, "");
	ck_assert_int_eq(select_metrics(text, &list), -ENOENT);
	free(text);
	text = repeat("", "*m", MEGABYTE, "");
	ck_assert_int_eq(select_metrics(text, &list), -ENOENT);
	free(text);
	text = repeat("m0:", "u", MEGABYTE, ",,");
	ck_assert_int_eq(select_metrics(text, &list), -EINVAL);
	free(text);
	ck_assert_int_eq(list.nr, 0);
	free_table();
	ck_assert_double_lt(cpu_seconds() - start, SECONDS);
}
END_TEST

static const double odd_numbers[] = {
	0,	  -0.0,	    0.3,      -0.3,    1,	-1,	2,	-2,
	INT_MAX,  INT_MIN,  0x1p63,   -0x1p63, -9.3e18, 9.3e18, 1e300,	-1e300,
	INFINITY, -INFINITY, NAN,     UINT_MAX, 4.9e-324, 1.8e19,
};

/* Operations that C leaves undefined have no value here. The sanitizers check each pair. */
START_TEST(operators_take_every_number) /* R31 */
{
	for (int op = EXPR_IF; op <= EXPR_NEG; op++) {
		for (int i = 0; i < NR(odd_numbers) * NR(odd_numbers); i++) {
			double a = odd_numbers[i / NR(odd_numbers)];
			double b = odd_numbers[i % NR(odd_numbers)];
			double got = expr_op__apply(op, a, b, 1);

			if (op == EXPR_MOD && !isnan(got)) {
				ck_assert_double_lt(fabs(got), fabs(trunc(b)));
				ck_assert(trunc(b) != 0 && fabs(a) <= 0x1p63);
			}
			if (op == EXPR_DIV)
				ck_assert(b != 0 || isnan(got));
			if (op == EXPR_D_RATIO)
				ck_assert(b != 0 || got == 0);
		}
	}
	ck_assert_double_eq(expr_op__apply(EXPR_MOD, LONG_MIN, -1, 0), 0);
	ck_assert_double_eq(expr_op__apply(EXPR_MOD, LONG_MIN, 10, 0), -8);
	ck_assert(isnan(expr_op__apply(EXPR_MOD, 7, 0.9, 0)));
	ck_assert(isnan(expr_op__apply(EXPR_MOD, 0x1p63, 7, 0)));
	ck_assert_double_eq(expr_op__apply(EXPR_MOD, 0.9, 7, 0), 0);
}
END_TEST

TMA_TEST_MAIN(metrics_limits, a_megabyte_of_expression_has_a_value,
	      refused_texts_are_reported_with_their_place,
	      a_chain_of_references_is_followed_or_too_deep,
	      a_chain_of_references_is_expanded_or_too_deep,
	      a_circle_of_references_is_refused_with_its_path, a_metric_may_refer_to_many,
	      a_megabyte_of_one_name_is_one_metric, operators_take_every_number)
