// SPDX-License-Identifier: GPL-2.0-only
/* Metric expressions at build time: reading, simplifying, printing. */
#include <stdio.h>
#include <string.h>

#include "formula/json_expr.h"
#include "base/err.h"
#include "unit.h"

/* Return: the simplified expression, or "!" and the error; the next call overwrites it. */
static const char *simplified(const char *text)
{
	static char out[4096];
	struct json_expr expr = JSON_EXPR_INIT;
	struct err err = ERR_INIT;
	struct sb sb = SB_INIT;
	int root = json_expr__parse(&expr, "metric", text, &err);

	if (root >= 0)
		root = json_expr__simplify(&expr, root);
	if (root >= 0)
		json_expr__print(&expr, root, &sb);
	snprintf(out, sizeof(out), "%s%s", root < 0 ? "!" : "", root < 0 ? err.msg : sb__str(&sb));
	sb__free(&sb);
	json_expr__free(&expr);
	return out;
}

struct expr_case {
	const char *text, *out;
};

static void check(const struct expr_case *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		ck_assert_str_eq(simplified(cases[i].text), cases[i].out);
}

#define CHECK(...)                                       \
	check((const struct expr_case[]){ __VA_ARGS__ }, \
	      sizeof((const struct expr_case[]){ __VA_ARGS__ }) / sizeof(struct expr_case))

START_TEST(brackets_only_where_needed)
{
	CHECK({ "a + b * c", "a + b * c" }, { "(a + b) * c", "(a + b) * c" },
	      { "(a * b) + c", "a * b + c" }, { "(a / b) / c", "a / b / c" },
	      { "a / (b * c)", "a / (b * c)" }, { "a - (b - c)", "a - (b - c)" }, { "((a))", "a" },
	      { "a  -b", "a - b" }, { "a % b", "a % b" });
}
END_TEST

START_TEST(comparisons_bind_weaker_than_bits_when_read)
{
	/* At run time these operators bind tighter, so brackets are added. */
	CHECK({ "a & b > c", "(a & b) > c" }, { "a & (b > c)", "a & b > c" },
	      { "a | b < c + d", "(a | b) < c + d" }, { "a | b ^ c & d", "a | b ^ c & d" },
	      { "(a | b) & c", "(a | b) & c" }, { "a > b", "a > b" }, { "0 < a", "a > 0" },
	      { "2 > a + b", "a + b < 2" });
}
END_TEST

START_TEST(choices)
{
	CHECK({ "a if b else c", "(a if b else c)" },
	      { "a if b else c if d else e", "(a if b else (c if d else e))" },
	      { "(a if b > 1 else c) / d", "(a if b > 1 else c) / d" }, { "a if 1 else b", "a" },
	      { "a if 0 else b", "b" }, { "a if b else a", "a" },
	      { "a + 1 if b else a + 1.0", "a + 1" },
	      { "a if #SMT_on else b", "(a if #SMT_on else b)" },
	      { "iffy if elsewhere else elsew", "(iffy if elsewhere else elsew)" });
}
END_TEST

START_TEST(parts_without_effect_are_removed)
{
	CHECK({ "a + 0", "a" }, { "0 + a", "a" }, { "a * 1", "a" }, { "1 * a", "a" },
	      { "a | 0", "a" }, { "0 | a", "a" }, { "a * 0", "0" }, { "0 * a", "0" },
	      { "a - 0", "a - 0" }, { "a / 1", "a / 1" }, { "(a + b) * 0 + c", "0 + c" },
	      { "a * 0 + 0", "0" }, { "b + 0 * a", "b" });
}
END_TEST

START_TEST(slots_stay_to_be_counted)
{
	CHECK({ "a + 0 * slots", "a + 0 * slots" },
	      { "a + 0 * tma_info_thread_slots", "a + 0 * tma_info_thread_slots" },
	      { "0 * TOPDOWN.SLOTS", "0 * TOPDOWN.SLOTS" }, { "slots * 0", "0" });
}
END_TEST

START_TEST(constants_are_computed)
{
	CHECK({ "1 + 2 * 3", "7" }, { "1 / 3", "0.3333333333333333" }, { "4 / 2 * a", "2 * a" },
	      { "a * 1000000 / 1e6", "a * 1e6 / 1e6" }, { "2 > 1", "1" }, { "2 < 1", "0" },
	      { "6 & 3 | 8", "10" }, { "6 ^ 3", "5" }, { "7 % 4", "3" }, { "7.5 % 4", "3.5" },
	      { "-7 % 4", "1" }, { "7 % -4", "-1" }, { "-8 % 4", "0" }, { "-0.25 % 1", "0.75" },
	      { "-3 + 1", "-2" }, { "+5", "5" }, { "3 - -2", "5" }, { "1e3 - 1", "999" },
	      { "max(1, 2) * a", "2 * a" }, { "min(1, 2) * a", "1 * a" },
	      { "d_ratio(1, 4) + 0", "0.25" }, { "d_ratio(1, 0) + 0", "0" },
	      { "9223372036854775807 + 1", "9.223372036854776e18" });
}
END_TEST

START_TEST(how_numbers_are_printed)
{
	CHECK({ "0", "0" }, { "0.0", "0" }, { "007", "7" }, { "1", "1" }, { "10", "10" },
	      { "100", "100" }, { "1000", "1e3" }, { "1500", "1.5e3" }, { "1001", "1001" },
	      { "20000", "20e3" }, { "1e9", "1e9" }, { "1000000000", "1e9" }, { "0.5", "0.5" },
	      { ".5", "0.5" }, { "1.", "1" }, { "0.000001", "0.000001" }, { "0.0000001", "100e-9" },
	      { "1e-9", "1e-9" }, { "1.50", "1.5" }, { "7.111111111111111", "7.111111111111111" },
	      { "123456.789", "123456.789" }, { "12345678901234567", "12345678901234567" });
}
END_TEST

START_TEST(names_of_events)
{
	CHECK({ "INST_RETIRED.ANY", "INST_RETIRED.ANY" },
	      { "cpu@UOPS_RETIRED.MS\\,cmask\\=1@ * 2", "cpu@UOPS_RETIRED.MS\\,cmask\\=1@ * 2" },
	      { "cstate_core@c6\\-residency@ / TSC", "cstate_core@c6\\-residency@ / TSC" },
	      { "cpu@event=0x1@", "cpu@event\\=0x1@" }, { "EV:k / EV", "EV:k / EV" },
	      { "hv_24x7@PM_X\\,chip\\=?@", "hv_24x7@PM_X\\,chip\\=?@" },
	      { "cpu_core@EV.A@R * 2", "cpu_core@EV.A@R * 2" },
	      { "min(EV.A:R, cpu_atom@E\\,umask\\=0x3@R)", "min(EV.A:R, cpu_atom@E\\,umask\\=0x3@R)" },
	      { "msr@tsc\\,cpu=cpu_core@ / 2", "msr@tsc\\,cpu\\=cpu_core@ / 2" },
	      { "0xAB + a", "0xAB + a" }, { "#num_cpus_online", "#num_cpus_online" },
	      { "source_count(a)", "source_count(a)" }, { "has_event(a\\-b)", "has_event(a\\-b)" },
	      { "EV.A@umask=0xFF,name=EV.B@ - b", "EV.A@umask\\=0xFF\\,name\\=EV.B@ - b" },
	      { "max(EV.A@cmask=1@, EV.B)", "max(EV.A@cmask\\=1@, EV.B)" },
	      { "a / aggr_nr(EV.A@opc=0x2,loc@)",
		"a / (source_count(EV.A@opc\\=0x2\\,loc@) * #num_packages)" },
	      { "max(a, b - 1)", "max(a, b - 1)" }, { "minimum + maximum", "minimum + maximum" });
}
END_TEST

START_TEST(signs)
{
	CHECK({ "-a", "-a" }, { "-(a + b)", "-(a + b)" }, { "a - -b", "a - -b" },
	      { "a * -2", "a * -2" }, { "- 3", "-3" },
	      { "-(0 - 9223372036854775807 - 1)", "9.223372036854776e18" });
}
END_TEST

static void check_error(const char *text, const char *why)
{
	const char *out = simplified(text);

	ck_assert_msg(out[0] == '!' && strstr(out, why), "%s: %s", text, out);
}

START_TEST(wrong_expressions_are_refused)
{
	check_error("", "expected a number");
	check_error("a +", "expected a number");
	check_error("(a", "expected ')'");
	check_error("a)", "expected an operator");
	check_error("a b", "expected an operator");
	check_error("a if b", "expected 'else'");
	check_error("max(a)", "expected ',' and a second argument");
	check_error("max(a, b", "expected ')' after the arguments");
	check_error("max + 1", "expected '('");
	check_error("maximum(a, b)", "unknown function");
	check_error("1 / 0", "no value");
	check_error("1.5 & 1", "no value");
	check_error("3x", "letters after a number");
	check_error("1e999", "expected a number");
	check_error("a <= b", "expected a number");
	check_error("a\\", "expected an operator");
	check_error("#", "expected a number");
	check_error("a ? b", "expected an operator");
	check_error("a$", "expected an operator");
	check_error("a\f", "expected an operator");
	check_error("else + 1", "expected a value");
	check_error("a if if else b", "expected a value");
	check_error("source_count(1)", "expected the name of an event");
	check_error("aggr_nr(1)", "expected the name of an event");
	check_error("has_event(a + b)", "expected the name of an event");
}
END_TEST

START_TEST(error_points_at_the_place)
{
	ck_assert_str_eq(simplified("a + * b"),
			 "!metric syntax error: 'a + * b'\n"
			 "                          \\___ expected a number, an "
			 "event, a function or '('");
}
END_TEST

/* Return: @open, @nr times, followed by an "a". */
static const char *deep(const char *open, int nr)
{
	struct sb sb = SB_INIT;
	const char *out;

	for (int i = 0; i < nr; i++)
		sb__puts(&sb, open);
	sb__putc(&sb, 'a');
	out = simplified(sb__str(&sb));
	sb__free(&sb);
	return out;
}

START_TEST(depth_and_length_are_bounded)
{
	ck_assert_ptr_nonnull(strstr(deep("(", 10000), "nested too deeply"));
	ck_assert_ptr_nonnull(strstr(deep("-", 10000), "too many signs"));
	ck_assert_ptr_nonnull(strstr(deep("max(1, ", 9000), "nested too deeply"));
	ck_assert_ptr_nonnull(strstr(deep("a if b else ", 5000), "nested too deeply"));
	ck_assert_ptr_nonnull(strstr(deep("a+", 10000), "too long"));
	ck_assert_ptr_nonnull(strstr(deep("a", 1 << 20), "too long"));
	ck_assert_ptr_nonnull(strstr(deep("(", 1 << 20), "too long"));
	ck_assert_ptr_null(strstr(deep("a+", 1000), "too long"));
}
END_TEST

TMA_TEST_MAIN(json_expr, brackets_only_where_needed,
	      comparisons_bind_weaker_than_bits_when_read, choices,
	      parts_without_effect_are_removed,
	      slots_stay_to_be_counted, constants_are_computed, how_numbers_are_printed,
	      names_of_events, signs, wrong_expressions_are_refused, error_points_at_the_place,
	      depth_and_length_are_bounded)
