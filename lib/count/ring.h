/* SPDX-License-Identifier: GPL-2.0-only */
/* The buffer that the kernel writes samples into: a counter comes in, records go out. */
#ifndef TMA_COUNT_RING_H
#define TMA_COUNT_RING_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "count/kernel.h"

#define RING_RECORD_MAX 65536 /* bytes of a record */

/**
 * struct ring - the buffer of a CPU, or of a thread
 * @fd:   of the counter that owns it
 * @base: the first page, which has the positions of the records; NULL without a buffer
 * @size: bytes of records that fit in it
 */
struct ring {
	int fd;
	struct perf_event_mmap_page *base;
	uint64_t size;
};

/** struct ring_taker - receives each record, which is valid until the function returns */
struct ring_taker {
	void (*take)(void *arg, const struct perf_event_header *record);
	void *arg;
};

/**
 * ring__map() - make the buffer of a counter
 * @pages: a power of two; fewer are taken where the kernel refuses to lock so much memory
 *
 * Return: 0 or -errno.
 */
int ring__map(struct ring *r, const struct count_kernel *kernel, int fd, size_t pages);
/**
 * ring__drain() - give all records in the buffer to @taker
 * @copy: RING_RECORD_MAX bytes, for a record that wraps around
 *
 * Return: how many bytes they had.
 */
uint64_t ring__drain(struct ring *r, char *copy, const struct ring_taker *taker);
/** ring__unmap() - unmap the buffer; a ring without one is allowed. */
void ring__unmap(struct ring *r);

#endif
