/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An input is a file or a pipe. Reads are checked against its bounds, and every message names the
 * byte.
 */
#ifndef TMA_RECORD_INPUT_H
#define TMA_RECORD_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/**
 * struct input - a file or pipe, and the part of it that is buffered
 * @size:  bytes of a seekable file; UINT64_MAX for any other
 * @memory: the whole content, if it had to be read into memory
 * @buf:   bytes from @pos - @at on, @len of them, of which @at were taken; it has room for more
 *         than the largest record
 * @pos:   position of the next byte to be taken; @end: where to stop
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

/** input__init() - begin to read; the caller owns @fd and @name. */
int input__init(struct input *in, int fd, const char *name, struct err *err);
void input__free(struct input *in);
/** input__can_seek() - whether any part of it can be read. */
bool input__can_seek(const struct input *in);
/* Most bytes of a pipe that must be read into memory. */
#define INPUT_HOLD_MAX ((size_t)4 << 30)

/**
 * input__hold() - read the rest of it into memory, so that any part can be read
 * @max: most bytes; INPUT_HOLD_MAX for a known recording
 *
 * Before this, only input__peek() may have been used. Return: 0, -EFBIG or -errno.
 */
int input__hold(struct input *in, size_t max, struct err *err);
/**
 * input__peek() - return the first @size bytes, or as many as there are, without taking them.
 * -errno.
 */
int input__peek(struct input *in, size_t size, const char **data, size_t *len, struct err *err);
/**
 * input__read_at() - read a part of it, which must exist
 * @what: name of the part, for the message
 * @data: set to @size bytes and a NUL, which the caller frees
 */
int input__read_at(const struct input *in, uint64_t offset, uint64_t size, const char *what,
		   char **data, struct err *err);
/** input__go() - continue at @offset, up to @end. */
void input__go(struct input *in, uint64_t offset, uint64_t end);
/**
 * input__take() - take the next @size bytes
 * @data: valid until the next call
 *
 * Return: 1; 0 when there are none left; -EINVAL when there are fewer; -errno.
 */
int input__take(struct input *in, size_t size, const char **data, struct err *err);
/** input__damaged() - make a message with the place: "FILE: byte 123: ...". Return: -EINVAL. */
int input__damaged(const struct input *in, uint64_t offset, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
