// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes an allocation fail in the program tma; tests/fault/memory.py preloads this.
 *
 * TMA_MEMORY_FAIL is the number of the allocation, counted from 1: "12"; or "12+" for this one and
 * all later ones. Without the variable all allocations succeed. TMA_MEMORY_COUNT names a file. Each
 * process appends to it how many allocations it made, and for each path of calls that leads to
 * allocations the numbers of the first and the last of them. When a path is met for the first time,
 * a line with only the first number is written, in case the process is killed later.
 *
 * TMA_MEMORY_OF chooses whose allocations are counted and fail: "tma" (the default), or "sim" for
 * the simulator. An allocation within libc belongs to the one of these two that is found first on
 * the stack, even if an earlier call has left its address there.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PROGRAM "tma"
#define SIMULATOR "libtma-sim.so"
#define BY_DESCRIPTOR "/proc/self/fd/" /* the library's path if its real path has a blank */
#define DEPTH 1024 /* number of words of the stack that are searched */
#define CALLS 64 /* number of frames of a path that are kept */
#define MAX_PATHS 65536 /* a power of 2; if there are more paths, they share entries */
#define EXPORT __attribute__((visibility("default")))

/* glibc's own functions; this file replaces their usual names. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t nr, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void *__libc_stack_end;

/* struct text - the range of addresses of the program's or the simulator's code */
struct text {
	uintptr_t from, to;
};

/* struct path - a path of calls: its hash, and the numbers of its first and last allocations */
struct path {
	uint64_t hash;
	unsigned long first, last;
};

static pthread_mutex_t paths_lock = PTHREAD_MUTEX_INITIALIZER;
static struct path paths[MAX_PATHS];
static __thread bool within; /* in backtrace(), which allocates in its first call */

static struct {
	bool known, on, counts, wants_sim, goes_on;
	struct text tma, sim;
	unsigned long at;
	atomic_ulong nr;
} shim;

static int take_text(struct dl_phdr_info *info, size_t size, void *arg)
{
	bool is_sim = strstr(info->dlpi_name, SIMULATOR) || strstr(info->dlpi_name, BY_DESCRIPTOR);
	struct text *text = is_sim ? &shim.sim : *info->dlpi_name ? NULL : &shim.tma;

	(void)size;
	(void)arg;
	for (int i = 0; text && i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			text->from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			text->to = text->from + info->dlpi_phdr[i].p_memsz;
		}
	return 0;
}

static void init(void)
{
	const char *fail = getenv("TMA_MEMORY_FAIL"), *of = getenv("TMA_MEMORY_OF");

	shim.known = true;
	if (!program_invocation_short_name || strcmp(program_invocation_short_name, PROGRAM))
		return;
	shim.counts = getenv("TMA_MEMORY_COUNT");
	shim.at = fail ? strtoul(fail, NULL, 10) : 0;
	shim.goes_on = fail && strchr(fail, '+');
	shim.wants_sim = of && !strcmp(of, "sim");
	dl_iterate_phdr(take_text, NULL);
	shim.on = true;
}

static bool is_in(const struct text *text, uintptr_t address)
{
	return address >= text->from && address < text->to;
}

/* Return: whether an allocation is counted. @stack: where the caller's frame begins. */
static bool is_counted(uintptr_t caller, const uintptr_t *stack)
{
	for (int i = 0; i < DEPTH; i++) {
		if (is_in(&shim.sim, caller))
			return shim.wants_sim;
		if (is_in(&shim.tma, caller))
			return !shim.wants_sim;
		if ((uintptr_t)&stack[i] >= (uintptr_t)__libc_stack_end)
			break;
		caller = stack[i];
	}
	return false;
}

/*
 * OpenSSL 3.5 waits for itself for ever if its first allocations fail: it puts the error into a
 * queue whose initialisation has failed. (A dump of its stack in Debian 13 shows this.)
 */
static bool is_spared(const void *caller)
{
	Dl_info info;

	return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "/libcrypto.so");
}

static struct path *find_path(uint64_t hash)
{
	struct path *path = NULL;

	for (size_t i = 0; i < MAX_PATHS; i++) {
		path = &paths[(hash + i) % MAX_PATHS];
		if (!path->first || path->hash == hash)
			return path;
	}
	return path;
}

static int open_counts(void)
{
	const char *path = getenv("TMA_MEMORY_COUNT");

	/* The simulator replaces open() and close(), and may be waiting for this allocation. */
	return shim.on && path ? (int)syscall(SYS_openat, AT_FDCWD, path,
					      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)
			       : -1;
}

/* A program may close any descriptor, so the file does not stay open. */
static void append_line(unsigned long first, unsigned long last)
{
	int fd = open_counts();
	char line[64];

	if (fd < 0)
		return;
	syscall(SYS_write, fd, line, snprintf(line, sizeof(line), "%lu %lu\n", first, last));
	syscall(SYS_close, fd);
}

/* Note the path of calls to an allocation. */
static void note_path(unsigned long nr)
{
	uint64_t hash = 14695981039346656037ULL; /* FNV-1a, of addresses */
	void *calls[CALLS];
	struct path *path;
	int n;

	within = true;
	n = backtrace(calls, CALLS);
	within = false;
	for (int i = 0; i < n; i++)
		hash = (hash ^ (uintptr_t)calls[i]) * 1099511628211ULL;
	pthread_mutex_lock(&paths_lock);
	path = find_path(hash);
	if (!path->first) {
		*path = (struct path){.hash = hash, .first = nr};
		append_line(nr, nr);
	}
	path->last = nr;
	pthread_mutex_unlock(&paths_lock);
}

static bool fails(const void *caller, const void *frame)
{
	unsigned long nr;

	if (!shim.known)
		init();
	if (!shim.on || within || !is_counted((uintptr_t)caller, (const uintptr_t *)frame))
		return false;
	nr = ++shim.nr;
	if (shim.counts)
		note_path(nr);
	if (!shim.at || (shim.goes_on ? nr < shim.at : nr != shim.at) || is_spared(caller))
		return false;
	errno = ENOMEM;
	return true;
}

#define FAILS() fails(__builtin_return_address(0), __builtin_frame_address(0))

EXPORT void *malloc(size_t size)
{
	return FAILS() ? NULL : __libc_malloc(size);
}

EXPORT void *calloc(size_t nr, size_t size)
{
	return FAILS() ? NULL : __libc_calloc(nr, size);
}

EXPORT void *realloc(void *old, size_t size)
{
	return FAILS() ? NULL : __libc_realloc(old, size);
}

EXPORT void *reallocarray(void *old, size_t nr, size_t size)
{
	size_t all;

	if (FAILS() || __builtin_mul_overflow(nr, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_realloc(old, all);
}

EXPORT void *memalign(size_t align, size_t size)
{
	return FAILS() ? NULL : __libc_memalign(align, size);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
	return FAILS() ? NULL : __libc_memalign(align, size);
}

EXPORT int posix_memalign(void **at, size_t align, size_t size)
{
	void *memory = FAILS() ? NULL : __libc_memalign(align, size);

	if (!memory)
		return ENOMEM;
	*at = memory;
	return 0;
}

__attribute__((destructor)) static void tell(void)
{
	int fd = open_counts();

	if (fd < 0)
		return;
	dprintf(fd, "%lu\n", (unsigned long)shim.nr);
	for (size_t i = 0; i < MAX_PATHS; i++)
		if (paths[i].first)
			dprintf(fd, "%lu %lu\n", paths[i].first, paths[i].last);
	close(fd);
}
