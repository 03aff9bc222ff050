/* SPDX-License-Identifier: GPL-2.0-only */
/* --smi-cost: counters that stand still during system management interrupts. */
#ifndef TMA_CMD_SMI_H
#define TMA_CMD_SMI_H

#include <stdbool.h>

struct err;
struct machine;

/**
 * smi__freeze() - have the core's counters stand still while the firmware has the CPU
 * @changed: set when the kernel's switch was off before, see smi__restore()
 *
 * Return: 0; -ENOTSUP where the kernel has no such switch; the -errno of turning it.
 */
int smi__freeze(const struct machine *m, bool *changed, struct err *err);
/** smi__restore() - turn the switch off again. */
void smi__restore(const struct machine *m);

#endif
