// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that tells a simulated machine which function it is in.
 *
 * places wait MS		do nothing for MS; a script tells where the program is
 * places turn MS US THREADS	compute for MS of CPU time in f0, f1, f2 and f3 in turn, each time
 *				for US, and announce each turn. Each of THREADS threads begins with
 *				another function. Print the ns in each function.
 * places work MS US THREADS	like turn, with hardly any time in the kernel, for long turns
 * places exec MS		compute for MS in f1, and become "places in f2 MS"
 * places fork MS		compute for MS in f1, let a child do so in f2, and do so in f3
 * places sleep MS		sleep for three times MS in f0, and compute in f1 and f2
 * places in NAME MS		compute for MS in a function
 * places each NOISE PLACE...	compute in places one after another. "f1:20" means 20 ms of CPU time
 *				in f1, plus or minus up to NOISE percent; "f1=places.c:60:20"
 *				announces a line instead.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernels/announce.h"

#define NR 4
#define LOOKED_AT_US 30000

static uint64_t total_ns, stay_ns, spent_ns[NR];
/* Number of turns of a loop between two looks at the clock. */
static unsigned int unwatched = 1;

static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

#define FUNCTION(name)                                       \
	__attribute__((noinline)) void name(uint64_t until); \
	void name(uint64_t until)                            \
	{                                                    \
		while (cpu_ns() < until)                     \
			for (unsigned int i = 0; i < unwatched; i++) \
				__asm__ volatile("");        \
	}
FUNCTION(f0)
FUNCTION(f1)
FUNCTION(f2)
FUNCTION(f3)

static void (*const functions[NR])(uint64_t until) = {f0, f1, f2, f3};
static const char *const names[NR] = {"f0", "f1", "f2", "f3"};

/* The compiler cannot convert a pointer to code into a number. */
static uint64_t code_of(int i)
{
	uint64_t from;

	memcpy(&from, &functions[i], sizeof(from));
	return from;
}

static void *turn(void *arg)
{
	uint64_t now = cpu_ns();
	int i = *(int *)arg;

	while (now < total_ns) {
		announce__here(names[i % NR], code_of(i % NR), code_of(i % NR) + 8);
		functions[i % NR](now + stay_ns);
		__atomic_fetch_add(&spent_ns[i++ % NR], cpu_ns() - now, __ATOMIC_RELAXED);
		now = cpu_ns();
	}
	announce__nowhere();
	return NULL;
}

static void compute_in(int i, uint64_t ns)
{
	announce__here(names[i], code_of(i), code_of(i) + 8);
	functions[i](cpu_ns() + ns);
}

static void *sleep_in_f0(void *arg)
{
	(void)arg;
	announce__here(names[0], code_of(0), code_of(0) + 8);
	usleep(3 * total_ns / 1000);
	announce__nowhere();
	return NULL;
}

/* Parse "f1:20" or "f1=places.c:60:20". Return: whether the text has one of these forms. */
static int compute_at(const char *place, double noise)
{
	const char *time = strrchr(place, ':');
	int i = place[0] == 'f' && place[1] >= '0' && place[1] < '0' + NR ? place[1] - '0' : -1;
	double part = 2 * (double)random() / RAND_MAX - 1;
	char name[64] = "";

	if (i < 0 || !time || time - place > (int)sizeof(name))
		return 0;
	memcpy(name, place, time - place);
	announce__here(place[2] == '=' ? name + 3 : name, code_of(i), code_of(i) + 8);
	functions[i](cpu_ns() +
		     (uint64_t)(strtod(time + 1, NULL) * 1e6 * (1 + noise / 100 * part)));
	return 1;
}

static int compute_each(int nr, char **places, double noise)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	srandom((unsigned int)now.tv_nsec ^ (unsigned int)getpid());
	unwatched = 2000;
	for (int i = 0; i < nr; i++)
		if (!compute_at(places[i], noise))
			return 2;
	announce__nowhere();
	/* While the process exists, the machine reads in procfs what it has mapped. */
	usleep(LOOKED_AT_US);
	return 0;
}

/* Ways in which a process becomes several, or ends. */
static int be_several(char **argv)
{
	pthread_t sleeper;

	if (!strcmp(argv[1], "sleep")) {
		pthread_create(&sleeper, NULL, sleep_in_f0, NULL);
		compute_in(1, total_ns);
		compute_in(2, total_ns);
		pthread_join(sleeper, NULL);
		return 0;
	}
	compute_in(1, total_ns);
	if (!strcmp(argv[1], "exec"))
		return execl(argv[0], argv[0], "in", "f2", argv[2], (char *)NULL);
	if (!fork()) {
		compute_in(2, total_ns);
		announce__nowhere();
		_exit(0);
	}
	wait(NULL);
	compute_in(3, total_ns);
	announce__nowhere();
	return 0;
}

int main(int argc, char **argv)
{
	int nr = argc > 4 ? atoi(argv[4]) : 1, first[16];
	pthread_t threads[16];

	if (argc > 3 && !strcmp(argv[1], "each"))
		return compute_each(argc - 3, argv + 3, strtod(argv[2], NULL));
	if (argc < 3 || nr < 1 || nr > 16)
		return 2;
	if (!strcmp(argv[1], "in") && argc == 4) {
		compute_in(argv[2][1] - '0', strtoull(argv[3], NULL, 10) * 1000000);
		announce__nowhere();
		return 0;
	}
	total_ns = strtoull(argv[2], NULL, 10) * 1000000;
	if (!strcmp(argv[1], "exec") || !strcmp(argv[1], "fork") || !strcmp(argv[1], "sleep"))
		return be_several(argv);
	if (!strcmp(argv[1], "wait"))
		return usleep(total_ns / 1000);
	if (!strcmp(argv[1], "work"))
		unwatched = 20000;
	stay_ns = argc > 3 ? strtoull(argv[3], NULL, 10) * 1000 : 1000;
	/* The numbers of the functions are in this order. */
	for (int i = 0; i < NR; i++)
		announce__here(names[i], code_of(i), code_of(i) + 8);
	for (int i = 0; i < nr; i++) {
		first[i] = i;
		if (i && pthread_create(&threads[i], NULL, turn, &first[i]))
			return 1;
	}
	turn(&first[0]);
	for (int i = 1; i < nr; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < NR; i++)
		printf("%s %llu\n", names[i], (unsigned long long)spent_ns[i]);
	return 0;
}
