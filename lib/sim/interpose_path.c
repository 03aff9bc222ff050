// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replace functions of libc with a path argument: paths of the simulated machine's files are
 * redirected to the machine's directory.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/interpose.h"
#include "sim/tree.h"

/* Programs built with _FORTIFY_SOURCE, and old programs, call these functions of glibc. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);
char *__realpath_chk(const char *path, char *out, size_t size);
ssize_t __readlink_chk(const char *path, char *out, size_t size, size_t room);
int __xstat(int version, const char *path, struct stat *st);
int __lxstat(int version, const char *path, struct stat *st);
int __xstat64(int version, const char *path, struct stat64 *st);
int __lxstat64(int version, const char *path, struct stat64 *st);

#define REDIRECT(path, failure)                                   \
	char redirect_[PATH_MAX];                                 \
	if (!tree__redirect(&path, redirect_, sizeof(redirect_))) \
	return failure

static mode_t mode_argument(int flags, va_list ap)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(ap, mode_t) : 0;
}

#define DEFINE_OPEN(name, params, ...)                \
	INTERPOSE int name params                     \
	{                                             \
		va_list ap;                           \
		mode_t mode;                          \
		REDIRECT(path, -1);                   \
		va_start(ap, flags);                  \
		mode = mode_argument(flags, ap);      \
		va_end(ap);                           \
		return NEXT(name)(__VA_ARGS__, mode); \
	}
DEFINE_OPEN(open, (const char *path, int flags, ...), path, flags)
DEFINE_OPEN(open64, (const char *path, int flags, ...), path, flags)
DEFINE_OPEN(openat, (int dir, const char *path, int flags, ...), dir, path, flags)
DEFINE_OPEN(openat64, (int dir, const char *path, int flags, ...), dir, path, flags)

/* In all other functions the path is an ordinary argument; other arguments are passed on. */
#define DEFINE_FAILING(failure, type, name, params, ...) \
	INTERPOSE type name params                       \
	{                                                \
		REDIRECT(path, failure);                 \
		return NEXT(name)(__VA_ARGS__);          \
	}
#define DEFINE_PATH(...) DEFINE_FAILING(-1, __VA_ARGS__)
DEFINE_PATH(int, __open_2, (const char *path, int flags), path, flags)
DEFINE_PATH(int, __open64_2, (const char *path, int flags), path, flags)
DEFINE_PATH(int, __openat_2, (int dir, const char *path, int flags), dir, path, flags)
DEFINE_PATH(int, __openat64_2, (int dir, const char *path, int flags), dir, path, flags)
DEFINE_FAILING(NULL, FILE *, fopen, (const char *path, const char *mode), path, mode)
DEFINE_FAILING(NULL, FILE *, fopen64, (const char *path, const char *mode), path, mode)
DEFINE_PATH(int, access, (const char *path, int mode), path, mode)
DEFINE_PATH(int, eaccess, (const char *path, int mode), path, mode)
DEFINE_PATH(int, euidaccess, (const char *path, int mode), path, mode)
DEFINE_PATH(int, faccessat, (int dir, const char *path, int mode, int flags), dir, path, mode,
	    flags)
DEFINE_PATH(int, stat, (const char *path, struct stat *st), path, st)
DEFINE_PATH(int, lstat, (const char *path, struct stat *st), path, st)
DEFINE_PATH(int, stat64, (const char *path, struct stat64 *st), path, st)
DEFINE_PATH(int, lstat64, (const char *path, struct stat64 *st), path, st)
DEFINE_PATH(int, fstatat, (int dir, const char *path, struct stat *st, int flags), dir, path, st,
	    flags)
DEFINE_PATH(int, fstatat64, (int dir, const char *path, struct stat64 *st, int flags), dir, path,
	    st, flags)
DEFINE_PATH(int, statx,
	    (int dir, const char *path, int flags, unsigned int mask, struct statx *st), dir, path,
	    flags, mask, st)
DEFINE_FAILING(NULL, DIR *, opendir, (const char *path), path)
DEFINE_PATH(ssize_t, readlink, (const char *path, char *out, size_t size), path, out, size)
DEFINE_PATH(ssize_t, readlinkat, (int dir, const char *path, char *out, size_t size), dir, path,
	    out, size)
DEFINE_PATH(ssize_t, __readlink_chk, (const char *path, char *out, size_t size, size_t room), path,
	    out, size, room)
DEFINE_FAILING(NULL, char *, realpath, (const char *path, char *out), path, out)
DEFINE_FAILING(NULL, char *, __realpath_chk, (const char *path, char *out, size_t size), path, out,
	       size)
DEFINE_FAILING(NULL, char *, canonicalize_file_name, (const char *path), path)
DEFINE_PATH(int, scandir,
	    (const char *path, struct dirent ***names, int (*filter)(const struct dirent *),
	     int (*compare)(const struct dirent **, const struct dirent **)),
	    path, names, filter, compare)
DEFINE_PATH(int, scandir64,
	    (const char *path, struct dirent64 ***names, int (*filter)(const struct dirent64 *),
	     int (*compare)(const struct dirent64 **, const struct dirent64 **)),
	    path, names, filter, compare)
DEFINE_PATH(int, scandirat,
	    (int dir, const char *path, struct dirent ***names,
	     int (*filter)(const struct dirent *),
	     int (*compare)(const struct dirent **, const struct dirent **)),
	    dir, path, names, filter, compare)
DEFINE_PATH(int, scandirat64,
	    (int dir, const char *path, struct dirent64 ***names,
	     int (*filter)(const struct dirent64 *),
	     int (*compare)(const struct dirent64 **, const struct dirent64 **)),
	    dir, path, names, filter, compare)
DEFINE_PATH(int, chdir, (const char *path), path)

INTERPOSE ssize_t pread(int fd, void *buf, size_t size, off_t offset)
{
	tree__refresh();
	return NEXT(pread)(fd, buf, size, offset);
}

INTERPOSE ssize_t pread64(int fd, void *buf, size_t size, off64_t offset)
{
	tree__refresh();
	return NEXT(pread64)(fd, buf, size, offset);
}

/* Before glibc 2.33 stat() was a wrapper around these functions. */
#define DEFINE_XSTAT(name, now, type)                                                              \
	INTERPOSE int name(int version, const char *path, type *st)                                \
	{                                                                                          \
		(void)version;                                                                     \
		return now(path, st);                                                              \
	}
DEFINE_XSTAT(__xstat, stat, struct stat)
DEFINE_XSTAT(__lxstat, lstat, struct stat)
DEFINE_XSTAT(__xstat64, stat64, struct stat64)
DEFINE_XSTAT(__lxstat64, lstat64, struct stat64)
