/* SPDX-License-Identifier: GPL-2.0-only */
/* Match ids of CPUs against the patterns of mapfile.csv. */
#ifndef TMA_JSON_CPUID_H
#define TMA_JSON_CPUID_H

#include <stdbool.h>

/* Forms of ids, which depend on the architecture, and how patterns match them. */
enum cpuid_kind {
	CPUID_TEXT,	/* a regular expression must match the whole id */
	CPUID_STEPPING, /* as CPUID_TEXT, but a pattern without stepping matches any */
	CPUID_MIDR,	/* the part in MIDR is equal; the version is equal or later */
	CPUID_LOOKS,	/* unknown architecture: CPUID_MIDR for numbers, else as x86 */
};

/** cpuid__kind() - get the kind of ids of an architecture in the kernel's tree ("arm64"). */
enum cpuid_kind cpuid__kind(const char *arch);

/**
 * cpuid__matches() - match a CPU id against a pattern of mapfile.csv
 * @pattern: POSIX extended regular expression, or (CPUID_MIDR) a hexadecimal number
 * @cpuid:   "GenuineIntel-6-55-4": vendor, family, model, stepping; or "0x00000000410fd490"
 * @kind:    with CPUID_STEPPING, a pattern with a stepping does not match an id without one. With
 *           CPUID_MIDR, variant (bits 20-23) and then revision (bits 0-3) must not be lower than
 *           the pattern's; all other bits must be equal
 */
bool cpuid__matches(const char *pattern, const char *cpuid, enum cpuid_kind kind);

#endif
