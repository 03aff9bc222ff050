// SPDX-License-Identifier: GPL-2.0-only
/*
 * Retire latencies: the counters that are opened to sample them, and what is done with records of a
 * buffer.
 */
#include <unistd.h>

#include "fake/count.h"
#include "fake_sysfs.h"

static struct counts counts;

struct record {
	struct perf_event_header header;
	uint64_t word[8];
};

/* Write into the buffer of @f, wrapping around at its end. */
static void push(const struct fake_fd *f, uint32_t type, size_t size, const uint64_t *words)
{
	const struct fake_fd *owner = f->output ? fake_fd(f->output) : f;
	struct perf_event_mmap_page *page = owner->buffer;
	size_t room = owner->buffer_size - sysconf(_SC_PAGESIZE);
	char *data = (char *)owner->buffer + sysconf(_SC_PAGESIZE);
	struct record record = { .header = { .type = type, .size = size } };

	memcpy(record.word, words, sizeof(record.word));
	for (size_t i = 0; i < size; i++)
		data[(page->data_head + i) % room] = ((char *)&record)[i];
	page->data_head += size;
}

static uint64_t id_of(const struct fake_fd *f)
{
	return fake_id(FAKE_FIRST_FD + (f - fake.fds));
}

static void push_sample(const struct fake_fd *f, uint16_t cycles, uint64_t period, uint64_t time_ns)
{
	const uint64_t words[8] = { id_of(f), time_ns, period, (uint64_t)cycles << 48 };

	push(f, PERF_RECORD_SAMPLE, 40, words);
}

static struct event *add_latency(const char *name, uint64_t config)
{
	struct event *e = add_event(name, PERF_TYPE_RAW, config);

	e->retire_latency = e->sampled = true;
	return e;
}

static void begin(void)
{
	open_session();
	counts__init(&counts, session);
	ck_assert_int_eq(session__start(session, &err), 0);
}

static void setup_wide(const char *online)
{
	setup_machine(online);
	machine.sysfs = "/no/sysfs";
	target.system_wide = true;
}

static void end(void)
{
	counts__free(&counts);
	teardown_all();
}

static const struct latency *latency_of(int event, int unit)
{
	return &counts.latencies[event * counts.nr_units + unit];
}

static double mean(int event, int unit)
{
	return latency__value(latency_of(event, unit), LATENCY_MEAN);
}

static void read_all(void)
{
	ck_assert_int_eq(session__read(session, &counts), 0);
	/* Let times advance: if they did not, the CPU would be taken to be offline. */
	fake.enabled_ns += 1000;
	fake.running_ns += 1000;
}

START_TEST(a_latency_is_opened_to_be_sampled)
{
	const struct perf_event_attr *attr;

	setup_wide("0");
	add_latency("a:R", 7);
	begin();
	attr = &fake_find(7, 0)->attr;
	ck_assert_uint_eq(attr->precise_ip, 1);
	ck_assert_uint_eq(attr->freq, 1);
	ck_assert_uint_eq(attr->sample_freq, 1000);
	ck_assert_uint_eq(attr->sample_type,
			  PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
				  PERF_SAMPLE_WEIGHT_STRUCT);
	ck_assert_uint_eq(attr->exclude_guest, 1);
	ck_assert_uint_eq(attr->inherit, 1);
	ck_assert(session__supported(session, 0));
	ck_assert_ptr_null(session__refusal(session, 0));
	end();
}
END_TEST

START_TEST(precision_that_was_asked_for_stays)
{
	setup_wide("0");
	add_latency("a:Rppp", 7)->attr.precise_ip = 3;
	begin();
	ck_assert_uint_eq(fake_find(7, 0)->attr.precise_ip, 3);
	end();
}
END_TEST

START_TEST(events_share_what_sampling_may_cost)
{
	setup_wide("0-1");
	for (int i = 1; i <= 10; i++)
		add_latency("a:R", i);
	begin();
	for (int i = 1; i <= 10; i++)
		ck_assert_uint_eq(fake_find(i, 1)->attr.sample_freq, 250);
	end();
}
END_TEST

/* With two core types, each CPU samples the event of its own type. */
START_TEST(only_events_of_the_same_cpu_share)
{
	setup_wide("0-3");
	for (int i = 1; i <= 8; i++)
		set_cpus(add_latency("a:R", i), i <= 4 ? "0-1" : "2-3");
	begin();
	ck_assert_uint_eq(fake_find(1, 0)->attr.sample_freq, 625);
	ck_assert_uint_eq(fake_find(8, 3)->attr.sample_freq, 625);
	end();
}
END_TEST

START_TEST(period_takes_the_place_of_the_frequency)
{
	setup_wide("0");
	options.latency.period = 5003;
	add_latency("a:R", 1);
	begin();
	ck_assert_uint_eq(fake_find(1, 0)->attr.freq, 0);
	ck_assert_uint_eq(fake_find(1, 0)->attr.sample_period, 5003);
	end();
}
END_TEST

static char *procfs_with_rate(const char *rate)
{
	const struct fake_file files[] = {
		{ "proc/sys/kernel/perf_event_max_sample_rate", rate },
		{ "proc/sys/kernel/perf_event_mlock_kb", "516\n" },
		{ NULL, NULL },
	};
	char *root = fake__new(files);

	machine.procfs = getenv("PROCFS_PATH");
	return root;
}

START_TEST(rate_above_the_limit_of_the_kernel_is_refused)
{
	char *root;

	setup_wide("0");
	root = procfs_with_rate("500\n");
	options.latency.frequency = 600;
	add_latency("a:R", 1);
	ck_assert_int_eq(session__new(&machine, &events, &target, &options, &session, &err),
			 -ERANGE);
	ck_assert_str_eq(err.msg, "600 samples a second (--tpebs-frequency): "
				  "kernel.perf_event_max_sample_rate allows 500 here\n"
				  "Request fewer, or raise it with sysctl, as root");
	teardown_all();
	fake__free(root);
}
END_TEST

START_TEST(rate_by_default_stays_below_the_limit)
{
	char *root;

	setup_wide("0");
	root = procfs_with_rate("300\n");
	add_latency("a:R", 1);
	begin();
	ck_assert_uint_eq(fake_find(1, 0)->attr.sample_freq, 300);
	end();
	fake__free(root);
}
END_TEST

START_TEST(events_of_a_cpu_share_a_buffer)
{
	setup_wide("0-1");
	add_latency("a:R", 1);
	add_latency("b:R", 2);
	begin();
	ck_assert_int_eq(fake.maps, 2);
	for (int cpu = 0; cpu < 2; cpu++) {
		ck_assert_ptr_nonnull(fake_find(1, cpu)->buffer);
		ck_assert_ptr_eq(fake_fd(fake_find(2, cpu)->output), fake_find(1, cpu));
	}
	end();
}
END_TEST

START_TEST(samples_go_to_their_event_and_cpu)
{
	setup_wide("0-1");
	add_latency("a:R", 1);
	add_latency("b:R", 2);
	begin();
	push_sample(fake_find(1, 0), 10, 100, 1);
	push_sample(fake_find(2, 0), 20, 100, 2);
	push_sample(fake_find(1, 0), 40, 300, 3);
	push_sample(fake_find(2, 1), 70, 100, 3);
	read_all();
	/* The mean is weighted by the number of events that each sample represents. */
	ck_assert_double_eq(mean(0, 0), (10 * 100 + 40 * 300) / 400.0);
	ck_assert_double_eq(mean(1, 0), 20);
	ck_assert_double_eq(mean(1, 1), 70);
	ck_assert_uint_eq(latency_of(0, 0)->last, 40);
	ck_assert_uint_eq(latency_of(0, 1)->nr, 0);
	ck_assert_uint_eq(counts.at[0].value, 2);
	ck_assert_uint_eq(counts.at[0].scaled, 2);
	ck_assert_int_eq(counts.at[0].status, SAMPLE_COUNTED);
	ck_assert_uint_eq(counts.at[0].enabled, 1000000);
	ck_assert_int_eq(counts.at[1].status, SAMPLE_NOT_COUNTED);
	ck_assert_ptr_null(session__warnings(session));
	end();
}
END_TEST

/* When a counter is read, the kernel moves the CPU's own records into the counter's buffer. */
static ssize_t read_and_flush(int fd, void *buf, size_t size)
{
	uint64_t words[4];
	size_t len = fake_words(fd, words) * sizeof(*words);

	ck_assert_uint_le(len, size);
	memcpy(buf, words, len);
	push_sample(fake_fd(fd), 25, 5003, 1);
	return len;
}

START_TEST(samples_that_a_read_sets_free_are_of_its_row)
{
	setup_wide("0");
	options.latency.period = 5003;
	add_latency("a:R", 1);
	begin();
	fake.read = read_and_flush;
	read_all();
	ck_assert_uint_eq(counts.at[0].value, 1);
	ck_assert_double_eq(mean(0, 0), 25);
	end();
}
END_TEST

START_TEST(sums_go_on_and_intervals_are_differences)
{
	struct counts before, delta;

	setup_wide("0");
	add_latency("a:R", 1);
	begin();
	counts__init(&before, session);
	counts__init(&delta, session);
	push_sample(fake_find(1, 0), 10, 1, 1);
	ck_assert_int_eq(session__read(session, &before), 0);
	push_sample(fake_find(1, 0), 30, 1, 2);
	push_sample(fake_find(1, 0), 32, 1, 3);
	fake.enabled_ns = fake.running_ns = 3000000;
	read_all();
	counts__delta(&counts, &before, &events, &delta);
	ck_assert_double_eq(latency__value(&delta.latencies[0], LATENCY_MEAN), 31);
	ck_assert_uint_eq(delta.at[0].value, 2);
	ck_assert_int_eq(delta.at[0].status, SAMPLE_COUNTED);
	/* An event without samples has no latency, even if its counter ran for long. */
	ck_assert_int_eq(session__read(session, &before), 0);
	counts__delta(&before, &counts, &events, &delta);
	ck_assert_uint_eq(delta.latencies[0].nr, 0);
	ck_assert_int_eq(delta.at[0].status, SAMPLE_NOT_COUNTED);
	counts__free(&before);
	counts__free(&delta);
	end();
}
END_TEST

START_TEST(quantiles_have_their_cells)
{
	setup_wide("0");
	options.latency.mode = LATENCY_P95;
	add_latency("a:R", 1);
	begin();
	for (int i = 1; i <= 100; i++)
		push_sample(fake_find(1, 0), i, 1, i);
	read_all();
	ck_assert_double_eq(latency__value(latency_of(0, 0), LATENCY_P95), 96);
	ck_assert_double_eq(latency__value(latency_of(0, 0), LATENCY_MIN), 1);
	ck_assert_double_eq(latency__value(latency_of(0, 0), LATENCY_MAX), 100);
	end();
}
END_TEST

/*
 * The buffer's size is not a multiple of 40 bytes, so in each round one record wraps around its
 * end.
 */
START_TEST(records_that_wrap_around_are_whole)
{
	uint64_t nr = 0, sum = 0;

	setup_wide("0");
	add_latency("a:R", 1);
	begin();
	for (int round = 0; round < 40; round++) {
		for (int i = 0; i < 1000; i++) {
			push_sample(fake_find(1, 0), 1 + i, 1, ++nr);
			sum += 1 + i;
		}
		read_all();
	}
	ck_assert_uint_eq(counts.at[0].value, nr);
	ck_assert_uint_eq(latency_of(0, 0)->cycles, sum);
	ck_assert_ptr_null(session__warnings(session));
	end();
}
END_TEST

START_TEST(lost_samples_are_told_once_and_in_the_end)
{
	const uint64_t lost[8] = { 0, 60 }, before[8] = { 40 };
	const char *text;

	setup_wide("0");
	add_latency("a:R", 1);
	begin();
	for (int i = 0; i < 100; i++)
		push_sample(fake_find(1, 0), 9, 1, i);
	push(fake_find(1, 0), PERF_RECORD_LOST, 24, lost);
	push(fake_find(1, 0), PERF_RECORD_LOST_SAMPLES, 16, before);
	/* The kernel's number of lost samples includes the lost samples that records report. */
	fake.lost = 60;
	read_all();
	text = session__warnings(session);
	ck_assert_str_eq(text, "samples of retire latencies are being lost: request fewer by a "
			       "lower --tpebs-frequency (now 1000)\n");
	read_all();
	ck_assert_ptr_null(session__warnings(session));
	session__stop(session);
	read_all();
	ck_assert_str_eq(session__warnings(session),
			 "100 of 200 samples of retire latencies were lost\n");
	read_all();
	ck_assert_ptr_null(session__warnings(session));
	end();
}
END_TEST

START_TEST(throttling_is_reported)
{
	const uint64_t words[8] = { 1, 2, 3 };

	setup_wide("0");
	options.latency.period = 10;
	add_latency("a:R", 1);
	begin();
	push(fake_find(1, 0), PERF_RECORD_THROTTLE, 32, words);
	push(fake_find(1, 0), PERF_RECORD_UNTHROTTLE, 32, words);
	push(fake_find(1, 0), PERF_RECORD_THROTTLE, 32, words);
	session__stop(session);
	read_all();
	ck_assert_str_eq(session__warnings(session),
			 "the kernel throttles the sampling of retire latencies, as it takes too "
			 "much time: request fewer by a longer --tpebs-period (now 10)\n"
			 "sampling of retire latencies was throttled 2 times\n");
	end();
}
END_TEST

START_TEST(foreign_ids_and_short_records_are_lost)
{
	const uint64_t foreign[8] = { 4711, 1, 1, 5ULL << 48 };

	setup_wide("0");
	add_latency("a:R", 1);
	begin();
	push_sample(fake_find(1, 0), 9, 1, 1);
	push(fake_find(1, 0), PERF_RECORD_SAMPLE, 40, foreign);
	push(fake_find(1, 0), PERF_RECORD_SAMPLE, 32, foreign);
	push(fake_find(1, 0), PERF_RECORD_LOST, 16, foreign);
	push(fake_find(1, 0), PERF_RECORD_COMM, 24, foreign);
	push_sample(fake_find(1, 0), 11, 1, 2);
	session__stop(session);
	read_all();
	ck_assert_double_eq(mean(0, 0), 10);
	ck_assert_ptr_nonnull(strstr(session__warnings(session),
				     "3 of 5 samples of retire latencies were lost\n"));
	end();
}
END_TEST

/* If a record has a size of 0, or ends after the data, the next record cannot be found. */
START_TEST(a_record_without_a_size_ends_the_buffer_and_not_the_run)
{
	static const uint32_t sizes[] = { 0, 7, 60000 };
	const uint64_t words[8] = { 0 };

	for (int i = 0; i < 3; i++) {
		struct perf_event_mmap_page *page;
		const struct fake_fd *f;

		setup_wide("0");
		add_latency("a:R", 1);
		begin();
		f = fake_find(1, 0);
		page = f->buffer;
		push_sample(f, 9, 1, 1);
		push(f, PERF_RECORD_SAMPLE, 40, words);
		((struct perf_event_header *)((char *)f->buffer + sysconf(_SC_PAGESIZE) + 40))
			->size = sizes[i];
		push_sample(f, 100, 1, 2);
		read_all();
		ck_assert_uint_eq(counts.at[0].value, 1);
		ck_assert_uint_eq(page->data_tail, page->data_head);
		push_sample(f, 11, 1, 3);
		read_all();
		ck_assert_double_eq(mean(0, 0), 10);
		end();
	}
}
END_TEST

START_TEST(a_head_beyond_the_buffer_is_survived)
{
	struct perf_event_mmap_page *page;
	const struct fake_fd *f;

	setup_wide("0");
	add_latency("a:R", 1);
	begin();
	f = fake_find(1, 0);
	page = f->buffer;
	page->data_head = 8 * f->buffer_size;
	read_all();
	ck_assert_ptr_nonnull(session__warnings(session));
	ck_assert_uint_eq(page->data_tail, page->data_head);
	push_sample(f, 11, 1, 3);
	read_all();
	ck_assert_double_eq(mean(0, 0), 11);
	end();
}
END_TEST

START_TEST(latencies_of_nothing_but_0_are_none) /* R43 */
{
	setup_wide("0");
	add_latency("a:R", 1);
	begin();
	for (int i = 0; i < 99; i++)
		push_sample(fake_find(1, 0), 0, 1, i);
	read_all();
	ck_assert_uint_eq(latency_of(0, 0)->nr, 0);
	ck_assert_int_eq(counts.at[0].status, SAMPLE_NOT_COUNTED);
	ck_assert_ptr_null(session__warnings(session));
	push_sample(fake_find(1, 0), 0, 1, 100);
	read_all();
	ck_assert_ptr_nonnull(strstr(session__warnings(session), "all retire latencies sampled are 0"));
	/* If one latency is above 0, the zeros before it are valid. */
	push_sample(fake_find(1, 0), 101, 1, 101);
	read_all();
	ck_assert_ptr_null(session__warnings(session));
	ck_assert_double_eq(mean(0, 0), 1);
	end();
}
END_TEST

START_TEST(buffers_shrink_to_what_may_be_locked)
{
	size_t page = sysconf(_SC_PAGESIZE);

	setup_wide("0-1");
	fake.mmap_limit = 9 * page;
	add_latency("a:R", 1);
	begin();
	ck_assert_uint_eq(fake_find(1, 0)->buffer_size, 9 * page);
	ck_assert_uint_eq(fake_find(1, 1)->buffer_size, 9 * page);
	push_sample(fake_find(1, 1), 11, 1, 3);
	read_all();
	ck_assert_double_eq(mean(0, 1), 11);
	end();
}
END_TEST

START_TEST(without_any_buffer_the_limit_is_named)
{
	char *root;

	setup_wide("0-1");
	root = procfs_with_rate("100000\n");
	fake.mmap_limit = 1;
	add_latency("a:R", 1);
	new_session();
	ck_assert_int_eq(session__open(session, &err), -EPERM);
	ck_assert_ptr_nonnull(strstr(err.msg, "cannot map a buffer of 8 KB for the samples of each "
					      "of 2 CPUs: Operation not permitted\n"
					      "kernel.perf_event_mlock_kb is 516 here"));
	ck_assert_ptr_nonnull(strstr(err.msg, "sysctl kernel.perf_event_mlock_kb=1040"));
	ck_assert_ptr_nonnull(strstr(err.msg, "ulimit -l"));
	teardown_all();
	fake__free(root);
}
END_TEST

FAKE_REFUSAL(knows_no_lost)
{
	return attr->read_format & PERF_FORMAT_LOST ? EINVAL : 0;
}

START_TEST(an_older_kernel_samples_too)
{
	setup_wide("0");
	fake.refuse = knows_no_lost;
	add_latency("a:R", 1);
	begin();
	ck_assert_uint_eq(fake_find(1, 0)->attr.exclude_guest, 1);
	push_sample(fake_find(1, 0), 11, 1, 3);
	read_all();
	ck_assert_double_eq(mean(0, 0), 11);
	end();
}
END_TEST

FAKE_REFUSAL(samples_nothing)
{
	return attr->precise_ip ? EOPNOTSUPP : 0;
}

START_TEST(a_cpu_that_cannot_sample_counts_the_rest)
{
	setup_wide("0");
	fake.refuse = samples_nothing;
	add_event("a", PERF_TYPE_RAW, 1);
	add_latency("b:R", 2);
	begin();
	ck_assert(!session__supported(session, 1));
	ck_assert_ptr_nonnull(strstr(session__refusal(session, 1), "precise"));
	read_all();
	ck_assert_uint_eq(counts.at[0].value, 1000);
	ck_assert_int_eq(counts.at[1].status, SAMPLE_NOT_SUPPORTED);
	ck_assert_uint_eq(latency_of(1, 0)->nr, 0);
	end();
}
END_TEST

START_TEST(a_latency_is_no_member_of_a_group)
{
	setup_wide("0");
	add_event("a", PERF_TYPE_RAW, 1);
	add_latency("b:R", 2);
	add_event("c", PERF_TYPE_RAW, 3);
	group_last(3, false);
	begin();
	ck_assert_int_eq(fake_find(2, 0)->group_fd, -1);
	ck_assert(fake_find(2, 0)->enabled);
	ck_assert_int_eq(fake_find(3, 0)->group_fd, FAKE_FIRST_FD);
	push_sample(fake_find(2, 0), 11, 1, 3);
	read_all();
	ck_assert_uint_eq(counts.at[0].value, 1000);
	ck_assert_uint_eq(counts.at[2].value, 3000);
	ck_assert_double_eq(mean(1, 0), 11);
	end();
}
END_TEST

START_TEST(the_same_event_twice_is_sampled_twice)
{
	setup_wide("0");
	add_latency("a:R", 1);
	add_latency("a:R", 1);
	begin();
	ck_assert_int_eq(fake_nr_open(), 2);
	push_sample(&fake.fds[0], 10, 1, 1);
	push_sample(&fake.fds[1], 20, 1, 1);
	read_all();
	ck_assert_double_eq(mean(0, 0), 10);
	ck_assert_double_eq(mean(1, 0), 20);
	end();
}
END_TEST

/* For tasks, each thread has a counter on each CPU, since each CPU has its own buffer. */
static void open_tasks(void)
{
	static char pids[16];

	setup_machine("0-2");
	snprintf(pids, sizeof(pids), "%d", getpid());
	target.pids = pids;
	add_event("a", PERF_TYPE_RAW, 1);
	add_latency("b:R", 2);
	begin();
}

START_TEST(tasks_are_sampled_on_every_cpu)
{
	open_tasks();
	ck_assert_int_eq(session__units(session)->nr, 1);
	ck_assert_int_eq(fake_find(1, -1)->pid, getpid());
	for (int cpu = 0; cpu < 3; cpu++) {
		ck_assert_int_eq(fake_find(2, cpu)->pid, getpid());
		ck_assert(fake_find(2, cpu)->enabled);
		ck_assert_uint_eq(fake_find(2, cpu)->attr.inherit, 1);
		push_sample(fake_find(2, cpu), 10 * (cpu + 1), 1, cpu);
	}
	ck_assert_int_eq(fake.maps, 3);
	fake.enabled_ns = 3000;
	fake.running_ns = 1000;
	read_all();
	ck_assert_double_eq(mean(1, 0), 20);
	ck_assert_uint_eq(counts.at[1].value, 3);
	/* Enabled and running times are summed over the CPUs that the task was on. */
	ck_assert_uint_eq(counts.at[1].enabled, 3000);
	ck_assert_uint_eq(counts.at[1].running, 3000);
	ck_assert_int_eq(counts.at[1].status, SAMPLE_COUNTED);
	session__enable(session, 1, false);
	for (int cpu = 0; cpu < 3; cpu++)
		ck_assert(!fake_find(2, cpu)->enabled);
	end();
}
END_TEST

START_TEST(all_counters_are_closed_in_the_end)
{
	open_tasks();
	ck_assert_int_eq(fake_nr_open(), 4);
	end();
	ck_assert_int_eq(fake_nr_open(), 0);
}
END_TEST

START_TEST(a_cpu_that_goes_keeps_its_samples_and_one_that_comes_has_more)
{
	static const struct fake_file files[] = { { "sys/devices/system/cpu/online", "0-1\n" },
						  { NULL, NULL } };
	char *root = fake__new(files);

	setup_wide("0-1");
	machine.sysfs = getenv("SYSFS_PATH");
	add_latency("a:R", 1);
	begin();
	push_sample(fake_find(1, 1), 10, 1, 1);
	set_online("0");
	read_all();
	ck_assert_double_eq(mean(0, 1), 10);
	ck_assert_ptr_nonnull(strstr(session__warnings(session), "CPU 1 went offline"));
	ck_assert_int_eq(fake_nr_open(), 1);
	set_online("0-1");
	/* Frequent reads do not look for new CPUs each time. */
	session__wait(session, session__elapsed_ns(session) + 101000000);
	read_all();
	ck_assert_int_eq(fake_nr_open(), 2);
	push_sample(fake_find(1, 1), 30, 1, 2);
	push_sample(fake_find(1, 0), 50, 1, 2);
	read_all();
	ck_assert_double_eq(mean(0, 1), 20);
	ck_assert_double_eq(mean(0, 0), 50);
	ck_assert_uint_eq(counts.at[1].value, 2);
	end();
	fake__free(root);
}
END_TEST

/*
 * Without intervals, there is much time between reads: samples would be lost if a buffer became
 * full.
 */
START_TEST(a_wait_empties_the_buffers)
{
	struct perf_event_mmap_page *page;

	setup_wide("0");
	options.latency.frequency = 100000;
	add_latency("a:R", 1);
	begin();
	page = fake_find(1, 0)->buffer;
	push_sample(fake_find(1, 0), 10, 1, 1);
	ck_assert_int_eq(session__wait(session, 100000000), WAIT_DEADLINE);
	ck_assert_uint_eq(page->data_tail, 40);
	end();
}
END_TEST

TMA_TEST_MAIN(count_sampler, a_latency_is_opened_to_be_sampled, precision_that_was_asked_for_stays,
	      events_share_what_sampling_may_cost, only_events_of_the_same_cpu_share,
	      period_takes_the_place_of_the_frequency,
	      rate_above_the_limit_of_the_kernel_is_refused, rate_by_default_stays_below_the_limit,
	      events_of_a_cpu_share_a_buffer, samples_go_to_their_event_and_cpu,
	      samples_that_a_read_sets_free_are_of_its_row,
	      sums_go_on_and_intervals_are_differences, quantiles_have_their_cells,
	      records_that_wrap_around_are_whole, lost_samples_are_told_once_and_in_the_end,
	      throttling_is_reported, foreign_ids_and_short_records_are_lost,
	      a_record_without_a_size_ends_the_buffer_and_not_the_run,
	      a_head_beyond_the_buffer_is_survived, latencies_of_nothing_but_0_are_none,
	      buffers_shrink_to_what_may_be_locked, without_any_buffer_the_limit_is_named,
	      an_older_kernel_samples_too, a_cpu_that_cannot_sample_counts_the_rest,
	      a_latency_is_no_member_of_a_group, the_same_event_twice_is_sampled_twice,
	      tasks_are_sampled_on_every_cpu, all_counters_are_closed_in_the_end,
	      a_cpu_that_goes_keeps_its_samples_and_one_that_comes_has_more,
	      a_wait_empties_the_buffers)
