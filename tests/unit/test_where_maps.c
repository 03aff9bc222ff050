// SPDX-License-Identifier: GPL-2.0-only
/* The mappings of a process, after overlapping mappings, forks and execs. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "where/maps.h"
#include "unit.h"

static struct maps maps;

/* Return: the file and the offset at an address: "a+0x10", or "nothing". */
static const char *at(pid_t pid, uint64_t address)
{
	const struct mapping *m = maps__find(&maps, pid, address);
	static char text[PATH_MAX + 32];

	if (!m)
		return "nothing";
	snprintf(text, sizeof(text), "%s+%#llx", maps.objects.at[m->object].path,
		 (unsigned long long)(address - m->start + m->offset));
	return text;
}

static void begin(void)
{
	maps = (struct maps){ .procfs = "/proc" };
	maps__add(&maps, 1, 0x1000, 0x4000, 0x100, "a", 11);
}

START_TEST(an_address_is_in_a_file)
{
	begin();
	ck_assert_str_eq(at(1, 0xfff), "nothing");
	ck_assert_str_eq(at(1, 0x1000), "a+0x100");
	ck_assert_str_eq(at(1, 0x4fff), "a+0x40ff");
	ck_assert_str_eq(at(1, 0x5000), "nothing");
	ck_assert_str_eq(at(2, 0x1000), "nothing");
	maps__free(&maps);
}
END_TEST

START_TEST(a_mapping_covers_what_was_there)
{
	begin();
	maps__add(&maps, 1, 0x2000, 0x1000, 0, "b", 12);
	ck_assert_str_eq(at(1, 0x1fff), "a+0x10ff");
	ck_assert_str_eq(at(1, 0x2000), "b+0");
	ck_assert_str_eq(at(1, 0x3000), "a+0x2100");
	maps__add(&maps, 1, 0x0, 0x1800, 0, "c", 13);
	ck_assert_str_eq(at(1, 0x17ff), "c+0x17ff");
	ck_assert_str_eq(at(1, 0x1800), "a+0x900");
	maps__add(&maps, 1, 0x1000, 0x10000, 0, "d", 14);
	ck_assert_str_eq(at(1, 0x4fff), "d+0x3fff");
	ck_assert_str_eq(at(1, 0xfff), "c+0xfff");
	ck_assert_int_eq(maps.processes.at[0].mappings.nr, 2);
	maps__free(&maps);
}
END_TEST

START_TEST(a_mapping_that_cannot_be_is_left_out)
{
	begin();
	maps__add(&maps, 1, UINT64_MAX - 1, 0x1000, 0, "b", 12);
	maps__add(&maps, 1, 0x1000, 0, 0, "b", 12);
	ck_assert_int_eq(maps.processes.at[0].mappings.nr, 1);
	maps__free(&maps);
}
END_TEST

START_TEST(a_child_has_its_parents_files_until_it_executes)
{
	begin();
	maps__fork(&maps, 1, 2);
	ck_assert_str_eq(at(2, 0x1000), "a+0x100");
	maps__exec(&maps, 2);
	ck_assert_str_eq(at(2, 0x1000), "nothing");
	ck_assert_str_eq(at(1, 0x1000), "a+0x100");
	/* A thread is not a process. */
	maps__fork(&maps, 1, 1);
	ck_assert_str_eq(at(1, 0x1000), "a+0x100");
	maps__free(&maps);
}
END_TEST

START_TEST(procfs_tells_what_runs_already)
{
	begin();
	maps__read(&maps, getpid());
	ck_assert_ptr_nonnull(strstr(at(getpid(), (uint64_t)(uintptr_t)at), "test_where_maps+"));
	maps__free(&maps);
}
END_TEST

TMA_TEST_MAIN(where_maps, an_address_is_in_a_file, a_mapping_covers_what_was_there,
	      a_mapping_that_cannot_be_is_left_out,
	      a_child_has_its_parents_files_until_it_executes, procfs_tells_what_runs_already)
