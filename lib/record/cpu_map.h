/* SPDX-License-Identifier: GPL-2.0-only */
/* Records have a list of CPUs in one of three forms: a range, a list or a mask. */
#ifndef TMA_RECORD_CPU_MAP_H
#define TMA_RECORD_CPU_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct cpulist;
struct err;
struct sb;

/**
 * cpu_map__write() - append the shortest form, padded to eight bytes
 * @cpus: NULL for "wherever the task runs"
 */
void cpu_map__write(struct sb *sb, const struct cpulist *cpus);
/**
 * cpu_map__read() - read any form
 * @data: @len bytes
 * @cpus: an empty list
 * @any:  set to whether it also means "wherever the task runs"
 *
 * Return: 0; -EINVAL if it is truncated, or has an unknown form.
 */
int cpu_map__read(const void *data, size_t len, struct cpulist *cpus, bool *any, struct err *err);

#endif
