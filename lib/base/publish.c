// SPDX-License-Identifier: GPL-2.0-only
#include "base/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/place.h"
#include "base/xalloc.h"

#define COPY_BYTES 65536

/**
 * struct twin - one of the two files
 * @fd:   descriptor; -1 if there is no file
 * @len:  bytes of the pieces that the file has
 */
struct twin {
	int fd;
	uint64_t len;
};

/**
 * struct publish - a file that grows
 * @path:   name of the file; NULL if it has none
 * @place:  where the file is
 * @hidden: name of the hidden file beside it
 * @stream: descriptor of a stream that pieces are written to instead; or -1
 * @written: the hidden file, or the file without a name
 * @seen:   the file that readers see
 * @len:    bytes of all pieces
 */
struct publish {
	char *path;
	struct place place;
	char hidden[NAME_MAX + 32];
	int stream;
	struct twin written, seen;
	uint64_t len;
};

/* The current file with a name; a program has at most one. */
static struct publish *under_way;

static int publish__fail(const struct publish *p, int rc, struct err *err)
{
	if (rc == -ETIMEDOUT)
		return err__set(err, ETIMEDOUT, "the page is lost: the run was ended, and nobody "
						"reads it");
	return err__set(err, -rc, "cannot write %s: %s", p->path ? p->path : "the page",
			strerror(-rc));
}

/* --- The hidden file ------------------------------------------------------------------------- */

/*
 * The umask decides who may read the new file. A link that another user put there is not followed.
 */
static int make_beside(int dir, const char *name)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(dir, name, flags, 0666);

	/* A killed run with the same process ID may have left the file. */
	if (fd < 0 && errno == EEXIST && !unlinkat(dir, name, 0))
		fd = openat(dir, name, flags, 0666);
	return fd < 0 ? -errno : fd;
}

static int publish__find_place(const char *path, struct place *place, char *hidden, size_t size,
			       struct err *err)
{
	int rc = place__find(place, path, err);

	if (rc) {
		err__prefix(err, "cannot write %s: ", path);
		return rc;
	}
	if (place->exists && (place->magic || !S_ISREG(place->st.st_mode)))
		return err__set(err, EINVAL, "%s is not a regular file and cannot be replaced",
				path);
	snprintf(hidden, size, ".%s.%d.tmp", place->name, (int)getpid());
	return 0;
}

static int make_nameless(void)
{
	FILE *f = tmpfile();
	int fd = f ? fcntl(fileno(f), F_DUPFD_CLOEXEC, 3) : -1;
	int rc = fd < 0 ? -errno : fd;

	if (f)
		fclose(f);
	return rc;
}

static int make_written(struct publish *p, struct err *err)
{
	int fd = p->path ? make_beside(p->place.dir, p->hidden) : make_nameless();

	if (fd < 0)
		return publish__fail(p, fd, err);
	p->written = (struct twin){.fd = fd};
	return 0;
}

static int publish__begin(struct publish *p, const char *path, struct err *err)
{
	int rc;

	if (!path)
		return make_written(p, err);
	p->path = xstrdup(path);
	rc = publish__find_place(path, &p->place, p->hidden, sizeof(p->hidden), err);
	rc = rc ?: make_written(p, err);
	if (!rc)
		under_way = p;
	return rc;
}

struct publish *publish__new(const char *path, int fd, struct err *err)
{
	struct publish *p = xcalloc(1, sizeof(*p));

	*p = (struct publish){
		.stream = path ? -1 : fd, .written.fd = -1, .seen.fd = -1, .place.dir = -1};
	if (p->stream >= 0 || !publish__begin(p, path, err))
		return p;
	publish__free(p);
	return NULL;
}

void publish__free(struct publish *p)
{
	if (!p)
		return;
	if (p->path && p->written.fd >= 0)
		unlinkat(p->place.dir, p->hidden, 0);
	if (under_way == p)
		under_way = NULL;
	if (p->written.fd >= 0)
		close(p->written.fd);
	if (p->seen.fd >= 0)
		close(p->seen.fd);
	if (p->place.dir >= 0)
		place__close(&p->place);
	free(p->path);
	free(p);
}

void publish__abandon(void)
{
	if (under_way)
		unlinkat(under_way->place.dir, under_way->hidden, 0);
}

/* --- Pieces ---------------------------------------------------------------------------------- */

static int write_at(int fd, uint64_t at, const char *text, size_t len)
{
	while (len) {
		ssize_t n = pwrite(fd, text, len, at);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			text += n;
			len -= n;
			at += n;
		}
	}
	return 0;
}

/* Copy the bytes from @to->len to @end of one file to the same place in another. */
static int copy(const struct twin *from, struct twin *to, uint64_t end)
{
	char *buf = xmalloc(COPY_BYTES);
	int rc = 0;

	while (!rc && to->len < end) {
		size_t most = end - to->len < COPY_BYTES ? end - to->len : COPY_BYTES;
		ssize_t n = pread(from->fd, buf, most, to->len);

		if (!n || (n < 0 && errno != EINTR)) {
			rc = n ? -errno : -EIO;
		} else if (n > 0) {
			rc = write_at(to->fd, to->len, buf, n);
			to->len += rc ? 0 : n;
		}
	}
	free(buf);
	return rc;
}

/* Append the pieces that the hidden file lacks; the seen file has them. */
static int catch_up(struct publish *p, struct err *err)
{
	int rc = p->written.fd < 0 ? make_written(p, err) : 0;

	if (rc)
		return rc;
	if (p->written.len < p->len)
		rc = copy(&p->seen, &p->written, p->len);
	return rc ? publish__fail(p, rc, err) : 0;
}

int publish__add(struct publish *p, const char *text, size_t len, struct err *err)
{
	int rc;

	if (p->stream >= 0) {
		rc = file__write_any(p->stream, text, len);
		return rc ? publish__fail(p, rc, err) : 0;
	}
	rc = catch_up(p, err);
	if (rc)
		return rc;
	rc = write_at(p->written.fd, p->len, text, len);
	if (rc)
		return publish__fail(p, rc, err);
	p->len += len;
	p->written.len = p->len;
	return 0;
}

/*
 * --- The seen file -------------------------------------------------------------------------------
 */

static bool publish__is_hidden(const struct publish *p, int fd)
{
	struct stat a, b;

	return !fstat(fd, &a) && !fstatat(p->place.dir, p->hidden, &b, AT_SYMLINK_NOFOLLOW) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Swap the names of both files: the file that readers saw so far becomes the hidden one. */
static int swap(struct publish *p)
{
	const struct twin seen = p->seen;
	int dir = p->place.dir;

	if (seen.fd >= 0 && !renameat2(dir, p->hidden, dir, p->place.name, RENAME_EXCHANGE)) {
		p->seen = p->written;
		p->written = seen;
		if (publish__is_hidden(p, seen.fd))
			return 0;
		/* Another program had replaced the seen file. */
		unlinkat(dir, p->hidden, 0);
		close(seen.fd);
		p->written.fd = -1;
		return 0;
	}
	if (renameat(dir, p->hidden, dir, p->place.name))
		return -errno;
	if (seen.fd >= 0)
		close(seen.fd);
	p->seen = p->written;
	p->written = (struct twin){.fd = -1};
	return 0;
}

int publish__show(struct publish *p, const char *end, size_t len, struct err *err)
{
	int rc;

	if (p->stream >= 0) {
		rc = file__write_any(p->stream, end, len);
		return rc ? publish__fail(p, rc, err) : 0;
	}
	rc = catch_up(p, err);
	if (rc)
		return rc;
	rc = write_at(p->written.fd, p->len, end, len);
	if (!rc && ftruncate(p->written.fd, p->len + len))
		rc = -errno;
	if (!rc && p->path)
		rc = swap(p);
	return rc ? publish__fail(p, rc, err) : 0;
}

/* Write all pieces and an end to a new file. Return: 0 or -errno. */
static int write_copy(struct publish *p, int fd, const char *end, size_t len)
{
	struct twin to = {.fd = fd};
	int rc = copy(&p->written, &to, p->len);

	return rc ?: write_at(fd, p->len, end, len);
}

int publish__save(struct publish *p, const char *path, const char *end, size_t len, struct err *err)
{
	char hidden[NAME_MAX + 32];
	struct place place = {.dir = -1};
	int rc = catch_up(p, err) ?: publish__find_place(path, &place, hidden, sizeof(hidden), err),
	    fd;

	if (rc) {
		if (place.dir >= 0)
			place__close(&place);
		return rc;
	}
	fd = make_beside(place.dir, hidden);
	rc = fd < 0 ? fd : write_copy(p, fd, end, len);
	if (fd >= 0 && close(fd) && !rc)
		rc = -errno;
	if (!rc && renameat(place.dir, hidden, place.dir, place.name))
		rc = -errno;
	if (rc && fd >= 0)
		unlinkat(place.dir, hidden, 0);
	place__close(&place);
	return rc ? err__set(err, -rc, "cannot write %s: %s", path, strerror(-rc)) : 0;
}
