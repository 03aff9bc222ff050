/* SPDX-License-Identifier: GPL-2.0-only */
/* What the program and its BPF programs tell each other in maps. */
#ifndef TMA_COUNT_BPF_SETTINGS_H
#define TMA_COUNT_BPF_SETTINGS_H

/* How many events are counted at most while a BPF program runs: a bit of settings is of each. */
#define BPF_EVENTS_MAX 64

/**
 * struct bpf_settings - the one element of the map "settings"
 * @enabled: bits of the events that are counted; of a follower, bit 0
 * @of_tasks: (follower) the tasks in the map "units" are counted, and not all that runs
 * @nr_events, @nr_cpus: (program) key of an event on a CPU: event * nr_cpus + CPU
 */
struct bpf_settings {
	__u64 enabled;
	__u32 of_tasks, nr_events, nr_cpus, unused;
};

#endif
