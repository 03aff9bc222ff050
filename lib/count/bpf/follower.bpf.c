// SPDX-License-Identifier: GPL-2.0-only
/*
 * A follower of a leader: it runs after the leader when a CPU switches to another task, and adds
 * what was counted since its last run: to the sums of the tasks that its process counts, or to
 * those of each CPU. The kernel calls leader and follower in the order in which they were attached.
 */
#include "kernel.h"
#include "settings.h"

/* The leader's map, given by tma. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_perf_event_value);
} prev_readings SEC(".maps");

/* The leader's reading at the last run of this program. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_perf_event_value);
} last_readings SEC(".maps");

/* The unit that a thread belongs to. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} units SEC(".maps");

/* The sums of each unit. Without tasks there is one unit, with a part for each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_perf_event_value);
} sums SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_settings);
} settings SEC(".maps");

SEC("raw_tp/sched_switch")
int follow(void *ctx)
{
	struct bpf_perf_event_value *now, *last, *sum, counted;
	__u32 first = 0, thread = bpf_get_current_pid_tgid(), *unit = &first;
	const struct bpf_settings *set;

	set = bpf_map_lookup_elem(&settings, &first);
	now = bpf_map_lookup_elem(&prev_readings, &first);
	last = bpf_map_lookup_elem(&last_readings, &first);
	if (!set || !now || !last)
		return 0;
	counted = reading__since(now, last);
	*last = *now;
	if (!set->enabled)
		return 0;
	if (set->of_tasks)
		unit = bpf_map_lookup_elem(&units, &thread);
	if (!unit)
		return 0;
	sum = bpf_map_lookup_elem(&sums, unit);
	if (sum)
		reading__add(sum, &counted);
	return 0;
}

const char terms[] SEC("license") = "GPL";
