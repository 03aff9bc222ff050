/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers that the RDPMC instruction has for counters. */
#ifndef TMA_SIM_RDPMC_H
#define TMA_SIM_RDPMC_H

#include "sim/context.h"

#define RDPMC_FIXED (1U << 30)
#define RDPMC_METRICS (1U << 29)

/**
 * rdpmc__index() - what the page of an event says
 *
 * Return: the counter's number and 1; 0 when it is on none or may not be read in user space.
 */
uint32_t rdpmc__index(const struct sim_event *event);

#endif
