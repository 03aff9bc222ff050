// SPDX-License-Identifier: GPL-2.0-only
/* Pages that are given back are no longer mapped; when they are used, they are mapped again. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/pages.h"
#include "unit.h"

/*
 * Much larger than a folio of the page cache (at most 2 MB): using a byte of a folio maps all of
 * it.
 */
#define BYTES (8 << 20)
#define PAGE 4096

/* Constants in the program's file, in pages that have nothing else. */
static const char constants[BYTES] = {[0] = 1, [BYTES - 1] = 2};
static char written[BYTES] = {[0] = 1};

/* Count the mapped pages of the constants. This is exact, while RssFile in procfs is rounded. */
static int mapped_pages(void)
{
	/*
	 * proc_pid_pagemap(5) has 64 bits for each page; the highest bit means that the page is
	 * present.
	 */
	uintptr_t first = (uintptr_t)constants / PAGE;
	uint64_t entries[BYTES / PAGE];
	FILE *f = fopen("/proc/self/pagemap", "r");
	int pages = 0;

	ck_assert(f);
	setbuf(f, NULL);
	ck_assert_int_eq(fseek(f, (long)(first * sizeof(*entries)), SEEK_SET), 0);
	ck_assert_uint_eq(fread(entries, sizeof(*entries), BYTES / PAGE, f), BYTES / PAGE);
	fclose(f);
	for (int i = 0; i < BYTES / PAGE; i++)
		pages += (int)(entries[i] >> 63);
	return pages;
}

static int sum(const volatile char *bytes)
{
	int total = bytes[BYTES - 1];

	for (int i = 0; i < BYTES; i += PAGE)
		total += bytes[i];
	return total;
}

START_TEST(constants_are_given_back_and_come_again)
{
	char *allocated = strdup("kept");
	int after;

	memset(written + PAGE, 3, PAGE);
	ck_assert_int_eq(sum(constants), 3);
	ck_assert_int_eq(mapped_pages(), BYTES / PAGE);
	pages__give_back();
	/* The first and last folio also have other constants, which the test uses. */
	after = mapped_pages();
	ck_assert_msg(after < BYTES / PAGE * 3 / 4, "%d pages are still mapped", after);
	ck_assert_int_eq(sum(constants), 3);
	ck_assert_int_eq(written[PAGE], 3);
	ck_assert_int_eq(written[0], 1);
	ck_assert_str_eq(allocated, "kept");
	free(allocated);
}
END_TEST

TMA_TEST_MAIN(base_pages, constants_are_given_back_and_come_again)
