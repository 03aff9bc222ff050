// SPDX-License-Identifier: GPL-2.0-only
/* Tables of pages: sorting, numbers of digits, and names that are shown as text. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "base/sb.h"
#include "unit.h"
#include "writers/page_table.h"

#define PLUS_MINUS " \302\261\302\240"

START_TEST(a_table_has_headings_and_lines)
{
	const struct page_column columns[] = {
		{"Function", true, NULL}, {NULL, false, NULL}, {"tma_l1 (%)", false, "data \"1\""}};
	struct sb sb = SB_INIT;

	page_table__begin(&sb, "functions", columns, 3);
	page_table__begin_line(&sb, "walk");
	page_table__put_number(&sb, 84.06, NAN);
	page_table__end_line(&sb);
	page_table__end(&sb);
	ck_assert_str_eq(sb__str(&sb),
			 "<div class=\"wide\"><table class=\"sort functions\">\n<thead><tr>"
			 "<th scope=\"col\" class=\"text\">Function</th>"
			 "<th scope=\"col\" title=\"data &#34;1&#34;\">tma_<wbr>l1 (%)</th>"
			 "</tr></thead>\n<tbody>\n"
			 "<tr><th scope=\"row\">walk</th><td>84.1</td></tr>\n"
			 "</tbody></table></div>\n");
	sb__free(&sb);
}
END_TEST

START_TEST(names_are_text)
{
	const struct page_column column = {"</th><b>_", true, "\"><i>"};
	struct sb sb = SB_INIT;

	page_table__begin(&sb, "functions", &column, 1);
	page_table__begin_line(&sb, "</script><img src=x>");
	page_table__put_text(&sb, "<u>");
	page_table__put_keyed(&sb, "<s>", 1);
	ck_assert_ptr_null(strstr(sb__str(&sb), "<b>"));
	ck_assert_ptr_null(strstr(sb__str(&sb), "<i>"));
	ck_assert_ptr_null(strstr(sb__str(&sb), "<u>"));
	ck_assert_ptr_null(strstr(sb__str(&sb), "<s>"));
	ck_assert_ptr_null(strstr(sb__str(&sb), "<img"));
	ck_assert_ptr_nonnull(strstr(sb__str(&sb), "&#60;/script&#62;&#60;img src=x&#62;"));
	sb__free(&sb);
}
END_TEST

static const struct {
	double value, error;
	const char *text;
} numbers[] = {
	{NAN, NAN, ""},
	{INFINITY, 1, ""},
	{0, 0, "0"},
	{123456.7, NAN, "123457"},
	{0.02441, NAN, "0.0244"},
	{12.345, 0, "12.3"},
	{0.0244, 1.9e-05, "0.02440" PLUS_MINUS "0.00002"},
	{50.0123, 0.27, "50.01" PLUS_MINUS "0.27"},
	{-3.7, 24.04, "-4" PLUS_MINUS "24"},
	{1.5e-20, 1e-22, "1.5e-20" PLUS_MINUS "1e-22"},
};

START_TEST(numbers_have_the_digits_of_their_errors)
{
	struct sb sb = SB_INIT;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		sb__clear(&sb);
		page__put_number(&sb, numbers[i].value, numbers[i].error);
		ck_assert_str_eq(sb__str(&sb), numbers[i].text);
	}
	sb__free(&sb);
}
END_TEST

START_TEST(words_are_sorted_by_their_number)
{
	struct sb sb = SB_INIT;

	page_table__put_keyed(&sb, "1.17 ms", 0.00117);
	page_table__put_keyed(&sb, "not counted", NAN);
	page_table__put_marked(&sb, 3, NAN);
	ck_assert_str_eq(sb__str(&sb), "<td data-v=\"0.00117\">1.17 ms</td><td>not counted</td>"
				       "<td class=\"hot\">3</td>");
	sb__free(&sb);
}
END_TEST

TMA_TEST_MAIN(writers_page_table, a_table_has_headings_and_lines, names_are_text,
	      numbers_have_the_digits_of_their_errors, words_are_sorted_by_their_number)
