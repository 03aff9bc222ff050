/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that BPF programs read. Each event is open on every CPU, always counts, and is kept open
 * by a map.
 */
#ifndef TMA_COUNT_BPF_EVENTS_H
#define TMA_COUNT_BPF_EVENTS_H

struct counter;
struct session;

/**
 * bpf_events__put() - open an event on all CPUs that it counts on, and put it into a map
 * @map:   descriptor of a map of perf events. The map keeps the events open after this function has
 *          closed their own descriptors
 * @first: the key of CPU 0; the keys of the other CPUs follow
 *
 * Return: 0, or the positive errno with which the kernel refuses the event on a CPU.
 */
int bpf_events__put(const struct session *s, const struct counter *c, int map, int first);

#endif
