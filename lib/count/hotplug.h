/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs that go offline while they are counted, and come back (attached where CPUs are counted).
 * sysfs and the readings come in; reopened counters, and which CPU was present, go out.
 */
#ifndef TMA_COUNT_HOTPLUG_H
#define TMA_COUNT_HOTPLUG_H

#include "count/count.h"

struct hotplug;

/**
 * hotplug__fell_apart() - note that a group has fewer members than were opened
 *
 * Its CPU has been away. Return: whether it will be opened again; false if that did not help
 * before.
 */
bool hotplug__fell_apart(struct hotplug *h, int unit);

/* Steps of a read. */

/**
 * hotplug__check_cpus() - handle CPUs that went or came, unless this was just done
 *
 * A CPU that moved since then shows in what is read: its counters stop, and groups fall apart.
 */
void hotplug__check_cpus(void *self, struct counts *total);
/**
 * hotplug__read_again() - where reads failed, check the CPUs again; read everything again if one
 * moved.
 */
void hotplug__read_again(void *self, struct counts *total);
/**
 * hotplug__judge() - determine which CPUs were present
 *
 * Counters that stopped show that their CPU has been away. The last read shows which of these CPUs
 * went and came back between two checks.
 */
void hotplug__judge(void *self, struct counts *total);

#endif
