// SPDX-License-Identifier: GPL-2.0-only
/* Each kernel computes in rounds of about a millisecond, and reads the clock between rounds. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "kernels/announce.h"
#include "kernels/kernels.h"

#define LINE 64 /* bytes of a cache line */
#define MIB (1UL << 20)
#define DATA (128 * MIB) /* larger than any L2 cache, so that loads wait for L3 or memory */
#define CHASE_PER_MAKING 4
#define CODE (4 * MIB) /* larger than L2 caches and the memory of branch predictors */
#define ROUND 100000

/* Hide a value from the compiler, which must then compute it. */
#define KEEP(x) __asm__ volatile("" : "+r"(x))

#define ADD(x)             \
	do {               \
		(x) += 12; \
		KEEP(x);   \
	} while (0)

static double cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

/* xorshift64: each value is computed from the previous one. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/*
 * With these constants a linear congruential generator has its full period (Knuth, TAOCP, 3.2.1.2).
 */
uint32_t kernel__next(uint32_t at, uint32_t nr)
{
	return (at * 1664525 + 1013904223) & (nr - 1);
}

/* Eight independent sums, so that the core can do as many additions in a cycle as it is able to. */
static int run_adds(double seconds, struct err *err)
{
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
	double end = cpu_seconds() + seconds;
	uint64_t from;

	(void)err;
	while (cpu_seconds() < end) {
		ANNOUNCE_FROM(from);
		for (int i = 0; i < ROUND; i++) {
			ADD(a);
			ADD(b);
			ADD(c);
			ADD(d);
			ADD(e);
			ADD(f);
			ADD(g);
			ADD(h);
		}
		ANNOUNCE_TO(from);
	}
	return 0;
}

/* A branch for each bit of a random number, which no predictor can predict. */
static int run_branches(double seconds, struct err *err)
{
	uint64_t random = 0x2545f4914f6cdd1d, taken = 0, other = 0;
	double end = cpu_seconds() + seconds;
	uint64_t from = 0;

	(void)err;
	while (cpu_seconds() < end) {
		for (int i = 0; i < ROUND / 64; i++) {
			uint64_t bits = next_random(&random);

			ANNOUNCE_FROM(from);
			for (int bit = 0; bit < 64; bit++, bits >>= 1) {
				/*
				 * The compiler must keep both arms, so it does not remove the
				 * branch.
				 */
				if (bits & 1) {
					taken++;
					KEEP(taken);
				} else {
					other += 3;
					KEEP(other);
				}
			}
		}
		ANNOUNCE_TO(from);
	}
	return 0;
}

/* Each division needs the result of the previous one. */
static int run_divides(double seconds, struct err *err)
{
	double x = 1.5, end = cpu_seconds() + seconds;
	uint64_t from;

	(void)err;
	while (cpu_seconds() < end) {
		ANNOUNCE_FROM(from);
		for (int i = 0; i < ROUND; i++) {
			x = 3.25 / x;
			/* Keep the value in its register, without a detour through memory. */
#if defined(__x86_64__)
			__asm__ volatile("" : "+x"(x));
#elif defined(__aarch64__)
			__asm__ volatile("" : "+w"(x));
#else
			__asm__ volatile("" : "+m"(x));
#endif
		}
		ANNOUNCE_TO(from);
	}
	return 0;
}

/* A cache line with the number of the next cache line to load. */
struct node {
	uint32_t next;
	char pad[LINE - sizeof(uint32_t)];
};

/*
 * Preparing the memory is not part of the bottleneck. Large pages make it short, and the chase is
 * long enough to make it a small part of the counts.
 */
static int run_chase(double seconds, struct err *err)
{
	double begin = cpu_seconds(), end;
	struct node *nodes = mmap(NULL, DATA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);
	uint32_t nr = DATA / LINE, at = 0;
	uint64_t from;

	if (nodes == MAP_FAILED)
		return err__set(err, ENOMEM, "%lu MiB of memory are not available", DATA / MIB);
	madvise(nodes, DATA, MADV_HUGEPAGE);
	for (uint32_t i = 0; i < nr; i++)
		nodes[i].next = kernel__next(i, nr);
	end = cpu_seconds();
	end += fmax(seconds, (end - begin) * CHASE_PER_MAKING);
	while (cpu_seconds() < end) {
		ANNOUNCE_FROM(from);
		for (int i = 0; i < ROUND / 10; i++) {
			at = nodes[at].next;
			KEEP(at);
		}
		ANNOUNCE_TO(from);
	}
	munmap(nodes, DATA);
	return 0;
}

/*
 * --- Code that is written at run time: one jump in each cache line -------------------------------
 */

#if defined(__x86_64__)
#define HAS_JUMPS true

static void put_jump(unsigned char *at, const unsigned char *to)
{
	int32_t by = to - (at + 5);

	*at = 0xe9; /* JMP rel32 */
	memcpy(at + 1, &by, sizeof(by));
}

static void put_return(unsigned char *at)
{
	*at = 0xc3; /* RET */
}
#elif defined(__aarch64__)
#define HAS_JUMPS true

static void put_jump(unsigned char *at, const unsigned char *to)
{
	uint32_t word = 0x14000000 | ((to - at) / 4 & 0x3ffffff); /* B */

	memcpy(at, &word, sizeof(word));
}

static void put_return(unsigned char *at)
{
	uint32_t word = 0xd65f03c0; /* RET */

	memcpy(at, &word, sizeof(word));
}
#else
#define HAS_JUMPS false

static void put_jump(unsigned char *at, const unsigned char *to)
{
	(void)at, (void)to;
}

static void put_return(unsigned char *at)
{
	(void)at;
}
#endif

/*
 * Write code that walks through all cache lines: each line jumps to the next, and the last one
 * returns.
 */
static void make_code(unsigned char *code)
{
	uint32_t nr = CODE / LINE, next;

	for (uint32_t i = 0; i < nr; i++) {
		next = kernel__next(i, nr);
		if (next)
			put_jump(code + i * LINE, code + (size_t)next * LINE);
		else
			put_return(code + i * LINE);
	}
	__builtin___clear_cache((char *)code, (char *)code + CODE);
}

static int run_jumps(double seconds, struct err *err)
{
	double end = cpu_seconds() + seconds;
	unsigned char *code;
	void (*walk)(void);
	uint64_t from;
	int rc = 0;

	if (!HAS_JUMPS)
		return err__set(err, ENOTSUP, "not written for this architecture");
	code = mmap(NULL, CODE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED)
		return err__set(err, errno, "no memory for code: %s", strerror(errno));
	make_code(code);
	if (mprotect(code, CODE, PROT_READ | PROT_EXEC))
		rc = err__set(err, errno, "the system does not run code that a program makes: %s",
			      strerror(errno));
	memcpy(&walk, &code, sizeof(walk));
	while (!rc && cpu_seconds() < end) {
		ANNOUNCE_FROM(from);
		walk();
		ANNOUNCE_TO(from);
	}
	munmap(code, CODE);
	return rc;
}

const struct kernel kernels[KERNELS_NR] = {
	{"adds", "independent additions", "retiring", NULL, "", run_adds},
	{"branches", "unpredictable branches", "bad_speculation", NULL, "", run_branches},
	{"divides", "a chain of divisions", "backend_bound", "core_bound", "backend_bound_cpu",
	 run_divides},
	{"chase", "loads from memory, each dependent on the one before", "backend_bound",
	 "memory_bound", "backend_bound_memory", run_chase},
	{"jumps", "jumps through more code than the caches hold", "frontend_bound", "fetch_latency",
	 "frontend_bound_latency", run_jumps},
};

const struct kernel *kernel__find(const char *name)
{
	for (const struct kernel *k = kernels; k < kernels + array__nr(kernels); k++)
		if (!strcmp(k->name, name))
			return k;
	return NULL;
}

int kernel__run(const struct kernel *k, double seconds, struct err *err)
{
	int rc = k->run(seconds, err);

	announce__nowhere();
	return rc;
}
