/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read and write small files, most of them in sysfs and procfs. Without memory (see xalloc.h)
 * functions return -ENOMEM.
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
 * @len:  set to its length on success; NULL if the file must be text without NUL bytes
 *
 * Return: 0; -errno of open or read; -EFBIG when larger than @max; -EINVAL for a NUL byte if @len
 * is NULL.
 */
int file__read(const char *path, size_t max, char **text, size_t *len, struct err *err);

/**
 * file__read_regular() - read a regular file that was found in a folder
 *
 * A fifo is refused, so the program does not wait for a writer.
 *
 * Return: as file__read(), and -EINVAL for files that are not regular.
 */
int file__read_regular(const char *path, size_t max, char **text, size_t *len, struct err *err);

/**
 * file__read_fd() - read the rest of an open file, pipe or terminal as a string
 *
 * Return: as file__read(), without a message.
 */
int file__read_fd(int fd, size_t max, char **text, size_t *len);

/**
 * file__open_regular() - open a file whose name another user may have chosen
 * @dir:   directory for openat(): AT_FDCWD, or the folder that has @name
 * @flags: more flags of open(), such as O_NOFOLLOW
 *
 * Only a regular file is opened, since opening a device can have effects.
 *
 * Return: a descriptor to read from, or -1.
 */
int file__open_regular(int dir, const char *name, int flags);

/** file__is_regular() - tell whether an open file is regular: not a pipe, socket or terminal. */
bool file__is_regular(int fd);

/**
 * file__write() - write all bytes, continuing after signals and on non-blocking descriptors
 *
 * If a regular file cannot take all bytes, it is cut to its former length, so that it does not end
 * in the middle of a text.
 *
 * Return: 0 or -errno.
 */
int file__write(int fd, const void *data, size_t len);

/**
 * file__write_stream() - write all bytes to a pipe, a socket or a terminal
 *
 * If file__set_wait() has set a wait, each write has only whole lines that the pipe takes in one
 * step, so that giving up does not cut a line. Otherwise the function works like file__write().
 *
 * Return: 0, -errno, or the result of the wait.
 */
int file__write_stream(int fd, const void *data, size_t len);
/**
 * file__write_any() - write all bytes with file__write() or file__write_stream(), depending on the
 * file.
 */
int file__write_any(int fd, const void *data, size_t len);
/**
 * file__set_wait() - set the functions that wait while signals are blocked
 * @wait:  waits until a stream has room. Return: 0, or -errno to give up the write; NULL: the
 *         kernel waits in write(), without a limit
 * @pause: waits a moment for something to change. Return: 0, or -errno to give up; NULL:
 *         file__pause() sleeps, and signals have their usual effect
 */
void file__set_wait(int (*wait)(int fd), int (*pause)(void));
/** file__pause() - wait a moment. Return: 0, or -errno when it is time to give up. */
int file__pause(void);

/**
 * file__replace() - replace a file's contents in one step
 * @path: the file, which may be missing; if it is a link, the file that it leads to
 *
 * The text is written to another file beside it (".NAME.PID.tmp") and renamed, so that readers see
 * either the whole old text or the whole new text. Only regular files are replaced.
 *
 * Return: 0; -EINVAL for files that are not regular; -errno.
 */
int file__replace(const char *path, const void *data, size_t len, struct err *err);

/** file__is_same() - tell whether two paths lead to the same regular file. */
bool file__is_same(const char *a, const char *b);
/**
 * file__can_replace() - check whether file__replace() would succeed. Return: as file__replace().
 */
int file__can_replace(const char *path, struct err *err);

/**
 * file__read_line() - read the first line of a file, without its newline and trailing blanks
 * @buf:  set to the line, NUL-terminated
 * @size: bytes of @buf
 * @fmt:  printf format of the path
 *
 * Return: the line's length; -EFBIG if it is longer than @buf; -EINVAL if it has a NUL byte;
 * -errno. There is no message, since a missing sysfs file often is not a failure.
 */
int file__read_line(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * file__read_start() - read a file as a string, up to the size of a buffer
 * @buf:  set to the text, NUL-terminated, on success
 * @size: bytes of @buf
 * @fmt:  printf format of the path
 *
 * It allocates nothing. Return: length, or -errno.
 */
int file__read_start(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * file__read_int() - read a file that holds one decimal integer
 *
 * Return: 0; or -errno, and @out is not changed.
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
/** file__free_names() - release the result of file__list_dir(). */
void file__free_names(char **names, int nr);
/** file__mode() - return the type and permissions of a file, or 0 if it does not exist. */
mode_t file__mode(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** file__exists() - tell whether a path exists; the arguments are those of printf(). */
#define file__exists(...) (file__mode(__VA_ARGS__) != 0)
/** file__is_dir() - tell whether a path is a directory, or a link to one. */
#define file__is_dir(...) S_ISDIR(file__mode(__VA_ARGS__))

#endif
