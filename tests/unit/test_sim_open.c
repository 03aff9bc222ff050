// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which events perf_event_open() accepts, and what read() and ioctl() return; the test lets time
 * pass in steps.
 */
#include <errno.h>
#include <stdio.h>

#include "sim/clock.h"
#include "sim/sim.h"
#include "sim_fixture.h"

#define MS 1000000ULL

static void begin(const char *machine, const char *faults)
{
	struct err err = ERR_INIT;
	char path[128];

	snprintf(path, sizeof(path), "lib/sim/machines/%s", machine);
	ck_assert_msg(!sim_machine__load(path, &sim.m, &err), "%s", err.msg);
	ck_assert_msg(!faults__parse(faults, &sim.faults, &err), "%s", err.msg);
	clock__init(child__init(), MS);
}

static void end(void)
{
	for (int fd = 0; fd < sim.events.nr; fd++)
		if (sim__event(fd)) {
			sim__close(fd);
			close(fd);
		}
	ck_assert_int_eq(sim.nr_open, 0);
	ck_assert_int_eq(sim.contexts.nr, 0);
	vec__free(&sim.events);
	vec__free(&sim.contexts);
	faults__free(&sim.faults);
	sim_machine__free(&sim.m);
}

static int open_attr(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	struct sim_call call = { .attr = attr, .pid = pid, .cpu = cpu, .group_fd = group };

	attr->size = sizeof(*attr);
	return sim__open(&call);
}

static int open_on(uint32_t type, uint64_t config, int cpu, int group)
{
	struct perf_event_attr attr = { .type = type, .config = config };

	return open_attr(&attr, -1, cpu, group);
}

START_TEST(generic_events_take_a_pmu_in_the_upper_half)
{
	begin("alderlake", "");
	ck_assert_int_ge(open_on(PERF_TYPE_HARDWARE, 0x400000000, 0, -1), 0);
	ck_assert_int_ge(open_on(PERF_TYPE_HARDWARE, 0x800000000, 16, -1), 0);
	ck_assert_int_eq(open_on(PERF_TYPE_HARDWARE, 0x800000000, 0, -1), -ENOENT);
	ck_assert_int_eq(open_on(PERF_TYPE_HARDWARE, 0x900000000, 0, -1), -ENOENT);
	/* An event without a PMU belongs to the PMU that has the CPU. */
	ck_assert_int_ge(open_on(PERF_TYPE_HARDWARE, 0, 16, -1), 0);
	ck_assert_int_eq(open_on(PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0, -1),
			 -ENOENT);
	ck_assert_int_ge(open_on(PERF_TYPE_HW_CACHE, 0x800000000, 17, -1), 0);
	ck_assert_int_eq(open_on(PERF_TYPE_HW_CACHE, 0x800010000, 17, -1), -ENOENT);
	end();
}
END_TEST

START_TEST(cpus_are_checked)
{
	struct perf_event_attr attr = { .type = 4, .config = 0x3c };

	begin("alderlake", "offline=3@0s");
	ck_assert_int_eq(open_on(4, 0x3c, 16, -1), -ENOENT);
	ck_assert_int_eq(open_on(4, 0x3c, 99, -1), -EINVAL);
	ck_assert_int_eq(open_on(4, 0x3c, -1, -1), -EINVAL);
	ck_assert_int_eq(open_on(4, 0x3c, 3, -1), -ENODEV);
	ck_assert_int_eq(open_on(8, 0x3c, 3, -1), -ENOENT);
	ck_assert_int_ge(open_attr(&attr, 0, -1, -1), 0);
	ck_assert_int_eq(open_attr(&attr, 0x7ffffff0, -1, -1), -ESRCH);
	end();
}
END_TEST

START_TEST(metric_events_need_slots_in_front)
{
	int slots, cycles;

	begin("sapphirerapids", "");
	ck_assert_int_eq(open_on(4, 0x8000, 0, -1), -EINVAL);
	cycles = open_on(4, 0x3c, 0, -1);
	ck_assert_int_eq(open_on(4, 0x8000, 0, cycles), -EINVAL);
	slots = open_on(4, 0x400, 0, -1);
	ck_assert_int_ge(slots, 0);
	for (int i = 0; i < 8; i++)
		ck_assert_int_ge(open_on(4, 0x8000 + i * 0x100, 0, slots), 0);
	ck_assert_int_eq(open_on(4, 0x8000, 0, slots), -EINVAL);
	/* Slots with a filter, or a second event of slots. */
	ck_assert_int_eq(open_on(4, 0x400 | 1 << 24, 0, -1), -EINVAL);
	ck_assert_int_eq(open_on(4, 0x400, 0, slots), -EINVAL);
	end();
}
END_TEST

START_TEST(a_group_is_what_fits_the_counters)
{
	int leader;

	begin("skylakex", "");
	leader = open_on(4, 0x3c, 0, -1);
	ck_assert_int_ge(open_on(4, 0xc0, 0, leader), 0);
	for (int i = 0; i < 4; i++)
		ck_assert_int_ge(open_on(4, 0x010e, 0, leader), 0);
	ck_assert_int_eq(open_on(4, 0x010e, 0, leader), -EINVAL);
	/* Software and msr events need no counter. */
	ck_assert_int_ge(open_on(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0, leader), 0);
	ck_assert_int_ge(open_on(20, 0, 0, leader), 0);
	end();
}
END_TEST

START_TEST(groups_do_not_cross_cpus_or_pmus)
{
	struct perf_event_attr pinned = { .type = 4, .config = 0x11, .pinned = 1 };
	int core, member;

	begin("alderlake", "");
	core = open_on(4, 0x3c, 0, -1);
	member = open_on(4, 0xc0, 0, core);
	ck_assert_int_eq(open_on(4, 0xc0, 1, core), -EINVAL);
	ck_assert_int_eq(open_on(4, 0xc0, 0, member), -EINVAL);
	ck_assert_int_eq(open_on(22, 0x01, 0, core), -EINVAL);
	ck_assert_int_eq(open_attr(&pinned, -1, 0, core), -EINVAL);
	ck_assert_int_eq(open_on(4, 0xc0, 0, 999), -EBADF);
	end();
}
END_TEST

START_TEST(uncore_events_are_system_wide_and_of_the_package)
{
	struct perf_event_attr user = { .type = 24, .config = 0x304, .exclude_kernel = 1 };
	struct perf_event_attr sampled = { .type = 24, .config = 0x304, .sample_period = 1000 };
	struct perf_event_attr plain = { .type = 24, .config = 0x304 };

	begin("skylakex", "");
	ck_assert_int_eq(open_attr(&user, -1, 0, -1), -EINVAL);
	ck_assert_int_eq(open_attr(&sampled, -1, 0, -1), -EINVAL);
	ck_assert_int_eq(open_attr(&plain, 0, -1, -1), -EINVAL);
	ck_assert_int_eq(open_attr(&plain, 0, 0, -1), -EINVAL);
	ck_assert_int_eq(sim__event(open_attr(&plain, -1, 9, -1))->cpu, 0);
	ck_assert_int_eq(sim__event(open_attr(&plain, -1, 14, -1))->cpu, 4);
	end();
}
END_TEST

START_TEST(attributes_are_checked)
{
	struct perf_event_attr attr = { .type = 4, .config = 0x3c };
	struct sim_call call = { .attr = &attr, .pid = -1, .cpu = 0, .group_fd = -1 };

	begin("skylakex", "");
	attr.size = 8;
	ck_assert_int_eq(sim__open(&call), -E2BIG);
	ck_assert_uint_eq(attr.size, sizeof(attr));
	attr.read_format = 1 << 10;
	ck_assert_int_eq(open_attr(&attr, -1, 0, -1), -EINVAL);
	attr.read_format = 0;
	attr.precise_ip = 1;
	ck_assert_int_eq(open_attr(&attr, -1, 0, -1), -EINVAL);
	attr.precise_ip = 0;
	call.flags = 1 << 10;
	ck_assert_int_eq(sim__open(&call), -EINVAL);
	/* These bits do not exist in the register. */
	attr = (struct perf_event_attr){ .type = 4, .config = 0x1b7, .config1 = 1ULL << 63 };
	ck_assert_int_eq(open_attr(&attr, -1, 0, -1), -EINVAL);
	end();
}
END_TEST

START_TEST(other_pmus_are_the_kernels)
{
	begin("skylakex", "");
	ck_assert_int_eq(open_on(12345, 0, 0, -1), SIM_PASS);
	ck_assert_int_ge(open_on(PERF_TYPE_TRACEPOINT, 300, 9, -1), 0);
	end();
}
END_TEST

START_TEST(a_group_read_has_every_member)
{
	struct perf_event_attr attr = { .type = 4,
					.config = 0x3c,
					.disabled = 1,
					.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
						       PERF_FORMAT_TOTAL_TIME_ENABLED |
						       PERF_FORMAT_TOTAL_TIME_RUNNING };
	uint64_t values[16];
	int leader, member;

	begin("skylakex", "");
	leader = open_attr(&attr, -1, 0, -1);
	attr.config = 0x3c | 1 << 21;
	attr.disabled = 0;
	member = open_attr(&attr, -1, 0, leader);
	clock__pass(10 * MS);
	ck_assert_int_eq(sim__read(sim__event(leader), values, sizeof(values)), 7 * 8);
	ck_assert_uint_eq(values[1], 0);
	ck_assert_int_eq(sim__ioctl(sim__event(leader), PERF_EVENT_IOC_ENABLE, 0), 0);
	clock__pass(10 * MS);
	ck_assert_int_eq(sim__read(sim__event(leader), values, sizeof(values)), 7 * 8);
	ck_assert_uint_eq(values[0], 2);
	ck_assert_uint_eq(values[1], 10 * MS);
	ck_assert_uint_eq(values[2], 10 * MS);
	ck_assert_uint_eq(values[3], 30000000);
	ck_assert_uint_eq(values[4], sim__event(leader)->id);
	ck_assert_uint_eq(values[5], 42000000);
	ck_assert_uint_eq(values[6], sim__event(member)->id);
	ck_assert_int_eq(sim__read(sim__event(leader), values, 6 * 8), -ENOSPC);
	end();
}
END_TEST

START_TEST(user_and_kernel_share_a_count)
{
	struct perf_event_attr attr = { .type = 4, .config = 0x3c, .exclude_kernel = 1 };
	uint64_t user, kernel, both;
	int fds[3];

	begin("skylakex", "");
	fds[0] = open_attr(&attr, -1, 0, -1);
	attr.exclude_kernel = 0;
	fds[2] = open_attr(&attr, -1, 0, -1);
	attr.exclude_user = 1;
	fds[1] = open_attr(&attr, -1, 0, -1);
	clock__pass(100 * MS);
	ck_assert_int_eq(sim__read(sim__event(fds[0]), &user, 8), 8);
	ck_assert_int_eq(sim__read(sim__event(fds[1]), &kernel, 8), 8);
	ck_assert_int_eq(sim__read(sim__event(fds[2]), &both, 8), 8);
	ck_assert_uint_eq(both, 300000000);
	ck_assert_uint_eq(user, 234000000);
	ck_assert_uint_eq(user + kernel, both);
	end();
}
END_TEST

START_TEST(a_hardware_event_takes_a_software_group_along)
{
	int leader, member, hardware;

	begin("skylakex", "");
	leader = open_on(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0, -1);
	member = open_on(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, leader);
	ck_assert_ptr_null(sim__event(leader)->ctx->pmu);
	hardware = open_on(4, 0x3c, 0, leader);
	ck_assert_int_ge(hardware, 0);
	ck_assert_ptr_eq(sim__event(leader)->ctx, sim__event(hardware)->ctx);
	ck_assert_ptr_eq(sim__event(member)->ctx, sim__event(hardware)->ctx);
	ck_assert_int_eq(sim.contexts.nr, 1);
	end();
}
END_TEST

START_TEST(faults_come_when_asked_for)
{
	uint64_t value;
	int fd;

	begin("skylakex", "open#2=EMFILE;open@3=EACCES;open:cpu/event=0xc0/=EBUSY;read#2=EIO");
	fd = open_on(4, 0x3c, 0, -1);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(open_on(4, 0x3c, 1, -1), -EMFILE);
	ck_assert_int_eq(open_on(4, 0x3c, 3, -1), -EACCES);
	ck_assert_int_eq(open_on(4, 0xc0, 1, -1), -EBUSY);
	ck_assert_int_ge(open_on(4, 0x1c0, 1, -1), 0);
	ck_assert_int_eq(sim__read(sim__event(fd), &value, 8), 8);
	ck_assert_int_eq(sim__read(sim__event(fd), &value, 8), -EIO);
	ck_assert_int_eq(sim__read(sim__event(fd), &value, 8), 8);
	end();
}
END_TEST

START_TEST(counters_open_when_a_cpu_went_offline_stay_dead)
{
	uint64_t before, after;
	int fd;

	begin("skylakex", "offline=1@10ms-20ms");
	fd = open_on(4, 0x3c, 1, -1);
	clock__pass(15 * MS);
	ck_assert(!sim__is_online(1));
	ck_assert_int_eq(open_on(4, 0x3c, 1, -1), -ENODEV);
	ck_assert_int_eq(sim__read(sim__event(fd), &before, 8), 8);
	ck_assert_uint_eq(before, 30000000);
	clock__pass(15 * MS);
	ck_assert(sim__is_online(1));
	ck_assert_int_eq(sim__read(sim__event(fd), &after, 8), 8);
	ck_assert_uint_eq(after, before);
	fd = open_on(4, 0x3c, 1, -1);
	ck_assert_int_ge(fd, 0);
	clock__pass(10 * MS);
	ck_assert_int_eq(sim__read(sim__event(fd), &after, 8), 8);
	ck_assert_uint_eq(after, 30000000);
	end();
}
END_TEST

START_TEST(mistakes_in_faults_are_named)
{
	struct err err = ERR_INIT;
	struct faults faults;

	ck_assert_int_eq(faults__parse("open#x=EIO", &faults, &err), -EINVAL);
	ck_assert_str_eq(err.msg, "number: 'x' is not a number");
	ck_assert_int_eq(faults__parse("open=EFOO", &faults, &err), -EINVAL);
	ck_assert_str_eq(err.msg, "'EFOO' is not an errno name that a fault can have");
	ck_assert_int_eq(faults__parse("close=EIO", &faults, &err), -EINVAL);
	ck_assert_str_eq(err.msg, "'close' is none of open, read, mmap, ioctl, late, count, file, "
			  "offline, fds, lost, throttle");
	ck_assert_int_eq(faults__parse("offline=1", &faults, &err), -EINVAL);
	ck_assert_str_eq(err.msg, "offline=CPU@TIME[-TIME] is meant");
}
END_TEST

TMA_TEST_MAIN(sim_open, generic_events_take_a_pmu_in_the_upper_half, cpus_are_checked,
	      metric_events_need_slots_in_front, a_group_is_what_fits_the_counters,
	      groups_do_not_cross_cpus_or_pmus, uncore_events_are_system_wide_and_of_the_package,
	      attributes_are_checked, other_pmus_are_the_kernels, a_group_read_has_every_member,
	      user_and_kernel_share_a_count, a_hardware_event_takes_a_software_group_along,
	      faults_come_when_asked_for, counters_open_when_a_cpu_went_offline_stay_dead,
	      mistakes_in_faults_are_named)
