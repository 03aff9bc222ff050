/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many threads of a target ran at the same time. Samples of their time come in; a summary goes
 * out.
 */
#ifndef TMA_WHERE_THREADS_H
#define TMA_WHERE_THREADS_H

#include <stdint.h>

struct sample_records;
struct where_threads;

/**
 * struct threads_options - facts on the samples
 * @event:     number, in the records, of the event that measures time
 * @frequency: number of samples in a second of a thread's time on a CPU
 * @cpu_ns:    CPU time of the whole run; 0 if only the samples show it
 * @nr_known:  number of threads when sampling began; @processes: number of their processes
 * @elapsed_ns: how long samples were taken; 0: from the first record to the last
 * @procfs:    where procfs is mounted, to read names of threads that no record has
 */
struct threads_options {
	int event, nr_known, processes;
	unsigned int frequency;
	uint64_t cpu_ns, elapsed_ns;
	const char *procfs;
};

/**
 * threads__find() - make a summary of the threads that ran
 * @records: records in the order of their times
 */
void threads__find(const struct threads_options *o, const struct sample_records *records,
		   struct where_threads *out);

#endif
