/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * With --machine the program starts itself again, with the simulator (libtma-sim.so) preloaded.
 * This process can then ask the simulator which machine it runs on.
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
 * simulated__observe() - from now on, execute other programs without the simulated machine: the
 * command, programs of --pre and --post, a pager
 */
void simulated__observe(void);
/**
 * simulated__stay() - keep this program and its future children in a phase of the machine's
 * counting model
 * @phase: the phase's name; NULL to let phases change with time again
 *
 * Return: 0, also without a simulated machine; -ENOENT if the machine has no phase of this name.
 */
int simulated__stay(const char *phase);
/**
 * simulated__follows() - find out what the machine's counts depend on
 *
 * Return: SIM_FOLLOWS_COMMAND if the machine has rates for places in the command, written for this
 * command; SIM_FOLLOWS_SCRIPT if a script in the machine's file chose the places;
 * SIM_FOLLOWS_NOTHING otherwise, and without a simulated machine.
 */
enum sim_follows simulated__follows(void);
/**
 * simulated__enter() - start the program again on a simulated machine, with the same arguments
 *
 * This returns only on failure: -EPERM if the program has privileges of its own (setuid, setcap),
 * -ENOENT if there is no library, -ELIBACC if this process was already started again, but the
 * library was not loaded.
 */
int simulated__enter(const char *machine, const char **argv, struct err *err);

struct sb;

/** simulated__put_machines() - append the names of the machines that come with the program. */
void simulated__put_machines(struct sb *sb);

#endif
