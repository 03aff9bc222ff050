// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that measures itself survives a lack of memory. Each allocation of libtma-topdown fails
 * in turn: the call then fails, and releases what it has allocated.
 */
#include <errno.h>
#include <stdio.h>

#include "unit.h"
#include "fake_sysfs.h"
#include "may_count.h"
#include "topdown_fixture.h"

/* The linker replaces the library's functions by these, see Makefile. */
void *__real_calloc(size_t nr, size_t size);
void *__real_reallocarray(void *old, size_t nr, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *memory);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_reallocarray(void *old, size_t nr, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *memory);

static int left = -1; /* number of allocations before one fails; below 0: none fails */
static void *held[256]; /* blocks that are not released, including Check's */

/* Replace a block (or NULL) by another block. */
static bool replace(void *old, void *new)
{
	for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++)
		if (held[i] == old) {
			held[i] = new;
			return true;
		}
	return false;
}

static void *kept(void *old, void *new)
{
	if (new && !replace(old, new))
		abort();
	return new;
}

static bool fails(void)
{
	if (left < 0 || left--)
		return false;
	errno = ENOMEM;
	return true;
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return fails() ? NULL : kept(NULL, __real_calloc(nr, size));
}

void *__wrap_reallocarray(void *old, size_t nr, size_t size)
{
	return fails() ? NULL : kept(old, __real_reallocarray(old, nr, size));
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : kept(NULL, __real_strdup(text));
}

void __wrap_free(void *memory)
{
	/* The test's own blocks are not counted. */
	if (memory)
		replace(memory, NULL);
	__real_free(memory);
}

static int nr_held(void)
{
	int nr = 0;

	for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++)
		nr += held[i] != NULL;
	return nr;
}

static void expect_no_memory(const struct tma_topdown_error *error)
{
	ck_assert_int_eq(error->reason, TMA_TOPDOWN_NO_MEMORY);
	ck_assert_int_eq(error->code, ENOMEM);
	ck_assert_msg(strstr(error->text, "memory"), "'%s'", error->text);
}

/* Return: whether this many allocations were enough. */
static bool open_with(int nr, const char *sysfs)
{
	const struct tma_topdown_options options = {
		.size = sizeof(options), .flags = TMA_TOPDOWN_EVENTS_ONLY, .sysfs = sysfs,
	};
	struct tma_topdown_error error = { .text = "" };
	struct tma_topdown *topdown;
	int event = -1, before = nr_held();

	left = nr;
	topdown = tma_topdown_open(&options, &error);
	if (topdown)
		event = tma_topdown_add_event(topdown, "cpu/event=1/", &error);
	left = -1;
	if (!topdown || event < 0)
		expect_no_memory(&error);
	tma_topdown_close(topdown);
	ck_assert_int_eq(nr_held(), before);
	return event >= 0;
}

START_TEST(opening_fails_and_leaves_nothing)
{
	static const struct fake_file software[] = {
		{ PMUS "cpu/type", "1\n" },
		{ PMUS "cpu/format/event", "config:0-7\n" },
		{ 0 },
	};
	char *root, sysfs[4096];
	int nr = 0;

	if (unit__may_not_count("opening_fails_and_leaves_nothing"))
		return;
	root = fake__new(software);
	snprintf(sysfs, sizeof(sysfs), "%s/sys", root);
	while (!open_with(nr, sysfs))
		ck_assert_int_lt(++nr, 100);
	ck_assert_int_ge(nr, 3);
	fake__free(root);
}
END_TEST

START_TEST(regions_are_refused_and_measured_later)
{
	struct tma_topdown_error error;
	struct tma_topdown topdown;
	struct tma_region *region = NULL;
	int kernel, nr;

	unsetenv("TMA_REGIONS");
	kernel = fixture__piped(&topdown);
	for (nr = 0; !region; nr++) {
		left = nr;
		region = tma_topdown_region(&topdown, "loop", &error);
		left = -1;
		if (!region)
			expect_no_memory(&error);
	}
	/* The block that all handles share is made once. */
	ck_assert_int_eq(nr, 3);
	ck_assert_ptr_eq(tma_topdown_region(&topdown, "loop", &error), region);
	fixture__answer(kernel, 1000, 100, 0);
	ck_assert_int_eq(tma_region_begin(region), 0);
	fixture__free(&topdown, kernel);
}
END_TEST

TMA_TEST_MAIN(topdown_memory, opening_fails_and_leaves_nothing,
	      regions_are_refused_and_measured_later)
