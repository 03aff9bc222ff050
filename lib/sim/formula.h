/* SPDX-License-Identifier: GPL-2.0-only */
/* Quantities of the counting model: "0.3*slots + 2M - waste", one value for each phase. */
#ifndef TMA_SIM_FORMULA_H
#define TMA_SIM_FORMULA_H

#include "sim/machine.h"

/**
 * formula__eval() - values of a line of a machine file
 * @m:    gives the number of phases and the machine's quantities
 * @pmu:  whose quantities come first; NULL for none
 * @text: numbers separated by blanks, one for each phase; or a sum of products of numbers and
 *        names. A number may end in k, M or G.
 * @out:  one value for each phase
 *
 * Return: 0 or -EINVAL.
 */
int formula__eval(const struct sim_machine *m, const struct sim_pmu *pmu, const char *text,
		  double out[SIM_MAX_PHASES], struct err *err);

/**
 * formula__to_rate() - events per second as the integer rate that is counted with
 *
 * Return: 0, or -ERANGE for one below 0 or above 10^13.
 */
int formula__to_rate(const struct sim_machine *m, const double per_second[SIM_MAX_PHASES],
		     struct sim_rate *rate, struct err *err);

#endif
