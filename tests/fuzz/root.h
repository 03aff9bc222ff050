/* SPDX-License-Identifier: GPL-2.0-only */
/* Directories for the files that the code under test reads. */
#ifndef TMA_TESTS_FUZZ_ROOT_H
#define TMA_TESTS_FUZZ_ROOT_H

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

static struct {
	char *path;
	pid_t owner;
} fuzz_roots[8];
static int fuzz_nr_roots;

static int fuzz__remove(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

/*
 * replay.c starts a process for each input: such a process must not remove files that others read.
 */
static void fuzz__remove_roots(void)
{
	for (int i = 0; i < fuzz_nr_roots; i++)
		if (fuzz_roots[i].owner == getpid())
			nftw(fuzz_roots[i].path, fuzz__remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* A directory of this process, removed at its end. */
static inline const char *fuzz__root(void)
{
	const char *tmp = getenv("TMPDIR");
	char *path = malloc(4096);

	fuzz_check(path && fuzz_nr_roots < 8);
	snprintf(path, 4096, "%s/tma-fuzz-XXXXXX", tmp ? tmp : "/tmp");
	fuzz_check(mkdtemp(path), "%s", path);
	fuzz_roots[fuzz_nr_roots].path = path;
	fuzz_roots[fuzz_nr_roots++].owner = getpid();
	atexit(fuzz__remove_roots);
	return path;
}

#endif
