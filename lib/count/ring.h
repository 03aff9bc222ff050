/* SPDX-License-Identifier: GPL-2.0-only */
/* The buffer that the kernel writes samples into: a counter comes in, records go out. */
#ifndef TMA_COUNT_RING_H
#define TMA_COUNT_RING_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "count/kernel.h"

#define RING_RECORD_MAX 65536 /* the most bytes that a record has */

/**
 * struct ring - the buffer of a CPU, or of a thread
 * @fd:   descriptor of the counter that owns the buffer
 * @base: first page of the buffer, which has the positions of reader and writer; NULL without a
 *        buffer
 * @size: number of bytes of records that fit in the buffer
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
 * @pages: number of pages, a power of two; a smaller buffer is made if the kernel refuses to lock
 *         so much memory
 *
 * Return: 0 or -errno.
 */
int ring__map(struct ring *r, const struct count_kernel *kernel, int fd, size_t pages);
/**
 * ring__drain() - pass all records in the buffer to @taker
 * @copy: memory of RING_RECORD_MAX bytes, for a record that wraps around the end of the buffer
 *
 * Return: number of bytes of the records.
 */
uint64_t ring__drain(struct ring *r, char *copy, const struct ring_taker *taker);
/** ring__unmap() - unmap the buffer; a ring without one is allowed. */
void ring__unmap(struct ring *r);

#endif
