// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the number of free counters by trying, on a kernel with a given number of counters, some of
 * which are used.
 */
#include "fake/count.h"

#include "count/probe.h"

static struct pmu core = { .name = (char *)"cpu", .type = 4, .is_core = true };
static int has, free_ones, opens_until_refused, code;

static int nr_open(void)
{
	int nr = 0;

	for (int i = 0; i < fake.nr; i++)
		nr += fake.fds[i].is_open;
	return nr;
}

FAKE_REFUSAL(refuse_more)
{
	ck_assert_int_eq(attr->type, PERF_TYPE_HARDWARE);
	ck_assert_int_eq(attr->pinned, group_fd < 0);
	if (fake.calls == opens_until_refused)
		return code;
	return nr_open() == has ? EINVAL : 0;
}

/* A read of a pinned group in error returns end of file. */
static ssize_t read_pinned(int fd, void *buf, size_t size)
{
	ck_assert(fake.fds[fd - FAKE_FIRST_FD].enabled);
	if (nr_open() > free_ones)
		return 0;
	memset(buf, 0, size);
	return size;
}

static int probe(const struct pmu *pmu, int cpu, int most, int *general, int *held)
{
	memset(&fake, 0, sizeof(fake));
	fake.refuse = refuse_more;
	fake.read = read_pinned;
	return probe__counters(&fake_count_kernel, pmu, cpu, most, general, held);
}

static void begin(int counters, int not_held)
{
	has = counters;
	free_ones = not_held;
	opens_until_refused = -1;
}

START_TEST(all_counters_are_there)
{
	int general, held;

	begin(8, 8);
	ck_assert_int_eq(probe(&core, 3, 8, &general, &held), 0);
	ck_assert_int_eq(general, 8);
	ck_assert_int_eq(held, 0);
	ck_assert_int_eq(fake.nr, 8);
	ck_assert_int_eq(nr_open(), 0);
	ck_assert_int_eq(fake.fds[7].cpu, 3);
	ck_assert_int_eq(fake.fds[7].pid, -1);
	ck_assert_int_eq(fake.fds[7].group_fd, FAKE_FIRST_FD);
}
END_TEST

START_TEST(a_virtual_machine_may_have_fewer)
{
	int general, held;

	begin(4, 4);
	ck_assert_int_eq(probe(&core, -1, 8, &general, &held), 0);
	ck_assert_int_eq(general, 4);
	ck_assert_int_eq(held, 0);
	ck_assert_int_eq(fake.fds[0].pid, 0);
	ck_assert_int_eq(fake.fds[0].cpu, -1);
	ck_assert_int_eq(nr_open(), 0);
}
END_TEST

START_TEST(counters_of_other_users_are_reported)
{
	int general, held;

	begin(8, 5);
	ck_assert_int_eq(probe(&core, 0, 8, &general, &held), 0);
	ck_assert_int_eq(general, 8);
	ck_assert_int_eq(held, 3);
	begin(4, 0);
	ck_assert_int_eq(probe(&core, 0, 8, &general, &held), 0);
	ck_assert_int_eq(general, 4);
	ck_assert_int_eq(held, 4);
	ck_assert_int_eq(nr_open(), 0);
}
END_TEST

/*
 * If permission is missing, the event is unknown, or no descriptor is left, the number is unknown.
 */
START_TEST(another_refusal_says_nothing)
{
	static const int codes[] = { EACCES, ENOENT, EMFILE };
	int general, held;

	for (int i = 0; i < 3; i++)
		for (int at = 1; at < 5; at += 3) {
			begin(8, 8);
			opens_until_refused = at;
			code = codes[i];
			ck_assert_int_eq(probe(&core, 0, 8, &general, &held), -codes[i]);
			ck_assert_int_eq(nr_open(), 0);
		}
	/* The PMU does not have the event at all. */
	begin(0, 0);
	ck_assert_int_eq(probe(&core, 0, 8, &general, &held), -EINVAL);
}
END_TEST

START_TEST(a_core_type_is_tried_on_its_own_cpus)
{
	struct pmu atom = { .name = (char *)"cpu_atom", .type = 10, .has_cpus = true };
	int general, held;

	begin(6, 6);
	ck_assert_int_eq(probe(&atom, 16, 6, &general, &held), 0);
	ck_assert_uint_eq(fake.fds[0].attr.config,
			  PERF_COUNT_HW_BRANCH_INSTRUCTIONS | 10ULL << 32);
	/* One of tma's threads may run on a core of another type. */
	ck_assert_int_eq(probe(&atom, -1, 6, &general, &held), -ENOTSUP);
	ck_assert_int_eq(fake.calls, 0);
}
END_TEST

#define ANY (1 << 21)

FAKE_REFUSAL(refuse_any_thread)
{
	ck_assert_uint_eq(attr->config, 0x3c | ANY);
	ck_assert_uint_eq(attr->type, 4);
	ck_assert(attr->exclude_kernel);
	return code;
}

static bool denies(struct pmu *pmu, int refusal)
{
	memset(&fake, 0, sizeof(fake));
	fake.refuse = refuse_any_thread;
	code = refusal;
	return probe__denies_any_thread(&fake_count_kernel, pmu);
}

START_TEST(counting_for_all_threads_of_a_core_is_tried)
{
	struct pmu_format any = {.name = (char *)"any", .bits = {ANY}, .loaded = true};
	struct pmu pmu = core;

	pmu.formats_listed = true;
	ck_assert(!denies(&pmu, EACCES));
	ck_assert_int_eq(fake.calls, 0);
	pmu.formats = &any;
	pmu.nr_formats = 1;
	ck_assert(denies(&pmu, EACCES));
	ck_assert(denies(&pmu, EPERM));
	/* These errors do not mean a missing permission. */
	ck_assert(!denies(&pmu, EINVAL));
	ck_assert(!denies(&pmu, 0));
	ck_assert_int_eq(fake.fds[0].pid, 0);
	ck_assert_int_eq(fake.fds[0].cpu, -1);
	ck_assert_int_eq(nr_open(), 0);
}
END_TEST

TMA_TEST_MAIN(count_probe, all_counters_are_there, a_virtual_machine_may_have_fewer,
	      counters_of_other_users_are_reported, another_refusal_says_nothing,
	      a_core_type_is_tried_on_its_own_cpus, counting_for_all_threads_of_a_core_is_tried)
