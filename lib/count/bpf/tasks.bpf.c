// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the map of the threads that are counted. A thread or process that a counted thread makes
 * belongs to the same unit. A thread that the kernel has forgotten is removed, as its number may be
 * reused.
 */
#include "kernel.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} units SEC(".maps");

/* The number of threads that did not fit into the map. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} missed SEC(".maps");

SEC("tp_btf/task_newtask")
int task_begins(__u64 *ctx)
{
	const struct task_struct *task = (const void *)ctx[0];
	__u32 first = 0, thread = bpf_get_current_pid_tgid(), new_thread, copy;
	__u32 *unit = bpf_map_lookup_elem(&units, &thread);
	__u64 *nr_missed;

	if (!unit)
		return 0;
	new_thread = task->pid;
	copy = *unit;
	if (!bpf_map_update_elem(&units, &new_thread, &copy, BPF_ANY))
		return 0;
	nr_missed = bpf_map_lookup_elem(&missed, &first);
	if (nr_missed)
		__sync_fetch_and_add(nr_missed, 1);
	return 0;
}

SEC("tp_btf/sched_process_free")
int task_is_gone(__u64 *ctx)
{
	const struct task_struct *task = (const void *)ctx[0];
	__u32 thread = task->pid;

	bpf_map_delete_elem(&units, &thread);
	return 0;
}

const char terms[] SEC("license") = "GPL";
