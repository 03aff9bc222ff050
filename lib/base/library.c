// SPDX-License-Identifier: GPL-2.0-only
#include "base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"

int library__load(const char *file, const char *package, const struct library_call *calls,
		  struct err *err)
{
	void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);

	if (!library) {
		const char *why = dlerror();

		/* These are the loader's words where it has no memory. */
		if (!why || strstr(why, "memory") || strstr(why, "cannot create"))
			xchecked(NULL);
		return err__set(err, ELIBACC, "%s cannot be loaded: install %s (%s)", file, package,
				why ?: "");
	}
	for (; calls->name; calls++) {
		void *found = dlsym(library, calls->name);

		if (!found)
			return err__set(err, ELIBACC, "%s has no %s(): another version is needed",
					file, calls->name);
		*(void **)calls->to = found;
	}
	return 0;
}
