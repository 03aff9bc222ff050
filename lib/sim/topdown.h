/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The TopDown metric events of a group are read from the fixed counter of slots and the register
 * PERF_METRICS. The register has a field of 8 bits for each metric event of the PMU, opened or not:
 * its part of the slots since both were last reset. The kernel resets them together whenever it
 * reads one of the events, and keeps them over the times in which the group is not on the PMU. Here
 * it does so for tasks only, to which this is visible.
 */
#ifndef TMA_SIM_TOPDOWN_H
#define TMA_SIM_TOPDOWN_H

#include "sim/context.h"

#define TOPDOWN_MAX_PARTS 8

/**
 * struct sim_topdown - the registers of a group that slots leads
 * @on:    the group has a metric event; without one, slots is an event like others
 * @slots: counted since the last reset
 * @folded: what of @slots is in the event's count already
 * @part:  of @slots, those of each field
 * @part_rate: how fast these count
 * @nr_parts: fields that the PMU has
 */
struct sim_topdown {
	bool on;
	sim_count_t slots, folded, part[TOPDOWN_MAX_PARTS];
	struct sim_rate part_rate[TOPDOWN_MAX_PARTS];
	int nr_parts;
};

/**
 * topdown__new() - give a slots event its registers
 * @slots: pmu, cpu and attr are set; free() its @topdown
 *
 * Return: 0 or -ENOMEM.
 */
int topdown__new(const struct sim_machine *m, struct sim_event *slots);
/** topdown__slots() - read the fixed counter of slots. */
uint64_t topdown__slots(const struct sim_topdown *t);
/** topdown__register() - read PERF_METRICS; 0 before there were slots. */
uint64_t topdown__register(const struct sim_topdown *t);
/**
 * topdown__fold() - add to the group's counts what its registers hold, and let them go on
 * @leader: of any group; without TopDown events nothing happens
 */
void topdown__fold(struct sim_event *leader);
/** topdown__read() - fold likewise, and reset the registers when the group is counting. */
void topdown__read(struct sim_event *leader);

#endif
