// SPDX-License-Identifier: GPL-2.0-only
/* The only table of CPUs. It has facts that neither the vendor's tables nor sysfs have. */
#include "machine/models.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "base/text.h"

#define ID_MAX 64
#define PART(midr) ((midr) >> 4 & 0xfff)

/*
 * Models with retire latencies put latencies into records of samples. The CPU reports this in
 * IA32_PERF_CAPABILITIES, PEBS_TIMING_INFO, which the kernel reads but does not show; all cores of
 * hybrid models have latencies. The ids are from the kernel's intel-family.h and the vendor's
 * mapfile.csv. Slots are from the technical reference manual of each core.
 */
/* clang-format off */
static const struct cpu_model models[] = {
	{"sandybridge", "", CORE_SANDY_BRIDGE, false, 0},
	{"jaketown", "", CORE_SANDY_BRIDGE, false, 0},
	{"ivybridge", "", CORE_IVY_BRIDGE, false, 0},
	{"ivytown", "", CORE_IVY_BRIDGE, false, 0},
	{"haswell", "", CORE_HASWELL, false, 0},
	{"haswellx", "", CORE_HASWELL, false, 0},
	{"broadwell", "", CORE_BROADWELL, false, 0},
	{"broadwellde", "", CORE_BROADWELL, false, 0},
	{"broadwellx", "", CORE_BROADWELL, false, 0},
	{"skylake", "", CORE_SKYLAKE, false, 0},
	{"skylakex", "", CORE_SKYLAKE, false, 0},
	{"cascadelakex", "", CORE_SKYLAKE, false, 0},
	{"alderlake", "", CORE_GOLDEN_COVE, false, 0},
	{"alderlaken", "", CORE_GOLDEN_COVE, false, 0},
	{"sapphirerapids", "", CORE_GOLDEN_COVE, false, 0},
	{"emeraldrapids", "", CORE_GOLDEN_COVE, false, 0},
	{"graniterapids", "GenuineIntel-6-AD GenuineIntel-6-AE", CORE_GOLDEN_COVE, true, 0},
	{"sierraforest", "GenuineIntel-6-AF", CORE_GOLDEN_COVE, true, 0},
	{"grandridge", "GenuineIntel-6-B6", CORE_GOLDEN_COVE, true, 0},
	{"clearwaterforest", "GenuineIntel-6-DD", CORE_GOLDEN_COVE, true, 0},
	{"meteorlake", "GenuineIntel-6-AA GenuineIntel-6-AC GenuineIntel-6-B5", CORE_GOLDEN_COVE, true, 0},
	{"arrowlake", "GenuineIntel-6-C5 GenuineIntel-6-C6", CORE_GOLDEN_COVE, true, 0},
	{"lunarlake", "GenuineIntel-6-BD", CORE_GOLDEN_COVE, true, 0},
	{"pantherlake", "GenuineIntel-6-CC GenuineIntel-6-D5 GenuineIntel-6-E5", CORE_GOLDEN_COVE, true, 0},
	{"novalake", "GenuineIntel-18-1 GenuineIntel-18-3", CORE_GOLDEN_COVE, true, 0},
	{"diamondrapids", "GenuineIntel-19-1", CORE_OTHER, true, 0}, /* without tables */
	{"arm/neoverse-v1", "0xd40", CORE_OTHER, false, 8},
	{"arm/neoverse-n2-v2", "0xd49", CORE_OTHER, false, 5}, /* N2 */
	{"arm/neoverse-n2-v2", "0xd4f", CORE_OTHER, false, 8}, /* V2 */
	{"arm/neoverse-v3", "0xd83 0xd84", CORE_OTHER, false, 10}, /* V3AE, V3 */
	{"arm/neoverse-n3", "0xd8e", CORE_OTHER, false, 5},
};
/* clang-format on */

static const struct cpu_model unknown = {"", "", CORE_OTHER, false, 0};

enum cpu_vendor cpu_vendor__of(const char *cpuid)
{
	if (text__has_prefix(cpuid, "GenuineIntel"))
		return VENDOR_INTEL;
	if (text__has_prefix(cpuid, "AuthenticAMD") || text__has_prefix(cpuid, "HygonGenuine"))
		return VENDOR_AMD;
	return text__has_prefix(cpuid, "0x") ? VENDOR_ARM : VENDOR_OTHER;
}

const struct cpu_model *cpu_model__of(const char *cpuid)
{
	const struct cpu_model *found;
	char id[ID_MAX];
	uint64_t midr;
	int len = 0;

	sscanf(cpuid, "%*[^-]-%*[^-]-%*[^-]%n", &len);
	snprintf(id, sizeof(id), "%.*s", len, cpuid);
	if (cpu_vendor__of(cpuid) == VENDOR_ARM && num__scan_u64(cpuid, 0, &midr))
		snprintf(id, sizeof(id), "0x%x", (unsigned int)PART(midr));
	found = array__first(m, models, text__has_item(m->ids, " ", id));
	return found ? found : &unknown;
}

const struct cpu_model *cpu_model__named(const char *name)
{
	const struct cpu_model *found = array__find(models, name, name);

	return found ? found : &unknown;
}
