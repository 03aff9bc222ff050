// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "sim/fault.h"
#include "sim/raw.h"
#include "sim/tree_fault.h"

#define LONG_BYTES (128 * 1024)

/*
 * Remove the directory from a path of a PMU, which has two paths: /sys/bus/event_source/devices/cpu
 * is a link to /sys/devices/cpu.
 */
static const char *short_path(const char *path)
{
	static const char *const devices[] = { "/sys/bus/event_source/devices/", "/sys/devices/" };

	for (int i = 0; i < 2; i++)
		if (text__has_prefix(path, devices[i]))
			return path + strlen(devices[i]);
	return path;
}

const struct fault *tree_fault__find(const struct faults *faults, const char *path)
{
	const struct fault *f;

	vec__for_each(f, &faults->list)
		if (f->kind == FAULT_FILE && !strcmp(short_path(f->path), short_path(path)))
			return f;
	return NULL;
}

void tree_fault__remove(const struct faults *faults, const char *root,
			bool (*wrote)(const char *path))
{
	char from[PATH_MAX], to[PATH_MAX];
	const struct fault *f;
	int nr = 0;

	vec__for_each(f, &faults->list) {
		nr++;
		if (f->kind != FAULT_FILE || f->file != FAULT_FILE_MISSING || !wrote(f->path))
			continue;
		/* Renaming removes directories as well as files. */
		if (snprintf(from, sizeof(from), "%s%s", root, f->path) < (int)sizeof(from) &&
		    snprintf(to, sizeof(to), "%s/gone.%d", root, nr) < (int)sizeof(to))
			raw_syscall(SYS_renameat2, AT_FDCWD, (long)from, AT_FDCWD, (long)to, 0, 0);
	}
}

static long put(long fd, const char *text, size_t len)
{
	long rc = RAW(SYS_write, fd, text, len, 0);

	return rc < 0 ? rc : rc == (long)len ? 0 : -ENOSPC;
}

static long put_spoilt(long fd, const struct fault *f, const char *was)
{
	size_t len = strlen(was);
	long rc = 0;

	switch (f->file) {
	case FAULT_FILE_TEXT:
		rc = put(fd, f->text, strlen(f->text));
		return rc || !*f->text ? rc : put(fd, "\n", 1);
	case FAULT_FILE_QUOTED:
		rc = put(fd, "\"", 1);
		if (!rc)
			rc = put(fd, was, strcspn(was, "\n"));
		return rc ? rc : put(fd, "\"\n", 2);
	case FAULT_FILE_LONG:
		for (size_t n = 0; len && n < LONG_BYTES && !rc; n += len)
			rc = put(fd, was, len - (was[len - 1] == '\n'));
		return rc ? rc : put(fd, "\n", 1);
	default:
		return 0;
	}
}

/* Return: 0 or -errno */
static long write_spoilt(const char *spoilt, const struct fault *f, const char *from)
{
	static char was[16384];
	long fd, rc;

	RAW(SYS_unlinkat, AT_FDCWD, spoilt, 0, 0);
	if (f->file == FAULT_FILE_MISSING)
		return 0;
	/* /proc/self/mem can be opened, but its start cannot be read, since nothing is mapped. */
	if (f->file == FAULT_FILE_UNREADABLE)
		return RAW(SYS_symlinkat, "/proc/self/mem", AT_FDCWD, spoilt, 0);
	raw_read_file(from, was, sizeof(was));
	fd = RAW(SYS_openat, AT_FDCWD, spoilt, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return fd;
	rc = put_spoilt(fd, f, was);
	RAW(SYS_close, fd, 0, 0, 0);
	return rc;
}

int tree_fault__write(const struct fault *f, const char *root, const char **path, char *buf,
		      size_t size)
{
	char spoilt[PATH_MAX];
	int rc;

	if (f->file == FAULT_FILE_ERRNO)
		return f->error;
	if (snprintf(spoilt, sizeof(spoilt), "%s/spoilt", root) >= (int)size)
		return ENAMETOOLONG;
	rc = -write_spoilt(spoilt, f, *path);
	if (rc)
		return rc;
	memcpy(buf, spoilt, strlen(spoilt) + 1);
	*path = buf;
	return 0;
}
