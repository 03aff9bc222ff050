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

/* One element for each event. Its time enabled is 0 before a run has begun. */
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

/* The index of an event's counts; the verifier can follow a loop's counter only in a register. */
struct event_place {
	__u32 event, key;
};

static __always_inline struct event_place place_of(const struct bpf_settings *set, __u32 event)
{
	return (struct event_place){ event, event * set->nr_cpus + bpf_get_smp_processor_id() };
}

static __always_inline void begin_event(const struct bpf_settings *set, __u32 event)
{
	struct event_place place = place_of(set, event);
	struct bpf_perf_event_value *reading = bpf_map_lookup_elem(&begun, &place.event);

	if (reading && set->enabled >> event & 1)
		bpf_perf_event_read_value(&events, place.key, reading, sizeof(*reading));
}

static __always_inline void end_event(const struct bpf_settings *set, __u32 event)
{
	const struct bpf_perf_event_value none = {};
	struct event_place place = place_of(set, event);
	struct bpf_perf_event_value now, counted, *before, *sum;

	before = bpf_map_lookup_elem(&begun, &place.event);
	sum = bpf_map_lookup_elem(&sums, &place.event);
	if (!before || !sum || !before->enabled)
		return;
	if (set->enabled >> event & 1 &&
	    !bpf_perf_event_read_value(&events, place.key, &now, sizeof(now))) {
		counted = reading__since(&now, before);
		reading__add(sum, &counted);
	}
	*before = none;
}

SEC("fentry/program")
int run_begins(void *ctx)
{
	__u32 first = 0;
	const struct bpf_settings *set = bpf_map_lookup_elem(&settings, &first);

	for (__u32 i = 0; set && i < BPF_EVENTS_MAX && i < set->nr_events; i++)
		begin_event(set, i);
	return 0;
}

SEC("fexit/program")
int run_ends(void *ctx)
{
	__u32 first = 0;
	const struct bpf_settings *set = bpf_map_lookup_elem(&settings, &first);

	for (__u32 i = 0; set && i < BPF_EVENTS_MAX && i < set->nr_events; i++)
		end_event(set, i);
	return 0;
}

const char terms[] SEC("license") = "GPL";
