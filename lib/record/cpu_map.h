/* SPDX-License-Identifier: GPL-2.0-only */
/* Records have lists of CPUs in one of three forms: a range, a list or a mask. */
#ifndef TMA_RECORD_CPU_MAP_H
#define TMA_RECORD_CPU_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct cpulist;
struct err;
struct sb;

/**
 * cpu_map__write() - append a list of CPUs in the shortest form, padded to eight bytes
 * @cpus: NULL for "on any CPU that the task runs on"
 */
void cpu_map__write(struct sb *sb, const struct cpulist *cpus);
/**
 * cpu_map__read() - read a list of CPUs in any form
 * @data: the @len bytes of the list
 * @cpus: an empty list, to which the CPUs are added
 * @any:  set to whether the list also means "on any CPU that the task runs on"
 *
 * Return: 0; -EINVAL if the list is truncated, or has an unknown form.
 */
int cpu_map__read(const void *data, size_t len, struct cpulist *cpus, bool *any, struct err *err);

#endif
