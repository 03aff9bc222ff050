/* SPDX-License-Identifier: GPL-2.0-only */
/* What "tma test" asks of TopDown: whether it names bottlenecks that are known beforehand. */
#ifndef TMA_CMD_TEST_H
#define TMA_CMD_TEST_H

#include <stdbool.h>

struct host;

/**
 * test_kernels() - run each kernel under "tma stat --topdown", and print what TopDown says of it
 *
 * On a hybrid machine they are run on each type of core. On a simulated machine they are run in its
 * phases of their names; where it has none, that is printed.
 *
 * Return: whether TopDown named all that were run, and level 1 added up to 100 %.
 */
bool test_kernels(const struct host *host);

#endif
