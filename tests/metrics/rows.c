// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps each text of --format=prom -o FILE; tests preload this. In stepped time there are too many
 * texts per second to read them. Whenever a file gets its final name, its content is appended to
 * the file that TMA_TEST_ROWS names, and a line "# EOF" follows.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define END "# EOF\n"

static void append(int dir, const char *name)
{
	const char *path = getenv("TMA_TEST_ROWS");
	int from = path ? openat(dir, name, O_RDONLY | O_CLOEXEC) : -1;
	FILE *to = from >= 0 ? fopen(path, "ae") : NULL;
	char part[1 << 16];
	ssize_t len;

	while (to && (len = read(from, part, sizeof(part))) > 0)
		fwrite(part, 1, len, to);
	if (to && (fputs(END, to) < 0 || fclose(to))) {
		perror(path);
		abort();
	}
	if (from >= 0)
		close(from);
}

EXPORT int renameat(int old_dir, const char *old, int dir, const char *name)
{
	int (*next)(int, const char *, int, const char *) = dlsym(RTLD_NEXT, "renameat");
	int rc = next(old_dir, old, dir, name);

	if (!rc)
		append(dir, name);
	return rc;
}

EXPORT int renameat2(int old_dir, const char *old, int dir, const char *name, unsigned int flags)
{
	int (*next)(int, const char *, int, const char *, unsigned int) =
		dlsym(RTLD_NEXT, "renameat2");
	int rc = next(old_dir, old, dir, name, flags);

	if (!rc)
		append(dir, name);
	return rc;
}
