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

/**
 * ring__new() - an empty ring
 * @pages: of data, a power of two or 0
 * @watermark: bytes after which the reader is woken; 0 for half of it
 *
 * Return: it, or NULL without memory. ring__free() it.
 */
struct sim_ring *ring__new(size_t pages, uint32_t watermark, bool overwrite, bool backward);
/** ring__free() - give the memory back; the program's mappings stay. */
void ring__free(struct sim_ring *ring);
/**
 * ring__map() - map it once more, for the program
 * @at, @flags: of mmap()
 *
 * Return: the address, or -errno.
 */
long ring__map(struct sim_ring *ring, void *at, int prot, int flags);
/** ring__unmap() - the mapping at an address is about to go. Return: whether there is one. */
bool ring__unmap(struct sim_ring *ring, const void *at);

/** ring__has_room() - whether a record of @size bytes can be written now. */
bool ring__has_room(const struct sim_ring *ring, size_t size);
/** ring__write() - write records for which there is room, and let the reader see them. */
void ring__write(struct sim_ring *ring, const void *records, size_t size);
/** ring__count_event() - a sample more. @wakeup_events: after how many the reader is woken. */
void ring__count_event(struct sim_ring *ring, uint32_t wakeup_events);

#endif
