// SPDX-License-Identifier: GPL-2.0-only
#include "base/sb.h"
#include "base/wrap.h"
#include "unit.h"

static struct sb sb;

START_TEST(lines_that_fit_stay_as_they_are)
{
	sb__clear(&sb);
	wrap__lines(&sb, "  a  b\n\n   c", 4, 6);
	ck_assert_str_eq(sb__str(&sb), "  a  b\n\n   c");
}
END_TEST

START_TEST(wider_lines_are_broken_at_blanks_below_where_they_begin)
{
	sb__clear(&sb);
	wrap__lines(&sb, "  some words that are many, all of them short ones\nx", 2, 30);
	ck_assert_str_eq(sb__str(&sb),
			 "  some words that are many,\n    all of them short ones\nx");
}
END_TEST

START_TEST(without_a_width_nothing_is_broken)
{
	sb__clear(&sb);
	wrap__lines(&sb, "go deeper: " WRAP_COMMAND "tma stat -a --topdown", 2, 0);
	ck_assert_str_eq(sb__str(&sb), "go deeper: tma stat -a --topdown");
}
END_TEST

START_TEST(a_number_its_unit_and_its_error_stay_together)
{
	sb__clear(&sb);
	wrap__text(&sb, "bound 14.5 % +- 0.3, and", 0, 2, 18);
	ck_assert_str_eq(sb__str(&sb), "bound\n  14.5 % +- 0.3,\n  and");
}
END_TEST

START_TEST(a_command_begins_a_line_and_can_be_pasted)
{
	sb__clear(&sb);
	wrap__lines(&sb, " go deeper: " WRAP_COMMAND "tma stat -- sh -c 'sleep 1; sleep 2'", 2, 30);
	ck_assert_str_eq(sb__str(&sb), " go deeper:\n   tma stat -- sh \\\n"
				       "    -c 'sleep 1; sleep 2'");
}
END_TEST

START_TEST(an_option_and_its_value_stay_in_one_line)
{
	sb__clear(&sb);
	wrap__command(&sb, "tma stat -a -M TopdownL2,tma_retiring -- ./program", 0, 4, 30);
	ck_assert_str_eq(sb__str(&sb), "tma stat -a \\\n   -M TopdownL2,tma_retiring \\\n"
				       "    -- ./program");
	sb__clear(&sb);
	wrap__command(&sb, "tma stat --metrics TopdownL2,tma_retiring", 0, 4, 24);
	ck_assert_str_eq(sb__str(&sb), "tma stat --metrics \\\nTopdownL2,tma_retiring");
}
END_TEST

START_TEST(a_word_wider_than_a_line_is_broken_after_a_sign)
{
	sb__clear(&sb);
	wrap__text(&sb, "cpu/event_of_many_parts,umask=0x1/", 0, 2, 26);
	ck_assert_str_eq(sb__str(&sb), "cpu/event_of_many_parts,\n  umask=0x1/");
	sb__clear(&sb);
	wrap__text(&sb, "event_of_many_parts_too", 0, 1, 10);
	ck_assert_str_eq(sb__str(&sb), "event_of_\n many_\n parts_too");
}
END_TEST

START_TEST(a_carets_reason_continues_below_its_start)
{
	sb__clear(&sb);
	wrap__lines(&sb, "   \\___ words of which there are some", 2, 34);
	ck_assert_str_eq(sb__str(&sb), "   \\___ words of which there are\n        some");
}
END_TEST

START_TEST(control_characters_do_not_reach_the_terminal)
{
	sb__clear(&sb);
	wrap__text(&sb, "a\033b", 0, 0, 80);
	ck_assert_str_eq(sb__str(&sb), "a?b");
}
END_TEST

TMA_TEST_MAIN(wrap, lines_that_fit_stay_as_they_are,
	      wider_lines_are_broken_at_blanks_below_where_they_begin,
	      without_a_width_nothing_is_broken, a_number_its_unit_and_its_error_stay_together,
	      a_command_begins_a_line_and_can_be_pasted, an_option_and_its_value_stay_in_one_line,
	      a_word_wider_than_a_line_is_broken_after_a_sign,
	      a_carets_reason_continues_below_its_start,
	      control_characters_do_not_reach_the_terminal)
