/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counting of events while BPF programs of other processes run: the numbers of these programs come
 * in, and samples go out.
 */
#ifndef TMA_COUNT_BPF_PROGRAMS_H
#define TMA_COUNT_BPF_PROGRAMS_H

struct counts;

/** bpf_programs__read() - fill in the samples of all events, on each CPU. */
void bpf_programs__read(void *self, struct counts *total);

#endif
