/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of the kernel, as they were sampled: counters and their buffers in, records out. */
#ifndef TMA_WHERE_SAMPLES_H
#define TMA_WHERE_SAMPLES_H

#include "count/sample_record.h"
#include "where/where.h"

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
		  struct sample_records *records, struct where *out, struct err *err);

#endif
