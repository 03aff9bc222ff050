/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds out, by trying, how many counters are available, and what this user may count. */
#ifndef TMA_COUNT_PROBE_H
#define TMA_COUNT_PROBE_H

#include <stdbool.h>

struct count_kernel;
struct event;
struct pmu;

/**
 * probe__counters() - find how many general counters of a core PMU a group can have
 * @cpu:  the CPU to try on; -1: try with events of the calling thread, which prove nothing on a
 *          hybrid machine
 * @most: the known number of general counters, at least one
 * @general: set to the number of events that the kernel accepts in one group: fewer than @most in a
 *        virtual machine that has only some of the counters
 * @held: set to the number of general counters that other users hold all the time: the NMI
 *        watchdog, or a process that pins events
 *
 * The probe counts branches, as no fixed counter counts them, for some microseconds. Its events are
 * pinned: they get their counters immediately or not at all. Events of others that are not pinned
 * lose their counters during the probe, and multiplex with tma's later.
 *
 * Return: 0; -errno if the probe is not possible: rights are lacking, or the event does not exist.
 */
int probe__counters(const struct count_kernel *kernel, const struct pmu *pmu, int cpu, int most,
		    int *general, int *held);
/**
 * probe__denies_any_thread() - whether this user may not count all threads of a core
 *
 * The probe opens such an event (event__is_any_thread()) for the calling thread, in user space.
 * Return: false also on a PMU without these events.
 */
bool probe__denies_any_thread(const struct count_kernel *kernel, struct pmu *pmu);
/**
 * probe__refuses_slots() - whether the kernel refuses slots although sysfs lists it
 *
 * Before Linux 6.11, sysfs lists slots and the TopDown metric events also in virtual machines whose
 * hosts do not provide them. The probe opens slots for the calling thread, in user space.
 */
bool probe__refuses_slots(const struct count_kernel *kernel, const struct pmu *pmu);
/**
 * probe__lacks() - whether the kernel has no counter for an event that was parsed
 *
 * The probe opens the event for the calling thread, or on the first CPU of its PMU if the event
 * cannot count a task. Return: false also if the kernel's answer proves nothing: rights or files
 * are lacking, or the event is never opened by itself (tools, latencies, TopDown metric events).
 */
bool probe__lacks(const struct count_kernel *kernel, const struct event *e);

#endif
