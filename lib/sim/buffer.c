// SPDX-License-Identifier: GPL-2.0-only
/* Ring buffers of events: mapped, shared by SET_OUTPUT, written when events overflow, polled. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "sim/raw.h"
#include "sim/record.h"
#include "sim/ring.h"
#include "sim/sim.h"

/* perf_event_mlock_kb for each CPU, and beyond that what the process may lock. */
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
	struct sim_ring *ring;
	int rc = check_locked(pages + 1);

	if (rc)
		return rc;
	ring = ring__new(pages, attr->watermark ? attr->wakeup_watermark : 0, !(prot & PROT_WRITE),
			 attr->write_backward);
	if (!ring || vec__push(&sim.rings, ring)) {
		ring__free(ring);
		return -ENOMEM;
	}
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
	ring__free(ring);
}

/* The next event that writes into a ring, behind the @at'th descriptor. */
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
	at = ring__map(event->ring, call->at, call->prot, call->flags);
	if (at >= 0 || at < -4095)
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

		if (!ring__unmap(gone, at))
			continue;
		/* Without a mapping nobody reads: no event writes into it any more. */
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
	/* One that has been mapped keeps its own. */
	if ((event->ring && event->mapped) || (to && !to->ring))
		return -EINVAL;
	set_ring(event, to ? to->ring : NULL);
	return 0;
}

/* Every descriptor that writes into a ring can be waited for. */
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
	    !ring__has_room(ring, record__size(&lost) + record__size(record))) {
		ring->lost += ring->pages > 0;
		event->lost += ring->pages > 0;
		return;
	}
	if (ring->lost)
		ring__write(ring, lost.word, record__size(&lost));
	ring->lost = 0;
	ring__write(ring, record->word, record__size(record));
	if (record->header->type == PERF_RECORD_SAMPLE && !event->attr.watermark)
		ring__count_event(ring, event->attr.wakeup_events);
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

void sim__pump(void)
{
	struct sim_context **ctx;

	vec__for_each(ctx, &sim.contexts)
		if ((*ctx)->nr_sampling || (*ctx)->has_pages)
			sim__sync(*ctx);
}

static bool has_ended(const struct sim_task *task)
{
	return task->child ? task->child->ended || task->child->reaped ||
				     task->child->pid != task->tid
			   : RAW(SYS_kill, task->tid, 0, 0, 0) == -ESRCH;
}

bool sim__hangs_up(const struct sim_event *event)
{
	return !event->ring || (event->ctx->task && has_ended(event->ctx->task));
}

short sim__take_ready(struct sim_event *event)
{
	struct sim_ring *ring = event->ring;
	struct sim_event *writer;
	uint64_t sum;

	if (!ring || !ring->ready)
		return 0;
	/* As in the kernel the first to ask is told, and nobody else. */
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
