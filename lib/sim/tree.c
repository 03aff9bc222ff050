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
#include "base/err.h"
#include "base/strmap.h"
#include "base/text.h"
#include "sim/load.h"
#include "sim/raw.h"
#include "sim/sim.h"
#include "sim/tree.h"
#include "sim/tree_fault.h"
#include "sim/tree_write.h"

#define PREFIX "tma-sim."
#define LOCK_NAME "lock"

/* Parts of the tree, each written when it is first used. PART_CPUS includes the lists of CPUs. */
enum tree_part { PART_PMUS, PART_CPU_LISTS, PART_CPUS, PART_PROC, NR_PARTS };

static struct tree_writer writer;
static bool written[NR_PARTS];
static pid_t owner;

/*
 * Descriptor of the lock, which stays open until the end. Programs may expect low numbers for their
 * own.
 */
#define LOCK_FD 200

static int lock_fd = -1;

static int is_other(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/*
 * Remove a folder and its contents. Only one descriptor is open at a time, since there may be no
 * others. nftw() would call stat() for each of some hundred files. Return: 0 or -errno.
 */
static int remove_folder(const char *path)
{
	struct dirent **entries;
	char below[PATH_MAX];
	int nr = scandir(path, &entries, is_other, NULL);

	if (nr < 0)
		return -errno;
	for (int i = 0; i < nr; i++) {
		if (snprintf(below, sizeof(below), "%s/%s", path, entries[i]->d_name) <
			    (int)sizeof(below) &&
		    RAW(SYS_unlinkat, AT_FDCWD, below, 0, 0) == -EISDIR)
			remove_folder(below);
		free(entries[i]);
	}
	free(entries);
	RAW(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR, 0);
	return 0;
}

/*
 * Remove a tree whose owner has ended. An owner holds the lock of its tree as long as it runs, so
 * that the lock is free after any kind of end. The remover holds the lock meanwhile: an owner that
 * has just made the tree waits for the lock, then finds that the tree is gone.
 */
static void remove_if_abandoned(const char *path)
{
	char lock[PATH_MAX + 8];
	long fd;

	snprintf(lock, sizeof(lock), "%s/" LOCK_NAME, path);
	fd = RAW(SYS_openat, AT_FDCWD, lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	if (!RAW(SYS_flock, fd, LOCK_EX | LOCK_NB, 0, 0))
		remove_folder(path);
	RAW(SYS_close, fd, 0, 0, 0);
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
		/*
		 * A folder without a lock is empty: remove it. If its owner runs, the owner makes
		 * another one.
		 */
		if (!lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
		    RAW(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR, 0))
			remove_if_abandoned(path);
	}
	if (dir)
		closedir(dir);
}

static bool can_be_written(const char *dir)
{
	return !RAW(SYS_faccessat, AT_FDCWD, dir, W_OK | X_OK, 0);
}

/*
 * Choose where to write the files. Memory is faster than a disk, where a thousand small files take
 * half a second. After a change of user, TMPDIR may still name a folder that only the previous user
 * can write.
 */
static const char *temporary_dir(void)
{
	const char *tmp = getenv("TMPDIR");

	if (tmp && *tmp == '/' && can_be_written(tmp))
		return tmp;
	return can_be_written("/dev/shm") ? "/dev/shm" : "/tmp";
}

/* Take the lock. Return: 0; -ENOENT if another process has removed the folder meanwhile; -errno. */
static int hold_lock(void)
{
	char lock[PATH_MAX];
	struct stat st;
	long fd, high;

	snprintf(lock, sizeof(lock), "%s/" LOCK_NAME, writer.root);
	fd = RAW(SYS_openat, AT_FDCWD, lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return fd;
	RAW(SYS_flock, fd, LOCK_EX, 0, 0);
	if (RAW(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH) || !st.st_nlink) {
		RAW(SYS_close, fd, 0, 0, 0);
		return -ENOENT;
	}
	high = RAW(SYS_fcntl, fd, F_DUPFD_CLOEXEC, LOCK_FD, 0);
	if (high >= 0)
		RAW(SYS_close, fd, 0, 0, 0);
	lock_fd = high >= 0 ? high : fd;
	return 0;
}

/* Return: 0 or an errno */
static int make_root(const char *tmp)
{
	int size = sizeof(writer.root), rc;

	remove_abandoned(tmp);
	do {
		if (snprintf(writer.root, size, "%s/" PREFIX "XXXXXX", tmp) >= size) {
			*writer.root = '\0';
			return ENAMETOOLONG;
		}
		if (!mkdtemp(writer.root)) {
			*writer.root = '\0';
			return errno;
		}
		rc = hold_lock();
		if (rc) {
			RAW(SYS_unlinkat, AT_FDCWD, writer.root, AT_REMOVEDIR, 0);
			*writer.root = '\0';
		}
	} while (rc == -ENOENT);
	owner = getpid();
	return -rc;
}

void tree__remove(void)
{
	if (!*writer.root || owner != getpid())
		return;
	/* The lock may have the last available descriptor. */
	if (remove_folder(writer.root) == -EMFILE) {
		RAW(SYS_close, lock_fd, 0, 0, 0);
		remove_folder(writer.root);
	}
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

/* Convert "/sys//devices/./cpu/" to "/sys/devices/cpu". Paths with ".." are left to the kernel. */
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
		/* The few files, of some hundred, that most programs read. */
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
			/*
			 * The folder regs has registers on arm64, and does not exist on other
			 * machines.
			 */
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

/* Write a part. If CPUs go online or offline during the run, rewrite the files that change. */
static void update_part(enum tree_part part)
{
	if (part == PART_CPUS)
		update_part(PART_CPU_LISTS);
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
	written[part] = !writer.error;
}

/* Set while the tree is written: functions of libc that write it call this file again. */
static __thread bool busy;

/*
 * End the program if the files could not be written: with some of the files, or files of the real
 * machine, it would print wrong numbers. If descriptors or memory ran out, the program gets the
 * error of the kernel instead.
 */
static void require_written(int error)
{
	struct err err = ERR_INIT;
	const char *dir, *slash;

	if (!error || error == ENOMEM || error == EMFILE || error == ENFILE)
		return;
	dir = *writer.root ? writer.root : temporary_dir();
	slash = *writer.root ? strrchr(dir, '/') : dir + strlen(dir);
	err__set(&err, error, "cannot write %.*s: %s", (int)(slash - dir), dir, strerror(error));
	tree__remove();
	load__give_up(&err);
}

void tree__refresh(void)
{
	if (!sim.on || busy || !written[PART_CPU_LISTS] || !faults__has_offline(&sim.faults))
		return;
	SIM_HOLD();
	busy = true;
	update_part(PART_CPU_LISTS);
	require_written(writer.error);
	busy = false;
}

/* Return: 0 or an errno */
static int write_part(int part)
{
	int error = *writer.root ? 0 : make_root(temporary_dir());

	writer.error = 0;
	if (!error && part != NR_PARTS)
		update_part(part);
	if (!error)
		error = writer.error;
	require_written(error);
	return error;
}

bool tree__redirect(const char **path, char *buf, size_t size)
{
	char clean[PATH_MAX];
	const struct fault *fault;
	enum tree_part part;
	int error;

	if (!sim.on || busy || !*path ||
	    (strncmp(*path, "/sys", 4) && strncmp(*path, "/proc", 5)) ||
	    !normalise(*path, clean, sizeof(clean)))
		return true;
	part = part_of(clean);
	fault = tree_fault__find(&sim.faults, clean);
	if (part == NR_PARTS && !fault)
		return true;
	SIM_HOLD();
	busy = true;
	error = write_part(part);
	busy = false;
	if (!error && part != NR_PARTS &&
	    snprintf(buf, size, "%s%s", writer.root, clean) < (int)size)
		*path = buf;
	if (!error && fault) {
		error = tree_fault__write(fault, writer.root, path, buf, size);
		if (fault->file != FAULT_FILE_ERRNO)
			require_written(error);
	}
	if (error)
		errno = error;
	return !error;
}
