/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that the files of lib/machine share. */
#ifndef TMA_MACHINE_INTERNAL_H
#define TMA_MACHINE_INTERNAL_H

#include <stddef.h>

#include "machine/machine.h"

#define PMU_LINE_MAX 4096 /* a sysfs file has at most one page */

/** machine__read_file() - read a file of at most @max bytes; NULL if it cannot be read. */
char *machine__read_file(size_t max, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#define CPULIST_TEXT_MAX 65536 /* need of 4096 CPUs with every second offline: 20 KiB */
/** machine__is_whole() - tell whether all present CPUs are online. */
bool machine__is_whole(const struct machine *m);
/**
 * machine__read_cpulist() - read a list of CPUs from a file; a file without such a list is noted
 *
 * Return: whether a list was read.
 */
bool machine__read_cpulist(const struct machine *m, struct cpulist *list, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/** machine__read_int() - call file__read_int(); a file with other contents is noted. */
int machine__read_int(const struct machine *m, int *value, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/**
 * machine__note_odd() - remember the first file that could not be read or understood, for a message
 * @rc:  result of reading the file, 0 or -errno; -EINVAL or -ERANGE if its text makes no sense
 * @fmt: path of the file
 *
 * A missing file is not noted; a file that cannot be read is. Return: @rc.
 */
int machine__note_odd(const struct machine *m, int rc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/**
 * cgroups__find_mount() - find where cgroups are mounted
 * @what: the option, for messages
 * @controller: a v1 hierarchy with this controller is preferred, since the v2 hierarchy then lacks
 *              the controller
 * @dir:  set to the directory
 *
 * Return: 0; -ENOENT if no cgroups are mounted.
 */
int cgroups__find_mount(const struct machine *m, const char *what, const char *controller,
			char *dir, size_t size, struct err *err);
/**
 * machine__read_cpuid() - set machine.cpuid and the members that depend on it; PMUs must be listed.
 */
void machine__read_cpuid(struct machine *m);
/**
 * cpuid__tsc_hz() - find the frequency in "Intel(R) Xeon(R) CPU @ 3.00GHz"; 0 if the text has none.
 */
double cpuid__tsc_hz(const char *model_name);
/** pmu__new() - make a PMU whose files are not read yet. */
struct pmu *pmu__new(struct machine *m, const char *name, bool is_core);
/** pmu__free() - release a PMU. */
void pmu__free(struct pmu *pmu);
/** pmu__forget_terms() - release a PMU's formats and events. */
void pmu__forget_terms(struct pmu *pmu);
/** pmu_format__parse() - parse "config1:0-7,32-55"; for other texts all bits are 0. */
void pmu_format__parse(const char *text, uint64_t bits[4]);
/** pmu__cmp_names() - compare names of PMUs; instance numbers are compared as numbers. */
int pmu__cmp_names(const char *a, const char *b);
/**
 * pmu__is_software_name() - tell whether a PMU's name is software, tracepoint, breakpoint, msr,
 * kprobe or uprobe.
 */
bool pmu__is_software_name(const char *name);

#endif
