/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of this stage share these. */
#ifndef TMA_MACHINE_INTERNAL_H
#define TMA_MACHINE_INTERNAL_H

#include <stddef.h>

#include "machine/machine.h"

#define PMU_LINE_MAX 4096 /* the kernel gives a sysfs line in one page at most */

/** machine__read_file() - read a file of at most @max bytes; NULL when it cannot be read. */
char *machine__read_file(size_t max, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#define CPULIST_TEXT_MAX 65536 /* 4096 CPUs, every second one offline, need some 20 KiB */
/** machine__is_whole() - whether all CPUs that there are are online. */
bool machine__is_whole(const struct machine *m);
/**
 * machine__read_cpulist() - read the CPUs in a file, and note one that is there and has no list
 *
 * Return: whether it could be read.
 */
bool machine__read_cpulist(const struct machine *m, struct cpulist *list, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/** machine__read_int() - as file__read_int(), and note a file that has something else. */
int machine__read_int(const struct machine *m, int *value, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/**
 * machine__note_odd() - keep the first file that could not be read, or not be understood, to be
 * told
 * @rc:  what reading it gave, 0 or -errno; -EINVAL or -ERANGE when its text cannot be meant
 * @fmt: its path
 *
 * A file that cannot be read is not missing; one that is missing is not noted. Return: @rc.
 */
int machine__note_odd(const struct machine *m, int rc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/**
 * cgroups__find_mount() - find where cgroups are mounted
 * @what: the option, for messages
 * @controller: a v1 hierarchy that has it wins: then the v2 one does not have it
 * @dir:  set to the directory
 *
 * Return: 0; -ENOENT where there are none.
 */
int cgroups__find_mount(const struct machine *m, const char *what, const char *controller,
			char *dir, size_t size, struct err *err);
/** machine__read_cpuid() - set cpuid and what is with it; its PMUs are listed. */
void machine__read_cpuid(struct machine *m);
/** cpuid__tsc_hz() - find the frequency in "Intel(R) Xeon(R) CPU @ 3.00GHz"; 0 when it has none. */
double cpuid__tsc_hz(const char *model_name);
/** pmu__new() - make a PMU of which nothing has been read. */
struct pmu *pmu__new(struct machine *m, const char *name, bool is_core);
/** pmu__free() - release a PMU. */
void pmu__free(struct pmu *pmu);
/** pmu__forget_terms() - release its formats and events. */
void pmu__forget_terms(struct pmu *pmu);
/** pmu_format__parse() - read "config1:0-7,32-55"; all bits are 0 when it is something else. */
void pmu_format__parse(const char *text, uint64_t bits[4]);
/** pmu__cmp_names() - compare names of PMUs, the instance number as a number. */
int pmu__cmp_names(const char *a, const char *b);
/** pmu__is_software_name() - tell whether it is software, tracepoint, breakpoint, msr or probes. */
bool pmu__is_software_name(const char *name);

#endif
