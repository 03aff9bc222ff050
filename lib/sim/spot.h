/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The place that a sample reports. It is not where the event happened but where the program is by
 * the time of the sample; for events that happen when an operation is issued, it is where
 * operations retire at that time.
 */
#ifndef TMA_SIM_SPOT_H
#define TMA_SIM_SPOT_H

#include "sim/context.h"

/**
 * struct sim_spot - the place that a sample reports
 * @tgid, @tid: process and thread; 0 for the idle task
 * @ip:    the address of the code
 * @user:  the place is in user space
 * @thread: number of the thread in the program, counted from 1
 */
struct sim_spot {
	pid_t tgid, tid;
	uint64_t ip;
	bool user;
	int thread;
};

/** spot__find() - find the place that an event's sample reports which is taken now. */
struct sim_spot spot__find(const struct sim_event *event);

#endif
