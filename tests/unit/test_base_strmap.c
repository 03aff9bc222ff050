// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/strmap.h"
#include "unit.h"

START_TEST(a_key_that_was_put_is_found)
{
	struct strmap *map = strmap__new();
	char key[16];

	ck_assert_ptr_nonnull(map);
	ck_assert_int_eq(strmap__get(map, "key0"), -1);
	/* Many times the initial size, so that the map grows several times. */
	for (int i = 0; i < 5000; i++) {
		snprintf(key, sizeof(key), "key%d", i);
		ck_assert_int_eq(strmap__put(map, key, i), 0);
	}
	ck_assert_int_eq(strmap__nr(map), 5000);
	for (int i = 0; i < 5000; i++) {
		snprintf(key, sizeof(key), "key%d", i);
		ck_assert_int_eq(strmap__get(map, key), i);
	}
	ck_assert_int_eq(strmap__get(map, "key5000"), -1);
	ck_assert_int_eq(strmap__get(map, "KEY1"), -1);
	ck_assert_int_eq(strmap__get(map, ""), -1);
	strmap__free(map);
}
END_TEST

START_TEST(a_later_value_replaces_an_earlier)
{
	struct strmap *map = strmap__new();

	ck_assert_int_eq(strmap__put(map, "slots", 1), 0);
	ck_assert_int_eq(strmap__put(map, "slots", 2), 0);
	ck_assert_int_eq(strmap__get(map, "slots"), 2);
	ck_assert_int_eq(strmap__nr(map), 1);
	strmap__free(map);
}
END_TEST

START_TEST(an_added_value_replaces_none)
{
	struct strmap *map = strmap__new();

	ck_assert_int_eq(strmap__add(map, "slots", 1), 1);
	ck_assert_int_eq(strmap__add(map, "slots", 2), 1);
	ck_assert_int_eq(strmap__add(map, "cycles", 2), 2);
	ck_assert_int_eq(strmap__get(map, "slots"), 1);
	ck_assert_int_eq(strmap__nr(map), 2);
	strmap__free(map);
}
END_TEST

START_TEST(keys_are_copied)
{
	struct strmap *map = strmap__new();
	char key[] = "cycles";

	ck_assert_int_eq(strmap__put(map, key, 4), 0);
	memset(key, 'x', sizeof(key) - 1);
	ck_assert_int_eq(strmap__get(map, "cycles"), 4);
	ck_assert_int_eq(strmap__get(map, key), -1);
	strmap__free(map);
}
END_TEST

START_TEST(the_empty_name_is_a_key_as_any)
{
	struct strmap *map = strmap__new();

	ck_assert_int_eq(strmap__put(map, "", 0), 0);
	ck_assert_int_eq(strmap__get(map, ""), 0);
	strmap__free(map);
	strmap__free(NULL);
}
END_TEST

TMA_TEST_MAIN(strmap, a_key_that_was_put_is_found, a_later_value_replaces_an_earlier,
	      an_added_value_replaces_none, keys_are_copied, the_empty_name_is_a_key_as_any)
