// SPDX-License-Identifier: GPL-2.0-only
#include "http/libraries.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#include "base/err.h"

int library__load(const char *file, const char *package, const struct library_call *calls,
		  struct err *err)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return err__set(err, ELIBACC, "%s cannot be loaded: install %s (%s)", file, package,
				dlerror());
	for (; calls->name; calls++) {
		void *found = dlsym(library, calls->name);

		if (!found)
			return err__set(err, ELIBACC, "%s has no %s(): another version is needed",
					file, calls->name);
		*(void **)calls->to = found;
	}
	return 0;
}
