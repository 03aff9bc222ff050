/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of events come in; out they go as they are to be sampled. */
#ifndef TMA_WHY_CHOOSE_H
#define TMA_WHY_CHOOSE_H

#include "where/where.h"

struct host;

/** where__add_event() - encode an event to sample. Return: whether this host has it. */
bool where__add_event(struct where_options *o, const struct host *host, const char *name);
/**
 * where__add_time() - add the event that tells time: cycles where a core PMU counts them, and else
 * the kernel's clock
 * @knows: the PMU knows where the program is, as a simulated one need not
 */
void where__add_time(struct where_options *o, const struct host *host, bool knows);

#endif
