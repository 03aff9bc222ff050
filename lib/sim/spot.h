/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The place that a sample reports: not the place of the event, but where the program is at the time
 * of the sample. For an event that happens when an operation is issued, it is the place where
 * operations retire at this time.
 */
#ifndef TMA_SIM_SPOT_H
#define TMA_SIM_SPOT_H

#include "sim/context.h"

/**
 * struct sim_spot - the place that a sample reports
 * @tgid, @tid: process and thread; 0 for the idle task
 * @ip:    the address of the code
 * @user:  the place is in user space
 * @thread: number of the thread in the program, from 1 on
 */
struct sim_spot {
	pid_t tgid, tid;
	uint64_t ip;
	bool user;
	int thread;
};

/** spot__find() - find the place that a sample of an event reports if it is taken now. */
struct sim_spot spot__find(const struct sim_event *event);

#endif
