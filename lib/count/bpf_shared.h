/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters that processes share. Each process has a follower for each leader; the sums that its
 * followers make go into the samples.
 */
#ifndef TMA_COUNT_BPF_SHARED_H
#define TMA_COUNT_BPF_SHARED_H

struct counts;
struct session;

/** bpf_shared__read() - fill in the samples of events whose counters are shared (event->bpf). */
void bpf_shared__read(void *self, struct counts *total);
/**
 * bpf_shared__let_run() - start the shared counters together with the command; its exec starts all
 * other counters.
 */
void bpf_shared__let_run(struct session *s);

#endif
