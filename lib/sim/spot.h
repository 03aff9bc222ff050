/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a sample is found: not where its event happened, but where the program has come to by then,
 * or, of an event that happens when an operation is issued, where the operations retire meanwhile.
 */
#ifndef TMA_SIM_SPOT_H
#define TMA_SIM_SPOT_H

#include "sim/context.h"

/**
 * struct sim_spot - where a sample is found
 * @tgid, @tid: of the task; 0 of the idle task
 * @ip:    the address of the code
 * @user:  in user space
 * @thread: of the program, counted from 1
 */
struct sim_spot {
	pid_t tgid, tid;
	uint64_t ip;
	bool user;
	int thread;
};

/** spot__of() - find where the sample is found that an event takes now. */
struct sim_spot spot__of(const struct sim_event *event);

#endif
