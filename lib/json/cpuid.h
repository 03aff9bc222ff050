/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a CPU is one that a row of mapfile.csv means. */
#ifndef TMA_JSON_CPUID_H
#define TMA_JSON_CPUID_H

#include <stdbool.h>

/* How patterns are matched against ids, which every architecture has its own of. */
enum cpuid_kind {
	CPUID_TEXT,	/* a regular expression, which must match all of the id */
	CPUID_STEPPING, /* the same, but a pattern without stepping matches whatever the id's is */
	CPUID_MIDR,	/* the value of a register: of that part, of that version or a later one */
	CPUID_LOOKS,	/* of unknown architecture: CPUID_MIDR if both are numbers, else as x86 */
};

/** cpuid__kind() - how the ids of an architecture of the kernel's tree ("arm64") are matched. */
enum cpuid_kind cpuid__kind(const char *arch);

/**
 * cpuid__matches() - match a CPU id against a pattern of mapfile.csv
 * @pattern: POSIX extended regular expression, or (CPUID_MIDR) a hexadecimal number
 * @cpuid:   "GenuineIntel-6-55-4": vendor, family, model, stepping; "0x00000000410fd490"
 * @kind:    with CPUID_STEPPING, a pattern with a stepping does not match an id that lacks it. With
 *           CPUID_MIDR, variant (bits 20-23) and revision (bits 0-3) are those of the pattern or
 *           higher, the variant counting first; all other bits are the same
 */
bool cpuid__matches(const char *pattern, const char *cpuid, enum cpuid_kind kind);

#endif
