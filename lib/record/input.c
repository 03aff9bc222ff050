// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "record/input.h"

#define CHUNK (128 << 10)
/* The largest part of a file that is read into memory; it is enough for the CPUs of any machine. */
#define PART_MAX (UINT64_C(256) << 20)

static int input__failed(const struct input *in, int code, struct err *err)
{
	return err__set(err, code, "cannot read %s: %s", in->name, strerror(code));
}

int input__damaged(const struct input *in, uint64_t offset, struct err *err, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err__set(err, EINVAL, "%s: byte %" PRIu64 ": %s", in->name, offset, what);
}

int input__init(struct input *in, int fd, const char *name, struct err *err)
{
	struct stat st;

	*in = (struct input){ .fd = fd, .name = name, .size = UINT64_MAX, .end = UINT64_MAX };
	if (fstat(fd, &st))
		return input__failed(in, errno, err);
	if (S_ISDIR(st.st_mode))
		return input__failed(in, EISDIR, err);
	if (S_ISREG(st.st_mode))
		in->size = in->end = st.st_size;
	in->buf = xmalloc(CHUNK);
	return 0;
}

void input__free(struct input *in)
{
	free(in->memory);
	free(in->buf);
	in->memory = in->buf = NULL;
}

bool input__can_seek(const struct input *in)
{
	return in->size != UINT64_MAX;
}

/*
 * Read at an offset of a file, or read the next bytes of a pipe. Return: number of bytes, 0 at the
 * end, or -errno.
 */
static ssize_t read_some(const struct input *in, void *buf, size_t size, uint64_t offset)
{
	ssize_t n;

	if (in->memory) {
		if (offset >= in->size)
			return 0;
		if (size > in->size - offset)
			size = in->size - offset;
		memcpy(buf, in->memory + offset, size);
		return size;
	}
	do
		n = input__can_seek(in) ? pread(in->fd, buf, size, offset)
					: read(in->fd, buf, size);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/* Fill the buffer with @size bytes, or with all bytes if there are fewer. */
static int input__fill(struct input *in, size_t size, struct err *err)
{
	uint64_t left = in->end - in->pos;

	if (size > left)
		size = left;
	if (in->at && in->len - in->at < size) {
		memmove(in->buf, in->buf + in->at, in->len - in->at);
		in->len -= in->at;
		in->at = 0;
	}
	while (in->len - in->at < size) {
		size_t room = CHUNK - in->len;
		uint64_t next = in->pos + (in->len - in->at);
		ssize_t n;

		if (room > in->end - next)
			room = in->end - next;
		n = read_some(in, in->buf + in->len, room, next);
		if (n < 0)
			return input__failed(in, -n, err);
		if (!n)
			break;
		in->len += n;
	}
	return 0;
}

int input__peek(struct input *in, size_t size, const char **data, size_t *len, struct err *err)
{
	int rc = input__fill(in, size, err);

	*data = in->buf + in->at;
	*len = in->len - in->at < size ? in->len - in->at : size;
	return rc;
}

int input__hold(struct input *in, size_t max, struct err *err)
{
	char *rest;
	size_t len;
	int rc;

	if (input__can_seek(in)) {
		in->len = 0;
		lseek(in->fd, 0, SEEK_SET);
	}
	rc = file__read_fd(in->fd, max, &rest, &len);
	if (rc)
		return input__failed(in, -rc, err);
	in->memory = xreallocarray(rest, in->len + len + 1, 1);
	memmove(in->memory + in->len, in->memory, len);
	memcpy(in->memory, in->buf, in->len);
	in->size = in->end = in->len + len;
	in->memory[in->size] = '\0';
	return 0;
}

int input__read_at(const struct input *in, uint64_t offset, uint64_t size, const char *what,
		   char **data, struct err *err)
{
	uint64_t got = 0;
	ssize_t n = 1;
	char *buf;

	if (offset > in->size || size > in->size - offset)
		return input__damaged(in, offset, err,
				      "%s would be %" PRIu64 " bytes, and the file ends at byte %" PRIu64,
				      what, size, in->size);
	if (size > PART_MAX)
		return input__damaged(in, offset, err, "%s has %" PRIu64 " bytes, more than any has",
				      what, size);
	buf = xmalloc(size + 1);
	while (got < size && n > 0) {
		n = read_some(in, buf + got, size - got, offset + got);
		got += n > 0 ? n : 0;
	}
	if (got < size) {
		free(buf);
		return n < 0 ? input__failed(in, -n, err)
			     : input__damaged(in, offset + got, err, "the file ends within %s", what);
	}
	buf[size] = '\0';
	*data = buf;
	return 0;
}

void input__go(struct input *in, uint64_t offset, uint64_t end)
{
	in->at = in->len = 0;
	in->pos = offset;
	in->end = end;
}

int input__take(struct input *in, size_t size, const char **data, struct err *err)
{
	int rc = input__fill(in, size, err);
	size_t have = in->len - in->at;

	if (rc)
		return rc;
	if (!have && size)
		return 0;
	if (have < size)
		return input__damaged(in, in->pos, err, "the file ends within a record");
	*data = in->buf + in->at;
	in->at += size;
	in->pos += size;
	return 1;
}
