// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/vec.h"
#include "unit.h"

struct pair {
	int a;
	const char *b;
};

START_TEST(pushed_values_stay_in_order)
{
	VEC(int) v = { .at = NULL };
	int *p, n = 0;

	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(vec__push(&v, i * 3), 0);
	ck_assert_int_eq(v.nr, 1000);
	ck_assert_int_ge(v.cap, 1000);
	vec__for_each(p, &v)
		ck_assert_int_eq(*p, 3 * n++);
	ck_assert_int_eq(n, 1000);
	vec__free(&v);
	ck_assert_ptr_null(v.at);
	ck_assert_int_eq(v.nr + v.cap, 0);
}
END_TEST

START_TEST(a_struct_is_pushed_as_a_literal)
{
	VEC(struct pair) v = { .at = NULL };

	ck_assert_int_eq(vec__push(&v, (struct pair){ .a = 1, .b = "x" }), 0);
	ck_assert_int_eq(vec__push(&v, (struct pair){ 2, "y" }), 0);
	ck_assert_int_eq(v.at[1].a, 2);
	ck_assert_str_eq(v.at[0].b, "x");
	vec__free(&v);
}
END_TEST

START_TEST(an_empty_one_has_nothing_to_walk)
{
	VEC(int) v = { .at = NULL };
	int *p, n = 0;

	vec__for_each(p, &v)
		n++;
	ck_assert_int_eq(n, 0);
	vec__free(&v);
}
END_TEST

START_TEST(a_failed_reservation_leaves_the_list_unchanged)
{
	VEC(struct pair) v = { .at = NULL };
	struct pair *before;
	int cap;

	ck_assert_int_eq(vec__push(&v, (struct pair){ 1, "x" }), 0);
	before = v.at;
	cap = v.cap;
	ck_assert_int_eq(vec__reserve_raw(&v.at, &v.cap, INT_MAX, sizeof(*v.at)), -ENOMEM);
	ck_assert_int_eq(vec__reserve_raw(&v.at, &v.cap, 1 << 30, SIZE_MAX / 4), -ENOMEM);
	ck_assert_ptr_eq(v.at, before);
	ck_assert_int_eq(v.cap, cap);
	ck_assert_int_eq(v.at[0].a, 1);
	vec__free(&v);
}
END_TEST

START_TEST(the_first_of_which_it_holds_is_found)
{
	static const struct pair pairs[] = { { 1, "x" }, { 2, "y" }, { 2, "z" } };
	VEC(struct pair) v = { .at = NULL };

	ck_assert_ptr_null(vec__find(p, &v, true));
	for (int i = 0; i < array__nr(pairs); i++)
		ck_assert_int_eq(vec__push(&v, pairs[i]), 0);
	ck_assert_ptr_eq(vec__find(p, &v, p->a == 2), &v.at[1]);
	ck_assert_ptr_eq(vec__find(p, &v, *p->b == 'z'), &v.at[2]);
	ck_assert_ptr_null(vec__find(p, &v, p->a == 3));
	ck_assert_ptr_eq(array__first(p, pairs, p->a == 2), &pairs[1]);
	ck_assert_ptr_null(array__first(p, pairs, p->a == 3));
	vec__free(&v);
}
END_TEST

struct owner {
	int *frees;
};

static void owner__free(struct owner *o)
{
	++*o->frees;
}

static int leave(int *frees, bool early)
{
	auto_free(owner) one = { .frees = frees }, two = { .frees = frees };
	auto_text text = strdup("released, or a sanitizer says so");

	if (early)
		return *one.frees;
	return *two.frees + (int)strlen(text);
}

START_TEST(what_a_block_owns_goes_with_it)
{
	int frees = 0;

	ck_assert_int_eq(leave(&frees, true), 0);
	ck_assert_int_eq(frees, 2);
	ck_assert_int_gt(leave(&frees, false), 2);
	ck_assert_int_eq(frees, 4);
}
END_TEST

TMA_TEST_MAIN(vec, pushed_values_stay_in_order, a_struct_is_pushed_as_a_literal,
	      an_empty_one_has_nothing_to_walk, a_failed_reservation_leaves_the_list_unchanged,
	      the_first_of_which_it_holds_is_found, what_a_block_owns_goes_with_it)
