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

static void release(void *owner)
{
	loaded__free(owner);
}

int tables__load(struct tables **t, const char *path, const char *cpuid, struct err *err)
{
	const struct load_options opts = { .path = path, .cpuid = cpuid, .matches = matches };
	struct layer layer = { .release = release };
	struct loaded *loaded;
	int rc = load__path(&opts, &loaded, err);

	if (rc)
		return rc;
	layer.owner = loaded;
	layer.data = &loaded->data;
	layer.model = loaded->model;
	layer.version = loaded->version;
	layer.origin = strdup(path);
	if (!layer.origin) {
		layer__free(&layer);
		rc = -ENOMEM;
	} else {
		rc = tables__push(t, &layer);
	}
	return rc ? err__set(err, ENOMEM, "%s: out of memory", path) : 0;
}
