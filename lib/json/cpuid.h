/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pattern of mapfile.csv and the id of a CPU come in; whether the one means the other comes out.
 */
#ifndef TMA_JSON_CPUID_H
#define TMA_JSON_CPUID_H

#include <stdbool.h>

/* Every architecture has ids of its own, and matches patterns against them in its way. */
enum cpuid_kind {
	CPUID_TEXT,	/* a regular expression must match all of the id */
	CPUID_STEPPING, /* it does, but a pattern without stepping matches any stepping */
	CPUID_MIDR,	/* a register must name that part, and that version or a later one */
	CPUID_LOOKS,	/* the architecture is unknown: MIDR if both are numbers, else x86 */
};

/** cpuid__kind() - tell how an architecture of the kernel's tree ("arm64") matches its ids. */
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
