// SPDX-License-Identifier: GPL-2.0-only
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "unit.h"

START_TEST(prefix_and_suffix)
{
	ck_assert(text__has_prefix("tma_retiring", "tma_"));
	ck_assert(text__has_prefix("tma", "tma"));
	ck_assert(text__has_prefix("tma", ""));
	ck_assert(!text__has_prefix("tm", "tma"));
	ck_assert(text__has_suffix("load.scale", ".scale"));
	ck_assert(text__has_suffix("x", ""));
	ck_assert(!text__has_suffix("scale", ".scale"));
}
END_TEST

START_TEST(a_wildcard_is_recognised)
{
	ck_assert(text__is_glob("tma_*"));
	ck_assert(text__is_glob("cpu?"));
	ck_assert(text__is_glob("cpu[01]"));
	ck_assert(!text__is_glob("cpu_core"));
	ck_assert(!text__is_glob(""));
}
END_TEST

START_TEST(patterns)
{
	static const struct {
		const char *pattern, *text;
		bool match, icase;
	} cases[] = {
		{ "", "", true, false },
		{ "", "a", false, false },
		{ "*", "", true, false },
		{ "*", "anything", true, false },
		{ "tma_*_bound", "tma_l3_bound", true, false },
		{ "tma_*_bound", "tma_l3_bounds", false, false },
		{ "*bound*", "tma_l3_bound", true, false },
		{ "a*b*c", "aXbXbXc", true, false },
		{ "a*b*c", "aXcXb", false, false },
		{ "?", "", false, false },
		{ "cpu?", "cpu1", true, false },
		{ "cpu?", "cpu12", false, false },
		{ "[0-9]", "5", true, false },
		{ "[!0-9]", "5", false, false },
		{ "[^0-9]", "x", true, false },
		{ "[]x]", "]", true, false },
		{ "[abc", "[abc", true, false },
		{ "[a-", "[a-", true, false },
		{ "L1*", "l1d.replacement", true, true },
		{ "L1*", "l1d.replacement", false, false },
		{ "[A-C]x", "bX", true, true },
		{ "[a-c]x", "Bx", false, false },
		{ "**", "x", true, false },
		{ "*a", "aab", false, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(text__match(cases[i].pattern, cases[i].text, cases[i].icase) ==
				      cases[i].match,
			      "'%s' on '%s'", cases[i].pattern, cases[i].text);
}
END_TEST

START_TEST(a_hostile_pattern_takes_no_time)
{
	char text[2000], pattern[401];

	/* Trying all matches of all stars would take longer than the age of the universe. */
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (size_t i = 0; i < 400; i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[399] = 'b';
	pattern[400] = '\0';
	ck_assert(!text__match(pattern, text, false));
}
END_TEST

START_TEST(blanks_are_cut_off)
{
	char text[] = " \t a b\n ", blank[] = " \n", empty[] = "";

	ck_assert_str_eq(text__trim(text), "a b");
	ck_assert_str_eq(text__trim(blank), "");
	ck_assert_str_eq(text__trim(empty), "");
}
END_TEST

START_TEST(letters_are_lowered)
{
	char text[] = "UOPS_Issued.ANY:1";

	ck_assert_ptr_eq(text__lower(text), text);
	ck_assert_str_eq(text, "uops_issued.any:1");
}
END_TEST

START_TEST(an_item_of_a_list)
{
	ck_assert(text__has_item("TopdownL1;tma_L1_group", ";", "TopdownL1"));
	ck_assert(text__has_item("TopdownL1;tma_L1_group", ";", "tma_l1_group"));
	ck_assert(text__has_item("a; b", "; ", "b"));
	ck_assert(!text__has_item("TopdownL1;tma_L1_group", ";", "Topdown"));
	ck_assert(!text__has_item("a;;b", ";", ""));
	ck_assert(!text__has_item("", ";", "a"));
	ck_assert(!text__has_item("ab", ";", "b"));
}
END_TEST

START_TEST(items_of_a_list_are_walked)
{
	static const char *const want[] = { "a", "bc", "d" };
	const char *rest = "";
	int nr = 0, len;

	text__for_each_item(item, len, ";a, bc;;d;", ";, ") {
		ck_assert(nr < 3 && text__is(item, len, want[nr]));
		nr++;
	}
	ck_assert_int_eq(nr, 3);
	ck_assert_ptr_null(text__item(&rest, ";", &len));
}
END_TEST

START_TEST(texts_are_compared_with_words)
{
	static const char *const words[] = { "cpu", "", NULL };

	ck_assert(text__is("if(", 2, "if"));
	ck_assert(!text__is("if(", 2, "i"));
	ck_assert(!text__is("if(", 2, "if("));
	ck_assert(text__is("", 0, ""));
	ck_assert(text__is_in("cpu", words) && text__is_in("", words));
	ck_assert(!text__is_in("cp", words));
	ck_assert(text__is_any("b", "a", "b"));
	ck_assert(!text__is_any("c", "a", "b"));
	ck_assert(text__same(NULL, NULL) && text__same("a", (char[]){ "a" }));
	ck_assert(!text__same(NULL, "a") && !text__same("a", NULL) && !text__same("a", "b"));
}
END_TEST

START_TEST(a_json_string_is_valid_whatever_the_bytes)
{
	static const char *const cases[][2] = {
		{"a \"b\" \\c", "a \\\"b\\\" \\\\c"},
		{"one\ntwo\t\x7f", "one\\ntwo\\u0009\\u007f"},
		{"\xc2\x9b"
		 "31m",
		 "\\u009b31m"},
		{"\xc2\xb5s \xe2\x82\xac", "\xc2\xb5s \xe2\x82\xac"},
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
		/* A code that changes the direction, a tag character, and the codes next to the
		 * refused range. */
		{"a\xe2\x80\xae"
		 "b",
		 "a\\u202eb"},
		{"\xf3\xa0\x81\x81", "\\udb40\\udc41"},
		{"\xe2\x80\xa7\xe2\x80\xaf", "\xe2\x80\xa7\xe2\x80\xaf"},
		/*
		 * A continuation byte alone, an overlong form, a surrogate, a code above the last,
		 * and a cut character.
		 */
		{"\x80"
		 "a",
		 "\\ufffd"
		 "a"},
		{"\xc0\xaf", "\\ufffd\\ufffd"},
		{"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},
		{"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},
		{"\xe2\x82", "\\ufffd\\ufffd"},
		{"\xff", "\\ufffd"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sb sb = SB_INIT;

		text__json(&sb, cases[i][0]);
		ck_assert_str_eq(sb__str(&sb), cases[i][1]);
		sb__free(&sb);
	}
}
END_TEST

START_TEST(a_terminal_gets_no_control_characters)
{
	static const struct {
		const char *text, *keep, *clean;
	} cases[] = {
		{"a\x1b[31m b\x7f", "", "a?[31m b?"},
		{"one\ntwo\t\r", "\n\t", "one\ntwo\t?"},
		{"one\ntwo", "", "one?two"},
		/* U+0085 and U+009F are control characters; U+00A0 is not. */
		{"\xc2\x85-\xc2\x9f-\xc2\xa0", "", "?-?-\xc2\xa0"},
		/*
		 * A byte of a longer character is not a control character, though the same byte
		 * alone is one.
		 */
		{"\xe2\x82\xac\x9b", "", "\xe2\x82\xac?"},
		{"\xe2\x82", "", "\xe2?"},
		/* U+202E and U+2066 change the direction; a space with a width of its own is
		 * visible. */
		{"a\xe2\x80\xae"
		 "b\xe2\x81\xa6-\xe2\x80\x89",
		 "", "a?b?-\xe2\x80\x89"},
		{"\xe9\xc2", "", "\xe9\xc2"},
		{"", "", ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sb sb = SB_INIT;

		text__clean(&sb, cases[i].text, strlen(cases[i].text), cases[i].keep);
		ck_assert_str_eq(sb__str(&sb), cases[i].clean);
		sb__free(&sb);
	}
}
END_TEST

START_TEST(a_clean_text_for_programs_is_utf8)
{
	static const char *const cases[][2] = {
		{"plain \xc3\xa9", "plain \xc3\xa9"},
		{"a\x1b[31m\x7f\n", "a?[31m?\n"},
		{"\xc2\x9b-\xc2\xa0", "?-\xc2\xa0"},
		{"\x9b\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xff", "\xef\xbf\xbd"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sb sb = SB_INIT;

		text__clean_utf8(&sb, cases[i][0], strlen(cases[i][0]), "\n");
		ck_assert_str_eq(sb__str(&sb), cases[i][1]);
		sb__free(&sb);
	}
}
END_TEST

START_TEST(one_line_keeps_its_length)
{
	char text[] = "a\nb\x1b\xc2\x9b\x9b\xc3\xa9\xff";

	ck_assert_str_eq(text__one_line(text), "a?b????\xc3\xa9\xff");
}
END_TEST

START_TEST(the_ends_of_utf8_characters)
{
	static const struct {
		const char *text;
		size_t span;
	} cases[] = {
		{ "", 0 },
		{ "plain", 5 },
		{ "twelve bytes", 12 },
		{ "twelve \xc3\xa9\xe2\x82\xac bytes", 18 },
		{ "\xf0\x9f\x98\x80", 4 },
		{ "eight by\xff more", 8 },
		{ "a\x80", 1 },
		{ "ab\xc3", 2 },
		{ "over\xc0\xaf long", 4 },
		{ "\xed\xa0\x80", 0 },
		{ "\xf4\x90\x80\x80", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_uint_eq(text__utf8_span(cases[i].text, strlen(cases[i].text)),
				  cases[i].span);
	/* The cut would be within a character. */
	ck_assert_uint_eq(text__utf8_span("a\xe2\x82\xac", 3), 1);
}
END_TEST

START_TEST(a_word_is_quoted_for_a_shell)
{
	static const struct {
		const char *word, *quoted;
	} cases[] = {
		{ "a-b_c/d=1,2", "a-b_c/d=1,2" },
		{ "", "''" },
		{ "a b", "'a b'" },
		{ "it's $HOME", "'it'\\''s $HOME'" },
		{ "\xc3\xa4 x", "'\xc3\xa4 x'" },
		/* Characters that a terminal acts on are escaped; so is a quote within $'...'. */
		{ "a\n\033[1m'\\", "$'a\\012\\033[1m\\'\\\\'" },
		{ "\x9b", "$'\\233'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sb sb = SB_INIT;

		text__shell(&sb, cases[i].word);
		ck_assert_str_eq(sb__str(&sb), cases[i].quoted);
		sb__free(&sb);
	}
}
END_TEST

START_TEST(columns_of_a_text_are_not_its_bytes)
{
	char *before = xstrdup(setlocale(LC_CTYPE, NULL));

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		free(before);
		return;
	}
	ck_assert_int_eq(text__width("abc"), 3);
	ck_assert_int_eq(text__width("\xc3\xa9\xe2\x96\x88x"), 3);
	/*
	 * An ideograph takes two columns, a combining accent takes none, and a byte that is not
	 * UTF-8 takes one.
	 */
	ck_assert_int_eq(text__width("\xe4\xb8\xad"), 2);
	ck_assert_int_eq(text__width("e\xcc\x81"), 1);
	ck_assert_int_eq(text__width("\xff\xfe"), 2);
	ck_assert_uint_eq(text__fitting("abc", 2), 2);
	ck_assert_uint_eq(text__fitting("a\xe4\xb8\xad", 2), 1);
	ck_assert_uint_eq(text__fitting("a\xe4\xb8\xad", 3), 4);
	/* The accent belongs to the last character that fits. */
	ck_assert_uint_eq(text__fitting("e\xcc\x81x", 1), 3);
	ck_assert_uint_eq(text__fitting("abc", 0), 0);
	setlocale(LC_CTYPE, before);
	free(before);
}
END_TEST

TMA_TEST_MAIN(text, prefix_and_suffix, a_wildcard_is_recognised, patterns,
	      a_hostile_pattern_takes_no_time, blanks_are_cut_off, letters_are_lowered,
	      an_item_of_a_list, items_of_a_list_are_walked, texts_are_compared_with_words,
	      a_json_string_is_valid_whatever_the_bytes, a_terminal_gets_no_control_characters,
	      a_clean_text_for_programs_is_utf8, one_line_keeps_its_length,
	      the_ends_of_utf8_characters, a_word_is_quoted_for_a_shell,
	      columns_of_a_text_are_not_its_bytes)
