// SPDX-License-Identifier: GPL-2.0-only
/* What core PMUs have in sysfs wherever there are such CPUs, for computers of recordings. */
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/internal.h"

enum vendor { VENDOR_INTEL = 1, VENDOR_AMD = 2, VENDOR_ARM = 4 };

static unsigned int vendor_of(const char *cpuid)
{
	if (text__has_prefix(cpuid, "GenuineIntel"))
		return VENDOR_INTEL;
	if (text__has_prefix(cpuid, "AuthenticAMD") || text__has_prefix(cpuid, "HygonGenuine"))
		return VENDOR_AMD;
	return text__has_prefix(cpuid, "0x") ? VENDOR_ARM : 0;
}

/** struct known_format - a file of sysfs: its name, its text, and whose CPUs have it */
struct known_format {
	const char *name, *text;
	unsigned int vendors;
};

static const struct known_format formats[] = {
	{"any", "config:21", VENDOR_INTEL},
	{"cmask", "config:24-31", VENDOR_INTEL | VENDOR_AMD},
	{"edge", "config:18", VENDOR_INTEL | VENDOR_AMD},
	{"event", "config:0-7", VENDOR_INTEL},
	{"event", "config:0-7,32-35", VENDOR_AMD},
	{"event", "config:0-15", VENDOR_ARM},
	{"frontend", "config1:0-23", VENDOR_INTEL},
	{"in_tx", "config:32", VENDOR_INTEL},
	{"in_tx_cp", "config:33", VENDOR_INTEL},
	{"inv", "config:23", VENDOR_INTEL | VENDOR_AMD},
	{"ldlat", "config1:0-15", VENDOR_INTEL},
	{"offcore_rsp", "config1:0-63", VENDOR_INTEL},
	{"pc", "config:19", VENDOR_INTEL},
	{"snoop_rsp", "config1:0-63", VENDOR_INTEL},
	{"umask", "config:8-15", VENDOR_INTEL | VENDOR_AMD},
};

static const struct known_format events[] = {
	{"branch-instructions", "event=0xc4", VENDOR_INTEL},
	{"branch-misses", "event=0xc5", VENDOR_INTEL},
	{"branches", "event=0xc4", VENDOR_INTEL},
	{"cpu-cycles", "event=0x3c", VENDOR_INTEL},
	{"cpu-cycles", "event=0x76", VENDOR_AMD},
	{"cycles", "event=0x3c", VENDOR_INTEL},
	{"cycles", "event=0x76", VENDOR_AMD},
	{"instructions", "event=0xc0", VENDOR_INTEL | VENDOR_AMD},
	{"ref-cycles", "event=0x00,umask=0x03", VENDOR_INTEL},
};

static void add_format(struct pmu *pmu, const struct known_format *known)
{
	struct pmu_format *format = &pmu->formats[pmu->nr_formats++];

	format->name = xstrdup(known->name);
	pmu_format__parse(known->text, format->bits);
	format->loaded = true;
}

/* pmu__event() wants them in the order of their names. */
void pmu__add_event(struct pmu *pmu, const char *name, const char *terms)
{
	int at = pmu->nr_events++;

	pmu->events = xreallocarray(pmu->events, pmu->nr_events, sizeof(*pmu->events));
	for (; at && strcasecmp(pmu->events[at - 1].name, name) > 0; at--)
		pmu->events[at] = pmu->events[at - 1];
	pmu->events[at] = (struct pmu_event){
		.name = xstrdup(name),
		.terms = xstrdup(terms),
		.unit = xstrdup(""),
		.scale = 1.0,
	};
}

void machine__assume_formats(struct machine *m)
{
	unsigned int vendor = vendor_of(m->cpuid);

	for (int i = 0; i < machine__nr_core_pmus(m); i++) {
		struct pmu *pmu = machine__core_pmu(m, i);

		pmu__forget_terms(pmu);
		pmu->formats = xcalloc(array__nr(formats), sizeof(*pmu->formats));
		for (int j = 0; j < array__nr(formats); j++)
			if (formats[j].vendors & vendor)
				add_format(pmu, &formats[j]);
		for (int j = 0; j < array__nr(events); j++)
			if (events[j].vendors & vendor)
				pmu__add_event(pmu, events[j].name, events[j].text);
	}
}
