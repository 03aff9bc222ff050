// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/announce.h"
#include "sim/announced.h"
#include "sim/clock.h"
#include "sim/interpose.h"
#include "sim/observe.h"
#include "sim/raw.h"
#include "sim/sim.h"
#include "sim/tree.h"

#define MAX_MARKS 4096 /* beyond it, those go that every context has passed */

/*
 * A child that announces.
 * covered: its CPU time up to which it has a trail
 * ahead:   by thread, what of its present stay is in the trail already
 * nowhere: the same of times at no place, of whatever thread
 * place:   by name, the machine's number of it plus 1, -1 for none; 0: not asked yet
 */
struct announced {
	const struct sim_child *child;
	pid_t pid;
	struct announce *memory;
	struct sim_trail trail;
	uint64_t covered, nowhere, ahead[ANNOUNCE_THREADS];
	int place[ANNOUNCE_NAMES];
};

static VEC(struct announced *) all;
static int nr_known;

bool announced__is_on(void)
{
	return sim.on && sim.m.places.nr && !clock__is_stepped();
}

static bool file_of(int number, char *path, size_t size)
{
	char name[32];

	snprintf(name, sizeof(name), "announced.%d", number);
	return number >= 0 && tree__own_file(name, path, size);
}

void announced__forget(int number)
{
	char path[256];

	if (announced__is_on() && file_of(number, path, sizeof(path)))
		RAW(SYS_unlinkat, AT_FDCWD, path, 0, 0);
}

char *announced__variable(int number)
{
	char path[256], *variable = NULL;
	long fd;

	if (!announced__is_on() || !file_of(number, path, sizeof(path)))
		return NULL;
	fd = RAW(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (raw_failed(fd))
		return NULL;
	if (!RAW(SYS_ftruncate, fd, sizeof(struct announce), 0, 0) &&
	    asprintf(&variable, ANNOUNCE_VARIABLE "=%s", path) < 0)
		variable = NULL;
	RAW(SYS_close, fd, 0, 0, 0);
	return variable;
}

static struct announce *map_memory(const struct sim_child *child)
{
	struct announce *memory = NULL;
	char path[256];
	long fd, at;

	if (!file_of(child__number(child), path, sizeof(path)))
		return NULL;
	fd = RAW(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	if (raw_failed(fd))
		return NULL;
	if (RAW(SYS_lseek, fd, 0, SEEK_END, 0) == (long)sizeof(*memory)) {
		at = raw_syscall(SYS_mmap, 0, sizeof(*memory), PROT_READ | PROT_WRITE, MAP_SHARED,
				 fd, 0);
		memory = raw_failed(at) ? NULL : (struct announce *)at;
	}
	RAW(SYS_close, fd, 0, 0, 0);
	return memory;
}

static bool is_in_use(const struct announced *a)
{
	return vec__find(ctx, &sim.contexts, (*ctx)->course.trail == &a->trail);
}

static void drop_unused(void)
{
	for (int i = 0; i < all.nr; i++) {
		struct announced *a = all.at[i];

		if (is_in_use(a))
			continue;
		RAW(SYS_munmap, a->memory, sizeof(*a->memory), 0, 0);
		vec__free(&a->trail.marks);
		free(a);
		all.at[i--] = all.at[--all.nr];
	}
}

static struct announced *get(const struct sim_child *child)
{
	struct announced **found =
		vec__find(a, &all, (*a)->child == child && (*a)->pid == child->pid);
	struct announce *memory = found ? NULL : map_memory(child);
	struct announced *a;

	if (found || !memory)
		return found ? *found : NULL;
	drop_unused();
	a = calloc(1, sizeof(*a));
	if (!a || vec__push(&all, a)) {
		RAW(SYS_munmap, memory, sizeof(*memory), 0, 0);
		free(a);
		return NULL;
	}
	*a = (struct announced){.child = child, .pid = child->pid, .memory = memory};
	a->trail.announce = memory;
	return a;
}

/* The machine's number of an announced place, or -1. */
static int announced__place(struct announced *a, uint32_t name)
{
	char text[ANNOUNCE_NAME_SIZE];

	if (name >= ANNOUNCE_NAMES)
		return -1;
	if (!a->place[name]) {
		memcpy(text, a->memory->names[name].name, sizeof(text));
		text[sizeof(text) - 1] = '\0';
		a->place[name] = sim_machine__place(&sim.m, text) + 1;
		nr_known += a->place[name] > 0;
		a->place[name] = a->place[name] ? a->place[name] : -1;
	}
	return a->place[name] < 0 ? -1 : a->place[name] - 1;
}

/* The trail goes on: so long at a place, whose number plus 1 is @at. */
static void append(struct announced *a, int thread, uint32_t at, uint64_t ns)
{
	struct sim_mark mark = {.from = a->covered};
	const struct sim_mark *last =
		a->trail.marks.nr ? &a->trail.marks.at[a->trail.marks.nr - 1] : NULL;

	if (!ns)
		return;
	mark.stay = sim_machine__stay(&sim.m, at ? announced__place(a, at - 1) : -1);
	mark.stay.thread = thread + 1;
	mark.stay.spot = (int)at - 1;
	a->covered += ns;
	if (last && last->stay.spot == mark.stay.spot &&
	    last->stay.thread == mark.stay.thread)
		return;
	/* Without memory the stay before lasts longer. */
	(void)!vec__push(&a->trail.marks, mark);
}

/* A stay is over: what of it is not in the trail yet goes there. */
static void take_over_stay(struct announced *a, int thread, uint32_t at, uint64_t ns)
{
	uint64_t *ahead = at ? &a->ahead[thread] : &a->nowhere;
	uint64_t known = ns < *ahead ? ns : *ahead;

	*ahead -= known;
	append(a, thread, at, ns - known);
}

static void take_stays(struct announced *a, int thread)
{
	struct announcer *t = &a->memory->threads[thread];
	uint64_t written = __atomic_load_n(&t->written, __ATOMIC_ACQUIRE), read = t->read;

	if (written - read > ANNOUNCE_STAYS)
		read = written - ANNOUNCE_STAYS;
	for (; read != written; read++) {
		const struct announced_stay *stay = &t->stays[read % ANNOUNCE_STAYS];

		take_over_stay(a, thread, stay->name, stay->ns);
	}
	__atomic_store_n(&t->read, read, __ATOMIC_RELEASE);
	for (uint32_t at = 0; at <= ANNOUNCE_NAMES; at++)
		if (__atomic_load_n(&t->spilled[at], __ATOMIC_RELAXED))
			take_over_stay(a, thread, at,
				       __atomic_exchange_n(&t->spilled[at], 0, __ATOMIC_RELAXED));
}

/* The rest of the CPU time was spent by the threads that are at a place now, in equal parts. */
static void take_present(struct announced *a, int nr_threads, uint64_t cpu_ns)
{
	uint64_t rest = cpu_ns > a->covered ? cpu_ns - a->covered : 0, part;
	int nr_at = 0;

	for (int i = 0; i < nr_threads; i++)
		nr_at += a->memory->threads[i].at != 0;
	if (!nr_at) {
		a->nowhere += rest;
		append(a, 0, 0, rest);
		return;
	}
	for (int i = 0; i < nr_threads && nr_at; i++) {
		uint32_t at = a->memory->threads[i].at;

		if (!at)
			continue;
		part = rest / nr_at--;
		rest -= part;
		a->ahead[i] += part;
		append(a, i, at, part);
	}
}

/* Drop marks that no context will look at again. */
static void prune(struct announced *a)
{
	struct sim_context **ctx;
	uint64_t passed = UINT64_MAX;
	int first = 0;

	if (a->trail.marks.nr < MAX_MARKS)
		return;
	vec__for_each(ctx, &sim.contexts)
		if ((*ctx)->course.trail == &a->trail && (*ctx)->now < passed)
			passed = (*ctx)->now;
	while (first + 1 < a->trail.marks.nr && a->trail.marks.at[first + 1].from <= passed)
		first++;
	a->trail.marks.nr -= first;
	memmove(a->trail.marks.at, a->trail.marks.at + first,
		a->trail.marks.nr * sizeof(*a->trail.marks.at));
}

const struct sim_trail *announced__trail(const struct sim_child *child, uint64_t cpu_ns)
{
	struct announced *a = announced__is_on() ? get(child) : NULL;
	int nr_threads;

	if (!a)
		return NULL;
	nr_threads = __atomic_load_n(&a->memory->nr_threads, __ATOMIC_ACQUIRE);
	if (nr_threads > ANNOUNCE_THREADS)
		nr_threads = ANNOUNCE_THREADS;
	prune(a);
	for (int i = 0; i < nr_threads; i++)
		take_stays(a, i);
	take_present(a, nr_threads, cpu_ns);
	return &a->trail;
}

INTERPOSE int tma_sim_follows(void)
{
	if (!sim.on)
		return 0;
	return child__any() && sim_machine__script(&sim.m, -1) ? sim.m.places.nr : nr_known;
}
