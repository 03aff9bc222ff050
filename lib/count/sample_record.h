/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of where programs were: the kernel's bytes come in; samples and changes of mappings go
 * out. They are written by counters that were opened with sample_record__set_attr().
 */
#ifndef TMA_COUNT_SAMPLE_RECORD_H
#define TMA_COUNT_SAMPLE_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

/* A record is one of these. */
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
 * @order:   number of this record among those of the same @time_ns
 * @pid, @tid: of the process and the thread; @parent, @parent_tid: (RECORD_FORKED) its parent's
 * @address: of the sample, or where the mapping begins; @len, @offset, @inode, @path: of a mapping;
 *           (RECORD_NAMED) the name that the thread has from now on; from malloc(), or NULL
 * @uid:     (mapping without a file) user of its process, filled in by a caller that finds it out;
 *          otherwise (uid_t)-1
 * @event:   that was sampled; @unit: of the counter, 0 where it does not matter; @period: events
 *           that the sample represents; @kernel: in the kernel
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

/** struct sample_records - in the order of their times once they are complete */
struct sample_records {
	struct sample_record *at;
	int nr, cap;
};

/**
 * struct sample_loss - samples that are missing, as reported by records
 * @throttled: how often a counter was held back; @counter: the id of the last one
 */
struct sample_loss {
	uint64_t lost, throttled, counter;
};

/**
 * sample_record__set_attr() - let a counter write these records
 * @maps: also records of mappings, forks and execs
 *
 * A sample of a counter without PERF_SAMPLE_PERIOD has a period of 0.
 */
void sample_record__set_attr(struct perf_event_attr *attr, bool maps);
/**
 * sample_record__parse() - parse a record of the kernel
 * @id:   set to the id of the counter whose sample it is
 * @loss: is added to
 *
 * Return: how many records were made of it, at most 2; 0 if it has nothing of use.
 */
int sample_record__parse(const struct perf_event_header *h, struct sample_record out[2],
			 uint64_t *id, struct sample_loss *loss);
/** sample_records__sort() - put them in the order of time. */
void sample_records__sort(struct sample_records *records);
/** sample_records__free() - release them, and their texts. */
void sample_records__free(struct sample_records *records);

#endif
