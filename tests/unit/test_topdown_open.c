// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening a handle: why it can fail, and reading by system call. sysfs describes a machine whose
 * events are software events, which any kernel counts: slots and retiring are nanoseconds on a CPU.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "unit.h"
#include "fake_sysfs.h"
#include "may_count.h"
#include "topdown_fixture.h"

/* Some of the tests are only for one architecture. */
#pragma GCC diagnostic ignored "-Wunused-variable"

/* type 1: software; config 1: task-clock; config 4: CPU migrations */
static const struct fake_file software[] = {
	{ PMUS "cpu/type", "1\n" },
	{ PMUS "cpu/format/event", "config:0-7\n" },
	{ PMUS "cpu/format/umask", "config:8-15\n" },
	{ PMUS "cpu/format/edge", "config:18\n" },
	{ PMUS "cpu/format/split", "config1:4-7,12-19\n" },
	{ PMUS "cpu/format/all", "config2:0-63\n" },
	{ PMUS "cpu/format/odd", "config9:0-63\n" },
	{ PMUS "cpu/events/slots", "event=0x01\n" },
	{ PMUS "cpu/events/instructions", "event=0x1,umask=0\n" },
	{ PMUS "cpu/events/cpu-cycles", "event=1\n" },
	{ PMUS "cpu/events/itself", "itself\n" },
	{ PMUS "cpu/events/topdown-retiring", "event=1\n" },
	{ PMUS "cpu/events/topdown-bad-spec", "event=4\n" },
	{ PMUS "cpu/events/topdown-fe-bound", "event=4\n" },
	{ PMUS "cpu/events/topdown-be-bound", "event=4\n" },
	{ 0 },
};

static char *root;
static char sysfs[4096];

static void setup(const struct fake_file *files)
{
	root = fake__new(files);
	snprintf(sysfs, sizeof(sysfs), "%s/sys", root);
	unsetenv("TMA_REGIONS");
}

static void expect_failure(const struct tma_topdown_options *options,
			   enum tma_topdown_reason reason, int code, const char *text)
{
	struct tma_topdown_error error;

	ck_assert_ptr_null(tma_topdown_open(options, &error));
	ck_assert_msg(error.reason == reason, "%s, not %s: %s",
		      tma_topdown_reason_name(error.reason), tma_topdown_reason_name(reason),
		      error.text);
	ck_assert_int_eq(error.code, code);
	ck_assert_msg(strstr(error.text, text), "no '%s' in '%s'", text, error.text);
}

static struct tma_topdown *open_software(unsigned int flags)
{
	struct tma_topdown_options options = {
		.size = sizeof(options), .flags = flags, .sysfs = sysfs,
	};
	struct tma_topdown_error error;
	struct tma_topdown *topdown = tma_topdown_open(&options, &error);

	ck_assert_msg(topdown, "%s", error.text);
	return topdown;
}

/* Use this much CPU time, however long this takes. */
static void spin(double seconds)
{
	struct timespec now;
	double end = 0;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		end = end ? end : now.tv_sec + now.tv_nsec * 1e-9 + seconds;
	} while (now.tv_sec + now.tv_nsec * 1e-9 < end);
}

START_TEST(wrong_options_are_reported)
{
	struct tma_topdown_options options = { .size = 8 };

	expect_failure(&options, TMA_TOPDOWN_ARGUMENT, EINVAL, "options.size is 8");
	options = (struct tma_topdown_options){ .size = sizeof(options), .level = 3 };
	expect_failure(&options, TMA_TOPDOWN_ARGUMENT, EINVAL, "options.level is 3");
	options = (struct tma_topdown_options){ .size = sizeof(options), .max_error = -1 };
	expect_failure(&options, TMA_TOPDOWN_ARGUMENT, EINVAL, "options.max_error");
	options = (struct tma_topdown_options){ .size = sizeof(options), .flags = 1 << 6 | 1 };
	expect_failure(&options, TMA_TOPDOWN_ARGUMENT, EINVAL, "options.flags has 0x40, which");
	ck_assert_ptr_null(tma_topdown_open(&options, NULL));
}
END_TEST

START_TEST(a_machine_without_a_pmu_is_reported)
{
	static const struct fake_file none[] = { { PMUS "software/type", "1\n" }, { 0 } };
	struct tma_topdown_options options = { .size = sizeof(options), .sysfs = sysfs };

	setup(none);
	expect_failure(&options, TMA_TOPDOWN_NO_PMU, ENODEV, "no core PMU");
	fake__free(root);
}
END_TEST

START_TEST(a_cpu_without_slots_is_reported)
{
	static const struct fake_file old[] = {
		{ PMUS "cpu/type", "4\n" },
		{ PMUS "cpu/format/event", "config:0-7\n" },
		{ PMUS "cpu/events/topdown-total-slots", "event=0x3c\n" },
		{ 0 },
	};
	struct tma_topdown_options options = { .size = sizeof(options), .sysfs = sysfs };

	setup(old);
	expect_failure(&options, TMA_TOPDOWN_NO_SLOTS, EOPNOTSUPP, "Ice Lake");
	fake__free(root);
}
END_TEST

START_TEST(the_reason_against_rdpmc_is_reported) /* R53 */
{
	struct tma_topdown_options options = { .size = sizeof(options), .sysfs = sysfs };
	struct tma_topdown_error why;
	struct tma_topdown *topdown;

	if (unit__may_not_count("the_reason_against_rdpmc_is_reported"))
		return;
	setup(software);
	expect_failure(&options, TMA_TOPDOWN_NO_RDPMC, EOPNOTSUPP, "does not let user space");
	fake__write(root, PMUS "cpu/rdpmc", "0\n");
	expect_failure(&options, TMA_TOPDOWN_RDPMC_OFF, EPERM, "devices/cpu/rdpmc");
	topdown = open_software(TMA_TOPDOWN_SYSCALL_OK);
	ck_assert_int_eq(tma_topdown_uses_rdpmc(topdown, &why), 0);
	ck_assert_int_eq(why.reason, TMA_TOPDOWN_RDPMC_OFF);
	tma_topdown_close(topdown);
	topdown = open_software(TMA_TOPDOWN_SYSCALL_ONLY);
	ck_assert_int_eq(tma_topdown_uses_rdpmc(topdown, &why), 0);
	ck_assert_str_eq(why.text, "the options ask for system calls");
	tma_topdown_close(topdown);
	fake__free(root);
}
END_TEST

/* If the thread may run on an E-core, RDPMC is used only on request. */
START_TEST(hybrid_wants_the_thread_bound)
{
	static const struct fake_file hybrid[] = {
		{ PMUS "cpu_core/type", "4\n" }, { PMUS "cpu_core/cpus", "1000-1003\n" }, { 0 },
	};
	struct tma_topdown_error why;
	struct tma_topdown *topdown;

	setup(hybrid);
	topdown = open_software(TMA_TOPDOWN_EVENTS_ONLY);
	ck_assert_str_eq(tma_topdown_core_type(topdown), "cpu_core");
	ck_assert_int_eq(tma_topdown_uses_rdpmc(topdown, &why), 0);
	ck_assert_int_eq(why.reason, TMA_TOPDOWN_HYBRID);
	tma_topdown_close(topdown);
	topdown = open_software(TMA_TOPDOWN_EVENTS_ONLY | TMA_TOPDOWN_ANY_CORE);
	ck_assert_int_eq(tma_topdown_uses_rdpmc(topdown, NULL), TOPDOWN_HAS_RDPMC);
	tma_topdown_close(topdown);
	fake__write(root, PMUS "cpu_core/cpus", "0-500,600-1023\n");
	topdown = open_software(TMA_TOPDOWN_EVENTS_ONLY);
	ck_assert_int_eq(tma_topdown_uses_rdpmc(topdown, NULL), TOPDOWN_HAS_RDPMC);
	tma_topdown_close(topdown);
	fake__free(root);
}
END_TEST

/* In a child process, let perf_event_open() fail with @code, as a container's filter does. */
static void filter_open(int code)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)code),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = steps };

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

START_TEST(a_filtered_system_call_is_reported)
{
	struct tma_topdown_options options = { .size = sizeof(options), .sysfs = sysfs };

	setup(software);
	filter_open(ENOSYS);
	expect_failure(&options, TMA_TOPDOWN_NO_SYSCALL, ENOSYS, "no perf_event_open()");
	fake__free(root);
}
END_TEST

START_TEST(refusal_that_paranoid_does_not_explain_is_a_filter)
{
	struct tma_topdown_options options = { .size = sizeof(options), .sysfs = sysfs };

	setup(software);
	if (geteuid()) {
		puts("SKIP filter: needs root, for whom perf_event_paranoid is nothing");
		fake__free(root);
		return;
	}
	filter_open(EPERM);
	expect_failure(&options, TMA_TOPDOWN_NO_SYSCALL, EPERM, "seccomp profile");
	fake__free(root);
}
END_TEST

START_TEST(a_paranoid_machine_is_reported)
{
	const struct tma_topdown topdown = { .flags = TMA_TOPDOWN_KERNEL };
	struct tma_topdown_error error;
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
	int paranoid = -1;

	if (!file || fscanf(file, "%d", &paranoid) != 1 || paranoid < 2) {
		puts("SKIP paranoid: perf_event_paranoid is below 2");
	} else {
		uid_t user = geteuid();

		if (!user)
			ck_assert_int_eq(seteuid(65534), 0);
		ck_assert_int_eq(topdown__fail_open(&topdown, "slots", EACCES, &error), -EACCES);
		ck_assert_int_eq(error.reason, TMA_TOPDOWN_PERMISSION);
		ck_assert_msg(strstr(error.text, "counting in the kernel needs 1 or less"), "%s",
			      error.text);
		/* if leaks are searched for, the process must stay the same user */
		ck_assert_int_eq(seteuid(user), 0);
	}
	if (file)
		fclose(file);
}
END_TEST

START_TEST(a_lack_of_descriptors_is_reported)
{
	struct tma_topdown_options options = {
		.size = sizeof(options), .flags = TMA_TOPDOWN_SYSCALL_ONLY, .sysfs = sysfs,
	};
	int next, limit;

	if (getenv("TEST_VALGRIND")) {
		puts("SKIP no_more_descriptors: valgrind has descriptors of its own");
		return;
	}
	setup(software);
	limit = dup(0);
	close(limit);
	/* descriptors of slots, of two more events, and of files that are read meanwhile */
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)limit + 3, (rlim_t)limit + 3 });
	ck_assert_ptr_null(tma_topdown_open(&options, NULL));
	next = dup(0);
	ck_assert_msg(next == limit, "descriptor %d, not %d: one was left open", next, limit);
	close(next);
	fake__free(root);
}
END_TEST

START_TEST(terms_go_where_formats_say)
{
	struct perf_event_attr attr = { 0 };
	struct tma_topdown_error error = { .text = "" };
	static const struct {
		const char *terms, *text;
	} wrong[] = {
		{ "event=256", "more bits" },	    { "nothing", "no term 'nothing'" },
		{ "event=1x", "not a number" },	    { "event=", "not a number" },
		{ "../cpu/type", "is not the name" },    { "odd=1", "no term 'odd'" },
		{ "split=0x1000", "more bits" },    { "", "no terms, or too many" },
		{ "itself", "no term 'itself'" },   { "event=-1", "not a number" },
	};

	setup(software);
	ck_assert_int_eq(sysfs__encode(sysfs, "cpu", "umask=0x12,event=0xc4,edge,split=0xabc,all=7",
				       &attr, &error),
			 0);
	ck_assert_uint_eq(attr.type, 1);
	ck_assert_uint_eq(attr.config, 0x412c4);
	ck_assert_uint_eq(attr.config1, 0xab0c0);
	ck_assert_uint_eq(attr.config2, 7);
	ck_assert_int_eq(sysfs__encode(sysfs, "cpu", "instructions,umask=2,config1=5", &attr, &error),
			 0);
	ck_assert_uint_eq(attr.config & 0xffff, 0x201);
	ck_assert_uint_eq(attr.config1, 5);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		ck_assert_msg(sysfs__encode(sysfs, "cpu", wrong[i].terms, &attr, &error) < 0,
			      "'%s' was taken", wrong[i].terms);
		ck_assert_msg(strstr(error.text, wrong[i].text), "no '%s' in '%s'", wrong[i].text,
			      error.text);
		ck_assert_int_eq(error.reason, TMA_TOPDOWN_NO_EVENT);
	}
	ck_assert_int_eq(sysfs__encode(sysfs, "gpu", "event=1", &attr, &error), -ENODEV);
	fake__free(root);
}
END_TEST

START_TEST(events_count_beside_it)
{
	static const char *const texts[] = { "instructions", "cycles", "cpu/event=1/",
					     "cpu/cpu-cycles/" };
	static const char *const wrong[] = { "nosuch", "cpu/event=1", "/event=1/", "cpu//", "/",
					     "../x/event=1/", "gpu/event=1/" };
	struct tma_topdown_count before, after;
	struct tma_topdown_error error;
	struct tma_topdown *topdown;

	if (unit__may_not_count("events_count_beside_it"))
		return;
	setup(software);
	topdown = open_software(TMA_TOPDOWN_EVENTS_ONLY);
	ck_assert_int_eq(tma_topdown_level(topdown), 0);
	for (int i = 0; i < 4; i++) {
		ck_assert_msg(tma_topdown_add_event(topdown, texts[i], &error) == i, "%s: %s",
			      texts[i], error.text);
		ck_assert_int_eq(tma_topdown_read_event(topdown, i, &before), 0);
		spin(0.005);
		ck_assert_int_eq(tma_topdown_read_event(topdown, i, &after), 0);
		ck_assert_uint_gt(after.value, before.value + 100000);
		ck_assert_uint_gt(after.running_ns, before.running_ns);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		ck_assert_msg(tma_topdown_add_event(topdown, wrong[i], &error) < 0,
			      "'%s' was taken", wrong[i]);
	ck_assert_int_eq(tma_topdown_read_event(topdown, 4, &after), -EINVAL);
	ck_assert_int_eq(tma_topdown_read_event(topdown, -1, &after), -EINVAL);
	tma_topdown_close(topdown);
	fake__free(root);
}
END_TEST

START_TEST(regions_count_by_system_call)
{
	struct tma_region_totals totals;
	struct tma_topdown *topdown;
	struct tma_region *region;
	double shares[TMA_TOPDOWN_SHARES];
	unsigned int cursor = 0;

	if (unit__may_not_count("regions_count_by_system_call"))
		return;
	setup(software);
	topdown = open_software(TMA_TOPDOWN_SYSCALL_OK);
	ck_assert_int_eq(tma_topdown_level(topdown), 1);
	region = tma_topdown_region(topdown, "spin", NULL);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(tma_region_begin(region), 0);
		spin(0.01);
		ck_assert_int_eq(tma_region_end(region), 0);
	}
	ck_assert_int_eq(tma_topdown_reset(topdown), 0);
	ck_assert_int_eq(tma_regions_next(tma_topdown_regions(topdown), &cursor, &totals), 1);
	ck_assert_uint_eq(totals.measured, 3);
	ck_assert_uint_ge(totals.total.time_ns, 29000000);
	ck_assert_uint_gt(totals.total.slots, 300000);
	ck_assert_uint_le(totals.total.slots, totals.total.time_ns);
	tma_topdown_shares(&totals.total, shares);
	ck_assert_double_ge(shares[TMA_TOPDOWN_RETIRING], 0.98);
	ck_assert_double_le(shares[TMA_TOPDOWN_BE_BOUND], 0.01);
	tma_topdown_close(topdown);
	fake__free(root);
}
END_TEST

static void *in_another_thread(void *topdown)
{
	struct tma_topdown_snapshot snapshot;
	struct tma_topdown_count count;

	ck_assert_int_eq(tma_topdown_snapshot(topdown, &snapshot), -EXDEV);
	ck_assert_int_eq(tma_topdown_read_event(topdown, 0, &count), -EXDEV);
	ck_assert_int_eq(tma_topdown_add_event(topdown, "instructions", NULL), -EXDEV);
	return NULL;
}

START_TEST(handle_is_its_threads) /* R53 */
{
	struct tma_topdown *topdown;
	struct tma_region *region;
	pthread_t thread;
	int status;
	pid_t child;

	if (unit__may_not_count("handle_is_its_threads"))
		return;
	setup(software);
	topdown = open_software(TMA_TOPDOWN_SYSCALL_OK);
	region = tma_topdown_region(topdown, "mine", NULL);
	ck_assert_int_eq(pthread_create(&thread, NULL, in_another_thread, topdown), 0);
	pthread_join(thread, NULL);

	ck_assert_int_eq(tma_region_begin(region), 0);
	child = fork();
	if (!child) {
		int ret = tma_region_end(region);

		tma_topdown_close(topdown);
		topdown = open_software(TMA_TOPDOWN_SYSCALL_OK);
		ret = ret == -EXDEV && tma_topdown_region(topdown, "child's", NULL) ? 0 : 1;
		tma_topdown_close(topdown);
		free(root);
		_exit(ret);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(tma_region_end(region), 0);
	tma_topdown_close(topdown);
	tma_topdown_close(NULL);
	fake__free(root);
}
END_TEST

/* The program in tma-topdown(3) prints why a handle cannot be opened, and continues. */
START_TEST(null_does_nothing)
{
	struct tma_topdown_error error = { .reason = TMA_TOPDOWN_NO_PMU, .code = ENODEV,
					   .text = "as it was" };
	struct tma_topdown_snapshot from = { .slots = 7 }, to = { .slots = 9 };
	struct tma_topdown_count count = { .value = 7 };
	struct tma_topdown_delta delta = { .slots = 7 };
	double shares[TMA_TOPDOWN_SHARES];
	struct tma_region_totals totals;
	unsigned int cursor = 0;
	char *printed = NULL;
	size_t size;
	FILE *stream = open_memstream(&printed, &size);

	ck_assert_ptr_null(tma_topdown_region(NULL, "parse", &error));
	ck_assert_int_eq(tma_region_begin(NULL), 0);
	ck_assert_int_eq(tma_region_end(NULL), 0);
	tma_region_sample(NULL, 3);
	ck_assert_ptr_null(tma_topdown_regions(NULL));
	ck_assert_int_eq(tma_regions_print(tma_topdown_regions(NULL), stream), 0);
	ck_assert_int_eq(tma_regions_next(NULL, &cursor, &totals), 0);
	tma_regions_free(NULL);
	fclose(stream);
	ck_assert_uint_eq(size, 0);
	free(printed);

	ck_assert_int_eq(tma_topdown_level(NULL), 0);
	ck_assert_int_eq(tma_topdown_uses_rdpmc(NULL, &error), 0);
	ck_assert_str_eq(tma_topdown_core_type(NULL), "");
	ck_assert_int_eq(tma_topdown_add_event(NULL, "cycles", &error), -EINVAL);
	ck_assert_int_eq(tma_topdown_read_event(NULL, 0, &count), -EINVAL);
	ck_assert_uint_eq(count.value, 0);
	ck_assert_int_eq(tma_topdown_reset(NULL), -EINVAL);
	ck_assert_int_eq(tma_topdown_snapshot(NULL, &from), -EINVAL);
	ck_assert_uint_eq(from.slots, 0);
	tma_topdown_delta(NULL, &from, &to, &delta);
	ck_assert_uint_eq(delta.slots, 0);
	ck_assert_uint_eq(delta.notes, TMA_TOPDOWN_EMPTY);
	tma_topdown_shares(&delta, shares);
	ck_assert(isnan(shares[TMA_TOPDOWN_RETIRING]));
	tma_topdown_shares(NULL, shares);
	ck_assert(isnan(shares[TMA_TOPDOWN_RETIRING]));
	tma_topdown_close(NULL);

	ck_assert_str_eq(error.text, "as it was");
	ck_assert_int_eq(error.code, ENODEV);
}
END_TEST

START_TEST(other_architectures_are_reported)
{
	struct tma_topdown_options options = { .size = sizeof(options), .sysfs = sysfs };
	struct tma_topdown_error error;
	struct tma_topdown *topdown;

	setup(software);
	expect_failure(&options, TMA_TOPDOWN_NOT_X86, EOPNOTSUPP, "tma stat --topdown");
	ck_assert_str_eq(tma_topdown_reason_name(TMA_TOPDOWN_NOT_X86), "not-x86");
	topdown = open_software(TMA_TOPDOWN_EVENTS_ONLY);
	ck_assert_int_eq(tma_topdown_uses_rdpmc(topdown, &error), 0);
	ck_assert_int_eq(error.reason, TMA_TOPDOWN_NOT_X86);
	tma_topdown_close(topdown);
	fake__free(root);
}
END_TEST

#if TOPDOWN_HAS_RDPMC
TMA_TEST_MAIN(topdown_open, null_does_nothing, wrong_options_are_reported,
	      a_machine_without_a_pmu_is_reported, a_cpu_without_slots_is_reported,
	      the_reason_against_rdpmc_is_reported, hybrid_wants_the_thread_bound,
	      terms_go_where_formats_say, events_count_beside_it, regions_count_by_system_call,
	      handle_is_its_threads, a_lack_of_descriptors_is_reported,
	      a_paranoid_machine_is_reported, a_filtered_system_call_is_reported,
	      refusal_that_paranoid_does_not_explain_is_a_filter)
#else
TMA_TEST_MAIN(topdown_open, null_does_nothing, wrong_options_are_reported,
	      terms_go_where_formats_say, other_architectures_are_reported)
#endif
