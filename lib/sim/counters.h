/* SPDX-License-Identifier: GPL-2.0-only */
/* Find which counters an event may use, and whether a set of events fits the counters of a PMU. */
#ifndef TMA_SIM_COUNTERS_H
#define TMA_SIM_COUNTERS_H

#include "sim/machine.h"

#define SIM_MAX_COUNTERS 64
#define SIM_MAX_SHARED 16

/**
 * struct sim_need - the resources of its PMU that an event needs
 * @mask:   counters that the event may use, including SIM_FIXED_BIT and SIM_METRIC_BIT; 0 for none
 * @slots:  the event may lead TopDown metric events
 * @pair:   the event also occupies a second general counter
 * @shared: number of the shared register that the event needs, or -1
 * @config1: the value that the event needs in the shared register
 */
struct sim_need {
	uint64_t mask;
	bool slots, pair;
	int shared;
	uint64_t config1;
};

/**
 * counters__need() - look an event up in its PMU's constraints
 * @need: filled
 *
 * Return: 0; -EINVAL if config1 has bits that the register lacks.
 */
int counters__need(const struct sim_pmu *pmu, const struct sim_config *config,
		   struct sim_need *need);
/**
 * sim_need__is_metric() - find out whether a need is of a TopDown metric event, which slots must
 * lead.
 */
bool sim_need__is_metric(const struct sim_need *need);

/**
 * struct counters - an assignment of events to the counters of one PMU
 * @free: counters not taken
 * @used: counters that serve an event
 * @event: need of the event on each used counter
 */
struct counters {
	const struct sim_pmu *pmu;
	uint64_t free, used;
	const struct sim_need *event[SIM_MAX_COUNTERS];
	struct {
		int shared;
		uint64_t config1;
	} registers[SIM_MAX_SHARED];
	int nr_registers;
};

/**
 * counters__init() - make an empty assignment
 * @reserved: counters that are not available (the NMI watchdog has them)
 */
void counters__init(struct counters *c, const struct sim_pmu *pmu, uint64_t reserved);
/**
 * counters__add() - assign a counter to an event, and move other events to other counters if needed
 *
 * Return: whether the event fits; if not, the assignment is unchanged.
 */
bool counters__add(struct counters *c, const struct sim_need *need);

#endif
