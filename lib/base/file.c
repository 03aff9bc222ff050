// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/place.h"
#include "base/vec.h"
#include "base/xalloc.h"

#define PAUSE_MS 10

/*
 * Return the errno of a failed call as -errno. If libc or the kernel ran out of memory, end the
 * program as tma's own allocations do; otherwise an existing file would seem to be missing.
 */
static int failure(void)
{
	int code = errno;

	if (code == ENOMEM)
		xchecked(NULL);
	return -code;
}

int file__open_regular(int dir, const char *name, int flags)
{
	int found = openat(dir, name, O_PATH | O_CLOEXEC | flags), fd = -1;
	char path[64];

	if (found >= 0 && file__is_regular(found)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	}
	if (found >= 0)
		close(found);
	return fd;
}

bool file__is_regular(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

static ssize_t read_full(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return failure();
		if (!n)
			break;
		len += n;
	}
	return len;
}

int file__read_fd(int fd, size_t max, char **text, size_t *len)
{
	size_t cap = 4096, used = 0;
	char *buf = NULL, *grown;
	ssize_t n;

	/* stat() does not report the sizes of sysfs and procfs files, so read until the end. */
	for (;;) {
		grown = xreallocarray(buf, cap + 1, 1);
		if (!grown) {
			free(buf);
			return -ENOMEM;
		}
		buf = grown;
		n = read_full(fd, buf + used, cap - used);
		if (n < 0 || used + n > max) {
			free(buf);
			return n < 0 ? n : -EFBIG;
		}
		used += n;
		if (used < cap)
			break;
		cap *= 2;
	}
	buf[used] = '\0';
	*text = buf;
	*len = used;
	return 0;
}

/* Remove the last @len bytes, unless another program has written after them. */
static void take_back(int fd, size_t len)
{
	off_t end = lseek(fd, 0, SEEK_CUR);
	struct stat st;

	if (!len || end < (off_t)len || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size != end)
		return;
	/* Continue writing at the new end. */
	if (!ftruncate(fd, end - len))
		lseek(fd, end - len, SEEK_SET);
}

static int (*wait_for_room)(int fd);
static int (*pause_a_moment)(void);

void file__set_wait(int (*wait)(int fd), int (*pause)(void))
{
	wait_for_room = wait;
	pause_a_moment = pause;
}

int file__pause(void)
{
	if (pause_a_moment)
		return pause_a_moment();
	poll(NULL, 0, PAUSE_MS);
	return 0;
}

/*
 * Count the bytes that a pipe with any room takes in one write: whole lines of at most PIPE_BUF
 * bytes.
 */
static size_t whole_lines(const char *at, size_t len)
{
	const char *newline = len > PIPE_BUF ? memrchr(at, '\n', PIPE_BUF) : NULL;

	if (newline)
		return newline + 1 - at;
	return len > PIPE_BUF ? PIPE_BUF : len;
}

/*
 * Write a part of the bytes; if @patient, first wait for room. Return: number of bytes, or -errno.
 */
static ssize_t write_some(int fd, const char *at, size_t len, bool patient)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };
	int rc = patient ? wait_for_room(fd) : 0;
	ssize_t n;

	if (rc)
		return rc;
	n = write(fd, at, patient ? whole_lines(at, len) : len);
	/* Another program that uses the terminal may have made it non-blocking. */
	if (n < 0 && errno == EAGAIN && (patient || poll(&room, 1, -1) >= 0))
		return 0;
	if (n < 0)
		return errno == EINTR ? 0 : -errno;
	return n;
}

static int write_all(int fd, const void *data, size_t len, bool patient)
{
	const char *at = data;

	while (len) {
		ssize_t n = write_some(fd, at, len, patient);

		if (n < 0) {
			take_back(fd, at - (const char *)data);
			return n;
		}
		at += n;
		len -= n;
	}
	return 0;
}

int file__write(int fd, const void *data, size_t len)
{
	return write_all(fd, data, len, false);
}

int file__write_stream(int fd, const void *data, size_t len)
{
	return write_all(fd, data, len, wait_for_room);
}

int file__write_any(int fd, const void *data, size_t len)
{
	return (file__is_regular(fd) ? file__write : file__write_stream)(fd, data, len);
}

/*
 * The umask decides who may read the new file. A link that another user put there is not followed.
 */
static int write_new(int dir, const char *name, const void *data, size_t len)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(dir, name, flags, 0666), rc;

	/* A killed run with the same process ID may have left the file. */
	if (fd < 0 && errno == EEXIST && !unlinkat(dir, name, 0))
		fd = openat(dir, name, flags, 0666);
	if (fd < 0)
		return -errno;
	rc = file__write(fd, data, len);
	if (close(fd) && !rc)
		rc = -errno;
	return rc;
}

static int cannot_write(const char *path, int code, struct err *err)
{
	return err__set(err, code, "cannot write %s: %s", path, strerror(code));
}

/* Find the file that a path leads to through links, and make a name beside it for the new text. */
static int find_replaced(const char *path, struct place *p, char *temporary, size_t size,
			 struct err *err)
{
	int rc = place__find(p, path, err);

	if (rc) {
		err__prefix(err, "cannot write %s: ", path);
		return rc;
	}
	if (p->exists && (p->magic || !S_ISREG(p->st.st_mode)))
		return err__set(err, EINVAL, "%s is not a regular file and cannot be replaced",
				path);
	snprintf(temporary, size, ".%s.%d.tmp", p->name, (int)getpid());
	return 0;
}

/*
 * Write a text to a temporary file in the same folder, and rename the temporary file to @path; with
 * @try, only remove the temporary file.
 */
static int replace(const char *path, const void *data, size_t len, bool try, struct err *err)
{
	char temporary[NAME_MAX + 32];
	struct place p;
	int rc = find_replaced(path, &p, temporary, sizeof(temporary), err);

	if (rc) {
		place__close(&p);
		return rc;
	}
	rc = write_new(p.dir, temporary, data, len);
	if (!rc && !try && renameat(p.dir, temporary, p.dir, p.name))
		rc = -errno;
	if (rc || try)
		unlinkat(p.dir, temporary, 0);
	place__close(&p);
	return rc ? cannot_write(path, -rc, err) : 0;
}

int file__replace(const char *path, const void *data, size_t len, struct err *err)
{
	return replace(path, data, len, false, err);
}

bool file__is_same(const char *a, const char *b)
{
	struct stat sa, sb;

	return !stat(a, &sa) && !stat(b, &sb) && S_ISREG(sa.st_mode) && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

int file__can_replace(const char *path, struct err *err)
{
	return replace(path, "", 0, true, err);
}

/* On a network file system a signal can interrupt open(). */
static int open_again(const char *path, int flags)
{
	int fd;

	do
		fd = open(path, flags | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	return fd;
}

/* Read and close @fd; if it is < 0, errno says why the file was not opened. */
static int read_open(const char *path, int fd, size_t max, char **text, size_t *len,
		     struct err *err)
{
	size_t got = 0;
	int rc;

	if (fd < 0) {
		rc = failure();
		return err__set(err, -rc, "cannot open %s: %s", path, strerror(-rc));
	}
	rc = file__read_fd(fd, max, text, &got);
	close(fd);
	if (rc == -EFBIG)
		return err__set(err, EFBIG, "%s is larger than %zu bytes", path, max);
	if (rc)
		return err__set(err, -rc, "cannot read %s: %s", path, strerror(-rc));
	if (len) {
		*len = got;
	} else if (memchr(*text, '\0', got)) {
		free(*text);
		*text = NULL;
		return err__set(err, EINVAL, "%s has a NUL byte, and is not text", path);
	}
	return 0;
}

int file__read(const char *path, size_t max, char **text, size_t *len, struct err *err)
{
	return read_open(path, open_again(path, O_RDONLY), max, text, len, err);
}

int file__read_regular(const char *path, size_t max, char **text, size_t *len, struct err *err)
{
	int fd = open_again(path, O_RDONLY | O_NONBLOCK);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && !S_ISREG(st.st_mode)) {
		close(fd);
		return err__set(err, EINVAL, "%s is not a regular file", path);
	}
	return read_open(path, fd, max, text, len, err);
}

/* Read the start of a file; the result is not NUL-terminated. Return: length, or -errno. */
static ssize_t vread_start(char *buf, size_t size, const char *fmt, va_list ap)
{
	char path[PATH_MAX];
	ssize_t len;
	int fd;

	if (vsnprintf(path, sizeof(path), fmt, ap) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open_again(path, O_RDONLY | O_NONBLOCK);
	if (fd < 0)
		return failure();
	len = read_full(fd, buf, size);
	/*
	 * A fifo in place of a small file has no writer: reading it gives an empty text, or
	 * -EAGAIN.
	 */
	if ((!len || len == -EAGAIN) && !file__is_regular(fd))
		len = -EINVAL;
	close(fd);
	return len;
}

int file__read_start(char *buf, size_t size, const char *fmt, ...)
{
	ssize_t len;
	va_list ap;

	va_start(ap, fmt);
	len = vread_start(buf, size - 1, fmt, ap);
	va_end(ap);
	if (len >= 0)
		buf[len] = '\0';
	return len;
}

static int vread_line(char *buf, size_t size, const char *fmt, va_list ap)
{
	ssize_t len = vread_start(buf, size, fmt, ap);
	char *end;

	if (len < 0)
		return len;
	end = memchr(buf, '\n', len);
	if (end)
		len = end - buf;
	if ((size_t)len == size)
		return -EFBIG;
	if (memchr(buf, '\0', len))
		return -EINVAL;
	while (len && isspace((unsigned char)buf[len - 1]))
		len--;
	buf[len] = '\0';
	return len;
}

int file__read_line(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = vread_line(buf, size, fmt, ap);
	va_end(ap);
	return rc;
}

int file__read_int(int *out, const char *fmt, ...)
{
	char buf[32];
	int64_t value;
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = vread_line(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	if (rc < 0)
		return rc;
	rc = num__parse_i64("", buf, INT_MIN, INT_MAX, &value, NULL);
	if (!rc)
		*out = value;
	return rc;
}

static int file__by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static DIR *vopen_dir(const char *fmt, va_list ap)
{
	char path[PATH_MAX];
	DIR *dir;

	errno = ENAMETOOLONG;
	if (vsnprintf(path, sizeof(path), fmt, ap) >= (int)sizeof(path))
		return NULL;
	do
		dir = opendir(path);
	while (!dir && errno == EINTR);
	return dir;
}

int file__list_dir(char ***names, int *nr, const char *fmt, ...)
{
	VEC(char *) got = { .at = NULL };
	struct dirent *entry;
	va_list ap;
	char *name;
	DIR *dir;
	int rc;

	va_start(ap, fmt);
	dir = vopen_dir(fmt, ap);
	va_end(ap);
	if (!dir)
		return failure();
	while ((errno = 0, entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		name = xstrdup(entry->d_name);
		if (!name || vec__push(&got, name)) {
			free(name);
			file__free_names(got.at, got.nr);
			closedir(dir);
			return -ENOMEM;
		}
	}
	rc = errno ? failure() : 0;
	closedir(dir);
	if (rc) {
		file__free_names(got.at, got.nr);
		return rc;
	}
	if (got.nr)
		qsort(got.at, got.nr, sizeof(*got.at), file__by_name);
	*names = got.at;
	*nr = got.nr;
	return 0;
}

void file__free_names(char **names, int nr)
{
	for (int i = 0; i < nr; i++)
		free(names[i]);
	free(names);
}

mode_t file__mode(const char *fmt, ...)
{
	char path[PATH_MAX];
	struct stat st;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	if (len >= (int)sizeof(path))
		return 0;
	if (!stat(path, &st))
		return st.st_mode;
	failure();
	return 0;
}
