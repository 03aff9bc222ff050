// SPDX-License-Identifier: GPL-2.0-only
/* Build ids in the notes of files, and files that have been replaced. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "where/build_id.h"
#include "where/elf_file.h"
#include "unit.h"

/* Two notes: one of another owner, and one whose build id has three bytes. */
static const unsigned char notes[] = {
	4, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 'X', 'e', 'n', 0, 1, 2, 3, 4, 5, 0, 0, 0,
	4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 7, 8, 9, 0,
};

START_TEST(the_id_is_found_among_notes)
{
	struct build_id id = build_id__parse(notes, sizeof(notes), 4);

	ck_assert_int_eq(id.size, 3);
	ck_assert(!memcmp(id.bytes, "\7\10\11", 3));
	ck_assert(build_id__is_same(&id, &id));
	/* A file that is missing has not been replaced. */
	ck_assert(!build_id__is_same(&(struct build_id){.size = 0},
				     &(struct build_id){.size = 0}));
}
END_TEST

START_TEST(notes_that_end_early_have_none)
{
	unsigned char long_id[] = {4, 0, 0, 0, 200, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};

	for (size_t len = 0; len < sizeof(notes) - 1; len++)
		ck_assert_int_eq(build_id__parse(notes, len, 4).size, 0);
	ck_assert_int_eq(build_id__parse(long_id, sizeof(long_id), 4).size, 0);
	memset(long_id, 0xff, 8);
	ck_assert_int_eq(build_id__parse(long_id, sizeof(long_id), 8).size, 0);
}
END_TEST

static void expect_open(bool opens, const struct build_id *id, uint64_t inode, int64_t until_ns)
{
	int fd = elf_file__open_recorded("/proc/self/exe", id, inode, until_ns);

	ck_assert_int_eq(fd >= 0, opens);
	if (fd >= 0)
		close(fd);
}

START_TEST(a_file_is_the_one_that_was_recorded)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	struct build_id id = elf_file__build_id(fd), other = id, none = {.size = 0};
	struct stat st;

	ck_assert(!fstat(fd, &st));
	close(fd);
	/* If there is a build id, nothing else is compared. */
	if (id.size) {
		other.bytes[0] ^= 1;
		expect_open(true, &id, 1, 1);
		expect_open(false, &other, st.st_ino, 0);
	}
	expect_open(true, NULL, st.st_ino, 0);
	expect_open(true, &none, st.st_ino, elf_file__written_ns(&st));
	expect_open(false, &none, st.st_ino, elf_file__written_ns(&st) - 1);
	expect_open(false, NULL, st.st_ino + 1, 0);
}
END_TEST

START_TEST(a_file_has_one_id)
{
	struct build_ids ids = {.nr = 0};

	build_ids__add(&ids, "/a")->id.size = 1;
	build_ids__add(&ids, NULL)->id.size = 2;
	build_ids__add(&ids, "/a")->id.size = 3;
	ck_assert_int_eq(ids.nr, 2);
	ck_assert_int_eq(build_ids__find(&ids, "/a")->size, 3);
	ck_assert_int_eq(build_ids__find(&ids, NULL)->size, 2);
	ck_assert_ptr_null(build_ids__find(&ids, "/b"));
	build_ids__free(&ids);
}
END_TEST

TMA_TEST_MAIN(where_build_id, the_id_is_found_among_notes, notes_that_end_early_have_none,
	      a_file_is_the_one_that_was_recorded, a_file_has_one_id)
