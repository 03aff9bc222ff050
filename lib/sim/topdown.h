/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The TopDown metric events of a group are read from the fixed counter of slots and the register
 * PERF_METRICS. The register has a field of 8 bits for each metric event of the PMU, opened or not:
 * the event's fraction of the slots since the last reset of both registers. The kernel resets both
 * whenever it reads an event of the group, and preserves them while the group is not on the PMU.
 * The simulation only resets them for tasks, where programs can observe the reset.
 */
#ifndef TMA_SIM_TOPDOWN_H
#define TMA_SIM_TOPDOWN_H

#include "sim/context.h"

#define TOPDOWN_MAX_PARTS 8

/**
 * struct sim_topdown - the registers of a group that slots leads
 * @on:    the group has a metric event; else slots is an ordinary event
 * @slots: slots since the last reset
 * @folded: the part of @slots that the count of the event contains already
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
 * @slots: an event with pmu, cpu and attr; the caller frees its @topdown
 *
 * Return: 0 or -ENOMEM.
 */
int topdown__new(const struct sim_machine *m, struct sim_event *slots);
/** topdown__slots() - read the fixed counter of slots. */
uint64_t topdown__slots(const struct sim_topdown *t);
/** topdown__register() - read PERF_METRICS; 0 before there were slots. */
uint64_t topdown__register(const struct sim_topdown *t);
/**
 * topdown__fold() - add what the registers have counted since the last fold to the counts of the
 * group, without a reset
 * @leader: leader of a group; a group without TopDown events stays unchanged
 */
void topdown__fold(struct sim_event *leader);
/** topdown__read() - call topdown__fold(), and reset the registers if the group is counting. */
void topdown__read(struct sim_event *leader);

#endif
