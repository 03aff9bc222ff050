/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event counts while its state does not change: the count itself, the registers of TopDown, each
 * thread's share, the times, and the truth.
 */
#ifndef TMA_SIM_COUNTING_H
#define TMA_SIM_COUNTING_H

#include "sim/context.h"

/** counting__advance() - count an event from its context's present time on */
void counting__advance(struct sim_event *event, uint64_t to);

#endif
