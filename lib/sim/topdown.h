/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The TopDown metric events of a group are read from the fixed counter of slots and the register
 * PERF_METRICS. The register has a field of 8 bits for each metric event of the PMU, opened or not:
 * its fraction of the slots since both were last reset. The kernel resets them together whenever it
 * reads one of the events, and preserves them while the group is not on the PMU. The simulation
 * resets them for tasks only, where the reset can be observed.
 */
#ifndef TMA_SIM_TOPDOWN_H
#define TMA_SIM_TOPDOWN_H

#include "sim/context.h"

#define TOPDOWN_MAX_PARTS 8

/**
 * struct sim_topdown - the registers of a group that slots leads
 * @on:    the group has a metric event; otherwise slots is an ordinary event
 * @slots: slots counted since the last reset
 * @folded: the part of @slots that the event's count already contains
 * @part:  slots of each field since the last reset
 * @part_rate: rates of the fields
 * @nr_parts: number of fields that the PMU has
 */
struct sim_topdown {
	bool on;
	sim_count_t slots, folded, part[TOPDOWN_MAX_PARTS];
	struct sim_rate part_rate[TOPDOWN_MAX_PARTS];
	int nr_parts;
};

/**
 * topdown__new() - allocate the registers of a slots event
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
 * topdown__fold() - add the registers' counts since the last fold to the group's counts, without a
 * reset
 * @leader: leader of any group; a group without TopDown events is unchanged
 */
void topdown__fold(struct sim_event *leader);
/** topdown__read() - fold as well, and reset the registers when the group is counting. */
void topdown__read(struct sim_event *leader);

#endif
