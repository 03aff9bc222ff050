/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs which go offline while they are counted, and come back (attached where CPUs are counted).
 * sysfs and what is read come in; counters opened anew, and which CPU was there, go out.
 */
#ifndef TMA_COUNT_HOTPLUG_H
#define TMA_COUNT_HOTPLUG_H

#include "count/count.h"

struct hotplug;

/**
 * hotplug__fell_apart() - take it that a group has fewer members than were opened
 *
 * Its CPU has been away. Return: whether it will be opened anew; not when that has been of no use.
 */
bool hotplug__fell_apart(struct hotplug *h, int unit);

/* Steps of a read. */

/**
 * hotplug__look_again() - do what CPUs that went or came need, unless the last look was just now
 *
 * A CPU that moved since then shows in what is read: counters stand still, and groups fall apart.
 */
void hotplug__look_again(void *self, struct counts *total);
/** hotplug__read_again() - where reads failed, look once more; read all again if a CPU moved. */
void hotplug__read_again(void *self, struct counts *total);
/**
 * hotplug__judge() - tell which CPUs were there
 *
 * Counters that stand still tell that their CPU has been away, and the last read, which of them
 * went and came back without being seen.
 */
void hotplug__judge(void *self, struct counts *total);

#endif
