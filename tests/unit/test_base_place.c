// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/place.h"
#include "unit.h"

/* Each test runs in its own process, whose current directory is made for the test. */
static char dir[64];

static void make_dir(void)
{
	strcpy(dir, "/tmp/tma-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
}

static void remove_dir(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

static void put(const char *path, int flags, const char *text)
{
	struct err err = ERR_INIT;
	int fd = place__open(path, flags, 0600, &err);

	ck_assert_msg(fd >= 0, "%s", err.msg);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void expect(const char *path, const char *text)
{
	char got[64] = "";
	int fd = open(path, O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_ge(read(fd, got, sizeof(got) - 1), 0);
	ck_assert_str_eq(got, text);
	close(fd);
}

START_TEST(a_file_is_made_cut_and_added_to)
{
	struct stat st;

	make_dir();
	put("a", O_WRONLY, "first");
	ck_assert_int_eq(stat("a", &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	put("./a", O_RDWR, "new");
	expect("a", "new");
	put("a", O_WRONLY | O_APPEND, " more");
	expect("a", "new more");
	put("/dev/null", O_WRONLY, "x");
	remove_dir();
}
END_TEST

START_TEST(links_of_our_own_are_followed)
{
	char path[128];

	make_dir();
	ck_assert_int_eq(mkdir("sub", 0700), 0);
	ck_assert_int_eq(symlink("../made", "sub/link"), 0);
	ck_assert_int_eq(symlink("sub//", "way"), 0);
	snprintf(path, sizeof(path), "%s/way/./link", dir);
	ck_assert_int_eq(symlink(path, "absolute"), 0);
	put("absolute", O_WRONLY, "there");
	expect("made", "there");
	remove_dir();
}
END_TEST

START_TEST(links_of_procfs_lead_to_files_without_a_path)
{
	int ends[2];
	char path[64], got[8] = "";

	ck_assert_int_eq(pipe(ends), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[1]);
	put(path, O_WRONLY, "word");
	ck_assert_int_eq(read(ends[0], got, sizeof(got) - 1), 4);
	ck_assert_str_eq(got, "word");
}
END_TEST

static void refuse(const char *path, int code)
{
	struct err err = ERR_INIT;
	char wanted[8192];

	ck_assert_int_eq(place__open(path, O_WRONLY, 0600, &err), -code);
	snprintf(wanted, sizeof(wanted), *path ? "cannot open %.100s" : "the name of the file", path);
	ck_assert_int_eq(strncmp(err.msg, wanted, strlen(wanted)), 0);
	ck_assert_int_eq(place__open(path, O_WRONLY, 0600, NULL), -code);
}

START_TEST(paths_that_lead_nowhere)
{
	static char name[NAME_MAX + 2], path[PATH_MAX + 2];

	make_dir();
	memset(name, 'n', sizeof(name) - 1);
	memset(path, '/', sizeof(path) - 1);
	put("file", O_WRONLY, "");
	ck_assert_int_eq(symlink("round", "round"), 0);
	refuse("", ENOENT);
	refuse("/", EISDIR);
	refuse(".", EISDIR);
	refuse("..", EISDIR);
	refuse("none/file", ENOENT);
	refuse("file/", ENOTDIR);
	refuse("file/x", ENOTDIR);
	refuse("round", ELOOP);
	refuse("round/x", ELOOP);
	refuse(name, ENAMETOOLONG);
	refuse(path, ENAMETOOLONG);
	remove_dir();
}
END_TEST

START_TEST(only_fifos_are_opened_as_fifos)
{
	struct err err = ERR_INIT;
	int fd;

	make_dir();
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	ck_assert_int_eq(symlink("fifo", "link"), 0);
	put("file", O_WRONLY, "text");
	fd = place__open_fifo("link", NULL);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(place__open_fifo("file", &err), -EINVAL);
	ck_assert_str_eq(err.msg, "it is not a fifo (mkfifo(1) makes one)");
	expect("file", "text");
	ck_assert_int_eq(place__open_fifo("none", &err), -ENOENT);
	ck_assert_int_eq(access("none", F_OK), -1);
	remove_dir();
}
END_TEST

/* Make the directory sticky and writable for all, like /tmp; user 65534 puts files there. */
static void share(void)
{
	make_dir();
	ck_assert_int_eq(chmod(dir, 01777), 0);
	put("own", O_WRONLY, "own");
}

static void give(const char *name)
{
	ck_assert_int_eq(lchown(name, 65534, 65534), 0);
}

START_TEST(files_and_links_of_others_are_refused)
{
	struct err err = ERR_INIT;

	if (geteuid()) {
		printf("SKIP files_and_links_of_others_are_refused: only root gives files away\n");
		return;
	}
	share();
	ck_assert_int_eq(symlink("own", "theirs"), 0);
	give("theirs");
	refuse("theirs", EACCES);
	put("file", O_WRONLY, "");
	give("file");
	refuse("file", EACCES);
	ck_assert_int_eq(place__open("file", O_WRONLY | O_APPEND, 0600, &err), -EACCES);
	ck_assert_int_eq(mkfifo("fifo", 0666), 0);
	give("fifo");
	refuse("fifo", EACCES);
	ck_assert_int_eq(link("own", "name"), 0);
	refuse("name", EACCES);
	expect("own", "own");
	/*
	 * Now only root can make files in the directory, so files are no longer traps. Links that
	 * others made are still refused to root, but followed for a user who cannot do harm.
	 */
	ck_assert_int_eq(chmod(dir, 0755), 0);
	put("file", O_WRONLY, "x");
	put("name", O_WRONLY, "x");
	refuse("theirs", EACCES);
	ck_assert_int_eq(seteuid(65533), 0);
	ck_assert_int_eq(place__open("theirs", O_WRONLY, 0600, &err), -EACCES);
	ck_assert_ptr_nonnull(strstr(err.msg, "Permission denied"));
	ck_assert_int_eq(seteuid(0), 0);
	remove_dir();
}
END_TEST

TMA_TEST_MAIN(place, a_file_is_made_cut_and_added_to, links_of_our_own_are_followed,
	      links_of_procfs_lead_to_files_without_a_path, paths_that_lead_nowhere,
	      only_fifos_are_opened_as_fifos,
	      files_and_links_of_others_are_refused)
