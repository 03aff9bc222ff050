/* SPDX-License-Identifier: GPL-2.0-only */
/* Which events are sampled: names become events that can be opened. */
#ifndef TMA_WHY_CHOOSE_H
#define TMA_WHY_CHOOSE_H

#include "where/where.h"

struct host;

/** where__add_event() - encode an event to sample. Return: whether this host has it. */
bool where__add_event(struct where_options *o, const struct host *host, const char *name);
/**
 * where__add_time() - add an event that measures time: cycles if a core PMU counts them, else the
 * kernel's clock
 * @knows: the PMU knows the program's addresses, unlike some PMUs of simulated machines
 */
void where__add_time(struct where_options *o, const struct host *host, bool knows);

#endif
