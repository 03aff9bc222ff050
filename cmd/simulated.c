// SPDX-License-Identifier: GPL-2.0-only
#include "simulated.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "sim/observe.h"

#define LIBRARY "libtma-sim.so"
/*
 * Variable with the pid of the process that started itself again. A program that this process
 * executes has another pid, and so ignores the variable.
 */
#define STARTED "TMA_SIM_STARTED"
/*
 * Characters that a path in LD_PRELOAD cannot have: blanks and colons separate paths, and the
 * loader expands names after '$'.
 */
#define SPECIAL " :$"
/* Lowest descriptor for the library: a user's shell may have opened smaller ones. */
#define LEAST_FD 100

/* --- Questions to the simulator ----------------------------------------------------------- */

/* Look the symbol up. This takes some time, so do it only if LD_PRELOAD is set. */
static void *simulated__ask(const char *symbol)
{
	return getenv("LD_PRELOAD") ? dlsym(RTLD_DEFAULT, symbol) : NULL;
}

const char *simulated__machine(void)
{
	sim_machine_fn machine = (sim_machine_fn)simulated__ask(SIM_MACHINE_SYMBOL);

	return machine ? machine() : NULL;
}

void simulated__observe(void)
{
	sim_observe_fn observe = (sim_observe_fn)simulated__ask(SIM_OBSERVE_SYMBOL);

	if (observe)
		observe();
}

int simulated__stay(const char *phase)
{
	sim_find_phase_fn find = (sim_find_phase_fn)simulated__ask(SIM_FIND_PHASE_SYMBOL);
	sim_phase_fn stay = (sim_phase_fn)simulated__ask(SIM_PHASE_SYMBOL);
	int number = 0;

	if (!find || !stay)
		return 0;
	if (phase && (number = find(phase)) < 0)
		return -errno;
	return stay(number) ? -errno : 0;
}

enum sim_follows simulated__follows(void)
{
	sim_follows_fn follows = (sim_follows_fn)simulated__ask(SIM_FOLLOWS_SYMBOL);

	return follows ? (enum sim_follows)follows() : SIM_FOLLOWS_NOTHING;
}

/* --- Starting again ----------------------------------------------------------------------- */

/* Find the file of this program. (The path "/proc/self/exe" would mean valgrind under valgrind.) */
static int find_program(char *path, size_t size, struct err *err)
{
	ssize_t len = readlink("/proc/self/exe", path, size - 1);

	if (len < 0)
		return err__set(
			err, errno,
			"--machine: cannot find the file of this program: /proc/self/exe: %s",
			strerror(errno));
	path[len] = '\0';
	return 0;
}

/* The library is searched for in these places, in this order. "%.*s" is the program's directory. */
static const char *const places[] = {
	"%.*s/" LIBRARY,	    /* a build tree */
	"%.*s/../lib/tma/" LIBRARY, /* in an installation, even if it was moved */
	TMA_LIBDIR "/" LIBRARY,
};

static int find_library(const char *program, char *path, size_t size, struct err *err)
{
	int dir_len = strrchr(program, '/') - program;

	for (int i = 0; i < array__nr(places); i++)
		if (snprintf(path, size, places[i], dir_len, program) < (int)size &&
		    file__exists("%s", path))
			return 0;
	return err__set(err, ENOENT,
			"the simulator (%s) is neither beside the program nor in %s: build it with "
			"'make' or install it with 'make install'",
			LIBRARY, TMA_LIBDIR);
}

static int simulated__set(const char *variable, const char *value, struct err *err)
{
	if (!setenv(variable, value, 1))
		return 0;
	if (errno == ENOMEM)
		xchecked(NULL);
	return err__set(err, errno, "cannot set %s: %s", variable, strerror(errno));
}

/*
 * Name the library for the loader: by its path, or by its descriptor if the loader would misread
 * the path.
 */
static int name_library(const char *library, char *name, size_t size, struct err *err)
{
	int low, fd;

	if (!strpbrk(library, SPECIAL)) {
		snprintf(name, size, "%s", library);
		return 0;
	}
	low = open(library, O_RDONLY | O_CLOEXEC);
	fd = low < 0 ? -1 : fcntl(low, F_DUPFD, LEAST_FD);
	if (fd < 0)
		return err__set(err, errno, "--machine: cannot open %s: %s", library,
				strerror(errno));
	close(low);
	snprintf(name, size, "/proc/self/fd/%d", fd);
	return 0;
}

static int set_preload(const char *library, struct err *err)
{
	const char *before = getenv("LD_PRELOAD");
	char name[PATH_MAX], preload[2 * PATH_MAX];
	int rc = name_library(library, name, sizeof(name), err);

	if (rc)
		return rc;
	if (snprintf(preload, sizeof(preload), "%s%s%s", name, before && *before ? ":" : "",
		     before ? before : "") >= (int)sizeof(preload))
		return err__set(err, ENAMETOOLONG, "LD_PRELOAD is too long to add %s to it", name);
	return simulated__set("LD_PRELOAD", preload, err);
}

/*
 * Return: whether this process has already started itself again (it keeps its pid). If so, a second
 * attempt would fail like the first.
 */
static bool is_started(void)
{
	const char *started = getenv(STARTED);
	uint64_t pid = 0;

	return started && !num__parse_u64("", started, 1, INT_MAX, &pid, NULL) &&
	       pid == (uint64_t)getpid();
}

static int simulated__start(const char *program, const char **argv, struct err *err)
{
	char pid[16];
	int rc;

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	rc = simulated__set(STARTED, pid, err);
	if (rc)
		return rc;
	execv(program, (char *const *)argv);
	return err__set(err, errno, "cannot start tma again for --machine: %s", strerror(errno));
}

int simulated__enter(const char *machine, const char **argv, struct err *err)
{
	bool loaded = simulated__machine() != NULL;
	char program[PATH_MAX], library[PATH_MAX];
	int rc = find_program(program, sizeof(program), err);

	if (rc)
		return rc;
	if (getauxval(AT_SECURE))
		return err__set(err, EPERM,
				"--machine: the simulator cannot be preloaded into a program with "
				"privileges of its own (setcap, setuid); it needs no privileges: "
				"'cp %s %s-plain', and use the copy",
				program, program);
	rc = find_library(program, library, sizeof(library), err);
	if (rc)
		return rc;
	if (!loaded && is_started())
		return err__set(err, ELIBACC,
				"--machine: %s was not loaded into this program, so "
				"there is no simulated machine",
				library);
	rc = simulated__set("TMA_MACHINE", machine, err)
		     ?: (loaded ? 0 : set_preload(library, err));
	return rc ?: simulated__start(program, argv, err);
}

/* --- The list of machines ------------------------------------------------------------------ */

/* Files with the suffix .part are included by machines, and are not machines themselves. */
static bool simulated__put_names(struct sb *sb, const char *fmt, int dir_len, const char *dir)
{
	char **names;
	int nr;

	if (file__list_dir(&names, &nr, fmt, dir_len, dir))
		return false;
	for (int i = 0; i < nr; i++)
		if (!text__has_suffix(names[i], ".part"))
			sb__printf(sb, "%s%s", sb->len ? " " : "", names[i]);
	file__free_names(names, nr);
	return true;
}

void simulated__put_machines(struct sb *sb)
{
	const char *own = getenv("TMA_SIM_MACHINES");
	struct err err = ERR_INIT;
	char program[PATH_MAX];
	int dir_len;

	if (own && simulated__put_names(sb, "%.*s", strlen(own), own))
		return;
	if (find_program(program, sizeof(program), &err))
		return;
	dir_len = strrchr(program, '/') - program;
	if (!simulated__put_names(sb, "%.*s/machines", dir_len, program))
		simulated__put_names(sb, "%.*s/../share/tma/machines", dir_len, program);
}
