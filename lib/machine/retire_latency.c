// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which CPUs put an instruction's retire latency into their records of samples. The CPU says so in
 * IA32_PERF_CAPABILITIES, PEBS_TIMING_INFO, which the kernel looks at and shows nowhere.
 */
#include <string.h>

#include "base/array.h"
#include "machine/machine.h"

/*
 * As in the kernel's intel-family.h and the vendor's mapfile.csv. All cores of the hybrid ones
 * have it.
 */
static const char *const models[] = {
	"GenuineIntel-6-AD", /* Granite Rapids */
	"GenuineIntel-6-AE", /* Granite Rapids D */
	"GenuineIntel-6-AF", /* Sierra Forest */
	"GenuineIntel-6-B6", /* Grand Ridge */
	"GenuineIntel-6-DD", /* Clearwater Forest */
	"GenuineIntel-19-1", /* Diamond Rapids */
	"GenuineIntel-6-AA", /* Meteor Lake L */
	"GenuineIntel-6-AC", /* Meteor Lake */
	"GenuineIntel-6-C5", /* Arrow Lake H */
	"GenuineIntel-6-C6", /* Arrow Lake */
	"GenuineIntel-6-B5", /* Arrow Lake U */
	"GenuineIntel-6-BD", /* Lunar Lake */
	"GenuineIntel-6-CC", /* Panther Lake L */
	"GenuineIntel-6-D5", /* Wildcat Lake L */
	"GenuineIntel-6-E5", /* with Panther Lake's tables */
	"GenuineIntel-18-1", /* Nova Lake */
	"GenuineIntel-18-3", /* Nova Lake L */
};

bool pmu__samples_latencies(struct pmu *pmu)
{
	const char *cpuid = pmu->is_core ? pmu__cpuid(pmu) : "";

	for (int i = 0; i < array__nr(models); i++) {
		size_t len = strlen(models[i]);

		if (!strncmp(cpuid, models[i], len) && (!cpuid[len] || cpuid[len] == '-'))
			return true;
	}
	return false;
}

bool machine__samples_latencies(const struct machine *m)
{
	for (int i = 0; i < machine__nr_core_pmus(m); i++)
		if (pmu__samples_latencies(machine__core_pmu(m, i)))
			return true;
	return false;
}
