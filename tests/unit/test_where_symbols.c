// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's functions from a list of symbols, and files with wrong content. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sb.h"
#include "unit.h"
#include "where/child.h"
#include "where/symbols.h"

static struct child_reading no_limit = {.until_ns = UINT64_MAX};
static char dir[sizeof("/tmp/where-symbols-XXXXXX")];

static const char *in_dir(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void write_file(const char *name, const void *data, size_t len)
{
	FILE *file;

	if (!dir[0]) {
		strcpy(dir, "/tmp/where-symbols-XXXXXX");
		ck_assert_ptr_nonnull(mkdtemp(dir));
	}
	file = fopen(in_dir(name), "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(data, 1, len, file), len);
	fclose(file);
}

static void remove_file(const char *name)
{
	unlink(in_dir(name));
	rmdir(dir);
	dir[0] = '\0';
}

static void forget(struct symbol *s)
{
	free(s->function);
	free(s->into);
	free(s->file);
}

START_TEST(the_kernels_functions_are_named)
{
	static const char text[] = "ffffffff81000100 t second\n"
				   "ffffffff81000000 T first\n"
				   "ffffffff81000180 d data\n"
				   "what is no symbol\n";
	struct symbol at[] = {{.offset = 0xffffffff81000000},
			      {.offset = 0xffffffff810000ff},
			      {.offset = 0xffffffff81000190},
			      {.offset = 0xfff}};
	struct sb notes = SB_INIT;

	write_file("kallsyms", text, strlen(text));
	kernel_symbols__find(at, 4, dir, NULL, &notes);
	ck_assert_str_eq(at[0].function, "first");
	ck_assert_str_eq(at[1].function, "first");
	ck_assert_str_eq(at[2].function, "second");
	ck_assert_ptr_null(at[3].function);
	ck_assert_str_eq(sb__str(&notes), "");
	for (int i = 0; i < 4; i++)
		forget(&at[i]);
	sb__free(&notes);
	remove_file("kallsyms");
}
END_TEST

/* Find the name of an address of a recorded kernel. Return: whether it has a name. */
static bool has_name(const struct kernel_origin *origin, struct sb *notes)
{
	struct symbol at = {.offset = 0xffffffff81000000};
	bool has;

	sb__clear(notes);
	kernel_symbols__find(&at, 1, dir, origin, notes);
	has = at.function;
	forget(&at);
	return has;
}

START_TEST(another_kernel_gives_no_names)
{
	static const char text[] = "ffffffff81000000 T _text\nffffffff81000100 T _stext\n"
				   "ffffffff81000200 T walk\nffffffff81001000 T _etext\n";
	struct symbol walk = {.offset = 0xffffffff80f00200};
	struct kernel_origin origin = {.boot = "this"};
	struct sb notes = SB_INIT;

	write_file("kallsyms", text, strlen(text));
	ck_assert(!mkdir(in_dir("sys"), 0700) && !mkdir(in_dir("sys/kernel"), 0700) &&
		  !mkdir(in_dir("sys/kernel/random"), 0700));
	write_file(BOOT_ID, "this\n", 5);
	ck_assert(has_name(&origin, &notes));
	ck_assert_str_eq(sb__str(&notes), "");
	/* It is unknown which kernel this was. */
	strcpy(origin.boot, "that");
	ck_assert(!has_name(&origin, &notes));
	ck_assert_ptr_nonnull(strstr(sb__str(&notes), "another kernel"));
	ck_assert_uint_eq(kernel_symbols__text(dir).end, 0xffffffff81001000);
	/* The kernel is the same, but it was at other addresses. */
	origin.id = build_id__of_kernel("/sys");
	origin.text = (struct kernel_text){0xffffffff80f00000, 0xffffffff81000800, false};
	ck_assert_int_eq(has_name(&origin, &notes), origin.id.size != 0);
	/* perf may name the beginning by either symbol. */
	origin.text = (struct kernel_text){0xffffffff80f00100, 0xffffffff81000800, true};
	kernel_symbols__find(&walk, 1, dir, &origin, &notes);
	ck_assert(!origin.id.size || !strcmp(walk.function, "walk"));
	forget(&walk);
	origin.text = (struct kernel_text){0xffffffff80f00000, 0xffffffff81000800, false};
	/* Modules have addresses of their own. */
	origin.text.end = 0xffffffff81000000;
	ck_assert(!has_name(&origin, &notes));
	sb__free(&notes);
	unlink(in_dir(BOOT_ID));
	rmdir(in_dir("sys/kernel/random"));
	rmdir(in_dir("sys/kernel"));
	rmdir(in_dir("sys"));
	remove_file("kallsyms");
}
END_TEST

START_TEST(hidden_addresses_of_the_kernel_are_told)
{
	static const char text[] = "0000000000000000 T first\n0000000000000000 t second\n";
	struct symbol at = {.offset = 0xffffffff81000000};
	struct sb notes = SB_INIT;

	write_file("kallsyms", text, strlen(text));
	kernel_symbols__find(&at, 1, dir, NULL, &notes);
	ck_assert_ptr_null(at.function);
	ck_assert_ptr_nonnull(strstr(sb__str(&notes), "kernel.kptr_restrict"));
	sb__free(&notes);
	remove_file("kallsyms");
}
END_TEST

/* A file that is missing has no names, and neither has a file that is not a program. */
START_TEST(what_cannot_be_read_stays_an_address)
{
	static const char text[] = "\177ELF\001\001\001 but nothing else";
	char path[256];
	struct stat st;
	struct symbol at[] = {{.offset = 1}, {.offset = 2}, {.offset = 3}};
	struct sb notes = SB_INIT;

	write_file("odd", text, sizeof(text));
	snprintf(path, sizeof(path), "%s/odd", dir);
	ck_assert_int_eq(stat(path, &st), 0);
	for (int i = 0; i < 3; i++)
		at[i].path = path;
	at[0].inode = at[1].inode = st.st_ino;
	at[2].inode = st.st_ino + 1;
	symbols__find(at, 3, &no_limit, &notes);
	if (!strstr(sb__str(&notes), "no names of functions and lines")) {
		ck_assert(!at[0].gone && !at[1].gone && at[2].gone);
		ck_assert_ptr_nonnull(strstr(sb__str(&notes), "changed since they were run: 1 ("));
	}
	for (int i = 0; i < 3; i++) {
		ck_assert(!at[i].function || !*at[i].function);
		ck_assert_int_eq(at[i].line, 0);
		forget(&at[i]);
	}
	sb__free(&notes);
	remove_file("odd");
}
END_TEST

/* A deleted program is found through its process. */
START_TEST(another_path_leads_to_the_same_file)
{
	struct stat st;
	struct symbol at = {.path = "/nowhere", .running = "/proc/self/exe"};
	struct sb notes = SB_INIT;

	ck_assert_int_eq(stat("/proc/self/exe", &st), 0);
	at.inode = st.st_ino;
	symbols__find(&at, 1, &no_limit, &notes);
	ck_assert(!at.gone);
	forget(&at);
	sb__free(&notes);
}
END_TEST

/* Finding names takes no longer than the limit. */
START_TEST(reading_ends_in_time)
{
	struct stat st;
	struct child_reading over = {.until_ns = 1};
	struct symbol at = {.path = "/proc/self/exe"};
	struct sb notes = SB_INIT;

	ck_assert_int_eq(stat("/proc/self/exe", &st), 0);
	at.inode = st.st_ino;
	symbols__find(&at, 1, &over, &notes);
	ck_assert_ptr_null(at.function);
	ck_assert(at.late);
	ck_assert_int_eq(over.late, 1);
	ck_assert_ptr_nonnull(strstr(sb__str(&notes), "could not be read in time: 1;"));
	sb__free(&notes);
}
END_TEST

TMA_TEST_MAIN(where_symbols, the_kernels_functions_are_named, another_kernel_gives_no_names,
	      hidden_addresses_of_the_kernel_are_told, what_cannot_be_read_stays_an_address,
	      another_path_leads_to_the_same_file, reading_ends_in_time)
