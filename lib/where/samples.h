/* SPDX-License-Identifier: GPL-2.0-only */
/* Takes samples: opens counters and their buffers on a target; records of the kernel go out. */
#ifndef TMA_WHERE_SAMPLES_H
#define TMA_WHERE_SAMPLES_H

#include "count/sample_record.h"
#include "where/where.h"

/** struct where_beginning - called once recording of mappings has begun */
struct where_beginning {
	void (*read)(const struct where_options *o, void *arg);
	void *arg;
};

/**
 * samples__take() - take samples until the command ends, the time is over, or a signal comes
 * @out: its losses, notes, status and signal are set
 *
 * Return: 0 or -errno.
 */
int samples__take(const struct where_options *o, const struct where_beginning *beginning,
		  struct sample_records *records, struct where *out, struct err *err);

#endif
