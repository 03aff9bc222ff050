/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine for fuzz targets: a small sysfs, which is written once, and removed at the end. */
#ifndef TMA_TESTS_FUZZ_MACHINE_H
#define TMA_TESTS_FUZZ_MACHINE_H

#include "fuzz.h"

#define ck_assert_ptr_nonnull(p) fuzz_check(p)
#include "../unit/fake_sysfs.h"

#include "machine/machine.h"
#include "root.h"

/* Make a machine of @files and @more (which may be NULL). Both must stay valid until the end. */
static inline struct machine *fuzz__machine(const struct fake_file *files,
					    const struct fake_file *more, const char *cpuid)
{
	const char *root = fuzz__root();
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
	return machine__new();
}

#endif
