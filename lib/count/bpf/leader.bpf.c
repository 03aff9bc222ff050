// SPDX-License-Identifier: GPL-2.0-only
/*
 * The leader of an event: it reads the event when a CPU switches to another task. All processes
 * that count the event share the leader: their followers run after it and read its map.
 */
#include "kernel.h"

/* The map keeps the events open, even after the process that put them there has ended. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
	__uint(map_flags, BPF_F_PRESERVE_ELEMS);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_perf_event_value);
} prev_readings SEC(".maps");

/* The counts since the previous reading, for perf's followers. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_perf_event_value);
} diff_readings SEC(".maps");

SEC("raw_tp/sched_switch")
int on_switch(void *ctx)
{
	const struct bpf_perf_event_value none = {};
	struct bpf_perf_event_value now, *before, *diff;
	__u32 first = 0;

	before = bpf_map_lookup_elem(&prev_readings, &first);
	diff = bpf_map_lookup_elem(&diff_readings, &first);
	if (!before || !diff)
		return 0;
	if (bpf_perf_event_read_value(&events, bpf_get_smp_processor_id(), &now, sizeof(now))) {
		*diff = none;
		return 0;
	}
	*diff = reading__since(&now, before);
	*before = now;
	return 0;
}

const char terms[] SEC("license") = "GPL";
