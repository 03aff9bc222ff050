// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/announce.h"
#include "kernels/announce.h"

static struct announce *memory;
static int asked;
static __thread struct announcer *self;
static __thread int registered;

static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

static struct announce *map_memory(void)
{
	const char *path = getenv(ANNOUNCE_VARIABLE);
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	struct stat status;
	void *at = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &status) && status.st_size == sizeof(*memory))
		at = mmap(NULL, sizeof(*memory), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	return at == MAP_FAILED ? NULL : at;
}

static struct announcer *get_self(void)
{
	uint32_t number;

	if (!__atomic_exchange_n(&asked, 1, __ATOMIC_ACQ_REL))
		__atomic_store_n(&memory, map_memory(), __ATOMIC_RELEASE);
	if (registered || !__atomic_load_n(&memory, __ATOMIC_ACQUIRE))
		return self;
	registered = 1;
	/* The simulator looks at no more of them than there are. */
	number = __atomic_fetch_add(&memory->nr_threads, 1, __ATOMIC_ACQ_REL);
	if (number < ANNOUNCE_THREADS) {
		self = &memory->threads[number];
		self->tid = syscall(SYS_gettid);
	}
	return self;
}

/* The stay that ends now is written down, or where there is no room, added to those of its place. */
static void end_stay(uint64_t now)
{
	struct announced_stay stay = {.ns = now - self->since, .name = self->at};
	uint64_t read = __atomic_load_n(&self->read, __ATOMIC_ACQUIRE);

	if (self->written - read < ANNOUNCE_STAYS) {
		self->stays[self->written % ANNOUNCE_STAYS] = stay;
		__atomic_store_n(&self->written, self->written + 1, __ATOMIC_RELEASE);
	} else {
		__atomic_fetch_add(&self->spilled[stay.name], stay.ns, __ATOMIC_RELAXED);
	}
	self->since = now;
}

/* Find the number of a place, or give it one. Return: -1 where there are too many. */
static int number_of(const char *name, uint64_t from, uint64_t to)
{
	struct announced_name fresh = {.from = from, .to = to};
	uint32_t nr = __atomic_load_n(&memory->nr_names, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < nr && i < ANNOUNCE_NAMES; i++)
		if (!strcmp(memory->names[i].name, name))
			return i;
	if (nr >= ANNOUNCE_NAMES || strlen(name) >= ANNOUNCE_NAME_SIZE)
		return -1;
	strcpy(fresh.name, name);
	memory->names[nr] = fresh;
	__atomic_store_n(&memory->nr_names, nr + 1, __ATOMIC_RELEASE);
	return nr;
}

void announce__here(const char *name, uint64_t from, uint64_t to)
{
	static int lock;
	uint32_t at;

	if (!get_self())
		return;
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
	at = number_of(name, from, to) + 1;
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
	if (at == self->at)
		return;
	end_stay(cpu_ns());
	__atomic_store_n(&self->at, at, __ATOMIC_RELEASE);
}

void announce__nowhere(void)
{
	if (!get_self() || !self->at)
		return;
	end_stay(cpu_ns());
	__atomic_store_n(&self->at, 0, __ATOMIC_RELEASE);
}
