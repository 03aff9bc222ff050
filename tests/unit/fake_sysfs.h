/* SPDX-License-Identifier: GPL-2.0-only */
/* Small sysfs and procfs trees in a temporary directory, for tests of machines that are not
 * available. */
#ifndef TMA_TESTS_FAKE_SYSFS_H
#define TMA_TESTS_FAKE_SYSFS_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PMUS "sys/bus/event_source/devices/"

struct fake_file {
	const char *path, *text;
};

/* An Alder Lake with two P-cores of two threads each, and two E-cores. */
static const struct fake_file fake_alderlake[] = {
	{ "sys/devices/system/cpu/online", "0-5\n" },
	{ "sys/devices/system/cpu/present", "0-5\n" },
	{ "sys/devices/system/cpu/possible", "0-7\n" },
	{ "sys/devices/system/cpu/smt/active", "1\n" },
	{ PMUS "cpu_core/type", "4\n" },
	{ PMUS "cpu_core/cpus", "0-3\n" },
	{ PMUS "cpu_core/caps/max_precise", "3\n" },
	{ PMUS "cpu_core/format/event", "config:0-7\n" },
	{ PMUS "cpu_core/format/umask", "config:8-15\n" },
	{ PMUS "cpu_core/format/edge", "config:18\n" },
	{ PMUS "cpu_core/format/inv", "config:23\n" },
	{ PMUS "cpu_core/format/cmask", "config:24-31\n" },
	{ PMUS "cpu_core/format/ldlat", "config1:0-15\n" },
	{ PMUS "cpu_core/format/frontend", "config1:0-23\n" },
	{ PMUS "cpu_core/format/offcore_rsp", "config1:0-63\n" },
	{ PMUS "cpu_core/events/cpu-cycles", "event=0x3c\n" },
	{ PMUS "cpu_core/events/instructions", "event=0xc0\n" },
	{ PMUS "cpu_core/events/branch-misses", "event=0xc5\n" },
	{ PMUS "cpu_core/events/slots", "event=0x00,umask=0x4\n" },
	{ PMUS "cpu_core/events/topdown-retiring", "event=0x00,umask=0x80\n" },
	{ PMUS "cpu_core/events/topdown-bad-spec", "event=0x00,umask=0x81\n" },
	{ PMUS "cpu_core/events/topdown-fe-bound", "event=0x00,umask=0x82\n" },
	{ PMUS "cpu_core/events/topdown-be-bound", "event=0x00,umask=0x83\n" },
	{ PMUS "cpu_core/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n" },
	{ PMUS "cpu_atom/type", "8\n" },
	{ PMUS "cpu_atom/cpus", "4-5\n" },
	{ PMUS "cpu_atom/format/event", "config:0-7\n" },
	{ PMUS "cpu_atom/format/umask", "config:8-15\n" },
	{ PMUS "cpu_atom/format/edge", "config:18\n" },
	{ PMUS "cpu_atom/format/inv", "config:23\n" },
	{ PMUS "cpu_atom/format/cmask", "config:24-31\n" },
	{ PMUS "cpu_atom/format/offcore_rsp", "config1:0-63\n" },
	{ PMUS "cpu_atom/events/cpu-cycles", "event=0x3c\n" },
	{ PMUS "cpu_atom/events/instructions", "event=0xc0\n" },
	{ PMUS "cpu_atom/events/topdown-retiring", "event=0xc2,umask=0x0\n" },
	{ PMUS "cpu_atom/events/topdown-bad-spec", "event=0x73,umask=0x0\n" },
	{ PMUS "uncore_arb_0/type", "20\n" },
	{ PMUS "uncore_arb_0/cpumask", "0\n" },
	{ PMUS "uncore_arb_0/format/event", "config:0-7\n" },
	{ PMUS "uncore_arb_0/format/umask", "config:8-15\n" },
	{ PMUS "uncore_arb_0/format/threshold", "config:24-29\n" },
	{ PMUS "uncore_imc_free_running_0/type", "21\n" },
	{ PMUS "uncore_imc_free_running_0/cpumask", "0\n" },
	{ PMUS "uncore_imc_free_running_0/format/event", "config:0-7\n" },
	{ PMUS "uncore_imc_free_running_0/format/umask", "config:8-15\n" },
	{ PMUS "uncore_imc_free_running_0/events/data_read", "event=0xff,umask=0x20\n" },
	{ PMUS "uncore_imc_free_running_0/events/data_read.scale", "6.103515625e-5\n" },
	{ PMUS "uncore_imc_free_running_0/events/data_read.unit", "MiB\n" },
	{ PMUS "uncore_imc_free_running_1/type", "22\n" },
	{ PMUS "uncore_imc_free_running_1/cpumask", "0\n" },
	{ PMUS "uncore_imc_free_running_1/format/event", "config:0-7\n" },
	{ PMUS "uncore_imc_free_running_1/format/umask", "config:8-15\n" },
	{ PMUS "uncore_imc_free_running_1/events/data_read", "event=0xff,umask=0x20\n" },
	{ PMUS "uncore_imc_free_running_1/events/data_read.scale", "6.103515625e-5\n" },
	{ PMUS "uncore_imc_free_running_1/events/data_read.unit", "MiB\n" },
	{ PMUS "msr/type", "15\n" },
	{ PMUS "msr/format/event", "config:0-63\n" },
	{ PMUS "msr/events/tsc", "event=0x00\n" },
	{ PMUS "software/type", "1\n" },
	{ PMUS "tracepoint/type", "2\n" },
	{ PMUS "breakpoint/type", "5\n" },
	{ NULL, NULL },
};

/* A Xeon with eight counters: two packages with one core each, of two threads. */
static const struct fake_file fake_xeon[] = {
	{ "sys/devices/system/cpu/online", "0-3\n" },
	{ "sys/devices/system/cpu/present", "0-3\n" },
	{ "sys/devices/system/cpu/possible", "0-3\n" },
	{ PMUS "cpu/type", "4\n" },
	{ PMUS "cpu/caps/max_precise", "3\n" },
	{ PMUS "cpu/format/event", "config:0-7\n" },
	{ PMUS "cpu/format/umask", "config:8-15\n" },
	{ PMUS "cpu/format/edge", "config:18\n" },
	{ PMUS "cpu/format/pc", "config:19\n" },
	{ PMUS "cpu/format/any", "config:21\n" },
	{ PMUS "cpu/format/inv", "config:23\n" },
	{ PMUS "cpu/format/cmask", "config:24-31\n" },
	{ PMUS "cpu/format/in_tx", "config:32\n" },
	{ PMUS "cpu/format/in_tx_cp", "config:33\n" },
	{ PMUS "cpu/format/ldlat", "config1:0-15\n" },
	{ PMUS "cpu/format/frontend", "config1:0-23\n" },
	{ PMUS "cpu/format/offcore_rsp", "config1:0-63\n" },
	{ PMUS "cpu/events/cpu-cycles", "event=0x3c\n" },
	{ PMUS "cpu/events/instructions", "event=0xc0\n" },
	{ PMUS "cpu/events/branch-misses", "event=0xc5\n" },
	{ PMUS "cpu/events/slots", "event=0x00,umask=0x4\n" },
	{ PMUS "cpu/events/topdown-retiring", "event=0x00,umask=0x80\n" },
	{ PMUS "cpu/events/topdown-bad-spec", "event=0x00,umask=0x81\n" },
	{ PMUS "cpu/events/topdown-fe-bound", "event=0x00,umask=0x82\n" },
	{ PMUS "cpu/events/topdown-be-bound", "event=0x00,umask=0x83\n" },
	{ PMUS "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n" },
	{ PMUS "uncore_imc_0/type", "30\n" },
	{ PMUS "uncore_imc_0/cpumask", "0,2\n" },
	{ PMUS "uncore_imc_0/format/event", "config:0-7\n" },
	{ PMUS "uncore_imc_0/format/umask", "config:8-15\n" },
	{ PMUS "uncore_imc_0/events/cas_count_read", "event=0x05,umask=0xcf\n" },
	{ PMUS "uncore_imc_0/events/cas_count_read.scale", "6.103515625e-5\n" },
	{ PMUS "uncore_imc_0/events/cas_count_read.unit", "MiB\n" },
	{ PMUS "uncore_imc_2/type", "31\n" },
	{ PMUS "uncore_imc_2/cpumask", "0,2\n" },
	{ PMUS "uncore_imc_2/format/event", "config:0-7\n" },
	{ PMUS "uncore_imc_2/format/umask", "config:8-15\n" },
	{ PMUS "uncore_imc_2/events/cas_count_read", "event=0x05,umask=0xcf\n" },
	{ PMUS "uncore_imc_2/events/cas_count_read.scale", "6.103515625e-5\n" },
	{ PMUS "uncore_imc_2/events/cas_count_read.unit", "MiB\n" },
	{ PMUS "uncore_imc_10/type", "32\n" },
	{ PMUS "uncore_imc_10/cpumask", "0,2\n" },
	{ PMUS "uncore_imc_10/format/event", "config:0-7\n" },
	{ PMUS "uncore_imc_10/format/umask", "config:8-15\n" },
	{ PMUS "uncore_imc_10/events/cas_count_read", "event=0x05,umask=0xcf\n" },
	{ PMUS "uncore_imc_10/events/cas_count_read.scale", "6.103515625e-5\n" },
	{ PMUS "uncore_imc_10/events/cas_count_read.unit", "MiB\n" },
	{ PMUS "uncore_cha_0/type", "40\n" },
	{ PMUS "uncore_cha_0/cpumask", "0,2\n" },
	{ PMUS "uncore_cha_0/format/event", "config:0-7\n" },
	{ PMUS "uncore_cha_0/format/umask", "config:8-15,32-55\n" },
	{ PMUS "uncore_cha_0/format/edge", "config:18\n" },
	{ PMUS "uncore_cha_0/format/thresh", "config:24-31\n" },
	{ PMUS "uncore_cha_1/type", "41\n" },
	{ PMUS "uncore_cha_1/cpumask", "0,2\n" },
	{ PMUS "uncore_cha_1/format/event", "config:0-7\n" },
	{ PMUS "uncore_cha_1/format/umask", "config:8-15,32-55\n" },
	{ PMUS "uncore_cha_1/format/edge", "config:18\n" },
	{ PMUS "uncore_cha_1/format/thresh", "config:24-31\n" },
	{ PMUS "power/type", "12\n" },
	{ PMUS "power/cpumask", "0,2\n" },
	{ PMUS "power/format/event", "config:0-7\n" },
	{ PMUS "power/events/energy-pkg", "event=0x02\n" },
	{ PMUS "power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n" },
	{ PMUS "power/events/energy-pkg.unit", "Joules\n" },
	{ PMUS "msr/type", "15\n" },
	{ PMUS "msr/format/event", "config:0-63\n" },
	{ PMUS "msr/events/tsc", "event=0x00\n" },
	{ PMUS "msr/events/pperf", "event=0x04\n" },
	{ PMUS "software/type", "1\n" },
	{ PMUS "tracepoint/type", "2\n" },
	{ PMUS "breakpoint/type", "5\n" },
	{ NULL, NULL },
};

/* Write @text to the file @path below @root, and make the missing directories. */
static inline void fake__write(const char *root, const char *path, const char *text)
{
	char full[4096];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

/* Make a tree in a new directory; from then on SYSFS_PATH and PROCFS_PATH name it. */
static inline char *fake__new(const struct fake_file *files)
{
	char *root = strdup("/tmp/tma-test-XXXXXX"), path[4096];

	ck_assert_ptr_nonnull(mkdtemp(root));
	fake__write(root, "proc/sys/kernel/perf_event_paranoid", "2\n");
	for (; files && files->path; files++)
		fake__write(root, files->path, files->text);
	snprintf(path, sizeof(path), "%s/sys", root);
	setenv("SYSFS_PATH", path, 1);
	snprintf(path, sizeof(path), "%s/proc", root);
	setenv("PROCFS_PATH", path, 1);
	return root;
}

static inline int fake__remove(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void fake__free(char *root)
{
	nftw(root, fake__remove, 16, FTW_DEPTH | FTW_PHYS);
	free(root);
	unsetenv("SYSFS_PATH");
	unsetenv("PROCFS_PATH");
}

#endif
