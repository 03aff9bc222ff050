// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "unit.h"

START_TEST(a_failure_is_recorded_and_returned)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(err__set(&err, ENOENT, "cannot open %s: line %d", "x", 3), -ENOENT);
	ck_assert_int_eq(err.code, ENOENT);
	ck_assert_str_eq(err.msg, "cannot open x: line 3");
}
END_TEST

START_TEST(a_later_failure_replaces_an_earlier)
{
	struct err err = ERR_INIT;

	err__set(&err, ENOENT, "first");
	ck_assert_int_eq(err__set(&err, EPERM, "second"), -EPERM);
	ck_assert_int_eq(err.code, EPERM);
	ck_assert_str_eq(err.msg, "second");
}
END_TEST

START_TEST(the_message_may_be_made_from_itself)
{
	struct err err = ERR_INIT;

	err__set(&err, EINVAL, "inner");
	err__set(&err, EINVAL, "outer: %s", err.msg);
	ck_assert_str_eq(err.msg, "outer: inner");
}
END_TEST

START_TEST(words_before_and_after_a_message)
{
	struct err err = ERR_INIT;

	err__set(&err, EACCES, "no access");
	ck_assert_int_eq(err__prefix(&err, "event %s: ", "cycles"), -EACCES);
	ck_assert_int_eq(err__append(&err, "\nlower %s", "it"), -EACCES);
	ck_assert_str_eq(err.msg, "event cycles: no access\nlower it");
}
END_TEST

START_TEST(errors_may_be_ignored)
{
	ck_assert_int_eq(err__set(NULL, EPERM, "x"), -EPERM);
	ck_assert_int_eq(err__prefix(NULL, "x"), -EINVAL);
	ck_assert_int_eq(err__append(NULL, "x"), -EINVAL);
	ck_assert_int_eq(err__caret(NULL, "event", "x", 0, "y"), -EINVAL);
}
END_TEST

START_TEST(a_long_message_is_cut_and_ends)
{
	struct err err = ERR_INIT;
	char text[2 * sizeof(err.msg)];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(err__set(&err, EINVAL, "%s", text), -EINVAL);
	ck_assert_uint_eq(strlen(err.msg), sizeof(err.msg) - 1);
	err__append(&err, "more");
	ck_assert_uint_eq(strlen(err.msg), sizeof(err.msg) - 1);
	err__prefix(&err, "%s", text);
	ck_assert_uint_eq(strlen(err.msg), sizeof(err.msg) - 1);
}
END_TEST

START_TEST(a_caret_under_the_place)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(err__caret(&err, "event", "cycles:q", 7, "unknown modifier 'q'"), -EINVAL);
	ck_assert_str_eq(err.msg, "event syntax error: 'cycles:q'\n"
				  "                            \\___ unknown modifier 'q'");
}
END_TEST

START_TEST(a_caret_outside_is_moved_to_the_end)
{
	struct err err = ERR_INIT;

	err__caret(&err, "event", "abc", 99, "an end is missing");
	ck_assert_str_eq(err.msg, "event syntax error: 'abc'\n"
				  "                        \\___ an end is missing");
	err__caret(&err, "event", "abc", -1, "begin");
	ck_assert_str_eq(err.msg, "event syntax error: 'abc'\n"
				  "                     \\___ begin");
}
END_TEST

START_TEST(the_reason_follows_the_mark)
{
	struct err err = ERR_INIT;

	err__set(&err, EINVAL, "a file\ncannot be read");
	ck_assert_str_eq(err__reason(&err), "a file\ncannot be read");
	err__caret(&err, "event", "cycles:q", 7, "unknown modifier 'q'");
	err__prefix(&err, "metric m cannot be measured:\n");
	ck_assert_str_eq(err__reason(&err), "unknown modifier 'q'");
}
END_TEST

/* Find the caret's column in the second line, and return the character above it in the first. */
static char above_caret(const struct err *err)
{
	const char *second = strchr(err->msg, '\n');

	ck_assert_ptr_nonnull(second);
	return err->msg[strcspn(second + 1, "\\")];
}

START_TEST(a_long_text_is_cut_around_the_place)
{
	struct err err = ERR_INIT;
	char text[1001];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	text[500] = '!';
	err__caret(&err, "metric tma_retiring", text, 500, "what is this");
	ck_assert_int_eq(above_caret(&err), '!');
	ck_assert_uint_lt(strcspn(err.msg, "\n"), 160);
	text[500] = 'a';
	text[999] = '!';
	err__caret(&err, "event", text, 999, "what is this");
	ck_assert_int_eq(above_caret(&err), '!');
	text[999] = 'a';
	text[1] = '!';
	err__caret(&err, "event", text, 1, "what is this");
	ck_assert_int_eq(above_caret(&err), '!');
}
END_TEST

START_TEST(control_bytes_do_not_reach_a_terminal)
{
	struct err err = ERR_INIT;

	err__caret(&err, "event", "a\033[2Jb\x7f\tc", 1, "odd");
	ck_assert_ptr_null(strpbrk(err.msg, "\033\x7f\t"));
	ck_assert_ptr_nonnull(strstr(err.msg, "'a?[2Jb??c'"));
}
END_TEST

TMA_TEST_MAIN(err, a_failure_is_recorded_and_returned, a_later_failure_replaces_an_earlier,
	      the_message_may_be_made_from_itself, words_before_and_after_a_message,
	      errors_may_be_ignored, a_long_message_is_cut_and_ends, a_caret_under_the_place,
	      the_reason_follows_the_mark, a_caret_outside_is_moved_to_the_end,
	      a_long_text_is_cut_around_the_place, control_bytes_do_not_reach_a_terminal)
