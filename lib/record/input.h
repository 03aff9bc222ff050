/* SPDX-License-Identifier: GPL-2.0-only */
/* An input is a file or a pipe that is read within bounds, with the byte in every message. */
#ifndef TMA_RECORD_INPUT_H
#define TMA_RECORD_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/**
 * struct input
 * @size:  bytes of a file that can be gone back in; UINT64_MAX where that is not possible
 * @memory: its content, when that had to be taken in whole
 * @buf:   bytes at @pos - @at and further, @len of them, @at taken; it has room for
 *         more than a record can have
 * @pos:   place of the next byte to be taken; @end: where to stop
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

/** input__init() - @fd and @name stay the caller's. */
int input__init(struct input *in, int fd, const char *name, struct err *err);
void input__free(struct input *in);
/** input__can_seek() - tell whether any part of it can be asked for. */
bool input__can_seek(const struct input *in);
/* A pipe that must be taken in whole may be so long. */
#define INPUT_HOLD_MAX ((size_t)4 << 30)

/**
 * input__hold() - take in whatever is left of it, so that all of it can be asked for
 * @max: bytes at most; INPUT_HOLD_MAX for what is known to be a recording
 *
 * Only before anything but input__peek() has been used. Return: 0, -EFBIG or -errno.
 */
int input__hold(struct input *in, size_t max, struct err *err);
/**
 * input__peek() - look at the first @size bytes, or as many as there are, without taking them.
 * -errno.
 */
int input__peek(struct input *in, size_t size, const char **data, size_t *len, struct err *err);
/**
 * input__read_at() - read a part of it, which must be there
 * @what: what the message calls it
 * @data: set to @size bytes and a NUL, which the caller frees
 */
int input__read_at(const struct input *in, uint64_t offset, uint64_t size, const char *what,
		   char **data, struct err *err);
/** input__go() - go on with what follows from @offset on, up to @end. */
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
