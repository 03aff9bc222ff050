/* SPDX-License-Identifier: GPL-2.0-only */
/* Layout of the maps that the user-space program and its BPF programs share. */
#ifndef TMA_COUNT_BPF_SETTINGS_H
#define TMA_COUNT_BPF_SETTINGS_H

/* The most events that are counted while a BPF program runs; each has a bit in the settings. */
#define BPF_EVENTS_MAX 64

/**
 * struct bpf_settings - the one element of the map "settings"
 * @enabled: bits of the events that are counted; a follower has only bit 0
 * @of_tasks: (follower) count only the tasks in the map "units", not all tasks
 * @nr_events, @nr_cpus: (program) numbers for the key of an event on a CPU: event * nr_cpus + CPU
 */
struct bpf_settings {
	__u64 enabled;
	__u32 of_tasks, nr_events, nr_cpus, unused;
};

#endif
