// SPDX-License-Identifier: GPL-2.0-only
#include "base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/xalloc.h"

/*
 * Tell whether the loader's message reports a lack of memory. Other messages of the loader contain
 * the word "memory", too, such as "cannot change memory protections", which SELinux can cause.
 */
static bool is_for_memory(const char *why)
{
	return strstr(why, "annot allocate memory") || strstr(why, "out of memory") ||
	       strstr(why, "cannot create");
}

int library__load(const char *file, const char *package, const struct library_call *calls,
		  struct err *err)
{
	void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);

	if (!library) {
		const char *why = dlerror();

		if (!why || is_for_memory(why))
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
