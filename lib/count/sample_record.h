/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of what code programs ran: the kernel's bytes come in; samples and changes of mappings go
 * out. The kernel writes them for counters that were opened with sample_record__set_attr().
 */
#ifndef TMA_COUNT_SAMPLE_RECORD_H
#define TMA_COUNT_SAMPLE_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

/* The kinds of a record. */
enum sample_record_kind {
	RECORD_SAMPLED,
	RECORD_MAPPED,
	RECORD_FORKED,
	RECORD_EXECUTED,
	RECORD_NAMED,
	RECORD_ENDED,
};

/**
 * struct sample_record - a sample, or a change of the mappings or names of a task
 * @order:   number of this record among the records with the same @time_ns
 * @pid, @tid: ids of the process and the thread
 * @parent, @parent_tid: (RECORD_FORKED) ids of the parent process and its thread
 * @address: address of the sample, or beginning of the mapping
 * @len, @offset, @inode: length of the mapping, and where it begins in which file
 * @path:    path of the mapping's file, or (RECORD_NAMED) the new name of the thread; from
 *           malloc(), or NULL
 * @uid:     (mapping without a file) user of the process, if the caller finds it out and fills it
 *          in; otherwise (uid_t)-1
 * @event:   index of the sampled event; @unit: unit of the counter, 0 if it does not matter
 * @period:  number of events that the sample represents
 * @kernel:  the sample is in the kernel
 * @burst:   number of the burst that the sample belongs to (count/bursts.h), or 0
 */
struct sample_record {
	enum sample_record_kind kind;
	uint64_t time_ns;
	int order;
	pid_t pid, tid, parent, parent_tid;
	uid_t uid;
	uint64_t address, len, offset, inode, period;
	char *path;
	int event, unit;
	uint32_t burst;
	bool kernel;
};

/** struct sample_records - records, in the order of their times once all have arrived */
struct sample_records {
	struct sample_record *at;
	int nr, cap;
};

/**
 * struct sample_loss - missing samples, which records report
 * @throttled: how often the kernel held a counter back; @counter: id of the last such counter
 */
struct sample_loss {
	uint64_t lost, throttled, counter;
};

/**
 * sample_record__set_attr() - let a counter write these records
 * @maps: also write records of mappings, forks and execs
 *
 * A sample has a period of 0 if its counter was opened without PERF_SAMPLE_PERIOD.
 */
void sample_record__set_attr(struct perf_event_attr *attr, bool maps);
/**
 * sample_record__parse() - parse a record of the kernel
 * @id:   set to the id of the counter whose sample it is
 * @loss: losses that the record reports are added to it
 *
 * Return: how many records were made, at most 2; 0 if the kernel's record has nothing of use.
 */
int sample_record__parse(const struct perf_event_header *h, struct sample_record out[2],
			 uint64_t *id, struct sample_loss *loss);
/** sample_records__sort() - sort records by time. */
void sample_records__sort(struct sample_records *records);
/** sample_records__free() - release records and their texts. */
void sample_records__free(struct sample_records *records);

#endif
