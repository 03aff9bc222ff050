// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/sb.h"
#include "unit.h"

START_TEST(an_empty_buffer_is_an_empty_string)
{
	struct sb sb = SB_INIT;

	ck_assert_str_eq(sb__str(&sb), "");
	sb__clear(&sb);
	ck_assert_str_eq(sb__str(&sb), "");
	sb__free(&sb);
}
END_TEST

START_TEST(appends_follow_one_another)
{
	struct sb sb = SB_INIT;

	sb__puts(&sb, "tma");
	sb__putc(&sb, '_');
	sb__add(&sb, "l3_bound", 2);
	sb__printf(&sb, "%d%%", 40);
	ck_assert_str_eq(sb__str(&sb), "tma_l340%");
	ck_assert_uint_eq(sb.len, 9);
	ck_assert(!sb.err);
	sb__free(&sb);
	ck_assert_ptr_null(sb.buf);
}
END_TEST

START_TEST(a_text_longer_than_the_room_is_whole)
{
	struct sb sb = SB_INIT;
	char text[1000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	/*
	 * Format a text that exceeds the first allocation, one that exceeds a later allocation, and
	 * one that fills an allocation exactly.
	 */
	sb__printf(&sb, "<%s>", text);
	ck_assert_uint_eq(sb.len, sizeof(text) + 1);
	ck_assert_int_eq(sb.buf[sb.len - 1], '>');
	for (size_t len = 0; len < 300; len++) {
		sb__free(&sb);
		sb__printf(&sb, "%.*s", (int)len, text);
		sb__printf(&sb, "%s", "yy");
		ck_assert_uint_eq(strlen(sb__str(&sb)), len + 2);
		ck_assert_str_eq(sb__str(&sb) + len, "yy");
	}
	sb__free(&sb);
}
END_TEST

START_TEST(bytes_are_added_as_they_are)
{
	struct sb sb = SB_INIT;

	sb__add(&sb, "a\0b", 3);
	ck_assert_uint_eq(sb.len, 3);
	ck_assert_int_eq(memcmp(sb.buf, "a\0b", 4), 0);
	sb__free(&sb);
}
END_TEST

START_TEST(clearing_keeps_the_memory)
{
	struct sb sb = SB_INIT;
	const char *before;
	size_t cap;

	sb__printf(&sb, "%500d", 1);
	before = sb.buf;
	cap = sb.cap;
	sb__clear(&sb);
	ck_assert_str_eq(sb__str(&sb), "");
	sb__printf(&sb, "%500d", 2);
	ck_assert_ptr_eq(sb.buf, before);
	ck_assert_uint_eq(sb.cap, cap);
	sb__free(&sb);
}
END_TEST

START_TEST(a_detached_text_is_the_callers)
{
	struct sb sb = SB_INIT;
	char *text;

	sb__puts(&sb, "one");
	text = sb__detach(&sb);
	ck_assert_str_eq(text, "one");
	ck_assert_str_eq(sb__str(&sb), "");
	sb__puts(&sb, "two");
	ck_assert_str_eq(text, "one");
	ck_assert_str_eq(sb__str(&sb), "two");
	free(text);
	sb__free(&sb);

	text = sb__detach(&sb);
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

TMA_TEST_MAIN(sb, an_empty_buffer_is_an_empty_string, appends_follow_one_another,
	      a_text_longer_than_the_room_is_whole, bytes_are_added_as_they_are,
	      clearing_keeps_the_memory, a_detached_text_is_the_callers)
