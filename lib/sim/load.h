/* SPDX-License-Identifier: GPL-2.0-only */
/* The library is loaded into a program, and reads which machine it is to simulate. */
#ifndef TMA_SIM_LOAD_H
#define TMA_SIM_LOAD_H

struct err;

/**
 * load__give_up() - end the program with 125, as the machine cannot be simulated
 * @err: why; written to standard error as "tma-sim: WHY", the only words of the library
 */
_Noreturn void load__give_up(const struct err *err);

#endif
