// SPDX-License-Identifier: GPL-2.0-only
/* Enter a simulated machine: the same program anew, with the simulator preloaded. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "cmd.h"

#define SIM_LIBRARY "libtma-sim.so"

/* The file of this program. (Not "/proc/self/exe" itself: under valgrind that is valgrind.) */
static int own_path(char *path, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", path, size - 1);

	if (len < 0)
		return -errno;
	path[len] = '\0';
	return 0;
}

/* Where the library may be, in this order; "%s" is the program's directory. */
static const char *const places[] = {
	"%s/" SIM_LIBRARY,	    /* a build tree */
	"%s/../lib/tma/" SIM_LIBRARY, /* installed, wherever it was moved to */
	TMA_LIBDIR "/" SIM_LIBRARY,
};

static int find_library(char *path, size_t size, struct err *err)
{
	char dir[PATH_MAX], *slash;

	if (own_path(dir, sizeof(dir)))
		strcpy(dir, ".");
	slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (snprintf(path, size, places[i], dir) < (int)size && file__exists("%s", path))
			return 0;
	return err__set(err, ENOENT,
			"the simulator (%s) is neither beside the program nor in %s: build it with "
			"'make' or install it with 'make install'",
			SIM_LIBRARY, TMA_LIBDIR);
}

static bool preloaded(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload && strstr(preload, SIM_LIBRARY);
}

const char *simulate__active(void)
{
	return preloaded() ? getenv("TMA_MACHINE") : NULL;
}

static int set_preload(const char *library, struct err *err)
{
	const char *before = getenv("LD_PRELOAD");
	char preload[2 * PATH_MAX];

	if (snprintf(preload, sizeof(preload), "%s%s%s", library, before && *before ? ":" : "",
		     before ? before : "") >= (int)sizeof(preload))
		return err__set(err, ENAMETOOLONG, "LD_PRELOAD is too long to add %s to it", library);
	if (setenv("LD_PRELOAD", preload, 1))
		return err__set(err, errno, "cannot set LD_PRELOAD: %s", strerror(errno));
	return 0;
}

int simulate__enter(const char *name, const char *const *argv, struct err *err)
{
	char library[PATH_MAX], path[PATH_MAX];
	const char **args;
	int nr = 0, rc;

	rc = find_library(library, sizeof(library), err);
	if (rc)
		return rc;
	if (setenv("TMA_MACHINE", name, 1))
		return err__set(err, errno, "cannot set TMA_MACHINE: %s", strerror(errno));
	rc = preloaded() ? 0 : set_preload(library, err);
	if (rc)
		return rc;

	while (argv[nr])
		nr++;
	args = xcalloc(nr + 2, sizeof(*args));
	args[0] = as_perf() ? "perf" : "tma";
	memcpy(args + 1, argv, nr * sizeof(*args));
	rc = own_path(path, sizeof(path));
	if (!rc) {
		execv(path, (char *const *)args);
		rc = -errno;
	}
	free(args);
	return err__set(err, -rc, "cannot start tma again for --machine: %s", strerror(-rc));
}
