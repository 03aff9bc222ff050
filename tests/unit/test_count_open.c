// SPDX-License-Identifier: GPL-2.0-only
#include <sys/resource.h>

#include "fake/count.h"
#include "fake_sysfs.h"

static void setup_wide(const char *online)
{
	setup_machine(online);
	target.system_wide = true;
}

static void setup_command(void)
{
	static char *const argv[] = { "true", NULL };

	setup_machine("0-1");
	target.argv = argv;
}

START_TEST(attributes_are_those_perf_sets)
{
	const struct fake_fd *leader, *member, *alone;

	setup_command();
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("b", PERF_TYPE_RAW, 2);
	group_last(2, false);
	add_event("c", PERF_TYPE_RAW, 3);
	open_session();
	ck_assert_ptr_nonnull(session__units(session)->comms);
	ck_assert_str_eq(fake_order(), "1@-1 2@-1 3@-1");
	leader = fake_find(1, -1);
	member = fake_find(2, -1);
	alone = fake_find(3, -1);
	ck_assert_uint_eq(leader->attr.read_format, 0xf);
	ck_assert_uint_eq(member->attr.read_format, 0xf);
	ck_assert_uint_eq(alone->attr.read_format, 3);
	ck_assert(leader->attr.disabled && leader->attr.enable_on_exec);
	ck_assert(!member->attr.disabled && !member->attr.enable_on_exec);
	ck_assert(alone->attr.disabled && alone->attr.enable_on_exec);
	ck_assert(leader->attr.inherit && leader->attr.exclude_guest);
	ck_assert_uint_eq(leader->attr.sample_type, PERF_SAMPLE_IDENTIFIER);
	ck_assert_uint_eq(leader->attr.size, sizeof(leader->attr));
	ck_assert_int_eq(leader->group_fd, -1);
	ck_assert_int_eq(member->group_fd, FAKE_FIRST_FD);
	ck_assert_uint_eq(leader->flags, PERF_FLAG_FD_CLOEXEC);
	ck_assert_int_eq(leader->pid, session__units(session)->ids[0]);
	teardown_all();
}
END_TEST

START_TEST(children_are_left_out_when_asked)
{
	setup_command();
	options.no_inherit = true;
	add_event("a", PERF_TYPE_RAW, 1);
	open_session();
	ck_assert(!fake_find(1, -1)->attr.inherit);
	teardown_all();
}
END_TEST

START_TEST(opens_one_cpu_after_the_other)
{
	setup_wide("0-2");
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("b", PERF_TYPE_RAW, 2);
	open_session();
	ck_assert_ptr_null(session__units(session)->comms);
	ck_assert_str_eq(fake_order(), "1@0 2@0 1@1 2@1 1@2 2@2");
	ck_assert_int_eq(fake.fds[0].pid, -1);
	ck_assert(!fake.fds[0].attr.enable_on_exec);
	teardown_all();
	ck_assert_int_eq(fake_nr_open(), 0);
}
END_TEST

START_TEST(events_go_to_the_cpus_of_their_pmu)
{
	setup_wide("0-3");
	set_cpus(add_event("core", PERF_TYPE_RAW, 1), "0-1");
	set_cpus(add_event("atom", 10, 2), "2-3");
	add_event("clock", PERF_TYPE_SOFTWARE, 3);
	open_session();
	ck_assert_str_eq(fake_order(), "1@0 3@0 1@1 3@1 2@2 3@2 2@3 3@3");
	ck_assert_int_eq(session__units(session)->nr, 4);
	teardown_all();
}
END_TEST

START_TEST(list_of_cpus_narrows_them)
{
	setup_wide("0-3");
	target.system_wide = false;
	ck_assert_int_eq(cpulist__parse("-C", "1-2", &target.cpus, NULL), 0);
	set_cpus(add_event("core", PERF_TYPE_RAW, 1), "0-1");
	set_cpus(add_event("atom", 10, 2), "3");
	add_event("clock", PERF_TYPE_SOFTWARE, 3);
	open_session();
	ck_assert_str_eq(fake_order(), "1@1 3@1 3@2");
	/* The event is supported: there was only no CPU to count it on. */
	ck_assert(session__supported(session, 1));
	teardown_all();
}
END_TEST

/* Refuse the third and later members of a group, like a CPU with two counters. */
FAKE_REFUSAL(two_counters)
{
	int members = 1;

	for (int i = 0; i < fake.nr; i++)
		members += group_fd >= 0 && fake.fds[i].is_open &&
			   fake.fds[i].group_fd == group_fd;
	return members > 1 ? EINVAL : 0;
}

START_TEST(weak_group_comes_apart_after_all_others)
{
	setup_wide("0-1");
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("b", PERF_TYPE_RAW, 2);
	add_event("c", PERF_TYPE_RAW, 3);
	group_last(3, true);
	add_event("d", PERF_TYPE_RAW, 4);
	fake.refuse = two_counters;
	open_session();
	/* The counters of a and b on CPU 0 are closed again. */
	ck_assert_str_eq(fake_order(), "1@0 2@0 4@0 4@1 1@0 2@0 3@0 1@1 2@1 3@1");
	ck_assert_int_eq(fake_nr_open(), 8);
	ck_assert_uint_eq(fake_find(1, 0)->attr.read_format, 3);
	ck_assert_uint_eq(fake_find(3, 1)->attr.disabled, 1);
	ck_assert_int_eq(fake_find(3, 1)->group_fd, -1);
	ck_assert(session__supported(session, 0) && session__supported(session, 2));
	teardown_all();
	ck_assert_int_eq(fake_nr_open(), 0);
}
END_TEST

START_TEST(topdown_events_stay_with_slots)
{
	static const char *const names[] = { "s", "retiring", "cycles", "topdown.slots" };
	static const enum topdown kinds[] = {TOPDOWN_SLOTS, TOPDOWN_RETIRING, TOPDOWN_NONE,
					     TOPDOWN_NONE};
	int slots_fd;

	setup_wide("0");
	for (int i = 0; i < 4; i++)
		add_event(names[i], PERF_TYPE_RAW, i + 1)->topdown = kinds[i];
	group_last(4, true);
	fake.refuse = two_counters;
	open_session();
	slots_fd = FAKE_FIRST_FD + (fake_find(1, 0) - fake.fds);
	ck_assert_int_eq(fake_find(2, 0)->group_fd, slots_fd);
	ck_assert_int_eq(fake_find(3, 0)->group_fd, -1);
	ck_assert_int_eq(fake_find(4, 0)->group_fd, -1);
	ck_assert_uint_eq(fake_find(1, 0)->attr.read_format, 0xf);
	ck_assert_uint_eq(fake_find(2, 0)->attr.read_format, 0xf);
	ck_assert_uint_eq(fake_find(3, 0)->attr.read_format, 3);
	teardown_all();
}
END_TEST

FAKE_REFUSAL(third_is_missing)
{
	return attr->config == 3 ? ENOENT : 0;
}

START_TEST(unsupported_event_is_marked_and_the_rest_counts)
{
	struct counts counts;

	setup_wide("0-1");
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("c", PERF_TYPE_RAW, 3);
	fake.refuse = third_is_missing;
	open_session();
	ck_assert(session__supported(session, 0));
	ck_assert(!session__supported(session, 1));
	ck_assert_ptr_null(session__refusal(session, 0));
	ck_assert_ptr_nonnull(strstr(session__refusal(session, 1), "does not have it"));
	counts__init(&counts, session);
	ck_assert_int_eq(session__read(session, &counts), 0);
	ck_assert_int_eq(counts.at[0].status, SAMPLE_COUNTED);
	ck_assert_int_eq(counts.at[2].status, SAMPLE_NOT_SUPPORTED);
	ck_assert_int_eq(counts.at[3].status, SAMPLE_NOT_SUPPORTED);
	counts__free(&counts);
	teardown_all();
}
END_TEST

START_TEST(group_of_a_metric_goes_on_without_a_member)
{
	struct counts counts;

	setup_wide("0");
	for (int i = 1; i <= 4; i++)
		add_event("e", PERF_TYPE_RAW, i)->from_metric = true;
	group_last(4, false);
	fake.refuse = third_is_missing;
	open_session();
	ck_assert_int_eq(fake_find(4, 0)->group_fd, FAKE_FIRST_FD);
	counts__init(&counts, session);
	ck_assert_int_eq(session__read(session, &counts), 0);
	ck_assert_uint_eq(counts.at[0].value, 1000);
	ck_assert_uint_eq(counts.at[1].value, 2000);
	ck_assert_int_eq(counts.at[2].status, SAMPLE_NOT_SUPPORTED);
	ck_assert_uint_eq(counts.at[3].value, 4000);
	counts__free(&counts);
	teardown_all();
}
END_TEST

FAKE_REFUSAL(first_is_missing)
{
	return attr->config == 1 ? ENOENT : 0;
}

START_TEST(weak_group_survives_its_leader)
{
	setup_wide("0");
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("b", PERF_TYPE_RAW, 2);
	group_last(2, true);
	fake.refuse = first_is_missing;
	open_session();
	ck_assert(!session__supported(session, 0));
	ck_assert(session__supported(session, 1));
	ck_assert_str_eq(fake_order(), "2@0");
	teardown_all();
}
END_TEST

START_TEST(group_of_the_user_counts_whole_or_not_at_all)
{
	setup_wide("0");
	add_event("cycles", PERF_TYPE_RAW, 1);
	add_event("inst", PERF_TYPE_RAW, 2);
	add_event("slow", PERF_TYPE_RAW, 3);
	group_last(3, false);
	add_event("other", PERF_TYPE_RAW, 4);
	fake.refuse = two_counters;
	open_session();
	ck_assert(!session__supported(session, 0));
	for (int i = 0; i < 3; i++)
		ck_assert_str_eq(session__refusal(session, i),
				 "its group was refused: it needs more counters than the CPU has, or its"
				 " members exclude one another");
	ck_assert(session__supported(session, 3));
	ck_assert_int_eq(fake_nr_open(), 1);
	ck_assert_str_eq(
		session__warnings(session),
		"cannot count slow in the group {cycles,inst,slow}: the kernel does not accept it "
		"(Invalid argument)\n"
		"A group is refused when it needs more counters than the CPU has, or when its "
		"members exclude one another\n"
		"Count them without the braces, or let the group be split when needed: {...}:W\n");
	teardown_all();
	ck_assert_int_eq(fake_nr_open(), 0);
}
END_TEST

FAKE_REFUSAL(no_permission)
{
	return EACCES;
}

START_TEST(no_permission_names_level_and_remedies) /* R14 */
{
	setup_wide("0");
	add_event("cycles", PERF_TYPE_RAW, 1);
	fake.refuse = no_permission;
	new_session();
	ck_assert_int_eq(session__open(session, &err), -EACCES);
	ck_assert_str_eq(
		err.msg,
		"no permission to count cycles on whole CPUs: Permission denied\n"
		"kernel.perf_event_paranoid is 2 here. What helps, in this order:\n"
		"1. count one command only: leave out -a and -C, and name it\n"
		"2. let the program count: setcap cap_perfmon+ep on its file, as root\n"
		"3. let everyone count: sysctl kernel.perf_event_paranoid=0, as root\n"
		"4. in a container: its seccomp profile may forbid perf_event_open(2); allow it, or "
		"add CAP_PERFMON");
	/* The event with the kernel, and the one without it. */
	ck_assert_int_eq(fake.calls, 2);
	ck_assert_str_eq(events.at[0]->name, "cycles");
	teardown_all();
}
END_TEST

/*
 * Some distributions have kernels with higher values: users may then not even count their own
 * tasks.
 */
START_TEST(where_nothing_may_be_counted_no_other_target_is_advised) /* R14 */
{
	for (int paranoid = 3; paranoid <= 4; paranoid++) {
		setup_wide("0");
		machine.paranoid = paranoid;
		add_event("cycles", PERF_TYPE_RAW, 1);
		fake.refuse = no_permission;
		new_session();
		ck_assert_int_eq(session__open(session, &err), -EACCES);
		ck_assert_ptr_nonnull(strstr(err.msg, "in this order:\n1. let the program count:"));
		ck_assert_ptr_nonnull(strstr(err.msg, "\n2. let everyone count: "));
		teardown_all();
	}
}
END_TEST

FAKE_REFUSAL(kernel_is_out_of_bounds)
{
	return attr->exclude_kernel ? 0 : EACCES;
}

START_TEST(user_space_is_counted_where_the_kernel_may_not_be)
{
	setup_command();
	add_event("cycles", PERF_TYPE_RAW, 1);
	add_event("cpu/event=1/", PERF_TYPE_RAW, 2);
	fake.refuse = kernel_is_out_of_bounds;
	open_session();
	ck_assert_str_eq(events.at[0]->name, "cycles:u");
	ck_assert_str_eq(events.at[1]->name, "cpu/event=1/u");
	ck_assert(fake_find(1, -1)->attr.exclude_kernel && fake_find(1, -1)->attr.exclude_hv);
	ck_assert(events.at[0]->attr.exclude_kernel);
	teardown_all();
}
END_TEST

START_TEST(event_for_the_kernel_alone_is_not_turned_round)
{
	setup_command();
	add_event("cycles:k", PERF_TYPE_RAW, 1)->attr.exclude_user = 1;
	fake.refuse = kernel_is_out_of_bounds;
	new_session();
	ck_assert_int_eq(session__open(session, &err), -EACCES);
	ck_assert_str_eq(events.at[0]->name, "cycles:k");
	teardown_all();
}
END_TEST

FAKE_REFUSAL(no_call)
{
	return ENOSYS;
}

START_TEST(missing_call_points_at_the_container)
{
	setup_command();
	add_event("cycles", PERF_TYPE_RAW, 1);
	fake.refuse = no_call;
	new_session();
	ck_assert_int_eq(session__open(session, &err), -ENOSYS);
	ck_assert_ptr_nonnull(strstr(err.msg, "cannot count cycles: "));
	ck_assert_ptr_nonnull(strstr(err.msg, "perf_event_paranoid is 2"));
	ck_assert_ptr_nonnull(strstr(err.msg, "seccomp"));
	teardown_all();
}
END_TEST

FAKE_REFUSAL(knows_no_guests)
{
	return attr->exclude_guest ? EINVAL : 0;
}

START_TEST(pmu_without_guest_bits_is_opened_without_them)
{
	setup_wide("0-1");
	add_event("uncore", 20, 1);
	fake.refuse = knows_no_guests;
	open_session();
	ck_assert_str_eq(fake_order(), "1@0 1@1");
	ck_assert(!fake.fds[0].attr.exclude_guest);
	/* The second CPU is not tried. */
	ck_assert_int_eq(fake.calls, 3);
	teardown_all();
}
END_TEST

/* A running virtual machine has the counters for itself. */
FAKE_REFUSAL(has_a_guest)
{
	return attr->exclude_guest ? 0 : EOPNOTSUPP;
}

static void open_beside_a_guest(bool exclude_guest, bool exclude_host)
{
	struct event *e;

	setup_wide("0-1");
	e = add_event("cycles", PERF_TYPE_HARDWARE, 0);
	e->attr.exclude_guest = exclude_guest;
	e->attr.exclude_host = exclude_host;
	fake.refuse = has_a_guest;
	open_session();
}

START_TEST(guests_with_counters_of_their_own_are_left_out) /* R52 */
{
	open_beside_a_guest(true, false);
	ck_assert_ptr_null(session__warnings(session));
	teardown_all();

	open_beside_a_guest(false, false);
	ck_assert(fake.fds[0].attr.exclude_guest && fake.fds[1].attr.exclude_guest);
	ck_assert_str_eq(session__warnings(session),
			 "cycles is counted without guests: a virtual machine has the counters"
			 " for itself while its guests run\n");
	teardown_all();

	/* If an event counts only guests, it is not counted in another way instead. */
	open_beside_a_guest(false, true);
	ck_assert(!session__supported(session, 0));
	ck_assert_ptr_null(session__warnings(session));
	teardown_all();
}
END_TEST

FAKE_REFUSAL(interrupted)
{
	return fake.calls < 3 ? EINTR : 0;
}

FAKE_REFUSAL(always_again)
{
	return EAGAIN;
}

START_TEST(interrupted_open_is_tried_again_but_not_for_ever)
{
	setup_wide("0");
	add_event("a", PERF_TYPE_RAW, 1);
	fake.refuse = interrupted;
	open_session();
	ck_assert_int_eq(fake.calls, 4);
	teardown_all();

	setup_wide("0");
	add_event("a", PERF_TYPE_RAW, 1);
	fake.refuse = always_again;
	new_session();
	ck_assert_int_eq(session__open(session, &err), -EAGAIN);
	ck_assert_int_le(fake.calls, 1000);
	teardown_all();
}
END_TEST

static rlim_t files_needed;

FAKE_REFUSAL(out_of_files)
{
	struct rlimit limit;

	(void)attr;
	(void)pid;
	(void)cpu;
	(void)group_fd;
	getrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_cur < files_needed ? EMFILE : 0;
}

START_TEST(soft_limit_of_files_is_raised)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_max < 65) {
		printf("SKIP soft_limit_of_files_is_raised: the hard limit is too low\n");
		return;
	}
	limit.rlim_cur = 64;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	files_needed = limit.rlim_max;
	setup_wide("0");
	add_event("a", PERF_TYPE_RAW, 1);
	fake.refuse = out_of_files;
	open_session();
	ck_assert_int_eq(fake.calls, 2);
	teardown_all();
}
END_TEST

START_TEST(too_few_files_for_a_group_name_the_cpus_that_go)
{
	struct rlimit limit;

	setup_wide("0-3");
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max = 70;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	/* Root would raise the limit again. */
	ck_assert(geteuid() || !seteuid(65534));
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("b", PERF_TYPE_RAW, 2);
	group_last(2, false);
	files_needed = RLIM_INFINITY;
	fake.refuse = out_of_files;
	new_session();
	ck_assert_int_eq(session__open(session, &err), -EMFILE);
	ck_assert_ptr_nonnull(strstr(err.msg, "fewer events or CPUs: 3 of the 4 CPUs can be "
					      "counted (-C)"));
	ck_assert_ptr_null(strstr(err.msg, "--passes"));
	teardown_all();
}
END_TEST

START_TEST(too_few_files_names_needed_and_allowed)
{
	setup_wide("0-3");
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("b", PERF_TYPE_RAW, 2);
	files_needed = RLIM_INFINITY;
	fake.refuse = out_of_files;
	new_session();
	ck_assert_int_eq(session__open(session, &err), -EMFILE);
	ck_assert_ptr_nonnull(strstr(err.msg, "cannot open a: 8 counters need as many open files"));
	ck_assert_ptr_nonnull(strstr(err.msg, "ulimit -n 72"));
	teardown_all();
}
END_TEST

FAKE_REFUSAL(cpu_1_is_offline)
{
	return cpu == 1 ? ENODEV : 0;
}

/* The machine was read when CPU 1 was online. @online: the CPUs that sysfs lists as online now. */
static char *setup_sysfs(const char *online)
{
	const struct fake_file files[] = { { "sys/devices/system/cpu/online", online },
					   { NULL, NULL } };
	char *root = fake__new(files);

	setup_wide("0-1");
	machine.sysfs = getenv("SYSFS_PATH");
	return root;
}

START_TEST(cpu_gone_offline_is_told_and_lost)
{
	char *root = setup_sysfs("0\n");
	struct counts counts;

	add_event("a", PERF_TYPE_RAW, 1);
	fake.refuse = cpu_1_is_offline;
	open_session();
	ck_assert_str_eq(session__warnings(session), "CPU 1 ended before it could be counted\n");
	counts__init(&counts, session);
	session__read(session, &counts);
	ck_assert_int_eq(counts.at[0].status, SAMPLE_COUNTED);
	ck_assert_int_eq(counts.at[1].status, SAMPLE_LOST);
	counts__free(&counts);
	teardown_all();
	fake__free(root);
}
END_TEST

FAKE_REFUSAL(no_such_device)
{
	return cpu == 1 && attr->config == 1 ? ENODEV : 0;
}

START_TEST(cpu_online_counts_other_events_after_enodev)
{
	char *root = setup_sysfs("0-1\n");

	add_event("a", PERF_TYPE_RAW, 1);
	add_event("b", PERF_TYPE_RAW, 2);
	fake.refuse = no_such_device;
	open_session();
	ck_assert_ptr_null(session__warnings(session));
	ck_assert(!session__supported(session, 0));
	ck_assert_str_eq(session__refusal(session, 0),
			 "this CPU does not have it, or is offline (on CPU 1)");
	ck_assert_str_eq(fake_order(), "1@0 2@0 2@1");
	ck_assert_int_eq(fake_nr_open(), 2);
	teardown_all();
	fake__free(root);
}
END_TEST

FAKE_REFUSAL(all_busy)
{
	return EBUSY;
}

START_TEST(busy_counters_are_an_error) /* R16 */
{
	setup_wide("0");
	add_event("pt", 8, 1);
	fake.refuse = all_busy;
	new_session();
	ck_assert_int_eq(session__open(session, &err), -EBUSY);
	ck_assert_str_eq(err.msg, "cannot count pt on CPU 0: another profiler has its counters for "
				  "itself (Device or resource busy)");
	teardown_all();
}
END_TEST

START_TEST(member_on_other_cpus_leaves_the_group)
{
	setup_wide("0-3");
	set_cpus(add_event("core", PERF_TYPE_RAW, 1), "0-1");
	add_event("clock", PERF_TYPE_SOFTWARE, 2);
	group_last(2, false);
	open_session();
	ck_assert_int_eq(fake_find(2, 0)->group_fd, -1);
	ck_assert_uint_eq(fake_find(1, 0)->attr.read_format, 3);
	ck_assert_str_eq(session__warnings(session),
			 "clock counts on other CPUs than core: they are not a group\n");
	teardown_all();
}
END_TEST

/*
 * CPUs 0-1 are in the first package, CPUs 2-3 in the second. For boxes, cpumask names CPUs 0 and 2.
 */
static struct event *setup_packages(const char *cpus)
{
	static struct cpu places[4] = { { .socket = 0 }, { .socket = 0 }, { .socket = 1 },
					{ .socket = 1 } };
	struct event *e;

	setup_wide("0-3");
	machine.cpus = places;
	machine.nr_cpus = 4;
	if (cpus)
		ck_assert_int_eq(cpulist__parse("-C", cpus, &target.cpus, NULL), 0);
	e = add_event("box", 20, 1);
	set_cpus(e, "0,2");
	e->requires_cpu = true;
	return e;
}

START_TEST(uncore_event_is_counted_once_a_package)
{
	static const struct { const char *cpus, *order; } cases[] = {
		{ NULL, "1@0 1@2" },
		{ "0-1", "1@0" },
		/* The kernel accepts any CPU of the package instead of the CPU in cpumask. */
		{ "1", "1@1" },
		{ "1,3", "1@1 1@3" },
		{ "0-3", "1@0 1@2" },
		{ "0,3", "1@0 1@3" },
		{ "1-2", "1@1 1@2" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		setup_packages(cases[i].cpus);
		open_session();
		ck_assert_str_eq(fake_order(), cases[i].order);
		teardown_all();
	}
}
END_TEST

/* Core states are read on one thread of each core. */
START_TEST(event_of_a_core_is_counted_once_a_core)
{
	static struct cpu places[4] = {
		{ .core = 0 }, { .core = 1 }, { .core = 0 }, { .core = 1 }
	};
	static const struct { const char *cpus, *order; } cases[] = {
		{ NULL, "1@0 1@1" }, { "1,3", "1@1" }, { "2", "1@2" },
		{ "2-3", "1@2 1@3" }, { "0,2-3", "1@0 1@3" },
	};
	struct event *e;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		e = setup_packages(cases[i].cpus);
		machine.cpus = places;
		cpulist__free(&e->cpus);
		set_cpus(e, "0-1");
		open_session();
		ck_assert_str_eq(fake_order(), cases[i].order);
		teardown_all();
	}
}
END_TEST

START_TEST(event_per_package_is_opened_on_one_of_its_cpus)
{
	struct event *e = setup_packages(NULL);

	cpulist__free(&e->cpus);
	set_cpus(e, "0-3");
	e->per_pkg = true;
	open_session();
	ck_assert_str_eq(fake_order(), "1@0 1@2");
	teardown_all();
}
END_TEST

START_TEST(nowhere_to_count_is_an_error)
{
	setup_wide("0-3");
	ck_assert_int_eq(cpulist__parse("-C", "3", &target.cpus, NULL), 0);
	set_cpus(add_event("core", PERF_TYPE_RAW, 1), "0-1");
	ck_assert_int_eq(session__new(&machine, &events, &target, &options, &session, &err),
			 -EINVAL);
	ck_assert_str_eq(err.msg, "core counts on none of the requested CPUs (-C)");
	session = NULL;
	teardown_all();
}
END_TEST

START_TEST(uncore_event_cannot_count_a_command)
{
	struct event *e;

	setup_command();
	e = add_event("uncore", 20, 1);
	set_cpus(e, "0");
	e->requires_cpu = true;
	add_event("clock", PERF_TYPE_SOFTWARE, 2);
	open_session();
	ck_assert(!session__supported(session, 0));
	ck_assert_str_eq(fake_order(), "2@-1");
	ck_assert_str_eq(session__warnings(session),
			 "uncore cannot count one task: it needs whole CPUs (-a or -C)\n");
	teardown_all();

	/* For boxes of a unit, and for metrics that share an event, each name is printed once. */
	setup_command();
	for (int i = 0; i < 4; i++) {
		e = add_event(i % 2 ? "other" : "uncore", 20 + i, 1);
		set_cpus(e, "0");
		e->requires_cpu = true;
	}
	add_event("clock", PERF_TYPE_SOFTWARE, 2);
	open_session();
	ck_assert_str_eq(session__warnings(session), "uncore, other cannot count one task: "
						     "they need whole CPUs (-a or -C)\n");
	teardown_all();
}
END_TEST

START_TEST(latency_is_not_counted_beside_others)
{
	struct counts counts;

	setup_wide("0");
	add_event("a", PERF_TYPE_RAW, 1);
	add_event("b:R", PERF_TYPE_RAW, 2)->retire_latency = true;
	group_last(2, false);
	open_session();
	ck_assert_str_eq(fake_order(), "1@0");
	ck_assert(session__supported(session, 0));
	ck_assert(!session__supported(session, 1));
	ck_assert_str_eq(session__refusal(session, 1), "a latency (:R), which is not sampled here");
	ck_assert_ptr_null(session__warnings(session));
	ck_assert_uint_eq(fake_find(1, 0)->attr.read_format & PERF_FORMAT_GROUP, 0);
	counts__init(&counts, session);
	ck_assert_int_eq(session__read(session, &counts), 0);
	ck_assert_uint_eq(counts.at[0].value, 1000);
	ck_assert_int_eq(counts.at[1].status, SAMPLE_NOT_SUPPORTED);
	counts__free(&counts);
	teardown_all();
}
END_TEST

START_TEST(filter_is_set_or_refused)
{
	struct event *e;

	setup_wide("0-1");
	e = add_event("sched:x", PERF_TYPE_TRACEPOINT, 1);
	e->filter = "pid > 1";
	open_session();
	ck_assert_str_eq(fake_find(1, 1)->filter, "pid > 1");
	teardown_all();

	setup_wide("0-1");
	add_event("sched:x", PERF_TYPE_TRACEPOINT, 1)->filter = "pid = 1";
	new_session();
	ck_assert_int_eq(session__open(session, &err), -EINVAL);
	ck_assert_str_eq(err.msg, "sched:x: the kernel does not accept the filter 'pid = 1': "
				  "Invalid argument");
	teardown_all();
}
END_TEST

TMA_TEST_MAIN(count_open, attributes_are_those_perf_sets, children_are_left_out_when_asked,
	      opens_one_cpu_after_the_other, events_go_to_the_cpus_of_their_pmu,
	      list_of_cpus_narrows_them, weak_group_comes_apart_after_all_others,
	      topdown_events_stay_with_slots, unsupported_event_is_marked_and_the_rest_counts,
	      group_of_a_metric_goes_on_without_a_member, weak_group_survives_its_leader,
	      group_of_the_user_counts_whole_or_not_at_all, no_permission_names_level_and_remedies,
	      where_nothing_may_be_counted_no_other_target_is_advised,
	      user_space_is_counted_where_the_kernel_may_not_be,
	      event_for_the_kernel_alone_is_not_turned_round, missing_call_points_at_the_container,
	      pmu_without_guest_bits_is_opened_without_them,
	      guests_with_counters_of_their_own_are_left_out,
	      interrupted_open_is_tried_again_but_not_for_ever, soft_limit_of_files_is_raised,
	      too_few_files_names_needed_and_allowed,
	      too_few_files_for_a_group_name_the_cpus_that_go, cpu_gone_offline_is_told_and_lost,
	      cpu_online_counts_other_events_after_enodev, busy_counters_are_an_error,
	      member_on_other_cpus_leaves_the_group, uncore_event_is_counted_once_a_package,
	      event_of_a_core_is_counted_once_a_core,
	      event_per_package_is_opened_on_one_of_its_cpus, nowhere_to_count_is_an_error,
	      uncore_event_cannot_count_a_command, latency_is_not_counted_beside_others,
	      filter_is_set_or_refused)
