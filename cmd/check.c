// SPDX-License-Identifier: GPL-2.0-only
/* "perf check" and "perf version --build-options" tell scripts what a build can do. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <subcmd/parse-options.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "options.h"

/*
 * The names are those of perf 6.12, in perf's order. A feature is on if tma can do the same, by
 * whatever means: tma reads names of tracepoints without libtraceevent, and symbols without libelf.
 */
static const struct {
	const char *name, *macro;
	bool is_on;
} features[] = {
	{ "aio", "HAVE_AIO_SUPPORT", false },
	{ "bpf", "HAVE_LIBBPF_SUPPORT", true },
	{ "bpf_skeletons", "HAVE_BPF_SKEL", false },
	{ "debuginfod", "HAVE_DEBUGINFOD_SUPPORT", false },
	{ "dwarf", "HAVE_DWARF_SUPPORT", true },
	{ "dwarf_getlocations", "HAVE_DWARF_GETLOCATIONS_SUPPORT", false },
	{ "dwarf-unwind", "HAVE_DWARF_UNWIND_SUPPORT", false },
	{ "auxtrace", "HAVE_AUXTRACE_SUPPORT", false },
	{ "libaudit", "HAVE_LIBAUDIT_SUPPORT", false },
	{ "libbfd", "HAVE_LIBBFD_SUPPORT", false },
	{ "libcapstone", "HAVE_LIBCAPSTONE_SUPPORT", false },
	{ "libcrypto", "HAVE_LIBCRYPTO_SUPPORT", false },
	{ "libdw-dwarf-unwind", "HAVE_DWARF_SUPPORT", false },
	{ "libelf", "HAVE_LIBELF_SUPPORT", true },
	{ "libnuma", "HAVE_LIBNUMA_SUPPORT", false },
	{ "libopencsd", "HAVE_CSTRACE_SUPPORT", false },
	{ "libperl", "HAVE_LIBPERL_SUPPORT", false },
	{ "libpfm4", "HAVE_LIBPFM", false },
	{ "libpython", "HAVE_LIBPYTHON_SUPPORT", false },
	{ "libslang", "HAVE_SLANG_SUPPORT", false },
	{ "libtraceevent", "HAVE_LIBTRACEEVENT", true },
	{ "libunwind", "HAVE_LIBUNWIND_SUPPORT", false },
	{ "lzma", "HAVE_LZMA_SUPPORT", false },
	{ "numa_num_possible_cpus", "HAVE_LIBNUMA_SUPPORT", false },
	{ "syscall_table", "HAVE_SYSCALL_TABLE_SUPPORT", false },
	{ "zlib", "HAVE_ZLIB_SUPPORT", false },
	{ "zstd", "HAVE_ZSTD_SUPPORT", false },
};

static void print_feature(int i)
{
	printf("%22s: [ %-3s ]  # %s\n", features[i].name, features[i].is_on ? "on" : "OFF",
	       features[i].macro);
}

void check__print_features(void)
{
	for (int i = 0; i < array__nr(features); i++)
		print_feature(i);
}

/* Print a feature. Return: whether it is on. As in perf, @name may also be the feature's macro. */
static bool check_feature(const char *name, bool quiet)
{
	for (int i = 0; i < array__nr(features); i++) {
		if (strcasecmp(name, features[i].name) && strcasecmp(name, features[i].macro))
			continue;
		if (!quiet)
			print_feature(i);
		return features[i].is_on;
	}
	if (!quiet)
		say("unknown feature '%s'; 'perf version --build-options' lists them", name);
	return false;
}

int cmd_check(int argc, const char **argv)
{
	static const char *const usage[] = { "perf check [-q] feature NAME[,NAME...]", NULL };
	bool quiet = false, all_on = true;
	const struct option options[] = {
		OPT_BOOLEAN('q', "quiet", &quiet, "print nothing: the status tells"),
		OPT_END(),
	};
	auto_text names = NULL;
	char *save = NULL;

	argc = options__parse(argc, argv, options, usage, 0);
	if (argc != 2 || strcmp(argv[0], "feature")) {
		say("check takes 'feature' and names of features");
		return STATUS_USAGE;
	}
	names = xstrdup(argv[1]);
	for (char *name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save))
		all_on &= check_feature(name, quiet);
	return all_on ? 0 : 1;
}
