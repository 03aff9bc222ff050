/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the CPU that --cpuid names: by its id, by the name of its model, or by a file like
 * /proc/cpuinfo.
 */
#ifndef TMA_CMD_CPU_NAME_H
#define TMA_CMD_CPU_NAME_H

#include <stdbool.h>

struct err;
struct event_list;
struct sb;
struct tables;

/**
 * cpu_name__read() - find the id of a CPU from the user's text
 * @name:  "GenuineIntel-6-55-4", "0x00000000410fd490", family, model and stepping in decimal
 *         ("6-85-4"), "skylakex", "Neoverse N2", or the path of a file like /proc/cpuinfo
 * @cpuid: the id is appended
 *
 * Return: 0; -EINVAL with the names of all models; -errno if reading the file failed.
 */
int cpu_name__read(const char *name, struct sb *cpuid, struct err *err);
/** cpu_name__has_events() - whether the tables of a CPU have at least one of the events. */
bool cpu_name__has_events(const char *cpuid, const struct event_list *events);
/**
 * cpu_name__put_fitting() - append the models whose tables have the greatest number of a file's
 * events
 * @out:   names of models are appended, a blank before each
 *
 * Return: number of events that these models have; 0 if no model has any.
 */
int cpu_name__put_fitting(const struct event_list *events, struct sb *out);

/**
 * cpu_name__put_unknown() - append which events of a file are missing in the tables of a CPU, but
 * exist in tables of other models
 * @t:     tables of the CPU
 * @out:   a text like "skylakex lacks 2 of the events (A, B); these models have them: alderlake" is
 *         appended
 *
 * Return: whether such events exist.
 */
bool cpu_name__put_unknown(const struct tables *t, const struct event_list *events, struct sb *out);

#endif
