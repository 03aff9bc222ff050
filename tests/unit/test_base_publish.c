// SPDX-License-Identifier: GPL-2.0-only
/* A growing file: readers always see it complete, and each piece is written at most twice. */
#include "base/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "unit.h"

static char dir[] = "/tmp/publish.XXXXXX";
static char path[64], other[64];

static void make_dir(void)
{
	strcpy(dir, "/tmp/publish.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/page", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
}

static void remove_dir(void)
{
	unlink(path);
	unlink(other);
	/* No other file is left in the directory. */
	ck_assert_int_eq(rmdir(dir), 0);
}

static struct publish *begin_at(const char *name)
{
	make_dir();
	return publish__new(name, -1, NULL);
}

static void expect(const char *file, const char *want)
{
	char *text = NULL;

	ck_assert_int_eq(file__read(file, 1 << 20, &text, NULL, NULL), 0);
	ck_assert_str_eq(text, want);
	free(text);
}

static void add(struct publish *p, const char *text)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(publish__add(p, text, strlen(text), &err), 0);
}

static void show(struct publish *p, const char *end)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(publish__show(p, end, strlen(end), &err), 0);
}

START_TEST(what_is_seen_is_whole)
{
	struct publish *p = begin_at(path);

	ck_assert_ptr_nonnull(p);
	add(p, "a");
	ck_assert(!file__exists("%s", path));
	show(p, "<long end>");
	expect(path, "a<long end>");
	add(p, "b");
	expect(path, "a<long end>");
	add(p, "c");
	show(p, "!");
	expect(path, "abc!");
	add(p, "d");
	show(p, "?");
	expect(path, "abcd?");
	show(p, ".");
	expect(path, "abcd.");
	add(p, "never seen");
	publish__free(p);
	expect(path, "abcd.");
	remove_dir();
}
END_TEST

START_TEST(what_was_there_stays_until_the_first_is_shown)
{
	struct publish *p = begin_at(path);
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	ck_assert_int_eq(write(fd, "old", 3), 3);
	close(fd);
	add(p, "a");
	expect(path, "old");
	show(p, "");
	expect(path, "a");
	publish__free(p);
	remove_dir();
}
END_TEST

START_TEST(a_file_that_was_put_or_taken_away_is_no_hindrance)
{
	struct publish *p = begin_at(path);
	int fd;

	add(p, "a");
	show(p, ".");
	add(p, "b");
	show(p, ".");
	unlink(path);
	add(p, "c");
	show(p, ".");
	expect(path, "abc.");
	add(p, "d");
	show(p, ".");
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	ck_assert_int_eq(write(fd, "another's", 9), 9);
	close(fd);
	add(p, "e");
	show(p, ".");
	expect(path, "abcde.");
	add(p, "f");
	show(p, ".");
	expect(path, "abcdef.");
	publish__free(p);
	remove_dir();
}
END_TEST

/* Adding to a long file costs as much as the added text is long: two files are used alternately. */
START_TEST(content_that_was_written_is_not_written_again)
{
	struct publish *p = begin_at(path);
	struct stat st;
	ino_t seen[6];

	for (int i = 0; i < 6; i++) {
		add(p, "piece ");
		show(p, "end");
		ck_assert_int_eq(stat(path, &st), 0);
		seen[i] = st.st_ino;
		ck_assert_int_eq(st.st_size, 6 * (i + 1) + 3);
	}
	publish__free(p);
	ck_assert_uint_ne(seen[2], seen[3]);
	if (seen[2] != seen[4])
		printf("SKIP content_that_was_written_is_not_written_again: the file system cannot swap "
		       "names\n");
	else
		ck_assert_uint_eq(seen[3], seen[5]);
	remove_dir();
}
END_TEST

START_TEST(a_file_without_a_name_is_saved_under_any)
{
	struct err err = ERR_INIT;
	struct publish *p;

	make_dir();
	p = publish__new(NULL, -1, &err);

	ck_assert_ptr_nonnull(p);
	add(p, "a");
	ck_assert_int_eq(publish__save(p, path, "1", 1, &err), 0);
	expect(path, "a1");
	add(p, "b");
	ck_assert_int_eq(publish__save(p, path, "2", 1, &err), 0);
	ck_assert_int_eq(publish__save(p, other, "3", 1, &err), 0);
	expect(path, "ab2");
	expect(other, "ab3");
	ck_assert_int_eq(publish__save(p, "/nowhere/page", "", 0, &err), -ENOENT);
	publish__free(p);
	remove_dir();
}
END_TEST

START_TEST(a_stream_gets_pieces_as_they_come)
{
	struct publish *p;
	int fd;

	make_dir();
	fd = open(path, O_RDWR | O_CREAT, 0600);
	p = publish__new(NULL, fd, NULL);
	add(p, "a");
	expect(path, "a");
	add(p, "b");
	show(p, ".");
	expect(path, "ab.");
	publish__free(p);
	close(fd);
	remove_dir();
}
END_TEST

START_TEST(a_failed_write_is_reported)
{
	struct err err = ERR_INIT;

	ck_assert_ptr_null(publish__new("/dev/null", -1, &err));
	ck_assert_str_eq(err.msg, "/dev/null is not a regular file and cannot be replaced");
	ck_assert_int_eq(err.code, EINVAL);
	ck_assert_ptr_null(publish__new("/nowhere/page", -1, &err));
	ck_assert_int_eq(err.code, ENOENT);
	publish__free(NULL);
}
END_TEST

TMA_TEST_MAIN(publish, what_is_seen_is_whole, what_was_there_stays_until_the_first_is_shown,
	      a_file_that_was_put_or_taken_away_is_no_hindrance,
	      content_that_was_written_is_not_written_again,
	      a_file_without_a_name_is_saved_under_any, a_stream_gets_pieces_as_they_come,
	      a_failed_write_is_reported)
