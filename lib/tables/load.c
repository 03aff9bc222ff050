// SPDX-License-Identifier: GPL-2.0-only
/* Layers made of files. */
#include "base/xalloc.h"
#include "json/load.h"
#include "tables/cpuid.h"
#include "tables/internal.h"

static bool matches(const char *pattern, const char *cpuid)
{
	return *cpuid && cpuid__matches(pattern, cpuid, CPUID_LOOKS);
}

/* Of the layers below. */
static const char *pmu_of(void *arg, const char *pmu, const char *name)
{
	const struct tables *t = arg;
	int i = t ? tables__find_event(t, pmu, name) : -1;
	struct event_info event;

	if (i < 0)
		return NULL;
	tables__event(t, i, &event);
	return event.pmu;
}

int tables__load(struct tables **t, const struct load_options *opts, const char *core,
		 struct err *err)
{
	struct load_options with = *opts;
	struct loaded *loaded;
	struct layer layer;
	int rc;

	with.matches = matches;
	with.known = (struct known_events){ pmu_of, *t };
	rc = load__path(&with, &loaded, err);
	if (rc)
		return rc;
	layer = (struct layer){
		.owner = loaded,
		.data = &loaded->data,
		.model = loaded->model,
		.version = loaded->version,
		.warnings = loaded->warnings,
		.notes = sb__str(&loaded->notes),
		.origin = xstrdup(opts->path),
		.core = xstrdup(core),
	};
	tables__push(t, &layer);
	return 0;
}
