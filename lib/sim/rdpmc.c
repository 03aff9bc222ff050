// SPDX-License-Identifier: GPL-2.0-only
/*
 * Let programs read counts without a system call. The page at the start of an event's mapping has
 * the number of the event's counter and a value to add, and the RDPMC instruction reads the
 * counter.
 */
#include <sys/mman.h>

#include "sim/clock.h"
#include "sim/raw.h"
#include "sim/sim.h"

#define COUNTER_MASK ((1ULL << EVENT_COUNTER_BITS) - 1)

/* --- The page ------------------------------------------------------------------------------- */

/* Conversion of the CPU's time stamps to nanoseconds, read from a page of the real kernel. */
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
	if (!raw_failed(at)) {
		page = (const void *)at;
		c->usable = page->cap_user_time;
		c->mult = page->time_mult;
		c->shift = page->time_shift;
		RAW(SYS_munmap, at, RING_PAGE, 0, 0);
	}
	RAW(SYS_close, fd, 0, 0, 0);
}

/* Read the CPU's time stamp counter. */
static uint64_t time_stamp(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	uint64_t stamp;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(stamp));
	return stamp;
#endif
}

static uint64_t time_stamp_ns(const struct conversion *c)
{
	uint64_t cycles = time_stamp();
	uint64_t rest = cycles & ((1ULL << c->shift) - 1);

	return (cycles >> c->shift) * c->mult + (rest * c->mult >> c->shift);
}

/*
 * Write the conversion of time stamps into a page. With a stepped clock the page does not offer
 * time stamps, since real ones do not fit.
 */
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

/*
 * Return: the index for an event's page: the number of the event's counter plus 1; 0 if user space
 * may not read the counter.
 */
static uint32_t index_of(const struct sim_event *event)
{
	int counter = event->counter - 1;

	if (counter < 0 || event->state != SIM_EVENT_ACTIVE ||
	    event->leader->state != SIM_EVENT_ACTIVE || !event->pmu->rdpmc)
		return 0;
	if (counter >= SIM_METRIC_BIT)
		return RDPMC_METRICS + 1;
	if (counter >= SIM_FIXED_BIT)
		return RDPMC_FIXED + (counter - SIM_FIXED_BIT) + 1;
	return counter + 1;
}

static void write_page(struct sim_event *event)
{
	struct perf_event_mmap_page *page = event->ring->page;

	page->lock++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	page->index = index_of(event);
	page->offset = event__counted(event);
	/* With metric events the counter of slots starts at 0, so that nothing is subtracted. */
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

void sim__publish(struct sim_context *ctx)
{
	struct sim_event *event;

	if (!ctx->has_pages)
		return;
	context__reschedule(ctx);
	context__for_each(event, ctx)
		if (event->mapped && event->ring && event->ring->page &&
		    (event->stale || event->laps != event__laps(event)))
			write_page(event);
}

/* --- The instruction ------------------------------------------------------------------------ */

static bool has_counter(const struct sim_pmu *pmu, uint32_t index)
{
	if (index == RDPMC_METRICS)
		return vec__find(c, &pmu->constraints, c->mask & SIM_METRIC_BITS);
	if (index & RDPMC_FIXED)
		return (index & ~RDPMC_FIXED) < (uint32_t)pmu->nr_fixed;
	return index < (uint32_t)pmu->nr_counters;
}

/*
 * Find out whether the program may use RDPMC: as in the kernel, if it has mapped an event that
 * RDPMC can read.
 */
static bool is_permitted(const struct sim_pmu *pmu)
{
	if (pmu->rdpmc != 1)
		return pmu->rdpmc;
	return vec__find(e, &sim.events, *e && (*e)->mapped && (*e)->pmu && (*e)->pmu->rdpmc);
}

static struct sim_event *find_in_context(const struct sim_context *ctx, uint32_t index)
{
	struct sim_event *event;

	context__for_each(event, ctx)
		if (index_of(event) == index + 1)
			return event;
	return NULL;
}

/* Find the event on a counter: an event of a thread, or with @tid 0 of a CPU. */
static struct sim_event *find_counter(pid_t tid, int cpu, uint32_t index)
{
	struct sim_event *event;
	struct sim_context **p;

	vec__for_each(p, &sim.contexts) {
		struct sim_context *ctx = *p;

		if (!ctx->pmu || ctx->pmu->kind != SIM_PMU_CORE ||
		    (tid ? !ctx->task || ctx->task->tid != tid : ctx->cpu != cpu))
			continue;
		event = find_in_context(ctx, index);
		if (event)
			return event;
	}
	return NULL;
}

/*
 * Find out whether an event's counter is hidden from user space. Since Linux 7.0, counters have a
 * bit for this, unless rdpmc in sysfs is 2.
 */
static bool rdpmc__is_hidden(const struct sim_event *event)
{
	const struct sim_pmu *pmu = event->pmu;

	if (pmu->rdpmc == 2 || pmu->rdpmc_blind == SIM_BLIND_NONE)
		return false;
	return pmu->rdpmc_blind == SIM_BLIND_ALL || !event->ctx->task;
}

bool sim__rdpmc(uint32_t index, uint64_t *value)
{
	pid_t tid = raw_gettid();
	struct sim_event *event = find_counter(tid, -1, index);
	const struct sim_pmu *pmu = event ? event->pmu : NULL;

	if (!event) {
		int cpu = sim__caller_cpu();

		pmu = sim_machine__core_pmu(&sim.m, cpu);
		event = find_counter(0, cpu, index);
	}
	if (!pmu || !is_permitted(pmu) || !has_counter(pmu, index))
		return false;
	*value = 0;
	if (!event || rdpmc__is_hidden(event))
		return true;
	sim__sync(event->ctx);
	*value = event__raw(event);
	if (index != RDPMC_METRICS)
		*value &= COUNTER_MASK;
	return true;
}
