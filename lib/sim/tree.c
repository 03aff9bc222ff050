// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/strmap.h"
#include "base/text.h"
#include "sim/raw.h"
#include "sim/sim.h"
#include "sim/tree.h"
#include "sim/tree_fault.h"
#include "sim/tree_write.h"

#define PREFIX "tma-sim."
#define LOCK_NAME "lock"

/*
 * A part of the tree is written when it is first looked at. That of the CPUs includes their lists.
 */
enum tree_part { PART_PMUS, PART_CPU_LISTS, PART_CPUS, PART_PROC, NR_PARTS };

static struct tree_writer writer;
static bool written[NR_PARTS];
static pid_t owner;

#define MAX_DEPTH 16 /* the tree has 8 levels */

/*
 * Remove what is below a folder, without nftw(), which asks for the kind of each of some hundred
 * files.
 */
static void remove_below(int dir_fd, int depth)
{
	DIR *dir = fdopendir(dir_fd);
	struct dirent *entry;

	if (!dir) {
		RAW(SYS_close, dir_fd, 0, 0, 0);
		return;
	}
	while ((entry = readdir(dir))) {
		long fd;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    RAW(SYS_unlinkat, dir_fd, entry->d_name, 0, 0) != -EISDIR)
			continue;
		fd = RAW(SYS_openat, dir_fd, entry->d_name,
			 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
		if (fd >= 0 && depth < MAX_DEPTH)
			remove_below(fd, depth + 1);
		else if (fd >= 0)
			RAW(SYS_close, fd, 0, 0, 0);
		RAW(SYS_unlinkat, dir_fd, entry->d_name, AT_REMOVEDIR, 0);
	}
	closedir(dir);
}

static void remove_tree(const char *path)
{
	long fd = RAW(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
		      0);

	if (fd >= 0)
		remove_below(fd, 0);
	RAW(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR, 0);
}

/*
 * Tell whether the owner of a tree is gone: it holds a lock for as long as it lives, however it
 * ends.
 */
static bool is_abandoned(const char *path)
{
	char lock[PATH_MAX + 8];
	struct stat st;
	long fd, rc;

	snprintf(lock, sizeof(lock), "%s/" LOCK_NAME, path);
	fd = RAW(SYS_openat, AT_FDCWD, lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
	/*
	 * A tree without a lock is being made this moment, or was left in such a moment an hour
	 * ago.
	 */
	if (fd < 0)
		return fd == -ENOENT && !stat(path, &st) && time(NULL) - st.st_mtime > 3600;
	rc = RAW(SYS_flock, fd, LOCK_EX | LOCK_NB, 0, 0);
	RAW(SYS_close, fd, 0, 0, 0);
	return !rc;
}

static void remove_abandoned(const char *tmp)
{
	DIR *dir = opendir(tmp);
	char path[PATH_MAX];
	struct dirent *entry;
	struct stat st;

	while (dir && (entry = readdir(dir))) {
		if (!text__has_prefix(entry->d_name, PREFIX) ||
		    snprintf(path, sizeof(path), "%s/%s", tmp, entry->d_name) >= (int)sizeof(path))
			continue;
		if (!lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
		    is_abandoned(path))
			remove_tree(path);
	}
	if (dir)
		closedir(dir);
}

static bool can_be_written(const char *dir)
{
	return !RAW(SYS_faccessat, AT_FDCWD, dir, W_OK | X_OK, 0);
}

/*
 * Memory is faster than a disk, where a thousand small files take half a second. After a change of
 * user TMPDIR may still name what only the one before can write.
 */
static const char *temporary_dir(void)
{
	const char *tmp = getenv("TMPDIR");

	if (tmp && *tmp == '/' && can_be_written(tmp))
		return tmp;
	return can_be_written("/dev/shm") ? "/dev/shm" : "/tmp";
}

static void hold_lock(void)
{
	char lock[PATH_MAX];
	long fd, high;

	snprintf(lock, sizeof(lock), "%s/" LOCK_NAME, writer.root);
	fd = RAW(SYS_openat, AT_FDCWD, lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	RAW(SYS_flock, fd, LOCK_EX, 0, 0);
	/*
	 * The lock is kept open until the end, out of the way of programs which expect the lowest
	 * numbers.
	 */
	high = RAW(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 200, 0);
	if (high >= 0)
		RAW(SYS_close, fd, 0, 0, 0);
}

static bool make_root(void)
{
	const char *tmp = temporary_dir();
	int size = sizeof(writer.root);

	if (*writer.root)
		return true;
	remove_abandoned(tmp);
	if (snprintf(writer.root, size, "%s/" PREFIX "XXXXXX", tmp) >= size ||
	    !mkdtemp(writer.root)) {
		*writer.root = '\0';
		return false;
	}
	owner = getpid();
	hold_lock();
	return true;
}

void tree__remove(void)
{
	if (*writer.root && owner == getpid())
		remove_tree(writer.root);
	*writer.root = '\0';
	memset(written, 0, sizeof(written));
	strmap__free(writer.texts);
	writer.texts = NULL;
	writer.nr_texts = 0;
}

static bool is_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	return !strncmp(path, dir, len) && (!path[len] || path[len] == '/');
}

/* Make "/sys/devices/cpu" of "/sys//devices/./cpu/"; ".." is left to the kernel. */
static bool normalise(const char *path, char *out, size_t size)
{
	size_t len = 0;

	while (*path) {
		const char *slash;

		while (*path == '/')
			path++;
		slash = strchrnul(path, '/');
		if (slash - path == 1 && *path == '.') {
			path = slash;
			continue;
		}
		if (slash == path)
			break;
		if (len + (slash - path) + 2 > size)
			return false;
		out[len++] = '/';
		memcpy(out + len, path, slash - path);
		len += slash - path;
		path = slash;
	}
	out[len] = '\0';
	return true;
}

static bool is_pmu_dir(const char *path)
{
	static const char devices[] = "/sys/devices/";

	return text__has_prefix(path, devices) &&
	       vec__find(pmu, &sim.m.pmus, is_below(path + strlen(devices), pmu->name));
}

static int part_of(const char *path)
{
	static const struct {
		const char *dir;
		enum tree_part part;
	} parts[] = {
		{ "/sys/bus/event_source", PART_PMUS },
		/* Most programs look at no more than these, of some hundred files. */
		{ "/sys/devices/system/cpu/online", PART_CPU_LISTS },
		{ "/sys/devices/system/cpu/possible", PART_CPU_LISTS },
		{ "/sys/devices/system/cpu/present", PART_CPU_LISTS },
		{ "/sys/devices/system/cpu/smt", PART_CPU_LISTS },
		{ "/sys/devices/system/cpu", PART_CPUS },
		{ "/sys/devices/system/node", PART_CPUS },
		{ "/proc/cpuinfo", PART_PROC },
		{ "/proc/sys/kernel/nmi_watchdog", PART_PROC },
		{ "/proc/sys/kernel/perf_event_paranoid", PART_PROC },
		{ "/proc/sys/kernel/perf_event_max_sample_rate", PART_PROC },
		{ "/proc/sys/kernel/perf_event_mlock_kb", PART_PROC },
	};

	for (int i = 0; i < array__nr(parts); i++)
		if (is_below(path, parts[i].dir))
			/* In regs, arm64 has its registers, and other machines nothing. */
			return text__has_suffix(path, "/regs") ? PART_CPU_LISTS : parts[i].part;
	return is_pmu_dir(path) ? PART_PMUS : NR_PARTS;
}

static void (*const writers[NR_PARTS])(struct tree_writer *w, const struct sim_machine *m) = {
	[PART_PMUS] = tree_write__pmus,
	[PART_CPU_LISTS] = tree_write__cpu_lists,
	[PART_CPUS] = tree_write__cpus,
	[PART_PROC] = tree_write__proc,
};

static enum tree_part written_part;

static bool was_written(const char *path)
{
	return part_of(path) == (int)written_part;
}

/* CPUs come and go while the program runs. */
static void bring_up_to_date(enum tree_part part)
{
	if (part == PART_CPUS)
		bring_up_to_date(PART_CPU_LISTS);
	if (written[part] && !faults__has_offline(&sim.faults))
		return;
	if (!written[part])
		writers[part](&writer, &sim.m);
	if (part == PART_PMUS)
		tree_write__pmu_cpus(&writer, &sim.m);
	else if (part != PART_PROC)
		tree_write__online(&writer, &sim.m, part == PART_CPUS || written[PART_CPUS]);
	if (!written[part]) {
		written_part = part;
		tree_fault__remove(&sim.faults, writer.root, was_written);
	}
	written[part] = !writer.failed;
}

/* This is set while the tree is written: libc functions used for that come here again. */
static __thread bool busy;

void tree__refresh(void)
{
	if (!sim.on || busy || !written[PART_CPU_LISTS] || !faults__has_offline(&sim.faults))
		return;
	SIM_HOLD();
	busy = true;
	bring_up_to_date(PART_CPU_LISTS);
	busy = false;
}

bool tree__redirect(const char **path, char *buf, size_t size)
{
	char clean[PATH_MAX];
	const struct fault *fault;
	enum tree_part part;
	bool failed;

	if (!sim.on || busy || !*path ||
	    (strncmp(*path, "/sys", 4) && strncmp(*path, "/proc", 5)) ||
	    !normalise(*path, clean, sizeof(clean)))
		return true;
	part = part_of(clean);
	fault = tree_fault__of(&sim.faults, clean);
	if (part == NR_PARTS && !fault)
		return true;
	SIM_HOLD();
	busy = true;
	writer.failed = false;
	if (make_root() && part != NR_PARTS)
		bring_up_to_date(part);
	failed = writer.failed;
	busy = false;
	if (failed)
		errno = ENOMEM;
	else if (*writer.root && part != NR_PARTS &&
		 snprintf(buf, size, "%s%s", writer.root, clean) < (int)size)
		*path = buf;
	if (!failed && fault && *writer.root)
		return tree_fault__write(fault, writer.root, path, buf, size);
	return !failed;
}
