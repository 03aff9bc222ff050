/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types and numbers that the BPF programs use. They are declared here so that the
 * programs do not depend on the headers of the computer that builds them. Offsets in the kernel's
 * own structures are found when the programs are loaded.
 */
#ifndef TMA_COUNT_BPF_KERNEL_H
#define TMA_COUNT_BPF_KERNEL_H

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32, __wsum;

#include <bpf/bpf_helpers.h>

enum {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
};

#define BPF_ANY 0
#define BPF_F_PRESERVE_ELEMS (1U << 11)

/* The result of bpf_perf_event_read_value(); enabled and running are in ns. */
struct bpf_perf_event_value {
	__u64 counter, enabled, running;
};

struct task_struct {
	int pid;
} __attribute__((preserve_access_index));

/** reading__add() - add what was counted between two readings of an event. */
static __always_inline void reading__add(struct bpf_perf_event_value *sum,
					 const struct bpf_perf_event_value *more)
{
	sum->counter += more->counter;
	sum->enabled += more->enabled;
	sum->running += more->running;
}

/** reading__since() - compute what was counted since an earlier reading. */
static __always_inline struct bpf_perf_event_value
reading__since(const struct bpf_perf_event_value *now, const struct bpf_perf_event_value *before)
{
	return (struct bpf_perf_event_value){
		.counter = now->counter - before->counter,
		.enabled = now->enabled - before->enabled,
		.running = now->running - before->running,
	};
}

#endif
