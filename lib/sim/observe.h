/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program asks the simulator that was loaded into it these, with dlsym(RTLD_DEFAULT, NAME): what
 * the environment says proves nothing. There is no such function where the simulator is not loaded.
 */
#ifndef TMA_SIM_OBSERVE_H
#define TMA_SIM_OBSERVE_H

/** tma_sim_machine() - give the name of the simulated machine, as it was asked for; NULL without
 * one. */
#define SIM_MACHINE_SYMBOL "tma_sim_machine"
typedef const char *(*sim_machine_fn)(void);

/**
 * tma_sim_observe() - note that whatever the program executes from now on is to run without the
 * machine, but for one that measures its own regions (TMA_REGIONS)
 *
 * A descriptor that the library was loaded from ("/proc/self/fd/N") is closed by then, too.
 */
#define SIM_OBSERVE_SYMBOL "tma_sim_observe"
typedef void (*sim_observe_fn)(void);

/**
 * tma_sim_find_phase() - find a phase of the counting model by its name
 *
 * Return: its number, counted from 1; or -1 and errno: ENOENT, and ENODEV without a machine.
 */
#define SIM_FIND_PHASE_SYMBOL "tma_sim_find_phase"
typedef int (*sim_find_phase_fn)(const char *name);

/**
 * tma_sim_phase() - keep the calling thread, and children that it makes, in a phase
 * @phase: its number, counted from 1; 0 for what time leads to
 *
 * Return: 0, or -1 and errno: EINVAL for a phase that is not there, ENODEV without a machine.
 */
#define SIM_PHASE_SYMBOL "tma_sim_phase"
typedef int (*sim_phase_fn)(int phase);

/* The machine has counted by its phases, a script in its file, or what commands have announced. */
enum sim_follows { SIM_FOLLOWS_NOTHING, SIM_FOLLOWS_SCRIPT, SIM_FOLLOWS_COMMAND };

/** tma_sim_follows() - tell what the counts follow, of enum sim_follows. */
#define SIM_FOLLOWS_SYMBOL "tma_sim_follows"
typedef int (*sim_follows_fn)(void);

#endif
