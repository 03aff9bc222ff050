/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Count an event over a time in which its state does not change: its count, the registers of
 * TopDown, the shares of threads, the times, and the true counts.
 */
#ifndef TMA_SIM_COUNTING_H
#define TMA_SIM_COUNTING_H

#include "sim/context.h"

/** counting__advance() - count an event from its context's present time on */
void counting__advance(struct sim_event *event, uint64_t to);

#endif
