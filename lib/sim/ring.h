/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring buffer of an event: a page which says how far it is written and read, and a power of two
 * of pages with records. The program maps the same memory.
 */
#ifndef TMA_SIM_RING_H
#define TMA_SIM_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

#define RING_PAGE 4096UL

/** struct sim_mapping - where the program has mapped a ring */
struct sim_mapping {
	void *at;
	size_t size;
};

/**
 * struct sim_ring - one ring buffer
 * @page:  the header, data behind it; NULL in a child process, which has none of its parent's
 * @spare: the program's first mapping, until it asks for it
 * @pages: of data
 * @overwrite: it is mapped read-only: the reader's place is not looked at
 * @backward: written from the end to the start
 * @paused: PERF_EVENT_IOC_PAUSE_OUTPUT
 * @head:  bytes written since the start; counts down when @backward
 * @lost:  records for which there was no room since the last that was written
 * @watermark: bytes after which the reader is woken, and @woken: up to where it was
 * @events: samples since the reader was woken for their number
 * @ready: the reader is to be woken
 */
struct sim_ring {
	struct perf_event_mmap_page *page;
	void *spare;
	size_t pages;
	bool overwrite, backward, paused;
	uint64_t head, lost, watermark, woken;
	uint32_t events;
	bool ready;
	VEC(struct sim_mapping) maps;
};

#endif
