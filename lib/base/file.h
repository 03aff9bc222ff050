/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A path comes in; the text of a small file, of sysfs or procfs above all, comes out, or goes into
 * it. Without memory (see xalloc.h) functions return -ENOMEM.
 */
#ifndef TMA_BASE_FILE_H
#define TMA_BASE_FILE_H

#include <stddef.h>
#include <sys/stat.h>

struct err;

/**
 * file__read() - read a whole small file as a string
 * @path: the file
 * @max:  largest size accepted, in bytes
 * @text: set on success: NUL-terminated, the caller frees it
 * @len:  set on success; NULL where a NUL byte would end the text
 *
 * Return: 0; -errno of open or read; -EFBIG when larger than @max; -EINVAL for a NUL byte where
 * @len is NULL.
 */
int file__read(const char *path, size_t max, char **text, size_t *len, struct err *err);

/**
 * file__read_regular() - read a file found in a folder, where a pipe is not waited for
 *
 * Return: as file__read(), and -EINVAL for what is not a regular file.
 */
int file__read_regular(const char *path, size_t max, char **text, size_t *len, struct err *err);

/**
 * file__read_fd() - read what is left of an open file, a pipe or a terminal, as a string
 *
 * Return: as file__read(), without a message.
 */
int file__read_fd(int fd, size_t max, char **text, size_t *len);

/**
 * file__open_regular() - open a file that somebody else may have named
 * @dir:   as for openat(): AT_FDCWD, or the folder that @name is in
 * @flags: more of open()'s, such as O_NOFOLLOW
 *
 * Nothing but a regular file is opened: opening a device may already do something.
 *
 * Return: a descriptor to read from, or -1.
 */
int file__open_regular(int dir, const char *name, int flags);

/** file__is_regular() - whether an open file is no pipe, socket or terminal. */
bool file__is_regular(int fd);

/**
 * file__write() - write all of it, whatever it takes: signals, and a terminal set not to block
 *
 * A regular file that cannot take all of it is cut to what it was, so that no text in it ends in
 * the middle.
 *
 * Return: 0 or -errno.
 */
int file__write(int fd, const void *data, size_t len);

/**
 * file__write_stream() - write all of it to a pipe, a socket or a terminal
 *
 * With file__set_wait() it gets whole lines, as many at a time as a pipe takes at once, so that no
 * line is cut where the write is given up. Without, it is as file__write().
 *
 * Return: 0, -errno, or what the wait returns.
 */
int file__write_stream(int fd, const void *data, size_t len);
/** file__write_any() - write all of it, as the one or the other, by what the file is. */
int file__write_any(int fd, const void *data, size_t len);
/**
 * file__set_wait() - set what waits where signals are blocked
 * @wait:  waits until a stream takes something. Return: 0, or -errno to give the write up; NULL:
 * the write waits itself, for ever
 * @pause: waits a moment for something to change. Return: 0, or -errno to give up; NULL:
 * file__pause() sleeps, and signals do what they do
 */
void file__set_wait(int (*wait)(int fd), int (*pause)(void));
/** file__pause() - wait a moment. Return: 0, or -errno when it is time to give up. */
int file__pause(void);

/**
 * file__replace() - put a text in a file's place as a whole
 * @path: the file, which need not be there yet; of a link, what it leads to
 *
 * It is written under another name beside it (".NAME.PID.tmp") and renamed, so that whoever opens
 * the file sees all of the old text or all of the new. Only regular files are replaced.
 *
 * Return: 0; -EINVAL for what is not a regular file; -errno.
 */
int file__replace(const char *path, const void *data, size_t len, struct err *err);

/** file__is_same() - tell whether two paths lead to one regular file. */
bool file__is_same(const char *a, const char *b);
/** file__can_replace() - try whether file__replace() will be able to. Return: as it does. */
int file__can_replace(const char *path, struct err *err);

/**
 * file__read_line() - read the first line of a file, without its newline and trailing blanks
 * @buf:  where to
 * @size: bytes of @buf; a longer line is -EFBIG, and one with a NUL byte -EINVAL, which is not text
 * @fmt:  printf format of the path
 *
 * Return: length, or -errno. Sets no message: a missing sysfs file is often no failure.
 */
int file__read_line(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * file__read_start() - read a file, or as much of its start as there is room for, as a string
 * @buf:  where to; NUL-terminated on success
 * @size: bytes of @buf
 * @fmt:  printf format of the path
 *
 * Allocates nothing. Return: length, or -errno.
 */
int file__read_start(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * file__read_int() - read a file of one decimal integer. Return: 0; or -errno, @out being unset.
 */
int file__read_int(int *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * file__list_dir() - list the names in a directory, sorted bytewise, without "." and ".."
 * @names: set on success to @nr pointers, which file__free_names() releases
 * @nr:    set to their number
 * @fmt:   printf format of the directory's path
 *
 * Return: 0 or -errno.
 */
int file__list_dir(char ***names, int *nr, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/** file__free_names() - release what file__list_dir() gave. */
void file__free_names(char **names, int nr);
/** file__mode() - give the type of a file and its permissions, or 0 when there is none. */
mode_t file__mode(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** file__exists() - tell whether a path, made as by printf(), can be stat()ed. */
#define file__exists(...) (file__mode(__VA_ARGS__) != 0)
/** file__is_dir() - tell whether it is a directory, or a link to one. */
#define file__is_dir(...) S_ISDIR(file__mode(__VA_ARGS__))

#endif
