// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/raw.h"
#include "sim/ring.h"

static uint64_t data_size(const struct sim_ring *ring)
{
	return ring->pages * RING_PAGE;
}

static size_t map_size(const struct sim_ring *ring)
{
	return (1 + ring->pages) * RING_PAGE;
}

static bool is_error(long ret)
{
	return ret < 0 && ret >= -4095;
}

/* As the kernel: a child has neither the buffer nor the mappings of its parent. */
static void keep_from_children(long at, size_t size)
{
	RAW(SYS_madvise, at, size, MADV_DONTFORK, 0);
}

static void *map_file(long fd, size_t size)
{
	long at = raw_syscall(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (is_error(at))
		return NULL;
	keep_from_children(at, size);
	return (void *)at;
}

/* Our own mapping, and the program's first: valgrind has no second one made by mremap(). */
static bool allocate(struct sim_ring *ring)
{
	long fd = RAW(SYS_memfd_create, "tma-sim", MFD_CLOEXEC, 0, 0);

	if (is_error(fd))
		return false;
	if (!RAW(SYS_ftruncate, fd, map_size(ring), 0, 0)) {
		ring->page = map_file(fd, map_size(ring));
		ring->spare = map_file(fd, map_size(ring));
	}
	RAW(SYS_close, fd, 0, 0, 0);
	return ring->page && ring->spare;
}

struct sim_ring *ring__new(size_t pages, uint32_t watermark, bool overwrite, bool backward)
{
	struct sim_ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return NULL;
	*ring = (struct sim_ring){ .pages = pages, .overwrite = overwrite, .backward = backward };
	if (!allocate(ring)) {
		ring__free(ring);
		return NULL;
	}
	ring->page->cap_bit0_is_deprecated = 1;
	ring->page->size = offsetof(struct perf_event_mmap_page, __reserved);
	ring->page->data_offset = RING_PAGE;
	ring->page->data_size = data_size(ring);
	ring->watermark = watermark < data_size(ring) ? watermark : data_size(ring);
	if (!ring->watermark)
		ring->watermark = data_size(ring) / 2;
	ring->paused = !pages;
	return ring;
}

void ring__free(struct sim_ring *ring)
{
	if (!ring)
		return;
	if (ring->page)
		RAW(SYS_munmap, ring->page, map_size(ring), 0, 0);
	if (ring->spare)
		RAW(SYS_munmap, ring->spare, map_size(ring), 0, 0);
	vec__free(&ring->maps);
	free(ring);
}

long ring__map(struct sim_ring *ring, void *at, int prot, int flags)
{
	int fixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) ? MREMAP_FIXED : 0;
	void *from = ring->spare ? ring->spare : ring->page;
	/* Of shared memory, an old size of 0 makes a second mapping. */
	long copy = raw_syscall(SYS_mremap, (long)from, ring->spare ? map_size(ring) : 0,
				map_size(ring), MREMAP_MAYMOVE | fixed, (long)at, 0);
	struct sim_mapping map = { (void *)copy, map_size(ring) };

	if (is_error(copy))
		return copy;
	ring->spare = NULL;
	if (vec__push(&ring->maps, map)) {
		RAW(SYS_munmap, copy, map.size, 0, 0);
		return -ENOMEM;
	}
	keep_from_children(copy, map.size);
	RAW(SYS_mprotect, copy, map.size, prot, 0);
	return copy;
}

bool ring__unmap(struct sim_ring *ring, const void *at)
{
	for (int i = 0; i < ring->maps.nr; i++)
		if (ring->maps.at[i].at == at) {
			ring->maps.at[i] = ring->maps.at[--ring->maps.nr];
			return true;
		}
	return false;
}

bool ring__has_room(const struct sim_ring *ring, size_t size)
{
	uint64_t tail = __atomic_load_n(&ring->page->data_tail, __ATOMIC_ACQUIRE);
	uint64_t used = ring->backward ? tail - ring->head : ring->head - tail;

	/* One byte stays free, so that full and empty differ. */
	return ring->overwrite || ((-used - 1) & (data_size(ring) - 1)) >= size;
}

static void copy_in(struct sim_ring *ring, uint64_t at, const char *from, size_t size)
{
	char *data = (char *)ring->page + RING_PAGE;
	uint64_t start = at & (data_size(ring) - 1);
	size_t first = data_size(ring) - start;

	if (first > size)
		first = size;
	memcpy(data + start, from, first);
	memcpy(data, from + first, size - first);
}

void ring__write(struct sim_ring *ring, const void *records, size_t size)
{
	uint64_t written;

	if (ring->backward)
		ring->head -= size;
	copy_in(ring, ring->head, records, size);
	if (!ring->backward)
		ring->head += size;
	__atomic_store_n(&ring->page->data_head, ring->head, __ATOMIC_RELEASE);
	written = ring->backward ? -ring->head : ring->head;
	if (written - ring->woken > ring->watermark) {
		ring->woken += ring->watermark;
		ring->ready = true;
	}
}

void ring__count_event(struct sim_ring *ring, uint32_t wakeup_events)
{
	if (!wakeup_events || ++ring->events < wakeup_events)
		return;
	ring->events -= wakeup_events;
	ring->ready = true;
}
