/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs that go offline while they are counted, and come back (attached if CPUs are counted). The
 * list of CPUs in sysfs and the readings come in. Reopened counters, and which CPU was present, go
 * out.
 */
#ifndef TMA_COUNT_HOTPLUG_H
#define TMA_COUNT_HOTPLUG_H

#include "count/count.h"

struct hotplug;

/**
 * hotplug__fell_apart() - note that a group has fewer members than were opened
 *
 * The group's CPU has been away. Return: whether the group will be opened again; false if opening
 * it again did not help before.
 */
bool hotplug__fell_apart(struct hotplug *h, int unit);

/* Steps of a read. */

/**
 * hotplug__check_cpus() - handle CPUs that went or came, unless this was just done
 *
 * If a CPU moves after the check, the readings show it: the CPU's counters stop, and groups fall
 * apart.
 */
void hotplug__check_cpus(void *self, struct counts *total);
/**
 * hotplug__read_again() - if reads failed, check the CPUs again; if a CPU moved, read everything
 * again.
 */
void hotplug__read_again(void *self, struct counts *total);
/**
 * hotplug__judge() - determine which CPUs were present
 *
 * Stopped counters show that their CPU has been away. The last read shows which CPUs went and came
 * back between two checks.
 */
void hotplug__judge(void *self, struct counts *total);

#endif
