// SPDX-License-Identifier: GPL-2.0-only
/*
 * Expressions for people: printed, expanded for this machine, thresholds in words, and relations.
 */
#include "metrics_fixture.h"
#include "fake_sysfs.h"

#include <errno.h>

#include "machine/machine.h"
#include "metrics/expand.h"
#include "metrics/print.h"
#include "metrics/metrics.h"
#include "tables/tables.h"

static struct machine *machine;
static struct tables *tables;
static struct metrics_scope scope;
static char *root;

static void set_up(const char *cpuid)
{
	root = fake__new(fake_alderlake);
	setenv("PERF_CPUID", cpuid, 1);
	machine = machine__new();
	tables = tables__find(cpuid);
	ck_assert_ptr_nonnull(tables);
	scope = (struct metrics_scope){ .machine = machine, .tables = tables, .system_wide = true };
}

static void tear_down(void)
{
	tables__free(tables);
	machine__free(machine);
	fake__free(root);
	unsetenv("PERF_CPUID");
}

static struct expr *parse(const char *text)
{
	struct err err = ERR_INIT;
	struct expr *e;

	ck_assert_msg(!expr__parse("test", text, &e, &err), "%s: %s", text, err.msg);
	return e;
}

/* Return: an expression on one line; the caller frees it. */
static char *printed(const struct expr *e)
{
	struct sb sb = SB_INIT;

	expr__print(e, &sb);
	ck_assert(!sb.err);
	ck_assert_int_eq(expr__width(e), (int)sb.len);
	return sb__detach(&sb);
}

START_TEST(parentheses_stand_where_they_are_needed)
{
	static const char *const cases[][2] = {
		{ "((a))+(b*c)", "a + b * c" },
		{ "(a+b)*c", "(a + b) * c" },
		{ "a-(b-c)", "a - (b - c)" },
		{ "(a-b)-c", "a - b - c" },
		{ "a/(b*c)/d", "a / (b * c) / d" },
		{ "-(a+b)", "-(a + b)" },
		{ "--a", "--a" },
		{ "(1 if a>b else 2)+3", "(1 if a > b else 2) + 3" },
		{ "1 if a else (2 if b else 3)", "1 if a else 2 if b else 3" },
		{ "(1 if a else 2) if b else 3", "(1 if a else 2) if b else 3" },
		{ "max(a,min(b,(c if d else a)))", "max(a, min(b, (c if d else a)))" },
		{ "a|b&c", "a | b & c" },
		{ "(a|b)&c", "(a | b) & c" },
		{ "d_ratio(a, b) % 3", "d_ratio(a, b) % 3" },
		{ "#SMT_on + source_count(a\\-b)", "#smt_on + source_count(a-b)" },
		{ "cpu_core@EV\\,cmask\\=1@ / 1e9", "cpu_core/EV,cmask=1/ / 1000000000" },
		{ "0.05 * 1e-7", "0.05 * 100e-9" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct expr *e = parse(cases[i][0]);
		char *text = printed(e);

		ck_assert_str_eq(text, cases[i][1]);
		free(text);
		expr__free(e);
	}
}
END_TEST

static unsigned int seed = 1;

static unsigned int dice(unsigned int sides)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % sides;
}

/* Print a text that has unnecessary parentheses. */
static void random_text(struct sb *sb, int depth)
{
	static const char *const leaves[] = { "a", "b", "2", "3", "0.5", "7" };
	static const char *const operators[] = { "|", "^", "&", "<", ">", "-", "+", "*", "/", "%" };

	if (!depth || !dice(5)) {
		sb__puts(sb, leaves[dice(6)]);
		return;
	}
	switch (dice(8)) {
	case 0:
		sb__puts(sb, "-");
		random_text(sb, 0);
		return;
	case 1:
		sb__puts(sb, dice(2) ? "max((" : "d_ratio((");
		random_text(sb, depth - 1);
		sb__puts(sb, "),(");
		random_text(sb, depth - 1);
		sb__puts(sb, "))");
		return;
	case 2:
		sb__puts(sb, "((");
		random_text(sb, depth - 1);
		sb__puts(sb, ") if (");
		random_text(sb, depth - 1);
		sb__puts(sb, ") else (");
		random_text(sb, depth - 1);
		sb__puts(sb, "))");
		return;
	default:
		sb__puts(sb, "(");
		random_text(sb, depth - 1);
		sb__printf(sb, ")%s(", operators[dice(10)]);
		random_text(sb, depth - 1);
		sb__puts(sb, ")");
	}
}

static void same_value(const char *a, const char *b)
{
	double x = value_of(a), y = value_of(b);

	ck_assert_msg(x == y || (isnan(x) && isnan(y)), "%s is %g, %s is %g", a, x, b, y);
}

START_TEST(a_printed_expression_has_the_same_value)
{
	for (int i = 0; i < 3000; i++) {
		struct sb text = SB_INIT, lines = SB_INIT;
		struct expr *e, *folded;
		char *flat;

		random_text(&text, 4);
		e = parse(sb__str(&text));
		flat = printed(e);
		same_value(sb__str(&text), flat);
		expr__print_lines(e, 4, 30, &lines);
		same_value(flat, sb__str(&lines));
		free(flat);

		scope = (struct metrics_scope){ .machine = NULL };
		ck_assert_int_eq(expr__expand(&scope, NULL, e, &folded, NULL), 0);
		flat = printed(folded);
		same_value(sb__str(&text), flat);
		free(flat);
		expr__free(folded);
		expr__free(e);
		sb__free(&text);
		sb__free(&lines);
	}
}
END_TEST

START_TEST(a_long_one_is_broken_at_its_outer_operators)
{
	struct expr *e = parse("100 * (first_event + second_event - third_event) / max(fourth_event, "
			       "fifth_event_of_all * 2) if #SMT_on else sixth_event / seventh_event");
	struct sb sb = SB_INIT;

	sb__puts(&sb, "x\n    ");
	expr__print_lines(e, 4, 40, &sb);
	ck_assert_str_eq(sb__str(&sb), "x\n"
				       "    100 * (first_event\n"
				       "       + second_event\n"
				       "       - third_event)\n"
				       "    / max(\n"
				       "        fourth_event,\n"
				       "        fifth_event_of_all * 2)\n"
				       "    if #smt_on\n"
				       "    else sixth_event / seventh_event");
	sb__free(&sb);
	expr__free(e);
}
END_TEST

START_TEST(a_sum_of_any_length_is_printed)
{
	struct sb text = SB_INIT, out = SB_INIT;
	struct expr *e;

	for (int i = 0; i < 200000; i++)
		sb__puts(&text, i ? " + a" : "a");
	e = parse(sb__str(&text));
	expr__print(e, &out);
	ck_assert_str_eq(sb__str(&out), sb__str(&text));
	sb__clear(&out);
	expr__print_lines(e, 2, 80, &out);
	ck_assert_int_eq((int)out.len, (int)text.len + 199999 * 2);
	expr__free(e);
	sb__free(&text);
	sb__free(&out);
}
END_TEST

static char *expanded(const char *pmu, const char *text)
{
	struct err err = ERR_INIT;
	struct expr *e = parse(text), *out;
	char *result;

	ck_assert_msg(!expr__expand(&scope, pmu, e, &out, &err), "%s", err.msg);
	result = printed(out);
	expr__free(out);
	expr__free(e);
	return result;
}

static bool has_only_a(void *arg, const char *id)
{
	(void)arg;
	return !strcmp(id, "a");
}

START_TEST(facts_of_the_machine_are_put_in)
{
	static const char *const cases[][2] = {
		{ "a if #core_wide < 1 else b", "b" },
		{ "a if #core_wide else b", "a" },
		{ "(a + 2 * 3) * (1 if #core_wide else 2)", "a + 6" },
		{ "a / (b if has_event(a) else c)", "a / b" },
		{ "a / (b if has_event(b) else c)", "a / c" },
		{ "a > 1 & 0", "0" },
		{ "1 | a", "1" },
		{ "a > 1 & 1", "a > 1 & 1" },
		{ "a if strcmp_cpuid_str(GenuineIntel\\-6\\-97) else b", "a" },
		{ "a if strcmp_cpuid_str(GenuineIntel\\-6\\-98) else b", "b" },
		{ "d_ratio(a, b) + -(2)", "d_ratio(a, b) + -2" },
		{ "1 / 0 + a", "1 / 0 + a" },
		{ "#slots * a", "#slots * a" },
	};

	set_up("GenuineIntel-6-97-2");
	scope.has_event = has_only_a;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = expanded(NULL, cases[i][0]);

		ck_assert_str_eq(text, cases[i][1]);
		free(text);
	}
	tear_down();
}
END_TEST

START_TEST(metrics_are_replaced_by_their_formulas)
{
	char *text;

	set_up("GenuineIntel-6-97-2");
	text = expanded("cpu_core", "tma_info_thread_ipc * 2");
	ck_assert_str_eq(text, "cpu_core/INST_RETIRED.ANY/ / cpu_core/CPU_CLK_UNHALTED.THREAD/ * 2");
	free(text);
	text = expanded("cpu_atom", "tma_info_thread_ipc * 2");
	ck_assert_str_eq(text, "tma_info_thread_ipc * 2");
	free(text);
	text = expanded(NULL, "tma_info_thread_ipc * 2");
	ck_assert_str_eq(text, "tma_info_thread_ipc * 2");
	free(text);
	tear_down();
}
END_TEST

/* An expanded formula has no metrics, no literals and no conditions that are known. */
START_TEST(every_metric_of_a_model_comes_down_to_events)
{
	struct metric_info info;

	set_up("GenuineIntel-6-97-2");
	for (int i = 0; i < tables__nr_metrics(tables); i++) {
		struct err err = ERR_INIT;
		struct expr *e, *out;

		tables__metric(tables, i, &info);
		e = parse(info.expr);
		ck_assert_msg(!expr__expand(&scope, info.pmu, e, &out, &err), "%s", err.msg);
		for (int n = 0; n < out->nr; n++) {
			ck_assert(out->at[n].op != EXPR_HAS_EVENT || !scope.has_event);
			ck_assert(out->at[n].op != EXPR_ID ||
				  tables__find_metric(tables, info.pmu, out->at[n].id) < 0);
		}
		expr__free(out);
		expr__free(e);
	}
	tear_down();
}
END_TEST

static void check_phrase(const char *pmu, const char *metric, const char *threshold,
			 const char *words)
{
	int number = tables__find_metric(tables, pmu, metric), rc;
	struct sb sb = SB_INIT;
	struct metric_info info;
	struct expr *e;

	ck_assert_int_ge(number, 0);
	tables__metric(tables, number, &info);
	e = parse(threshold ? threshold : info.threshold);
	rc = metrics__phrase(tables, &info, e, &sb);
	ck_assert_int_eq(rc, words ? 0 : -ENOTSUP);
	ck_assert_str_eq(sb__str(&sb), words ? words : "");
	sb__free(&sb);
	expr__free(e);
}

START_TEST(thresholds_in_words)
{
	set_up("GenuineIntel-6-97-2");
	check_phrase("cpu_core", "tma_l3_miss_bound", NULL,
		     "it is above 10 %, its parent tma_memory_bound is above 20 % and "
		     "tma_backend_bound is above 20 %");
	check_phrase("cpu_core", "tma_retiring", NULL,
		     "it is above 70 %, or tma_heavy_operations is above 10 %");
	check_phrase("cpu_core", "tma_info_inst_mix_ipload", NULL, "it is below 3");
	check_phrase("cpu_core", "tma_info_frontend_dsb_coverage", NULL,
		     "it is below 0.7 and tma_info_thread_ipc / 6 is above 0.35");
	check_phrase("cpu_core", "tma_l3_miss_bound", "0.07 < tma_l3_miss_bound", "it is above 7 %");
	check_phrase("cpu_core", "tma_l3_miss_bound",
		     "tma_l3_miss_bound > 0.1 & (tma_l3_bound > 0.05 | TMA_L2_BOUND > 0.05)",
		     "it is above 10 % and either tma_l3_bound is above 5 % or tma_l2_bound is above "
		     "5 %");
	check_phrase("cpu_core", "tma_l3_miss_bound", "tma_l3_miss_bound > tma_l3_bound",
		     "it is above tma_l3_bound");
	check_phrase("cpu_core", "tma_l3_miss_bound", "max(tma_l3_miss_bound, 1)", NULL);
	check_phrase("cpu_core", "tma_l3_miss_bound", "tma_l3_miss_bound > 1 ^ 1", NULL);
	check_phrase("cpu_core", "tma_l3_miss_bound", "tma_l3_miss_bound > 1 & tma_l3_bound", NULL);
	tear_down();
}
END_TEST

static bool related(const char *pmu, const char *a, enum metric_relation relation, const char *b)
{
	struct metric_info ia, ib;

	tables__metric(tables, tables__find_metric(tables, pmu, a), &ia);
	tables__metric(tables, tables__find_metric(tables, pmu, b), &ib);
	return metrics__related(&ia, relation, &ib);
}

START_TEST(metrics_are_related_by_their_groups)
{
	set_up("GenuineIntel-6-97-2");
	ck_assert(related("cpu_core", "tma_l3_miss_bound", METRIC_PARENT, "tma_memory_bound"));
	ck_assert(!related("cpu_core", "tma_memory_bound", METRIC_PARENT, "tma_l3_miss_bound"));
	ck_assert(!related("cpu_core", "tma_l3_miss_bound", METRIC_PARENT, "tma_backend_bound"));
	ck_assert(related("cpu_core", "tma_memory_bound", METRIC_CHILD, "tma_l3_miss_bound"));
	ck_assert(related("cpu_core", "tma_l3_miss_bound", METRIC_SIBLING, "tma_l3_bound"));
	ck_assert(!related("cpu_core", "tma_l3_miss_bound", METRIC_SIBLING, "tma_l3_miss_bound"));
	ck_assert(!related("cpu_core", "tma_l3_miss_bound", METRIC_SIBLING, "tma_mem_latency"));
	ck_assert(related("cpu_core", "tma_retiring", METRIC_SIBLING, "tma_backend_bound"));
	ck_assert(related("cpu_core", "tma_mem_bandwidth", METRIC_RELATED, "tma_sq_full"));
	ck_assert(!related("cpu_core", "tma_retiring", METRIC_RELATED, "tma_backend_bound"));
	tear_down();
}
END_TEST

TMA_TEST_MAIN(metrics_print, parentheses_stand_where_they_are_needed,
	      a_printed_expression_has_the_same_value, a_long_one_is_broken_at_its_outer_operators,
	      a_sum_of_any_length_is_printed, facts_of_the_machine_are_put_in,
	      metrics_are_replaced_by_their_formulas, every_metric_of_a_model_comes_down_to_events,
	      thresholds_in_words, metrics_are_related_by_their_groups)
