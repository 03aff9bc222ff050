// SPDX-License-Identifier: GPL-2.0-only
/* Layers made of files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
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

static void release(void *owner)
{
	loaded__free(owner);
}

int tables__load(struct tables **t, const struct load_options *opts, const char *core,
		 struct err *err)
{
	struct load_options with = *opts;
	struct layer layer = { .release = release };
	struct loaded *loaded;
	int rc;

	with.matches = matches;
	with.known = (struct known_events){ pmu_of, *t };
	rc = load__path(&with, &loaded, err);
	if (rc)
		return rc;
	layer.owner = loaded;
	layer.data = &loaded->data;
	layer.model = loaded->model;
	layer.version = loaded->version;
	layer.warnings = loaded->warnings;
	layer.notes = sb__str(&loaded->notes);
	layer.origin = strdup(opts->path);
	layer.core = core ? strdup(core) : NULL;
	if (!layer.origin || (core && !layer.core)) {
		layer__free(&layer);
		rc = -ENOMEM;
	} else {
		rc = tables__push(t, &layer);
	}
	return rc ? err__set(err, ENOMEM, "%s: out of memory", opts->path) : 0;
}
