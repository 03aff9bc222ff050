// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that a program reads itself: the page of an event, raw counters, and the registers of
 * TopDown.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "sim/clock.h"
#include "sim/sim.h"
#include "sim_fixture.h"

#define MS 1000000ULL
#define HOUR (3600 * 1000 * MS)
#define SLOTS_COUNTER (RDPMC_FIXED | 3)

/*
 * Two P-cores and an E-core. There are 6 slots per ns; in the first phase a quarter of them
 * retires.
 */
#define BIG_SMALL                                                                                  \
	"cpuid GenuineIntel-6-97-2\ncpus 0-2\ncore 0\ncore 1\ncore 2\n"                            \
	"phases 1s 1s\n"                                                                           \
	"pmu cpu_core\ntype 4\nkind core\ncpus 0-1\ncounters 4\nfixed 4\nfile rdpmc 1\n"           \
	"format event config:0-7\nformat umask config:8-15\n"                                      \
	"constraint event=0x00,umask=0x04 fixed 3 slots\n"                                         \
	"constraint event=0x00,umask=0x80 metric 0\n"                                              \
	"constraint event=0x00,umask=0x81 metric 1\n"                                              \
	"rate event=0x00,umask=0x04 6G\n"                                                          \
	"rate event=0x00,umask=0x80 1.5G 3G\nrate event=0x00,umask=0x81 3G 600M\n"                 \
	"rate event=0x3c 1G\nend\n"                                                                \
	"pmu cpu_atom\ntype 8\nkind core\ncpus 2\ncounters 2\nfile rdpmc 1\n"                      \
	"format event config:0-7\nformat umask config:8-15\n"                                      \
	"rate event=0x3c 1G\nend\n"

static void begin(void)
{
	struct err err = ERR_INIT;

	sim_must_load(BIG_SMALL, &sim.m);
	ck_assert_int_eq(faults__parse("", &sim.faults, &err), 0);
	clock__init(child__init(), MS);
}

static void end(void)
{
	struct sim_thread *thread = thread__find(getpid());

	for (int fd = 0; fd < sim.events.nr; fd++)
		if (sim__event(fd)) {
			sim__close(fd);
			close(fd);
		}
	/* If tests shared a process, they would share its thread. */
	if (thread) {
		cpulist__free(&thread->allowed);
		*thread = (struct sim_thread){ .tid = getpid() };
	}
	vec__free(&sim.events);
	vec__free(&sim.contexts);
	faults__free(&sim.faults);
	sim_machine__free(&sim.m);
}

static int open_event(uint32_t type, uint64_t config, int group)
{
	struct perf_event_attr attr = { .type = type, .size = sizeof(attr), .config = config };
	struct sim_call call = { .attr = &attr, .cpu = -1, .group_fd = group };
	int fd = sim__open(&call);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static const struct perf_event_mmap_page *map(int fd)
{
	struct sim_mmap call = { .length = RING_PAGE, .prot = PROT_READ, .flags = MAP_SHARED };
	long at = sim__mmap(sim__event(fd), &call);

	ck_assert(at >= 0 || at < -4095);
	return (const void *)at;
}

static void unmap(const struct perf_event_mmap_page *page)
{
	sim__munmap(page);
	munmap((void *)page, RING_PAGE);
}

static uint64_t rdpmc(uint32_t index)
{
	uint64_t value;

	ck_assert(sim__rdpmc(index, &value));
	return value;
}

static uint64_t read_event(int fd)
{
	uint64_t value;

	ck_assert_int_eq(sim__read(sim__event(fd), &value, sizeof(value)), sizeof(value));
	return value;
}

static void move_to(int cpu)
{
	struct cpulist cpus = CPULIST_INIT;

	ck_assert_int_eq(cpulist__add(&cpus, cpu), 0);
	ck_assert_int_eq(sim__set_allowed(getpid(), &cpus), 0);
	cpulist__free(&cpus);
}

START_TEST(page_and_counter_add_up)
{
	const struct perf_event_mmap_page *page;
	int fd;

	begin();
	fd = open_event(4, 0x3c, -1);
	page = map(fd);
	ck_assert_uint_eq(page->index, 1);
	ck_assert_uint_eq(page->cap_user_rdpmc, 1);
	ck_assert_uint_eq(page->cap_bit0, 0);
	ck_assert_uint_eq(page->cap_bit0_is_deprecated, 1);
	ck_assert_uint_eq(page->cap_user_time, 0);
	ck_assert_uint_eq(page->pmc_width, 48);
	ck_assert_uint_eq(page->lock % 2, 0);
	sim__run(5 * MS);
	/* The counter started at -(2^47 - 1). */
	ck_assert_uint_eq(rdpmc(0), (1ULL << 47) + 1 + 5 * MS);
	ck_assert_int_eq(page->offset, (1LL << 47) - 1);
	sim__ioctl(sim__event(fd), PERF_EVENT_IOC_RESET, 0);
	ck_assert_int_eq(page->offset, (1LL << 47) - 1 - 5 * (long long)MS);
	sim__run(MS);
	ck_assert_uint_eq(rdpmc(0) - (1ULL << 48) + page->offset, MS);
	ck_assert_uint_eq(read_event(fd), MS);
	unmap(page);
	end();
}
END_TEST

START_TEST(a_full_counter_begins_anew)
{
	const struct perf_event_mmap_page *page;
	uint64_t lock;
	int fd;

	begin();
	fd = open_event(4, 0x3c, -1);
	page = map(fd);
	lock = page->lock;
	sim__run(39 * HOUR);
	ck_assert_uint_lt(rdpmc(0), 1ULL << 48);
	ck_assert_uint_eq(page->lock, lock);
	sim__run(HOUR);
	ck_assert_uint_eq(rdpmc(0), 40 * HOUR - (1ULL << 47) + 1 + (1ULL << 47) + 1);
	ck_assert_uint_eq(page->lock, lock + 2);
	ck_assert_uint_eq(rdpmc(0) - (1ULL << 48) + page->offset, 40 * HOUR);
	unmap(page);
	end();
}
END_TEST

START_TEST(permission_is_for_who_has_mapped)
{
	const struct perf_event_mmap_page *page;
	uint64_t value;
	int fd;

	begin();
	fd = open_event(4, 0x3c, -1);
	ck_assert(!sim__rdpmc(0, &value));
	page = map(fd);
	ck_assert(sim__rdpmc(0, &value));
	ck_assert_uint_eq(rdpmc(1), 0);
	ck_assert(!sim__rdpmc(4, &value));
	ck_assert(!sim__rdpmc(RDPMC_FIXED | 4, &value));
	ck_assert(!sim__rdpmc(RDPMC_METRICS | 1, &value));
	unmap(page);
	ck_assert(!sim__rdpmc(0, &value));
	sim.m.pmus.at[0].rdpmc = 2;
	ck_assert(sim__rdpmc(0, &value));
	sim.m.pmus.at[0].rdpmc = 0;
	page = map(fd);
	ck_assert_uint_eq(page->cap_user_rdpmc, 0);
	ck_assert_uint_eq(page->index, 0);
	ck_assert(!sim__rdpmc(0, &value));
	unmap(page);
	end();
}
END_TEST

START_TEST(metrics_are_of_all_slots_since_the_reset)
{
	const struct perf_event_mmap_page *page;
	int slots, retiring;

	begin();
	slots = open_event(4, 0x400, -1);
	page = map(slots);
	ck_assert_uint_eq(rdpmc(SLOTS_COUNTER), (1ULL << 47) + 1);
	ck_assert_uint_eq(rdpmc(RDPMC_METRICS), 0);
	retiring = open_event(4, 0x8000, slots);
	ck_assert_int_eq(sim__set_phase(1), 0);
	sim__run(MS);
	/*
	 * A quarter and a half of 255 are 63.75 and 127.5. The second event does not have to be
	 * open.
	 */
	ck_assert_uint_eq(rdpmc(SLOTS_COUNTER), 6 * MS);
	ck_assert_uint_eq(rdpmc(RDPMC_METRICS), 0x8040);
	ck_assert_int_eq(sim__set_phase(2), 0);
	sim__run(MS);
	/* Over both phases the shares are 0.375 and 0.3. */
	ck_assert_uint_eq(rdpmc(SLOTS_COUNTER), 12 * MS);
	ck_assert_uint_eq(rdpmc(RDPMC_METRICS), 0x4d60);
	ck_assert_uint_eq(read_event(retiring), 12 * MS * 0x60 / 255);
	/* This has reset the registers without an update of the page. */
	ck_assert_uint_eq(rdpmc(SLOTS_COUNTER), 0);
	ck_assert_uint_eq(rdpmc(RDPMC_METRICS), 0);
	ck_assert_uint_eq(read_event(slots), 12 * MS);
	sim__run(MS);
	ck_assert_uint_eq(rdpmc(RDPMC_METRICS), 0x1a80);
	sim__ioctl(sim__event(slots), PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
	ck_assert_uint_eq(rdpmc(SLOTS_COUNTER), 0);
	ck_assert_int_eq(page->offset, 0);
	ck_assert_int_eq(sim__set_phase(3), -EINVAL);
	unmap(page);
	end();
}
END_TEST

START_TEST(registers_wait_while_the_thread_is_elsewhere)
{
	const struct perf_event_mmap_page *page;
	int slots, retiring;
	uint64_t value;

	begin();
	slots = open_event(4, 0x400, -1);
	retiring = open_event(4, 0x8000, slots);
	page = map(slots);
	ck_assert_uint_eq(page->index, SLOTS_COUNTER + 1);
	sim__set_phase(1);
	sim__run(MS);
	move_to(2);
	ck_assert_int_eq(sim__caller_cpu(), 2);
	ck_assert_uint_eq(page->index, 0);
	ck_assert_int_eq(page->offset, 6 * MS);
	/* An E-core has neither of these registers. */
	ck_assert(!sim__rdpmc(SLOTS_COUNTER, &value));
	ck_assert(!sim__rdpmc(RDPMC_METRICS, &value));
	sim__run(MS);
	ck_assert_uint_eq(read_event(slots), 6 * MS);
	move_to(1);
	ck_assert_uint_eq(page->index, SLOTS_COUNTER + 1);
	ck_assert_uint_eq(page->time_enabled, 2 * MS);
	ck_assert_uint_eq(page->time_running, MS);
	ck_assert_uint_eq(rdpmc(SLOTS_COUNTER), 6 * MS);
	sim__set_phase(2);
	sim__run(MS);
	ck_assert_uint_eq(rdpmc(SLOTS_COUNTER), 12 * MS);
	ck_assert_uint_eq(rdpmc(RDPMC_METRICS), 0x4d60);
	/* Counts from before the thread moved are not counted twice. */
	ck_assert_uint_eq(read_event(slots), 12 * MS);
	ck_assert_uint_eq(read_event(retiring), 12 * MS * 0x60 / 255);
	unmap(page);
	end();
}
END_TEST

/* The instruction runs with the old page, and gives the value that the counter has at that time. */
START_TEST(a_move_during_the_instruction_is_no_fault)
{
	const struct perf_event_mmap_page *page;
	struct sim_stop stops[] = { { 0, MS }, { 2, MS } };
	uint64_t value;
	int slots;

	begin();
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(vec__push(&sim.m.stops, stops[i]), 0);
	slots = open_event(4, 0x400, -1);
	open_event(4, 0x8000, slots);
	page = map(slots);
	ck_assert_uint_eq(page->index, SLOTS_COUNTER + 1);
	clock__pass(MS + MS / 2);
	ck_assert_uint_eq(rdpmc(SLOTS_COUNTER), 6 * MS);
	ck_assert_uint_eq(page->index, 0);
	ck_assert(!sim__rdpmc(SLOTS_COUNTER, &value));
	unmap(page);
	end();
}
END_TEST

START_TEST(events_of_the_cpu_are_found_behind_those_of_the_thread)
{
	struct perf_event_attr attr = { .type = 4, .size = sizeof(attr), .config = 0x3c };
	struct sim_call call = { .attr = &attr, .pid = -1, .cpu = 0, .group_fd = -1 };
	const struct perf_event_mmap_page *page;
	int fd;

	begin();
	fd = sim__open(&call);
	ck_assert_int_ge(fd, 0);
	page = map(fd);
	ck_assert_uint_eq(page->index, 1);
	clock__pass(MS);
	ck_assert_uint_eq(rdpmc(0), (1ULL << 47) + 1 + MS);
	move_to(1);
	ck_assert_uint_eq(rdpmc(0), 0);
	unmap(page);
	end();
}
END_TEST

TMA_TEST_MAIN(sim_rdpmc, page_and_counter_add_up, a_full_counter_begins_anew,
	   permission_is_for_who_has_mapped, metrics_are_of_all_slots_since_the_reset,
	   registers_wait_while_the_thread_is_elsewhere, a_move_during_the_instruction_is_no_fault,
	   events_of_the_cpu_are_found_behind_those_of_the_thread)
