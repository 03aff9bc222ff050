// SPDX-License-Identifier: GPL-2.0-only
/* Events during the runs of another BPF program: they are read when it begins and when it ends. */
#include "kernel.h"
#include "settings.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
	__uint(map_flags, BPF_F_PRESERVE_ELEMS);
} events SEC(".maps");

/* Of each event; the time enabled is 0 where no run has begun. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_perf_event_value);
} begun SEC(".maps");

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

SEC("fentry/program")
int run_begins(void *ctx)
{
	__u32 first = 0, cpu = bpf_get_smp_processor_id();
	struct bpf_perf_event_value *reading;
	const struct bpf_settings *set = bpf_map_lookup_elem(&settings, &first);

	if (!set)
		return 0;
	for (__u32 i = 0; i < BPF_EVENTS_MAX; i++) {
		if (i >= set->nr_events)
			break;
		reading = bpf_map_lookup_elem(&begun, &i);
		if (reading && set->enabled >> i & 1)
			bpf_perf_event_read_value(&events, i * set->nr_cpus + cpu, reading,
						  sizeof(*reading));
	}
	return 0;
}

SEC("fexit/program")
int run_ends(void *ctx)
{
	const struct bpf_perf_event_value none = {};
	__u32 first = 0, cpu = bpf_get_smp_processor_id();
	struct bpf_perf_event_value now, counted, *before, *sum;
	const struct bpf_settings *set = bpf_map_lookup_elem(&settings, &first);

	if (!set)
		return 0;
	for (__u32 i = 0; i < BPF_EVENTS_MAX; i++) {
		if (i >= set->nr_events)
			break;
		before = bpf_map_lookup_elem(&begun, &i);
		sum = bpf_map_lookup_elem(&sums, &i);
		if (!before || !sum || !before->enabled)
			continue;
		if (set->enabled >> i & 1 &&
		    !bpf_perf_event_read_value(&events, i * set->nr_cpus + cpu, &now,
					       sizeof(now))) {
			counted = reading__since(&now, before);
			reading__add(sum, &counted);
		}
		*before = none;
	}
	return 0;
}

const char terms[] SEC("license") = "GPL";
