/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds out, by trying, how many counters are available, and what may be counted. */
#ifndef TMA_COUNT_PROBE_H
#define TMA_COUNT_PROBE_H

#include <stdbool.h>

struct count_kernel;
struct event;
struct pmu;

/**
 * probe__counters() - find how many general counters of a core PMU a group can have
 * @cpu:  where to try; -1: with events of the calling thread, which prove nothing on a hybrid
 *          machine
 * @most: how many there are as far as known, at least one
 * @general: set to the number that the kernel accepts in one group: fewer than @most in a virtual
 *        machine that was given only some of them
 * @held: set to how many of these others hold at all times: the NMI watchdog, on a general counter,
 *        or a process that pins events
 *
 * Branches are counted, as no fixed counter counts them, by pinned events, which get their counters
 * at once or not at all, for some microseconds. Events of others that are not pinned give way
 * meanwhile, and multiplex with tma's later.
 *
 * Return: 0; -errno when it cannot be found out: rights are lacking, or the event does not exist.
 */
int probe__counters(const struct count_kernel *kernel, const struct pmu *pmu, int cpu, int most,
		    int *general, int *held);
/**
 * probe__denies_any_thread() - whether this user may not count all threads of a core
 *
 * This is tried for the calling thread, in user space; see event__is_any_thread(). False on a PMU
 * without these events.
 */
bool probe__denies_any_thread(const struct count_kernel *kernel, struct pmu *pmu);
/**
 * probe__refuses_slots() - whether the kernel refuses slots although sysfs has it
 *
 * Before Linux 6.11 sysfs has slots and the TopDown metric events in virtual machines, too, whose
 * hosts do not provide them. This is tried for the calling thread, in user space.
 */
bool probe__refuses_slots(const struct count_kernel *kernel, const struct pmu *pmu);
/**
 * probe__lacks() - whether the kernel has no counter for an event that was parsed
 *
 * It is opened for the calling thread, or on the first of its CPUs if the event cannot count a
 * task. False where the kernel's answer proves nothing: for want of rights or files, and for events
 * that are not opened, or not alone (tools, latencies, TopDown metric events).
 */
bool probe__lacks(const struct count_kernel *kernel, const struct event *e);

#endif
