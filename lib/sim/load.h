/* SPDX-License-Identifier: GPL-2.0-only */
/* When the library is loaded into a program, read which machine to simulate. */
#ifndef TMA_SIM_LOAD_H
#define TMA_SIM_LOAD_H

struct err;

/**
 * load__give_up() - end the program with status 125, because the machine cannot be simulated
 * @err: the reason, printed to standard error as "tma-sim: REASON"; the library prints nothing else
 */
_Noreturn void load__give_up(const struct err *err);

#endif
