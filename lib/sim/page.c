// SPDX-License-Identifier: GPL-2.0-only
/* The page at the start of an event's mapping: where its counter is and what has to be added. */
#include <sys/mman.h>

#include "sim/clock.h"
#include "sim/raw.h"
#include "sim/rdpmc.h"
#include "sim/ring.h"
#include "sim/sim.h"

/* How the CPU's time stamps become nanoseconds, as the real kernel says in its own pages. */
struct conversion {
	bool known, usable;
	uint32_t mult;
	uint16_t shift;
};

static void ask_kernel(struct conversion *c)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};
	long fd = raw_syscall(SYS_perf_event_open, (long)&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
	const struct perf_event_mmap_page *page;
	long at;

	if (fd < 0)
		return;
	at = raw_syscall(SYS_mmap, 0, RING_PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (at >= 0 || at < -4095) {
		page = (const void *)at;
		c->usable = page->cap_user_time;
		c->mult = page->time_mult;
		c->shift = page->time_shift;
		RAW(SYS_munmap, at, RING_PAGE, 0, 0);
	}
	RAW(SYS_close, fd, 0, 0, 0);
}

static uint64_t time_stamp_ns(const struct conversion *c)
{
	uint64_t cycles = __builtin_ia32_rdtsc();
	uint64_t rest = cycles & ((1ULL << c->shift) - 1);

	return (cycles >> c->shift) * c->mult + (rest * c->mult >> c->shift);
}

/* With a stepped clock the time stamps are not the machine's, which the kernel has a word for. */
static void write_time(struct perf_event_mmap_page *page, const struct perf_event_attr *attr)
{
	static struct conversion c;
	uint64_t ns;

	if (clock__is_stepped())
		return;
	if (!c.known)
		ask_kernel(&c);
	c.known = true;
	if (!c.usable)
		return;
	ns = time_stamp_ns(&c);
	page->cap_user_time = 1;
	page->time_mult = c.mult;
	page->time_shift = c.shift;
	page->time_offset = -ns;
	if (attr->use_clockid)
		return;
	page->cap_user_time_zero = 1;
	page->time_zero = clock__now() - ns;
}

static void write_page(struct sim_event *event)
{
	struct perf_event_mmap_page *page = event->ring->page;

	page->lock++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	page->index = rdpmc__index(event);
	page->offset = event__counted(event);
	/* A counter which has metric events begins at 0, and its last value is never taken off. */
	if (page->index && !event__is_topdown(event))
		page->offset -= event__raw(event);
	page->time_enabled = event->enabled_ns;
	page->time_running = event->running_ns;
	page->cap_user_rdpmc = event->pmu && event->pmu->rdpmc;
	page->pmc_width = EVENT_COUNTER_BITS;
	page->cap_user_time = page->cap_user_time_zero = 0;
	write_time(page, &event->attr);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	page->lock++;
	event->stale = false;
	event->laps = event__laps(event);
}

static void publish(struct sim_event *event)
{
	if (event->mapped && event->ring && event->ring->page &&
	    (event->stale || event->laps != event__laps(event)))
		write_page(event);
}

void sim__publish(struct sim_context *ctx)
{
	struct sim_event **group, *event;

	if (!ctx->has_pages)
		return;
	context__reschedule(ctx);
	vec__for_each(group, &ctx->groups)
		group__for_each(event, *group)
			publish(event);
}
