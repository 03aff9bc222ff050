// SPDX-License-Identifier: GPL-2.0-only
/* Groups whose counts are read with each sample of a member. */
#include <errno.h>
#include <sys/mman.h>

#include "sim/clock.h"
#include "sim/sim.h"
#include "sim_fixture.h"

#define MS 1000000ULL
#define PAGE 4096UL
#define SLOTS 0x400
#define RETIRING 0x8000
#define CYCLES 0x3c

/* Two threads with two and three cycles per ns. */
#define THREADS                                                                                    \
	"cpuid GenuineIntel-6-55-4\ncpus 0-1\ncore 0-1\n"                                          \
	"at walk\nlet cycles 2G\nend\nat parse\nlet cycles 3G\nend\n"                              \
	"stays walk/1 1ms parse/2 1ms\n"                                                           \
	"pmu cpu\ntype 4\nkind core\ncounters 4\nformat event config:0-7\n"                        \
	"let cycles 1G\nrate event=0x3c cycles\nrate event=0xc0 2*cycles\nend\n"

static void begin_text(const char *text)
{
	struct err err = ERR_INIT;

	sim_must_load(text, &sim.m);
	ck_assert(!faults__parse("", &sim.faults, &err));
	clock__init(child__init(), MS);
}

static void begin(const char *path)
{
	struct err err = ERR_INIT;

	ck_assert_msg(!sim_machine__load(path, &sim.m, &err), "%s", err.msg);
	ck_assert(!faults__parse("", &sim.faults, &err));
	clock__init(child__init(), MS);
}

static void end(void)
{
	while (sim.rings.nr) {
		struct sim_mapping map = sim.rings.at[0]->maps.at[0];

		sim__munmap(map.at);
		munmap(map.at, map.size);
	}
	for (int fd = 0; fd < sim.events.nr; fd++)
		if (sim__event(fd)) {
			sim__close(fd);
			close(fd);
		}
	vec__free(&sim.events);
	vec__free(&sim.contexts);
	vec__free(&sim.rings);
	faults__free(&sim.faults);
	sim_machine__free(&sim.m);
}

static struct perf_event_attr attr_of(uint64_t config, uint64_t period)
{
	return (struct perf_event_attr){
		.type = 4,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP,
	};
}

static int open_attr(struct perf_event_attr attr, pid_t pid, int group)
{
	struct sim_call call = {.attr = &attr, .pid = pid, .cpu = 0, .group_fd = group};

	return sim__open(&call);
}

static struct perf_event_mmap_page *map(int fd)
{
	long at = sim__mmap(sim__event(fd), &(struct sim_mmap){.length = 9 * PAGE,
							       .prot = PROT_READ | PROT_WRITE,
							       .flags = MAP_SHARED});

	ck_assert_msg(at > 0, "%ld", at);
	return (struct perf_event_mmap_page *)at;
}

/* A sample: its thread, and the counts that were read with it. */
struct sampled {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t nr, value[3];
};

/* Take the next sample. Return: false if there is none. */
static bool next(struct perf_event_mmap_page *page, struct sampled *out)
{
	const char *data = (char *)page + page->data_offset;

	if (page->data_tail == page->data_head)
		return false;
	memcpy(out, data + page->data_tail % page->data_size, sizeof(*out));
	ck_assert_uint_eq(out->header.type, PERF_RECORD_SAMPLE);
	page->data_tail += out->header.size;
	return true;
}

START_TEST(neither_metric_events_nor_their_leader_sample)
{
	int slots;

	begin("lib/sim/machines/sapphirerapids");
	slots = open_attr(attr_of(SLOTS, 0), -1, -1);
	ck_assert_int_ge(slots, 0);
	ck_assert_int_eq(open_attr(attr_of(RETIRING, 1000003), -1, slots), -EINVAL);
	ck_assert_int_ge(open_attr(attr_of(RETIRING, 0), -1, slots), 0);
	/* Slots can be sampled if the group has no metric events. */
	slots = open_attr(attr_of(SLOTS, 1000003), -1, -1);
	ck_assert_int_ge(slots, 0);
	ck_assert_int_eq(open_attr(attr_of(RETIRING, 0), -1, slots), -EINVAL);
	end();
}
END_TEST

START_TEST(the_second_member_samples_a_group_of_topdown)
{
	struct perf_event_mmap_page *page;
	struct sampled sample, before = {.nr = 0};
	int slots, cycles, nr = 0;

	begin("lib/sim/machines/sapphirerapids");
	slots = open_attr(attr_of(SLOTS, 0), -1, -1);
	cycles = open_attr(attr_of(CYCLES, 1000000), -1, slots);
	ck_assert_int_ge(cycles, 0);
	ck_assert_int_ge(open_attr(attr_of(RETIRING, 0), -1, slots), 0);
	page = map(cycles);
	clock__pass(20 * MS);
	sim__pump();
	for (; next(page, &sample); nr++) {
		ck_assert_uint_eq(sample.nr, 3);
		if (nr) {
			double more = sample.value[0] - before.value[0];

			/*
			 * Six slots per cycle. The part that retires is between 13 and 51 %, a
			 * multiple of 1/255.
			 */
			ck_assert_double_eq_tol(more, 6e6, 20);
			ck_assert_double_eq_tol(sample.value[1] - before.value[1], 1e6, 3);
			ck_assert_double_gt((sample.value[2] - before.value[2]) / more, 0.125);
			ck_assert_double_lt((sample.value[2] - before.value[2]) / more, 0.515);
		}
		before = sample;
	}
	ck_assert_int_gt(nr, 25);
	end();
}
END_TEST

/* In Linux 6.12, the read format must have ids, which tell whose counts these are. */
START_TEST(inherited_counts_are_of_the_samples_thread)
{
	struct perf_event_attr attr = attr_of(CYCLES, 300000);
	struct perf_event_mmap_page *page;
	struct sampled sample;
	uint64_t last[2] = {0}, start;
	int leader, member, of[2] = {0};

	begin_text(THREADS);
	attr.inherit = 1;
	attr.sample_type = PERF_SAMPLE_READ;
	ck_assert_int_eq(open_attr(attr, 0, -1), -EINVAL);
	attr.sample_type |= PERF_SAMPLE_TID;
	leader = open_attr(attr, 0, -1);
	ck_assert_int_ge(leader, 0);
	attr.config = 0xc0;
	attr.sample_period = 0;
	member = open_attr(attr, 0, leader);
	ck_assert_int_ge(member, 0);
	page = map(leader);
	start = clock__now();
	clock__pass(20 * MS);
	sim__pump();
	while (next(page, &sample)) {
		int thread = sample.tid - sample.pid;

		ck_assert_uint_eq(sample.pid, getpid());
		ck_assert(thread == 0 || thread == 1);
		of[thread]++;
		/* A thread's counts continue where they were when it last ran. */
		ck_assert_uint_gt(sample.value[0], last[thread]);
		ck_assert_uint_le(sample.value[0] - last[thread], 300000 + 2000000);
		ck_assert_double_eq_tol(sample.value[1], 2.0 * sample.value[0], 2);
		last[thread] = sample.value[0];
	}
	ck_assert_uint_eq(clock__now() - start, 20 * MS);
	/* 10 ms with 2 cycles per ns, and 10 ms with 3. */
	ck_assert_int_eq(of[0] + of[1], (20 + 30) * 1000000 / 300000);
	ck_assert_double_eq_tol(last[0], 20e6, 600000);
	ck_assert_double_eq_tol(last[1], 30e6, 600000);
	end();
}
END_TEST

TMA_TEST_MAIN(sim_groups, neither_metric_events_nor_their_leader_sample,
	      the_second_member_samples_a_group_of_topdown,
	      inherited_counts_are_of_the_samples_thread)
