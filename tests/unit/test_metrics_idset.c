// SPDX-License-Identifier: GPL-2.0-only
/* Sets of ids, in the order in which "perf stat -v -M" of perf 6.12 prints them. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/sb.h"
#include "metrics/idset.h"

static const char *listed(const struct idset *set)
{
	static struct sb sb;
	int nr = idset__size(set);
	const char **ids = calloc(nr + 1, sizeof(*ids));

	sb__clear(&sb);
	idset__list(set, ids);
	for (int i = 0; i < nr; i++)
		sb__printf(&sb, "%s%s", i ? " " : "", ids[i]);
	free(ids);
	return sb__str(&sb);
}

static struct idset *set_of(const char *const *ids, int nr)
{
	struct idset *set = idset__new();

	for (int i = 0; i < nr; i++)
		idset__add(set, ids[i]);
	return set;
}

#define SET(...)                                                                                   \
	set_of((const char *const[]){ __VA_ARGS__ },                                               \
	       sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* The order in which "perf stat -v -M tma_retiring" lists ids on Skylake and on Sapphire Rapids. */
START_TEST(order_is_that_of_perf)
{
	struct idset *set = SET("UOPS_RETIRED.RETIRE_SLOTS", "INST_RETIRED.ANY",
				"UOPS_RETIRED.MACRO_FUSED", "CPU_CLK_UNHALTED.THREAD_ANY");

	ck_assert_str_eq(listed(set), "CPU_CLK_UNHALTED.THREAD_ANY INST_RETIRED.ANY "
				      "UOPS_RETIRED.RETIRE_SLOTS UOPS_RETIRED.MACRO_FUSED");
	idset__free(set);
	set = SET("TOPDOWN.SLOTS", "topdown-heavy-ops", "topdown-fe-bound", "topdown-bad-spec",
		  "topdown-retiring", "topdown-be-bound");
	ck_assert_str_eq(listed(set), "topdown-retiring TOPDOWN.SLOTS topdown-fe-bound "
				      "topdown-be-bound topdown-heavy-ops topdown-bad-spec");
	idset__free(set);
}
END_TEST

START_TEST(within_a_bucket_the_last_added_is_first)
{
	/* These two ids share a bucket, of four buckets and of eight. */
	struct idset *set = SET("Aa", "BB");

	ck_assert_str_eq(listed(set), "BB Aa");
	/* Adding an id that is in the set moves nothing. */
	idset__add(set, "Aa");
	ck_assert_str_eq(listed(set), "BB Aa");
	ck_assert_int_eq(idset__size(set), 2);
	/* An id that was removed and added again comes first. */
	idset__del(set, "Aa");
	ck_assert(!idset__has(set, "Aa"));
	ck_assert(idset__has(set, "BB"));
	ck_assert_int_eq(idset__size(set), 1);
	idset__add(set, "Aa");
	ck_assert_str_eq(listed(set), "Aa BB");
	idset__free(set);
}
END_TEST

START_TEST(union_keeps_the_larger_set)
{
	struct idset *big = SET("BB", "x", "y"), *small = SET("Aa"), *set = small;

	/* The smaller set is added to the larger one, in whichever order they are given. */
	idset__unite(&set, big);
	ck_assert_int_eq(idset__size(set), 4);
	ck_assert_ptr_nonnull(strstr(listed(set), "Aa BB"));
	idset__free(set);

	/* If both sets have the same size, the second is added to the first. */
	set = SET("BB");
	idset__unite(&set, SET("Aa"));
	ck_assert_str_eq(listed(set), "Aa BB");
	idset__unite(&set, NULL);
	ck_assert_int_eq(idset__size(set), 2);
	idset__free(set);

	set = NULL;
	idset__unite(&set, SET("a"));
	ck_assert_str_eq(listed(set), "a");
	idset__free(set);
	ck_assert_int_eq(idset__size(NULL), 0);
}
END_TEST

START_TEST(copies_have_the_same_order)
{
	static char ids[500][16];
	struct idset *set = idset__new(), *copy;
	char *order;

	for (int i = 0; i < 500; i++) {
		snprintf(ids[i], sizeof(ids[i]), "id%d", i);
		idset__add(set, ids[i]);
	}
	for (int i = 0; i < 500; i += 3)
		idset__del(set, ids[i]);
	ck_assert_int_eq(idset__size(set), 333);
	copy = idset__copy(set);
	order = strdup(listed(set));
	ck_assert_str_eq(listed(copy), order);
	/* This also holds for ids that are added later. */
	idset__add(set, ids[0]);
	idset__add(copy, ids[0]);
	free(order);
	order = strdup(listed(set));
	ck_assert_str_eq(listed(copy), order);
	ck_assert(idset__subset(copy, set));
	idset__del(set, ids[1]);
	ck_assert(!idset__subset(copy, set));
	ck_assert(idset__subset(set, copy));
	free(order);
	idset__free(set);
	idset__free(copy);
	set = idset__new();
	copy = idset__copy(set);
	ck_assert_int_eq(idset__size(copy), 0);
	ck_assert_str_eq(listed(copy), "");
	ck_assert(!idset__has(copy, "a"));
	ck_assert(idset__subset(copy, set));
	idset__free(set);
	idset__free(copy);
}
END_TEST

TMA_TEST_MAIN(metrics_idset, order_is_that_of_perf, within_a_bucket_the_last_added_is_first,
	      union_keeps_the_larger_set, copies_have_the_same_order)
