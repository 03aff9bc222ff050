// SPDX-License-Identifier: GPL-2.0-only
/* BPF programs to be counted: they take a while, and do the same each time. */
#include "kernel.h"

static long turn(__u32 i, __u64 *sum)
{
	*sum += i ^ *sum;
	return 0;
}

SEC("socket")
int work(void *ctx)
{
	__u64 sum = 1;

	bpf_loop(2000000, turn, &sum, 0);
	return sum & 1;
}

SEC("socket")
int rest(void *ctx)
{
	return 0;
}

const char terms[] SEC("license") = "GPL";
