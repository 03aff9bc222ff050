/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine for fuzz targets: a small sysfs, written once and removed at the end. */
#ifndef TMA_TESTS_FUZZ_MACHINE_H
#define TMA_TESTS_FUZZ_MACHINE_H

#include "fuzz.h"

#define ck_assert_ptr_nonnull(p) fuzz_check(p)
#include "../unit/fake_sysfs.h"

#include "machine/machine.h"

static char *fuzz_roots[8];
static int fuzz_nr_roots;
static pid_t fuzz_owner;

/* Each input of replay.c has a process of its own, none of which may remove what the others read.
 */
static void fuzz__remove_roots(void)
{
	for (int i = 0; i < fuzz_nr_roots && getpid() == fuzz_owner; i++)
		nftw(fuzz_roots[i], fake__remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* A directory of its own, removed at the end. */
static inline const char *fuzz__root(void)
{
	const char *tmp = getenv("TMPDIR");
	char *root = malloc(4096);

	fuzz_check(root && fuzz_nr_roots < 8);
	snprintf(root, 4096, "%s/tma-fuzz-XXXXXX", tmp ? tmp : "/tmp");
	fuzz_check(mkdtemp(root), "%s", root);
	if (!fuzz_nr_roots) {
		fuzz_owner = getpid();
		atexit(fuzz__remove_roots);
	}
	fuzz_roots[fuzz_nr_roots++] = root;
	return root;
}

/* The machine of @files and @more, which may be NULL. Both stay until the end. */
static inline struct machine *fuzz__machine(const struct fake_file *files,
					    const struct fake_file *more, const char *cpuid)
{
	const char *root = fuzz__root();
	struct machine *machine;
	char path[4096];

	for (; files->path; files++)
		fake__write(root, files->path, files->text);
	for (; more && more->path; more++)
		fake__write(root, more->path, more->text);
	snprintf(path, sizeof(path), "%s/sys", root);
	setenv("SYSFS_PATH", path, 1);
	snprintf(path, sizeof(path), "%s/proc", root);
	setenv("PROCFS_PATH", path, 1);
	setenv("PERF_CPUID", cpuid, 1);
	fuzz_check(!machine__new(&machine, NULL));
	return machine;
}

#endif
