// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "sim/clock.h"
#include "sim/code.h"
#include "sim/interpose.h"
#include "sim/load.h"
#include "sim/observe.h"
#include "sim/sim.h"
#include "sim/tree.h"

#define EXIT_BAD_MACHINE 125

#define BY_DESCRIPTOR "/proc/self/fd/"

/*
 * Path of the file if the library was loaded from a descriptor, read while the descriptor is open.
 */
static char real_path[PATH_MAX];

const char *interpose__source(void)
{
	Dl_info info;

	return dladdr((void *)interpose__source, &info) && info.dli_fname ? info.dli_fname : "";
}

const char *interpose__library(void)
{
	const char *source = interpose__source();
	ssize_t len;

	if (!text__has_prefix(source, BY_DESCRIPTOR))
		return source;
	if (!*real_path) {
		len = readlink(source, real_path, sizeof(real_path) - 1);
		real_path[len > 0 ? len : 0] = '\0';
	}
	return real_path;
}

void interpose__pass_source(bool passes)
{
	const char *source = interpose__source();
	uint64_t fd;

	if (text__has_prefix(source, BY_DESCRIPTOR) &&
	    !num__parse_u64("", source + strlen(BY_DESCRIPTOR), 0, INT_MAX, &fd, NULL))
		RAW(SYS_fcntl, fd, F_SETFD, passes ? 0 : FD_CLOEXEC, 0);
}

/* The name of the simulated machine, as the user gave it. */
static const char *machine;

INTERPOSE const char *tma_sim_machine(void)
{
	return sim.on ? machine : NULL;
}

_Noreturn void load__give_up(const struct err *err)
{
	static const char no_memory[] = "tma-sim: out of memory\n";
	struct sb sb = SB_INIT;

	sb__puts(&sb, "tma-sim: ");
	text__clean(&sb, err->msg, strlen(err->msg), "\n\t");
	sb__putc(&sb, '\n');
	(void)!write(STDERR_FILENO, sb.err ? no_memory : sb.buf,
		     sb.err ? sizeof(no_memory) - 1 : sb.len);
	_exit(EXIT_BAD_MACHINE);
}

/* Append the machines in a directory whose names are similar to an unknown name. */
static void suggest_machines(const char *dir, const char *name, struct sb *near)
{
	auto_free(sb) names = SB_INIT;
	struct dirent *entry;
	struct suggest s;
	DIR *d = opendir(dir);

	while (d && (entry = readdir(d)))
		if (*entry->d_name != '.' && !text__has_suffix(entry->d_name, ".part"))
			sb__printf(&names, "%s%c", entry->d_name, '\0');
	if (d)
		closedir(d);
	suggest__init(&s, name);
	for (size_t at = 0; at < names.len; at += strlen(names.buf + at) + 1)
		suggest__offer(&s, names.buf + at);
	suggest__print(&s, near);
}

/*
 * Find a machine's file by name: in TMA_SIM_MACHINES, next to the library, and where machines are
 * installed.
 */
static int find_machine(const char *name, struct sb *path, struct err *err)
{
	/* Paths relative to the library, which is in lib, lib/tma or lib/x86_64-linux-gnu/tma. */
	static const char *const places[] = { "machines", "../share/tma/machines",
					      "../../share/tma/machines",
					      "../../../share/tma/machines" };
	const char *own = getenv("TMA_SIM_MACHINES"), *library = interpose__library();
	const char *slash = strrchr(library, '/');
	int dir_len = slash ? slash - library : 0;
	auto_free(sb) near = SB_INIT;

	if (strchr(name, '/')) {
		sb__puts(path, name);
		return path->err ? err__set(err, ENOMEM, "out of memory") : 0;
	}
	if (own && *own) {
		sb__printf(path, "%s/%s", own, name);
		if (file__exists("%s", sb__str(path)))
			return 0;
	}
	for (int i = 0; i < array__nr(places); i++) {
		sb__clear(path);
		sb__printf(path, "%.*s%s%s/%s", dir_len, library, slash ? "/" : "", places[i],
			   name);
		if (file__exists("%s", sb__str(path)))
			return 0;
	}
	sb__clear(path);
	sb__printf(path, "%.*s%s%s", dir_len, library, slash ? "/" : "", places[0]);
	if (file__exists("%s", sb__str(path)))
		suggest_machines(sb__str(path), name, &near);
	return err__set(
		err, ENOENT,
		"no machine '%s' in %s%s%.*s/machines%s%s give the name of a file there, a path "
		"with a '/', or set TMA_SIM_MACHINES to the directory",
		name, own && *own ? own : "", own && *own ? " and " : "", dir_len, library,
		sb__str(&near), near.len ? "" : ";");
}

static int load_machine(const char *name, struct err *err)
{
	auto_free(sb) path = SB_INIT;
	int rc = find_machine(name, &path, err);

	return rc ? rc : sim_machine__load(sb__str(&path), &sim.m, err);
}

static int parse_ms(const char *what, const char *text, uint64_t *ns, struct err *err)
{
	uint64_t ms;
	int rc = num__parse_u64(what, text, 1, 60000, &ms, err);

	if (!rc)
		*ns = ms * 1000000;
	return rc;
}

/* Read how long commands last (TMA_SIM_COMMAND), one length for each command in turn. */
static int read_lengths(const char *text, uint64_t step_ns, struct err *err)
{
	auto_text copy = strdup(text);
	uint64_t ns[CHILD_MAX_LENGTHS];
	char *save = NULL;
	int nr = 0, rc = 0;

	if (!copy)
		return err__set(err, ENOMEM, "TMA_SIM_COMMAND: out of memory");
	for (char *at = strtok_r(copy, ",", &save); at && !rc; at = strtok_r(NULL, ",", &save)) {
		if (nr == CHILD_MAX_LENGTHS)
			return err__set(err, E2BIG, "TMA_SIM_COMMAND has more than %d lengths",
					CHILD_MAX_LENGTHS);
		ns[nr] = step_ns;
		rc = strcmp(at, "step") ? parse_ms("TMA_SIM_COMMAND, in ms", at, &ns[nr], err) : 0;
		nr++;
	}
	if (!rc)
		child__last_for(ns, nr);
	return rc;
}

/* Read which clock to use. @step_ns: set to the step, or to 0 for the real clock */
static int read_clock(uint64_t *step_ns, struct err *err)
{
	const char *step = getenv("TMA_SIM_STEP"), *lengths = getenv("TMA_SIM_COMMAND");
	int rc;

	*step_ns = 0;
	rc = step ? parse_ms("TMA_SIM_STEP, in ms", step, step_ns, err) : 0;
	return rc || !step || !lengths ? rc : read_lengths(lengths, *step_ns, err);
}

static int read_faults(struct err *err)
{
	const char *text = getenv("TMA_SIM_FAULT");
	int rc = faults__parse(text ? text : "", &sim.faults, err);

	return rc ? err__prefix(err, "TMA_SIM_FAULT: ") : 0;
}

static int begin_truth(struct err *err)
{
	const char *path = getenv("TMA_SIM_TRUTH");

	return path && *path ? truth__begin(path, err) : 0;
}

/*
 * Load libdw at the start if a place is a line of a source: later, loading could fail under the
 * lock.
 */
static void load_libdw(void)
{
	if (vec__find(p, &sim.m.places, code__is_line(p->name)))
		code_lines__load();
}

/* Set PERF_CPUID, from which perf and tma take the CPU id instead of the CPUID instruction. */
static int set_cpuid(struct err *err)
{
	const char *ours = getenv(INTERPOSE_CPUID), *present = getenv("PERF_CPUID");

	if (present && (!ours || strcmp(ours, present)))
		return 0;
	if (setenv("PERF_CPUID", sim.m.cpuid, 1) || setenv(INTERPOSE_CPUID, sim.m.cpuid, 1))
		return err__set(err, errno, "cannot set PERF_CPUID: %s", strerror(errno));
	return 0;
}

__attribute__((constructor)) static void load(void)
{
	const char *name = getenv("TMA_MACHINE");
	struct err err = ERR_INIT;
	struct sim_pmu *pmu;
	uint64_t step_ns;

	if (!name || !*name)
		return;
	if (load_machine(name, &err) || read_clock(&step_ns, &err) || read_faults(&err) ||
	    set_cpuid(&err) || begin_truth(&err))
		load__give_up(&err);
	clock__init(child__init(), step_ns);
	machine = name;
	sim.on = true;
	load_libdw();
	vec__for_each(pmu, &sim.m.pmus) {
		pmu->rdpmc *= SIM_HAS_RDPMC;
		if (pmu->rdpmc > 1)
			interpose__catch_rdpmc();
	}
}

/*
 * Report places whose code was not found in any program, because of a wrong name or missing
 * symbols: their samples have no address.
 */
static void tell_missed(void)
{
	const struct sim_place *place;

	if (sim.on)
		vec__for_each(place, &sim.m.places)
			if (place->missed && !place->found)
				dprintf(STDERR_FILENO,
					"tma-sim: place '%s': no program has this code, or "
					"symbols for it: its samples have no address\n",
					place->name);
}

__attribute__((destructor)) static void unload(void)
{
	tell_missed();
	if (!sim__tell_truth()) {
		static const char words[] = "tma-sim: TMA_SIM_TRUTH: the file cannot be written\n";

		(void)!write(STDERR_FILENO, words, sizeof(words) - 1);
		fflush(NULL);
		_exit(EXIT_BAD_MACHINE);
	}
	tree__remove();
}
