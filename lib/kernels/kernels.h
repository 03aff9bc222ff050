/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small programs with a known bottleneck. Whether a CPU's TopDown metrics find this bottleneck
 * shows whether its counters and tables are right. Each program repeats one kind of work for a
 * given CPU time, without using counters.
 */
#ifndef TMA_KERNELS_KERNELS_H
#define TMA_KERNELS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

struct err;

/**
 * struct kernel - a program with a known bottleneck
 * @name:    one word, for the command line
 * @does:    description of the work
 * @level_1: metric of the bottleneck, without a prefix like "tma_". "retiring" must be the largest
 *           of all four metrics, another metric the largest of the three losses
 * @level_2: the child that must be larger than its sibling, or NULL
 * @others:  names of this child in other vendors' tables, separated by blanks, or ""
 */
struct kernel {
	const char *name, *does, *level_1, *level_2, *others;
	int (*run)(double seconds, struct err *err);
};

#define KERNELS_NR 5
extern const struct kernel kernels[KERNELS_NR];

/** kernel__find() - find a kernel by name, or NULL. */
const struct kernel *kernel__find(const char *name);

/**
 * kernel__run() - run a kernel for at least the given CPU time
 *
 * Return: 0; -ENOMEM without the memory that the kernel needs; -ENOTSUP on an architecture that the
 * kernel does not support; -errno if the operating system refuses executable memory.
 */
int kernel__run(const struct kernel *k, double seconds, struct err *err);

/**
 * kernel__next() - get the successor of a number in a pseudo-random order of all numbers below @nr
 * @nr: a power of 2
 *
 * A walk from successor to successor visits every number once before it returns to @at.
 */
uint32_t kernel__next(uint32_t at, uint32_t nr);

#endif
