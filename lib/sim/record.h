/* SPDX-License-Identifier: GPL-2.0-only */
/* Make the records of a ring buffer: samples, lost records, throttling and others. */
#ifndef TMA_SIM_RECORD_H
#define TMA_SIM_RECORD_H

#include <stddef.h>

#include "sim/context.h"
#include "sim/sideband.h"

/* The kernel refuses an event if a read of its group could return more bytes than this. */
#define RECORD_MAX_READ 16384

/** struct sim_record - a record that is being made; it begins with its perf_event_header */
struct sim_record {
	struct perf_event_header *header;
	size_t nr; /* number of words */
	uint64_t word[RECORD_MAX_READ / sizeof(uint64_t) + 64];
};

/** record__sample() - make PERF_RECORD_SAMPLE of an event at its context's present time. */
void record__sample(struct sim_record *record, struct sim_event *event, uint64_t period);
/** record__throttle() - make PERF_RECORD_THROTTLE or, with @on, PERF_RECORD_UNTHROTTLE. */
void record__throttle(struct sim_record *record, struct sim_event *event, bool on);
/** record__lost() - make PERF_RECORD_LOST of @lost records. */
void record__lost(struct sim_record *record, struct sim_event *event, uint64_t lost);
/** record__comm() - make PERF_RECORD_COMM of a process that executes the program of a path. */
void record__comm(struct sim_record *record, struct sim_event *event, pid_t pid, const char *path);
/** record__fork() - make PERF_RECORD_FORK. */
void record__fork(struct sim_record *record, struct sim_event *event,
		  const struct sim_fork *fork);
/**
 * record__mapped() - make PERF_RECORD_MMAP2 of a file, or PERF_RECORD_MMAP if the event asks for
 * it.
 */
void record__mapped(struct sim_record *record, struct sim_event *event, pid_t pid,
		    const struct sim_mapped *mapped);
/** record__size() - get the size of a finished record, in bytes. */
static inline size_t record__size(const struct sim_record *record)
{
	return record->nr * sizeof(*record->word);
}

/**
 * record__read_words() - find how many words read() of an event returns for a group of @nr_members.
 */
size_t record__read_words(const struct perf_event_attr *attr, int nr_members);
/** record__read() - write the result of read() of an event. Return: words written. */
size_t record__read(struct sim_event *event, uint64_t *at);

#endif
