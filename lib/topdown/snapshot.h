/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read registers under the sequence lock of the kernel's page. The function that reads a register
 * is an argument: the library uses RDPMC, and tests use another function.
 */
#ifndef TMA_TOPDOWN_SNAPSHOT_H
#define TMA_TOPDOWN_SNAPSHOT_H

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "internal.h"

#if defined(__x86_64__) || defined(__i386__)
#define TOPDOWN_HAS_RDPMC 1

static inline uint64_t cpu__rdpmc(uint32_t counter)
{
	uint32_t low, high;

	__asm__ __volatile__("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
	return (uint64_t)high << 32 | low;
}

static inline uint64_t cpu__rdtsc(void)
{
	uint32_t low, high;

	__asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}
#else
#define TOPDOWN_HAS_RDPMC 0

/*
 * These functions are never called: on other architectures a handle cannot have TopDown, and a
 * handle for other events uses system calls and the clock.
 */
static inline uint64_t cpu__rdpmc(uint32_t counter)
{
	(void)counter;
	return 0;
}

static inline uint64_t cpu__rdtsc(void)
{
	return 0;
}
#endif

static inline uint64_t clock__ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline uint64_t topdown__ticks(const struct tma_topdown *topdown)
{
	return topdown->tsc ? cpu__rdtsc() : clock__ns();
}

/*
 * Get a value that identifies the running thread: the address of its thread block. On x86-64 it is
 * in a register, so that no call is needed.
 */
static inline uintptr_t thread__self(void)
{
#ifdef __x86_64__
	uintptr_t self;

	__asm__("mov %%fs:0, %0" : "=r"(self));
	return self;
#else
	return (uintptr_t)pthread_self();
#endif
}

/*
 * Read each field of the page once, and in order: the kernel changes fields while this thread is
 * not running.
 */
#define PAGE_READ(field) (*(const volatile __typeof__(field) *)&(field))
#define PAGE_ORDER() __asm__ __volatile__("" ::: "memory")

/**
 * topdown__take_once() - take a snapshot, if the page's lock still equals @lock
 * @rdpmc: reads a register; the compiler must see the function, to put it inline
 * @fast:  the counters are known to be scheduled, and the clock is the TSC
 * Return: false if the page has changed meanwhile; then @snapshot is unchanged.
 */
static inline __attribute__((always_inline)) bool
topdown__take_once(const struct tma_topdown *topdown, struct tma_topdown_snapshot *snapshot,
		   uint64_t (*rdpmc)(uint32_t counter), bool fast)
{
	uint64_t slots = 0, metrics = 0, ticks;

	PAGE_ORDER();
	if (fast || topdown->slots_counter) {
		slots = rdpmc(topdown->slots_counter);
		metrics = rdpmc(topdown->metrics_counter);
	}
	ticks = fast ? cpu__rdtsc() : topdown__ticks(topdown);
	PAGE_ORDER();
	if (PAGE_READ(topdown->page->lock) != topdown->lock)
		return false;
	*snapshot = topdown->now;
	snapshot->slots = slots & (topdown->units.wrap - 1);
	snapshot->metrics = metrics;
	snapshot->ticks = ticks;
	return true;
}

/**
 * topdown__take() - take a snapshot from registers
 *
 * The kernel changes the page when the thread leaves a CPU and when it comes onto one. So while
 * @lock equals the page's lock, the base is valid, and the counters belong to this thread.
 */
static inline __attribute__((always_inline)) void
topdown__take(struct tma_topdown *topdown, struct tma_topdown_snapshot *snapshot,
	      uint64_t (*rdpmc)(uint32_t counter))
{
	do {
		if (PAGE_READ(topdown->page->lock) != topdown->lock)
			topdown__rebase(topdown);
	} while (!topdown__take_once(topdown, snapshot, rdpmc, false));
}

/**
 * topdown__take_fast() - take a snapshot if the page has not changed, without a loop or a call
 * Return: false, without reading, if the page has changed.
 */
static inline __attribute__((always_inline)) bool
topdown__take_fast(struct tma_topdown *topdown, struct tma_topdown_snapshot *snapshot,
		   uint64_t (*rdpmc)(uint32_t counter))
{
	if (!topdown->fast || PAGE_READ(topdown->page->lock) != topdown->lock)
		return false;
	return topdown__take_once(topdown, snapshot, rdpmc, true);
}

/**
 * counter__value() - read an ordinary event's count from its page and register
 * @rdpmc: reads a register; the compiler must see the function, to put it inline
 */
static inline __attribute__((always_inline)) void
counter__value(const struct perf_event_mmap_page *page, uint64_t (*rdpmc)(uint32_t counter),
	       struct tma_topdown_count *count)
{
	uint32_t lock;

	do {
		uint32_t index;

		lock = PAGE_READ(page->lock);
		PAGE_ORDER();
		index = PAGE_READ(page->index);
		count->value = (uint64_t)PAGE_READ(page->offset);
		count->enabled_ns = PAGE_READ(page->time_enabled);
		count->running_ns = PAGE_READ(page->time_running);
		count->notes = index ? 0 : TMA_TOPDOWN_NOT_COUNTED;
		if (index) {
			unsigned int unused = 64u - PAGE_READ(page->pmc_width);

			/* The kernel starts counters below 0, so the value is signed. */
			count->value += (uint64_t)((int64_t)(rdpmc(index - 1) << unused) >> unused);
		}
		PAGE_ORDER();
	} while (PAGE_READ(page->lock) != lock || lock & 1);
}

#endif
