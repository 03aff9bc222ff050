/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small programs with a known bottleneck: whether a CPU's TopDown metrics find it shows whether its
 * counters and tables are right. Each does one thing for a given CPU time, without using counters.
 */
#ifndef TMA_KERNELS_KERNELS_H
#define TMA_KERNELS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

struct err;

/**
 * struct kernel - a program with a known bottleneck
 * @name:    one word, for the command line
 * @does:    description of what it does
 * @level_1: the metric of its bottleneck, without a prefix like "tma_": "retiring" is the largest
 *           of all four, any other the largest of the three losses
 * @level_2: the child that is larger than its sibling, or NULL
 * @others:  names of that child in tables of other vendors, separated by blanks, or ""
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
 * kernel__run() - run a kernel for at least this CPU time
 *
 * Return: 0; -ENOMEM without the memory that it works on; -ENOTSUP on an architecture that it does
 * not support; -errno if the operating system refuses executable memory.
 */
int kernel__run(const struct kernel *k, double seconds, struct err *err);

/**
 * kernel__next() - get the successor of a number in a pseudo-random order of all numbers below @nr
 * @nr: a power of 2
 *
 * Going from successor to successor visits every number once before it comes back to @at.
 */
uint32_t kernel__next(uint32_t at, uint32_t nr);

#endif
