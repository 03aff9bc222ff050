/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * With --machine the program starts itself again with the simulator (libtma-sim.so) preloaded. The
 * name of a machine comes in; whether this process runs on it goes out, as the simulator reports.
 */
#ifndef TMA_CMD_SIMULATED_H
#define TMA_CMD_SIMULATED_H

#include "sim/observe.h"

struct err;

/**
 * simulated__machine() - get the name of the simulated machine that this process runs on, or NULL
 */
const char *simulated__machine(void);
/**
 * simulated__observe() - run programs that are executed from now on without the machine: the
 * command, those of --pre and --post, a pager
 */
void simulated__observe(void);
/**
 * simulated__stay() - keep this program, and children that it makes, in a phase of the machine's
 * counting model
 * @phase: the phase's name; NULL to let time choose the phase again
 *
 * Return: 0, also without a machine; -ENOENT when the machine has no phase of that name.
 */
int simulated__stay(const char *phase);
/**
 * simulated__follows() - find out what the machine's counts follow
 *
 * Return: SIM_FOLLOWS_COMMAND where a command was at places for which the machine has rates, which
 * were written to fit it; SIM_FOLLOWS_SCRIPT where a script in the machine's file led to places;
 * SIM_FOLLOWS_NOTHING otherwise, and where no machine is simulated.
 */
enum sim_follows simulated__follows(void);
/**
 * simulated__enter() - start the program again on a machine, with the same arguments
 *
 * This returns only on failure: -EPERM where the program has privileges of its own (setuid,
 * setcap), -ENOENT without the library, -ELIBACC when this process was already started for it and
 * the library was not loaded.
 */
int simulated__enter(const char *machine, const char **argv, struct err *err);

struct sb;

/** simulated__put_machines() - append the names of the machines that come with the program. */
void simulated__put_machines(struct sb *sb);

#endif
