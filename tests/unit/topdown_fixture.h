/* SPDX-License-Identifier: GPL-2.0-only */
/* A handle of libtma-topdown. The test plays the kernel: it writes what the handle reads. */
#ifndef TMA_TESTS_TOPDOWN_FIXTURE_H
#define TMA_TESTS_TOPDOWN_FIXTURE_H

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "topdown/snapshot.h"

#define BITS48 (1ULL << 48)

static const struct snapshot_units two_levels = { .wrap = BITS48, .time_mult = 1, .level = 2 };

static uintptr_t fixture_owner;

/* The metrics register of eight fields, the lowest first. */
static inline uint64_t fields(int a, int b, int c, int d, int e, int f, int g, int h)
{
	const int field[] = { a, b, c, d, e, f, g, h };
	uint64_t metrics = 0;

	for (int i = 7; i >= 0; i--)
		metrics = metrics << 8 | (uint64_t)field[i];
	return metrics;
}

/* Make a handle that reads by system calls, from a pipe that the test writes answers into. */
static inline int fixture__piped(struct tma_topdown *topdown)
{
	int ends[2];

	memset(topdown, 0, sizeof(*topdown));
	ck_assert_int_eq(pipe(ends), 0);
	fixture_owner = thread__self();
	topdown->owner = &fixture_owner;
	topdown->pid = getpid();
	topdown->tid = (int32_t)syscall(SYS_gettid);
	topdown->nr_group = TOPDOWN_GROUP;
	topdown->units = two_levels;
	topdown->units.folded = true;
	topdown->flags = TMA_TOPDOWN_KEEP_COST;
	topdown->sample_every = 1;
	topdown->group[0].fd = ends[0];
	return ends[1];
}

/* Write the kernel's answer to the next read. */
static inline void fixture__answer(int kernel, uint64_t slots, uint64_t retiring,
				   uint64_t missed_ns)
{
	const uint64_t group[3 + TOPDOWN_GROUP] = {
		TOPDOWN_GROUP, 1000000 + missed_ns, 1000000, slots, retiring,
	};

	ck_assert_int_eq(write(kernel, group, sizeof(group)), sizeof(group));
}

static inline void fixture__free(struct tma_topdown *topdown, int kernel)
{
	struct tma_region *region;

	close(kernel);
	close(topdown->group[0].fd);
	while ((region = topdown->list)) {
		topdown->list = region->next;
		free(region);
	}
	tma_regions_free(topdown->own_regions);
}

#endif
