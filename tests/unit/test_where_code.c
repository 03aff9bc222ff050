// SPDX-License-Identifier: GPL-2.0-only
/*
 * The instructions around an address: which of many instructions are kept, and those of this
 * program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "unit.h"
#include "where/child.h"
#include "where/code.h"
#include "where/disassemble.h"

/* Give addresses until no more are accepted. Return: how many were accepted. */
static struct child_reading no_limit = {.until_ns = UINT64_MAX};
static int give(struct code_lines *l, const uint64_t *addresses, int nr)
{
	char text[32];

	for (int i = 0; i < nr; i++) {
		snprintf(text, sizeof(text), "at %d", (int)addresses[i]);
		if (!code_lines__add(l, addresses[i], text))
			return i;
	}
	return nr;
}

static void check_lines(struct code_lines *l, const uint64_t *addresses, int nr)
{
	ck_assert_int_eq(l->nr, nr);
	for (int i = 0; i < nr; i++)
		ck_assert_uint_eq(l->line[i].address, addresses[i]);
	code_lines__free(l);
}

START_TEST(two_instructions_on_either_side_are_kept)
{
	static const uint64_t addresses[] = {1, 2, 4, 8, 16, 32, 64, 128};
	struct code_lines lines = {.at = 16};

	ck_assert_int_eq(give(&lines, addresses, 8), 6);
	ck_assert(lines.found);
	ck_assert_str_eq(lines.line[2].text, "at 16");
	check_lines(&lines, addresses + 2, 5);
}
END_TEST

START_TEST(there_may_be_fewer_at_the_ends_of_the_code)
{
	static const uint64_t addresses[] = {1, 2, 4, 8};
	struct code_lines lines = {.at = 1};

	ck_assert_int_eq(give(&lines, addresses, 4), 2);
	check_lines(&lines, addresses, 3);
	lines.at = 8;
	ck_assert_int_eq(give(&lines, addresses, 4), 4);
	ck_assert(lines.found);
	check_lines(&lines, addresses + 1, 3);
}
END_TEST

START_TEST(instructions_that_go_back_are_the_last_ones) /* R75 */
{
	static const uint64_t addresses[] = {1, 2, 3, 3, 3, 2, 1, 3, 3, 3, 3};
	struct code_lines lines = {.at = 3};

	for (int i = 0; i < 11; i++)
		code_lines__add(&lines, addresses[i], "nop");
	ck_assert(lines.found);
	check_lines(&lines, addresses, 3);
}
END_TEST

START_TEST(an_address_is_in_the_instruction_that_begins_before_it)
{
	static const uint64_t addresses[] = {1, 2, 4, 8};
	struct code_lines lines = {.at = 3}, after = {.at = 0};

	ck_assert_int_eq(give(&lines, addresses, 4), 3);
	ck_assert(lines.found);
	ck_assert_uint_eq(lines.at, 2);
	check_lines(&lines, addresses, 4);
	ck_assert_int_eq(give(&after, addresses, 4), 0);
	ck_assert(!after.found);
	code_lines__free(&after);
}
END_TEST

/* Return: the offset of a function of this program in the program's file. */
static bool find_own(uint64_t address, struct code_place *out)
{
	uint64_t start, end, offset, inode;
	FILE *file = fopen("/proc/self/maps", "r");
	char line[4096];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx-%lx %*s %lx %*s %lu", &start, &end, &offset, &inode) != 4)
			continue;
		found = address >= start && address < end;
	}
	if (file)
		fclose(file);
	if (found)
		*out = (struct code_place){"/proc/self/exe", NULL, inode, address - start + offset};
	return found;
}

START_TEST(instructions_of_this_program_are_found)
{
	struct where_code code = {.nr = 0};
	struct code_place place;

	ck_assert(find_own((uint64_t)(uintptr_t)give, &place));
	code__find(&place, &no_limit, &code);
	if (!code.nr)
		puts("SKIP instructions of this program: nothing here takes them apart");
	for (int i = 0; i < code.nr; i++) {
		ck_assert_str_ne(code.at[i].text, "");
		ck_assert_int_eq(code.at[i].hottest, !i);
		free(code.at[i].text);
	}
	vec__free(&code);
}
END_TEST

START_TEST(a_file_that_is_not_a_program_has_no_instructions) /* R75 */
{
	struct code_place place = {.path = "/proc/self/cmdline", .offset = 1};
	struct where_code code = {.nr = 0};
	struct stat st;

	code__find(&place, &no_limit, &code);
	ck_assert_int_eq(code.nr, 0);
	ck_assert_int_eq(stat("/etc/passwd", &st), 0);
	place = (struct code_place){.path = "/etc/passwd", .inode = st.st_ino, .offset = 1};
	code__find(&place, &no_limit, &code);
	ck_assert_int_eq(code.nr, 0);
}
END_TEST

TMA_TEST_MAIN(where_code, two_instructions_on_either_side_are_kept,
	      there_may_be_fewer_at_the_ends_of_the_code,
	      instructions_that_go_back_are_the_last_ones,
	      an_address_is_in_the_instruction_that_begins_before_it,
	      instructions_of_this_program_are_found,
	      a_file_that_is_not_a_program_has_no_instructions)
