// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/announce.h"
#include "kernels/announce.h"

#define MOST_TRIES 10000

static struct announce *memory;
static const char *device;
static int asked;
static __thread struct announcer *self;
static __thread struct announce_word *word;
static __thread int registered;

static uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

/* Map a file of this size, or a device. Return: NULL on failure. */
static void *announce__map(const char *path, size_t size, bool is_device)
{
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	struct stat status;
	void *at = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &status) &&
	    (is_device ? S_ISCHR(status.st_mode) : status.st_size == (off_t)size))
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	return at == MAP_FAILED ? NULL : at;
}

/* After a fork, the child's thread is a different thread, which is not registered yet. */
static void begin_child(void)
{
	self = NULL;
	word = NULL;
	registered = 0;
}

static void ask(void)
{
	const char *path = getenv(ANNOUNCE_VARIABLE);
	struct stat status;

	pthread_atfork(NULL, NULL, begin_child);
	if (path && !stat(path, &status) && S_ISCHR(status.st_mode)) {
		static struct announce own;

		device = path;
		__atomic_store_n(&memory, &own, __ATOMIC_RELEASE);
		return;
	}
	__atomic_store_n(&memory, announce__map(path, sizeof(*memory), false), __ATOMIC_RELEASE);
}

static struct announcer *get_self(void)
{
	uint32_t number;

	if (!__atomic_exchange_n(&asked, 1, __ATOMIC_ACQ_REL))
		ask();
	if (registered || !__atomic_load_n(&memory, __ATOMIC_ACQUIRE))
		return self;
	registered = 1;
	/*
	 * The number may exceed ANNOUNCE_THREADS; the simulator does not read more threads than
	 * that.
	 */
	number = __atomic_fetch_add(&memory->nr_threads, 1, __ATOMIC_ACQ_REL);
	if (number < ANNOUNCE_THREADS) {
		self = &memory->threads[number];
		self->pid = getpid();
		self->since = self->began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		/* Set the thread ID last: when it is set, the other members are valid. */
		__atomic_store_n(&self->tid, syscall(SYS_gettid), __ATOMIC_RELEASE);
	}
	if (self && device)
		word = announce__map(device, sizeof(*word), true);
	return self;
}

/* Write the place into the half that the device does not read, then make it the current one. */
static void write_word(uint32_t at)
{
	uint32_t other = !word->now;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	struct announce_half half = word->half[!other];

	half.ns[half.at] += now - half.since;
	half.since = now;
	half.at = at ? (at - 1) % ANNOUNCE_NUMBERS : ANNOUNCE_NUMBERS;
	word->half[other] = half;
	__atomic_store_n(&word->now, other, __ATOMIC_RELEASE);
}

/* Store the stay that ends now; if there is no room, add its length to the sum for its place. */
static void end_stay(void)
{
	uint64_t now = clock_ns(CLOCK_THREAD_CPUTIME_ID);
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

/* Find the number of a place, or add the place. Return: -1 if there are too many places. */
static int announce__number(const char *name, uint64_t from, uint64_t to)
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

/*
 * The lock is held only for some loads and stores. So if it stays locked, its owner has died: go
 * on.
 */
static void lock_names(void)
{
	int tries = 0;

	while (__atomic_exchange_n(&memory->lock, 1, __ATOMIC_ACQUIRE) && tries++ < MOST_TRIES)
		sched_yield();
}

static void go_to(uint32_t at)
{
	if (at == self->at)
		return;
	if (word)
		write_word(at);
	else if (!device)
		end_stay();
	__atomic_store_n(&self->at, at, __ATOMIC_RELEASE);
}

void announce__here(const char *name, uint64_t from, uint64_t to)
{
	uint32_t at;

	if (!get_self())
		return;
	lock_names();
	at = announce__number(name, from, to) + 1;
	__atomic_store_n(&memory->lock, 0, __ATOMIC_RELEASE);
	go_to(at);
}

void announce__nowhere(void)
{
	if (get_self())
		go_to(0);
}
