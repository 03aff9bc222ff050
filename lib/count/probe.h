/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds out by trying how many counters there are to be had, and what may be counted. */
#ifndef TMA_COUNT_PROBE_H
#define TMA_COUNT_PROBE_H

#include <stdbool.h>

struct count_kernel;
struct event;
struct pmu;

/**
 * probe__counters() - how many general counters of a core PMU a group can have
 * @cpu:  where to try; -1: with events of the calling thread, which do not tell on a hybrid machine
 * @most: how many there are as far as is known, at least one
 * @general: set to the number the kernel takes in one group: fewer than @most in a virtual machine
 *        that was given only some of them
 * @held: set to how many of these others hold at all times: the NMI watchdog, on a general counter,
 *        or whoever pins events
 *
 * Branches are counted, as no fixed counter does that, by pinned events, which get their counters
 * at once or not at all, for some microseconds. What others count without pinning it makes room
 * meanwhile, and takes turns with us later on.
 *
 * Return: 0; -errno when nothing can be found out here: the rights are lacking, or the event is.
 */
int probe__counters(const struct count_kernel *kernel, const struct pmu *pmu, int cpu, int most,
		    int *general, int *held);
/**
 * probe__denies_any_thread() - whether this user may not count for all threads of a core
 *
 * Asked for the calling thread, in user space; see event__is_any_thread(). False on a PMU that has
 * no such events.
 */
bool probe__denies_any_thread(const struct count_kernel *kernel, struct pmu *pmu);
/**
 * probe__refuses_slots() - whether the kernel refuses slots, which it has in sysfs
 *
 * Before Linux 6.11 slots and the TopDown metric events are there in virtual machines, too, whose
 * hosts do not lend them. Asked for the calling thread, in user space.
 */
bool probe__refuses_slots(const struct count_kernel *kernel, const struct pmu *pmu);
/**
 * probe__lacks() - whether the kernel has no counter for an event that was parsed
 *
 * It is opened for the calling thread, or on the first of the CPUs of an event that counts no task.
 * False where the kernel says nothing about it: for want of rights or files, and for events that
 * are not opened, or not alone (tools, latencies, TopDown metric events).
 */
bool probe__lacks(const struct count_kernel *kernel, const struct event *e);

#endif
