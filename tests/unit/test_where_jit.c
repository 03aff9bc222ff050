// SPDX-License-Identifier: GPL-2.0-only
/* Names of generated code: the name of an address, and which map is read. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "unit.h"
#include "where/child.h"
#include "where/jit.h"

#define NOBODY 65534

/* Return: the name of an address in a map, or ""; valid until the next call. */
static struct child_reading no_limit = {.until_ns = UINT64_MAX};
static const char *name_by(const char *map, size_t len, uint64_t address)
{
	static struct jit_place place;
	auto_text text = malloc(len + 1);

	memcpy(text, map, len);
	text[len] = '\0';
	free(place.name);
	place = (struct jit_place){.address = address};
	jit__parse(text, len, &place, 1);
	return place.name ?: "";
}

START_TEST(an_address_has_the_name_of_its_code)
{
	static const char map[] = "1000 20 first\n1020 10 second of two\n0x2000 0x8 third\r\n";
	struct jit_place at[] = {{.address = 0xfff},  {.address = 0x1000}, {.address = 0x101f},
				 {.address = 0x1020}, {.address = 0x2007}, {.address = 0x2008}};
	static const char *const names[] = {NULL, "first", "first", "second of two", "third", NULL};
	auto_text text = strdup(map);

	jit__parse(text, strlen(map), at, 6);
	for (int i = 0; i < 6; i++) {
		ck_assert_pstr_eq(at[i].name, names[i]);
		free(at[i].name);
	}
}
END_TEST

START_TEST(the_last_name_of_memory_counts)
{
	static const char map[] = "1000 20 old\n1000 10 new\n1018 0 begins\n";

	ck_assert_str_eq(name_by(map, strlen(map), 0x100f), "new");
	ck_assert_str_eq(name_by(map, strlen(map), 0x1010), "old");
	ck_assert_str_eq(name_by(map, strlen(map), 0x1018), "begins");
	ck_assert_str_eq(name_by(map, strlen(map), 0x1019), "old");
}
END_TEST

START_TEST(lines_that_are_not_whole_are_skipped)
{
	static const char map[] = "1000 20 good\n"
				  "1000 20 to\0rn\n"
				  "1000 20\n"
				  "1000 20 \n"
				  "1000 name\n"
				  "1000\n\n"
				  "-1000 20 minus\n"
				  "10000000000001000 20 long\n"
				  "zz 20 odd\n";

	ck_assert_str_eq(name_by(map, sizeof(map) - 1, 0x1000), "good");
	ck_assert_str_eq(name_by("1000 20 cut", 11, 0x1000), "");
	ck_assert_str_eq(name_by("fffffffffffffff0 ffff end\n", 26, UINT64_MAX), "end");
	ck_assert_str_eq(name_by("", 0, 0), "");
}
END_TEST

static char map_path[64];

static void write_map(const char *text)
{
	FILE *file;

	snprintf(map_path, sizeof(map_path), "/tmp/perf-%d.map", (int)getpid());
	unlink(map_path);
	file = fopen(map_path, "wx");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

/* Check the name of an address in this process's map; the map is then removed. */
static void check_map(uid_t uid, const char *name)
{
	struct jit_place at[] = {{.process = {"", getpid(), uid}, .address = 0x2000, .id = 1},
				 {.process = {"", getpid(), uid}, .address = 0x1000, .id = 2}};

	jit__find(at, 2, "/proc", &no_limit);
	ck_assert_int_eq(at[0].id, 2);
	ck_assert_pstr_eq(at[0].name, name);
	ck_assert_ptr_null(at[1].name);
	free(at[0].name);
	unlink(map_path);
}

START_TEST(the_map_of_a_process_is_read)
{
	write_map("1000 20 mine\n");
	check_map(JIT_NOBODY, "mine");
	write_map("1000 20 _ZN3jit3runEv.part.0\n1000 20 main\n");
	check_map(getuid(), "main");
}
END_TEST

START_TEST(only_ordinary_files_are_read) /* R75 */
{
	char other[sizeof(map_path) + 8];

	write_map("1000 20 linked\n");
	snprintf(other, sizeof(other), "%s.other", map_path);
	ck_assert_int_eq(rename(map_path, other), 0);
	ck_assert_int_eq(symlink(other, map_path), 0);
	check_map(getuid(), NULL);
	if (!link(other, map_path))
		check_map(getuid(), NULL);
	unlink(other);
	ck_assert_int_eq(mkfifo(map_path, 0666), 0);
	check_map(getuid(), NULL);
	ck_assert_int_eq(mkdir(map_path, 0700), 0);
	check_map(getuid(), NULL);
	rmdir(map_path);
}
END_TEST

START_TEST(a_map_of_somebody_else_is_not_read) /* R75 */
{
	if (geteuid()) {
		puts("SKIP a map of somebody else: not root");
		return;
	}
	write_map("1000 20 theirs\n");
	ck_assert_int_eq(chown(map_path, NOBODY, NOBODY), 0);
	check_map(0, NULL);
	write_map("1000 20 theirs\n");
	ck_assert_int_eq(chown(map_path, NOBODY, NOBODY), 0);
	check_map(JIT_NOBODY, NULL);
	write_map("1000 20 theirs\n");
	ck_assert_int_eq(chown(map_path, NOBODY, NOBODY), 0);
	check_map(NOBODY, "theirs");
}
END_TEST

START_TEST(a_map_that_is_too_large_is_not_read)
{
	write_map("1000 20 large\n");
	ck_assert_int_eq(truncate(map_path, 1 << 30), 0);
	check_map(getuid(), NULL);
}
END_TEST

TMA_TEST_MAIN(where_jit, an_address_has_the_name_of_its_code, the_last_name_of_memory_counts,
	      lines_that_are_not_whole_are_skipped, the_map_of_a_process_is_read,
	      only_ordinary_files_are_read, a_map_of_somebody_else_is_not_read,
	      a_map_that_is_too_large_is_not_read)
