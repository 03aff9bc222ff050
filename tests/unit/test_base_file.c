// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "unit.h"

/* Each test has its own directory, since each runs in its own process. */
static char dir[64];

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void put_file(const char *name, const char *text, size_t len)
{
	FILE *f = fopen(path_of(name), "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(text, 1, len, f), len);
	ck_assert_int_eq(fclose(f), 0);
}

static void make_dir(void)
{
	strcpy(dir, "/tmp/tma-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void remove_dir(const char *const *names)
{
	for (; *names; names++)
		ck_assert_int_eq(unlink(path_of(*names)), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}

START_TEST(a_file_is_read_whole)
{
	static char big[10000];
	char *text = NULL;
	size_t len = 0;

	make_dir();
	memset(big, 'y', sizeof(big));
	put_file("big", big, sizeof(big));
	ck_assert_int_eq(file__read(path_of("big"), sizeof(big), &text, &len, NULL), 0);
	ck_assert_uint_eq(len, sizeof(big));
	ck_assert_int_eq(memcmp(text, big, len), 0);
	ck_assert_int_eq(text[len], '\0');
	free(text);

	put_file("empty", "", 0);
	ck_assert_int_eq(file__read(path_of("empty"), 10, &text, NULL, NULL), 0);
	ck_assert_str_eq(text, "");
	free(text);
	remove_dir((const char *const[]){ "big", "empty", NULL });
}
END_TEST

START_TEST(a_file_of_unknown_size_is_read_to_its_end)
{
	char *text = NULL;

	/* stat() reports a size of 0 for files in /proc. */
	ck_assert_int_eq(file__read("/proc/self/status", 1 << 20, &text, NULL, NULL), 0);
	ck_assert_ptr_nonnull(strstr(text, "Pid:"));
	free(text);
}
END_TEST

START_TEST(a_file_that_is_too_big_is_refused)
{
	static char big[5000];
	struct err err = ERR_INIT;
	char *text = NULL;

	make_dir();
	put_file("big", big, sizeof(big));
	ck_assert_int_eq(file__read(path_of("big"), 4999, &text, NULL, &err), -EFBIG);
	ck_assert_ptr_nonnull(strstr(err.msg, "is larger than 4999 bytes"));
	ck_assert_ptr_null(text);
	ck_assert_int_eq(file__read("/dev/zero", 100000, &text, NULL, NULL), -EFBIG);
	remove_dir((const char *const[]){ "big", NULL });
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_named)
{
	struct err err = ERR_INIT;
	char *text = NULL;

	ck_assert_int_eq(file__read("/nonexistent/file", 10, &text, NULL, &err), -ENOENT);
	ck_assert_str_eq(err.msg, "cannot open /nonexistent/file: No such file or directory");
	ck_assert_int_eq(file__read("/", 10, &text, NULL, &err), -EISDIR);
	ck_assert_str_eq(err.msg, "cannot read /: Is a directory");
	ck_assert_ptr_null(text);
}
END_TEST

static void expect_text(const char *name, const char *want)
{
	char *text;

	ck_assert_int_eq(file__read(path_of(name), 100, &text, NULL, NULL), 0);
	ck_assert_str_eq(text, want);
	free(text);
}

START_TEST(a_file_is_replaced_as_a_whole)
{
	struct err err = ERR_INIT;
	char link[128], old[16] = "";
	struct stat st;
	int fd;

	make_dir();
	put_file("a", "old", 3);
	fd = open(path_of("a"), O_RDONLY);
	ck_assert_int_eq(file__can_replace(path_of("a"), &err), 0);
	expect_text("a", "old");
	ck_assert_int_eq(file__replace(path_of("a"), "newer", 5, &err), 0);
	expect_text("a", "newer");
	ck_assert_int_eq(read(fd, old, sizeof(old)), 3);
	ck_assert_str_eq(old, "old");
	close(fd);

	/* The target of a link is replaced; the link stays. */
	snprintf(link, sizeof(link), "%s/link", dir);
	ck_assert_int_eq(symlink("a", link), 0);
	ck_assert_int_eq(file__replace(link, "newest", 6, &err), 0);
	expect_text("a", "newest");
	ck_assert_int_eq(lstat(link, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));

	umask(027);
	ck_assert_int_eq(file__replace(path_of("b"), "", 0, &err), 0);
	ck_assert_int_eq(stat(path_of("b"), &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0640);
	/* The directory has no other files. */
	remove_dir((const char *const[]){ "a", "b", "link", NULL });
}
END_TEST

START_TEST(what_cannot_be_replaced_is_named)
{
	static char long_path[5000];
	struct err err = ERR_INIT;

	memset(long_path, 'x', sizeof(long_path) - 1);
	ck_assert_int_eq(file__replace("/dev/null", "x", 1, &err), -EINVAL);
	ck_assert_str_eq(err.msg, "/dev/null is not a regular file and cannot be replaced");
	ck_assert_int_eq(file__can_replace("/dev", &err), -EINVAL);
	ck_assert_int_eq(file__replace("/nonexistent/file", "x", 1, &err), -ENOENT);
	ck_assert_str_eq(err.msg, "cannot write /nonexistent/file: No such file or directory");
	ck_assert_int_eq(file__can_replace("/nonexistent/file", &err), -ENOENT);
	ck_assert_int_eq(file__replace(long_path, "x", 1, NULL), -ENAMETOOLONG);
}
END_TEST

START_TEST(the_first_line_without_its_end)
{
	char buf[8];

	make_dir();
	put_file("a", "0-3 \t\nx\n", 8);
	ck_assert_int_eq(file__read_line(buf, sizeof(buf), "%s/%s", dir, "a"), 3);
	ck_assert_str_eq(buf, "0-3");
	put_file("a", "1234567", 7);
	ck_assert_int_eq(file__read_line(buf, sizeof(buf), "%s", path_of("a")), 7);
	ck_assert_str_eq(buf, "1234567");
	put_file("a", "12345678", 8);
	ck_assert_int_eq(file__read_line(buf, sizeof(buf), "%s", path_of("a")), -EFBIG);
	/* If the first line fits, it is read, even if the rest is long. */
	put_file("a", "12\n45678901234", 14);
	ck_assert_int_eq(file__read_line(buf, sizeof(buf), "%s", path_of("a")), 2);
	ck_assert_str_eq(buf, "12");
	put_file("a", "0\0\377", 3);
	ck_assert_int_eq(file__read_line(buf, sizeof(buf), "%s", path_of("a")), -EINVAL);
	put_file("a", "", 0);
	ck_assert_int_eq(file__read_line(buf, sizeof(buf), "%s", path_of("a")), 0);
	ck_assert_str_eq(buf, "");
	ck_assert_int_eq(file__read_line(buf, sizeof(buf), "%s/none", dir), -ENOENT);
	remove_dir((const char *const[]){ "a", NULL });
}
END_TEST

START_TEST(the_start_with_all_its_lines)
{
	char buf[8];

	make_dir();
	put_file("a", "1\n23\n", 5);
	ck_assert_int_eq(file__read_start(buf, sizeof(buf), "%s/%s", dir, "a"), 5);
	ck_assert_str_eq(buf, "1\n23\n");
	put_file("a", "1\n23\n4567", 9);
	ck_assert_int_eq(file__read_start(buf, sizeof(buf), "%s", path_of("a")), 7);
	ck_assert_str_eq(buf, "1\n23\n45");
	ck_assert_int_eq(file__read_start(buf, sizeof(buf), "%s/none", dir), -ENOENT);
	remove_dir((const char *const[]){ "a", NULL });
}
END_TEST

START_TEST(a_path_too_long_is_refused)
{
	static char name[PATH_MAX + 1];
	char buf[8];

	memset(name, 'n', sizeof(name) - 1);
	ck_assert_int_eq(file__read_line(buf, sizeof(buf), "/%s", name), -ENAMETOOLONG);
	ck_assert(!file__exists("/%s", name));
}
END_TEST

START_TEST(a_file_with_one_number)
{
	int n = 7;

	make_dir();
	put_file("n", "-1\n", 3);
	ck_assert_int_eq(file__read_int(&n, "%s", path_of("n")), 0);
	ck_assert_int_eq(n, -1);
	put_file("n", "2147483648\n", 11);
	ck_assert_int_eq(file__read_int(&n, "%s", path_of("n")), -ERANGE);
	put_file("n", "1 2\n", 4);
	ck_assert_int_eq(file__read_int(&n, "%s", path_of("n")), -EINVAL);
	ck_assert_int_eq(file__read_int(&n, "%s/none", dir), -ENOENT);
	ck_assert_int_eq(n, -1);
	remove_dir((const char *const[]){ "n", NULL });
}
END_TEST

START_TEST(names_in_a_directory_are_sorted)
{
	char **names = NULL;
	int nr = -1;

	make_dir();
	ck_assert_int_eq(file__list_dir(&names, &nr, "%s", dir), 0);
	ck_assert_int_eq(nr, 0);
	file__free_names(names, nr);
	put_file("cpu10", "", 0);
	put_file("cpu2", "", 0);
	put_file(".hidden", "", 0);
	ck_assert_int_eq(file__list_dir(&names, &nr, "%s", dir), 0);
	ck_assert_int_eq(nr, 3);
	ck_assert_str_eq(names[0], ".hidden");
	ck_assert_str_eq(names[1], "cpu10");
	ck_assert_str_eq(names[2], "cpu2");
	file__free_names(names, nr);
	ck_assert(file__exists("%s/%s", dir, "cpu2"));
	ck_assert(!file__exists("%s/%s", dir, "cpu3"));
	ck_assert(file__is_dir("%s", dir));
	ck_assert(!file__is_dir("%s/%s", dir, "cpu2"));
	ck_assert(!file__is_dir("%s/%s", dir, "cpu3"));
	remove_dir((const char *const[]){ "cpu10", "cpu2", ".hidden", NULL });
	ck_assert_int_eq(file__list_dir(&names, &nr, "%s", dir), -ENOENT);
}
END_TEST

/* As on a full disk: some bytes are written before the error. */
START_TEST(a_text_without_room_is_not_written_in_part)
{
	struct rlimit old, small;
	char *text = NULL;
	size_t len = 0;
	int fd;

	make_dir();
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){ .rlim_cur = 10, .rlim_max = old.rlim_max };
	for (int append = 0; append < 2; append++) {
		put_file("rows", "", 0);
		fd = open(path_of("rows"), O_WRONLY | (append ? O_APPEND : 0));
		ck_assert_int_ge(fd, 0);
		ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
		ck_assert_int_eq(file__write(fd, "row 1\n", 6), 0);
		ck_assert_int_eq(file__write(fd, "row 2\n", 6), -EFBIG);
		ck_assert_int_eq(file__write(fd, "end\n", 4), 0);
		ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
		close(fd);
		ck_assert_int_eq(file__read(path_of("rows"), 100, &text, &len, NULL), 0);
		ck_assert_str_eq(text, "row 1\nend\n");
		free(text);
	}
	remove_dir((const char *const[]){ "rows", NULL });
}
END_TEST

TMA_TEST_MAIN(file, a_file_is_replaced_as_a_whole, what_cannot_be_replaced_is_named,
	      a_file_is_read_whole, a_file_of_unknown_size_is_read_to_its_end,
	      a_file_that_is_too_big_is_refused, a_file_that_cannot_be_read_is_named,
	      the_first_line_without_its_end, the_start_with_all_its_lines,
	      a_path_too_long_is_refused, a_file_with_one_number, names_in_a_directory_are_sorted,
	      a_text_without_room_is_not_written_in_part)
