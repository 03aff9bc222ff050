/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a CPU is one that a row of mapfile.csv means. */
#ifndef TMA_TABLES_CPUID_H
#define TMA_TABLES_CPUID_H

#include <stdbool.h>

/**
 * cpuid__matches() - match a CPU id against a pattern of mapfile.csv
 * @pattern:  POSIX extended regular expression, which must match all of the id
 * @cpuid:    "GenuineIntel-6-55-4": vendor, family, model, stepping
 * @stepping: the ids have a stepping (x86). A pattern without one matches the id without its own;
 *            a pattern with one does not match an id that lacks it.
 */
bool cpuid__matches(const char *pattern, const char *cpuid, bool stepping);

#endif
