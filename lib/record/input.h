/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An input is a file or a pipe. Every read is checked against the end of the input, and every
 * message names the byte.
 */
#ifndef TMA_RECORD_INPUT_H
#define TMA_RECORD_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/**
 * struct input - a file or pipe, with a buffer for a part of it
 * @size:  number of bytes of a seekable file; UINT64_MAX for any other input
 * @memory: the whole content, if it was read into memory
 * @buf:   buffer with @len bytes of the input; @at of them have been taken. It has room for more
 *         than the largest record
 * @pos:   position in the input of the next byte to be taken; @end: position at which reading stops
 */
struct input {
	int fd;
	const char *name;
	uint64_t size;
	char *memory;
	char *buf;
	size_t at, len;
	uint64_t pos, end;
};

/** input__init() - begin to read an input; the caller owns @fd and @name. */
int input__init(struct input *in, int fd, const char *name, struct err *err);
void input__free(struct input *in);
/** input__can_seek() - whether any part of the input can be read at any time. */
bool input__can_seek(const struct input *in);
/* The most bytes of a pipe that are read into memory. */
#define INPUT_HOLD_MAX ((size_t)4 << 30)

/**
 * input__hold() - read the rest of the input into memory, so that any part can be read at any time
 * @max: the most bytes to read; INPUT_HOLD_MAX if the input is known to be a recording
 *
 * Before this call, only input__peek() may have been called. Return: 0, -EFBIG or -errno.
 */
int input__hold(struct input *in, size_t max, struct err *err);
/**
 * input__peek() - get the next @size bytes, or all if there are fewer, without taking them. Return:
 * number of bytes, or -errno.
 */
int input__peek(struct input *in, size_t size, const char **data, size_t *len, struct err *err);
/**
 * input__read_at() - read a part of the input, which must exist
 * @what: name of the part, for the message
 * @data: set to memory with the @size bytes and a NUL, which the caller frees
 */
int input__read_at(const struct input *in, uint64_t offset, uint64_t size, const char *what,
		   char **data, struct err *err);
/** input__go() - continue at position @offset, and stop at @end. */
void input__go(struct input *in, uint64_t offset, uint64_t end);
/**
 * input__take() - take the next @size bytes
 * @data: valid until the next call
 *
 * Return: 1; 0 if no bytes are left; -EINVAL if fewer than @size bytes are left; -errno.
 */
int input__take(struct input *in, size_t size, const char **data, struct err *err);
/** input__damaged() - make a message with the place: "FILE: byte 123: ...". Return: -EINVAL. */
int input__damaged(const struct input *in, uint64_t offset, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
