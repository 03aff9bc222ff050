/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of the kernel, as they were sampled: counters and their buffers in, records out. */
#ifndef TMA_WHERE_SAMPLES_H
#define TMA_WHERE_SAMPLES_H

#include "where/where.h"

/* What a record tells. */
enum record_kind_of_where {
	RECORD_SAMPLED,
	RECORD_MAPPED,
	RECORD_FORKED,
	RECORD_EXECUTED,
	RECORD_NAMED,
};

/**
 * struct where_record - a sample, or a change of what stands where
 * @order:   behind which it came, of the same @time_ns
 * @pid, @tid: of the process and the thread; @parent, @parent_tid: (RECORD_FORKED) its parent's
 * @address: of the sample, or where the mapping begins; @len, @offset, @inode, @path: of a mapping;
 *           (RECORD_NAMED) the name that the thread has from now on
 * @uid:     of a mapping without a file: whose process it is, or (uid_t)-1
 * @event:   that was sampled; @period: events that the sample stands for; @kernel: in the kernel
 */
struct where_record {
	enum record_kind_of_where kind;
	uint64_t time_ns;
	int order;
	pid_t pid, tid, parent, parent_tid;
	uid_t uid;
	uint64_t address, len, offset, inode, period;
	char *path;
	int event;
	bool kernel;
};

/** struct where_records - all of a run, in the order of their times once they are complete */
struct where_records {
	struct where_record *at;
	int nr, cap;
};

/**
 * struct where_beginning - what is to be done once changes of what stands where are recorded
 */
struct where_beginning {
	void (*read)(const struct where_options *o, void *arg);
	void *arg;
};

/**
 * samples__take() - sample until the command ends, or the time is over, or a signal comes
 * @out: its counts of what was lost, notes, status and signal are set
 *
 * Return: 0 or -errno.
 */
int samples__take(const struct where_options *o, const struct where_beginning *beginning,
		  struct where_records *records, struct where *out, struct err *err);
void where_records__free(struct where_records *records);

#endif
