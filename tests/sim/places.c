// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program for simulated machines that know where it is.
 *
 * places wait MS		do nothing for so long; a script says where it is
 * places turn MS US THREADS	compute for so long of CPU time, in f0, f1, f2 and f3 in turn, each
 *				time for so long, and announce it; in several threads, each of
 *				which begins at another function. Prints the ns in each.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kernels/announce.h"

#define NR 4

static uint64_t total_ns, stay_ns, spent_ns[NR];

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
			__asm__ volatile("");                \
	}
FUNCTION(f0)
FUNCTION(f1)
FUNCTION(f2)
FUNCTION(f3)

static void (*const functions[NR])(uint64_t until) = {f0, f1, f2, f3};
static const char *const names[NR] = {"f0", "f1", "f2", "f3"};

/* The compiler makes no number of a pointer to code. */
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

int main(int argc, char **argv)
{
	int nr = argc > 4 ? atoi(argv[4]) : 1, first[16];
	pthread_t threads[16];

	if (argc < 3 || nr < 1 || nr > 16)
		return 2;
	total_ns = strtoull(argv[2], NULL, 10) * 1000000;
	if (!strcmp(argv[1], "wait"))
		return usleep(total_ns / 1000);
	stay_ns = argc > 3 ? strtoull(argv[3], NULL, 10) * 1000 : 1000;
	/* Their numbers are in this order. */
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
