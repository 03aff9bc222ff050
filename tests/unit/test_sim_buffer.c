// SPDX-License-Identifier: GPL-2.0-only
/* Sampling through perf_event_open() and ring buffers; the test lets time pass in steps. */
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "sim/clock.h"
#include "sim/sim.h"
#include "sim_fixture.h"

#define MS 1000000ULL
#define S (1000 * MS)
#define PAGE 4096UL

/* A machine with precise events, retire latencies and little memory for buffers. */
#define SAMPLER                                                                                    \
	"cpuid GenuineIntel-6-55-4\n"                                                              \
	"cpus 0-1\n"                                                                               \
	"core 0-1\n"                                                                               \
	"phases 1s 500ms\n"                                                                        \
	"task-path 1 10ms 0 30ms\n"                                                                \
	"sysctl perf_event_paranoid 0\n"                                                           \
	"sysctl perf_event_mlock_kb 16\n"                                                          \
	"sysctl perf_event_max_sample_rate 50000\n"                                                \
	"pmu cpu\ntype 4\nkind core\ncounters 4\nfixed 3\n"                                        \
	"format event config:0-7\nformat umask config:8-15\n"                                      \
	"file caps/max_precise 2\n"                                                                \
	"retire-latency\n"                                                                         \
	"precise event=0xd0-0xd4\n"                                                                \
	"latency event=0xd1 100 50 spread=0.25\n"                                                  \
	"rate event=0x3c 2G 1G\n"                                                                  \
	"rate event=0xd1 10M 5M\n"                                                                 \
	"rate event=0xd2 10M\n"                                                                    \
	"hash 1k 1M\nend\n"

static void begin(const char *faults)
{
	struct err err = ERR_INIT;

	sim_must_load(SAMPLER, &sim.m);
	ck_assert_msg(!faults__parse(faults, &sim.faults, &err), "%s", err.msg);
	clock__init(child__init(), MS);
}

static void end(void)
{
	while (sim.rings.nr) {
		struct sim_mapping *map = &sim.rings.at[0]->maps.at[0];
		struct sim_mapping copy = *map;

		sim__munmap(copy.at);
		munmap(copy.at, copy.size);
	}
	ck_assert_uint_eq(sim.locked_pages, 0);
	for (int fd = 0; fd < sim.events.nr; fd++)
		if (sim__event(fd)) {
			sim__close(fd);
			close(fd);
		}
	ck_assert_int_eq(sim.nr_open, 0);
	ck_assert_int_eq(sim.contexts.nr, 0);
	vec__free(&sim.events);
	vec__free(&sim.contexts);
	vec__free(&sim.rings);
	faults__free(&sim.faults);
	sim_machine__free(&sim.m);
}

#define PRECISE                                                                                    \
	.type = 4, .config = 0xd1, .sample_period = 10000, .precise_ip = 1,                        \
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |               \
		       PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT_STRUCT

/* A sample of PRECISE. */
struct precise {
	struct perf_event_header header;
	uint64_t id, time;
	uint32_t cpu, reserved;
	uint64_t period;
	uint32_t cache;
	uint16_t instruction, retire;
};

static int open_flags(struct perf_event_attr *attr, pid_t pid, int cpu, int group, int flags)
{
	struct sim_call call = {
		.attr = attr, .pid = pid, .cpu = cpu, .group_fd = group, .flags = flags
	};

	attr->size = sizeof(*attr);
	return sim__open(&call);
}

static int open_attr(struct perf_event_attr *attr, int cpu)
{
	return open_flags(attr, -1, cpu, -1, 0);
}

static struct sim_event *open_event(struct perf_event_attr *attr, int cpu)
{
	int fd = open_attr(attr, cpu);

	ck_assert_int_ge(fd, 0);
	return sim__event(fd);
}

static long map_pages(struct sim_event *event, size_t pages)
{
	return sim__mmap(event, &(struct sim_mmap){ .length = pages * PAGE,
						    .prot = PROT_READ | PROT_WRITE,
						    .flags = MAP_SHARED });
}

static struct perf_event_mmap_page *map(struct sim_event *event, size_t pages)
{
	long at = map_pages(event, pages);

	ck_assert_msg(at > 0, "%ld", at);
	return (struct perf_event_mmap_page *)at;
}

/* Take the next record; NULL if there is none. It is valid until the next call. */
static const struct perf_event_header *next(struct perf_event_mmap_page *page)
{
	static union {
		struct perf_event_header header;
		uint64_t word[64];
	} record;
	const char *data = (char *)page + page->data_offset;
	uint64_t at = page->data_tail;

	if (at == page->data_head)
		return NULL;
	for (size_t i = 0; i < 64; i++)
		memcpy(&record.word[i], data + (at + i * 8) % page->data_size, 8);
	page->data_tail += record.header.size;
	return &record.header;
}

START_TEST(samples_have_what_was_asked_for)
{
	struct perf_event_attr attr = { PRECISE };
	const struct precise *sample;
	struct perf_event_mmap_page *page;
	struct sim_event *event;
	uint64_t start, sum = 0;

	begin("");
	start = clock__now();
	event = open_event(&attr, 1);
	page = map(event, 9);
	ck_assert_uint_eq(page->data_offset, PAGE);
	ck_assert_uint_eq(page->data_size, 8 * PAGE);
	/*
	 * 1000 s are some whole rounds of the phases and one second more, so the second phase has
	 * begun.
	 */
	clock__pass(8 * MS);
	sim__pump();
	for (int i = 1; i <= 4; i++) {
		sample = (const struct precise *)next(page);
		ck_assert_ptr_nonnull(sample);
		ck_assert_uint_eq(sample->header.type, PERF_RECORD_SAMPLE);
		ck_assert_uint_eq(sample->header.size, sizeof(*sample));
		ck_assert_uint_eq(sample->id, event->id);
		ck_assert_uint_eq(sample->time, start + i * 2 * MS);
		ck_assert_uint_eq(sample->cpu, 1);
		ck_assert_uint_eq(sample->period, 10000);
		ck_assert_uint_eq(sample->cache, 2U * sample->retire);
		ck_assert_uint_eq(sample->instruction, 3U * sample->retire);
		ck_assert_uint_ge(sample->retire, 37);
		ck_assert_uint_le(sample->retire, 63);
		sum += sample->retire;
	}
	ck_assert_uint_eq(sum, 200);
	ck_assert_ptr_null(next(page));
	end();
}
END_TEST

START_TEST(all_fields_are_in_their_order)
{
	struct perf_event_attr attr = {
		.type = 4,
		.config = 0x3c,
		.sample_period = 1000000,
		.exclude_kernel = 1,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR |
			       PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_READ |
			       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_DATA_SRC |
			       PERF_SAMPLE_REGS_USER,
	};
	struct perf_event_attr member = { .type = 4, .config = 0xd2 };
	struct perf_event_mmap_page *page;
	struct sim_event *leader;
	const uint64_t *word;
	int fd;

	begin("");
	leader = open_event(&attr, 0);
	fd = open_flags(&member, -1, 0, leader->fd, 0);
	page = map(leader, 2);
	clock__pass(MS + MS / 2);
	sim__pump();
	word = (const uint64_t *)next(page);
	ck_assert_ptr_nonnull(word);
	/* In user mode there are 0.8 events per ns. */
	ck_assert_uint_eq(((const struct perf_event_header *)word)->misc, PERF_RECORD_MISC_USER);
	ck_assert_uint_eq(((const struct perf_event_header *)word)->size, 18 * 8);
	ck_assert_uint_eq(word[2], 0); /* pid, tid */
	ck_assert_uint_eq(word[3], 0); /* addr: not precise */
	ck_assert_uint_eq(word[4], leader->id);
	ck_assert_uint_eq(word[5], leader->id);
	ck_assert_uint_eq(word[6], 2); /* events read */
	ck_assert_uint_eq(word[7], 1250000);
	ck_assert_uint_eq(word[8], 1000000);
	ck_assert_uint_eq(word[9], leader->id);
	ck_assert_uint_eq(word[10], 12500);
	ck_assert_uint_eq(word[11], sim__event(fd)->id);
	ck_assert_uint_eq(word[12], 2); /* callchain */
	ck_assert_uint_eq(word[13], (uint64_t)PERF_CONTEXT_USER);
	ck_assert_uint_eq(word[14], word[1]);
	ck_assert_uint_eq(word[15], sizeof(uint32_t)); /* raw */
	ck_assert_uint_eq(word[16], 0);		       /* registers */
	ck_assert_uint_ne(word[17], 0);		       /* data source */
	end();
}
END_TEST

START_TEST(only_precise_samples_have_latencies)
{
	struct perf_event_attr attr = { PRECISE };
	struct perf_event_mmap_page *page;

	begin("");
	attr.precise_ip = 0;
	page = map(open_event(&attr, 0), 9);
	clock__pass(8 * MS);
	sim__pump();
	ck_assert_uint_eq(((const struct precise *)next(page))->retire, 0);
	ck_assert_uint_eq(((const struct precise *)next(page))->cache, 0);
	end();
}
END_TEST

START_TEST(events_that_cannot_be_sampled_are_refused)
{
	struct perf_event_attr attr = { PRECISE };

	begin("");
	attr.precise_ip = 3;
	ck_assert_int_eq(open_attr(&attr, 0), -EOPNOTSUPP);
	attr.precise_ip = 2;
	attr.config = 0x3c;
	ck_assert_int_eq(open_attr(&attr, 0), -EINVAL);
	attr.precise_ip = 0;
	attr.sample_type |= PERF_SAMPLE_WEIGHT;
	ck_assert_int_eq(open_attr(&attr, 0), -EINVAL);
	attr.sample_type = PERF_SAMPLE_READ;
	attr.inherit = 1;
	ck_assert_int_eq(open_flags(&attr, 0, -1, -1, 0), -EINVAL);
	attr.inherit = 0;
	attr.freq = 1;
	attr.sample_freq = 50001;
	ck_assert_int_eq(open_attr(&attr, 0), -EINVAL);
	attr.sample_freq = 50000;
	ck_assert_int_ge(open_attr(&attr, 0), 0);
	attr.freq = 0;
	attr.sample_period = 1ULL << 63;
	ck_assert_int_eq(open_attr(&attr, 0), -EINVAL);
	attr.sample_period = 1000;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_PROCESS_CPUTIME_ID;
	ck_assert_int_eq(open_attr(&attr, 0), -EINVAL);
	end();
}
END_TEST

START_TEST(mappings_are_one_and_a_power_of_two_pages)
{
	struct perf_event_attr attr = { PRECISE };
	struct perf_event_attr inherit = { PRECISE };
	struct sim_event *event;

	begin("");
	event = open_event(&attr, 0);
	ck_assert_int_eq(map_pages(event, 4), -EINVAL);
	ck_assert_int_eq(map_pages(event, 0), -EINVAL);
	ck_assert_int_eq(sim__mmap(event, &(struct sim_mmap){ .length = 3 * PAGE,
							      .prot = PROT_READ,
							      .flags = MAP_PRIVATE }),
			 -EINVAL);
	ck_assert_ptr_nonnull(map(event, 5));
	/* The same buffer can be set again, another buffer cannot. */
	ck_assert_int_eq(map_pages(event, 3), -EINVAL);
	ck_assert_ptr_nonnull(map(event, 5));
	ck_assert_int_eq(sim.rings.nr, 1);
	inherit.inherit = 1;
	event = sim__event(open_flags(&inherit, 0, -1, -1, 0));
	ck_assert_int_eq(map_pages(event, 5), -EINVAL);
	event = sim__event(open_flags(&inherit, 0, 1, -1, 0));
	ck_assert_ptr_nonnull(map(event, 1));
	end();
}
END_TEST

START_TEST(locked_memory_has_limits_for_users)
{
	struct perf_event_attr attr = { PRECISE };
	struct rlimit none = { 0, 0 }, before;
	struct sim_event *event;
	bool root = !geteuid();

	begin("");
	event = open_event(&attr, 0);
	getrlimit(RLIMIT_MEMLOCK, &before);
	none.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_MEMLOCK, &none);
	/* 16 KiB for each of two CPUs: 8 pages in all. */
	ck_assert(!root || !seteuid(65534));
	ck_assert_int_eq(map_pages(event, 9), -EPERM);
	ck_assert_ptr_nonnull(map(event, 5));
	ck_assert_int_eq(map_pages(open_event(&attr, 1), 5), -EPERM);
	ck_assert(!root || !seteuid(0));
	setrlimit(RLIMIT_MEMLOCK, &before);
	if (root)
		ck_assert_ptr_nonnull(map(open_event(&attr, 1), 129));
	end();
}
END_TEST

START_TEST(mapping_faults_come_when_asked_for)
{
	struct perf_event_attr attr = { PRECISE };
	struct sim_event *event;

	begin("mmap#1=ENOMEM;mmap>8=EPERM");
	event = open_event(&attr, 0);
	ck_assert_int_eq(map_pages(event, 5), -ENOMEM);
	ck_assert_int_eq(map_pages(event, 9), -EPERM);
	ck_assert_ptr_nonnull(map(event, 5));
	event = open_event(&attr, 1);
	ck_assert_int_eq(map_pages(event, 5), -EPERM);
	ck_assert_ptr_nonnull(map(event, 3));
	end();
}
END_TEST

START_TEST(events_share_a_buffer_of_their_cpu)
{
	struct perf_event_attr attr = { PRECISE }, clocked = { PRECISE };
	struct sim_event *event, *other, *elsewhere;
	struct perf_event_mmap_page *page;
	int nr[2] = { 0 }, fd;

	begin("");
	event = open_event(&attr, 0);
	attr.config = 0xd2;
	other = open_event(&attr, 0);
	elsewhere = open_event(&attr, 1);
	ck_assert_int_eq(sim__ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, event->fd), -EINVAL);
	page = map(event, 9);
	ck_assert_int_eq(sim__ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, event->fd), 0);
	ck_assert_int_eq(sim__ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, other->fd), -EINVAL);
	ck_assert_int_eq(sim__ioctl(elsewhere, PERF_EVENT_IOC_SET_OUTPUT, event->fd), -EINVAL);
	ck_assert_int_eq(sim__ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, 9999), -EBADF);
	/* A counter whose buffer is mapped keeps it. */
	ck_assert_int_eq(sim__ioctl(event, PERF_EVENT_IOC_SET_OUTPUT, other->fd), -EINVAL);
	clocked.use_clockid = 1;
	clocked.clockid = CLOCK_REALTIME;
	ck_assert_int_eq(open_flags(&clocked, -1, 0, event->fd,
				    PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP),
			 -EINVAL);
	fd = open_flags(&attr, -1, 0, event->fd, PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP);
	ck_assert_int_ge(fd, 0);
	ck_assert_ptr_eq(sim__event(fd)->ring, event->ring);
	ck_assert_ptr_eq(sim__event(fd)->leader, sim__event(fd));
	sim__close(fd);
	close(fd);
	clock__pass(4 * MS);
	sim__pump();
	for (const struct precise *p; (p = (const struct precise *)next(page));)
		nr[p->id == other->id]++;
	ck_assert_int_eq(nr[0], 2);
	ck_assert_int_eq(nr[1], 4);
	/* When the redirection has ended, the counter writes nowhere. */
	ck_assert_int_eq(sim__ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, -1), 0);
	ck_assert_ptr_null(other->ring);
	end();
}
END_TEST

START_TEST(a_full_buffer_loses_and_says_so)
{
	struct perf_event_attr attr = { PRECISE };
	struct sim_event *event;
	struct perf_event_mmap_page *page;
	const struct perf_event_header *record;
	uint64_t values[2], nr = 0, tail;

	begin("");
	attr.sample_period = 1000;
	attr.read_format = PERF_FORMAT_LOST;
	attr.sample_id_all = 1;
	event = open_event(&attr, 0);
	page = map(event, 2);
	clock__pass(40 * MS);
	sim__pump();
	/* 200 samples of 48 bytes each, and one byte that always stays free. */
	ck_assert_uint_eq(page->data_head, 85 * 48);
	ck_assert_int_eq(sim__read(event, values, sizeof(values)), 16);
	ck_assert_uint_eq(values[1], 115);
	clock__pass(MS);
	sim__pump();
	ck_assert_uint_eq(page->data_head, 85 * 48);
	tail = page->data_head;
	page->data_tail = tail;
	clock__pass(MS);
	sim__pump();
	record = next(page);
	ck_assert_uint_eq(record->type, PERF_RECORD_LOST);
	/* id and number of lost samples; then (sample_id_all) time, CPU and identifier */
	ck_assert_uint_eq(record->size, 6 * 8);
	ck_assert_uint_eq(((const uint64_t *)record)[1], event->id);
	ck_assert_uint_eq(((const uint64_t *)record)[2], 120);
	ck_assert_uint_eq(((const uint64_t *)record)[5], event->id);
	while ((record = next(page))) {
		ck_assert_uint_eq(record->type, PERF_RECORD_SAMPLE);
		nr++;
	}
	ck_assert_uint_eq(nr, 5);
	end();
}
END_TEST

START_TEST(records_are_lost_and_throttled_when_asked_for)
{
	struct perf_event_attr attr = { PRECISE };
	struct perf_event_mmap_page *page;
	const struct perf_event_header *record;
	int nr[PERF_RECORD_MAX] = { 0 };
	struct sim_event *event;

	begin("lost=10;throttle=4");
	attr.sample_period = 1000;
	event = open_event(&attr, 0);
	page = map(event, 9);
	clock__pass(16 * MS);
	sim__pump();
	while ((record = next(page)))
		nr[record->type]++;
	/*
	 * Each of four ticks has four samples and a "throttle"; at its end there is an
	 * "unthrottle".
	 */
	ck_assert_uint_eq(event->lost, 2);
	ck_assert_int_eq(nr[PERF_RECORD_SAMPLE] + nr[PERF_RECORD_THROTTLE] +
				 nr[PERF_RECORD_UNTHROTTLE],
			 24 - 2);
	ck_assert_int_ge(nr[PERF_RECORD_THROTTLE], 2);
	ck_assert_int_ge(nr[PERF_RECORD_UNTHROTTLE], 2);
	ck_assert_int_eq(nr[PERF_RECORD_LOST], 2);
	end();
}
END_TEST

START_TEST(readers_are_woken)
{
	struct perf_event_attr attr = { PRECISE }, by_bytes = { PRECISE };
	struct pollfd fd = { .events = POLLIN };
	struct sim_event *event, *shared;
	struct perf_event_mmap_page *page;

	begin("");
	attr.wakeup_events = 3;
	event = open_event(&attr, 0);
	ck_assert(sim__hangs_up(event));
	page = map(event, 9);
	ck_assert(!sim__hangs_up(event));
	shared = open_event(&attr, 0);
	ck_assert_int_eq(sim__set_output(shared, event), 0);
	clock__pass(2 * MS);
	sim__pump();
	fd.fd = event->fd;
	ck_assert_int_eq(poll(&fd, 1, 0), 0);
	clock__pass(2 * MS);
	sim__pump();
	/*
	 * Four samples of two events. All descriptors are ready until one of them takes the event.
	 */
	ck_assert_int_eq(poll(&fd, 1, 0), 1);
	fd.fd = shared->fd;
	ck_assert_int_eq(poll(&fd, 1, 0), 1);
	ck_assert_int_eq(sim__take_ready(shared), POLLIN | POLLRDNORM);
	ck_assert_int_eq(sim__take_ready(event), 0);
	ck_assert_int_eq(poll(&fd, 1, 0), 0);
	ck_assert_ptr_nonnull(next(page));
	by_bytes.watermark = 1;
	by_bytes.wakeup_watermark = 100;
	event = open_event(&by_bytes, 1);
	map(event, 9);
	clock__pass(4 * MS);
	sim__pump();
	ck_assert_int_eq(sim__take_ready(event), 0);
	clock__pass(2 * MS);
	sim__pump();
	ck_assert_int_ne(sim__take_ready(event), 0);
	end();
}
END_TEST

/* With a simulated machine, poll() and similar functions are the simulator's, too. */
START_TEST(a_wait_ends_when_a_buffer_fills)
{
	struct perf_event_attr attr = { PRECISE };
	struct epoll_event ready = { .events = EPOLLIN };
	struct sim_event *event, *shared, *none;
	struct pollfd fds[3];
	uint64_t start;
	int epoll = epoll_create1(0);

	begin("");
	sim.on = true;
	attr.wakeup_events = 3;
	event = open_event(&attr, 0);
	shared = open_event(&attr, 0);
	none = open_event(&attr, 1);
	map(event, 9);
	ck_assert_int_eq(sim__set_output(shared, event), 0);
	fds[0] = (struct pollfd){ .fd = event->fd, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = shared->fd, .events = POLLIN | POLLOUT };
	fds[2] = (struct pollfd){ .fd = none->fd, .events = POLLIN };
	start = clock__now();
	ck_assert_int_eq(poll(fds, 2, 1000), 1);
	ck_assert_int_eq(fds[0].revents, POLLIN);
	ck_assert_int_eq(fds[1].revents, 0);
	/* The overflow happens in the fourth millisecond, and each tick checks for it. */
	ck_assert_uint_eq(clock__now() - start, 4 * MS);
	ck_assert_int_eq(poll(fds, 2, 1), 0);
	ck_assert_uint_eq(clock__now() - start, 5 * MS);
	ck_assert_int_eq(poll(fds, 2, -1), 1);
	ck_assert_int_eq(poll(fds, 3, 1000), 1);
	ck_assert_int_eq(fds[2].revents, POLLHUP);
	ck_assert_int_eq(epoll_ctl(epoll, EPOLL_CTL_ADD, event->fd, &ready), 0);
	ck_assert_int_eq(epoll_wait(epoll, &ready, 1, 1000), 1);
	start = clock__now();
	ck_assert_int_eq(epoll_wait(epoll, &ready, 1, 1), 0);
	ck_assert_uint_eq(clock__now() - start, MS);
	sim.on = false;
	close(epoll);
	end();
}
END_TEST

START_TEST(periods_change_and_refresh_counts_samples)
{
	struct perf_event_attr attr = { PRECISE };
	struct perf_event_mmap_page *page;
	struct sim_event *event;
	uint64_t period = 5000, zero = 0;
	int nr = 0;

	begin("");
	attr.disabled = 1;
	event = open_event(&attr, 0);
	page = map(event, 9);
	ck_assert_int_eq(sim__ioctl(event, PERF_EVENT_IOC_PERIOD, (unsigned long)&zero), -EINVAL);
	ck_assert_int_eq(sim__ioctl(event, PERF_EVENT_IOC_PERIOD, (unsigned long)&period), 0);
	ck_assert_int_eq(sim__ioctl(event, PERF_EVENT_IOC_REFRESH, 2), 0);
	clock__pass(20 * MS);
	sim__pump();
	for (const struct precise *p; (p = (const struct precise *)next(page)); nr++)
		ck_assert_uint_eq(p->period, 5000);
	ck_assert_int_eq(nr, 2);
	ck_assert_int_eq(sim__ioctl(event, PERF_EVENT_IOC_PAUSE_OUTPUT, 1), 0);
	ck_assert_int_eq(sim__ioctl(event, PERF_EVENT_IOC_ENABLE, 0), 0);
	clock__pass(5 * MS);
	sim__pump();
	ck_assert_ptr_null(next(page));
	ck_assert_uint_eq(event->lost, 5);
	attr.sample_period = 0;
	attr.precise_ip = 0;
	event = open_event(&attr, 0);
	ck_assert_int_eq(sim__ioctl(event, PERF_EVENT_IOC_REFRESH, 2), -EINVAL);
	ck_assert_int_eq(sim__ioctl(event, PERF_EVENT_IOC_PAUSE_OUTPUT, 1), -EINVAL);
	end();
}
END_TEST

START_TEST(without_its_mapping_a_buffer_is_gone)
{
	struct perf_event_attr attr = { PRECISE };
	struct perf_event_mmap_page *page;
	struct sim_event *event;

	begin("");
	event = open_event(&attr, 0);
	page = map(event, 9);
	sim__munmap(page);
	munmap(page, 9 * PAGE);
	ck_assert_ptr_null(event->ring);
	clock__pass(20 * MS);
	sim__pump();
	/* Then map a buffer of another size. */
	page = map(event, 3);
	ck_assert_uint_eq(page->data_head, 0);
	/* After the counter is closed, its buffer can still be read. */
	clock__pass(4 * MS);
	sim__pump();
	close(event->fd);
	sim__close(event->fd);
	ck_assert_ptr_nonnull(next(page));
	end();
}
END_TEST

START_TEST(a_read_only_mapping_is_overwritten)
{
	struct perf_event_attr attr = { PRECISE };
	struct sim_event *event;
	struct perf_event_mmap_page *page;

	begin("");
	attr.sample_period = 1000;
	attr.write_backward = 1;
	event = open_event(&attr, 0);
	page = (void *)sim__mmap(event, &(struct sim_mmap){ .length = 2 * PAGE,
							    .prot = PROT_READ,
							    .flags = MAP_SHARED });
	clock__pass(40 * MS);
	sim__pump();
	ck_assert_uint_eq(event->lost, 0);
	ck_assert_uint_eq(page->data_head, -200UL * 48);
	end();
}
END_TEST

START_TEST(tasks_sample_with_their_ids_on_their_cpus)
{
	struct perf_event_attr attr = { PRECISE };
	const uint64_t *word;
	struct perf_event_mmap_page *page;
	struct sim_event *event;
	int nr = 0;

	begin("");
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_CPU;
	event = sim__event(open_flags(&attr, 0, 1, -1, 0));
	page = map(event, 9);
	/* 10 of 40 ms are on CPU 1, with 5 or 10 million events per second. */
	clock__pass(80 * MS);
	sim__pump();
	for (; (word = (const uint64_t *)next(page)); nr++) {
		ck_assert_uint_eq(word[1], (uint64_t)getpid() << 32 | getpid());
		ck_assert_uint_eq(word[2], 1);
	}
	ck_assert_int_eq(nr, 10);
	end();
}
END_TEST

TMA_TEST_MAIN(sim_buffer, samples_have_what_was_asked_for, all_fields_are_in_their_order,
	      only_precise_samples_have_latencies, events_that_cannot_be_sampled_are_refused,
	      mappings_are_one_and_a_power_of_two_pages, locked_memory_has_limits_for_users,
	      mapping_faults_come_when_asked_for, events_share_a_buffer_of_their_cpu,
	      a_full_buffer_loses_and_says_so, records_are_lost_and_throttled_when_asked_for,
	      readers_are_woken, a_wait_ends_when_a_buffer_fills,
	      periods_change_and_refresh_counts_samples, without_its_mapping_a_buffer_is_gone,
	      a_read_only_mapping_is_overwritten, tasks_sample_with_their_ids_on_their_cpus)
