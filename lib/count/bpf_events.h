/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that BPF programs read: each is open on every CPU, always counts, and is kept by a map. */
#ifndef TMA_COUNT_BPF_EVENTS_H
#define TMA_COUNT_BPF_EVENTS_H

struct counter;
struct session;

/**
 * bpf_events__put() - open an event on all CPUs that it counts on, and put it into a map
 * @map:   descriptor of a map of perf events; it keeps the events open after their own descriptors
 *          are closed here
 * @first: the key of CPU 0; those of the others follow
 *
 * Return: 0, or the errno with which the kernel refuses it on a CPU, which is positive.
 */
int bpf_events__put(const struct session *s, const struct counter *c, int map, int first);

#endif
