/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small programs with a bottleneck that is known beforehand: what a CPU's TopDown says of them
 * shows whether its counters and tables tell the truth. Each does one thing, for so much CPU time;
 * none needs a counter.
 */
#ifndef TMA_KERNELS_KERNELS_H
#define TMA_KERNELS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

struct err;

/**
 * struct kernel - a program with a known bottleneck
 * @name:    one word, for the command line
 * @does:    what it does, in words
 * @level_1: the metric that names it, without a prefix as "tma_": "retiring" is the largest of all
 *           four, any other the largest of the three losses
 * @level_2: the child that is larger than its sibling, or NULL
 * @others:  names of that child in tables of other vendors, separated by blanks, or ""
 */
struct kernel {
	const char *name, *does, *level_1, *level_2, *others;
	int (*run)(double seconds, struct err *err);
};

#define KERNELS_NR 5
extern const struct kernel kernels[KERNELS_NR];

/** kernel__find() - the kernel of a name, or NULL. */
const struct kernel *kernel__find(const char *name);

/**
 * kernel__run() - do it for so much CPU time, at least
 *
 * Return: 0; -ENOMEM without the memory it works on; -ENOTSUP on an architecture that it was not
 * written for; -errno when the kernel refuses memory that can be executed.
 */
int kernel__run(const struct kernel *k, double seconds, struct err *err);

/**
 * kernel__after() - an order of the numbers below @nr, a power of 2, that jumps about
 *
 * Who goes from @at to its result over and over has been everywhere before he is at @at again.
 */
uint32_t kernel__after(uint32_t at, uint32_t nr);

#endif
