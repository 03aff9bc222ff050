// SPDX-License-Identifier: GPL-2.0-only
/*
 * Map the ring buffers of events, share them (SET_OUTPUT), write into them at overflows, and wake
 * their readers.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "sim/raw.h"
#include "sim/record.h"
#include "sim/sim.h"

/* --- One ring ------------------------------------------------------------------------------- */

static uint64_t data_size(const struct sim_ring *ring)
{
	return ring->pages * RING_PAGE;
}

static size_t map_size(const struct sim_ring *ring)
{
	return (1 + ring->pages) * RING_PAGE;
}

/*
 * Keep memory from children of fork(): as in the kernel, a child does not inherit buffers or
 * mappings.
 */
static void keep_from_children(long at, size_t size)
{
	RAW(SYS_madvise, at, size, MADV_DONTFORK, 0);
}

static void *map_file(long fd, size_t size)
{
	long at = raw_syscall(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (raw_failed(at))
		return NULL;
	keep_from_children(at, size);
	return (void *)at;
}

/*
 * Make the mapping for the library and the first one for the program: under valgrind, mremap()
 * cannot make a second mapping later.
 */
static bool buffer__allocate(struct sim_ring *ring)
{
	long fd = RAW(SYS_memfd_create, "tma-sim", MFD_CLOEXEC, 0, 0);

	if (raw_failed(fd))
		return false;
	if (!RAW(SYS_ftruncate, fd, map_size(ring), 0, 0)) {
		ring->page = map_file(fd, map_size(ring));
		ring->spare = map_file(fd, map_size(ring));
	}
	RAW(SYS_close, fd, 0, 0, 0);
	return ring->page && ring->spare;
}

static void write_header(struct perf_event_mmap_page *page, size_t size)
{
	page->cap_bit0_is_deprecated = 1;
	page->size = offsetof(struct perf_event_mmap_page, __reserved);
	page->data_offset = RING_PAGE;
	page->data_size = size;
}

/* Free a ring; the program's own mappings remain. */
static void free_ring(struct sim_ring *ring)
{
	if (ring->page)
		RAW(SYS_munmap, ring->page, map_size(ring), 0, 0);
	if (ring->spare)
		RAW(SYS_munmap, ring->spare, map_size(ring), 0, 0);
	vec__free(&ring->maps);
	free(ring);
}

/* Map the ring once more, for the program. Return: the address, or -errno. */
static long map_ring(struct sim_ring *ring, void *at, int prot, int flags)
{
	int fixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) ? MREMAP_FIXED : 0;
	void *from = ring->spare ? ring->spare : ring->page;
	/* For shared memory, an old size of 0 makes mremap() create a second mapping. */
	long copy = raw_syscall(SYS_mremap, (long)from, ring->spare ? map_size(ring) : 0,
				map_size(ring), MREMAP_MAYMOVE | fixed, (long)at, 0);
	struct sim_mapping map = { (void *)copy, map_size(ring) };

	if (raw_failed(copy))
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

/* Forget the mapping at an address that will be unmapped. Return: whether there is one. */
static bool unmap_ring(struct sim_ring *ring, const void *at)
{
	for (int i = 0; i < ring->maps.nr; i++)
		if (ring->maps.at[i].at == at) {
			ring->maps.at[i] = ring->maps.at[--ring->maps.nr];
			return true;
		}
	return false;
}

static bool has_room(const struct sim_ring *ring, size_t size)
{
	uint64_t tail = __atomic_load_n(&ring->page->data_tail, __ATOMIC_ACQUIRE);
	uint64_t used = ring->backward ? tail - ring->head : ring->head - tail;

	/* One byte stays free, so that a full buffer differs from an empty one. */
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

/* Write records that fit, and publish them to the reader. */
static void write_ring(struct sim_ring *ring, const void *records, size_t size)
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

/* Wake the reader after each @wakeup_events samples. */
static void count_sample(struct sim_ring *ring, uint32_t wakeup_events)
{
	if (!wakeup_events || ++ring->events < wakeup_events)
		return;
	ring->events -= wakeup_events;
	ring->ready = true;
}

/* --- Rings of events ------------------------------------------------------------------------ */

/*
 * Check the number of locked pages: perf_event_mlock_kb for each CPU plus RLIMIT_MEMLOCK are
 * allowed.
 */
static int check_locked(size_t pages)
{
	size_t free_pages = sim_machine__sysctl(&sim.m, "perf_event_mlock_kb", 516) /
			    (RING_PAGE / 1024) * sim__nr_online();
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
	size_t beyond;

	pages += sim.locked_pages;
	beyond = pages > free_pages ? pages - free_pages : 0;
	if (sim.m.paranoid < 0 || !RAW(SYS_geteuid, 0, 0, 0, 0))
		return 0;
	RAW(SYS_prlimit64, 0, RLIMIT_MEMLOCK, NULL, &limit);
	return beyond > limit.rlim_cur / RING_PAGE ? -EPERM : 0;
}

static int new_ring(struct sim_event *event, size_t pages, int prot)
{
	const struct perf_event_attr *attr = &event->attr;
	uint64_t size = pages * RING_PAGE, watermark = attr->watermark ? attr->wakeup_watermark : 0;
	struct sim_ring *ring;
	int rc = check_locked(pages + 1);

	ring = rc ? NULL : calloc(1, sizeof(*ring));
	if (!ring)
		return rc ? rc : -ENOMEM;
	*ring = (struct sim_ring){
		.pages = pages,
		.overwrite = !(prot & PROT_WRITE),
		.backward = attr->write_backward,
		.paused = !pages,
		.watermark = !watermark ? size / 2 : watermark < size ? watermark : size,
	};
	if (!buffer__allocate(ring) || vec__push(&sim.rings, ring)) {
		free_ring(ring);
		return -ENOMEM;
	}
	write_header(ring->page, size);
	sim.locked_pages += pages + 1;
	event->ring = ring;
	return 0;
}

static void drop_ring(struct sim_ring *ring)
{
	for (int i = 0; i < sim.rings.nr; i++)
		if (sim.rings.at[i] == ring)
			sim.rings.at[i] = sim.rings.at[--sim.rings.nr];
	if (!sim.rings.nr)
		vec__free(&sim.rings);
	sim.locked_pages -= ring->pages + 1;
	free_ring(ring);
}

/* Find the next event that writes into a ring, from descriptor *@at on. */
static struct sim_event *next_writer(const struct sim_ring *ring, int *at)
{
	while (*at < sim.events.nr) {
		struct sim_event *event = sim.events.at[(*at)++];

		if (event && event->ring == ring)
			return event;
	}
	return NULL;
}

static void set_ring(struct sim_event *event, struct sim_ring *ring)
{
	struct sim_ring *old = event->ring;
	int at = 0;

	event->ring = ring;
	if (old && !old->maps.nr && !next_writer(old, &at))
		drop_ring(old);
}

void sim__drop_buffer(struct sim_event *event)
{
	set_ring(event, NULL);
}

static int check_mapping(const struct sim_event *event, const struct sim_mmap *call, size_t pages)
{
	if (event->cpu == -1 && event->attr.inherit)
		return -EINVAL;
	if (!(call->flags & MAP_SHARED) || call->offset)
		return -EINVAL;
	if (!call->length || pages & (pages - 1))
		return -EINVAL;
	if (event->ring && event->ring->pages != pages)
		return -EINVAL;
	return 0;
}

long sim__mmap(struct sim_event *event, const struct sim_mmap *call)
{
	size_t pages = (call->length + RING_PAGE - 1) / RING_PAGE - 1;
	int rc = check_mapping(event, call, pages);
	bool fresh = !event->ring;
	long at;

	rc = rc ? rc : faults__on_mmap(&sim.faults, sim.locked_pages + (fresh ? pages + 1 : 0));
	if (!rc && fresh)
		rc = new_ring(event, pages, call->prot);
	if (rc)
		return rc;
	sim__sync(event->ctx);
	at = map_ring(event->ring, call->at, call->prot, call->flags);
	if (!raw_failed(at))
		event->mapped = event->stale = event->ctx->has_pages = true;
	else if (fresh)
		set_ring(event, NULL);
	sim__publish(event->ctx);
	return at;
}

void sim__munmap(const void *at)
{
	struct sim_ring **ring;
	struct sim_event *event;

	vec__for_each(ring, &sim.rings) {
		struct sim_ring *gone = *ring;

		if (!unmap_ring(gone, at))
			continue;
		/* Without a mapping the ring has no reader: detach it from all events. */
		if (!gone->maps.nr) {
			for (int i = 0; (event = next_writer(gone, &i));) {
				event->ring = NULL;
				event->mapped = false;
			}
			drop_ring(gone);
		}
		return;
	}
}

void sim__forget_buffers(void)
{
	struct sim_event **event;

	vec__for_each(event, &sim.events)
		if (*event) {
			(*event)->ring = NULL;
			(*event)->mapped = false;
		}
	sim.rings.nr = 0;
	sim.locked_pages = 0;
}

static bool same_task(const struct sim_event *a, const struct sim_event *b)
{
	const struct sim_task *first = a->ctx->task, *second = b->ctx->task;

	return first && second && first->tid == second->tid;
}

static bool same_clock(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return a->use_clockid == b->use_clockid && (!a->use_clockid || a->clockid == b->clockid);
}

static bool can_share(const struct sim_event *event, const struct sim_event *to)
{
	return to != event && to->cpu == event->cpu && (to->cpu != -1 || same_task(event, to)) &&
	       same_clock(&event->attr, &to->attr) &&
	       to->attr.write_backward == event->attr.write_backward;
}

int sim__set_output(struct sim_event *event, struct sim_event *to)
{
	if (to && !can_share(event, to))
		return -EINVAL;
	/* An event that has been mapped keeps its own ring. */
	if ((event->ring && event->mapped) || (to && !to->ring))
		return -EINVAL;
	set_ring(event, to ? to->ring : NULL);
	return 0;
}

/* Wake the waiters of every descriptor that writes into the ring. */
static void signal_writers(struct sim_ring *ring)
{
	uint64_t one = 1;
	struct sim_event *event;

	for (int i = 0; (event = next_writer(ring, &i));)
		if (!event->signalled) {
			event->signalled = true;
			RAW(SYS_write, event->fd, &one, sizeof(one), 0);
		}
}

static void write_record(struct sim_event *event, const struct sim_record *record)
{
	struct sim_ring *ring = event->ring;
	bool was_ready = ring->ready;
	struct sim_record lost;

	lost.nr = 0;
	if (ring->lost)
		record__lost(&lost, event, ring->lost);
	if (ring->paused || faults__drops_record(&sim.faults) ||
	    !has_room(ring, record__size(&lost) + record__size(record))) {
		ring->lost += ring->pages > 0;
		event->lost += ring->pages > 0;
		return;
	}
	if (ring->lost)
		write_ring(ring, lost.word, record__size(&lost));
	ring->lost = 0;
	write_ring(ring, record->word, record__size(record));
	if (record->header->type == PERF_RECORD_SAMPLE && !event->attr.watermark)
		count_sample(ring, event->attr.wakeup_events);
	if (ring->ready && !was_ready)
		signal_writers(ring);
}

void sim__output(struct sim_event *event, enum sim_output what, uint64_t period)
{
	struct sim_record record;

	if (!event->ring)
		return;
	if (what == SIM_OUTPUT_SAMPLE)
		record__sample(&record, event, period);
	else
		record__throttle(&record, event, what == SIM_OUTPUT_UNTHROTTLE);
	write_record(event, &record);
}

void sim__tell_comm(struct sim_event *event, pid_t pid, const char *path)
{
	struct sim_record record;

	if (!event->ring || !event->attr.comm)
		return;
	record__comm(&record, event, pid, path);
	write_record(event, &record);
}

void sim__tell_fork(struct sim_event *event, const struct sim_fork *fork)
{
	struct sim_record record;

	if (!event->ring || !event->attr.task)
		return;
	record__fork(&record, event, fork);
	write_record(event, &record);
}

void sim__tell_mapped(struct sim_event *event, pid_t pid, const struct sim_mapped *mapped)
{
	struct sim_record record;

	if (!event->ring || (!event->attr.mmap && !event->attr.mmap2))
		return;
	record__mapped(&record, event, pid, mapped);
	write_record(event, &record);
}

void sim__pump(void)
{
	struct sim_context **ctx;

	vec__for_each(ctx, &sim.contexts)
		if ((*ctx)->nr_sampling || (*ctx)->has_pages)
			sim__sync(*ctx);
}

static bool buffer__has_ended(const struct sim_task *task)
{
	return task->child ? task->child->ended || task->child->reaped ||
				     task->child->pid != task->tid
			   : RAW(SYS_kill, task->tid, 0, 0, 0) == -ESRCH;
}

bool sim__hangs_up(const struct sim_event *event)
{
	return !event->ring || (event->ctx->task && buffer__has_ended(event->ctx->task));
}

short sim__take_ready(struct sim_event *event)
{
	struct sim_ring *ring = event->ring;
	struct sim_event *writer;
	uint64_t sum;

	if (!ring || !ring->ready)
		return 0;
	/* As in the kernel, only the first poll() reports this. */
	ring->ready = false;
	for (int i = 0; (writer = next_writer(ring, &i));)
		if (writer->signalled) {
			writer->signalled = false;
			RAW(SYS_read, writer->fd, &sum, sizeof(sum), 0);
		}
	return POLLIN | POLLRDNORM;
}

void sim__take_all_ready(void)
{
	struct sim_event **event;

	vec__for_each(event, &sim.events)
		if (*event && (*event)->signalled)
			sim__take_ready(*event);
}
