/* SPDX-License-Identifier: GPL-2.0-only */
/* --cpuid: a CPU given by its id, by its model's name, or by a /proc/cpuinfo. */
#ifndef TMA_CMD_CPU_NAME_H
#define TMA_CMD_CPU_NAME_H

#include <stdbool.h>

struct err;
struct event_list;
struct sb;
struct tables;

/**
 * cpu_name__read() - find the id of a CPU from what a user calls it
 * @name:  "GenuineIntel-6-55-4", "0x00000000410fd490", "6-85-4" in decimal as Linux prints family,
 *         model and stepping, "skylakex", "Neoverse N2", or the path of a /proc/cpuinfo
 * @cpuid: appended to
 *
 * Return: 0; -EINVAL with the names of all models; -errno of the file.
 */
int cpu_name__read(const char *name, struct sb *cpuid, struct err *err);
/** cpu_name__has_events() - whether the tables of a CPU have any of some events. */
bool cpu_name__has_events(const char *cpuid, const struct event_list *events);
/**
 * cpu_name__put_fitting() - append the models whose tables have most of a file's events
 * @out:   their names are appended, a blank before each
 *
 * Return: how many events these have, 0 when no model has any.
 */
int cpu_name__put_fitting(const struct event_list *events, struct sb *out);

/**
 * cpu_name__put_unknown() - append which events of a file other models have, but a CPU does not
 * @t:     its tables
 * @out:   appended to: "skylakex does not know 2 of the events (A, B), but these do: alderlake"
 *
 * Return: whether there are any.
 */
bool cpu_name__put_unknown(const struct tables *t, const struct event_list *events, struct sb *out);

#endif
