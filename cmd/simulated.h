/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * With --machine the program starts itself anew with the simulator (libtma-sim.so) preloaded. The
 * name of a machine comes in; out comes whether this process runs on it, as the simulator itself
 * says.
 */
#ifndef TMA_CMD_SIMULATED_H
#define TMA_CMD_SIMULATED_H

#include "sim/observe.h"

struct err;

/** simulated__machine() - give the name of the simulated machine that this process runs on, or
 * NULL. */
const char *simulated__machine(void);
/**
 * simulated__observe() - let what is executed from now on run without the machine: the command,
 * those of --pre and --post, a pager
 */
void simulated__observe(void);
/**
 * simulated__stay() - keep this program, and children that it makes, in a phase of the machine's
 * counting model
 * @phase: the phase's name; NULL for what time leads to
 *
 * Return: 0, without a machine too; -ENOENT when the machine has no phase of that name.
 */
int simulated__stay(const char *phase);
/**
 * simulated__follows() - tell what the machine's counts follow
 *
 * Return: SIM_FOLLOWS_COMMAND where a command was at places for which the machine has rates, which
 * were written to fit it; SIM_FOLLOWS_SCRIPT where a script in the machine's file led to places;
 * SIM_FOLLOWS_NOTHING otherwise, and where no machine is simulated.
 */
enum sim_follows simulated__follows(void);
/**
 * simulated__enter() - start the program anew on a machine, with the same arguments
 *
 * This returns on failure alone: -EPERM where the program has privileges of its own, -ENOENT
 * without the library, -ELIBACC when this process was started for it already and is without it.
 */
int simulated__enter(const char *machine, const char **argv, struct err *err);

struct sb;

/** simulated__put_machines() - append the names of the machines that come with the program. */
void simulated__put_machines(struct sb *sb);

#endif
