/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions by which a program communicates with the simulator that was loaded into it. The program
 * finds them with dlsym(RTLD_DEFAULT, NAME), which returns NULL without the simulator. (Environment
 * variables do not prove that the simulator is loaded.)
 */
#ifndef TMA_SIM_OBSERVE_H
#define TMA_SIM_OBSERVE_H

/**
 * tma_sim_machine() - get the name of the simulated machine that the user gave; NULL without a
 * machine.
 */
#define SIM_MACHINE_SYMBOL "tma_sim_machine"
typedef const char *(*sim_machine_fn)(void);

/**
 * tma_sim_observe() - let programs that this program executes from now on run without the machine,
 * except a program that measures its own regions (TMA_REGIONS)
 *
 * If the library was loaded from a descriptor ("/proc/self/fd/N"), these programs do not inherit
 * it.
 */
#define SIM_OBSERVE_SYMBOL "tma_sim_observe"
typedef void (*sim_observe_fn)(void);

/**
 * tma_sim_find_phase() - find a phase of the counting model by its name
 *
 * Return: number of the phase, from 1 on; or -1 and errno: ENOENT for an unknown name, ENODEV
 * without a machine.
 */
#define SIM_FIND_PHASE_SYMBOL "tma_sim_find_phase"
typedef int (*sim_find_phase_fn)(const char *name);

/**
 * tma_sim_phase() - keep the calling thread, and the children that it makes, in a phase
 * @phase: number of the phase, counted from 1; 0 to go through all phases
 *
 * Return: 0, or -1 and errno: EINVAL for an unknown phase, ENODEV without a machine.
 */
#define SIM_PHASE_SYMBOL "tma_sim_phase"
typedef int (*sim_phase_fn)(int phase);

/*
 * Counts follow only the machine's phases, a script in its file, or the announcements of commands.
 */
enum sim_follows { SIM_FOLLOWS_NOTHING, SIM_FOLLOWS_SCRIPT, SIM_FOLLOWS_COMMAND };

/** tma_sim_follows() - get what the counts follow, of enum sim_follows. */
#define SIM_FOLLOWS_SYMBOL "tma_sim_follows"
typedef int (*sim_follows_fn)(void);

#endif
